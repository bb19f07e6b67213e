//! Runs what was asked for, first in, first out.
use super::App;
use super::panels::Edge;
use crate::chart::style::Style;
use crate::ui::kernels::state::Origin;
use crate::ui::request::Request;
use crate::ui::state::{Then, Trace};
use egui::Context;

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
            Request::Open(path) => self.waiting.push_back(path),
            // What was done for a lesson is lost by nobody.
            Request::OpenExample(id) => match self.is_next_lesson(&id) {
                true => self.open_example(&id),
                false => self.unless_unsaved(ctx, Then::OpenExample(id)),
            },
            Request::SaveTo(path) => self.save_to(ctx, path),
            Request::ExportTo(path) => self.export_to(ctx, path),
            Request::ExportGpuTo(path) => self.export_gpu_to(ctx, path),
            Request::TakeAchievable(path) => self.read_achievable(ctx, path),
            Request::AddGpu(gpu) => view.active = Some(session.add_gpu(*gpu, view.active)),
            Request::AddGpuPreset(id) => self.add_preset(&id),
            Request::CompleteModel(config) => self.complete_model(&config),
            Request::AddModelPreset(id) => self.add_model_preset(&id),
            Request::AddWorkload(workload) => {
                let id = session.add_workload(*workload, view.selected);
                view.select(Some(id));
            }
            Request::Activate(id) => view.active = Some(id),
            Request::Trace(gpu, target) => {
                view.active = Some(gpu);
                self.open_panel(Edge::Left);
                self.state.trace = Some(Trace {
                    gpu,
                    target,
                    shown: false,
                });
            }
            Request::ToggleGpu(id) => view.toggle_gpu(id),
            Request::Select(id) => view.select(Some(id)),
            Request::Lesson(turn) => self.turn_lesson(turn),
            Request::ShowView(id) => self.show_view(id),
            Request::ShowKernel(kernel) => view.kernel = Some(kernel),
            Request::SelectKernel(kernel) => self.select_kernel(kernel),
            Request::ToggleProfile(id) => view.toggle_profile(id),
            Request::JudgeBy(profile, judge) => self.judge_by(profile, judge),
            Request::Import(path) => self.import(ctx, Origin::File(path)),
            Request::MapColumns(origin) => {
                let mappings = self.settings.mappings.clone();
                self.jobs.read_table(ctx, origin, mappings);
            }
            Request::ImportTable(origin, columns, mapping) => {
                self.settings.remember_mapping(&columns, (*mapping).clone());
                self.keep_settings();
                self.jobs.import_mapped(ctx, origin, *mapping);
            }
            Request::CancelReading => self.jobs.cancel_reading(),
            Request::ToggleWorkload(id) => view.toggle_workload(id),
            Request::PasteText(text) => self.paste(ctx, text),
            Request::RevertGesture => self.document.revert_to_settled(),
            Request::Answer(answer) => self.answer(ctx, answer),
            Request::ComputeHeatMap(wanted) => self.derived.map.stopped = !wanted,
            Request::DismissHints => {
                self.settings.hints = false;
                self.keep_settings();
            }
            Request::Used(key) => {
                self.settings.use_again(key);
                self.keep_settings();
            }
            Request::DismissToast(index) => {
                if index < self.state.toasts.len() {
                    self.state.toasts.remove(index);
                }
            }
        }
    }

    /// Opens the next of several files, once the one before is read and nothing is asked about it.
    pub(super) fn open_waiting(&mut self, ctx: &Context) {
        let occupied = self.jobs.busy() || self.state.dialog.is_some();
        if !occupied && let Some(path) = self.waiting.pop_front() {
            self.jobs.open(ctx, path, self.settings.mappings.clone());
        }
    }

    /// Whether something shown is still being read or computed.
    pub fn computes(&self) -> bool {
        self.grids.busy() || self.jobs.busy() || !self.waiting.is_empty()
    }

    /// Opens a file in the next frame, as if it were dropped on the window.
    pub fn ask_to_open(&mut self, file: std::path::PathBuf) {
        self.requests.push(Request::Open(file));
    }

    /// Takes what was read meanwhile, as a window does between frames.
    pub fn take_finished(&mut self, ctx: &Context) {
        self.finish_jobs(ctx);
    }

    /// The ground of the theme in use, for pictures of the window.
    pub fn ground(theme: egui::Theme) -> egui::Color32 {
        Style::of(theme).panel
    }
}
