//! Any table of separated values, read through a mapping of its columns: which is what, and in which unit.
mod apply;
mod draft;
mod guess;
mod table;
mod unit;

pub use apply::{Preview, PreviewPoint, preview};
pub use draft::{Draft, DraftColumn, Part, Table};
pub use guess::guess;
pub use table::{Head, head};
pub use unit::{Dimension, Unit};

use super::number::Decimal;
use super::{Beside, Format, Input, ProfileError, ReadProfile, Watch, folder, read_with};
use crate::model::cost::{Level, Path};
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::path;

pub(super) const FORMAT: Format = Format {
    name: TABLE,
    is,
    read,
};

/// The name of the format: a table whose columns were guessed, and may be mapped otherwise.
pub const TABLE: &str = "table through a mapping";

/// A column and what its numbers are in; without a column, the number in the unit itself, for every row.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// The header, exactly; empty for a constant.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub column: String,
    /// Such as `ms`, `MiB`, `32 B`, `GFLOP/s` or `989 TFLOP/s`.
    pub unit: String,
}

/// Work, or a rate of it, on a path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Work {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub column: String,
    /// Of work, such as `GFLOP`, or of a rate, such as `GFLOP/s`.
    pub unit: String,
    pub path: Path,
}

/// Traffic, a rate of it, or an intensity, at a level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Traffic {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub column: String,
    /// Of traffic, such as `MiB`, of a rate, such as `GB/s`, or of intensity, `FLOP/B`.
    pub unit: String,
    pub level: Level,
}

/// Which columns of a table are what.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mapping {
    /// Columns whose texts, one behind the other, name a kernel.
    pub name: Vec<String>,
    /// Columns that tell launches of a kernel apart: sizes, types.
    pub launch: Vec<String>,
    /// Of one row; `None` where the file has rates alone.
    pub time: Option<Column>,
    /// How many launches a row stands for; its numbers are of all of them together.
    pub count: Option<String>,
    pub work: Vec<Work>,
    pub traffic: Vec<Traffic>,
    /// How numbers are written; found out from the file where it is not said.
    pub decimal: Option<Decimal>,
    /// Where the traffic comes from: `counter`, `algorithmic` or `user`; `user` where it is not said.
    pub byte_source: Option<String>,
    /// What is told of the mapping, such as why MB is read as MiB.
    pub note: Option<String>,
}

/// Why text is no mapping.
#[derive(Debug, thiserror::Error)]
#[error("this is no mapping of columns: {0}")]
pub struct MappingError(#[from] ron::error::SpannedError);

impl Mapping {
    /// A mapping from its file.
    pub fn from_ron(text: &str) -> Result<Self, MappingError> {
        let options = ron::Options::default()
            .with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
        Ok(options.from_str(text)?)
    }

    /// The mapping as a file; the same mapping always gives the same text.
    pub fn to_ron(&self) -> Result<String, ron::Error> {
        let pretty = ron::ser::PrettyConfig::default()
            .extensions(ron::extensions::Extensions::IMPLICIT_SOME);
        ron::ser::to_string_pretty(self, pretty)
    }

    /// What keeps it from giving points, a sentence each; empty where it can.
    pub fn problems(&self, columns: &[String]) -> Vec<String> {
        let mut problems = Vec::new();
        let known = |column: &String| column.is_empty() || columns.contains(column);
        let units = self.time.iter().map(|time| (&time.column, &time.unit));
        let units = units.chain(self.work.iter().map(|work| (&work.column, &work.unit)));
        let units = units.chain(
            self.traffic
                .iter()
                .map(|traffic| (&traffic.column, &traffic.unit)),
        );
        let units: Vec<_> = units.collect();
        let named = self.name.iter().chain(&self.launch).chain(&self.count);
        for column in named.chain(units.iter().map(|(column, _)| *column)) {
            if !known(column) {
                problems.push(format!("the table has no column {column:?}"));
            }
        }
        for (column, unit) in units {
            if Unit::read(unit).is_none() {
                problems.push(format!("{unit:?}, of {column:?}, is no unit: write for example ms, MiB, 32 B or GFLOP/s"));
            }
        }
        let is_of = |unit: &str, of: &[Dimension]| {
            Unit::read(unit).is_none_or(|unit| of.contains(&unit.dimension))
        };
        if let Some(time) = self
            .time
            .iter()
            .find(|time| !is_of(&time.unit, &[Dimension::Time]))
        {
            problems.push(format!("{:?} is no unit of time", time.unit));
        }
        for work in self
            .work
            .iter()
            .filter(|work| !is_of(&work.unit, &[Dimension::Work, Dimension::WorkRate]))
        {
            problems.push(format!("{:?} is no unit of work or of its rate", work.unit));
        }
        let of_traffic = [
            Dimension::Traffic,
            Dimension::TrafficRate,
            Dimension::Intensity,
        ];
        for traffic in self
            .traffic
            .iter()
            .filter(|traffic| !is_of(&traffic.unit, &of_traffic))
        {
            problems.push(format!(
                "{:?} is no unit of traffic, of its rate or of intensity",
                traffic.unit
            ));
        }
        if self.name.is_empty() {
            problems.push("no column names the kernels".to_owned());
        }
        problems
    }
}

/// What a mapping is remembered by: the headers of a table, whatever their order.
pub fn key(columns: &[String]) -> String {
    let mut columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    columns.sort_unstable();
    format!(
        "{:016x}",
        xxhash_rust::xxh3::xxh3_64(columns.join("\u{1f}").as_bytes())
    )
}

/// A mapping that was chosen once, and what the tables it is for are known by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Remembered {
    /// Of the headers.
    pub key: String,
    pub mapping: Mapping,
}

/// The mapping that was chosen for tables with these headers.
pub fn remembered<'a>(mappings: &'a [Remembered], columns: &[String]) -> Option<&'a Mapping> {
    let key = key(columns);
    let found = mappings.iter().find(|remembered| remembered.key == key);
    found.map(|remembered| &remembered.mapping)
}

/// The kernels of a table in a file, read through a mapping.
pub fn open_mapped(
    path: &path::Path,
    watch: Watch<'_>,
    mapping: &Mapping,
) -> Result<ReadProfile, ProfileError> {
    let mut opened = folder::open(path)?;
    read_mapped(
        &mut opened.source,
        &opened.label,
        &opened.folder,
        watch,
        mapping,
    )
}

/// The kernels of a table, read through a mapping.
pub fn read_mapped(
    source: &mut (dyn Read + Send),
    label: &str,
    beside: &dyn Beside,
    watch: Watch<'_>,
    mapping: &Mapping,
) -> Result<ReadProfile, ProfileError> {
    read_with(source, label, beside, watch, |input| {
        let mut profile = apply::apply(input, mapping)?;
        profile.source.format = TABLE.to_owned();
        Ok(profile)
    })
}

/// Why a table is none of kernels: columns whose units are not known.
pub(super) fn unknown_units(input: &Input<'_>) -> Vec<String> {
    let head = head(input.head());
    let columns = head.into_iter().flat_map(|head| head.columns);
    columns
        .filter_map(|column| guess::unknown_unit(&column))
        .collect()
}

fn is(input: &Input<'_>) -> bool {
    head(input.head()).is_some_and(|head| guess(&head.columns).is_some())
}

/// Reads a table whose columns say what they are.
fn read(input: &mut Input<'_>) -> Result<ReadProfile, ProfileError> {
    let mapping = head(input.head())
        .and_then(|head| guess(&head.columns))
        .unwrap_or_default();
    apply::apply(input, &mapping)
}
