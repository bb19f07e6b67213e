//! Lines from the pointer to both axes, with what they mean there.
use crate::chart::paint::Painted;
use crate::chart::scene::Scene;
use crate::chart::style::size;
use crate::chart::style::{self, Style};
use crate::document::Document;
use crate::model::units::{self, Unit};
use crate::ui::state::UiState;
use egui::{Rect, Shape, Stroke, Ui, pos2, vec2};

/// Draws the crosshair where the pointer is, unless the hand moves something: that has a card of its own.
pub(super) fn crosshair(
    ui: &Ui,
    document: &Document,
    scene: &Scene,
    painted: &Painted,
    state: &UiState,
    style: &Style,
) {
    let frame = painted.projection.frame;
    let pointer = ui.input(|input| input.pointer.hover_pos());
    let Some(at) = pointer.filter(|at| frame.contains(*at)) else {
        return;
    };
    if state.chart.drag.is_some() || scene.normalised {
        return;
    }
    let stroke = Stroke::new(0.8, style.muted);
    let painter = ui.painter();
    let (left, right) = (pos2(frame.left(), at.y), pos2(frame.right(), at.y));
    let (top, bottom) = (pos2(at.x, frame.top()), pos2(at.x, frame.bottom()));
    for line in [[left, right], [top, bottom]] {
        painter.extend(Shape::dashed_line(&line, stroke, 3.0, 3.0));
    }
    let lines = readout(document, scene, painted.projection.from_screen(at));
    let galley = painter.layout_no_wrap(lines.join("\n"), style::strong(size::CONTROL), style.ink);
    let size = galley.size();
    // Away from the nearer edges, so that it never leaves the frame.
    let x = if at.x > frame.center().x {
        at.x - size.x - 10.0
    } else {
        at.x + 10.0
    };
    let y = if at.y > frame.center().y {
        at.y - size.y - 8.0
    } else {
        at.y + 8.0
    };
    let room = frame.shrink2(vec2(6.0, 4.0));
    let last = (room.max - size).max(room.min);
    let area = Rect::from_min_size(pos2(x, y).clamp(room.min, last), size);
    painter.rect_filled(area.expand2(vec2(5.0, 3.0)), 3.0, style.panel);
    painter.rect_stroke(
        area.expand2(vec2(5.0, 3.0)),
        3.0,
        Stroke::new(1.0, style.line),
        egui::StrokeKind::Inside,
    );
    painter.galley(area.min, galley, style.ink);
}

/// Intensity and rate under the pointer, and what the active GPU allows there.
fn readout(document: &Document, scene: &Scene, [x, y]: [f64; 2]) -> Vec<String> {
    let text = |at: f64, unit| units::short(10f64.powf(at), unit);
    let mut lines = vec![format!(
        "{} · {}",
        text(x, Unit::FlopPerByte),
        text(y, Unit::FlopPerSecond)
    )];
    let gpu = document.view.active.and_then(|id| document.session.gpu(id));
    if let Some((roof, gpu)) = scene.active_roof().zip(gpu) {
        let most = text(roof.height(x), Unit::FlopPerSecond);
        lines.push(format!("{}: at most {most} here", gpu.name));
    }
    lines
}
