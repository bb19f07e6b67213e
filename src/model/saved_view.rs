//! Saved views: framings with a title and a caption, which in their order make a presentation.
use super::ids::ViewId;
use super::session::{NameError, Session, free_name, shift, unique};
use super::view::View;

/// A framing that can be gone back to.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedView {
    pub id: ViewId,
    /// Says the conclusion; unique, since the command line refers to it.
    pub title: String,
    /// One sentence under the chart.
    pub caption: String,
    pub argument: Argument,
    pub view: View,
}

/// What the arrow of a view shows when it is presented.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Argument {
    /// No arrow.
    None,
    /// From the first value of the view's sweep to the last that takes no longer, where the sweep is drawn.
    #[default]
    Sweep,
    /// What the fix of this name does to the selected workload.
    Fix(String),
}

impl Argument {
    /// The word in files and in the panel: `none`, `sweep`, or the fix's name.
    pub fn name(&self) -> &str {
        match self {
            Self::None => "none",
            Self::Sweep => "sweep",
            Self::Fix(name) => name,
        }
    }

    /// The argument of this name; any other word names a fix.
    pub fn named(name: &str) -> Self {
        match name.trim() {
            "none" => Self::None,
            "sweep" => Self::Sweep,
            fix => Self::Fix(fix.to_owned()),
        }
    }
}

impl Session {
    /// The saved view of this id.
    pub fn saved_view(&self, id: ViewId) -> Option<&SavedView> {
        self.views.iter().find(|view| view.id == id)
    }

    /// The saved view of this id, to edit.
    pub fn saved_view_mut(&mut self, id: ViewId) -> Option<&mut SavedView> {
        self.views.iter_mut().find(|view| view.id == id)
    }

    /// Saves a framing below `after` (or last), under another title if its own is taken.
    pub fn add_view(&mut self, mut view: SavedView, after: Option<ViewId>) -> ViewId {
        view.id = ViewId(self.fresh_id());
        view.title = unique(&view.title, |title| {
            self.views.iter().any(|view| view.title == title)
        });
        let at = after.and_then(|id| self.views.iter().position(|view| view.id == id));
        let id = view.id;
        self.views
            .insert(at.map_or(self.views.len(), |i| i + 1), view);
        id
    }

    /// Adds a copy below the original.
    pub fn duplicate_view(&mut self, id: ViewId) -> Option<ViewId> {
        let copy = self.saved_view(id)?.clone();
        Some(self.add_view(copy, Some(id)))
    }

    /// Removes a saved view; returns the one that takes its place.
    pub fn remove_view(&mut self, id: ViewId) -> Option<ViewId> {
        let at = self.views.iter().position(|view| view.id == id)?;
        self.views.remove(at);
        let next = at.min(self.views.len().checked_sub(1)?);
        self.views.get(next).map(|view| view.id)
    }

    /// Moves a saved view up (negative) or down the list, stopping at its ends.
    pub fn move_view(&mut self, id: ViewId, by: isize) {
        if let Some(from) = self.views.iter().position(|view| view.id == id) {
            shift(&mut self.views, from, by);
        }
    }

    /// Renames a saved view; refused if the title is empty or taken.
    pub fn rename_view(&mut self, id: ViewId, title: &str) -> Result<(), NameError> {
        let others = self.views.iter().filter(|view| view.id != id);
        let title = free_name(title, others.map(|view| view.title.as_str()))?;
        if let Some(view) = self.saved_view_mut(id) {
            view.title = title;
        }
        Ok(())
    }

    /// The saved view so many places after another, stopping at the ends; the first where there is no other.
    pub fn view_beside(&self, id: Option<ViewId>, by: isize) -> Option<ViewId> {
        let now = id.and_then(|id| self.views.iter().position(|view| view.id == id));
        let last = self.views.len().checked_sub(1)?;
        let next = now.map_or(0, |now| now.saturating_add_signed(by).min(last));
        self.views.get(next).map(|view| view.id)
    }

    /// Points saved views and annotations again at things that exist, after a removal.
    pub(super) fn repair_references(&mut self) {
        let mut views = std::mem::take(&mut self.views);
        for view in &mut views {
            view.view.repair(self);
        }
        self.views = views;
        let workloads: Vec<_> = self.workloads.iter().map(|workload| workload.id).collect();
        for annotation in &mut self.annotations {
            annotation.detach(|id| workloads.contains(&id));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::gpu::Gpu;

    fn saved(title: &str, session: &Session) -> SavedView {
        SavedView {
            id: ViewId(0),
            title: title.to_owned(),
            caption: String::new(),
            argument: Argument::default(),
            view: View::of(session),
        }
    }

    #[test]
    fn views_keep_their_order_and_unique_titles() {
        let mut session = Session::empty("");
        let first = session.add_view(saved("a", &session), None);
        let second = session.duplicate_view(first).unwrap();
        let third = session.add_view(saved("b", &session), None);
        let titles = |session: &Session| {
            let titles = session.views.iter().map(|view| view.title.clone());
            titles.collect::<Vec<_>>()
        };
        assert_eq!(titles(&session), ["a", "a 2", "b"]);
        session.move_view(third, -5);
        assert_eq!(titles(&session), ["b", "a", "a 2"]);
        assert!(session.rename_view(second, "b").is_err());
        assert_eq!(session.view_beside(Some(first), 1), Some(second));
        assert_eq!(session.view_beside(Some(second), 1), Some(second));
        assert_eq!(session.view_beside(None, -1), Some(third));
        assert_eq!(session.remove_view(second), Some(first));
    }

    #[test]
    fn a_removed_gpu_leaves_every_view() {
        let mut session = Session::empty("");
        let kept = session.add_gpu(Gpu::empty("kept"), None);
        let gone = session.add_gpu(Gpu::empty("gone"), None);
        let mut view = saved("a", &session);
        view.view.active = Some(gone);
        view.view.against = Some(gone);
        view.view.hidden_gpus = vec![gone];
        session.add_view(view, None);
        session.remove_gpu(gone);
        let view = &session.views[0].view;
        assert_eq!((view.active, view.against), (Some(kept), None));
        assert!(view.hidden_gpus.is_empty());
    }
}
