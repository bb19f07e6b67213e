//! The controls of a sweep: its parameter and values, and those of a second one.
use crate::model::session::Workload;
use crate::model::sweep::{self, Sweep};
use crate::model::units::Unit;
use crate::model::view::View;
use crate::ui::widgets::{Field, text_field};
use egui::{Align, Layout, Ui, vec2};

/// What one of the two is called.
struct Names {
    parameter: &'static str,
    values: &'static str,
    salt: &'static str,
}

const FIRST: Names = Names {
    parameter: "Parameter",
    values: "Sweep values",
    salt: "sweep parameter",
};
const SECOND: Names = Names {
    parameter: "and",
    values: "Second values",
    salt: "second parameter",
};

/// The one or two parameters and their values.
pub(super) fn controls(ui: &mut Ui, workload: &Workload, view: &mut View) {
    const OTHERS: f32 = 384.0;
    let current = view.sweep_for(workload);
    let second = view.grid_for(workload).map(|grid| grid.second);
    // Two lists of values share the room of one row.
    let width = match second.is_some() {
        true => ((ui.available_width() - OTHERS) / 2.0).clamp(110.0, 230.0),
        false => 230.0,
    };
    let taken = second.as_ref().map(|second| second.parameter.as_str());
    let names = workload.kind.numeric_parameters();
    let free = names.iter().filter(|name| Some(name.as_str()) != taken);
    let free: Vec<_> = free.map(String::as_str).collect();
    let chosen = parameter(ui, &FIRST, &free, Some(&current.parameter));
    if let Some(Some(name)) = chosen {
        view.sweep = Some(around(workload, &name));
    }
    if second.is_none() {
        ui.label("Values");
    }
    if let Some(sweep) = values(ui, &FIRST, &current, workload, width) {
        view.sweep = Some(sweep);
    }
    let free = names.iter().filter(|name| **name != current.parameter);
    let free: Vec<_> = free.map(String::as_str).collect();
    if let Some(chosen) = parameter(ui, &SECOND, &free, taken) {
        view.second_sweep = chosen.map(|name| around(workload, &name));
    }
    if let Some(second) = second
        && let Some(sweep) = values(ui, &SECOND, &second, workload, width)
    {
        view.second_sweep = Some(sweep);
    }
}

/// Lets a parameter be chosen, or none where there is none yet; returns another choice.
fn parameter(
    ui: &mut Ui,
    names: &Names,
    free: &[&str],
    current: Option<&str>,
) -> Option<Option<String>> {
    const NONE: &str = "no second";
    let label = ui.label(names.parameter);
    let mut chosen = current.map(str::to_owned);
    let combo = egui::ComboBox::from_id_salt(names.salt).width(118.0);
    let text = current.map_or(NONE.to_owned(), |name| name.replace('_', " "));
    let shown = combo.selected_text(text).show_ui(ui, |ui| {
        if names.salt == SECOND.salt {
            ui.selectable_value(&mut chosen, None, NONE);
        }
        for name in free {
            ui.selectable_value(
                &mut chosen,
                Some((*name).to_owned()),
                name.replace('_', " "),
            );
        }
    });
    shown.response.labelled_by(label.id);
    (chosen.as_deref() != current).then_some(chosen)
}

/// Values for a parameter that was just chosen: its kind's own, or around what it is.
fn around(workload: &Workload, parameter: &str) -> Sweep {
    let default = Sweep::default_for(&workload.kind);
    if default.parameter == parameter {
        return default;
    }
    let now = workload.kind.number(parameter).unwrap_or(1.0).max(1e-9);
    let around = (-2..=3).map(|i| now * 4f64.powi(i));
    // Counts stay whole.
    let mut values: Vec<f64> = around
        .map(|v| if now >= 16.0 { v.round() } else { v.max(now) })
        .collect();
    values.dedup();
    Sweep {
        parameter: parameter.to_owned(),
        values,
    }
}

/// Lets values be typed; returns them when they are others.
fn values(
    ui: &mut Ui,
    names: &Names,
    current: &Sweep,
    workload: &Workload,
    width: f32,
) -> Option<Sweep> {
    let unit = sweep::parameter_unit(&workload.kind, &current.parameter).unwrap_or(Unit::One);
    let text = current.short_text(unit);
    let field = Field {
        label: names.values,
        hint: "A list such as 1, 4, 16 or a range: 1..1024 x4 multiplies, 0..100 +10 adds; 8k is 8000, 8Ki is 8192",
        shown: text.clone(),
        exact: text,
        placeholder: "1..1024 x4",
    };
    let mut typed = None;
    let vertical = Layout::top_down(Align::Min);
    ui.allocate_ui_with_layout(vec2(width, 26.0), vertical, |ui| {
        text_field(ui, &field, |text| {
            let mut values = Sweep::parse_values(text, unit).map_err(|error| error.to_string())?;
            values.sort_by(f64::total_cmp);
            values.dedup();
            let parameter = current.parameter.clone();
            for value in &values {
                let tried = workload.kind.with(&parameter, *value);
                tried.map_err(|error| error.to_string())?;
            }
            typed = Some(Sweep { parameter, values });
            Ok(())
        });
    });
    typed
}
