//! Handles over marks, slopes, flats and ridges: dragging, arrow keys, and what they say of themselves.
use super::chart_view::cancel_gesture;
use super::derived::Derived;
use super::request::{Request, Requests};
use super::state::{Drag, Ghost, Handle, UiState};
use super::widgets::roles;
use crate::chart::paint::{Landed, Painted, Projection};
use crate::chart::scene::{MarkKind, Roof, Scene};
use crate::document::Document;
use crate::model::ids::{GpuId, WorkloadId};
use crate::model::quantity::{FlopRate, Intensity};
use crate::model::units::{self, Unit};
use crate::model::what_if::{self, Hold, Target};
use egui::{
    CursorIcon, EventFilter, Id, Key, Modifiers, Pos2, Rect, Response, Role, Sense, Stroke, Ui,
    Vec2, WidgetInfo,
};

/// The most marks that get a handle; beyond it the list selects.
const MOST_HANDLES: usize = 300;

/// Puts the handles over what was painted, and does what the hand does to them.
pub fn handles(
    ui: &mut Ui,
    document: &mut Document,
    scene: &Scene,
    painted: &Painted,
    state: &mut UiState,
    requests: &mut Requests,
) {
    let escape = ui.input(|input| input.key_pressed(Key::Escape));
    if escape && (state.chart.drag.is_some() || state.chart.ghost.is_some()) {
        cancel_gesture(state, requests);
    }
    let p = painted.projection;
    state.chart.snap = f64::from(UNSTEADY / p.per_decade().y);
    let (active, others): (Vec<&Roof>, Vec<&Roof>) =
        scene.roofs.iter().partition(|roof| roof.active);
    // Later handles lie on top: other GPUs, the active one, marks, the selected mark.
    for roof in others.into_iter().chain(active) {
        roof_handles(ui, document, roof, &p, state);
    }
    for mark in painted.marks.iter().filter(|mark| mark.on_other) {
        let area = Rect::from_center_size(mark.center, Vec2::splat(16.0));
        let id = Id::unique((
            "other",
            mark.workload,
            &mark.name,
            mark.kind == MarkKind::Measured,
        ));
        let response = ui.interact(area, id, Sense::hover());
        response.on_hover_text(&mark.hover);
    }
    let of_active = painted.marks.iter().filter(|mark| !mark.on_other);
    let mut marks: Vec<&Landed> = of_active.take(MOST_HANDLES).collect();
    marks.sort_by_key(|mark| document.view.selected == Some(mark.workload));
    for mark in marks {
        mark_handle(ui, document, scene, mark, &p, state, requests);
    }
    ghost(ui, document, &p, state, requests);
}

fn roof_handles(
    ui: &mut Ui,
    document: &mut Document,
    roof: &Roof,
    p: &Projection,
    state: &mut UiState,
) {
    let ridge = [roof.ridge(), roof.peak];
    let [x0, x1] = p.limits.x;
    let bottom = (p.limits.y[0] - roof.bandwidth).max(x0);
    let slope = [[bottom, roof.bandwidth + bottom], ridge];
    let flat = [ridge, [x1, roof.peak]];
    let name = &roof.name;
    let parts = [
        (
            Handle::Slope(roof.gpu),
            format!("{name}: bandwidth {}", roof.bandwidth_text),
            slope,
        ),
        (
            Handle::Flat(roof.gpu),
            format!("{name}: peak {}", roof.peak_text),
            flat,
        ),
        (
            Handle::Ridge(roof.gpu),
            format!("{name}: ridge {}", roof.ridge_text),
            [ridge, ridge],
        ),
    ];
    for (handle, label, line) in parts {
        let ends = line.map(|at| p.to_screen(at));
        let dragging = state
            .chart
            .drag
            .as_ref()
            .is_some_and(|drag| drag.handle == handle);
        let Some(at) = place_on_line(ui, ends, p.frame, dragging) else {
            continue;
        };
        let response = handle_widget(ui, handle, at, p.frame, &label);
        let cursor = match handle {
            Handle::Flat(_) => CursorIcon::ResizeVertical,
            Handle::Slope(_) => CursorIcon::ResizeNwSe,
            _ => CursorIcon::Move,
        };
        let response = response.on_hover_cursor(cursor);
        begin(&response, document);
        let place = p.from_screen(at);
        if let Some((target, by_key)) = gesture(ui, &response, handle, place, p, state, None) {
            let from = state.chart.drag.as_ref().map_or(place, |drag| drag.from);
            move_roof(ui, document, handle, from, target, by_key);
        }
        if response.hovered() && state.chart.drag.is_none() {
            emphasise(ui, &response, ends, roof.index, handle);
            response.on_hover_text(format!("{label}\nDrag to change it"));
        } else if response.has_focus() {
            ring(ui, at, 11.0);
        }
    }
}

/// Where on a line its handle lies: under the pointer if that is near, else in its middle.
fn place_on_line(ui: &Ui, [a, b]: [Pos2; 2], frame: Rect, dragging: bool) -> Option<Pos2> {
    let along = b - a;
    if along.length() < 1.0 {
        return frame.contains(a).then_some(a);
    }
    // Stay clear of the ridge's own handle at one end.
    let middle = a + along * 0.5;
    let nearest = |pointer: Pos2| {
        let part = ((pointer - a).dot(along) / along.length_sq()).clamp(0.0, 1.0);
        a + along * part
    };
    let pointer = ui.input(|input| input.pointer.latest_pos());
    let near = pointer.map(|pointer| (nearest(pointer), pointer));
    match near {
        Some((place, pointer))
            if dragging || (place.distance(pointer) < 7.0 && frame.contains(pointer)) =>
        {
            Some(place)
        }
        _ => frame.contains(middle).then_some(middle),
    }
}

fn handle_widget(ui: &Ui, handle: Handle, at: Pos2, frame: Rect, label: &str) -> Response {
    let touching = ui.input(|input| input.any_touches());
    let size = match handle {
        _ if touching => 32.0,
        Handle::Predicted(_) | Handle::Measured(_) => 22.0,
        Handle::Ridge(_) => 16.0,
        Handle::Slope(_) | Handle::Flat(_) => 13.0,
    };
    let area = Rect::from_center_size(at, Vec2::splat(size)).intersect(frame.expand(12.0));
    let response = ui.interact(
        area,
        Id::unique(("handle", handle)),
        Sense::click_and_drag(),
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Slider, true, label));
    response
}

fn mark_handle(
    ui: &mut Ui,
    document: &mut Document,
    scene: &Scene,
    mark: &Landed,
    p: &Projection,
    state: &mut UiState,
    requests: &mut Requests,
) {
    let id = mark.workload;
    let (handle, label) = match mark.kind {
        MarkKind::Predicted => (Handle::Predicted(id), mark.name.clone()),
        MarkKind::Measured => (Handle::Measured(id), format!("{}, measured", mark.name)),
    };
    let bounds = if mark.in_gutter {
        Rect::EVERYTHING
    } else {
        p.frame
    };
    let response = handle_widget(ui, handle, mark.center, bounds, &label);
    let response = response.on_hover_cursor(CursorIcon::Grab);
    if response.clicked() || response.drag_started() {
        requests.push(Request::Select(id));
        // From here on the arrow keys move it.
        response.request_focus();
    }
    let wanted = state.chart.focus_mark && document.view.selected == Some(id);
    if wanted && mark.kind == MarkKind::Predicted {
        state.chart.focus_mark = false;
        response.request_focus();
    }
    if response.has_focus() {
        ring(ui, mark.center, 13.0);
    }
    if !mark.in_gutter {
        let same = |m: &&crate::chart::scene::Mark| {
            m.workload == id && m.kind == mark.kind && m.on_other.is_none()
        };
        let at = scene.marks.iter().find(same);
        let place = at.map_or_else(|| p.from_screen(mark.center), |mark| mark.at);
        // Arrow keys go on from where they have pulled a point to.
        let ghost = state.chart.ghost.as_ref();
        let place = match ghost.filter(|ghost| ghost.workload == id) {
            Some(ghost) if mark.kind == MarkKind::Measured && !response.drag_started() => {
                [ghost.intensity.get().log10(), ghost.rate.get().log10()]
            }
            _ => place,
        };
        begin(&response, document);
        let workload = document.session.workload(id).cloned();
        if let Some((target, by_key)) = gesture(ui, &response, handle, place, p, state, workload) {
            match mark.kind {
                MarkKind::Predicted => {
                    move_prediction(ui, document, id, place, target, by_key, state)
                }
                MarkKind::Measured => pull_ghost(id, place, target, state),
            }
        }
    }
    if response.hovered() && state.chart.drag.is_none() {
        let drag = match (mark.in_gutter, mark.kind) {
            (true, _) => "It does no work, so it has no intensity",
            (_, MarkKind::Predicted) => "Drag: intensity and efficiency",
            (_, MarkKind::Measured) => "Drag: what such a point would need",
        };
        response.on_hover_text(format!("{}\n{drag}", mark.hover));
    }
}

/// What was typed and is committed by the press that begins a drag is a step of its own: Esc must not take it back.
fn begin(response: &Response, document: &mut Document) {
    if response.drag_started() {
        document.settle();
    }
}

/// Where a handle is wanted, in powers of ten; `None` leaves an axis alone.
type Wanted = [Option<f64>; 2];

/// The gesture on a handle in this frame: where it is wanted, and whether keys want it there.
fn gesture(
    ui: &Ui,
    response: &Response,
    handle: Handle,
    place: [f64; 2],
    p: &Projection,
    state: &mut UiState,
    workload: Option<crate::model::session::Workload>,
) -> Option<(Wanted, bool)> {
    if response.drag_started() {
        let at = p.to_screen(place);
        let pressed = ui.input(|input| input.pointer.press_origin()).unwrap_or(at);
        state.chart.drag = Some(Drag {
            handle,
            grab: at - pressed,
            from: place,
            workload,
            stopped: None,
        });
        state.chart.ghost = None;
    }
    let dragged = state
        .chart
        .drag
        .clone()
        .filter(|drag| drag.handle == handle);
    if response.dragged()
        && let Some(drag) = dragged
        && let Some(pointer) = response.interact_pointer_pos()
    {
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
        let modifiers = ui.input(|input| input.modifiers);
        return Some((target(pointer + drag.grab, &drag, p, modifiers), false));
    }
    if response.drag_stopped() {
        state.chart.drag = None;
    }
    let [dx, dy] = nudge(ui, response)?;
    let wanted = |at: f64, by: f64| (by != 0.0).then_some(at + by);
    Some(([wanted(place[0], dx), wanted(place[1], dy)], true))
}

/// What the pointer wants: Shift keeps to the axis moved along more, Ctrl goes to round values.
fn target(at: Pos2, drag: &Drag, p: &Projection, modifiers: Modifiers) -> Wanted {
    // A hand that leaves the chart means its edge, not a place far outside.
    let at = at.clamp(p.frame.min, p.frame.max);
    let [mut x, mut y] = p.from_screen(at);
    if modifiers.command {
        [x, y] = [round_value(x), round_value(y)];
    }
    let moved = at - p.to_screen(drag.from);
    if modifiers.shift {
        if moved.x.abs() >= moved.y.abs() {
            return [Some(x), None];
        }
        return [None, Some(y)];
    }
    // A drag along one axis leaves the other as it was: no hand is steady to the pixel.
    if matches!(drag.handle, Handle::Predicted(_)) {
        return [
            (moved.x.abs() > UNSTEADY).then_some(x),
            (moved.y.abs() > UNSTEADY).then_some(y),
        ];
    }
    [Some(x), Some(y)]
}

/// How far a hand strays from the axis it means to follow, and from the roof it means to stay on, in points.
const UNSTEADY: f32 = 9.0;

/// The power of ten of the nearest value with one significant digit, or one and a half or two and a half.
fn round_value(at: f64) -> f64 {
    let decade = at.floor();
    let round = [1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0_f64];
    let distance = |value: &f64| (value.log10() - (at - decade)).abs();
    let nearest = round
        .into_iter()
        .min_by(|a, b| distance(a).total_cmp(&distance(b)));
    decade + nearest.unwrap_or(1.0).log10()
}

/// Decades the arrow keys move a focused handle by: 0.01, with Shift 0.001, with Ctrl 0.1.
fn nudge(ui: &Ui, response: &Response) -> Option<[f64; 2]> {
    if !response.has_focus() {
        return None;
    }
    let filter = EventFilter {
        horizontal_arrows: true,
        vertical_arrows: true,
        ..Default::default()
    };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let mut by = [0.0; 2];
    ui.input_mut(|input| {
        let steps = [
            (Modifiers::SHIFT, 0.001),
            (Modifiers::COMMAND, 0.1),
            (Modifiers::NONE, 0.01),
        ];
        for (modifiers, step) in steps {
            let mut count = |key| input.count_and_consume_key(modifiers, key) as f64;
            by[0] += step * (count(Key::ArrowRight) - count(Key::ArrowLeft));
            by[1] += step * (count(Key::ArrowUp) - count(Key::ArrowDown));
        }
    });
    (by != [0.0, 0.0]).then_some(by)
}

fn move_prediction(
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

/// How near to the roof counts as on it for arrow keys: less than their smallest step.
const KEY_SNAP: f64 = 0.0005;

/// 10^`at` with four significant digits: the hand is not finer, and the panel stays readable.
fn tidy(at: f64) -> f64 {
    let value = 10f64.powf(at);
    format!("{value:.3e}").parse().unwrap_or(value)
}

fn pull_ghost(workload: WorkloadId, place: [f64; 2], [x, y]: Wanted, state: &mut UiState) {
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

fn move_roof(
    ui: &Ui,
    document: &mut Document,
    handle: Handle,
    place: [f64; 2],
    [x, y]: Wanted,
    by_key: bool,
) {
    let (id, path) = match handle {
        Handle::Slope(id) | Handle::Flat(id) | Handle::Ridge(id) => (id, drawn_path(document)),
        Handle::Predicted(_) | Handle::Measured(_) => return,
    };
    let by = document.session.assumptions.judged_by;
    let Some((path, gpu)) = path.zip(document.session.gpu_mut(id)) else {
        return;
    };
    let Some(used) = gpu.roof_for(path).map(|roof| roof.path) else {
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
fn drawn_path(document: &Document) -> Option<crate::model::cost::Path> {
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

fn emphasise(ui: &Ui, response: &Response, ends: [Pos2; 2], index: usize, handle: Handle) {
    let colour = roles(ui).gpu(index).gamma_multiply(0.25);
    match handle {
        Handle::Ridge(_) => {
            ui.painter()
                .circle_filled(response.rect.center(), 10.0, colour);
        }
        _ => {
            ui.painter().line_segment(ends, Stroke::new(8.0, colour));
        }
    }
}

fn ring(ui: &Ui, at: Pos2, radius: f32) {
    let accent = roles(ui).accent;
    ui.painter()
        .circle_stroke(at, radius, Stroke::new(1.5, accent));
}

/// Draws what a measured point pulled out; Enter keeps it as a variant.
fn ghost(
    ui: &Ui,
    document: &Document,
    p: &Projection,
    state: &mut UiState,
    requests: &mut Requests,
) {
    let Some(ghost) = state.chart.ghost.clone() else {
        return;
    };
    let at = p.to_screen([ghost.intensity.get().log10(), ghost.rate.get().log10()]);
    let accent = roles(ui).accent;
    let ring: Vec<Pos2> = (0..=24)
        .map(|i| at + Vec2::angled(i as f32 / 24.0 * std::f32::consts::TAU) * 7.0)
        .collect();
    ui.painter().extend(egui::Shape::dashed_line(
        &ring,
        Stroke::new(1.8, accent),
        3.0,
        2.5,
    ));
    // Enter in a field or a dialog answers that.
    let elsewhere = ui.ctx().text_edit_focused() || state.dialog.is_some();
    let enter = ui.input(|input| input.key_pressed(Key::Enter)) && !elsewhere;
    if !enter || state.chart.drag.is_some() {
        return;
    }
    let workload = document.session.workload(ghost.workload);
    let gpu = document.view.active.and_then(|id| document.session.gpu(id));
    let variant = workload.zip(gpu).and_then(|(workload, gpu)| {
        what_if::variant(
            workload,
            gpu,
            document.session.assumptions,
            ghost.intensity,
            ghost.rate,
        )
    });
    if let Some(variant) = variant {
        requests.push(Request::AddWorkload(Box::new(variant)));
    }
    state.chart.ghost = None;
}

/// What the card beside a gesture says.
pub fn card_lines(document: &Document, derived: &Derived, state: &UiState) -> Option<Vec<String>> {
    if let Some(ghost) = &state.chart.ghost {
        return ghost_lines(document, ghost);
    }
    let drag = state.chart.drag.as_ref()?;
    match drag.handle {
        Handle::Slope(id) | Handle::Flat(id) | Handle::Ridge(id) => {
            roof_lines(document, derived, id)
        }
        Handle::Predicted(id) => {
            let p = derived.on_active(id)?.as_ref().ok()?;
            let intensity = p.intensity().map_or_else(String::new, |i| i.to_string());
            let rate = p.rate().map_or_else(String::new, |r| r.to_string());
            let mut lines = vec![
                format!("{intensity} · {rate}"),
                format!("{} over {}", p.work, p.traffic),
                format!("{} · {}", p.time(), p.regime().name()),
            ];
            if p.efficiency < 1.0 {
                lines.push(format!("{} of the roof", units::percent(p.efficiency)));
            }
            lines.extend(drag.stopped.clone());
            Some(lines)
        }
        Handle::Measured(_) => None,
    }
}

fn roof_lines(document: &Document, derived: &Derived, id: GpuId) -> Option<Vec<String>> {
    let gpu = document.session.gpu(id)?;
    let roof = derived.scene.roofs.iter().find(|roof| roof.gpu == id)?;
    let mut lines = vec![
        gpu.name.clone(),
        format!("{} · {}", roof.peak_text, roof.bandwidth_text),
        format!("ridge {} FLOP/B", roof.ridge_text),
    ];
    if let Some([peak, bandwidth]) = roof.original {
        let text = |at: f64, unit| units::short(10f64.powf(at), unit);
        let was = format!(
            "was {} · {}",
            text(peak, Unit::FlopPerSecond),
            text(bandwidth, Unit::BytePerSecond)
        );
        lines.push(was);
    }
    Some(lines)
}

fn ghost_lines(document: &Document, ghost: &Ghost) -> Option<Vec<String>> {
    let workload = document.session.workload(ghost.workload)?;
    let work = workload.kind.family().cost().ok()?.total_work();
    let needs = |value: f64, unit| units::short(value, unit);
    let intensity: Intensity = ghost.intensity;
    Some(vec![
        format!("{intensity} · {}", ghost.rate),
        format!(
            "needs {} of traffic",
            needs(work.get() / intensity.get(), Unit::Byte)
        ),
        format!("and {}", needs(work.get() / ghost.rate.get(), Unit::Second)),
        "Enter keeps it as a variant, Esc drops it".to_owned(),
    ])
}
