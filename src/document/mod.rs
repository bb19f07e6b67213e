//! Floor 3, one open session: session and view, its path, what is saved of it, and how to go back.
mod history;

use crate::model::change;
use crate::model::session::Session;
use crate::model::view::View;
pub use history::History;
use std::path::PathBuf;

/// An open session.
pub struct Document {
    pub session: Session,
    pub view: View,
    pub path: Option<PathBuf>,
    /// Comments in the file as it was opened, which saving will lose.
    pub comments_will_be_lost: bool,
    saved: Session,
    history: History<Session>,
}

impl Document {
    /// Opens a session; `path` is where it came from.
    pub fn new(session: Session, mut view: View, path: Option<PathBuf>) -> Self {
        view.repair(&session);
        Self {
            saved: session.clone(),
            history: History::new(session.clone()),
            comments_will_be_lost: false,
            session,
            view,
            path,
        }
    }

    /// A session with nothing in it.
    pub fn untitled() -> Self {
        let session = Session::empty("Untitled");
        let view = View::of(&session);
        Self::new(session, view, None)
    }

    /// Whether closing would lose an edit; the view never counts.
    pub fn is_dirty(&self) -> bool {
        self.session != self.saved
    }

    /// Call when no gesture is under way: what changed since becomes one step.
    pub fn settle(&mut self) {
        self.history.record(&self.session);
    }

    /// Goes one step back.
    pub fn undo(&mut self) {
        let before = self.session.clone();
        self.history.undo(&mut self.session);
        self.follow(&before);
    }

    /// Takes an undo back.
    pub fn redo(&mut self) {
        let before = self.session.clone();
        self.history.redo(&mut self.session);
        self.follow(&before);
    }

    /// Turns to the GPU or workload that came back, so that the numbers are those of before.
    fn follow(&mut self, before: &Session) {
        self.view.repair(&self.session);
        let gpus = self.session.gpus.iter().map(|gpu| gpu.id);
        let mut back = gpus.filter(|id| before.gpu(*id).is_none());
        if let (Some(gpu), None) = (back.next(), back.next()) {
            self.view.active = Some(gpu);
        }
        let workloads = self.session.workloads.iter().map(|workload| workload.id);
        let mut back = workloads.filter(|id| before.workload(*id).is_none());
        if let (Some(workload), None) = (back.next(), back.next()) {
            self.view.select(Some(workload));
        }
    }

    /// Drops what changed since the last step, as Esc in a drag does.
    pub fn revert_to_settled(&mut self) {
        self.session.clone_from(self.history.present());
        self.view.repair(&self.session);
    }

    /// The name of the step that undo takes back.
    pub fn undo_name(&self) -> Option<String> {
        if self.session != *self.history.present() {
            return Some(change::describe(self.history.present(), &self.session));
        }
        let (before, after) = self.history.last_step()?;
        Some(change::describe(before, after))
    }

    /// The name of the step that redo brings back.
    pub fn redo_name(&self) -> Option<String> {
        let (before, after) = self.history.next_step()?;
        Some(change::describe(before, after))
    }

    /// `written` reached the disk; it may be older than what is open.
    pub fn mark_saved(&mut self, written: Session, path: PathBuf) {
        self.saved = written;
        self.path = Some(path);
        self.comments_will_be_lost = false;
    }

    /// The file's name, or that there is none.
    pub fn file_name(&self) -> String {
        let name = self.path.as_deref().and_then(|path| path.file_name());
        name.map_or_else(
            || "not saved yet".to_owned(),
            |name| name.to_string_lossy().into_owned(),
        )
    }
}
