//! The operators of the selected workload: what each asks, what limits it, and its part of the time.
use super::grid::*;
use super::{nothing, stale};
use crate::model::placement::{PlacedOperator, Placement, Resource};
use crate::model::session::Session;
use crate::model::units;
use crate::ui::command::Command;
use crate::ui::derived::Derived;
use crate::ui::request::Requests;
use crate::ui::state::UiState;
use crate::ui::widgets::{empty, roles};
use egui::{RichText, Ui};

/// The operators, in the order they run unless a column was clicked, and what the one-number model makes of them.
pub(super) fn operators_tab(
    ui: &mut Ui,
    session: &Session,
    derived: &Derived,
    state: &mut UiState,
    requests: &mut Requests,
) {
    let roles = roles(ui);
    let say = |ui: &mut Ui, text: &str| {
        ui.label(RichText::new(text).color(roles.muted));
    };
    let Some(selected) = &derived.selected else {
        return nothing(ui, session, "show the operators of");
    };
    let placement = match &selected.placement {
        Ok(placement) => placement,
        Err(reason) => return say(ui, &format!("Not placed: {reason}.")),
    };
    if placement.operators.is_empty() {
        let text = "This workload is one kernel. A language model, an MLP or a mixture of experts has several.";
        return empty(ui, text, &[Command::AddModel], requests);
    }
    if derived.is_stale(selected.workload) {
        stale(ui, roles);
    }
    if let Some(text) = placement.one_number_explanation() {
        say(ui, &text);
    }
    let mut rows: Vec<&PlacedOperator> = placement.operators.iter().collect();
    if let Some((column, largest_first)) = state.operator_sort {
        sort(&mut rows, column);
        if largest_first {
            rows.reverse();
        }
    }
    let headers = [
        "Operator",
        "Bound",
        "Path",
        "Time",
        "Share",
        "Count",
        "Work",
        "Traffic",
        "Intensity",
    ];
    let headers = headers.map(str::to_owned);
    let spec = Table {
        name: "operators",
        headers: &headers,
        rows: rows.len(),
        words: 3,
        chooses: false,
    };
    sortable(ui, &spec, Some(&mut state.operator_sort), |index| {
        cells(rows[index], placement, roles)
    });
}

fn sort(rows: &mut [&PlacedOperator], column: usize) {
    let number = |row: &PlacedOperator| match column {
        5 => row.count,
        6 => row.count * row.placement.work.get(),
        7 => row.count * row.placement.traffic.get(),
        8 => row.placement.intensity().map_or(-1.0, |i| i.get()),
        _ => row.time(),
    };
    match column {
        0 => rows.sort_by(|a, b| a.name.cmp(&b.name)),
        1 => rows.sort_by_key(|row| row.placement.limiter().resource.name()),
        2 => rows.sort_by_key(|row| row.path_name()),
        _ => rows.sort_by(|a, b| number(a).total_cmp(&number(b))),
    }
}

fn cells(row: &PlacedOperator, whole: &Placement, roles: &crate::chart::style::Style) -> Vec<Cell> {
    let p = &row.placement;
    let plain = |text: String| (text, roles.ink);
    let limiter = p.limiter().resource;
    let bound = match limiter {
        Resource::Launch => "launches".to_owned(),
        resource => resource.name(),
    };
    let intensity = p.intensity().map(|intensity| intensity.to_string());
    vec![
        plain(row.name.to_string()),
        (bound, roles.regime(p.regime())),
        plain(row.path_name()),
        plain(units::short(row.time(), units::Unit::Second)),
        plain(units::percent(row.time() / whole.time().get())),
        plain(units::count(row.count)),
        plain(units::short(row.count * p.work.get(), units::Unit::Flop)),
        plain(units::short(row.count * p.traffic.get(), units::Unit::Byte)),
        plain(intensity.unwrap_or_else(|| "none".to_owned())),
    ]
}
