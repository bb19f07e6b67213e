//! The question about unsaved changes, on every way out.
use super::{App, Closing};
use crate::document::Document;
use crate::files::{presets, session_file};
use crate::ui::lesson::Course;
use crate::ui::request::Answer;
use crate::ui::state::{Dialog, Then};
use egui::{Context, ViewportCommand};

impl App {
    /// Goes on with `then`, or asks first if changes would be lost.
    pub(super) fn unless_unsaved(&mut self, ctx: &Context, then: Then) {
        if self.would_lose() && !self.goes_on_learning(&then) {
            self.state.dialog = Some(Dialog::Unsaved { then });
            return;
        }
        self.go_on(ctx, then);
    }

    /// Whether one lesson follows another: what was done in it, and never saved, was done because it asked for it.
    fn goes_on_learning(&self, then: &Then) -> bool {
        let is_lesson = |id: &String| presets::lessons().iter().any(|preset| preset.id == id);
        let learns = self.state.course.is_some() && self.document.path.is_none();
        learns && matches!(then, Then::OpenExample(id) if is_lesson(id))
    }

    /// Whether leaving this document would lose an edit, or a text that is refused.
    fn would_lose(&self) -> bool {
        let refused = self.state.half_typed.refused(&self.document.session);
        self.document.is_dirty() || !refused.is_empty()
    }

    /// Goes on after a save; what is refused cannot be saved, and that was said before.
    pub(super) fn after_save(&mut self, ctx: &Context) {
        match self.after_save.take() {
            Some(then) if self.document.is_dirty() => self.unless_unsaved(ctx, then),
            Some(then) => self.go_on(ctx, then),
            None => {}
        }
    }

    pub(super) fn go_on(&mut self, ctx: &Context, then: Then) {
        match then {
            Then::Close => {
                self.closing = Closing::Closes;
                ctx.send_viewport_cmd(ViewportCommand::Close);
            }
            Then::New => {
                self.replace(Document::untitled());
            }
            Then::Replace(path, loaded) => self.open_read(&path, *loaded),
            Then::OpenExample(id) => self.open_example(&id),
        }
    }

    /// Whether this is a lesson that follows another, whose session was never saved.
    pub(super) fn is_next_lesson(&self, id: &str) -> bool {
        let is_lesson = presets::lessons().iter().any(|lesson| lesson.id == id);
        is_lesson && self.state.course.is_some() && self.document.path.is_none()
    }

    pub(super) fn open_example(&mut self, id: &str) {
        let preset = presets::sessions().iter().find(|preset| preset.id == id);
        match preset.map(|preset| session_file::read(preset.text)) {
            Some(Ok(loaded)) => {
                self.replace(Document::new(loaded.session, loaded.view, None));
                self.begin_lesson(id);
            }
            Some(Err(error)) => self
                .state
                .complain(format!("The example {id} cannot be read: {error}")),
            None => self.state.complain(format!("There is no example {id}.")),
        }
    }

    /// Begins the lesson of this id on the session that is open, where there is one.
    pub fn begin_lesson(&mut self, id: &str) {
        match presets::lesson(id) {
            Some(Ok(preset)) => self.state.course = Some(Course::new(preset)),
            Some(Err(error)) => self
                .state
                .complain(format!("The lesson {id} cannot be read: {error}")),
            None => {}
        }
    }

    pub(super) fn answer(&mut self, ctx: &Context, answer: Answer) {
        let Some(Dialog::Unsaved { then }) = self.state.dialog.clone() else {
            // A path dialog on the way to saving was closed: nothing is left to go on with.
            self.after_save = None;
            return;
        };
        self.state.dialog = None;
        match answer {
            Answer::Cancel => {}
            Answer::Discard => self.go_on(ctx, then),
            Answer::Save => {
                self.after_save = Some(then);
                self.save(ctx);
            }
        }
    }

    /// Keeps the window open while changes are unsaved, and asks. Runs in minimised windows too.
    pub(super) fn close_question(&mut self, ctx: &Context) {
        let asked = ctx.input(|input| input.viewport().close_requested());
        if !asked || self.closing == Closing::Closes {
            return;
        }
        if ctx.text_edit_focused() || self.closing == Closing::AfterCommit {
            // What is half typed is an edit too, but only a field that is shown can commit it.
            self.closing = Closing::AfterCommit;
        } else if self.would_lose() {
            self.state.dialog = Some(Dialog::Unsaved { then: Then::Close });
        } else {
            return;
        }
        self.show_window(ctx);
        ctx.send_viewport_cmd(ViewportCommand::CancelClose);
    }

    /// Asks to close again, after a frame in which the fields have committed what was typed.
    pub(super) fn close_after_commit(&mut self, ctx: &Context) {
        if self.closing == Closing::AfterCommit {
            self.closing = Closing::Asks;
            ctx.send_viewport_cmd(ViewportCommand::Close);
        }
    }

    pub(super) fn show_window(&self, ctx: &Context) {
        ctx.send_viewport_cmd(ViewportCommand::Minimized(false));
        ctx.send_viewport_cmd(ViewportCommand::Focus);
        ctx.request_repaint();
    }
}
