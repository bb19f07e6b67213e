//! What the chart shows of a session, in powers of ten: roofs, regimes, rails, marks, trail. Derived once per change.
mod annotations;
mod argument;
mod build;
mod kernel_moves;
mod kernels;
mod marks;
mod operators;
mod roofs;
mod trail;

pub use annotations::{Note, NoteShape};
pub use argument::{argument, arrow};
pub use build::{build, build_with};
pub use kernel_moves::moves;
pub use kernels::{KernelGutter, KernelLayer, KernelMark, Move, SelectedKernel, id as kernel_id};
pub use operators::{OneNumber, OperatorMark};
pub use roofs::main_path;

use crate::model::compare::Contest;
use crate::model::cost::{Level, Path};
use crate::model::ids::{GpuId, WorkloadId};
use crate::model::placement::Regime;
use crate::model::profile::Judged;
use crate::model::units::{self, Unit};

/// Everything that is drawn.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scene {
    pub roofs: Vec<Roof>,
    /// Other compute roofs of the active GPU that shown workloads are judged by.
    pub other_paths: Vec<Roof>,
    pub marks: Vec<Mark>,
    /// Workloads without work: they have no intensity, so no place on the log axes.
    pub gutter: Vec<GutterMark>,
    /// The operators of the selected workload, the longest first.
    pub operators: Vec<OperatorMark>,
    pub one_number: Option<OneNumber>,
    pub trail: Option<Trail>,
    pub arrow: Option<Arrow>,
    /// Slopes of the active GPU's other levels, when all are shown.
    pub slopes: Vec<Slope>,
    /// Whether the axes are intensity ÷ ridge and share of the own compute roof.
    pub normalised: bool,
    /// How other GPUs do against the active one, when comparing.
    pub strips: Vec<Strip>,
    /// Where the points lie when arithmetic and memory do not overlap.
    pub serial: Option<[f64; 2]>,
    /// What is written and drawn over the chart.
    pub notes: Vec<Note>,
    /// Whether all but the cast (the active roof, the selected workload, what is compared) is dimmed.
    pub presenting: bool,
    /// Under the axis: what all this assumes.
    pub assumptions: String,
    /// The measured kernels of profiles.
    pub kernels: KernelLayer,
    /// Workloads that cannot be drawn, and why.
    pub missing: Vec<(WorkloadId, String)>,
}

/// One GPU's slope and flat for a path and a level.
#[derive(Debug, Clone, PartialEq)]
pub struct Roof {
    pub gpu: GpuId,
    /// The GPU's place in the session, which decides colour and line style.
    pub index: usize,
    pub active: bool,
    pub name: String,
    pub path: Path,
    pub level: Level,
    pub peak: f64,
    pub bandwidth: f64,
    pub peak_text: String,
    pub bandwidth_text: String,
    pub ridge_text: String,
    /// Published values that own ones replaced, drawn as a ghost.
    pub original: Option<[f64; 2]>,
    /// The roof by the basis that does not judge, where it differs.
    pub other_basis: Option<OtherBasis>,
}

/// A roof as known in another way.
#[derive(Debug, Clone, PartialEq)]
pub struct OtherBasis {
    pub peak: f64,
    pub bandwidth: f64,
    pub name: String,
}

impl Roof {
    /// The ridge point's intensity.
    pub fn ridge(&self) -> f64 {
        self.peak - self.bandwidth
    }

    /// The height of the roof over an intensity.
    pub fn height(&self, x: f64) -> f64 {
        (self.bandwidth + x).min(self.peak)
    }
}

/// The bandwidth of another level of the active GPU.
#[derive(Debug, Clone, PartialEq)]
pub struct Slope {
    pub gpu: GpuId,
    pub level: Level,
    pub index: usize,
    pub bandwidth: f64,
    pub peak: f64,
    pub text: String,
}

/// Whether a mark is computed or observed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MarkKind {
    Predicted,
    Measured,
}

/// A workload on the active GPU.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    pub workload: WorkloadId,
    pub kind: MarkKind,
    /// Which shape its marker has.
    pub shape: usize,
    pub name: String,
    /// A second, quieter line.
    pub detail: String,
    pub at: [f64; 2],
    /// The roof above it: its limiter at its intensity.
    pub limit: f64,
    pub regime: Regime,
    pub selected: bool,
    /// Whether it is the last good value of a workload whose text is refused.
    pub stale: bool,
    /// The GPU it lies on, by place in the session, where that is not the active one.
    pub on_other: Option<usize>,
    /// The level whose traffic places it along the intensities.
    pub level: Level,
    /// Whether it is the same point at a level that does not set its time.
    pub secondary: bool,
    /// Ridge point and compute roof it is judged by.
    pub own: [f64; 2],
    /// For the mark's hover: what does not fit as a label.
    pub hover: String,
}

/// A workload without work, at its share of the bandwidth.
#[derive(Debug, Clone, PartialEq)]
pub struct GutterMark {
    pub workload: WorkloadId,
    pub kind: MarkKind,
    pub shape: usize,
    pub name: String,
    pub share: f64,
    pub selected: bool,
    pub stale: bool,
    pub hover: String,
}

/// A sweep as a soft line, its values on a second axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Trail {
    pub parameter: String,
    pub points: Vec<[f64; 2]>,
    /// Place along x and text of each value.
    pub values: Vec<(f64, String)>,
    /// Place along x of each operator that goes over to another regime, and what it says.
    pub turns: Vec<(f64, String)>,
}

/// Where along the intensities another GPU is faster than the active one.
#[derive(Debug, Clone, PartialEq)]
pub struct Strip {
    pub name: String,
    pub index: usize,
    pub active_index: usize,
    /// The ratios, or why there are none.
    pub contest: Result<Contest, String>,
}

/// What a fix would do to a point.
#[derive(Debug, Clone, PartialEq)]
pub struct Arrow {
    pub from: [f64; 2],
    pub to: [f64; 2],
    pub text: String,
}

/// What stands under a kernel's name: time, share, what is to win.
pub fn kernel_detail(judged: &Judged) -> String {
    let time = judged.time().map(|time| units::short(time, Unit::Second));
    let share = judged
        .share()
        .map(|share| format!("{} of the roof", units::percent(share)));
    let recoverable = judged.recoverable().filter(|time| *time > 0.0);
    let recoverable =
        recoverable.map(|time| format!("{} to win", units::short(time, Unit::Second)));
    let parts: Vec<_> = [time, share, recoverable].into_iter().flatten().collect();
    parts.join(" · ")
}
