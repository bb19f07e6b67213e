//! The selected workload on each GPU, side by side.
use super::grid::*;
use super::nothing;
use crate::model::compare;
use crate::model::gpu::{Basis, JudgedBy};
use crate::model::session::Session;
use crate::model::sweep::ComputeBound;
use crate::model::units::{self};
use crate::ui::command::Command;
use crate::ui::derived::Derived;
use crate::ui::request::{Request, Requests};
use crate::ui::state::UiState;
use crate::ui::widgets::{empty, roles};
use egui::Ui;
use std::cmp::Ordering;
use std::fmt::Display;

/// Columns of words: the GPU, its path, what decides.
const WORDS: [usize; 3] = [0, 1, 5];

/// The selected workload on each visible GPU, sorted by the column clicked.
pub(super) fn compare_tab(
    ui: &mut Ui,
    session: &Session,
    derived: &Derived,
    state: &mut UiState,
    requests: &mut Requests,
) {
    let roles = roles(ui);
    let by = session.assumptions.judged_by;
    let Some(selected) = &derived.selected else {
        return nothing(ui, session, "compare");
    };
    let name = |row: &compare::Row| session.gpu(row.gpu).map_or("", |gpu| gpu.name.as_str());
    let mut rows: Vec<&compare::Row> = selected.compared.iter().collect();
    if let Some((column, largest_first)) = state.compare_sort {
        sort(&mut rows, column, largest_first, name);
    }
    if rows.len() < 2 {
        let text = "One GPU is nothing to compare yet: add another.";
        empty(ui, text, &[Command::AddGpu], requests);
        ui.add_space(4.0);
    }
    let turns_by = session
        .workload(selected.workload)
        .and_then(|workload| compare::turns_by(&workload.kind));
    let compute_bound = match turns_by {
        Some(parameter) => format!("Compute-bound from {}", parameter.replace('_', " ")),
        None => "Compute-bound from".to_owned(),
    };
    let headers = [
        "GPU",
        "Path",
        "Time",
        "Speed",
        &compute_bound,
        "Decides",
        "Peak",
        "Bandwidth",
        "Ridge",
    ];
    let headers = headers.map(str::to_owned);
    let spec = Table {
        name: "compare",
        headers: &headers,
        rows: rows.len(),
        words: 2,
        chooses: true,
    };
    let sorted_by = state.compare_sort.map(|(column, _)| column);
    let clicked = sortable(ui, &spec, Some(&mut state.compare_sort), |index| {
        let row = rows[index];
        let text = |text: Option<String>| (text.unwrap_or("none".to_owned()), roles.ink);
        vec![
            (name(row).to_owned(), roles.ink),
            text(row.path.map(|path| path.to_string())),
            text(row.time.map(|time| time.to_string())),
            text(row.speed.map(units::factor)),
            text(compute_bound_text(row)),
            (row.decides.clone(), roles.muted),
            text(row.peak.map(|peak| known(peak, row.bases[0], by))),
            text(row.bandwidth.map(|rate| known(rate, row.bases[1], by))),
            text(row.ridge.map(|ridge| ridge.to_string())),
        ]
    });
    // Words begin with the first of the alphabet, numbers with the largest.
    if let Some((column, largest_first)) = &mut state.compare_sort
        && sorted_by != Some(*column)
        && WORDS.contains(column)
    {
        *largest_first = false;
    }
    if let Some(row) = clicked.map(|index| rows[index]) {
        requests.push(Request::Activate(row.gpu));
    }
}

/// A figure, with how it is known where that is not what was asked for: a theoretical one beats any that was measured.
fn known(figure: impl Display, basis: Option<Basis>, by: JudgedBy) -> String {
    let asked = match by {
        JudgedBy::Theoretical => Basis::Theoretical,
        JudgedBy::Achievable => Basis::Achievable,
    };
    match basis.filter(|basis| *basis != asked) {
        Some(basis) => format!("{figure}, {}", basis.name()),
        None => figure.to_string(),
    }
}

/// From where on a GPU is compute-bound: a value of the parameter, or where that is none the intensity of its ridge.
fn compute_bound_text(row: &compare::Row) -> Option<String> {
    let Some(ComputeBound { whole, main }) = &row.compute_bound else {
        return row.ridge.map(|ridge| ridge.to_string());
    };
    let value = |value: f64| units::number(value);
    Some(match (whole, main) {
        (Some(whole), _) => value(*whole),
        (None, Some((name, Some(from)))) => format!("never; {name} from {}", value(*from)),
        (None, _) => "never".to_owned(),
    })
}

/// Sorts rows by a column; what has no number there comes last in either order.
fn sort<'a>(
    rows: &mut [&'a compare::Row],
    column: usize,
    largest_first: bool,
    name: impl Fn(&'a compare::Row) -> &'a str,
) {
    let number = |row: &compare::Row| match column {
        2 => row.time.map(|time| time.get()),
        3 => row.speed,
        4 => match &row.compute_bound {
            Some(ComputeBound { whole, main }) => {
                whole.or(main.as_ref().and_then(|(_, from)| *from))
            }
            None => row.ridge.map(|ridge| ridge.get()),
        },
        6 => row.peak.map(|peak| peak.get()),
        7 => row.bandwidth.map(|bandwidth| bandwidth.get()),
        8 => row.ridge.map(|ridge| ridge.get()),
        _ => None,
    };
    let turned = |order: Ordering| match largest_first {
        true => order.reverse(),
        false => order,
    };
    rows.sort_by(|a, b| {
        let missing = match column {
            1 => a.path.is_none().cmp(&b.path.is_none()),
            2..=4 | 6..=8 => number(a).is_none().cmp(&number(b).is_none()),
            _ => Ordering::Equal,
        };
        let order = match column {
            0 => name(a).cmp(name(b)),
            1 => a.path.cmp(&b.path),
            5 => a.decides.cmp(&b.decides),
            _ => f64::total_cmp(&number(a).unwrap_or(0.0), &number(b).unwrap_or(0.0)),
        };
        missing.then(turned(order))
    });
}
