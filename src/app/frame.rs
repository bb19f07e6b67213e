//! The order of a frame.
use super::{App, Closing};
use crate::chart::style;
use crate::document::Document;
use crate::files::settings::Theme;
use crate::ui::request::Request;
use crate::ui::widgets::focus_ring;
use crate::ui::{chart_view, command, dialogs, player, presentation};
use egui::{Frame, Ui};

impl App {
    /// What must happen even when the window is minimised: finished jobs, and the question before closing.
    pub(super) fn before_frame(&mut self, ctx: &egui::Context) {
        // A file that arrives must not change what the hand is on.
        if !ctx.input(|input| input.pointer.any_down()) {
            self.finish_jobs(ctx);
        }
        self.close_question(ctx);
        self.name_window(ctx);
    }

    /// One frame: keys, panels, scene, chart, dialogs, requests, undo.
    pub fn show(&mut self, ui: &mut Ui) {
        self.apply_theme(ui.ctx());
        // What was typed in this very frame reaches its field first.
        let commits = self.closing == Closing::AfterCommit && !typed_now(ui.ctx());
        if commits {
            stop_typing(ui.ctx());
        }
        self.keys(ui.ctx());
        self.fill_the_screen(ui.ctx());
        player::advance(ui.ctx(), &self.document, &mut self.state);
        self.refresh();
        self.grids.update(ui.ctx(), &mut self.derived.map);
        // Where notices stand: at the foot of the chart.
        let mut foot = ui.ctx().content_rect().bottom() - 40.0;
        let changed = if self.state.presentation.is_some() {
            let (document, derived) = (&mut self.document, &self.derived);
            let (state, requests) = (&mut self.state, &mut self.requests);
            presentation::presentation(ui, document, derived, state, requests);
            self.refresh()
        } else {
            self.forget_sizes_once(ui);
            self.panels(ui);
            foot = ui.available_rect_before_wrap().bottom();
            let changed = self.refresh();
            // Only for those who listen: it takes as long as everything else together.
            if ui.ctx().has_accesskit_node(egui::accesskit_root_id()) {
                self.derived.describe();
            }
            self.chart(ui);
            changed
        };
        dialogs::dialogs(
            ui,
            &mut self.document,
            &self.derived,
            &self.settings.recent,
            &mut self.state,
            &mut self.requests,
        );
        dialogs::toasts(ui, foot, &mut self.state, &mut self.requests);
        focus_ring(ui.ctx());
        let asked = self.run_requests(ui.ctx());
        self.open_waiting(ui.ctx());
        if is_still(ui) && self.state.chart.drag.is_none() {
            self.document.settle();
        }
        if commits {
            self.close_after_commit(ui.ctx());
        } else if self.closing == Closing::AfterCommit {
            ui.ctx().request_repaint();
        }
        // What a panel showed before this change came of it is shown in the next frame.
        if changed || asked || self.refresh() {
            ui.ctx().request_repaint();
        }
    }

    /// Computes again what follows from the document and from what is typed; says whether it had changed.
    pub(super) fn refresh(&mut self) -> bool {
        let stale = self.state.half_typed.stale(&self.document.session);
        let Document { session, view, .. } = &self.document;
        match &self.state.playing {
            Some(playing) => self.derived.refresh(&playing.session(session), view, stale),
            None => self.derived.refresh(session, view, stale),
        }
    }

    fn apply_theme(&self, ctx: &egui::Context) {
        let preference = match self.settings.theme {
            Theme::Light => egui::ThemePreference::Light,
            Theme::Dark => egui::ThemePreference::Dark,
            Theme::System => egui::ThemePreference::System,
        };
        if ctx.options(|options| options.theme_preference) != preference {
            ctx.set_theme(preference);
        }
        if style::has_contrast(ctx) != self.settings.contrast {
            style::set_contrast(ctx, self.settings.contrast);
        }
        // A presentation fills its screen.
        if self.state.presentation.is_none() {
            ctx.set_zoom_factor(self.settings.zoom);
        }
    }

    fn keys(&mut self, ctx: &egui::Context) {
        if self.state.dialog.is_some() {
            return;
        }
        // What is half typed is committed first: the field sees its focus go in this frame, and the command runs at
        // its end. The keys came in the frame before, in which the field still took what was typed with them.
        let mut commands = std::mem::take(&mut self.held);
        if !commands.is_empty() {
            stop_typing(ctx);
        }
        let typing = ctx.text_edit_focused();
        presentation::keys(ctx, &self.document, &mut self.state, &mut self.requests);
        let pressed = command::pressed(ctx, typing);
        if typing && !pressed.is_empty() {
            self.held = pressed;
            ctx.request_repaint();
        } else {
            commands.extend(pressed);
        }
        for command in commands {
            self.requests.command(command);
        }
        if !typing {
            let pasted = ctx.input(|input| {
                input.events.iter().find_map(|event| match event {
                    egui::Event::Paste(text) => Some(text.clone()),
                    _ => None,
                })
            });
            if let Some(text) = pasted {
                self.requests.push(Request::PasteText(text));
            }
        }
        let dropped = ctx.input(|input| {
            let paths = input
                .raw
                .dropped_files
                .iter()
                .map(|file| file.path().to_owned());
            paths.collect::<Vec<_>>()
        });
        let named = dropped
            .into_iter()
            .filter(|path| !path.as_os_str().is_empty());
        self.requests.extend(named.map(Request::Open));
    }

    fn chart(&mut self, ui: &mut Ui) {
        let roles = style::current(ui.ctx());
        egui::CentralPanel::default()
            .frame(Frame::new().fill(roles.ground))
            .show(ui, |ui| {
                chart_view::chart_view(
                    ui,
                    &mut self.document,
                    &self.derived,
                    &mut self.state,
                    self.settings.hints,
                    &mut self.requests,
                );
            });
    }

    fn name_window(&mut self, ctx: &egui::Context) {
        let mark = if self.document.is_dirty() { "● " } else { "" };
        let name = match &self.document.path {
            Some(_) => self.document.file_name(),
            None => self.document.session.title.clone(),
        };
        let title = format!("{mark}{name} — Ridgepoint");
        if title != self.window_title {
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.window_title = title;
        }
    }

    /// Prepares a context for the application: fonts and both themes.
    pub fn prepare(ctx: &egui::Context) {
        style::install(ctx);
        // Our own commands do that, and remember it.
        ctx.options_mut(|options| options.zoom_with_keyboard = false);
    }
}

/// Whether keys or text came in this frame.
fn typed_now(ctx: &egui::Context) -> bool {
    let typed =
        |event: &egui::Event| matches!(event, egui::Event::Text(_) | egui::Event::Key { .. });
    ctx.input(|input| input.events.iter().any(typed))
}

/// Takes the keyboard from a field, which commits what was typed in this frame.
fn stop_typing(ctx: &egui::Context) {
    ctx.memory_mut(|memory| {
        if let Some(id) = memory.focused() {
            memory.surrender_focus(id);
        }
    });
}

/// Whether no gesture is under way: no button is down, no arrow key, no text is being typed.
fn is_still(ui: &Ui) -> bool {
    let pointer = ui.input(|input| input.pointer.any_down());
    !pointer && !chart_view::arrow_key_down(ui) && !ui.ctx().text_edit_focused()
}
