//! Text in UTF-16 with a byte order mark, as PowerShell redirects output, as a stream of UTF-8.
use std::io::{self, Read};

/// Turns UTF-16 into UTF-8 while it is read.
pub struct Utf16<'a> {
    reader: Box<dyn Read + Send + 'a>,
    big_endian: bool,
    /// An odd byte that waits for its other half.
    odd: Option<u8>,
    /// The first half of a character of two units.
    surrogate: Option<u16>,
    utf8: Vec<u8>,
    at: usize,
    ended: bool,
}

impl<'a> Utf16<'a> {
    /// The same text without a byte order mark, as UTF-8 if the mark says UTF-16.
    pub fn or_utf8(mut reader: Box<dyn Read + Send + 'a>) -> io::Result<Box<dyn Read + Send + 'a>> {
        let mut first = Vec::new();
        (&mut reader).take(3).read_to_end(&mut first)?;
        let (big_endian, mark) = match first.as_slice() {
            [0xef, 0xbb, 0xbf] => return Ok(reader),
            [0xff, 0xfe, ..] => (false, 2),
            [0xfe, 0xff, ..] => (true, 2),
            _ => return Ok(Box::new(io::Cursor::new(first).chain(reader))),
        };
        Ok(Box::new(Self {
            reader,
            big_endian,
            odd: first.get(mark).copied(),
            surrogate: None,
            utf8: Vec::new(),
            at: 0,
            ended: false,
        }))
    }

    fn refill(&mut self) -> io::Result<()> {
        let mut bytes = vec![0; 1 << 16];
        let count = self.reader.read(&mut bytes)?;
        self.ended = count == 0;
        bytes.truncate(count);
        let bytes: Vec<u8> = self.odd.take().into_iter().chain(bytes).collect();
        let mut units = bytes.chunks_exact(2);
        let waiting = self.surrogate.take().into_iter();
        let big_endian = self.big_endian;
        let unit = |pair: &[u8]| match big_endian {
            true => u16::from_be_bytes([pair[0], pair[1]]),
            false => u16::from_le_bytes([pair[0], pair[1]]),
        };
        let mut all: Vec<u16> = waiting.chain(units.by_ref().map(unit)).collect();
        self.odd = units.remainder().first().copied();
        let half = all
            .last()
            .copied()
            .filter(|last| (0xd800..0xdc00).contains(last));
        if half.is_some() && !self.ended {
            self.surrogate = all.pop();
        }
        self.utf8.clear();
        self.at = 0;
        for c in char::decode_utf16(all) {
            let c = c.unwrap_or(char::REPLACEMENT_CHARACTER);
            self.utf8
                .extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
        Ok(())
    }
}

impl Read for Utf16<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.utf8.len() && !self.ended {
            self.refill()?;
        }
        let left = &self.utf8[self.at..];
        let count = left.len().min(buffer.len());
        buffer[..count].copy_from_slice(&left[..count]);
        self.at += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands out one byte at a time.
    struct Slow(Vec<u8>);

    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() || buffer.is_empty() {
                return Ok(0);
            }
            buffer[0] = self.0.remove(0);
            Ok(1)
        }
    }

    #[test]
    fn both_byte_orders_are_read_whatever_the_pieces() {
        let text = "kernel,µs,𝄞\n";
        for big_endian in [false, true] {
            let units = std::iter::once(0xfeff).chain(text.encode_utf16());
            let bytes: Vec<u8> = match big_endian {
                true => units.flat_map(u16::to_be_bytes).collect(),
                false => units.flat_map(u16::to_le_bytes).collect(),
            };
            let mut read = String::new();
            let mut reader = Utf16::or_utf8(Box::new(Slow(bytes))).unwrap();
            reader.read_to_string(&mut read).unwrap();
            assert_eq!(read, text);
        }
    }

    #[test]
    fn a_mark_of_utf_8_goes_and_other_bytes_stay() {
        for (bytes, text) in [
            ("\u{feff}a,b", "a,b"),
            ("a", "a"),
            ("", ""),
            ("abcd", "abcd"),
        ] {
            let mut read = String::new();
            let mut reader = Utf16::or_utf8(Box::new(bytes.as_bytes())).unwrap();
            reader.read_to_string(&mut read).unwrap();
            assert_eq!(read, text);
        }
    }
}
