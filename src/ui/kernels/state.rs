//! What the window knows of kernels in this run: the rows, what is typed, what was read last.
use super::rows::{Order, Rows};
use crate::files::import::profile::ReadProfile;
use crate::files::import::profile::recipe::Profiler;
use crate::model::ids::ProfileId;

/// State of everything about kernels that is neither saved nor undone.
#[derive(Default)]
pub struct KernelState {
    pub rows: Rows,
    pub order: Option<Order>,
    /// Give the search field the keyboard at the next chance.
    pub focus_search: bool,
    /// Scroll the table to the selected kernel at the next chance.
    pub scroll_to_selected: bool,
    pub giving: Giving,
    pub matching: Matching,
    pub listing: Listing,
    /// The profiler whose recipe is shown, if one was chosen.
    pub recipe: Option<Profiler>,
    /// What was read in this run, the last file first.
    pub read: Vec<FileSummary>,
}

/// What the table lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Listing {
    #[default]
    Kernels,
    Compared,
    Operators,
}

/// Operators that are being matched with kernels.
#[derive(Debug, Clone, Default)]
pub struct Matching {
    pub operators: Vec<String>,
}

/// For which kernels a number is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GivenTo {
    Line,
    #[default]
    Name,
    Pattern,
}

/// A number that is being given.
#[derive(Debug, Clone, Default)]
pub struct Giving {
    pub to: GivenTo,
    pub pattern: String,
    pub replaces: bool,
    /// The place of the path work is given for, and of the level traffic is given at.
    pub path: usize,
    pub level: usize,
}

/// What became of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct FileSummary {
    pub profile: ProfileId,
    pub file: String,
    pub format: String,
    /// Of the device the file describes, and what was made of it.
    pub device: Vec<String>,
    pub rows: u64,
    pub kernels: usize,
    pub notes: Vec<String>,
    pub warnings: Vec<String>,
    /// Line, counted from one, and why it was not used.
    pub skipped: Vec<(u64, String)>,
    pub skipped_in_all: u64,
}

impl FileSummary {
    /// Of what was read; whose profile it became is not known yet.
    pub fn of(read: &ReadProfile) -> Self {
        let skipped = read.skipped.iter().map(|s| (s.line, s.reason.clone()));
        Self {
            profile: ProfileId(0),
            file: read.source.file.clone(),
            format: read.source.format.clone(),
            device: Vec::new(),
            rows: read.rows,
            kernels: read.kernels.lines.len(),
            notes: read.notes.clone(),
            warnings: read.warnings.clone(),
            skipped: skipped.collect(),
            skipped_in_all: read.skipped_in_all,
        }
    }
}
