//! A slider whose track is seen: egui draws it as faint as the border of a field.
use super::roles;
use egui::{Response, Slider, Ui};

/// Adds a slider; the part behind its handle, where it has one, is in the accent.
pub fn slider(ui: &mut Ui, slider: Slider<'_>) -> Response {
    let roles = roles(ui);
    ui.scope(|ui| {
        let visuals = ui.visuals_mut();
        let widgets = &mut visuals.widgets;
        for widget in [
            &mut widgets.inactive,
            &mut widgets.hovered,
            &mut widgets.active,
        ] {
            widget.bg_fill = roles.faint;
        }
        visuals.selection.bg_fill = roles.accent;
        ui.add(slider)
    })
    .inner
}
