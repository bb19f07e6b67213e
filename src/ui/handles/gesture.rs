//! What a hand or a key wants of a handle: the place it should go to.
use crate::chart::paint::Projection;
use crate::ui::state::{Drag, Handle, UiState};
use egui::{CursorIcon, EventFilter, Key, Modifiers, Pos2, Response, Ui};

/// Where a handle is wanted, in powers of ten; `None` leaves an axis alone.
pub(super) type Wanted = [Option<f64>; 2];

/// The gesture on a handle in this frame: where it is wanted, and whether keys want it there.
pub(super) fn gesture(
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
pub(super) fn target(at: Pos2, drag: &Drag, p: &Projection, modifiers: Modifiers) -> Wanted {
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
pub(super) const UNSTEADY: f32 = 9.0;

/// The power of ten of the nearest value with one significant digit, or one and a half or two and a half.
pub(super) fn round_value(at: f64) -> f64 {
    let decade = at.floor();
    let round = [1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0_f64];
    let distance = |value: &f64| (value.log10() - (at - decade)).abs();
    let nearest = round
        .into_iter()
        .min_by(|a, b| distance(a).total_cmp(&distance(b)));
    decade + nearest.unwrap_or(1.0).log10()
}

/// Decades the arrow keys move a focused handle by: 0.01, with Shift 0.001, with Ctrl 0.1.
pub(super) fn nudge(ui: &Ui, response: &Response) -> Option<[f64; 2]> {
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

/// How near to the roof counts as on it for arrow keys: less than their smallest step.
pub(super) const KEY_SNAP: f64 = 0.0005;

/// 10^`at` with four significant digits: the hand is not finer, and the panel stays readable.
pub(super) fn tidy(at: f64) -> f64 {
    let value = 10f64.powf(at);
    format!("{value:.3e}").parse().unwrap_or(value)
}
