//! What to collect with a profiler, to be copied into a terminal.
use super::{modal, title};
use crate::chart::style::size;
use crate::document::Document;
use crate::files::import::profile::recipe::Profiler;
use crate::files::presets::{self, GpuPreset};
use crate::ui::state::UiState;
use crate::ui::widgets::{roles, segmented};
use egui::{Frame, Label, Margin, RichText, ScrollArea, Ui};

/// Shows the command for the active GPU's profiler, or another.
pub(super) fn recipe(ui: &mut Ui, document: &Document, state: &mut UiState) {
    let gpu = document.view.active.and_then(|id| document.session.gpu(id));
    let preset = gpu
        .and_then(|gpu| gpu.preset.as_deref())
        .and_then(presets::gpu);
    let preset: Option<GpuPreset> = preset.and_then(Result::ok);
    let usual = preset
        .as_ref()
        .map_or(Profiler::Ncu, |p| Profiler::of_vendor(&p.vendor));
    let profiler = state.kernels.recipe.unwrap_or(usual);
    let modal = modal(ui, "recipe").show(ui.ctx(), |ui| {
        ui.set_width(super::width(ui, 660.0));
        title(ui, "What to collect");
        let options = Profiler::ALL.map(|profiler| (profiler.title(), profiler.name()));
        let now = Profiler::ALL
            .iter()
            .position(|p| *p == profiler)
            .unwrap_or(0);
        ui.horizontal(|ui| {
            if let Some(chosen) = segmented(ui, &options, now) {
                state.kernels.recipe = Some(Profiler::ALL[chosen]);
            }
        });
        ui.add_space(6.0);
        // Of another maker's profiler, what its newest generation has.
        let of_gpu = profiler.recipe(preset.as_ref());
        let text = of_gpu
            .or_else(|_| profiler.recipe(None))
            .unwrap_or_default();
        let roles = roles(ui);
        ScrollArea::vertical()
            .max_height(super::height_for_list(ui, 420.0))
            .show(ui, |ui| {
                Frame::new()
                    .fill(roles.field)
                    .inner_margin(Margin::symmetric(9, 6))
                    .show(ui, |ui| {
                        ui.set_width(ui.available_width());
                        let text = RichText::new(&text).monospace().size(size::LABEL);
                        ui.add(Label::new(text).selectable(true).wrap());
                    });
            });
        ui.add_space(10.0);
        ui.horizontal(|ui| {
            if ui.button("Copy").clicked() {
                ui.ctx().copy_text(text.clone());
            }
            ui.button("Close").clicked()
        })
        .inner
    });
    if modal.inner || modal.should_close() {
        state.dialog = None;
    }
}
