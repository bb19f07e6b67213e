//! The heat map of the selected workload: what is wanted of it, and how much of that is there.
use crate::model::session::Session;
use crate::model::sweep::grid::{GridError, GridResult, Task};
use crate::model::view::View;
use std::sync::Arc;

/// What is wanted and what there is.
#[derive(Default)]
pub struct Mapped {
    wanted: Option<Result<Task, GridError>>,
    found: Option<Arc<GridResult>>,
    /// The part of what is wanted that is computed, 0–1, while that is under way.
    pub progress: Option<f32>,
    /// Whether the user stopped it.
    pub stopped: bool,
}

impl Mapped {
    /// Wants what follows from session and view now.
    pub fn want(&mut self, session: &Session, view: &View) {
        let wanted = wanted(session, view);
        if wanted != self.wanted {
            self.wanted = wanted;
            self.stopped = false;
            self.progress = None;
        }
    }

    /// Why there can be no heat map.
    pub fn error(&self) -> Option<&GridError> {
        self.wanted.as_ref()?.as_ref().err()
    }

    /// What is to be computed: nothing where it is there already.
    pub fn missing(&self) -> Option<&Task> {
        let task = self.wanted.as_ref()?.as_ref().ok()?;
        (!self.is_current()).then_some(task)
    }

    /// Whether what is shown is what is wanted.
    pub fn is_current(&self) -> bool {
        let wanted = self.wanted.as_ref().and_then(|wanted| wanted.as_ref().ok());
        self.found.as_ref().map(|found| &found.task) == wanted
    }

    /// Takes a result, unless it is of something no longer wanted.
    pub fn take(&mut self, result: GridResult) {
        if self.missing() == Some(&result.task) {
            self.found = Some(Arc::new(result));
            self.progress = None;
        }
    }

    /// The newest result of the pairs of values wanted; perhaps of a session before the last change.
    pub fn shown(&self) -> Option<&Arc<GridResult>> {
        let wanted = self.wanted.as_ref()?.as_ref().ok()?;
        let found = self.found.as_ref()?;
        (found.task.grid() == wanted.grid()).then_some(found)
    }
}

fn wanted(session: &Session, view: &View) -> Option<Result<Task, GridError>> {
    let workload = session.workload(view.selected?)?;
    let gpu = session.gpu(view.active?)?;
    let against = view.against.and_then(|id| session.gpu(id));
    let against = against.filter(|other| other.id != gpu.id);
    let grid = view.grid_for(workload)?;
    Some(Task::new(grid, workload, gpu, against, session.assumptions))
}
