//! Handles over marks, slopes, flats and ridges, which is what the hand takes hold of.
mod card;
mod gesture;
mod moves;
mod notes;
mod trace;

use crate::chart::paint::{Landed, Painted, Projection};
use crate::chart::scene::{MarkKind, Roof, Scene};
use crate::document::Document;
use crate::model::cost::Level;
use crate::model::derive::Target;
use crate::model::what_if;
use crate::ui::request::{Request, Requests};
use crate::ui::state::{Handle, UiState};
use crate::ui::widgets::roles;
pub use card::card_lines;
use egui::{CursorIcon, Id, Key, Pos2, Rect, Response, Role, Sense, Stroke, Ui, Vec2, WidgetInfo};
use gesture::*;
use moves::*;

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
    // Normalised axes show shares; the numbers themselves are dragged on the plain ones.
    let drawn = if scene.normalised {
        &[][..]
    } else {
        &scene.roofs[..]
    };
    let (active, others): (Vec<&Roof>, Vec<&Roof>) = drawn.iter().partition(|roof| roof.active);
    // Later handles lie on top: other GPUs, the active one, marks, the selected mark.
    if !scene.normalised {
        trace::labels(ui, document, &painted.labels, requests);
    }
    for roof in others.into_iter().chain(active) {
        roof_handles(ui, document, roof, &p, state, requests);
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
    for operator in &painted.operators {
        let area = Rect::from_center_size(operator.center, Vec2::splat(2.0 * operator.radius));
        let response = ui.interact(
            area,
            Id::unique(("operator", &operator.name)),
            Sense::hover(),
        );
        response.on_hover_text(&operator.hover);
    }
    for (index, turn) in painted.turns.iter().enumerate() {
        let area = Rect::from_center_size(turn.at, Vec2::splat(14.0));
        let response = ui.interact(area, Id::unique(("turn", index)), Sense::hover());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, &turn.said));
        response.on_hover_text(&turn.said);
    }
    let of_active = painted.marks.iter().filter(|mark| !mark.on_other);
    let mut marks: Vec<&Landed> = of_active.take(MOST_HANDLES).collect();
    marks.sort_by_key(|mark| document.view.selected == Some(mark.workload));
    for mark in marks {
        mark_handle(ui, document, scene, mark, &p, state, requests);
    }
    notes::notes(ui, document, painted, state);
    ghost(ui, document, &p, state, requests);
}

fn roof_handles(
    ui: &mut Ui,
    document: &mut Document,
    roof: &Roof,
    p: &Projection,
    state: &mut UiState,
    requests: &mut Requests,
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
        let target = match handle {
            Handle::Slope(_) => Target::Memory(roof.level),
            _ => Target::Compute(roof.path),
        };
        if response.clicked() {
            requests.push(Request::Trace(roof.gpu, target));
        }
        if response.hovered() && state.chart.drag.is_none() {
            emphasise(ui, &response, ends, roof.index, handle);
            let origin = trace::origin(document, roof.gpu, target).unwrap_or_default();
            response.on_hover_text(format!(
                "{label}\n{origin}\nClick: its row in the GPU panel. Drag to change it"
            ));
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
        Handle::Slope(_) | Handle::Flat(_) | Handle::Annotation(..) => 13.0,
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
    if !mark.in_gutter && !scene.normalised {
        let same = |m: &&crate::chart::scene::Mark| {
            m.workload == id && m.kind == mark.kind && m.on_other.is_none() && !m.secondary
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
        let at_dram = at.is_none_or(|mark| mark.level == Level::Dram);
        if let Some((mut target, by_key)) =
            gesture(ui, &response, handle, place, p, state, workload)
        {
            if !at_dram {
                // Parameters are solved for the intensity at DRAM.
                target[0] = None;
            }
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

/// Takes back the gesture under way, as Esc does.
fn cancel_gesture(state: &mut UiState, requests: &mut Requests) {
    if state.chart.drag.take().is_some() {
        requests.push(Request::RevertGesture);
    }
    state.chart.ghost = None;
}
