//! What a gesture changes: a workload, a roof, or the ghost of a measured mark.
use super::gesture::*;
use crate::document::Document;
use crate::model::ids::WorkloadId;
use crate::model::quantity::FlopRate;
use crate::model::what_if::{self, Hold, Target};
use crate::ui::state::{Ghost, Handle, UiState};
use egui::Ui;

pub(super) fn move_prediction(
    ui: &Ui,
    document: &mut Document,
    id: WorkloadId,
    place: [f64; 2],
    [x, y]: Wanted,
    by_key: bool,
    state: &mut UiState,
) {
    let assumptions = document.session.assumptions;
    let gpu = document
        .view
        .active
        .and_then(|id| document.session.gpu(id))
        .cloned();
    let Some(gpu) = gpu else { return };
    // A drag starts from the workload as it was when it began; keys go step by step.
    let start = state
        .chart
        .drag
        .as_ref()
        .and_then(|drag| drag.workload.clone());
    let start = start
        .filter(|_| !by_key)
        .or_else(|| document.session.workload(id).cloned());
    let Some(start) = start else { return };
    let target = Target {
        intensity: x.and_then(|x| tidy(x).try_into().ok()),
        rate: y.and_then(|y| tidy(y).try_into().ok()),
        snap: if by_key { KEY_SNAP } else { state.chart.snap },
    };
    let hold = if ui.input(|input| input.modifiers.alt) {
        Hold::Traffic
    } else {
        Hold::Work
    };
    let mut dragged = what_if::drag(&start, &gpu, assumptions, target, hold);
    if by_key
        && dragged.workload == start
        && let Some(x) = x
    {
        // A whole parameter may be too coarse for the step: go to its next value.
        dragged = what_if::step(&start, x > place[0]).unwrap_or(dragged);
    }
    if let Some(workload) = document.session.workload_mut(id) {
        *workload = dragged.workload;
    }
    if let Some(drag) = &mut state.chart.drag {
        drag.stopped = dragged.stopped;
    }
}

pub(super) fn pull_ghost(
    workload: WorkloadId,
    place: [f64; 2],
    [x, y]: Wanted,
    state: &mut UiState,
) {
    let from = state.chart.drag.as_ref().map_or(place, |drag| drag.from);
    let intensity = tidy(x.unwrap_or(from[0])).try_into();
    let rate = tidy(y.unwrap_or(from[1])).try_into();
    if let (Ok(intensity), Ok(rate)) = (intensity, rate) {
        state.chart.ghost = Some(Ghost {
            workload,
            intensity,
            rate,
        });
    }
}

pub(super) fn move_roof(
    ui: &Ui,
    document: &mut Document,
    handle: Handle,
    place: [f64; 2],
    [x, y]: Wanted,
    by_key: bool,
) {
    let (id, path) = match handle {
        Handle::Slope(id) | Handle::Flat(id) | Handle::Ridge(id) => (id, drawn_path(document)),
        Handle::Predicted(_) | Handle::Measured(_) | Handle::Annotation(..) => return,
    };
    let by = document.session.assumptions.judged_by;
    let Some((path, gpu)) = path.zip(document.session.gpu_mut(id)) else {
        return;
    };
    let Some(used) = gpu.judging_roof(path).map(|roof| roof.path) else {
        return;
    };
    let compute = gpu.compute.iter_mut().find(|roof| roof.path == used);
    let memory = gpu
        .memory
        .iter_mut()
        .find(|roof| roof.level == crate::model::cost::Level::Dram);
    let (Some(compute), Some(memory)) = (compute, memory) else {
        return;
    };
    let (compute, memory) = (compute.judged_mut(by), memory.judged_mut(by));
    let peak = compute.value.get().log10();
    let bandwidth = memory.value.get().log10();
    let round = ui.input(|input| input.modifiers.command) && !by_key;
    let value = |at: f64| tidy(if round { round_value(at) } else { at });
    let (new_peak, new_bandwidth) = match handle {
        Handle::Flat(_) => (y, None),
        // A slope through the wanted place; an axis left alone stays where the handle was.
        Handle::Slope(_) => {
            let [was_x, was_y] = place;
            let moved = y.unwrap_or(was_y) - x.unwrap_or(was_x);
            (None, (y.is_some() || x.is_some()).then_some(moved))
        }
        _ => {
            let ridge = x.unwrap_or(peak - bandwidth);
            let peak = y.unwrap_or(peak);
            (Some(peak), Some(peak - ridge))
        }
    };
    if let Some(rate) = new_peak.and_then(|at| FlopRate::try_from(value(at)).ok()) {
        compute.set_own(rate);
    }
    if let Some(rate) = new_bandwidth.and_then(|at| value(at).try_into().ok()) {
        memory.set_own(rate);
    }
}

/// The path whose roofs the chart draws.
pub(super) fn drawn_path(document: &Document) -> Option<crate::model::cost::Path> {
    let active = document.session.gpu(document.view.active?)?;
    let selected = document
        .view
        .selected
        .and_then(|id| document.session.workload(id));
    Some(crate::chart::scene::main_path(
        selected,
        active,
        document.session.assumptions,
    ))
}
