//! The order of a frame.
use super::{App, Closing};
use crate::chart::style::{self, Style};
use crate::document::Document;
use crate::files::settings::Theme;
use crate::ui::request::Request;
use crate::ui::widgets::focus_ring;
use crate::ui::{
    chart_view, command, dialogs, gpu_panel, inspector, lesson, menu, player, presentation, tables,
    workload_panel,
};
use egui::{Frame, Margin, Panel, ScrollArea, Ui};

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
        let changed = if self.state.presentation.is_some() {
            let (document, derived) = (&mut self.document, &self.derived);
            let (state, requests) = (&mut self.state, &mut self.requests);
            presentation::presentation(ui, document, derived, state, requests);
            self.refresh()
        } else {
            self.panels(ui);
            let changed = self.refresh();
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
        dialogs::toasts(ui, &mut self.state, &mut self.requests);
        focus_ring(ui.ctx());
        let asked = self.run_requests(ui.ctx());
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
    fn refresh(&mut self) -> bool {
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
        if let Some(path) = dropped
            .into_iter()
            .find(|path| !path.as_os_str().is_empty())
        {
            self.requests.push(Request::Open(path));
        }
    }

    fn panels(&mut self, ui: &mut Ui) {
        let roles = Style::of(ui.theme());
        let [width, height] = ui.available_size().into();
        let bar = Frame::new().fill(roles.panel);
        let side = bar.inner_margin(Margin {
            left: 12,
            right: 4,
            top: 4,
            bottom: 4,
        });
        Panel::top("menu")
            .frame(bar.inner_margin(Margin::symmetric(12, 4)))
            .show(ui, |ui| {
                let selected = self.document.view.selected;
                let refused = selected.is_some_and(|id| self.derived.is_stale(id));
                menu::menu_bar(
                    ui,
                    &self.document,
                    &self.settings,
                    refused,
                    &mut self.requests,
                );
            });
        Panel::bottom("status").frame(bar.inner_margin(Margin::symmetric(12, 3))).show(ui, |ui| {
            let hint = "Drag a mark: intensity and efficiency · Shift locks an axis · Ctrl snaps · F1 keys";
            let working = menu::Working {
                on: self.jobs.working_on(),
                part: self.jobs.progress(),
            };
            menu::status_line(ui, &self.document, hint, working, &mut self.requests);
        });
        if self.settings.panels.left {
            Panel::left("gpus")
                .frame(side)
                .default_size((width * 0.21).clamp(246.0, 300.0))
                .size_range(200.0..=(width * 0.33).max(201.0))
                .show(ui, |ui| {
                    scrolled(ui, self.state.document, |ui| {
                        let (session, view) = (&mut self.document.session, &self.document.view);
                        gpu_panel::gpu_panel(
                            ui,
                            session,
                            view,
                            &self.derived,
                            &mut self.state,
                            &mut self.requests,
                        );
                    });
                });
        }
        if self.settings.panels.right {
            Panel::right("workloads")
                .frame(side)
                .default_size((width * 0.26).clamp(250.0, 350.0))
                .size_range(240.0..=(width * 0.4).max(241.0))
                .show(ui, |ui| {
                    scrolled(ui, self.state.document, |ui| {
                        let (session, view) = (&mut self.document.session, &self.document.view);
                        let (state, requests) = (&mut self.state, &mut self.requests);
                        if let Some(kernel) = view.kernel {
                            let of = &self.derived;
                            inspector::kernel::kernel(ui, session, kernel, of, state, requests);
                            return;
                        }
                        workload_panel::workload_panel(
                            ui,
                            session,
                            view,
                            &self.derived,
                            state,
                            requests,
                        );
                        inspector::inspector(ui, session, &self.derived, state, requests);
                    });
                });
        } else {
            self.state.shown_fix = None;
        }
        let tables = match &self.state.course {
            // A lesson begins without them, so that the chart has its room.
            Some(course) => course.shows_tables,
            None => self.settings.panels.bottom,
        };
        if tables {
            let ground = Frame::new()
                .fill(roles.ground)
                .inner_margin(Margin::symmetric(14, 6));
            Panel::bottom("tables")
                .frame(ground)
                .default_size((height * 0.29).clamp(110.0, 262.0))
                .size_range(60.0..=(height * 0.6).max(61.0))
                .show(ui, |ui| {
                    let (session, view) = (&mut self.document.session, &mut self.document.view);
                    tables::tables(
                        ui,
                        session,
                        view,
                        &self.derived,
                        &mut self.state,
                        &mut self.requests,
                    );
                    ui.take_available_space();
                });
        }
        self.lesson(ui);
    }

    /// The lesson under way, below the chart; notices what was done.
    fn lesson(&mut self, ui: &mut Ui) {
        let fix = self.state.shown_fix.and_then(|index| {
            let fixes = &self.derived.selected.as_ref()?.fixes;
            Some(fixes.get(index)?.name.clone())
        });
        let document = &self.document;
        let Some(course) = &mut self.state.course else {
            return;
        };
        course.check(&document.session, &document.view, fix.as_deref());
        let roles = Style::of(ui.theme());
        let frame = Frame::new()
            .fill(roles.panel)
            .inner_margin(Margin::symmetric(14, 8));
        let height = (ui.available_height() * 0.28).clamp(150.0, 240.0);
        Panel::bottom("lesson")
            .frame(frame)
            .default_size(height)
            .size_range(110.0..=(ui.available_height() * 0.6).max(111.0))
            .show(ui, |ui| {
                lesson::lesson(ui, document, course, &mut self.requests);
                ui.take_available_space();
            });
    }

    fn chart(&mut self, ui: &mut Ui) {
        let roles = Style::of(ui.theme());
        egui::CentralPanel::default()
            .frame(Frame::new().fill(roles.ground))
            .show(ui, |ui| {
                chart_view::chart_view(
                    ui,
                    &mut self.document,
                    &self.derived,
                    &mut self.state,
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
    }
}

fn scrolled(ui: &mut Ui, document: u64, contents: impl FnOnce(&mut Ui)) {
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        // Room for the scroll bar, so that nothing lies under it.
        let width = ui.available_width() - 10.0;
        ui.set_max_width(width);
        ui.push_id(document, contents);
        ui.add_space(12.0);
    });
}

/// Takes the keyboard from a field, which commits what was typed in this frame.
/// Whether keys or text came in this frame.
fn typed_now(ctx: &egui::Context) -> bool {
    let typed =
        |event: &egui::Event| matches!(event, egui::Event::Text(_) | egui::Event::Key { .. });
    ctx.input(|input| input.events.iter().any(typed))
}

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
