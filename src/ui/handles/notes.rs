//! Handles over annotations: drag moves one, its second end has a handle of its own, arrow keys work too.
use super::gesture::gesture;
use crate::chart::paint::{LandedNote, Painted};
use crate::document::Document;
use crate::ui::state::{Handle, Tab, UiState};
use crate::ui::widgets::roles;
use egui::{
    CursorIcon, Id, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo,
};

/// Side of the handle of a second end.
const END: f32 = 14.0;

/// Puts the handles over the annotations.
pub(super) fn notes(ui: &Ui, document: &mut Document, painted: &Painted, state: &mut UiState) {
    state.chart.focused_note = None;
    for note in &painted.notes {
        one(ui, document, painted, note, note.area, false, state);
        if let Some(end) = note.end {
            let area = Rect::from_center_size(end, Vec2::splat(END));
            one(ui, document, painted, note, area, true, state);
        }
    }
}

fn one(
    ui: &Ui,
    document: &mut Document,
    painted: &Painted,
    note: &LandedNote,
    area: Rect,
    is_end: bool,
    state: &mut UiState,
) {
    let handle = Handle::Annotation(note.id, is_end);
    let kind = document
        .session
        .annotation(note.id)
        .map_or("note", |one| one.shape.name());
    let name = match is_end {
        false => format!("{kind}: {}", note.text),
        true => format!("{kind}: {}, other end", note.text),
    };
    let sight = painted.projection.frame.expand(8.0);
    let response = ui.interact(
        area.intersect(sight),
        Id::unique(("handle", handle)),
        Sense::click_and_drag(),
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Slider, true, &name));
    let response = response.on_hover_cursor(CursorIcon::Move);
    if response.drag_started() {
        document.settle();
    }
    if response.clicked() || response.drag_started() {
        state.annotation = Some(note.id);
        response.request_focus();
    }
    if response.double_clicked() {
        state.tab = Tab::Views;
    }
    drag(
        ui,
        document,
        painted,
        &response,
        handle,
        area.center(),
        state,
    );
    if response.has_focus() || response.hovered() {
        let stroke = Stroke::new(
            if response.has_focus() { 1.5 } else { 0.8 },
            roles(ui).accent,
        );
        ui.painter()
            .rect_stroke(area.expand(3.0), 3.0, stroke, StrokeKind::Outside);
    }
    if response.has_focus() {
        state.chart.focused_note = Some(note.id);
    }
}

/// Moves it by as much as the hand or the keys moved its handle.
fn drag(
    ui: &Ui,
    document: &mut Document,
    painted: &Painted,
    response: &Response,
    handle: Handle,
    center: Pos2,
    state: &mut UiState,
) {
    let Handle::Annotation(id, is_end) = handle else {
        return;
    };
    let p = &painted.projection;
    let place = p.from_screen(center);
    let Some((wanted, _)) = gesture(ui, response, handle, place, p, state, None) else {
        return;
    };
    let by = [0, 1].map(|i| wanted[i].map_or(0.0, |to| to - place[i]));
    if let Some(annotation) = document.session.annotation_mut(id) {
        match is_end {
            true => annotation.shift_end(by),
            false => annotation.shift(by),
        }
    }
}
