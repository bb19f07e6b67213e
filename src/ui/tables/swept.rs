//! The sweep of the selected workload: its controls and its rows.
use super::grid::*;
use crate::chart::style::Style;
use crate::model::session::{Session, Workload};
use crate::model::sweep::{self, Row, Sweep, SweepResult};
use crate::model::units::{self, Unit};
use crate::model::view::View;
use crate::ui::derived::Derived;
use crate::ui::widgets::{Field, roles, text_field};
use egui::{Align, Label, Layout, RichText, Ui, vec2};

pub(super) fn sweep_tab(ui: &mut Ui, session: &Session, view: &mut View, derived: &Derived) {
    let roles = roles(ui);
    let selected = derived.selected.as_ref();
    let Some((selected, workload)) =
        selected.and_then(|s| Some((s, session.workload(s.workload)?)))
    else {
        ui.label(
            RichText::new("Select a workload and a GPU to sweep a parameter.").color(roles.muted),
        );
        return;
    };
    ui.horizontal_wrapped(|ui| {
        sweep_controls(ui, workload, view);
        ui.add_space(6.0);
        match &selected.sweep {
            Ok(result) => crossover(ui, result, roles),
            Err(error) => {
                ui.label(
                    RichText::new(error.to_string())
                        .small()
                        .color(roles.warning),
                );
            }
        }
    });
    ui.add_space(4.0);
    if let Ok(result) = &selected.sweep {
        sweep_table(ui, result, roles);
    }
}

pub(super) fn sweep_controls(ui: &mut Ui, workload: &Workload, view: &mut View) {
    let current = view.sweep_for(workload);
    let mut parameter = current.parameter.clone();
    let label = ui.label("Parameter");
    let combo = egui::ComboBox::from_id_salt("sweep parameter").width(118.0);
    let shown = combo
        .selected_text(parameter.replace('_', " "))
        .show_ui(ui, |ui| {
            for name in workload.kind.numeric_parameters() {
                ui.selectable_value(&mut parameter, name.to_owned(), name.replace('_', " "));
            }
        });
    shown.response.labelled_by(label.id);
    if parameter != current.parameter {
        let now = workload.kind.number(&parameter).unwrap_or(1.0).max(1e-9);
        let default = Sweep::default_for(&workload.kind);
        let values = if default.parameter == parameter {
            default.values
        } else {
            // Around the present value; counts stay whole.
            (-2..=3)
                .map(|i| now * 4f64.powi(i))
                .map(|v| if now >= 16.0 { v.round() } else { v.max(now) })
                .collect()
        };
        view.sweep = Some(Sweep { parameter, values });
        return;
    }
    let unit = sweep::parameter_unit(&workload.kind, &current.parameter).unwrap_or(Unit::One);
    let text = current.values_text(unit);
    let field = Field {
        label: "Sweep values",
        hint: "A list such as 1, 4, 16 or a range: 1..1024 x4 multiplies, 0..100 +10 adds",
        shown: text.clone(),
        exact: text,
        placeholder: "1..1024 x4",
    };
    ui.label("Values");
    let vertical = Layout::top_down(Align::Min);
    ui.allocate_ui_with_layout(vec2(230.0, 26.0), vertical, |ui| {
        text_field(ui, &field, |text| {
            let mut values = Sweep::parse_values(text, unit).map_err(|error| error.to_string())?;
            values.sort_by(f64::total_cmp);
            values.dedup();
            let parameter = current.parameter.clone();
            for value in &values {
                let tried = workload.kind.with(&parameter, *value);
                tried.map_err(|error| error.to_string())?;
            }
            view.sweep = Some(Sweep { parameter, values });
            Ok(())
        });
    });
}

pub(super) fn crossover(ui: &mut Ui, result: &SweepResult, roles: &Style) {
    let text = match (result.crossover, result.first_whole) {
        (Some(at), Some(whole)) if result.unit == Unit::One => format!(
            "Flips at {}; first whole value {}",
            units::number(at),
            units::number(whole)
        ),
        (Some(at), _) => format!("Flips at {}", sweep::value_text(at, result.unit)),
        (None, _) => "The regime never flips".to_owned(),
    };
    let label = Label::new(RichText::new(&text).size(12.0).color(roles.muted));
    ui.add(label.truncate()).on_hover_text(&text);
}

pub(super) fn sweep_table(ui: &mut Ui, result: &SweepResult, roles: &Style) {
    let outcome = result.rows.iter().find_map(|row| row.outcome.as_ref().ok());
    let items = outcome.map_or("execution", |outcome| outcome.items.name);
    let per_user = items == "token";
    let mut headers = vec![
        result.parameter.replace('_', " "),
        "Intensity".to_owned(),
        "Regime".to_owned(),
        if per_user { "Step time" } else { "Time" }.to_owned(),
    ];
    if per_user {
        headers.push("Tokens/s, total".to_owned());
        headers.push("Tokens/s per user".to_owned());
    } else {
        headers.push(format!("{items}s/s"));
    }
    let rows = result.rows.len();
    let spec = Table {
        name: "sweep",
        headers: &headers,
        rows,
        words: 0,
    };
    table(ui, &spec, |index| {
        sweep_cells(&result.rows[index], result.unit, per_user, roles)
    });
}

pub(super) fn sweep_cells(row: &Row, unit: Unit, per_user: bool, roles: &Style) -> Vec<Cell> {
    let value = (sweep::value_text(row.value, unit), roles.ink);
    let outcome = match &row.outcome {
        Ok(outcome) => outcome,
        Err(reason) => return vec![value, (reason.clone(), roles.warning)],
    };
    let placement = &outcome.placement;
    let intensity = placement
        .intensity()
        .map_or("none".to_owned(), |i| i.to_string());
    let rate = |rate: Option<f64>| (rate.map(units::number).unwrap_or_default(), roles.ink);
    let regime = placement.regime();
    let mut cells = vec![
        value,
        (intensity, roles.ink),
        (regime.name().to_owned(), roles.regime(regime)),
        (placement.time().to_string(), roles.ink),
        rate(outcome.items_per_second()),
    ];
    if per_user {
        cells.push(rate(outcome.items_per_second_per_user()));
    }
    cells
}
