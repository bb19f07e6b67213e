//! A mapping being chosen in a window: the beginning of a table, and what each of its columns is to be.
use super::table::{head, is_comment};
use super::unit::{Dimension, Unit};
use super::{Column, Mapping, Traffic, Work, guess, preview};
use crate::files::import::profile::fields;
use crate::model::cost::{Level, Path};
use crate::model::format::NumberFormat;
use std::sync::Arc;

/// How much of a table is kept for its preview, in B.
const KEPT: usize = 1 << 17;

/// The beginning of a table that no profiler's format claims.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The file's own name.
    pub name: String,
    pub head: Arc<[u8]>,
    pub columns: Vec<String>,
    /// The cells of the first row.
    pub first: Vec<String>,
    pub guessed: Option<Mapping>,
}

impl Table {
    /// The table at the beginning of a file; `None` where no row has a number below its header.
    pub fn of(text: &[u8], name: &str) -> Option<Self> {
        let found = head(text)?;
        let rows = text
            .split(|byte| *byte == b'\n')
            .map(<[u8]>::trim_ascii_end);
        let mut slices = Vec::new();
        let mut rows = rows.skip(found.record + 1).filter(|row| !is_comment(row));
        let first = rows.next()?;
        if !fields::split(first, found.separator, &mut slices) || slices.len() < 2 {
            return None;
        }
        let first = slices.iter().map(|field| fields::text(field));
        let first: Vec<String> = first
            .map(Option::unwrap_or_default)
            .map(|t| t.trim().to_owned())
            .collect();
        let a_number =
            |text: &String| text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
        if !first.iter().any(a_number) {
            return None;
        }
        Some(Self {
            name: name.to_owned(),
            guessed: guess(&found.columns),
            columns: found.columns,
            head: text[..text.len().min(KEPT)].into(),
            first,
        })
    }

    /// What to begin with where somebody is asked: the guess, or what of it the headers tell; words name kernels.
    pub fn suggested(&self) -> Mapping {
        if let Some(guessed) = &self.guessed {
            return guessed.clone();
        }
        let mut mapping = super::guess::likely(&self.columns);
        let words = |text: &String| text.starts_with(char::is_alphabetic);
        if let Some(at) = self.first.iter().position(words)
            && mapping.name.is_empty()
        {
            mapping.name.extend(self.columns.get(at).cloned());
        }
        mapping
    }

    /// What to say of headers whose units are not known.
    pub fn strange_units(&self) -> impl Iterator<Item = String> + '_ {
        let columns = self.columns.iter();
        columns.filter_map(|column| super::guess::unknown_unit(column))
    }

    /// Whether it is of a program whose columns are known, so that nothing is to be asked.
    pub fn is_known(&self) -> bool {
        let sure = |guessed: &&Mapping| {
            guessed.note.is_some() && preview(&self.head, guessed).problem.is_none()
        };
        self.guessed.as_ref().filter(sure).is_some()
    }
}

/// What a column can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Part {
    #[default]
    Nothing,
    Name,
    Launch,
    Count,
    Time,
    Work,
    WorkRate,
    Traffic,
    TrafficRate,
    Intensity,
}

impl Part {
    /// All there are, in the order they are offered.
    pub const ALL: [Self; 10] = [
        Self::Nothing,
        Self::Name,
        Self::Launch,
        Self::Time,
        Self::Work,
        Self::WorkRate,
        Self::Traffic,
        Self::TrafficRate,
        Self::Intensity,
        Self::Count,
    ];

    /// In a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nothing => "not used",
            Self::Name => "name",
            Self::Launch => "launch shape",
            Self::Count => "launches",
            Self::Time => "time",
            Self::Work => "work",
            Self::WorkRate => "rate of work",
            Self::Traffic => "traffic",
            Self::TrafficRate => "bandwidth",
            Self::Intensity => "intensity",
        }
    }

    /// What its numbers measure; `None` for texts and counts.
    pub fn dimension(self) -> Option<Dimension> {
        match self {
            Self::Nothing | Self::Name | Self::Launch | Self::Count => None,
            Self::Time => Some(Dimension::Time),
            Self::Work => Some(Dimension::Work),
            Self::WorkRate => Some(Dimension::WorkRate),
            Self::Traffic => Some(Dimension::Traffic),
            Self::TrafficRate => Some(Dimension::TrafficRate),
            Self::Intensity => Some(Dimension::Intensity),
        }
    }

    /// Units people write for it, the first where none is known.
    pub fn units(self) -> &'static [&'static str] {
        match self {
            Self::Nothing | Self::Name | Self::Launch | Self::Count => &[],
            Self::Time => &["s", "ms", "us", "ns"],
            Self::Work => &["FLOP", "MFLOP", "GFLOP", "TFLOP", "GMAC"],
            Self::WorkRate => &["FLOP/s", "GFLOP/s", "TFLOP/s"],
            Self::Traffic => &["B", "KiB", "MB", "MiB", "GB", "GiB", "32 B", "transactions"],
            Self::TrafficRate => &["B/s", "MB/s", "GB/s", "GiB/s", "TB/s"],
            Self::Intensity => &["FLOP/B"],
        }
    }

    fn of_work(unit: &str) -> Self {
        match Unit::read(unit).map(|unit| unit.dimension) {
            Some(Dimension::WorkRate) => Self::WorkRate,
            _ => Self::Work,
        }
    }

    fn of_traffic(unit: &str) -> Self {
        match Unit::read(unit).map(|unit| unit.dimension) {
            Some(Dimension::TrafficRate) => Self::TrafficRate,
            Some(Dimension::Intensity) => Self::Intensity,
            _ => Self::Traffic,
        }
    }
}

/// A column, and what it is to be.
#[derive(Debug, Clone, PartialEq)]
pub struct DraftColumn {
    pub name: String,
    /// Its cell in the first row.
    pub first: String,
    pub part: Part,
    pub unit: String,
    /// Of work.
    pub path: Path,
    /// Of traffic.
    pub level: Level,
}

/// What each column of a table is to be.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    pub columns: Vec<DraftColumn>,
    /// How numbers are written and where bytes come from, and constants in place of columns.
    pub rest: Mapping,
}

impl Draft {
    /// Of a table, with what a mapping says of it.
    pub fn of(table: &Table, mapping: &Mapping) -> Self {
        let columns = table.columns.iter().enumerate().map(|(at, name)| {
            let mut column = DraftColumn {
                name: name.clone(),
                first: table.first.get(at).cloned().unwrap_or_default(),
                part: Part::Nothing,
                unit: String::new(),
                path: Path::vector(NumberFormat::FP32),
                level: Level::Dram,
            };
            column.take(mapping);
            column
        });
        let mut columns: Vec<DraftColumn> = columns.collect();
        // What is used comes first: tables of profilers have a hundred columns.
        columns.sort_by_key(|column| match column.part {
            Part::Nothing => Part::ALL.len(),
            part => Part::ALL
                .iter()
                .position(|other| *other == part)
                .unwrap_or(0),
        });
        let mut rest = Mapping {
            decimal: mapping.decimal,
            byte_source: mapping.byte_source.clone(),
            note: mapping.note.clone(),
            ..Mapping::default()
        };
        rest.time = mapping.time.clone().filter(|time| time.column.is_empty());
        rest.work = mapping.work.clone();
        rest.work.retain(|work| work.column.is_empty());
        rest.traffic = mapping.traffic.clone();
        rest.traffic.retain(|traffic| traffic.column.is_empty());
        Self { columns, rest }
    }

    /// Makes a column something else; its unit is what its header says, else the usual one. One column gives the time.
    pub fn set(&mut self, column: usize, part: Part) {
        if matches!(part, Part::Time | Part::Count) {
            let others = self.columns.iter_mut().filter(|other| other.part == part);
            others.for_each(|other| other.part = Part::Nothing);
        }
        let Some(column) = self.columns.get_mut(column) else {
            return;
        };
        column.part = part;
        let fits = |unit: &str| Unit::read(unit).map(|unit| unit.dimension) == part.dimension();
        if part.dimension().is_some() && !fits(&column.unit) {
            let written = super::guess::unit_of(&column.name).filter(|unit| fits(unit));
            let usual = part.units().first().copied().unwrap_or_default();
            // What the header says and nobody knows is not silently something else.
            let strange = super::guess::bracketed(&column.name).map(|(_, unit)| unit);
            column.unit = written.unwrap_or_else(|| strange.unwrap_or(usual).to_owned());
        }
    }

    /// Gives a column's numbers another unit; one of a rate makes a rate of it.
    pub fn set_unit(&mut self, column: usize, unit: &str) {
        let Some(column) = self.columns.get_mut(column) else {
            return;
        };
        unit.clone_into(&mut column.unit);
        column.part = match column.part {
            Part::Work | Part::WorkRate => Part::of_work(unit),
            Part::Traffic | Part::TrafficRate | Part::Intensity => Part::of_traffic(unit),
            part => part,
        };
    }

    /// The mapping that says the same.
    pub fn mapping(&self) -> Mapping {
        let mut mapping = self.rest.clone();
        for of in &self.columns {
            let (column, unit) = (of.name.clone(), of.unit.trim().to_owned());
            match of.part {
                Part::Nothing => {}
                Part::Name => mapping.name.push(column),
                Part::Launch => mapping.launch.push(column),
                Part::Count => mapping.count = Some(column),
                Part::Time => mapping.time = Some(Column { column, unit }),
                Part::Work | Part::WorkRate => mapping.work.push(Work {
                    column,
                    unit,
                    path: of.path,
                }),
                Part::Traffic | Part::TrafficRate | Part::Intensity => {
                    mapping.traffic.push(Traffic {
                        column,
                        unit,
                        level: of.level,
                    });
                }
            }
        }
        mapping
    }
}

impl DraftColumn {
    /// Takes what a mapping says of it.
    fn take(&mut self, mapping: &Mapping) {
        let name = &self.name;
        if name.is_empty() {
            return;
        }
        if mapping.name.contains(name) {
            self.part = Part::Name;
        } else if mapping.launch.contains(name) {
            self.part = Part::Launch;
        } else if mapping.count.as_ref() == Some(name) {
            self.part = Part::Count;
        } else if let Some(time) = mapping.time.as_ref().filter(|time| time.column == *name) {
            (self.part, self.unit) = (Part::Time, time.unit.clone());
        } else if let Some(work) = mapping.work.iter().find(|work| work.column == *name) {
            (self.part, self.unit, self.path) =
                (Part::of_work(&work.unit), work.unit.clone(), work.path);
        } else if let Some(traffic) = mapping.traffic.iter().find(|t| t.column == *name) {
            (self.part, self.unit, self.level) = (
                Part::of_traffic(&traffic.unit),
                traffic.unit.clone(),
                traffic.level,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"who,ms,mega,how many\nsaxpy,0.5,12,3\n";

    #[test]
    fn what_is_chosen_becomes_a_mapping_and_comes_back_from_it() {
        let table = Table::of(TEXT, "own.csv").unwrap();
        let mut draft = Draft::of(&table, &Mapping::default());
        draft.set(0, Part::Name);
        draft.set(1, Part::Time);
        draft.set(2, Part::Traffic);
        draft.set_unit(2, "MB");
        draft.set(3, Part::Count);
        let mapping = draft.mapping();
        assert_eq!(mapping.name, ["who"]);
        assert_eq!(
            mapping.time.as_ref().unwrap().unit,
            "ms",
            "as the header says"
        );
        assert_eq!(mapping.traffic[0].unit, "MB");
        assert_eq!(mapping.count.as_deref(), Some("how many"));
        assert_eq!(Draft::of(&table, &mapping), draft);
        // A unit of a rate makes a rate of it; a second time takes the place of the first.
        draft.set_unit(2, "GB/s");
        assert_eq!(draft.columns[2].part, Part::TrafficRate);
        draft.set(3, Part::Time);
        assert_eq!(draft.columns[1].part, Part::Nothing);
    }

    #[test]
    fn prose_is_no_table() {
        assert!(Table::of(b"Dear all, hello\nsee you, soon\n", "mail.txt").is_none());
        assert!(Table::of(b"", "empty").is_none());
    }
}
