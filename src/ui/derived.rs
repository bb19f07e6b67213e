//! What follows from session and view, computed once per change: scene, placements, fixes, sweep.
use super::kernels::Compared;
use super::mapped::Mapped;
use crate::chart::scene::{self, KernelLayer, Scene};
use crate::model::compare;
use crate::model::gpu::Gpu;
use crate::model::ids::{GpuId, WorkloadId};
use crate::model::llm;
use crate::model::measurement::{Assessment, Unassessed};
use crate::model::placement::{Assumptions, Placement};
use crate::model::plausibility::Doubt;
use crate::model::profile::Analyses;
use crate::model::published::Published;
use crate::model::session::{NotPlaced, Session, Workload};
use crate::model::sweep::{self, SweepResult};
use crate::model::view::View;
use crate::model::what_if::{self, Fix};
use crate::model::workload::{Kind, ParameterError};
use crate::report::describe;
use std::sync::Arc;

/// Everything shown that is not typed.
pub struct Derived {
    session: Session,
    view: View,
    /// Workloads whose text is refused: they show the last good value.
    stale: Vec<WorkloadId>,
    pub scene: Scene,
    pub selected: Option<Selected>,
    /// Each workload on each visible GPU, in the session's order.
    pub pairs: Vec<Pair>,
    /// What is odd about the numbers of each GPU.
    doubts: Vec<(GpuId, Vec<Doubt>)>,
    /// What numbers are compared with and reset to; read once.
    pub published: Arc<Published>,
    /// The profiles, judged.
    pub analyses: Analyses,
    /// The profile in view beside the one it is compared with.
    pub compared: Option<Arc<Compared>>,
    /// The heat map; computed by jobs, so it outlives what it was wanted for.
    pub map: Mapped,
    /// The chart in words, once somebody has asked for it.
    pub description: Option<String>,
}

/// Of how many workloads the chart is described.
const MOST_DESCRIBED: usize = 30;

/// A workload on a GPU.
pub struct Pair {
    pub workload: WorkloadId,
    pub gpu: GpuId,
    pub placement: Result<Placement, NotPlaced>,
    pub assessment: Option<Result<Assessment, Unassessed>>,
}

/// The selected workload on the active GPU.
pub struct Selected {
    pub workload: WorkloadId,
    pub gpu: Gpu,
    pub placement: Result<Placement, NotPlaced>,
    pub assessment: Option<Result<Assessment, Unassessed>>,
    pub fixes: Vec<Fix>,
    /// Of a language model that is placed.
    pub serving: Option<llm::Results>,
    pub sweep: Result<SweepResult, ParameterError>,
    /// The workload on each visible GPU, beside each other.
    pub compared: Vec<compare::Row>,
}

/// What follows from the profiles.
struct Measured {
    analyses: Analyses,
    compared: Option<Arc<Compared>>,
    layer: KernelLayer,
}

impl Derived {
    /// Computes everything; of the `stale` workloads the last good value.
    pub fn of(
        session: &Session,
        view: &View,
        stale: Vec<WorkloadId>,
        published: Arc<Published>,
    ) -> Self {
        let analyses = Analyses::of(session);
        let measured = Measured {
            layer: KernelLayer::of(&analyses, view, session.assumptions.judged_by),
            compared: Compared::of(&analyses, view.profile, None),
            analyses,
        };
        Self::with(session, view, stale, published, measured)
    }

    fn with(
        session: &Session,
        view: &View,
        stale: Vec<WorkloadId>,
        published: Arc<Published>,
        measured: Measured,
    ) -> Self {
        let active = view.active.and_then(|id| session.gpu(id));
        let assumptions = session.assumptions;
        let gpus = || session.gpus.iter().filter(|gpu| view.shows_gpu(gpu.id));
        let pairs = session.workloads.iter().flat_map(|workload| {
            gpus().map(|gpu| Pair {
                workload: workload.id,
                gpu: gpu.id,
                placement: workload.place_on(gpu, assumptions),
                assessment: workload.assess_on(gpu, assumptions),
            })
        });
        let workload = view.selected.and_then(|id| session.workload(id));
        let pairs: Vec<Pair> = pairs.collect();
        let select = |(workload, gpu): (&Workload, &Gpu)| {
            let placement = placed(&pairs, workload, gpu, assumptions);
            Selected {
                workload: workload.id,
                gpu: gpu.clone(),
                serving: serving(workload, gpu, assumptions, placement.as_ref().ok()),
                placement,
                assessment: workload.assess_on(gpu, assumptions),
                fixes: what_if::fixes(workload, gpu, assumptions),
                compared: compare::rows(workload, &gpus().collect::<Vec<_>>(), gpu, assumptions),
                sweep: sweep::run(&view.sweep_for(workload), workload, gpu, assumptions),
            }
        };
        let selected = workload.zip(active).map(select);
        let sweep = selected.as_ref().and_then(|s| s.sweep.as_ref().ok());
        let by = assumptions.judged_by;
        let Measured {
            analyses,
            compared,
            layer: mut kernels,
        } = measured;
        let moves = |compared: &Arc<Compared>| compared.moves(view, by);
        kernels.moves = compared.as_ref().map_or_else(Vec::new, moves);
        let mut scene = scene::build_with(session, view, sweep, kernels);
        scene.grey(&stale);
        let doubts = doubts(session, &published);
        for (gpu, doubts) in &doubts {
            scene.doubt(*gpu, doubts);
        }
        let mut map = Mapped::default();
        map.want(session, view);
        Self {
            map,
            doubts,
            published,
            analyses,
            compared,
            description: None,
            pairs,
            scene,
            stale,
            selected,
            session: session.clone(),
            view: view.clone(),
        }
    }

    /// Puts the chart into words, for screen readers.
    pub fn describe(&mut self) {
        let (session, view) = (&self.session, &self.view);
        self.description
            .get_or_insert_with(|| describe::write(session, view, MOST_DESCRIBED));
    }

    /// A workload on the active GPU.
    pub fn on_active(&self, workload: WorkloadId) -> Option<&Result<Placement, NotPlaced>> {
        let active = self.view.active?;
        let pair = self
            .pairs
            .iter()
            .find(|pair| pair.workload == workload && pair.gpu == active)?;
        Some(&pair.placement)
    }

    /// A workload as it was when all this was derived.
    pub fn workload(&self, id: WorkloadId) -> Option<&Workload> {
        self.session.workload(id)
    }

    /// What is odd about the numbers of a GPU.
    pub fn doubts_of(&self, gpu: GpuId) -> &[Doubt] {
        let of = self.doubts.iter().find(|(id, _)| *id == gpu);
        of.map_or(&[], |(_, doubts)| doubts)
    }

    /// Whether a workload shows its last good value, since what is typed for it is refused.
    pub fn is_stale(&self, workload: WorkloadId) -> bool {
        self.stale.contains(&workload)
    }

    /// Computes everything again if something it follows from has changed; says whether it had.
    pub fn refresh(&mut self, session: &Session, view: &View, stale: Vec<WorkloadId>) -> bool {
        // Panning changes the limits only, and nothing here depends on them.
        let same_view = {
            let mut unpanned = view.clone();
            unpanned.limits = self.view.limits;
            unpanned.locked = self.view.locked;
            unpanned == self.view
        };
        if same_view && *session == self.session && stale == self.stale {
            return false;
        }
        let mut map = std::mem::take(&mut self.map);
        map.want(session, view);
        let analyses = self.analyses.renewed(session);
        let measured = Measured {
            layer: self.kernels(session, view, &analyses),
            compared: Compared::of(&analyses, view.profile, self.compared.as_ref()),
            analyses,
        };
        *self = Self {
            map,
            ..Self::with(session, view, stale, self.published.clone(), measured)
        };
        true
    }

    /// The kernels as marks: those there are, where they would come out the same, since they may be very many.
    fn kernels(&self, session: &Session, view: &View, analyses: &Analyses) -> KernelLayer {
        let by = session.assumptions.judged_by;
        let old = &self.view;
        let same = analyses.are(&self.analyses)
            && view.levels == old.levels
            && view.normalised == old.normalised
            && view.hidden_profiles == old.hidden_profiles;
        if !same {
            return KernelLayer::of(analyses, view, by);
        }
        let mut layer = self.scene.kernels.clone();
        layer.select(analyses, view, by);
        layer
    }
}

/// A workload on a GPU: as it is known already, where the GPU is shown.
fn placed(
    pairs: &[Pair],
    workload: &Workload,
    gpu: &Gpu,
    assumptions: Assumptions,
) -> Result<Placement, NotPlaced> {
    let known = pairs
        .iter()
        .find(|pair| pair.workload == workload.id && pair.gpu == gpu.id);
    match known {
        Some(pair) => pair.placement.clone(),
        None => workload.place_on(gpu, assumptions),
    }
}

fn doubts(session: &Session, published: &Published) -> Vec<(GpuId, Vec<Doubt>)> {
    let gpus = session.gpus.iter();
    gpus.map(|gpu| (gpu.id, gpu.doubts(published))).collect()
}

fn serving(
    workload: &Workload,
    gpu: &Gpu,
    assumptions: Assumptions,
    placement: Option<&Placement>,
) -> Option<llm::Results> {
    let Kind::LanguageModel(model) = &workload.kind else {
        return None;
    };
    Some(llm::results(model, gpu, assumptions, placement?))
}
