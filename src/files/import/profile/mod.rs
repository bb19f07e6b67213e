//! Measured kernels in the files of profilers: one file a format, recognised by what is in it, whatever it is called.
pub mod adopt;
mod amd;
mod beside;
mod check;
mod error;
mod fields;
mod folder;
mod input;
mod kernel_table;
mod lines;
pub mod mapping;
pub mod ncu;
pub mod number;
mod points;
pub mod recipe;
mod rows;
mod source;
mod text;
mod trace;
mod tracelens;

pub use beside::{Beside, Folder, Named, Nothing};
pub use error::ProfileError;
pub use input::{Input, Watch};

use crate::model::gpu::Gpu;
use crate::model::profile::{ByteSource, Clocks, Kernels, Source};
use source::Raw;
use std::io::Read;
use std::path::Path;

/// The formats that are read, in the order they are tried.
const FORMATS: &[Format] = &[
    kernel_table::FORMAT,
    ncu::FORMAT,
    trace::FORMAT,
    amd::collection::FORMAT,
    amd::workload::FORMAT,
    tracelens::FORMAT,
    text::mixbench::FORMAT,
    text::gpu_benches::FORMAT,
    text::likwid::FORMAT,
    text::nersc::FORMAT,
    mapping::FORMAT,
];

/// A format: how it is called, how it is told, and what reads it.
struct Format {
    name: &'static str,
    /// Whether the head of the file is of this format.
    is: fn(&Input<'_>) -> bool,
    /// Reads the file, from its start.
    read: fn(&mut Input<'_>) -> Result<ReadProfile, ProfileError>,
}

/// The most skipped lines that are kept one by one.
const MOST_SKIPPED: usize = 100;

/// A line or row that was not used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Counted from one; zero where it has no line.
    pub line: u64,
    pub reason: String,
}

/// What a profiler's file holds.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadProfile {
    /// The file's own name, the format it was recognised as, and its hash.
    pub source: Source,
    pub kernels: Kernels,
    pub byte_source: ByteSource,
    pub clocks: Clocks,
    /// The device, as far as the file describes it: its name, and roofs that follow from its attributes.
    pub device: Option<Gpu>,
    /// Rows of the table, whatever became of them.
    pub rows: u64,
    /// How the file was read: units assumed, formulas chosen, a check value; a sentence each.
    pub notes: Vec<String>,
    /// What is odd, and what is missing with the metric and the command that bring it; a sentence each.
    pub warnings: Vec<String>,
    /// At most a hundred of them; `skipped_in_all` counts all.
    pub skipped: Vec<Skipped>,
    pub skipped_in_all: u64,
}

impl Default for ReadProfile {
    fn default() -> Self {
        Self {
            source: Source {
                file: String::new(),
                format: String::new(),
                hash: String::new(),
            },
            kernels: Kernels::default(),
            byte_source: ByteSource::Counter,
            clocks: Clocks::default(),
            device: None,
            rows: 0,
            notes: Vec::new(),
            warnings: Vec::new(),
            skipped: Vec::new(),
            skipped_in_all: 0,
        }
    }
}

impl ReadProfile {
    /// Says that a line, counted from one, was not used.
    pub fn skip(&mut self, line: u64, reason: impl FnOnce() -> String) {
        self.skipped_in_all += 1;
        if self.skipped.len() < MOST_SKIPPED {
            let reason = reason();
            self.skipped.push(Skipped { line, reason });
        }
    }
}

/// The kernels in a file, in a workload folder of rocprofiler-compute, or in the passes of rocprofv3.
pub fn open(path: &Path, watch: Watch<'_>) -> Result<ReadProfile, ProfileError> {
    open_of(path, None, watch)
}

/// The same, of `device` where the files name none.
pub fn open_of(
    path: &Path,
    device: Option<&str>,
    watch: Watch<'_>,
) -> Result<ReadProfile, ProfileError> {
    let mut opened = folder::open(path)?;
    let beside = Named {
        beside: opened.folder,
        device,
    };
    read(&mut opened.source, &opened.label, &beside, watch)
}

/// The kernels in what `source` gives, called `label` in messages, of which only the file's own name is kept.
pub fn read(
    source: &mut (dyn Read + Send),
    label: &str,
    beside: &dyn Beside,
    watch: Watch<'_>,
) -> Result<ReadProfile, ProfileError> {
    read_with(source, label, beside, watch, |input| {
        let format = FORMATS.iter().find(|format| (format.is)(input));
        let Some(format) = format else {
            return Err(unknown(input));
        };
        let mut profile = (format.read)(input)?;
        profile.source.format = format.name.to_owned();
        Ok(profile)
    })
}

/// Whether the file begins as one of a profiler's own formats, for which nothing else is to be tried.
pub fn is_of_a_profiler(path: &Path) -> bool {
    let Ok(mut opened) = folder::open(path) else {
        return false;
    };
    let mut raw = Raw::new(&mut opened.source, &|_| true);
    let input = Input::new(&mut raw, &opened.label, &Nothing);
    input.is_ok_and(|input| {
        let format = FORMATS.iter().find(|format| (format.is)(&input));
        format.is_some_and(|format| format.name != mapping::TABLE)
    })
}

/// The beginning of a table in a file that no profiler's format claims: its columns may have to be mapped.
pub fn table(path: &Path) -> Option<mapping::Table> {
    let mut opened = folder::open(path).ok()?;
    table_in(&mut opened.source, &opened.label)
}

/// The same of what `source` gives.
pub fn table_in(source: &mut (dyn Read + Send), label: &str) -> Option<mapping::Table> {
    let mut raw = Raw::new(source, &|_| true);
    let input = Input::new(&mut raw, label, &Nothing).ok()?;
    let format = FORMATS.iter().find(|format| (format.is)(&input));
    match format {
        Some(format) if format.name != mapping::TABLE => None,
        _ => mapping::Table::of(input.head(), &input.name),
    }
}

/// Reads with a given reader, which names the format itself, and adds whose kernels they are.
fn read_with(
    source: &mut (dyn Read + Send),
    label: &str,
    beside: &dyn Beside,
    watch: Watch<'_>,
    reader: impl FnOnce(&mut Input<'_>) -> Result<ReadProfile, ProfileError>,
) -> Result<ReadProfile, ProfileError> {
    let mut raw = Raw::new(source, watch);
    let mut input = Input::new(&mut raw, label, beside)?;
    let mut profile = reader(&mut input)?;
    if profile.kernels.lines.is_empty() {
        return Err(nothing(&profile, &input));
    }
    let sound = |clock: &f64| clock.is_finite() && *clock > 0.0;
    let Clocks { compute, memory } = profile.clocks;
    profile.clocks = Clocks {
        compute: compute.filter(sound),
        memory: memory.filter(sound),
    };
    profile.source.file = std::mem::take(&mut input.name);
    drop(input);
    profile.source.hash = raw.into_hash().map_err(|reason| {
        let file = label.to_owned();
        match reason.kind() {
            std::io::ErrorKind::ConnectionAborted => ProfileError::Cancelled { file },
            _ => ProfileError::Io { file, reason },
        }
    })?;
    Ok(profile)
}

/// Why a file that was read to its end has no kernels.
fn nothing(profile: &ReadProfile, input: &Input<'_>) -> ProfileError {
    match profile.skipped.first() {
        Some(first) => input.wrong_at(first.line, format!("no row can be used: {}", first.reason)),
        None => input.wrong("there is no row of results in it: run what writes it to its end"),
    }
}

/// What to say of a file of no format.
fn unknown(input: &Input<'_>) -> ProfileError {
    if input.head().is_empty() {
        return input.wrong("the file is empty: export it again");
    }
    if let Some(at) = memchr::memchr(0, input.head()) {
        let line = memchr::memchr_iter(b'\n', &input.head()[..at]).count() as u64 + 1;
        return input.wrong_at(line, "this is binary data: export it as text, CSV or JSON");
    }
    if let Some(unit) = mapping::unknown_units(input).first() {
        return input.wrong(unit);
    }
    let names = FORMATS.iter().map(|format| format.name);
    let names: Vec<_> = names.filter(|name| *name != mapping::TABLE).collect();
    ProfileError::Unknown {
        file: input.label.clone(),
        formats: names.join(", "),
    }
}
