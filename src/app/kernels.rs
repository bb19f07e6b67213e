//! Measured kernels: what comes of reading a file, whose roofs judge them, and the verbs that act on one.
use super::App;
use super::panels::Edge;
use crate::files::import::profile::ReadProfile;
use crate::files::import::profile::adopt::{self, Taking};
use crate::files::presets;
use crate::model::ids::ProfileId;
use crate::model::profile::{KernelId, KernelKey};
use crate::model::session::Session;
use crate::model::view::View;
use crate::ui::command::Command;
use crate::ui::dialogs::which_gpu;
use crate::ui::kernels::state::{FileSummary, Listing, Origin};
use crate::ui::request::Judge;
use crate::ui::state::Tab;
use egui::Context;

impl App {
    /// Reads measured kernels.
    pub(super) fn import(&mut self, ctx: &Context, origin: Origin) {
        let mappings = self.settings.mappings.clone();
        self.jobs.import(ctx, origin, mappings);
    }

    /// Adds a file's kernels as one step, or takes them in place of those of an older file of the same name and format.
    pub(super) fn add_kernels(&mut self, read: ReadProfile, origin: Origin) {
        let named = read.device.as_ref().map(|device| device.name.clone());
        let mut summary = FileSummary::of(&read, origin);
        let (session, view) = (&mut self.document.session, &mut self.document.view);
        let taking = Taking {
            replaces: adopt::same_source(session, &read),
            ..Taking::default()
        };
        let taken = adopt::take(session, read, taking);
        let id = taken.profile;
        summary.profile = id;
        summary.device = taken.said;
        view.profile = Some(id);
        view.hidden_profiles.retain(|hidden| *hidden != id);
        let gpu = session.profile(id).and_then(|profile| profile.gpu);
        view.active = gpu.or(view.active);
        self.state.tab = Tab::Kernels;
        self.state.kernels.order = None;
        self.state.kernels.listing = Listing::Kernels;
        self.open_panel(Edge::Bottom);
        self.state.kernels.read.retain(|read| read.profile != id);
        self.state.kernels.read.insert(0, summary);
        self.select_heaviest(id);
        if gpu.is_none() {
            which_gpu::ask(&mut self.state, id, named);
        }
    }

    /// Tells of the kernel with most to win, so that the answer is there at once.
    fn select_heaviest(&mut self, profile: ProfileId) {
        self.refresh();
        let analysed = self.derived.analyses.get(profile);
        let first = analysed.and_then(|analysed| analysed.analysis.order.first());
        self.document.view.kernel = first.map(|line| KernelId {
            profile,
            line: *line,
        });
    }

    pub(super) fn judge_by(&mut self, profile: ProfileId, judge: Judge) {
        let (session, view) = (&mut self.document.session, &mut self.document.view);
        let gpu = match judge {
            Judge::Of(id) => Some(id),
            Judge::Preset(id) => {
                let preset = presets::gpu(&id).and_then(Result::ok);
                preset.map(|preset| session.add_gpu(preset.gpu, view.active))
            }
        };
        if let Some(profile) = session.profile_mut(profile) {
            profile.gpu = gpu;
        }
        view.active = gpu.or(view.active);
    }

    pub(super) fn select_kernel(&mut self, kernel: KernelId) {
        self.document.view.select_kernel(kernel);
        self.state.tab = Tab::Kernels;
        self.state.kernels.scroll_to_selected = true;
    }

    /// Verbs that need more than the session.
    pub(super) fn kernel_command(&mut self, ctx: &Context, command: Command) {
        let view = &self.document.view;
        match command {
            Command::FindKernel => {
                self.state.tab = Tab::Kernels;
                self.open_panel(Edge::Bottom);
                self.state.kernels.focus_search = true;
            }
            Command::CopyKernel => {
                let analysed = view
                    .kernel
                    .and_then(|k| Some((k, self.derived.analyses.of_kernel(k)?)));
                if let Some((kernel, analysed)) = analysed {
                    ctx.copy_text(analysed.kernel(kernel.line).name.to_string());
                    self.state.tell("The full name is on the clipboard");
                }
            }
            Command::NextKernel => {
                let Some(profile) = view.profile else { return };
                let Some(analysed) = self.derived.analyses.get(profile) else {
                    return;
                };
                let order = self.state.kernels.order;
                let rows = &mut self.state.kernels.rows;
                rows.refresh(analysed, order);
                let at = view.kernel.and_then(|kernel| rows.position(kernel.line));
                let next = at.map_or(0, |at| (at + 1) % rows.rows.len().max(1));
                if let Some(row) = rows.rows.get(next) {
                    let line = row.judged.line;
                    self.select_kernel(KernelId { profile, line });
                }
            }
            _ => {}
        }
    }
}

/// Verbs that act on the kernels of a session.
pub(super) fn edit(session: &mut Session, view: &mut View, command: Command) {
    let Some(id) = view.profile else { return };
    if command == Command::RemoveProfile {
        session.remove_profile(id);
        view.profile = None;
        return;
    }
    if command == Command::LeaveKernel {
        view.kernel = None;
        return;
    }
    let Some(profile) = session.profile_mut(id) else {
        return;
    };
    let lines = &profile.kernels.lines;
    let kernel = view
        .kernel
        .and_then(|kernel| lines.get(kernel.line as usize))
        .cloned();
    let choices = &mut profile.choices;
    match (command, kernel) {
        (Command::IsolateKernel, _) if !choices.isolated.is_empty() => choices.isolated.clear(),
        (Command::IsolateKernel, Some(kernel)) => {
            choices.isolated = [KernelKey::of(&kernel)].into()
        }
        (Command::HideKernel, Some(kernel)) => {
            choices.toggle_hidden(&kernel);
            view.kernel = None;
        }
        (Command::ShowKernels, _) => {
            choices.filter = Default::default();
            choices.hidden.clear();
            choices.isolated.clear();
        }
        (Command::GroupKernels, _) => choices.grouped = !choices.grouped,
        _ => {}
    }
}
