//! Rows of a CSV table that streams by: cells by column name, and no row that fills the memory.
use super::{Input, ProfileError};
use csv::StringRecord;
use std::cell::Cell;
use std::io::{self, Read};

/// The largest row that is read, in B: a stray quote makes a row of all that follows.
const LARGEST_ROW: usize = 64 << 20;

/// A table with a header.
pub(super) struct Rows<R> {
    reader: csv::Reader<R>,
    header: Vec<String>,
    record: StringRecord,
}

/// What stopped the reading of a table.
pub(super) struct Stopped {
    /// Counted from one.
    pub line: u64,
    pub reason: csv::Error,
}

impl<'a, R: Read> Rows<Guard<'a, R>> {
    /// The rows of `reader`; `since` is its alone.
    pub fn new(reader: R, since: &'a Cell<usize>) -> Result<Self, Stopped> {
        let guard = Guard { reader, since };
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(guard);
        let header = match reader.byte_headers() {
            Ok(header) => header.iter().map(clean).collect(),
            Err(reason) => return Err(Stopped { line: 1, reason }),
        };
        Ok(Self {
            reader,
            header,
            record: StringRecord::new(),
        })
    }

    /// The next row, with its line counted from one; `None` at the end. What is no UTF-8 is replaced.
    pub fn next(&mut self) -> Result<Option<(u64, Row<'_>)>, Stopped> {
        let mut record = csv::ByteRecord::new();
        let read = self.reader.read_byte_record(&mut record);
        self.reader.get_ref().since.set(0);
        match read {
            Ok(true) => {
                let line = record.position().map_or(0, csv::Position::line);
                self.record = StringRecord::from_byte_record_lossy(record);
                Ok(Some((line, Row(&self.record))))
            }
            Ok(false) => Ok(None),
            Err(reason) => Err(Stopped {
                line: self.reader.position().line(),
                reason,
            }),
        }
    }

    /// Column names, without blanks around them.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// The first column that has one of these names, whatever their case.
    pub fn column(&self, names: &[&str]) -> Option<usize> {
        names.iter().find_map(|name| {
            let mut columns = self.header.iter();
            columns.position(|column| column.eq_ignore_ascii_case(name))
        })
    }
}

impl Stopped {
    /// The error of a file of which nothing is of use, or that was cancelled.
    pub fn into_error(self, input: &Input<'_>) -> ProfileError {
        let line = self.line;
        match self.reason.into_kind() {
            csv::ErrorKind::Io(error) => input.io(error),
            csv::ErrorKind::Utf8 { .. } => input.not_text(line),
            other => input.wrong_at(line, format!("{other:?}")),
        }
    }
}

/// Without blanks and the mark that says a file is UTF-8.
fn clean(cell: &[u8]) -> String {
    let cell = String::from_utf8_lossy(cell);
    cell.trim_start_matches('\u{feff}').trim().to_owned()
}

/// A row of a table.
#[derive(Clone, Copy)]
pub(super) struct Row<'a>(&'a StringRecord);

impl<'a> Row<'a> {
    /// A cell without blanks; empty where there is none.
    pub fn text(self, column: Option<usize>) -> &'a str {
        column
            .and_then(|column| self.0.get(column))
            .unwrap_or_default()
            .trim()
    }

    /// A cell's number, also as Python's numpy writes it: `np.float64(51.58)`.
    pub fn number(self, column: Option<usize>) -> Option<f64> {
        number(self.text(column))
    }

    /// Whether no cell holds anything.
    pub fn is_blank(self) -> bool {
        self.0.iter().all(|cell| cell.trim().is_empty())
    }
}

/// A finite number, also as Python's numpy writes it.
pub(super) fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let inner = match text.split_once('(') {
        Some((wrapper, rest)) if wrapper.starts_with("np.") || wrapper.starts_with("numpy.") => {
            rest.strip_suffix(')')?
        }
        _ => text,
    };
    inner
        .trim()
        .parse()
        .ok()
        .filter(|value: &f64| value.is_finite())
}

/// Refuses a row that never ends.
pub(super) struct Guard<'a, R> {
    reader: R,
    since: &'a Cell<usize>,
}

impl<R: Read> Read for Guard<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        let since = self.since.get() + count;
        self.since.set(since);
        if since > LARGEST_ROW {
            let reason = "a row has more than 64 MiB, as after a quote that is never closed";
            return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
        }
        Ok(count)
    }
}
