//! The sweep of the selected workload: as a table or a curve of one parameter, as a heat map of two.
use super::curve::curve;
use super::grid::*;
use super::heat;
use super::sweep_controls::controls;
use super::{nothing, stale};
use crate::chart::style::Style;
use crate::chart::style::size;
use crate::model::session::Session;
use crate::model::sweep::{self, Row, SweepResult};
use crate::model::units::{self, Unit};
use crate::model::view::View;
use crate::ui::derived::Derived;
use crate::ui::request::Requests;
use crate::ui::state::UiState;
use crate::ui::widgets::{roles, segmented};
use egui::{Label, RichText, Ui};

pub(super) fn sweep_tab(
    ui: &mut Ui,
    session: &mut Session,
    view: &mut View,
    derived: &Derived,
    state: &mut UiState,
    requests: &mut Requests,
) {
    let roles = roles(ui);
    let selected = derived.selected.as_ref();
    let Some((selected, workload)) =
        selected.and_then(|s| Some((s, session.workload(s.workload)?)))
    else {
        return nothing(ui, session, "sweep");
    };
    let two = view.grid_for(workload).is_some();
    ui.horizontal_wrapped(|ui| controls(ui, workload, view));
    ui.add_space(2.0);
    if two {
        if derived.is_stale(workload.id) {
            stale(ui, roles);
        }
        ui.horizontal_wrapped(|ui| heat::choices(ui, session, view, derived, requests));
        ui.add_space(4.0);
        heat::heat_map(ui, session, view, derived, state);
        return;
    }
    // The text begins in what is left of the row, and goes on below.
    ui.horizontal_wrapped(|ui| {
        let forms = [
            ("Table", "A row for each value"),
            ("Plot", "Throughput of all against that of each user"),
        ];
        if let Some(chosen) = segmented(ui, &forms, usize::from(view.show_curve)) {
            view.show_curve = chosen == 1;
        }
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
    if derived.is_stale(workload.id) {
        stale(ui, roles);
    }
    ui.add_space(4.0);
    if let Ok(result) = &selected.sweep {
        match view.show_curve {
            true => curve(ui, result),
            false => sweep_table(ui, result, roles),
        }
    }
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
    let text = match result.turns_text() {
        Some(turns) => format!("{text}. {turns}"),
        None => text,
    };
    ui.add(Label::new(RichText::new(text).size(size::SMALL).color(roles.muted)).wrap());
}

/// The column that says whether the memory holds it.
const MEMORY: usize = 3;

pub(super) fn sweep_table(ui: &mut Ui, result: &SweepResult, roles: &Style) {
    let outcomes = || {
        result
            .rows
            .iter()
            .filter_map(|row| row.outcome.as_ref().ok())
    };
    let items = outcomes()
        .next()
        .map_or("execution", |outcome| outcome.items.name);
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
    let knows_memory = outcomes().any(|outcome| outcome.fits.is_some());
    if knows_memory {
        // Beside the regime, where a narrow pane shows it too.
        headers.insert(MEMORY, "Memory".to_owned());
    }
    let rows = result.rows.len();
    let spec = Table {
        name: "sweep",
        headers: &headers,
        rows,
        words: 0,
        chooses: false,
    };
    table(ui, &spec, |index| {
        sweep_cells(&result.rows[index], result.unit, per_user, roles)
    });
}

pub(super) fn sweep_cells(row: &Row, unit: Unit, per_user: bool, roles: &Style) -> Vec<Cell> {
    let value = sweep::value_text(row.value, unit);
    let outcome = match &row.outcome {
        Ok(outcome) => outcome,
        Err(reason) => return vec![(value, roles.ink), (reason.clone(), roles.warning)],
    };
    let value = match outcome.is_beyond {
        true => (format!("{value}, beyond the limit"), roles.warning),
        false => (value, roles.ink),
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
    match outcome.fits {
        Some(true) => cells.insert(MEMORY, ("fits".to_owned(), roles.ink)),
        Some(false) => cells.insert(MEMORY, ("does not fit".to_owned(), roles.warning)),
        None => {}
    }
    cells
}
