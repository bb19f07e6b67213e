//! What only this run of the window knows: open dialogs, the gesture under way, half-typed text.
use super::half_typed::HalfTyped;
use super::kernels::state::KernelState;
use super::lesson::Course;
use super::player::Playing;
use super::presentation::{Presentation, Thumbnails};
use crate::files::session_file::Loaded;
use crate::model::derive::{Product, Target};
use crate::model::ids::{AnnotationId, GpuId, ProfileId, ViewId, WorkloadId};
use crate::model::quantity::{FlopRate, Intensity};
use crate::model::session::Workload;
use crate::model::view::Limits;
use std::path::PathBuf;

/// State of the interface that is neither saved nor undone.
#[derive(Default)]
pub struct UiState {
    pub dialog: Option<Dialog>,
    pub chart: ChartState,
    pub tab: Tab,
    /// The number whose source is shown in the GPU panel.
    pub trace: Option<Trace>,
    /// The column of the comparison that it is sorted by, and whether the largest comes first.
    pub compare_sort: Option<(usize, bool)>,
    /// The same of the operators; `None` is the order they run in.
    pub operator_sort: Option<(usize, bool)>,
    /// The cell of the heat map that arrow keys have moved to: the n-th first and the n-th second value.
    pub heat_cell: Option<[usize; 2]>,
    /// The rows of the kernel table, and what is typed for kernels.
    pub kernels: KernelState,
    /// The fix the pointer is over, drawn as an arrow.
    pub shown_fix: Option<usize>,
    /// What was copied last: decides what Ctrl+C means.
    pub last_list: LastList,
    /// Which document this is of those opened in this window: half-typed text belongs to one only.
    pub document: u64,
    /// Texts typed over a parameter's, not in force.
    pub half_typed: HalfTyped,
    /// The saved view shown last.
    pub shown_view: Option<ViewId>,
    /// The annotation being edited.
    pub annotation: Option<AnnotationId>,
    /// The presentation under way.
    pub presentation: Option<Presentation>,
    /// What its overview shows.
    pub thumbnails: Thumbnails,
    /// The sweep being played.
    pub playing: Option<Playing>,
    /// The lesson under way.
    pub course: Option<Course>,
    /// What is searched for among the words, while their window is open.
    pub words: Option<String>,
    /// Short notices at the foot of the window.
    pub toasts: Vec<Toast>,
}

/// A number of a GPU that was asked for on the chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trace {
    pub gpu: GpuId,
    pub target: Target,
    /// Whether the panel has scrolled to it.
    pub shown: bool,
}

/// Which list was used last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LastList {
    Gpus,
    #[default]
    Workloads,
}

/// The table shown below the chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tab {
    #[default]
    Sweep,
    Operators,
    Workloads,
    Compare,
    Views,
    Kernels,
    Notes,
}

/// A notice that stays until it is closed or, if it is no error, a few seconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Toast {
    pub text: String,
    pub is_error: bool,
    /// The time of the frame in which it appeared, in seconds.
    pub since: Option<f64>,
}

impl Toast {
    /// One that goes away by itself.
    pub fn notice(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            is_error: false,
            since: None,
        }
    }
}

/// A dialog that waits for an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Dialog {
    /// Unsaved changes stand in the way of this.
    Unsaved {
        then: Then,
    },
    /// A path typed by hand.
    Path(PathDialog),
    /// Which device to add.
    PickGpu(Picker),
    /// Which language model to add.
    PickModel(ModelPicker),
    /// What was made of a model's config.
    ModelRead(Box<ModelRead>),
    /// What is missing in a model's config.
    CompleteModel(Box<crate::files::import::model_file::Incomplete>),
    /// A roof of a GPU as a product of what it is built of.
    Derive {
        gpu: GpuId,
        product: Product,
    },
    AxisLimits,
    /// Everything that can be done or chosen, by name.
    Palette(super::palette::Palette),
    /// What became of the files that were read.
    FileSummary,
    /// What the columns of a table are.
    Columns(Box<super::kernels::state::Columns>),
    /// Which GPU a profile ran on.
    WhichGpu(WhichGpu),
    /// What to collect with a profiler.
    Recipe,
    /// Every key and gesture; what is searched for among them.
    Keys(String),
    About,
}

/// The device picker: what is searched for, and all there are.
#[derive(Debug, Clone, PartialEq)]
pub struct Picker {
    pub query: String,
    /// The device that Enter takes, by place in the list.
    pub chosen: usize,
    /// The user's own devices.
    pub own: std::sync::Arc<[crate::model::gpu::Gpu]>,
    pub devices: std::sync::Arc<[crate::files::presets::GpuPreset]>,
}

/// The model picker: what is searched for, and all there are.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelPicker {
    pub query: String,
    pub models: std::sync::Arc<[crate::files::presets::ModelPreset]>,
}

/// A profile whose GPU the file does not tell.
#[derive(Debug, Clone, PartialEq)]
pub struct WhichGpu {
    pub profile: ProfileId,
    pub query: String,
    /// What the file calls it.
    pub named: Option<String>,
    pub devices: std::sync::Arc<[crate::files::presets::GpuPreset]>,
}

/// What was made of a model's config, a sentence each.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelRead {
    pub name: String,
    pub read: Vec<String>,
    pub assumed: Vec<String>,
    pub ignored: Vec<String>,
    pub warnings: Vec<String>,
}

/// What goes on once unsaved changes are dealt with.
#[derive(Debug, Clone, PartialEq)]
pub enum Then {
    Close,
    New,
    /// A session that was read from this file takes the place of the open one.
    Replace(PathBuf, Box<Loaded>),
    OpenExample(String),
}

/// What a path is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Open,
    Save,
    Export,
    ExportGpu,
    /// Measured kernels, from a file or a workload folder.
    Import,
    ImportFolder,
    /// A file whose measured figures go beside a GPU's peaks.
    Achievable,
}

/// The built-in path dialog.
#[derive(Debug, Clone, PartialEq)]
pub struct PathDialog {
    pub purpose: Purpose,
    pub text: String,
    /// Why it is shown instead of the system's.
    pub reason: Option<String>,
    pub error: Option<String>,
    /// The path of an existing file that would be replaced: asked once more.
    pub replaces: Option<PathBuf>,
}

/// The chart's own state.
#[derive(Default)]
pub struct ChartState {
    /// What the axes showed last; kept while the hand is on something.
    pub shown: Option<Limits>,
    /// What was fitted when the axes were fitted last; they stay while that, and all of it, is still there.
    pub fitted: Option<Fitted>,
    /// Height ÷ width of the frame, known after the first pass.
    pub aspect: f64,
    /// The way from one framing to another.
    pub transition: Option<Transition>,
    pub drag: Option<Drag>,
    pub ghost: Option<Ghost>,
    /// Until when scrolling is ignored, since it began over a panel.
    pub scroll_guard: f64,
    /// How near to the roof a dragged mark counts as on it, in decades.
    pub snap: f64,
    /// The annotation that has the keyboard: Delete means it.
    pub focused_note: Option<AnnotationId>,
    /// Give the selected mark the keyboard at the next chance.
    pub focus_mark: bool,
    /// Where very many kernels are looked up.
    pub grids: crate::chart::density::Grids,
}

/// From which limits the axes come, and since when, in seconds of the frame's clock.
#[derive(Debug, Clone, PartialEq)]
pub struct Transition {
    pub from: Limits,
    pub since: Option<f64>,
}

/// What a fit was made for: other things or another shape of the frame need another fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    pub gpus: Vec<GpuId>,
    pub workloads: Vec<WorkloadId>,
    /// How many points measured kernels have.
    pub kernels: usize,
    pub aspect: f64,
}

/// Something on the chart that can be dragged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Handle {
    Predicted(WorkloadId),
    Measured(WorkloadId),
    Slope(GpuId),
    Flat(GpuId),
    Ridge(GpuId),
    /// An annotation, or only its second end.
    Annotation(AnnotationId, bool),
}

/// A drag under way.
#[derive(Debug, Clone, PartialEq)]
pub struct Drag {
    pub handle: Handle,
    /// From the pointer to the handle's place when the drag began, in points.
    pub grab: egui::Vec2,
    /// Where the handle was, in powers of ten.
    pub from: [f64; 2],
    /// The workload as it was, so that a drag depends on where it ends, not on the way.
    pub workload: Option<Workload>,
    /// Why it does not follow the pointer.
    pub stopped: Option<String>,
}

/// What a measured point pulled out: where such a point would lie.
#[derive(Debug, Clone, PartialEq)]
pub struct Ghost {
    pub workload: WorkloadId,
    pub intensity: Intensity,
    pub rate: FlopRate,
}

impl UiState {
    /// Shows a notice.
    pub fn tell(&mut self, text: impl Into<String>) {
        self.toasts.push(Toast::notice(text));
    }

    /// Shows an error until it is closed.
    pub fn complain(&mut self, text: impl Into<String>) {
        self.toasts.push(Toast {
            text: text.into(),
            is_error: true,
            since: None,
        });
    }
}
