//! A switch between a few named choices, side by side.
use super::{focus_ring, roles};
use crate::chart::style::size;
use egui::{Button, CornerRadius, RichText, Stroke, Ui};

/// Shows the choices; returns the one clicked, if it is another.
pub fn segmented(ui: &mut Ui, options: &[(&str, &str)], chosen: usize) -> Option<usize> {
    let roles = roles(ui);
    let mut clicked = None;
    let gap = std::mem::replace(&mut ui.spacing_mut().item_spacing.x, 0.0);
    let mut order: Vec<usize> = (0..options.len()).collect();
    if ui.layout().prefer_right_to_left() {
        order.reverse();
    }
    for i in order {
        let (name, tooltip) = options[i];
        let on = i == chosen;
        let left = if i == 0 { 5 } else { 0 };
        let right = if i + 1 == options.len() { 5 } else { 0 };
        let radius = CornerRadius {
            nw: left,
            sw: left,
            ne: right,
            se: right,
        };
        let colour = if on { roles.accent } else { roles.ink };
        let button = Button::new(RichText::new(name).size(size::CONTROL).color(colour))
            .fill(if on { roles.selection } else { roles.field })
            .stroke(Stroke::new(1.0, roles.line))
            .corner_radius(radius)
            .selected(false);
        let response = ui.add(button).on_hover_text(tooltip);
        focus_ring(ui, &response);
        response
            .widget_info(|| egui::WidgetInfo::selected(egui::Role::RadioButton, true, on, name));
        if response.clicked() && !on {
            clicked = Some(i);
        }
    }
    ui.spacing_mut().item_spacing.x = gap;
    clicked
}
