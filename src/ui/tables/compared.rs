//! The selected workload on each GPU, side by side.
use super::grid::*;
use crate::model::compare;
use crate::model::session::Session;
use crate::model::units::{self};
use crate::ui::derived::Derived;
use crate::ui::request::{Request, Requests};
use crate::ui::state::UiState;
use crate::ui::widgets::roles;
use egui::{RichText, Ui};

/// The selected workload on each visible GPU, sorted by the column clicked.
pub(super) fn compare_tab(
    ui: &mut Ui,
    session: &Session,
    derived: &Derived,
    state: &mut UiState,
    requests: &mut Requests,
) {
    let roles = roles(ui);
    let Some(selected) = &derived.selected else {
        ui.label(RichText::new("Select a workload to compare GPUs on it.").color(roles.muted));
        return;
    };
    let name = |row: &compare::Row| session.gpu(row.gpu).map_or("", |gpu| gpu.name.as_str());
    let mut rows: Vec<&compare::Row> = selected.compared.iter().collect();
    if let Some((column, largest_first)) = state.compare_sort {
        let number = |row: &compare::Row| match column {
            2 => row.peak.map(|peak| peak.get()),
            3 => row.bandwidth.map(|bandwidth| bandwidth.get()),
            4 => row.ridge.map(|ridge| ridge.get()),
            5 => row.time.map(|time| time.get()),
            _ => row.speed,
        };
        match column {
            0 => rows.sort_by(|a, b| name(a).cmp(name(b))),
            1 => rows.sort_by_key(|row| row.path),
            7 => rows.sort_by(|a, b| a.decides.cmp(&b.decides)),
            _ => rows.sort_by(|a, b| {
                f64::total_cmp(&number(a).unwrap_or(-1.0), &number(b).unwrap_or(-1.0))
            }),
        }
        if largest_first {
            rows.reverse();
        }
    }
    let headers = [
        "GPU",
        "Path",
        "Peak",
        "Bandwidth",
        "Ridge",
        "Time",
        "Speed",
        "Decides",
    ];
    let headers = headers.map(str::to_owned);
    let spec = Table {
        name: "compare",
        headers: &headers,
        rows: rows.len(),
        words: 2,
    };
    let clicked = sortable(ui, &spec, Some(&mut state.compare_sort), |index| {
        let row = rows[index];
        let text = |text: Option<String>| (text.unwrap_or("none".to_owned()), roles.ink);
        vec![
            (name(row).to_owned(), roles.ink),
            text(row.path.map(|path| path.to_string())),
            text(row.peak.map(|peak| peak.to_string())),
            text(row.bandwidth.map(|bandwidth| bandwidth.to_string())),
            text(row.ridge.map(|ridge| ridge.to_string())),
            text(row.time.map(|time| time.to_string())),
            text(row.speed.map(units::factor)),
            (row.decides.clone(), roles.muted),
        ]
    });
    if let Some(row) = clicked.map(|index| rows[index]) {
        requests.push(Request::Activate(row.gpu));
    }
}
