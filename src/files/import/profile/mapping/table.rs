//! A table of separated values: its header, wherever it stands, and its rows.
use super::guess::is_name;
use crate::files::import::profile::fields;
use crate::files::import::profile::number::{self, Decimal, Evidence};

/// How many lines may stand before the header.
const MOST_PREAMBLE: usize = 40;

/// The separators that are tried.
const SEPARATORS: [u8; 4] = [b',', b'\t', b';', b'|'];

/// The beginning of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Head {
    pub separator: u8,
    /// The headers, as written but for blanks around them.
    pub columns: Vec<String>,
    /// Which record the header is, counted from zero.
    pub record: usize,
    /// The decimal mark that the numbers near it speak for.
    pub decimal: Option<Decimal>,
    /// Where nothing speaks for one: the first number of each column that may be read in two ways.
    pub doubts: Vec<Doubt>,
}

/// A number that may be read in two ways.
#[derive(Debug, Clone, PartialEq)]
pub struct Doubt {
    /// The place of its column, from 0.
    pub column: usize,
    /// Counted from one.
    pub line: usize,
    pub number: String,
}

/// Finds the header in the first mebibyte of a file: the first record that names kernels or something measured.
pub fn head(text: &[u8]) -> Option<Head> {
    let lines = || {
        text.split(|byte| *byte == b'\n')
            .map(<[u8]>::trim_ascii_end)
    };
    let candidates = lines().enumerate().take(MOST_PREAMBLE);
    let candidates = candidates.filter(|(_, line)| !is_comment(line));
    let mut found: Option<Head> = None;
    for (record, line) in candidates {
        let Some((separator, columns)) = columns_of(line) else {
            continue;
        };
        let is_header = columns.iter().any(|column| is_name(column));
        if is_header || found.is_none() {
            found = Some(Head {
                separator,
                columns,
                record,
                decimal: None,
                doubts: Vec::new(),
            });
        }
        if is_header {
            break;
        }
    }
    let mut found = found?;
    let mut evidence = Evidence::default();
    let mut slices = Vec::new();
    for (at, line) in lines().enumerate().skip(found.record + 1).take(1000) {
        if !is_comment(line) && fields::split(line, found.separator, &mut slices) {
            for (column, field) in slices.iter().enumerate() {
                let text = fields::unquoted(field);
                evidence.observe(&text, false);
                if is_doubtful(&text, found.separator)
                    && found.doubts.iter().all(|known| known.column != column)
                {
                    found.doubts.push(Doubt {
                        column,
                        line: at + 1,
                        number: String::from_utf8_lossy(text.trim_ascii()).into_owned(),
                    });
                }
            }
        }
    }
    found.decimal = evidence.decimal();
    if found.decimal.is_some() {
        found.doubts.clear();
    }
    Some(found)
}

/// Whether a number may be read in two ways in a table of this separator: a point is the decimal mark of everybody who
/// separates cells by commas.
pub fn is_doubtful(text: &[u8], separator: u8) -> bool {
    match number::doubtful_mark(text) {
        Some(b'.') => separator != b',',
        mark => mark.is_some(),
    }
}

/// Whether a line is no row: blank, or a remark.
pub fn is_comment(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line.is_empty() || line.starts_with(b"#") || line.starts_with(b"//")
}

fn columns_of(line: &[u8]) -> Option<(u8, Vec<String>)> {
    let mut best: Option<(u8, Vec<String>)> = None;
    let mut slices = Vec::new();
    for separator in SEPARATORS {
        if !fields::split(line, separator, &mut slices) || slices.len() < 2 {
            continue;
        }
        if best
            .as_ref()
            .is_none_or(|(_, columns)| columns.len() < slices.len())
        {
            let texts = slices
                .iter()
                .map(|field| Some(fields::text(field)?.trim().to_owned()));
            best = Some((separator, texts.collect::<Option<Vec<_>>>()?));
        }
    }
    let (_, columns) = best.as_ref()?;
    // Numbers and braces head no table.
    let words = columns
        .iter()
        .filter(|column| column.contains(char::is_alphabetic));
    let strange = columns
        .iter()
        .any(|column| column.contains(['{', '}', '\0']) || column.len() > 300);
    (words.count() * 2 > columns.len() && !strange).then_some(())?;
    best
}
