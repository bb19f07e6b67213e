//! Measured kernels in the files of profilers: one file a format, recognised by what is in it, whatever it is called.
use crate::model::gpu::Gpu;
use crate::model::profile::{ByteSource, Clocks, Kernels};

/// A line or row that was not used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Counted from one; zero where it has no line.
    pub line: usize,
    pub reason: String,
}

/// What a profiler's file holds.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadProfile {
    /// The format it was recognised as.
    pub format: &'static str,
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
