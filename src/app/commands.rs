//! Runs commands: what each verb does.
use super::panels::Edge;
use super::{App, kernels};
use crate::files::settings::Theme;
use crate::files::{library, presets, session_file};
use crate::model::gpu::Gpu;
use crate::model::placement::{Estimate, Launches, Overlap};
use crate::ui::chart_bar::level_choices;
use crate::ui::command::Command;
use crate::ui::dialogs::{models, picker};
use crate::ui::kernels::state::Origin;
use crate::ui::palette;
use crate::ui::state::{Dialog, LastList, Purpose, Then};
use egui::{Context, ViewportCommand};

impl App {
    pub(super) fn run_command(&mut self, ctx: &Context, command: Command) {
        match command {
            Command::New => self.unless_unsaved(ctx, Then::New),
            Command::Open => self.pick(ctx, Purpose::Open),
            Command::OpenPath => self.ask_path(Purpose::Open, None),
            Command::Save => self.save(ctx),
            Command::SaveAs => self.pick(ctx, Purpose::Save),
            Command::SaveAsPath => self.ask_path(Purpose::Save, None),
            Command::ExportFigure => self.pick(ctx, Purpose::Export),
            Command::Quit => ctx.send_viewport_cmd(ViewportCommand::Close),
            Command::Undo => self.undo(),
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
            Command::AddModel => models::open(&mut self.state),
            Command::KeepGpu => self.keep_gpu(),
            Command::ResetGpu => self.reset_gpu(),
            Command::ExportGpu => self.pick(ctx, Purpose::ExportGpu),
            Command::TakeAchievable => self.pick_achievable(ctx),
            Command::Words => {
                let open = self.state.words.take().is_some();
                self.state.words = (!open).then(String::new);
            }
            Command::Palette => {
                let own = self.own_devices();
                let dark = ctx.theme() == egui::Theme::Dark;
                palette::open(&mut self.state, &self.document, &self.settings, dark, own);
            }
            Command::ImportKernels => self.pick(ctx, Purpose::Import),
            Command::ImportFolder => self.pick(ctx, Purpose::ImportFolder),
            Command::Recipe => self.state.dialog = Some(Dialog::Recipe),
            Command::FileSummary => self.state.dialog = Some(Dialog::FileSummary),
            Command::FindKernel | Command::NextKernel | Command::CopyKernel => {
                self.kernel_command(ctx, command);
            }
            Command::Keys => self.state.dialog = Some(Dialog::Keys(String::new())),
            Command::About => self.state.dialog = Some(Dialog::About),
            Command::RemoveWorkload if self.state.chart.focused_note.is_some() => {
                self.state.annotation = None;
                let note = self.state.chart.focused_note.take();
                note.into_iter()
                    .for_each(|id| self.document.session.remove_annotation(id));
            }
            command => {
                self.edit_command(command);
                self.present_command(ctx, command);
                self.settings_command(ctx, command);
            }
        }
    }

    /// Takes back what is refused of the selected workload, which is the last thing typed there; else goes a step back.
    fn undo(&mut self) {
        let selected = self.document.view.selected;
        if !selected.is_some_and(|id| self.state.half_typed.take_back(id)) {
            self.document.undo();
        }
    }

    /// Commands that edit the session or its view.
    pub(super) fn edit_command(&mut self, command: Command) {
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
            Command::IsolateKernel
            | Command::HideKernel
            | Command::ShowKernels
            | Command::GroupKernels
            | Command::RemoveProfile
            | Command::LeaveKernel => kernels::edit(session, view, command),
            Command::ToggleTrail => view.show_trail = !view.show_trail,
            Command::ToggleCompare => view.compare = !view.compare,
            Command::ToggleSparse => {
                view.show_sparse = !view.show_sparse;
                let has = |gpu: &Gpu| gpu.compute.iter().any(|roof| roof.path.sparse);
                let active = gpu.and_then(|id| session.gpu(id));
                if let Some(gpu) = active.filter(|gpu| view.show_sparse && !has(gpu)) {
                    let text = format!("{} has no peaks with structured sparsity.", gpu.name);
                    self.state.tell(text);
                }
            }
            Command::ToggleNormalised => {
                view.normalised = !view.normalised;
                view.limits = None;
            }
            Command::NextLevel => {
                let choices = gpu.and_then(|id| session.gpu(id)).map(level_choices);
                let choices = choices.unwrap_or_default();
                let now = choices.iter().position(|choice| *choice == view.levels);
                let next = now.map_or(0, |at| (at + 1) % choices.len());
                view.levels = choices.get(next).copied().unwrap_or_default();
                if choices.len() < 2 {
                    self.state
                        .tell("The active GPU has only one memory level to show.".to_owned());
                }
            }
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
            Command::ToggleEstimate => {
                session.assumptions.estimate = match session.assumptions.estimate {
                    Estimate::Bound => Estimate::Realistic,
                    Estimate::Realistic => Estimate::Bound,
                };
            }
            Command::ToggleOperators => view.show_operators = !view.show_operators,
            Command::NextGpu => view.active = next(&session.gpus, |g| g.id, gpu, 1),
            Command::PreviousGpu => {
                let back = session.gpus.len().saturating_sub(1);
                view.active = next(&session.gpus, |g| g.id, gpu, back);
            }
            Command::NextWorkload => {
                let next = next(&session.workloads, |w| w.id, workload, 1);
                view.select(next);
            }
            _ => {}
        }
        view.repair(session);
    }

    /// Commands that change what the machine remembers.
    pub(super) fn settings_command(&mut self, ctx: &Context, command: Command) {
        let settings = &mut self.settings;
        match command {
            Command::ToggleTheme => {
                let dark = ctx.theme() == egui::Theme::Dark;
                settings.theme = if dark { Theme::Light } else { Theme::Dark };
            }
            Command::ToggleContrast => settings.contrast = !settings.contrast,
            Command::ZoomIn | Command::ZoomOut | Command::ZoomReset => {
                match command {
                    Command::ZoomIn => settings.zoom_by(1),
                    Command::ZoomOut => settings.zoom_by(-1),
                    _ => settings.zoom = 1.0,
                }
                // At once, and panels are laid out anew: what was wide is too wide now, or too narrow.
                ctx.set_zoom_factor(settings.zoom);
                self.forget_sizes = true;
            }
            Command::ShowHints => settings.hints = true,
            Command::ResetLayout => return self.reset_layout(),
            Command::ToggleGpuPanel => return self.toggle_panel(Edge::Left),
            Command::ToggleWorkloadPanel => return self.toggle_panel(Edge::Right),
            Command::ToggleTables => return self.toggle_panel(Edge::Bottom),
            _ => return,
        }
        self.keep_settings();
    }

    pub(super) fn keep_settings(&self) {
        if let Some(folder) = &self.settings_folder
            && let Err(error) = self.settings.save_to(folder)
        {
            log::warn!("settings are not kept: {error}");
        }
    }

    pub(super) fn lock_axes(&mut self) {
        let view = &mut self.document.view;
        view.locked = !view.locked;
        if view.locked {
            view.limits = view.limits.or(self.state.chart.shown);
        }
    }

    pub(super) fn add_preset(&mut self, id: &str) {
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
    pub(super) fn own_devices(&mut self) -> Vec<crate::model::gpu::Gpu> {
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

    pub(super) fn keep_gpu(&mut self) {
        let gpu = self
            .document
            .view
            .active
            .and_then(|id| self.document.session.gpu(id));
        let Some((gpu, settings)) = gpu.zip(self.settings_folder.as_deref()) else {
            return;
        };
        match library::keep(&library::folder(settings), gpu) {
            Ok(kept) => self.state.tell(kept.told(gpu)),
            Err(error) => self.state.complain(format!("Not kept: {error}")),
        }
    }

    pub(super) fn reset_gpu(&mut self) {
        let id = self.document.view.active;
        if let Some(gpu) = id.and_then(|id| self.document.session.gpu_mut(id)) {
            let published = self.derived.published.preset_of(gpu).cloned();
            if !gpu.differs(published.as_ref()) {
                let text = format!("{}: every number is as published.", gpu.name);
                return self.state.tell(text);
            }
            gpu.reset(published.as_ref());
        }
    }

    pub(super) fn copy_gpu(&mut self, ctx: &Context) {
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

    pub(super) fn copy_workload(&mut self, ctx: &Context) {
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

    pub(super) fn paste(&mut self, ctx: &Context, text: String) {
        let (session, view) = (&mut self.document.session, &mut self.document.view);
        if let Ok(workload) = session_file::workload_from_text(&text) {
            let id = session.add_workload(workload, view.selected);
            view.select(Some(id));
        } else {
            match session_file::gpu_from_text(&text) {
                Ok(gpu) => view.active = Some(session.add_gpu(gpu, view.active)),
                // A table or a trace has more than a few words on a line.
                Err(_) if text.lines().nth(1).is_some() && !text.trim_start().starts_with('(') => {
                    self.import(ctx, Origin::Text(text.into()));
                }
                Err(error) => self.state.complain(format!(
                    "The clipboard holds neither a GPU nor a workload: {error}"
                )),
            }
        }
    }
}

/// The identity `steps` after `current`, round the list.
fn next<T, I: PartialEq + Copy>(
    list: &[T],
    id: impl Fn(&T) -> I,
    current: Option<I>,
    steps: usize,
) -> Option<I> {
    let at = list.iter().position(|item| Some(id(item)) == current);
    let next = at.map_or(0, |at| (at + steps) % list.len().max(1));
    list.get(next).map(id)
}

/// The identity that takes the place of `removed`: the one below it, else above.
fn neighbour<T, I: PartialEq + Copy>(list: &[T], id: impl Fn(&T) -> I, removed: I) -> Option<I> {
    let at = list.iter().position(|item| id(item) == removed)?;
    let below = list.get(at + 1);
    below.or_else(|| list.get(at.checked_sub(1)?)).map(id)
}
