//! Opening, saving and exporting, and what the jobs that do it come to.
use super::App;
use super::done::Done;
use crate::document::Document;
use crate::figure;
use crate::files::session_file::Loaded;
use crate::files::{library, session_file};
use crate::ui::kernels::state::{Columns, Origin};
use crate::ui::state::{Dialog, PathDialog, Purpose, Then, Toast};
use egui::Context;
use std::path::{Path, PathBuf};

/// The size of an exported figure, in points; a PNG has two pixels to each.
const FIGURE_SIZE: egui::Vec2 = egui::vec2(1200.0, 750.0);

impl App {
    pub(super) fn pick(&mut self, ctx: &Context, purpose: Purpose) {
        if self.jobs.busy() {
            // What would have gone on after it must not go on after something else.
            self.after_save = None;
            self.state
                .tell("Something is still being read or written: try again in a moment.");
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

    pub(super) fn suggested_name(&self, purpose: Purpose) -> String {
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
            Purpose::Open | Purpose::Achievable | Purpose::Import | Purpose::ImportFolder => {
                String::new()
            }
            Purpose::Save => format!("{stem}.ron"),
            Purpose::Export => format!("{stem}.svg"),
        }
    }

    pub(super) fn ask_path(&mut self, purpose: Purpose, reason: Option<String>) {
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

    pub(super) fn save(&mut self, ctx: &Context) {
        match self.document.path.clone() {
            Some(path) => self.save_to(ctx, path),
            None => self.pick(ctx, Purpose::Save),
        }
    }

    pub(super) fn save_to(&mut self, ctx: &Context, path: PathBuf) {
        if self.document.comments_will_be_lost && self.document.path.as_ref() == Some(&path) {
            self.state
                .tell("Comments written by hand in this file are not kept; notes are.");
        }
        let (session, view) = (self.document.session.clone(), self.document.view.clone());
        self.jobs.save(ctx, path, session, view);
    }

    pub(super) fn export_to(&mut self, ctx: &Context, path: PathBuf) {
        let (session, view) = (self.document.session.clone(), self.document.view.clone());
        let theme = ctx.theme();
        let as_png = path
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("png"));
        self.jobs.export(ctx, path, move || {
            let svg = figure::chart::svg(&session, &view, None, FIGURE_SIZE, theme);
            if as_png {
                figure::png::from_svg(&svg, 2.0).map_err(|error| error.to_string())
            } else {
                Ok(svg.into_bytes())
            }
        });
    }

    pub(super) fn export_gpu_to(&mut self, ctx: &Context, path: PathBuf) {
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

    pub(super) fn finish(&mut self, ctx: &Context, done: Done) {
        match done {
            Done::Saved(Ok((path, written))) => {
                self.state.tell(format!("Saved {}", path.display()));
                for workload in self.state.half_typed.refused(&self.document.session) {
                    let name = &workload.name;
                    let text = format!(
                        "What is typed for {name} has a mistake: its last good value was saved."
                    );
                    self.state.toasts.push(Toast::notice(text));
                }
                self.remember(&path);
                self.document.mark_saved(*written, path);
                self.after_save(ctx);
            }
            Done::Saved(Err(error)) => {
                self.after_save = None;
                self.state.complain(format!("Not saved: {error}"));
            }
            // Only now is it known that this replaces the open session: what is added to it needs no question.
            Done::Opened(Ok((path, loaded))) => {
                self.unless_unsaved(ctx, Then::Replace(path, loaded));
            }
            Done::Opened(Err(error)) => self.state.complain(format!("Not opened: {error}")),
            Done::Exported(Ok(path)) => self.state.tell(format!("Exported {}", path.display())),
            Done::Exported(Err(error)) => self.state.complain(format!("Not exported: {error}")),
            Done::Picked(Purpose::Open, path) => {
                self.jobs.open(ctx, path, self.settings.mappings.clone());
            }
            Done::Picked(Purpose::Save, path) => self.save_to(ctx, path),
            Done::Picked(Purpose::Export, path) => self.export_to(ctx, path),
            Done::Picked(Purpose::ExportGpu, path) => self.export_gpu_to(ctx, path),
            Done::Picked(Purpose::Achievable, path) => self.read_achievable(ctx, path),
            Done::Achievable(gpu, read) => self.take_achievable(gpu, read),
            Done::Model(Ok(file)) => self.add_model(file),
            Done::Model(Err(error)) => self.state.complain(format!("Not opened: {error}")),
            Done::Devices(gpus, notices) => self.add_devices(gpus, notices),
            Done::Kernels(Ok(read), origin) => self.add_kernels(*read, origin),
            Done::Kernels(Err(error), _) => self.state.complain(format!("Not read: {error}")),
            Done::Table(table, origin, as_before) => {
                let columns = Columns::of(*table, origin, as_before.map(|mapping| *mapping));
                self.state.dialog = Some(Dialog::Columns(Box::new(columns)));
            }
            Done::Picked(Purpose::Import | Purpose::ImportFolder, path) => {
                self.import(ctx, Origin::File(path));
            }
            Done::Dismissed => self.after_save = None,
            Done::NoDialog(purpose, reason) => {
                self.ask_path(purpose, Some(reason).filter(|reason| !reason.is_empty()));
            }
        }
        ctx.request_repaint();
    }

    /// Shows a session that was read, in place of the open one.
    pub(super) fn open_read(&mut self, path: &Path, loaded: Loaded) {
        self.remember(path);
        for warning in loaded.warnings {
            self.state.tell(warning);
        }
        let path = Some(path.to_owned());
        let mut document = Document::new(loaded.session, loaded.view, path);
        document.comments_will_be_lost = loaded.has_comments;
        if loaded.has_comments {
            self.state.tell("This file holds comments written by hand: saving will not keep them, notes it will.");
        }
        self.replace(document);
        let gpus = self.document.session.gpus.iter().map(|gpu| gpu.id);
        self.tell_doubts(gpus.collect());
    }

    pub(super) fn remember(&mut self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        self.settings.remember(&path);
        self.keep_settings();
    }

    pub(super) fn replace(&mut self, document: Document) {
        self.document = document;
        self.state.document += 1;
        self.state.half_typed.clear();
        self.state.chart.shown = None;
        self.state.chart.fitted = None;
        self.state.chart.drag = None;
        self.state.chart.ghost = None;
        self.state.shown_fix = None;
        self.state.trace = None;
        self.state.shown_view = None;
        self.state.annotation = None;
        self.state.playing = None;
        self.state.course = None;
    }
}
