//! A switch between a few named choices, side by side.
use super::roles;
use crate::chart::style::size;
use egui::{Button, CornerRadius, RichText, Stroke, Ui};

/// One of the choices; disabled where there is a reason.
#[derive(Clone, Copy)]
pub struct Choice<'a> {
    name: &'a str,
    tooltip: &'a str,
    reason: Option<&'a str>,
}

impl<'a> Choice<'a> {
    /// A choice, its tooltip, and why it cannot be made.
    pub fn of(name: &'a str, tooltip: &'a str, reason: Option<&'a str>) -> Self {
        Self {
            name,
            tooltip,
            reason,
        }
    }
}

/// Shows the choices; returns the one clicked, if it is another.
pub fn segmented(ui: &mut Ui, options: &[(&str, &str)], chosen: usize) -> Option<usize> {
    let options = options
        .iter()
        .map(|(name, tooltip)| Choice::of(name, tooltip, None));
    segmented_of(ui, &options.collect::<Vec<_>>(), chosen)
}

/// The same, some of which may be disabled.
pub fn segmented_of(ui: &mut Ui, options: &[Choice<'_>], chosen: usize) -> Option<usize> {
    let roles = roles(ui);
    let mut clicked = None;
    let gap = std::mem::replace(&mut ui.spacing_mut().item_spacing.x, 0.0);
    let mut order: Vec<usize> = (0..options.len()).collect();
    if ui.layout().prefer_right_to_left() {
        order.reverse();
    }
    for i in order {
        let Choice {
            name,
            tooltip,
            reason,
        } = options[i];
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
        let response = ui
            .add_enabled(reason.is_none(), button)
            .on_hover_text(tooltip)
            .on_disabled_hover_text(reason.unwrap_or_default());
        let enabled = reason.is_none();
        response
            .widget_info(|| egui::WidgetInfo::selected(egui::Role::RadioButton, enabled, on, name));
        if response.clicked() && !on {
            clicked = Some(i);
        }
    }
    ui.spacing_mut().item_spacing.x = gap;
    clicked
}

/// The same choices folded into one field that opens, called `name`.
pub fn folded(ui: &mut Ui, name: &str, options: &[Choice<'_>], chosen: usize) -> Option<usize> {
    let mut clicked = None;
    let shown = options.get(chosen).map_or("", |choice| choice.name);
    let combo = egui::ComboBox::from_id_salt(name)
        .selected_text(RichText::new(shown).size(size::CONTROL))
        .width(60.0);
    let combo = combo.show_ui(ui, |ui| {
        for (index, choice) in options.iter().enumerate() {
            let button = Button::selectable(index == chosen, choice.name);
            let response = ui
                .add_enabled(choice.reason.is_none(), button)
                .on_hover_text(choice.tooltip)
                .on_disabled_hover_text(choice.reason.unwrap_or_default());
            if response.clicked() && index != chosen {
                clicked = Some(index);
            }
        }
    });
    let response = combo.response.on_hover_text(name);
    response.widget_info(|| {
        let mut info = egui::WidgetInfo::labeled(egui::Role::ComboBox, true, name);
        info.current_text_value = Some(shown.to_owned());
        info
    });
    clicked
}
