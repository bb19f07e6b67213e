//! Where the map, its labels, legend and readout stand; and what is painted on and around the map.
use super::axes::{Axes, place_of};
use super::cells;
use crate::chart::style::{self, Style};
use crate::model::session::Workload;
use crate::model::sweep::grid::{GridResult, Shown};
use crate::model::sweep::{Sweep, value_text};
use egui::{Align2, Color32, Rect, Shape, Stroke, StrokeKind, Ui, pos2, vec2};
use std::sync::Arc;

/// What stands around the map.
const LEGEND: f32 = 128.0;
const READOUT: f32 = 196.0;
const LINE: f32 = 16.0;
pub(super) const LEAST_HEIGHT: f32 = 104.0;

/// Where everything stands.
pub(super) struct Frame {
    pub axes: Axes,
    pub legend: Option<Rect>,
    pub readout: Option<Rect>,
}

impl Frame {
    pub fn new(ui: &Ui, rect: Rect, result: &GridResult) -> Self {
        let grid = result.task.grid();
        let width = |text: String| {
            let ink = Color32::WHITE;
            ui.painter()
                .layout_no_wrap(text, style::small(), ink)
                .size()
                .x
        };
        let values = grid
            .second
            .values
            .iter()
            .step_by(1 + grid.second.values.len() / 64);
        let labels = values.map(|value| width(value_text(*value, result.units[1])));
        let titles =
            [&grid.first, &grid.second].map(|s| width(format!("{} →", name(&s.parameter))));
        let gutter = labels.chain(titles).fold(30.0, f32::max).min(150.0) + 8.0;
        let mut right = rect.right();
        let mut column = |wanted: f32, least: f32| {
            let fits = right - wanted - (rect.left() + gutter) >= least;
            fits.then(|| {
                right -= wanted;
                Rect::from_min_max(
                    pos2(right + 16.0, rect.top()),
                    pos2(right + wanted, rect.bottom()),
                )
            })
        };
        let readout = column(READOUT, 200.0);
        let legend = column(LEGEND, 120.0);
        let area = Rect::from_min_max(
            pos2(rect.left() + gutter, rect.top() + LINE),
            pos2(right, rect.bottom() - LINE - 2.0),
        );
        Self {
            axes: Axes::new(area, result.task.size()),
            legend,
            readout,
        }
    }
}

fn name(parameter: &str) -> String {
    parameter.replace('_', " ")
}

/// Shapes that are made again only when what they show has changed.
#[derive(Clone)]
struct Kept {
    result: Arc<GridResult>,
    shown: Shown,
    axes: Axes,
    dark: bool,
    shapes: Arc<Vec<Shape>>,
}

/// The cells; dimmed where they are of before the last change.
pub(super) fn painted(
    ui: &Ui,
    frame: &Frame,
    result: &Arc<GridResult>,
    shown: Shown,
    roles: &Style,
    outdated: bool,
) {
    let id = egui::Id::unique("heat map shapes");
    let kept = ui.data(|data| data.get_temp::<Kept>(id)).filter(|kept| {
        let same = Arc::ptr_eq(&kept.result, result) && kept.axes == frame.axes;
        same && kept.shown == shown && kept.dark == roles.dark
    });
    let kept = kept.unwrap_or_else(|| {
        let shapes = cells::shapes(ui.painter(), result, shown, &frame.axes, roles);
        let kept = Kept {
            result: result.clone(),
            shown,
            axes: frame.axes.clone(),
            dark: roles.dark,
            shapes: Arc::new(shapes),
        };
        ui.data_mut(|data| data.insert_temp(id, kept.clone()));
        kept
    });
    let area = frame.axes.area();
    let painter = ui.painter().with_clip_rect(area.expand(1.0));
    painter.extend(kept.shapes.iter().cloned());
    if outdated {
        // Of before the last change, until the new one is there.
        painter.rect_filled(area, 0.0, roles.ground.gamma_multiply(0.6));
    }
    let stroke = Stroke::new(1.0, roles.line);
    ui.painter()
        .rect_stroke(area, 0.0, stroke, StrokeKind::Outside);
}

/// The values along both axes, as many as there is room for, and the names of the parameters.
pub(super) fn axis_labels(ui: &Ui, frame: &Frame, result: &GridResult, roles: &Style) {
    let (grid, area, painter) = (result.task.grid(), frame.axes.area(), ui.painter());
    let text = |at, align, text: String, ink| painter.text(at, align, text, style::small(), ink);
    let at_left = area.left() - 7.0;
    let rows = grid.second.values.len();
    let every = (LINE / frame.axes.y.step()).ceil().max(1.0) as usize;
    for (index, value) in grid.second.values.iter().enumerate().step_by(every) {
        let at = pos2(
            at_left,
            frame.axes.y.middle(index as f64).max(area.top() + 4.0),
        );
        text(
            at,
            Align2::RIGHT_CENTER,
            value_text(*value, result.units[1]),
            roles.ink,
        );
    }
    let top = pos2(at_left, area.top() - LINE);
    text(
        top,
        Align2::RIGHT_TOP,
        format!("{} ↑", name(&grid.second.parameter)),
        roles.muted,
    );
    debug_assert!(rows > 0);
    let bottom = area.bottom() + 4.0;
    let labels = grid.first.values.iter();
    let mut free = area.left() - 1.0;
    for (index, label) in labels.enumerate() {
        let galley = painter.layout_no_wrap(
            value_text(*label, result.units[0]),
            style::small(),
            roles.ink,
        );
        let half = galley.size().x / 2.0;
        let middle = frame.axes.x.middle(index as f64);
        let left = (middle - half).max(area.left());
        if left >= free && left + 2.0 * half <= area.right() + 12.0 {
            free = left + 2.0 * half + 8.0;
            painter.galley(pos2(left, bottom), galley, roles.ink);
        }
    }
    let corner = pos2(at_left, bottom);
    text(
        corner,
        Align2::RIGHT_TOP,
        format!("{} →", name(&grid.first.parameter)),
        roles.muted,
    );
}

/// Outlines the cell of the workload as it is, or marks where between cells it lies.
pub(super) fn present(
    ui: &Ui,
    frame: &Frame,
    result: &GridResult,
    workload: &Workload,
    roles: &Style,
) -> Option<[Result<usize, f64>; 2]> {
    let grid = result.task.grid();
    let place = |sweep: &Sweep| place_of(workload.kind.number(&sweep.parameter)?, &sweep.values);
    let places = [place(&grid.first)?, place(&grid.second)?];
    if let [Ok(first), Ok(second)] = places {
        let cell = frame.axes.rect([first, second]);
        let room = vec2(
            (12.0 - cell.width()).max(0.0),
            (12.0 - cell.height()).max(0.0),
        ) / 2.0;
        outline(ui, cell.expand2(room), 2.5);
        return Some(places);
    }
    let [x, y] = places.map(|place| place.map_or_else(|between| between, |index| index as f64));
    let at = pos2(frame.axes.x.middle(x), frame.axes.y.middle(y));
    ui.painter()
        .circle(at, 5.0, roles.ground, Stroke::new(2.5, roles.ink));
    Some(places)
}

/// An outline that shows on every colour.
pub(super) fn outline(ui: &Ui, rect: Rect, width: f32) {
    let painter = ui.painter();
    let kind = StrokeKind::Inside;
    let (light, dark) = (Color32::from_gray(255), Color32::from_gray(10));
    painter.rect_stroke(rect, 1.0, Stroke::new(width + 1.5, dark), kind);
    painter.rect_stroke(
        rect.shrink(0.75),
        1.0,
        Stroke::new(width - 0.5, light),
        kind,
    );
}

/// Shows that the map has the keyboard.
pub(super) fn outline_focus(ui: &Ui, area: Rect, roles: &Style) {
    let stroke = Stroke::new(2.0, roles.accent);
    ui.painter()
        .rect_stroke(area.expand(2.0), 2.0, stroke, StrokeKind::Outside);
}
