//! The tables below the chart: the tabs, every workload on every GPU, and the notes.
mod compared;
mod curve;
mod grid;
mod heat;
mod kernels;
mod operators;
mod sweep_controls;
mod swept;
mod views;

use crate::chart::fonts;
use crate::chart::style::Style;
use crate::model::session::Session;
use crate::model::units::{self};
use crate::model::view::View;
use crate::ui::derived::{Derived, Pair};
use crate::ui::request::{Request, Requests};
use crate::ui::state::{Tab, UiState};
use crate::ui::widgets::roles;
use compared::compare_tab;
use egui::{Label, RichText, Sense, Ui, vec2};
use grid::*;
use operators::operators_tab;
use swept::sweep_tab;

/// Shows the tabs and the table chosen.
pub fn tables(
    ui: &mut Ui,
    session: &mut Session,
    view: &mut View,
    derived: &Derived,
    state: &mut UiState,
    requests: &mut Requests,
) {
    let parameter = derived
        .selected
        .as_ref()
        .and_then(|s| s.sweep.as_ref().ok());
    let second = view
        .second_sweep
        .as_ref()
        .map(|second| second.parameter.replace('_', " "));
    let sweep_name = match parameter {
        Some(result) if second.is_some() => {
            let second = second.unwrap_or_default();
            format!("Sweep: {} × {second}", result.parameter.replace('_', " "))
        }
        Some(result) => format!("Sweep: {}", result.parameter.replace('_', " ")),
        None => "Sweep".to_owned(),
    };
    let spacing = ui.spacing().item_spacing.y;
    // The line under the tab chosen must not run through those below.
    ui.spacing_mut().item_spacing.y = 10.0;
    ui.horizontal_wrapped(|ui| {
        for (tab, name) in [
            (Tab::Sweep, sweep_name.as_str()),
            (Tab::Operators, "Operators"),
            (Tab::Workloads, "Workloads on GPUs"),
            (Tab::Compare, "Compare GPUs"),
            (Tab::Views, "Views"),
            (Tab::Kernels, "Kernels"),
            (Tab::Notes, "Title and notes"),
        ] {
            if tab_button(ui, name, state.tab == tab) {
                state.tab = tab;
            }
        }
    });
    ui.spacing_mut().item_spacing.y = spacing;
    ui.add_space(6.0);
    match state.tab {
        Tab::Sweep => sweep_tab(ui, session, view, derived, state, requests),
        Tab::Operators => operators_tab(ui, session, derived, state, requests),
        Tab::Workloads => workloads_tab(ui, session, derived, requests),
        Tab::Compare => compare_tab(ui, session, derived, state, requests),
        Tab::Views => views::views_tab(ui, session, view, &derived.scene, state, requests),
        Tab::Kernels => kernels::kernels_tab(ui, session, view, derived, state, requests),
        Tab::Notes => notes_tab(ui, session),
    }
}

fn tab_button(ui: &mut Ui, name: &str, on: bool) -> bool {
    let roles = roles(ui);
    let text = RichText::new(name).color(if on { roles.ink } else { roles.muted });
    let text = if on { text.family(fonts::bold()) } else { text };
    let response = ui.add(Label::new(text).extend().sense(Sense::click()));
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Tab, true, on, name));
    if on {
        let y = response.rect.bottom() + 4.0;
        let stroke = egui::Stroke::new(2.0, roles.accent);
        ui.painter().hline(response.rect.x_range(), y, stroke);
    }
    ui.add_space(10.0);
    response.clicked()
}

/// Says that what follows is of the last good formula, and greys it.
fn stale(ui: &mut Ui, roles: &Style) {
    let text = "Last good value: what is typed has a mistake and is not in force.";
    ui.label(RichText::new(text).small().color(roles.warning));
    ui.set_opacity(0.6);
}

fn workloads_tab(ui: &mut Ui, session: &Session, derived: &Derived, requests: &mut Requests) {
    if derived.pairs.is_empty() {
        return nothing(ui, session, "list");
    }
    let roles = roles(ui);
    let headers = [
        "Workload",
        "GPU",
        "Intensity",
        "Ridge",
        "Regime",
        "Time",
        "Attainable",
        "Measured",
        "Share",
    ];
    let headers = headers.map(str::to_owned);
    let spec = Table {
        name: "workloads",
        headers: &headers,
        rows: derived.pairs.len(),
        words: 2,
        chooses: true,
    };
    let clicked = table(ui, &spec, |index| {
        pair_cells(session, &derived.pairs[index], roles)
    });
    if let Some(pair) = clicked.map(|index| &derived.pairs[index]) {
        requests.push(Request::Select(pair.workload));
        requests.push(Request::Activate(pair.gpu));
    }
}

/// Says what is missing before there is anything to sweep, compare or list; the panels have the buttons for it.
fn nothing(ui: &mut Ui, session: &Session, verb: &str) {
    let text = match (session.gpus.len(), session.workloads.len()) {
        (0, _) => format!("Nothing to {verb} yet: add a GPU at the left."),
        (_, 0) => format!("Nothing to {verb} yet: add a workload at the right."),
        _ => format!("Nothing to {verb}: select a workload, and show a GPU."),
    };
    ui.label(RichText::new(text).color(roles(ui).muted));
}

fn pair_cells(session: &Session, pair: &Pair, roles: &Style) -> Vec<Cell> {
    let name = |name: Option<&str>| (name.unwrap_or_default().to_owned(), roles.ink);
    let workload = session
        .workload(pair.workload)
        .map(|workload| workload.name.as_str());
    let gpu = session.gpu(pair.gpu).map(|gpu| gpu.name.as_str());
    let mut cells = vec![name(workload), name(gpu)];
    match &pair.placement {
        Ok(p) => {
            let or_none = |text: Option<String>| (text.unwrap_or("none".to_owned()), roles.ink);
            cells.push(or_none(p.intensity().map(|i| i.to_string())));
            cells.push(or_none(p.ridge().map(|r| r.to_string())));
            cells.push((p.regime().name().to_owned(), roles.regime(p.regime())));
            cells.push((p.time().to_string(), roles.ink));
            cells.push(or_none(p.attainable().map(|a| a.to_string())));
        }
        Err(reason) => {
            cells.push((reason.to_string(), roles.warning));
            return cells;
        }
    }
    if let Some(Ok(a)) = &pair.assessment {
        cells.push((a.measured.to_string(), roles.ink));
        cells.push((units::percent(a.share), roles.ink));
    }
    cells
}

fn notes_tab(ui: &mut Ui, session: &mut Session) {
    ui.horizontal(|ui| {
        let label = ui.label("Title");
        let title = egui::TextEdit::singleline(&mut session.title)
            .desired_width(420.0)
            .hint_text("What this session shows");
        ui.add(title).labelled_by(label.id);
    });
    let label = ui.label("Notes");
    egui::ScrollArea::vertical().show(ui, |ui| {
        let notes = egui::TextEdit::multiline(&mut session.notes)
            .desired_width(ui.available_width() - 8.0)
            .desired_rows(4)
            .hint_text("Assumptions, sources, what to look at; saved with the session");
        ui.add(notes).labelled_by(label.id);
    });
    ui.allocate_space(vec2(0.0, 4.0));
}
