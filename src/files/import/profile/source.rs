//! The bytes of a file as they are, hashed and counted while they pass.
use super::input::Watch;
use std::io::{self, Read};
use xxhash_rust::xxh3::Xxh3;

/// How many bytes are read at once.
const CHUNK: usize = 1 << 16;

/// How many bytes pass between two words with the watch.
const STEP: u64 = 1 << 20;

/// A source of bytes that remembers their hash and number.
pub struct Raw<'a> {
    source: &'a mut (dyn Read + Send),
    watch: Watch<'a>,
    hash: Xxh3,
    count: u64,
    /// When to speak to the watch next.
    next: u64,
    first: Vec<u8>,
    /// How much of `first` was handed on.
    at: usize,
}

impl<'a> Raw<'a> {
    /// Nothing read yet.
    pub fn new(source: &'a mut (dyn Read + Send), watch: Watch<'a>) -> Self {
        Self {
            source,
            watch,
            hash: Xxh3::new(),
            count: 0,
            next: STEP,
            first: Vec::new(),
            at: 0,
        }
    }

    /// The first bytes, without taking them.
    pub fn peek(&mut self) -> io::Result<&[u8]> {
        if self.first.is_empty() {
            let limit = CHUNK as u64;
            (&mut *self.source)
                .take(limit)
                .read_to_end(&mut self.first)?;
        }
        Ok(&self.first)
    }

    /// Bytes handed on so far.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The hash of all bytes, also those nobody asked for, as 32 hexadecimal digits.
    pub fn into_hash(mut self) -> io::Result<String> {
        let mut buffer = vec![0; CHUNK];
        while self.read(&mut buffer)? > 0 {}
        Ok(format!("{:032x}", self.hash.digest128()))
    }

    fn next_bytes(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = &self.first[self.at..];
        if left.is_empty() {
            return self.source.read(buffer);
        }
        let count = left.len().min(buffer.len());
        buffer[..count].copy_from_slice(&left[..count]);
        self.at += count;
        Ok(count)
    }
}

impl Read for Raw<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.next_bytes(buffer)?;
        self.hash.update(&buffer[..count]);
        self.count += count as u64;
        if self.count >= self.next {
            self.next = self.count + STEP;
            if !(self.watch)(self.count) {
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
        }
        Ok(count)
    }
}
