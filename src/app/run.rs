//! Runs what was asked for: commands, requests, finished jobs, and the question before closing.
use super::jobs::Done;
use super::{App, Closing};
use crate::chart::style::Style;
use crate::document::Document;
use crate::figure;
use crate::files::settings::Theme;
use crate::files::{library, presets, session_file};
use crate::model::placement::{Launches, Overlap};
use crate::model::session::Session;
use crate::model::view::View;
use crate::ui::command::Command;
use crate::ui::picker;
use crate::ui::request::{Answer, Request};
use crate::ui::state::{Dialog, LastList, PathDialog, Purpose, Then};
use egui::{Context, ViewportCommand};
use std::path::{Path, PathBuf};

/// The size of an exported figure, in points; a PNG has two pixels to each.
const FIGURE_SIZE: egui::Vec2 = egui::vec2(1200.0, 750.0);

impl App {
    /// Runs everything asked for, first in, first out; says whether there was anything.
    pub(super) fn run_requests(&mut self, ctx: &Context) -> bool {
        let requests = self.requests.take();
        let any = !requests.is_empty();
        for request in requests {
            self.run(ctx, request);
        }
        any
    }

    fn run(&mut self, ctx: &Context, request: Request) {
        let (session, view) = (&mut self.document.session, &mut self.document.view);
        match request {
            Request::Do(command) => self.run_command(ctx, command),
            Request::Open(path) => self.unless_unsaved(ctx, Then::Open(path)),
            Request::OpenInstead(path) => self.jobs.open(ctx, path),
            Request::OpenExample(id) => self.unless_unsaved(ctx, Then::OpenExample(id)),
            Request::SaveTo(path) => self.save_to(ctx, path),
            Request::ExportTo(path) => self.export_to(ctx, path),
            Request::ExportGpuTo(path) => self.export_gpu_to(ctx, path),
            Request::AddGpu(gpu) => view.active = Some(session.add_gpu(*gpu, view.active)),
            Request::AddGpuPreset(id) => self.add_preset(&id),
            Request::AddWorkload(workload) => {
                let id = session.add_workload(*workload, view.selected);
                view.select(Some(id));
            }
            Request::Activate(id) => view.active = Some(id),
            Request::ToggleGpu(id) => view.toggle_gpu(id),
            Request::Select(id) => view.select(Some(id)),
            Request::ToggleWorkload(id) => view.toggle_workload(id),
            Request::PasteText(text) => self.paste(&text),
            Request::RevertGesture => self.document.revert_to_settled(),
            Request::Answer(answer) => self.answer(ctx, answer),
            Request::DismissToast(index) => {
                if index < self.state.toasts.len() {
                    self.state.toasts.remove(index);
                }
            }
        }
    }

    fn run_command(&mut self, ctx: &Context, command: Command) {
        match command {
            Command::New => self.unless_unsaved(ctx, Then::New),
            Command::Open => self.unless_unsaved(ctx, Then::PickAndOpen),
            Command::OpenPath => self.unless_unsaved(ctx, Then::OpenByPath),
            Command::Save => self.save(ctx),
            Command::SaveAs => self.pick(ctx, Purpose::Save),
            Command::SaveAsPath => self.ask_path(Purpose::Save, None),
            Command::ExportFigure => self.pick(ctx, Purpose::Export),
            Command::Quit => ctx.send_viewport_cmd(ViewportCommand::Close),
            Command::Undo => self.document.undo(),
            Command::Redo => self.document.redo(),
            Command::Copy if self.state.last_list == LastList::Gpus => self.copy_gpu(ctx),
            Command::Copy => self.copy_workload(ctx),
            Command::CopyGpu => self.copy_gpu(ctx),
            Command::Paste => ctx.send_viewport_cmd(ViewportCommand::RequestPaste),
            Command::Fit => {
                self.document.view.limits = None;
                self.state.chart.shown = None;
            }
            Command::LockAxes => self.lock_axes(),
            Command::FocusMark => self.state.chart.focus_mark = true,
            Command::AxisLimits => self.state.dialog = Some(Dialog::AxisLimits),
            Command::AddGpu => {
                let own = self.own_devices();
                picker::open(&mut self.state, own);
            }
            Command::KeepGpu => self.keep_gpu(),
            Command::ResetGpu => self.reset_gpu(),
            Command::ExportGpu => self.pick(ctx, Purpose::ExportGpu),
            Command::Keys => self.state.dialog = Some(Dialog::Keys),
            Command::About => self.state.dialog = Some(Dialog::About),
            command => {
                self.edit_command(command);
                self.settings_command(ctx, command);
            }
        }
    }

    /// Commands that edit the session or its view.
    fn edit_command(&mut self, command: Command) {
        let (session, view) = (&mut self.document.session, &mut self.document.view);
        let gpu = view.active;
        let workload = view.selected;
        match command {
            Command::DuplicateWorkload => {
                let copy = workload.and_then(|id| session.duplicate_workload(id));
                view.select(copy.or(workload));
            }
            Command::RemoveWorkload => {
                if let Some(id) = workload {
                    let next = neighbour(&session.workloads, |w| w.id, id);
                    session.remove_workload(id);
                    view.select(next);
                }
            }
            Command::WorkloadUp => drop(workload.map(|id| session.move_workload(id, -1))),
            Command::WorkloadDown => drop(workload.map(|id| session.move_workload(id, 1))),
            Command::DuplicateGpu => {
                view.active = gpu.and_then(|id| session.duplicate_gpu(id)).or(gpu);
            }
            Command::RemoveGpu => {
                if let Some(id) = gpu {
                    let next = neighbour(&session.gpus, |g| g.id, id);
                    session.remove_gpu(id);
                    view.active = next;
                }
            }
            Command::GpuUp => drop(gpu.map(|id| session.move_gpu(id, -1))),
            Command::GpuDown => drop(gpu.map(|id| session.move_gpu(id, 1))),
            Command::ToggleWorkload => {
                if let Some(id) = workload {
                    view.toggle_workload(id);
                }
            }
            Command::ToggleOtherGpus => {
                let all = session.gpus.iter().map(|gpu| gpu.id);
                view.hidden_gpus = match view.hidden_gpus.is_empty() {
                    true => all.filter(|id| gpu != Some(*id)).collect(),
                    false => Vec::new(),
                };
            }
            Command::ToggleTrail => view.show_trail = !view.show_trail,
            Command::ToggleCompare => view.compare = !view.compare,
            Command::ToggleBasis => {
                let by = &mut session.assumptions.judged_by;
                *by = by.other();
            }
            Command::ToggleOverlap => {
                session.assumptions.overlap = match session.assumptions.overlap {
                    Overlap::Full => Overlap::None,
                    Overlap::None => Overlap::Full,
                };
            }
            Command::ToggleLaunches => {
                session.assumptions.launches = match session.assumptions.launches {
                    Launches::Hidden => Launches::Added,
                    Launches::Added => Launches::Hidden,
                };
            }
            Command::NextGpu => view.active = next(&session.gpus, |g| g.id, gpu),
            Command::NextWorkload => {
                let next = next(&session.workloads, |w| w.id, workload);
                view.select(next);
            }
            _ => {}
        }
        view.repair(session);
    }

    /// Commands that change what the machine remembers.
    fn settings_command(&mut self, ctx: &Context, command: Command) {
        let settings = &mut self.settings;
        match command {
            Command::ToggleTheme => {
                let dark = ctx.theme() == egui::Theme::Dark;
                settings.theme = if dark { Theme::Light } else { Theme::Dark };
            }
            Command::ToggleGpuPanel => settings.panels.left = !settings.panels.left,
            Command::ToggleWorkloadPanel => settings.panels.right = !settings.panels.right,
            Command::ToggleTables => settings.panels.bottom = !settings.panels.bottom,
            _ => return,
        }
        self.keep_settings();
    }

    fn keep_settings(&self) {
        if let Some(folder) = &self.settings_folder
            && let Err(error) = self.settings.save_to(folder)
        {
            log::warn!("settings are not kept: {error}");
        }
    }

    fn lock_axes(&mut self) {
        let view = &mut self.document.view;
        view.locked = !view.locked;
        if view.locked {
            view.limits = view.limits.or(self.state.chart.shown);
        }
    }

    fn add_preset(&mut self, id: &str) {
        match presets::gpu(id) {
            Some(Ok(preset)) => {
                let (session, view) = (&mut self.document.session, &mut self.document.view);
                view.active = Some(session.add_gpu(preset.gpu, view.active));
            }
            Some(Err(error)) => self
                .state
                .complain(format!("The preset {id} cannot be read: {error}")),
            None => self.state.complain(format!("There is no preset {id}.")),
        }
    }

    /// The user's own devices; what is wrong with a file is told.
    fn own_devices(&mut self) -> Vec<crate::model::gpu::Gpu> {
        let Some(folder) = &self.settings_folder else {
            return Vec::new();
        };
        let mut devices = Vec::new();
        for entry in library::devices(&library::folder(folder)) {
            match entry.device {
                Ok(gpu) => devices.push(gpu),
                Err(reason) => self.state.complain(reason),
            }
        }
        devices
    }

    fn keep_gpu(&mut self) {
        let gpu = self
            .document
            .view
            .active
            .and_then(|id| self.document.session.gpu(id));
        let Some((gpu, settings)) = gpu.zip(self.settings_folder.as_deref()) else {
            return;
        };
        match library::keep(&library::folder(settings), gpu) {
            Ok(path) => self.state.tell(format!("Kept as {}", path.display())),
            Err(error) => self.state.complain(format!("Not kept: {error}")),
        }
    }

    fn reset_gpu(&mut self) {
        let id = self.document.view.active;
        if let Some(gpu) = id.and_then(|id| self.document.session.gpu_mut(id)) {
            gpu.reset();
        }
    }

    fn copy_gpu(&mut self, ctx: &Context) {
        let gpu = self
            .document
            .view
            .active
            .and_then(|id| self.document.session.gpu(id));
        if let Some(gpu) = gpu {
            ctx.copy_text(session_file::gpu_text(gpu));
            let name = gpu.name.clone();
            self.state
                .tell(format!("{name} is on the clipboard as text"));
        }
    }

    fn copy_workload(&mut self, ctx: &Context) {
        let workload = self
            .document
            .view
            .selected
            .and_then(|id| self.document.session.workload(id));
        if let Some(workload) = workload {
            ctx.copy_text(session_file::workload_text(workload));
            let name = workload.name.clone();
            self.state
                .tell(format!("{name} is on the clipboard as text"));
        }
    }

    fn paste(&mut self, text: &str) {
        let (session, view) = (&mut self.document.session, &mut self.document.view);
        if let Ok(workload) = session_file::workload_from_text(text) {
            let id = session.add_workload(workload, view.selected);
            view.select(Some(id));
        } else {
            match session_file::gpu_from_text(text) {
                Ok(gpu) => view.active = Some(session.add_gpu(gpu, view.active)),
                Err(error) => self.state.complain(format!(
                    "The clipboard holds neither a GPU nor a workload: {error}"
                )),
            }
        }
    }

    // ---- files

    fn pick(&mut self, ctx: &Context, purpose: Purpose) {
        if self.jobs.busy() {
            return;
        }
        let suggestion = self.suggested_name(purpose);
        let folder = self
            .document
            .path
            .as_deref()
            .and_then(Path::parent)
            .map(Path::to_owned);
        self.jobs.pick(ctx, purpose, folder.as_deref(), &suggestion);
    }

    fn suggested_name(&self, purpose: Purpose) -> String {
        let stem = self.document.path.as_deref().and_then(Path::file_stem);
        let stem = stem.map_or_else(
            || library::file_stem(&self.document.session.title),
            |s| s.to_string_lossy().into_owned(),
        );
        let gpu = self
            .document
            .view
            .active
            .and_then(|id| self.document.session.gpu(id));
        match purpose {
            Purpose::ExportGpu => format!(
                "{}.ron",
                library::file_stem(gpu.map_or("", |gpu| &gpu.name))
            ),
            Purpose::Open => String::new(),
            Purpose::Save => format!("{stem}.ron"),
            Purpose::Export => format!("{stem}.svg"),
        }
    }

    fn ask_path(&mut self, purpose: Purpose, reason: Option<String>) {
        let here = std::env::current_dir().ok();
        let folder = self
            .document
            .path
            .as_deref()
            .and_then(Path::parent)
            .or(here.as_deref());
        let text = match (purpose, folder) {
            (_, Some(folder)) => folder
                .join(self.suggested_name(purpose))
                .display()
                .to_string(),
            (_, None) => self.suggested_name(purpose),
        };
        self.state.dialog = Some(Dialog::Path(PathDialog {
            purpose,
            text,
            reason,
            error: None,
            replaces: None,
        }));
    }

    fn save(&mut self, ctx: &Context) {
        match self.document.path.clone() {
            Some(path) => self.save_to(ctx, path),
            None => self.pick(ctx, Purpose::Save),
        }
    }

    fn save_to(&mut self, ctx: &Context, path: PathBuf) {
        if self.document.comments_will_be_lost && self.document.path.as_ref() == Some(&path) {
            self.state
                .tell("Comments written by hand in this file are not kept; notes are.");
        }
        let (session, view) = (self.document.session.clone(), self.document.view.clone());
        self.jobs.save(ctx, path, session, view);
    }

    fn export_to(&mut self, ctx: &Context, path: PathBuf) {
        let (session, view) = (self.document.session.clone(), self.document.view.clone());
        let theme = ctx.theme();
        let as_png = path
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("png"));
        self.jobs.export(ctx, path, move || {
            let svg = figure::chart::svg(&session, &view, FIGURE_SIZE, theme);
            if as_png {
                figure::png::from_svg(&svg, 2.0).map_err(|error| error.to_string())
            } else {
                Ok(svg.into_bytes())
            }
        });
    }

    fn export_gpu_to(&mut self, ctx: &Context, path: PathBuf) {
        let gpu = self
            .document
            .view
            .active
            .and_then(|id| self.document.session.gpu(id));
        if let Some(text) = gpu.map(session_file::gpu_text) {
            self.jobs.export(ctx, path, move || Ok(text.into_bytes()));
        }
    }

    pub(super) fn finish_jobs(&mut self, ctx: &Context) {
        for done in self.jobs.poll() {
            self.finish(ctx, done);
        }
    }

    fn finish(&mut self, ctx: &Context, done: Done) {
        match done {
            Done::Saved(Ok((path, written))) => {
                self.state.tell(format!("Saved {}", path.display()));
                self.remember(&path);
                self.document.mark_saved(*written, path);
                if let Some(then) = self.after_save.take() {
                    self.unless_unsaved(ctx, then);
                }
            }
            Done::Saved(Err(error)) => {
                self.after_save = None;
                self.state.complain(format!("Not saved: {error}"));
            }
            Done::Opened(Ok((path, loaded))) => {
                self.remember(&path);
                for warning in &loaded.warnings {
                    self.state.tell(warning.clone());
                }
                let mut document = Document::new(loaded.session, loaded.view, Some(path));
                document.comments_will_be_lost = loaded.has_comments;
                if loaded.has_comments {
                    self.state.tell("This file holds comments written by hand: saving will not keep them, notes it will.");
                }
                self.replace(document);
            }
            Done::Opened(Err(error)) => self.state.complain(format!("Not opened: {error}")),
            Done::Exported(Ok(path)) => self.state.tell(format!("Exported {}", path.display())),
            Done::Exported(Err(error)) => self.state.complain(format!("Not exported: {error}")),
            Done::Picked(Purpose::Open, path) => self.jobs.open(ctx, path),
            Done::Picked(Purpose::Save, path) => self.save_to(ctx, path),
            Done::Picked(Purpose::Export, path) => self.export_to(ctx, path),
            Done::Picked(Purpose::ExportGpu, path) => self.export_gpu_to(ctx, path),
            Done::Device(gpu) => {
                let (session, view) = (&mut self.document.session, &mut self.document.view);
                view.active = Some(session.add_gpu(*gpu, view.active));
            }
            Done::Dismissed => self.after_save = None,
            Done::NoDialog(purpose, reason) => {
                self.ask_path(purpose, Some(reason).filter(|reason| !reason.is_empty()));
            }
        }
        ctx.request_repaint();
    }

    fn remember(&mut self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        self.settings.remember(&path);
        self.keep_settings();
    }

    fn replace(&mut self, document: Document) {
        self.document = document;
        self.state.chart.shown = None;
        self.state.chart.fitted = None;
        self.state.chart.drag = None;
        self.state.chart.ghost = None;
        self.state.shown_fix = None;
    }

    // ---- unsaved changes

    /// Goes on with `then`, or asks first if changes would be lost.
    fn unless_unsaved(&mut self, ctx: &Context, then: Then) {
        if self.document.is_dirty() {
            self.state.dialog = Some(Dialog::Unsaved { then });
            return;
        }
        self.go_on(ctx, then);
    }

    fn go_on(&mut self, ctx: &Context, then: Then) {
        match then {
            Then::Close => {
                self.closing = Closing::Closes;
                ctx.send_viewport_cmd(ViewportCommand::Close);
            }
            Then::New => {
                let session = Session::empty("Untitled");
                let view = View::of(&session);
                self.replace(Document::new(session, view, None));
            }
            Then::Open(path) => self.jobs.open(ctx, path),
            Then::OpenExample(id) => self.open_example(&id),
            Then::PickAndOpen => self.pick(ctx, Purpose::Open),
            Then::OpenByPath => self.ask_path(Purpose::Open, None),
        }
    }

    fn open_example(&mut self, id: &str) {
        let preset = presets::sessions().iter().find(|preset| preset.id == id);
        match preset.map(|preset| session_file::read(preset.text)) {
            Some(Ok(loaded)) => self.replace(Document::new(loaded.session, loaded.view, None)),
            Some(Err(error)) => self
                .state
                .complain(format!("The example {id} cannot be read: {error}")),
            None => self.state.complain(format!("There is no example {id}.")),
        }
    }

    fn answer(&mut self, ctx: &Context, answer: Answer) {
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
        } else if self.document.is_dirty() {
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

    fn show_window(&self, ctx: &Context) {
        ctx.send_viewport_cmd(ViewportCommand::Minimized(false));
        ctx.send_viewport_cmd(ViewportCommand::Focus);
        ctx.request_repaint();
    }

    /// The ground of the theme in use, for pictures of the window.
    pub fn ground(theme: egui::Theme) -> egui::Color32 {
        Style::of(theme).panel
    }
}

/// The identity after `current`, round the list.
fn next<T, I: PartialEq + Copy>(list: &[T], id: impl Fn(&T) -> I, current: Option<I>) -> Option<I> {
    let at = list.iter().position(|item| Some(id(item)) == current);
    let next = at.map_or(0, |at| (at + 1) % list.len().max(1));
    list.get(next).map(id)
}

/// The identity that takes the place of `removed`: the one below it, else above.
fn neighbour<T, I: PartialEq + Copy>(list: &[T], id: impl Fn(&T) -> I, removed: I) -> Option<I> {
    let at = list.iter().position(|item| id(item) == removed)?;
    let below = list.get(at + 1);
    below.or_else(|| list.get(at.checked_sub(1)?)).map(id)
}
