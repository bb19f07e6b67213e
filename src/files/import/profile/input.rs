//! A profiler's file as a stream of UTF-8 in bounded memory: unpacked, transcoded, hashed, counted and cancelled underneath.
use super::beside::Beside;
use super::error::ProfileError;
use super::source::Raw;
use crate::files::import::utf16::Utf16;
use flate2::read::MultiGzDecoder;
use std::io::{self, Read};

/// How much of a file formats see to recognise it, in B.
pub const HEAD: usize = 1 << 20;

/// The most a compressed file may hold, in B: a gigabyte of trace is usual, a terabyte is a bomb.
const MOST_UNPACKED: u64 = 16 << 30;

/// How many times its size a compressed file may hold; tables and traces hold ten to a hundred times.
const MOST_EXPANSION: u64 = 200;

/// The size below which a compressed file counts as this large, in B.
const LEAST_PACKED: u64 = 1 << 16;

/// Says how many bytes of the file were read, and hears whether to go on.
pub type Watch<'a> = &'a (dyn Fn(u64) -> bool + Sync);

/// A file that may be a profile.
pub struct Input<'a> {
    /// The file's own name, without folders, which are nobody's business.
    pub name: String,
    /// What messages call it.
    pub label: String,
    pub beside: &'a dyn Beside,
    head: Vec<u8>,
    /// How much of `head` was read again.
    at: usize,
    rest: Box<dyn Read + Send + 'a>,
    unpacked: bool,
}

impl<'a> Input<'a> {
    /// What comes from `raw`, called `label`.
    pub(super) fn new(
        raw: &'a mut Raw<'_>,
        label: &str,
        beside: &'a dyn Beside,
    ) -> Result<Self, ProfileError> {
        let mut input = Self {
            name: label.rsplit(['/', '\\']).next().unwrap_or(label).to_owned(),
            label: label.to_owned(),
            beside,
            head: Vec::new(),
            at: 0,
            rest: Box::new(io::empty()),
            unpacked: false,
        };
        let magic = raw.peek().map_err(|error| input.io(error))?;
        let reader: Box<dyn Read + Send + 'a> = if magic.starts_with(&[0x1f, 0x8b]) {
            input.unpacked = true;
            Box::new(Bounded::new(raw))
        } else {
            Box::new(raw)
        };
        input.rest = Utf16::or_utf8(reader).map_err(|error| input.io(error))?;
        let mut head = Vec::new();
        let limit = HEAD as u64;
        let read = (&mut input.rest).take(limit).read_to_end(&mut head);
        read.map_err(|error| input.io(error))?;
        input.head = head;
        Ok(input)
    }

    /// The first mebibyte, as UTF-8 if it is text at all.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// The first mebibyte as text, up to where it is none.
    pub fn head_text(&self) -> &str {
        match str::from_utf8(&self.head) {
            Ok(text) => text,
            Err(error) => str::from_utf8(&self.head[..error.valid_up_to()]).unwrap_or_default(),
        }
    }

    /// Whether `head` is all there is.
    pub fn is_whole(&self) -> bool {
        self.head.len() < HEAD
    }

    /// All of it as text, of at most `most` bytes; an error names the line where it is none.
    pub fn text(&mut self, most: usize) -> Result<String, ProfileError> {
        let mut bytes = Vec::new();
        let limit = most as u64 + 1;
        let read = Read::take(&mut *self, limit).read_to_end(&mut bytes);
        read.map_err(|error| self.io(error))?;
        if bytes.len() > most {
            let reason = format!("it has more than {} MiB, as no such file has", most >> 20);
            return Err(self.wrong(reason));
        }
        String::from_utf8(bytes).map_err(|error| {
            let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            self.not_text(memchr::memchr_iter(b'\n', good).count() as u64 + 1)
        })
    }

    /// An error about the file.
    pub fn wrong(&self, reason: impl Into<String>) -> ProfileError {
        ProfileError::File {
            file: self.label.clone(),
            reason: reason.into(),
        }
    }

    /// An error about a line, counted from one.
    pub fn wrong_at(&self, line: u64, reason: impl Into<String>) -> ProfileError {
        ProfileError::Line {
            file: self.label.clone(),
            line,
            reason: reason.into(),
        }
    }

    /// The error of a line that is no text.
    pub fn not_text(&self, line: u64) -> ProfileError {
        self.wrong_at(
            line,
            "this is not UTF-8 text: save or export the file as UTF-8",
        )
    }

    /// What to say of an error of the stream.
    pub fn io(&self, reason: io::Error) -> ProfileError {
        let file = self.label.clone();
        match reason.kind() {
            // The watch says so.
            io::ErrorKind::ConnectionAborted => ProfileError::Cancelled { file },
            io::ErrorKind::FileTooLarge => self.wrong(format!("it unpacks to {reason}")),
            _ if self.unpacked => self.wrong(format!(
                "the compressed data is broken ({reason}): copy or export it again"
            )),
            _ => ProfileError::Io { file, reason },
        }
    }
}

/// Reads from the start, head and all.
impl Read for Input<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = &self.head[self.at..];
        if left.is_empty() {
            return self.rest.read(buffer);
        }
        let count = left.len().min(buffer.len());
        buffer[..count].copy_from_slice(&left[..count]);
        self.at += count;
        Ok(count)
    }
}

/// Unpacked bytes, as long as there are not absurdly many.
struct Bounded<'a, 's> {
    reader: MultiGzDecoder<&'a mut Raw<'s>>,
    count: u64,
}

impl<'a, 's> Bounded<'a, 's> {
    fn new(raw: &'a mut Raw<'s>) -> Self {
        Self {
            reader: MultiGzDecoder::new(raw),
            count: 0,
        }
    }
}

impl Read for Bounded<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.count += count as u64;
        let packed = self.reader.get_ref().count().max(LEAST_PACKED);
        let bomb = self.count > MOST_UNPACKED || self.count / packed > MOST_EXPANSION;
        if bomb {
            let times = self.count / packed;
            let reason = format!("more than {times} times its size, as no profile does");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
        }
        Ok(count)
    }
}
