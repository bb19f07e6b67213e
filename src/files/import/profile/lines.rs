//! Lines and records of a text that is read as a stream: only one of them is ever in memory.
use super::error::ProfileError;
use super::input::Input;
use std::io::Read;
use std::sync::mpsc;
use std::thread;

/// How much is read at once.
const CHUNK: usize = 1 << 20;

/// How much of it is handed from thread to thread at once, and how often ahead of what is being taken.
const BATCH: usize = 1 << 18;
const MOST_RECORDS: usize = 1 << 14;
const AHEAD: usize = 4;

/// The longest line or record, in B: a wide table with a thousand kernels' worth of names is far shorter.
const MOST_BYTES: usize = 4 << 20;

/// Hands out a text line by line, or record by record where quotation marks may span lines.
pub struct Lines<'i, 'a> {
    input: &'i mut Input<'a>,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    ended: bool,
    /// Where the line that was handed out last begins, counted from one.
    number: u64,
    /// Lines it has.
    height: u64,
}

impl<'i, 'a> Lines<'i, 'a> {
    /// From wherever the input stands.
    pub fn new(input: &'i mut Input<'a>) -> Self {
        Self {
            input,
            buffer: vec![0; CHUNK],
            start: 0,
            end: 0,
            ended: false,
            number: 0,
            height: 1,
        }
    }

    /// Where the line or record that was handed out last begins, counted from one.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The file, for messages.
    pub fn input(&self) -> &Input<'a> {
        self.input
    }

    /// An error about the line that was handed out last.
    pub fn wrong(&self, reason: impl Into<String>) -> ProfileError {
        self.input.wrong_at(self.number, reason)
    }

    /// The next line, without its end.
    pub fn line(&mut self) -> Result<Option<&[u8]>, ProfileError> {
        self.next(false)
    }

    /// The next record: a line, and those after it as long as a quotation mark is open.
    pub fn record(&mut self) -> Result<Option<&[u8]>, ProfileError> {
        self.next(true)
    }

    /// Hands each of the records that are left to `take`, with the line it begins in; what `take` says against one ends it.
    ///
    /// A thread of its own reads on and finds the records, so that this costs what the slower of the two costs.
    pub fn each_record(
        &mut self,
        mut take: impl FnMut(&[u8], u64) -> Result<(), String>,
    ) -> Result<(), ProfileError> {
        let (full, filled) = mpsc::sync_channel::<Batch>(AHEAD);
        let (empty, emptied) = mpsc::channel::<Batch>();
        let label = self.input.label.clone();
        thread::scope(|scope| {
            scope.spawn(move || {
                loop {
                    let mut batch = emptied.try_recv().unwrap_or_default();
                    let more = batch.fill(self);
                    // Where nobody takes any more, nobody wants any more.
                    if full.send(batch).is_err() || !more {
                        return;
                    }
                }
            });
            let filled = filled;
            for mut batch in &filled {
                let mut start = 0;
                for (end, line) in batch.ends.drain(..) {
                    take(&batch.bytes[start..end], line).map_err(|reason| {
                        let file = label.clone();
                        ProfileError::Line { file, line, reason }
                    })?;
                    start = end;
                }
                batch.bytes.clear();
                if let Some(error) = batch.error {
                    return Err(error);
                }
                drop(empty.send(batch));
            }
            Ok(())
        })
    }

    fn next(&mut self, quoted: bool) -> Result<Option<&[u8]>, ProfileError> {
        self.number += self.height;
        self.height = 1;
        let mut open = false;
        // How much of what is there was looked at.
        let mut seen = 0;
        loop {
            let unseen = &self.buffer[self.start + seen..self.end];
            match memchr::memchr(b'\n', unseen) {
                Some(at) => {
                    open ^= quoted && odd_quotes(&unseen[..at]);
                    seen += at + 1;
                    if !open {
                        return Ok(Some(self.take(seen)));
                    }
                    self.height += 1;
                }
                None if self.ended => {
                    let length = self.end - self.start;
                    open ^= quoted && odd_quotes(unseen);
                    if open {
                        return Err(self.wrong("a quotation mark opens here and never closes"));
                    }
                    return Ok((length > 0).then(|| self.take(length)));
                }
                None => self.fill()?,
            }
            if seen.max(self.end - self.start) > MOST_BYTES {
                let what = if open {
                    "a quotation mark opens here and does not close within"
                } else {
                    "this line has more than"
                };
                return Err(self.wrong(format!("{what} {} MiB, as in no table", MOST_BYTES >> 20)));
            }
        }
    }

    /// Hands out so many bytes, without the end of line.
    fn take(&mut self, count: usize) -> &[u8] {
        let taken = &self.buffer[self.start..self.start + count];
        self.start += count;
        let taken = taken.strip_suffix(b"\n").unwrap_or(taken);
        taken.strip_suffix(b"\r").unwrap_or(taken)
    }

    /// Reads more behind what is there.
    fn fill(&mut self) -> Result<(), ProfileError> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.end == self.buffer.len() {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        let count = match self.input.read(&mut self.buffer[self.end..]) {
            Ok(count) => count,
            Err(error) => return Err(self.input.io(error)),
        };
        self.end += count;
        self.ended = count == 0;
        Ok(())
    }
}

/// Records, one behind the other.
#[derive(Default)]
struct Batch {
    bytes: Vec<u8>,
    /// Where each ends, and the line it begins in.
    ends: Vec<(usize, u64)>,
    /// Why there are no more, other than that the text is over.
    error: Option<ProfileError>,
}

impl Batch {
    /// Takes records until there are enough; says whether there may be more.
    fn fill(&mut self, lines: &mut Lines<'_, '_>) -> bool {
        while self.bytes.len() < BATCH && self.ends.len() < MOST_RECORDS {
            match lines.record() {
                Ok(Some(record)) => self.bytes.extend_from_slice(record),
                Ok(None) => return false,
                Err(error) => {
                    self.error = Some(error);
                    return false;
                }
            }
            self.ends.push((self.bytes.len(), lines.number));
        }
        true
    }
}

fn odd_quotes(text: &[u8]) -> bool {
    memchr::memchr_iter(b'"', text).count() % 2 == 1
}
