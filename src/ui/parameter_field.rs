//! The field of a parameter, by what its slot holds.
use super::half_typed::HalfTyped;
use super::widgets::{
    self, Field, FormulaField, field_width, formula_field, half_typed, roles, show_error,
    value_field,
};
use crate::model::cost::ComputeUnit;
use crate::model::format::NumberFormat;
use crate::model::ids::WorkloadId;
use crate::model::quantity::OutOfRange;
use crate::model::sweep;
use crate::model::units::{self, Unit};
use crate::model::workload::{Kind, NumberSlot, Parameter, Slot};
use egui::Ui;

/// The field of a parameter of `kind`.
pub(super) fn parameter(
    ui: &mut Ui,
    id: WorkloadId,
    kind: &Kind,
    parameter: Parameter<'_>,
    half_typed: &mut HalfTyped,
) {
    let (name, label, hint) = (parameter.name, parameter.label, parameter.hint);
    let doubt = parameter.doubt;
    match parameter.slot {
        Slot::Number(slot) => {
            number(ui, kind, name, label, hint, slot);
            if let Some(range) = parameter.range {
                slider(ui, kind, name, label, range, slot);
            }
        }
        Slot::Format(format) => choice(ui, label, hint, format.name(), |ui| {
            for other in NumberFormat::ALL {
                ui.selectable_value(format, other, other.name());
            }
        }),
        Slot::Unit(unit) => choice(ui, label, hint, unit.name(), |ui| {
            for other in ComputeUnit::ALL {
                ui.selectable_value(unit, other, other.name());
            }
        }),
        Slot::Text(mut slot) => {
            let field = FormulaField {
                workload: id,
                name,
                label,
                hint,
                text: slot.text(),
                placeholder: if slot.is_optional() { "not given" } else { "" },
            };
            // Tried on a copy first, so that a refused text changes nothing.
            let check = |text: &str| kind.with_text(name, text).map(|_| ());
            let accepted = formula_field(ui, &field, half_typed, check);
            if let Some(Err(error)) = accepted.map(|text| slot.set_text(&text)) {
                show_error(ui, Some(error.message));
            }
        }
        Slot::Choice(slot) => {
            let names = slot.names();
            let mut chosen = slot.index();
            choice(ui, label, hint, names[chosen], |ui| {
                for (i, name) in names.iter().enumerate() {
                    ui.selectable_value(&mut chosen, i, *name);
                }
            });
            slot.choose(chosen);
        }
    }
    if let Some(doubt) = doubt {
        let warning = roles(ui).warning;
        ui.label(egui::RichText::new(doubt).small().color(warning));
    }
}

fn number(
    ui: &mut Ui,
    kind: &Kind,
    name: &str,
    label: &str,
    hint: &str,
    slot: &mut dyn NumberSlot,
) {
    let unit = slot.unit();
    let field = Field {
        label,
        hint,
        shown: slot
            .value()
            .map(|v| sweep::value_text(v, unit))
            .unwrap_or_default(),
        exact: slot
            .value()
            .map(|v| units::exact(v, unit))
            .unwrap_or_default(),
        placeholder: if slot.is_optional() { "not given" } else { "" },
    };
    let response = value_field(ui, &field, |text| {
        if text.trim().is_empty() && slot.is_optional() {
            return slot.set(None).map_err(|error| error.to_string());
        }
        let value = units::parse(text, unit).map_err(|error| error.to_string())?;
        // Tried on a copy first, so that a refused value changes nothing.
        kind.with(name, value).map_err(|error| error.to_string())?;
        slot.set(Some(value))
            .map_err(|error: OutOfRange| error.to_string())
    });
    let typed = half_typed(ui, &response).filter(|_| unit == Unit::One);
    if let Some(note) = typed.as_deref().and_then(units::thousands) {
        ui.label(egui::RichText::new(note).small().color(roles(ui).muted));
    }
}

/// A slider under the field, over the range where one makes sense; typed numbers may lie outside.
fn slider(
    ui: &mut Ui,
    kind: &Kind,
    name: &str,
    label: &str,
    (from, to): (f64, f64),
    slot: &mut dyn NumberSlot,
) {
    let now = slot.value();
    let mut value = now.unwrap_or(from).clamp(from, to);
    let before = value;
    let mut slider = egui::Slider::new(&mut value, from..=to).show_value(false);
    // Over many decades equal steps would crowd the small values.
    slider = match (slot.is_whole(), from > 0.0 && to / from >= 1000.0) {
        (whole, true) => slider.logarithmic(true).step_by(f64::from(u8::from(whole))),
        (true, false) => slider.integer(),
        (false, false) => slider.step_by((to - from) / 100.0),
    };
    ui.spacing_mut().slider_width = ui.available_width() - 8.0;
    let response = widgets::slider(ui, slider);
    response.widget_info(|| egui::WidgetInfo::slider(true, value, format!("{label}, slider")));
    if value != before && kind.with(name, value).is_ok() {
        // Tried on a copy first: a slider stops where the kind cannot go.
        let _ = slot.set(Some(value));
    }
}

pub(super) fn choice(
    ui: &mut Ui,
    label: &str,
    hint: &str,
    chosen: &str,
    options: impl FnOnce(&mut Ui),
) {
    ui.horizontal(|ui| {
        ui.set_min_height(26.0);
        let width = field_width(ui);
        let text = ui.label(label).on_hover_text(hint);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let combo = egui::ComboBox::from_id_salt(label)
                .width(width)
                .selected_text(chosen);
            let response = combo.show_ui(ui, options).response;
            response.on_hover_text(hint).labelled_by(text.id);
        });
    });
}
