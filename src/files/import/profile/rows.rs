//! Rows of a CSV table with a header, as they stream by: cells by column name.
use super::fields;
use super::lines::Lines;
use super::number::{self, Decimal};
use super::{Input, ProfileError, ReadProfile};
use std::borrow::Cow;
use std::collections::HashSet;

/// A table with a header.
pub(super) struct Rows<'i, 'a> {
    lines: Lines<'i, 'a>,
    header: Vec<String>,
}

impl<'i, 'a> Rows<'i, 'a> {
    /// The table that `input` is.
    pub fn new(input: &'i mut Input<'a>) -> Result<Self, ProfileError> {
        let mut lines = Lines::new(input);
        let record = lines.record()?.unwrap_or_default();
        let mut cells = Vec::new();
        if !fields::split(record, b',', &mut cells) {
            return Err(lines.wrong(too_many()));
        }
        let name = |cell: &&[u8]| Row::cell(cell).trim_start_matches('\u{feff}').to_owned();
        let header: Vec<String> = cells.iter().map(name).collect();
        let mut seen = HashSet::new();
        let twin = header.iter().find(|n| !n.is_empty() && !seen.insert(*n));
        if let Some(twin) = twin {
            let reason = format!("two columns are called {twin:?}: remove one of them");
            return Err(lines.wrong(reason));
        }
        Ok(Self { lines, header })
    }

    /// Reads every row; what was good before the stream broke is kept, unless nothing was or it was cancelled.
    pub fn each(
        mut self,
        profile: &mut ReadProfile,
        mut take: impl FnMut(Row<'_>) -> Result<(), String>,
    ) -> Result<(), ProfileError> {
        loop {
            let line = match self.lines.record() {
                Ok(Some(record)) => {
                    let mut cells = Vec::with_capacity(self.header.len());
                    let row = match fields::split(record, b',', &mut cells) {
                        true => Row(cells),
                        false => {
                            let number = self.lines.number();
                            profile.skip(number, too_many);
                            continue;
                        }
                    };
                    if row.is_blank() {
                        continue;
                    }
                    profile.rows += 1;
                    take(row)
                }
                Ok(None) => return Ok(()),
                Err(cancelled @ ProfileError::Cancelled { .. }) => return Err(cancelled),
                Err(error) if profile.rows == 0 => return Err(error),
                Err(error) => {
                    profile
                        .warnings
                        .push(format!("what follows is not read: {error}"));
                    return Ok(());
                }
            };
            if let Err(reason) = line {
                let number = self.lines.number();
                profile.skip(number, || reason);
            }
        }
    }

    /// Column names, without blanks.
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

fn too_many() -> String {
    format!(
        "it has more than {} columns, as no table has",
        fields::MOST_COLUMNS
    )
}

/// A row of a table.
pub(super) struct Row<'a>(Vec<&'a [u8]>);

impl<'a> Row<'a> {
    /// A cell without blanks and quotation marks; empty where there is none. What is no UTF-8 is replaced.
    pub fn text(&self, column: Option<usize>) -> Cow<'a, str> {
        let cell = column.and_then(|column| self.0.get(column));
        cell.map_or(Cow::Borrowed(""), |cell| Self::cell(cell))
    }

    fn cell(cell: &'a [u8]) -> Cow<'a, str> {
        match fields::unquoted(cell) {
            Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes.trim_ascii()),
            Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).trim().to_owned()),
        }
    }

    /// A cell's finite number, also as Python's numpy writes it: `np.float64(51.58)`.
    pub fn number(&self, column: Option<usize>) -> Option<f64> {
        let text = self.text(column);
        let inner = match text.split_once('(') {
            Some((wrapper, rest))
                if wrapper.starts_with("np.") || wrapper.starts_with("numpy.") =>
            {
                rest.strip_suffix(')')?
            }
            _ => &text,
        };
        let number = number::parse(inner.as_bytes(), Decimal::Point).ok()??;
        number.is_finite().then_some(number)
    }

    fn is_blank(&self) -> bool {
        self.0.iter().all(|cell| cell.trim_ascii().is_empty())
    }
}
