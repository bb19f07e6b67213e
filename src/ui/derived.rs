//! What follows from session and view, computed once per change: scene, placements, fixes, sweep.
use crate::chart::scene::{self, Scene};
use crate::model::gpu::Gpu;
use crate::model::ids::WorkloadId;
use crate::model::measurement::{Assessment, Unassessed};
use crate::model::placement::Placement;
use crate::model::session::{NotPlaced, Session};
use crate::model::sweep::{self, SweepResult};
use crate::model::view::View;
use crate::model::what_if::{self, Fix};
use crate::model::workload::ParameterError;

/// Everything shown that is not typed.
pub struct Derived {
    session: Session,
    view: View,
    pub scene: Scene,
    pub selected: Option<Selected>,
    /// Each workload on the active GPU, in the session's order.
    pub on_active: Vec<(WorkloadId, Result<Placement, NotPlaced>)>,
}

/// The selected workload on the active GPU.
pub struct Selected {
    pub workload: WorkloadId,
    pub gpu: Gpu,
    pub placement: Result<Placement, NotPlaced>,
    pub assessment: Option<Result<Assessment, Unassessed>>,
    pub fixes: Vec<Fix>,
    pub sweep: Result<SweepResult, ParameterError>,
}

impl Derived {
    /// Computes everything.
    pub fn of(session: &Session, view: &View) -> Self {
        let active = view.active.and_then(|id| session.gpu(id));
        let assumptions = session.assumptions;
        let on_active = session
            .workloads
            .iter()
            .filter_map(|workload| Some((workload.id, workload.place_on(active?, assumptions))));
        let workload = view.selected.and_then(|id| session.workload(id));
        let selected = workload.zip(active).map(|(workload, gpu)| Selected {
            workload: workload.id,
            gpu: gpu.clone(),
            placement: workload.place_on(gpu, assumptions),
            assessment: workload.assess_on(gpu, assumptions),
            fixes: what_if::fixes(workload, gpu, assumptions),
            sweep: sweep::run(&view.sweep_for(workload), workload, gpu, assumptions),
        });
        Self {
            on_active: on_active.collect(),
            scene: scene::build(session, view),
            selected,
            session: session.clone(),
            view: view.clone(),
        }
    }

    /// Computes everything again if something it follows from has changed; says whether it had.
    pub fn refresh(&mut self, session: &Session, view: &View) -> bool {
        // Panning changes the limits only, and nothing here depends on them.
        let same_view = {
            let mut unpanned = view.clone();
            unpanned.limits = self.view.limits;
            unpanned.locked = self.view.locked;
            unpanned == self.view
        };
        if same_view && *session == self.session {
            return false;
        }
        *self = Self::of(session, view);
        true
    }
}
