//! Measured kernels of one source file: a line per name and launch shape, and how its numbers follow from what was counted.
mod analyses;
mod analysis;
mod apart;
mod builder;
mod choices;
mod clocks;
mod counters;
mod doubts;
mod fill;
mod formula;
pub mod groups;
mod in_session;
mod judge;
mod judged;
mod ladder;
mod selector;
mod short_name;
mod summary;
mod timing;

pub use analyses::{Analysed, Analyses, KernelId};
pub use analysis::Analysis;
use apart::Apart;
pub use builder::{Builder, Launch};
pub use choices::{Choices, Filter};
pub use clocks::{CYCLES, at_clock};
pub use counters::{Counter, Counters};
pub use fill::{Fill, FillError, Gives};
pub use formula::{Factor, Formula, Target, TermOfFormula};
pub use judge::Unjudged;
pub use judged::{Given, Judged, Missing, Standing};
pub use ladder::Ladder;
pub use selector::{KernelKey, PatternError, Selector, pattern};
pub use short_name::short_name;
pub use summary::{Summary, Totals};
pub use timing::Timing;

use super::cost::{Cost, Level, Path};
use super::ids::{GpuId, ProfileId};
use super::quantity::{Bytes, Flops};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Where a quantity of a kernel comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ByteSource {
    /// Counted by the hardware.
    Counter,
    /// Follows from shapes: what the algorithm must move.
    Algorithmic,
    /// Given by a person, here or in the file.
    User,
}

impl ByteSource {
    /// Every source.
    pub const ALL: [Self; 3] = [Self::Counter, Self::Algorithmic, Self::User];

    /// The word in tables and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Algorithmic => "algorithmic",
            Self::User => "user",
        }
    }
}

/// The file kernels were read from: nothing of it but its own name enters a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file's own name, without folders.
    pub file: String,
    /// The format it was recognised as, such as `Nsight Compute CSV`.
    pub format: String,
    /// Of its bytes, to tell whether a file is the same: 128 bits as hexadecimal text.
    pub hash: String,
}

/// The clocks kernels ran at, in Hz, where the file holds them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Clocks {
    /// Of the compute units, which L1 and L2 roofs follow too: the mean over time, for lines without a clock of their own.
    pub compute: Option<f64>,
    pub memory: Option<f64>,
}

/// All launches of one kernel with one launch shape.
#[derive(Debug, Clone, PartialEq)]
pub struct Kernel {
    /// The full name, as in the file.
    pub name: Arc<str>,
    /// The launch shape, such as `grid 128×1×1, block 256×1×1`; empty where it is not known.
    pub launch: Arc<str>,
    /// Launches added up here.
    pub count: u64,
    /// What they took; `None` where the file has no time.
    pub timing: Option<Timing>,
    /// How work or traffic was derived where that is peculiar to the kernel: `2·141·512·512 of aten::addmm`.
    pub derivation: Option<Arc<str>>,
}

/// Kernels with what was counted of them; large, hence shared and compared by identity.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Kernels {
    pub lines: Vec<Kernel>,
    /// What was counted, summed over the launches of a line.
    pub counters: Counters,
    /// How work and traffic follow from what was counted.
    pub formulas: Vec<Formula>,
    /// Whether the file has rates alone: what was counted is of one second of running per launch, and no line has a time.
    pub per_second: bool,
    /// How long the device waited between kernels, in s, where the file has when each began.
    pub waiting: Option<f64>,
}

impl Kernels {
    /// Work per path of all launches of a line, as its formulas say; `None` entries are not in it.
    pub fn work(&self, line: usize) -> impl Iterator<Item = (Path, Flops)> + '_ {
        self.formulas.iter().filter_map(move |formula| {
            let Target::Work(path) = formula.target else {
                return None;
            };
            let value = formula.value(&self.counters, line)?;
            Some((path, Flops::try_from(value).ok()?))
        })
    }

    /// Traffic per level of all launches of a line, as its formulas say.
    pub fn traffic(&self, line: usize) -> impl Iterator<Item = (Level, Bytes)> + '_ {
        self.formulas.iter().filter_map(move |formula| {
            let Target::Traffic(level) = formula.target else {
                return None;
            };
            let value = formula.value(&self.counters, line)?;
            Some((level, Bytes::try_from(value).ok()?))
        })
    }

    /// The cost of all launches of a line together.
    pub fn cost(&self, line: usize) -> Cost {
        let mut cost = Cost {
            launches: self.lines[line].count as f64,
            ..Cost::default()
        };
        for (path, work) in self.work(line) {
            cost = cost.with_work(path, work);
        }
        for (level, traffic) in self.traffic(line) {
            cost = cost.with_traffic(level, traffic);
        }
        cost
    }
}

/// Kernels that compare by identity, so that an undo snapshot of a million of them costs a pointer.
#[derive(Clone, Default)]
pub struct SharedKernels(Arc<Shared>);

/// Kernels, and what is found out of them when it is first asked for.
#[derive(Default)]
struct Shared {
    kernels: Kernels,
    apart: OnceLock<Apart>,
}

impl SharedKernels {
    /// Shares kernels.
    pub fn new(kernels: Kernels) -> Self {
        Self(Arc::new(Shared {
            kernels,
            apart: OnceLock::new(),
        }))
    }

    /// The part of a line's launch shape by which it is told from others of its name, where there are any.
    pub fn told_apart(&self, line: usize) -> Option<String> {
        let apart = self.0.apart.get_or_init(|| Apart::of(&self.lines));
        apart.part(&self.lines[line])
    }

    /// Whether these are the very same kernels.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl std::ops::Deref for SharedKernels {
    type Target = Kernels;
    fn deref(&self) -> &Kernels {
        &self.0.kernels
    }
}

impl PartialEq for SharedKernels {
    fn eq(&self, other: &Self) -> bool {
        self.is(other)
    }
}

impl fmt::Debug for SharedKernels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} kernels", self.lines.len())
    }
}

/// The kernels of one source in a session.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    pub id: ProfileId,
    /// Unique in the session.
    pub name: String,
    pub source: Source,
    /// The GPU they ran on, which judges them.
    pub gpu: Option<GpuId>,
    pub clocks: Clocks,
    pub byte_source: ByteSource,
    pub kernels: SharedKernels,
    /// Sentences about the reading that stay true: units assumed, what is missing and how to collect it.
    pub notes: Vec<String>,
    /// What is chosen of them here.
    pub choices: Choices,
}
