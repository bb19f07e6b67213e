//! What is shown of a session: saved with it, but neither undone nor ever a reason to ask about saving.
use super::cost::Level;
use super::ids::{AnnotationId, GpuId, ProfileId, WorkloadId};
use super::profile::KernelId;
use super::session::Session;
use super::sweep::Sweep;
use super::sweep::grid::{Grid, Shown};

/// The visible range of the axes, as powers of ten.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    pub x: [f64; 2],
    pub y: [f64; 2],
}

/// Which memory levels' roofs are shown, and at which traffic points lie along the intensities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Levels {
    Only(Level),
    All,
}

impl Default for Levels {
    fn default() -> Self {
        Self::Only(Level::Dram)
    }
}

impl Levels {
    /// The level whose slope is the main one.
    pub fn main(self) -> Level {
        match self {
            Self::Only(level) => level,
            Self::All => Level::Dram,
        }
    }

    /// The word on the switch and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Only(level) => level.name(),
            Self::All => "all",
        }
    }

    /// The choice of this name.
    pub fn named(name: &str) -> Option<Self> {
        let levels = Level::ALL.into_iter().map(Self::Only);
        levels
            .chain([Self::All])
            .find(|choice| choice.name().eq_ignore_ascii_case(name))
    }
}

/// What is shown.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct View {
    /// The GPU whose regimes are shaded and whose numbers the panels show.
    pub active: Option<GpuId>,
    pub selected: Option<WorkloadId>,
    pub hidden_gpus: Vec<GpuId>,
    pub hidden_workloads: Vec<WorkloadId>,
    /// Axis limits chosen by hand; `None` fits them to what is shown.
    pub limits: Option<Limits>,
    /// Keeps the axes as they are, whatever is dragged or scrolled.
    pub locked: bool,
    /// The sweep of the selected workload; `None` is its kind's default.
    pub sweep: Option<Sweep>,
    /// The second parameter of the sweep, which makes it a heat map.
    pub second_sweep: Option<Sweep>,
    /// What the heat map shows.
    pub heat_map: Shown,
    /// The GPU it compares with.
    pub against: Option<GpuId>,
    /// Whether a sweep of one parameter is drawn as a curve instead of written as a table.
    pub show_curve: bool,
    /// Whether the sweep is drawn as a trail.
    pub show_trail: bool,
    /// Whether marks are drawn for every visible GPU, with a strip of which is faster where.
    pub compare: bool,
    pub levels: Levels,
    /// Whether the peak with structured sparsity is drawn too.
    pub show_sparse: bool,
    /// Whether the operators of the selected workload are drawn as points of their own.
    pub show_operators: bool,
    /// Whether axes are intensity ÷ ridge and share of the own compute roof, so that devices and formats share a picture.
    pub normalised: bool,
    /// The profile whose kernels the table lists.
    pub profile: Option<ProfileId>,
    pub hidden_profiles: Vec<ProfileId>,
    /// Annotations that belong to other views.
    pub hidden_annotations: Vec<AnnotationId>,
    /// The kernel that panels tell of; none where they tell of a workload.
    pub kernel: Option<KernelId>,
}

impl View {
    /// The view a session is first seen in.
    pub fn of(session: &Session) -> Self {
        let mut view = Self {
            show_trail: true,
            show_operators: true,
            ..Self::default()
        };
        view.repair(session);
        view
    }

    /// Points again at things that exist, after an edit, an undo or a removal.
    pub fn repair(&mut self, session: &Session) {
        self.hidden_gpus.retain(|id| session.gpu(*id).is_some());
        self.hidden_workloads
            .retain(|id| session.workload(*id).is_some());
        if self.active.is_none_or(|id| session.gpu(id).is_none()) {
            self.active = session.gpus.first().map(|gpu| gpu.id);
        }
        let has = |id: ProfileId| session.profile(id).is_some();
        self.hidden_profiles.retain(|id| has(*id));
        self.hidden_annotations
            .retain(|id| session.annotation(*id).is_some());
        self.kernel = self.kernel.filter(|kernel| kernel.is_in(session));
        self.profile = self.profile.filter(|id| has(*id));
        self.profile = self.profile.or_else(|| Some(session.profiles.first()?.id));
        self.against = self.against.filter(|id| session.gpu(*id).is_some());
        if self
            .selected
            .is_none_or(|id| session.workload(id).is_none())
        {
            // The kernel told of stays the one.
            let kernel = self.kernel;
            self.select(session.workloads.first().map(|workload| workload.id));
            self.kernel = kernel;
        }
    }

    /// Selects a workload; a sweep typed for another one is dropped.
    pub fn select(&mut self, workload: Option<WorkloadId>) {
        self.kernel = None;
        if self.selected != workload {
            self.selected = workload;
            self.sweep = None;
            self.second_sweep = None;
        }
    }

    /// Whether a GPU is drawn; the active one always is.
    pub fn shows_gpu(&self, id: GpuId) -> bool {
        self.active == Some(id) || !self.hidden_gpus.contains(&id)
    }

    /// Whether a profile's kernels are drawn.
    pub fn shows_profile(&self, id: ProfileId) -> bool {
        !self.hidden_profiles.contains(&id)
    }

    /// Whether a workload is drawn.
    pub fn shows_workload(&self, id: WorkloadId) -> bool {
        !self.hidden_workloads.contains(&id)
    }

    /// Shows what is hidden, hides what is shown.
    pub fn toggle_gpu(&mut self, id: GpuId) {
        toggle(&mut self.hidden_gpus, id);
    }

    /// Shows what is hidden, hides what is shown.
    pub fn toggle_profile(&mut self, id: ProfileId) {
        toggle(&mut self.hidden_profiles, id);
    }

    /// Shows what is hidden, hides what is shown.
    pub fn toggle_annotation(&mut self, id: AnnotationId) {
        toggle(&mut self.hidden_annotations, id);
    }

    /// Selects a kernel, and its profile.
    pub fn select_kernel(&mut self, kernel: KernelId) {
        self.kernel = Some(kernel);
        self.profile = Some(kernel.profile);
    }

    /// Shows what is hidden, hides what is shown.
    pub fn toggle_workload(&mut self, id: WorkloadId) {
        toggle(&mut self.hidden_workloads, id);
    }

    /// The sweep of a workload: the one chosen here, else its kind's default.
    pub fn sweep_for(&self, workload: &super::session::Workload) -> Sweep {
        let chosen = self
            .sweep
            .clone()
            .filter(|sweep| super::sweep::parameter_unit(&workload.kind, &sweep.parameter).is_ok());
        chosen.unwrap_or_else(|| Sweep::default_for(&workload.kind))
    }
}

impl View {
    /// The two parameters of the heat map of a workload; `None` where only one is swept.
    pub fn grid_for(&self, workload: &super::session::Workload) -> Option<Grid> {
        let first = self.sweep_for(workload);
        let second = self.second_sweep.clone()?;
        let known = super::sweep::parameter_unit(&workload.kind, &second.parameter).is_ok();
        (known && first.parameter != second.parameter).then_some(Grid { first, second })
    }
}

fn toggle<T: PartialEq>(list: &mut Vec<T>, item: T) {
    match list.iter().position(|other| *other == item) {
        Some(at) => {
            list.remove(at);
        }
        None => list.push(item),
    }
}
