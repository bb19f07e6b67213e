//! The heat map of a sweep of two parameters: what is shown, the map, and what is under the pointer.
mod axes;
mod cells;
mod frame;
mod legend;

use crate::chart::style::size;
use crate::model::session::{Session, Workload};
use crate::model::sweep::grid::{GridResult, Shown};
use crate::model::view::View;
use crate::ui::derived::Derived;
use crate::ui::request::{Request, Requests};
use crate::ui::state::UiState;
use crate::ui::widgets::{roles, segmented};
use egui::{EventFilter, Key, Modifiers, RichText, Sense, Ui, vec2};
use frame::{Frame, LEAST_HEIGHT, axis_labels, outline, outline_focus, painted, present};

/// Which quantity is shown, against which GPU, and how far the computation is.
pub(super) fn choices(
    ui: &mut Ui,
    session: &Session,
    view: &mut View,
    derived: &Derived,
    requests: &mut Requests,
) {
    let result = derived.map.shown();
    let tokens = result
        .and_then(|r| r.items())
        .is_none_or(|items| items.name == "token");
    let users = result
        .and_then(|r| r.items())
        .is_none_or(|items| items.users > 1.0 || tokens);
    let rate = if tokens { "Tokens/s" } else { "Items/s" };
    let mut options = vec![
        (Shown::Time, "Time", "The time of one execution"),
        (
            Shown::ItemsPerSecond,
            rate,
            "Throughput of all users together",
        ),
    ];
    if users {
        options.push((Shown::PerUser, "Per user", "Throughput that each user sees"));
    }
    options.push((Shown::Regime, "Regime", "What limits it"));
    if session.gpus.len() > 1 {
        options.push((
            Shown::Ratio,
            "Speed against",
            "How many times as fast as another GPU",
        ));
    }
    let names: Vec<_> = options
        .iter()
        .map(|(_, name, hint)| (*name, *hint))
        .collect();
    let chosen = options
        .iter()
        .position(|(shown, ..)| *shown == view.heat_map);
    if let Some(index) = segmented(ui, &names, chosen.unwrap_or(0)) {
        view.heat_map = options[index].0;
    }
    if view.heat_map == Shown::Ratio {
        ui.add_space(4.0);
        choose_gpu(ui, session, view);
    }
    progress(ui, derived, requests);
}

/// The GPU that a heat map compares with.
fn choose_gpu(ui: &mut Ui, session: &Session, view: &mut View) {
    let active = view.active;
    let others = || session.gpus.iter().filter(|gpu| active != Some(gpu.id));
    let chosen = view.against.and_then(|id| session.gpu(id));
    let first = others().next().map(|gpu| gpu.id);
    let mut against = chosen
        .map(|gpu| gpu.id)
        .filter(|id| view.active != Some(*id))
        .or(first);
    let name = against
        .and_then(|id| session.gpu(id))
        .map_or("", |gpu| gpu.name.as_str());
    let combo = egui::ComboBox::from_id_salt("heat map against").width(150.0);
    let shown = combo.selected_text(name).truncate().show_ui(ui, |ui| {
        for gpu in others() {
            ui.selectable_value(&mut against, Some(gpu.id), &gpu.name);
        }
    });
    shown
        .response
        .widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, "Compare with"));
    view.against = against;
}

fn progress(ui: &mut Ui, derived: &Derived, requests: &mut Requests) {
    let muted = roles(ui).muted;
    let (text, button, wanted) = match derived.map.progress {
        _ if derived.map.missing().is_none() => return,
        _ if derived.map.stopped => ("Stopped".to_owned(), "Compute", true),
        Some(part) => (format!("Computing… {:.0} %", part * 100.0), "Stop", false),
        None => return,
    };
    ui.label(RichText::new(text).size(size::SMALL).color(muted));
    if ui
        .button(RichText::new(button).size(size::CONTROL))
        .clicked()
    {
        requests.push(Request::ComputeHeatMap(wanted));
    }
}

/// The map itself; a click on a cell gives the workload its two values.
pub(super) fn heat_map(
    ui: &mut Ui,
    session: &mut Session,
    view: &View,
    derived: &Derived,
    state: &mut UiState,
) {
    let Some(result) = derived.map.shown().cloned() else {
        let text = match derived.map.error() {
            Some(error) => RichText::new(error.to_string()).color(roles(ui).warning),
            None => {
                RichText::new("The map appears here when it is computed.").color(roles(ui).muted)
            }
        };
        ui.label(text);
        return;
    };
    let Some(workload) = view.selected.and_then(|id| session.workload(id)).cloned() else {
        return;
    };
    let size = vec2(
        ui.available_width(),
        ui.available_height().max(LEAST_HEIGHT),
    );
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let roles = roles(ui);
    let frame = Frame::new(ui, rect, &result);
    let response = ui.interact(
        frame.axes.area(),
        egui::Id::unique("heat map"),
        Sense::click(),
    );
    painted(
        ui,
        &frame,
        &result,
        view.heat_map,
        roles,
        !derived.map.is_current(),
    );
    axis_labels(ui, &frame, &result, roles);
    let present = present(ui, &frame, &result, &workload, roles);
    let pointed = response.hover_pos().and_then(|at| frame.axes.cell_at(at));
    if pointed.is_some() {
        ui.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
    }
    let exact = present.and_then(|[x, y]| Some([x.ok()?, y.ok()?]));
    let moved = keyboard(ui, &response, &result, state, exact);
    let cursor = state.heat_cell.filter(|_| response.has_focus());
    for cell in [pointed, cursor].into_iter().flatten() {
        outline(ui, frame.axes.rect(cell), 1.5);
    }
    let (caption, cell) = match (pointed, cursor, exact) {
        (Some(cell), ..) => ("Click: the workload takes it", Some(cell)),
        (_, Some(cell), _) => ("Enter: the workload takes it", Some(cell)),
        (.., exact) => ("The workload as it is", exact),
    };
    if let Some(area) = frame.readout {
        let nowhere = match present {
            Some(_) => "lies between cells",
            None => "lies outside the map",
        };
        legend::readout(ui, area, &result, caption, cell.ok_or(nowhere), roles);
    }
    if let Some(area) = frame.legend {
        legend::legend(ui, area, &result, view.heat_map, roles);
    }
    let spoken = cursor.or(exact).or(pointed);
    let spoken = spoken.map_or_else(String::new, |cell| legend::spoken(&result, cell));
    response.widget_info(|| {
        let axes = result.task.grid();
        let name = format!(
            "Heat map: {} by {}",
            axes.first.parameter, axes.second.parameter
        );
        let mut info = egui::WidgetInfo::labeled(egui::Role::Slider, true, name.replace('_', " "));
        info.current_text_value = Some(spoken.clone());
        info
    });
    if response.has_focus() {
        outline_focus(ui, frame.axes.area(), roles);
    }
    if let Some(cell) = moved.or(pointed.filter(|_| response.clicked())) {
        take(session, &workload, &result, cell, state);
    }
}

/// Gives the workload the values of a cell.
fn take(
    session: &mut Session,
    workload: &Workload,
    result: &GridResult,
    [first, second]: [usize; 2],
    state: &mut UiState,
) {
    let axes = result.task.grid();
    let values = [
        (axes.first.parameter.as_str(), axes.first.values[first]),
        (axes.second.parameter.as_str(), axes.second.values[second]),
    ];
    match (
        workload.kind.with_each(&values),
        session.workload_mut(workload.id),
    ) {
        (Ok(kind), Some(workload)) => workload.kind = kind,
        (Err(error), _) => state.complain(error.to_string()),
        _ => {}
    }
}

/// Moves the outlined cell by arrow keys; returns the one that Enter takes.
fn keyboard(
    ui: &Ui,
    response: &egui::Response,
    result: &GridResult,
    state: &mut UiState,
    present: Option<[usize; 2]>,
) -> Option<[usize; 2]> {
    if !response.has_focus() {
        state.heat_cell = None;
        return None;
    }
    let filter = EventFilter {
        horizontal_arrows: true,
        vertical_arrows: true,
        ..Default::default()
    };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let [across, up, enter] = ui.input_mut(|input| {
        let mut count = |key| input.count_and_consume_key(Modifiers::NONE, key) as i64;
        [
            count(Key::ArrowRight) - count(Key::ArrowLeft),
            count(Key::ArrowUp) - count(Key::ArrowDown),
            count(Key::Enter),
        ]
    });
    let [columns, rows] = result.task.size();
    let cell = state.heat_cell.or(present).unwrap_or([0, 0]);
    let by = |index: usize, steps: i64, most: usize| {
        (index as i64 + steps).clamp(0, most as i64 - 1) as usize
    };
    let cell = [by(cell[0], across, columns), by(cell[1], up, rows)];
    state.heat_cell = Some(cell);
    (enter > 0).then_some(cell)
}
