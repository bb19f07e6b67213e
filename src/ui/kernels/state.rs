//! What the window knows of kernels in this run: the rows, what is typed, what was read last.
use super::rows::{Order, Rows};
use crate::files::import::profile::ReadProfile;
use crate::files::import::profile::mapping::{Draft, Mapping, Preview, TABLE, Table, preview};
use crate::files::import::profile::recipe::Profiler;
use crate::model::ids::ProfileId;
use crate::model::join::{self, Joined};
use crate::model::placement::Placement;
use crate::model::profile::Analysed;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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

/// Where kernels were read from in this run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    File(PathBuf),
    /// What was pasted.
    Text(Arc<str>),
}

impl Origin {
    /// The file; an empty path where there is none.
    pub fn path(&self) -> &Path {
        match self {
            Self::File(path) => path,
            Self::Text(_) => Path::new(""),
        }
    }

    /// What messages call it.
    pub fn label(&self) -> &str {
        match self {
            Self::File(path) => path.to_str().unwrap_or("the file"),
            Self::Text(_) => "pasted text",
        }
    }
}

/// A table whose columns are being mapped.
#[derive(Debug, Clone, PartialEq)]
pub struct Columns {
    pub table: Table,
    pub origin: Origin,
    pub draft: Draft,
    /// What was previewed last, and what came of it.
    pub preview: (Mapping, Preview),
}

impl Columns {
    /// Of a table, mapped as it was the last time, else as its headers say.
    pub fn of(table: Table, origin: Origin, as_before: Option<Mapping>) -> Self {
        let mapping = as_before.unwrap_or_else(|| table.suggested());
        let draft = Draft::of(&table, &mapping);
        let mapping = draft.mapping();
        let preview = preview(&table.head, &mapping);
        Self {
            table,
            origin,
            draft,
            preview: (mapping, preview),
        }
    }

    /// Previews again if something was changed.
    pub fn refresh(&mut self) {
        let mapping = self.draft.mapping();
        if mapping != self.preview.0 {
            let preview = preview(&self.table.head, &mapping);
            self.preview = (mapping, preview);
        }
    }
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
#[derive(Default)]
pub struct Matching {
    pub operators: Vec<String>,
    last: Option<LastJoined>,
}

/// What was joined last, and of what.
struct LastJoined {
    analysed: Arc<Analysed>,
    placement: Placement,
    name: String,
    mapping: join::Mapping,
    joined: Arc<Joined>,
}

impl Matching {
    /// A prediction joined with a profile; found again only when one of them changes, since it looks at every kernel.
    pub fn joined(
        &mut self,
        analysed: &Arc<Analysed>,
        placement: &Placement,
        name: &str,
        mapping: &join::Mapping,
    ) -> Arc<Joined> {
        if let Some(last) = &self.last
            && Arc::ptr_eq(&last.analysed, analysed)
            && last.placement == *placement
            && last.name == name
            && last.mapping == *mapping
        {
            return Arc::clone(&last.joined);
        }
        let (profile, analysis) = (&analysed.profile, &analysed.analysis);
        let joined = Arc::new(join::join(placement, name, profile, analysis, mapping));
        self.last = Some(LastJoined {
            analysed: Arc::clone(analysed),
            placement: placement.clone(),
            name: name.to_owned(),
            mapping: mapping.clone(),
            joined: Arc::clone(&joined),
        });
        joined
    }
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
    pub origin: Origin,
}

impl FileSummary {
    /// Whether it is a table whose columns can be mapped otherwise.
    pub fn is_mapped(&self) -> bool {
        self.format == TABLE
    }

    /// Of what was read; whose profile it became is not known yet.
    pub fn of(read: &ReadProfile, origin: Origin) -> Self {
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
            origin,
        }
    }
}
