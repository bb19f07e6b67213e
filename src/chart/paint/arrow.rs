//! A straight arrow with a head of one size, however long it is.
use egui::emath::Rot2;
use egui::{Painter, Pos2, Shape, Stroke, Vec2};

/// Length of the head, in widths of the line, and how far its sides open, in radians.
const HEAD: f32 = 5.0;
const OPENING: f32 = 0.42;

/// Draws an arrow with its point at `to`.
pub(super) fn arrow(painter: &Painter, from: Pos2, to: Pos2, stroke: Stroke) {
    let along: Vec2 = to - from;
    let length = along.length();
    if length < 1.0 {
        return;
    }
    let back = -along / length * (HEAD * stroke.width).min(length);
    let side = |angle: f32| to + Rot2::from_angle(angle) * back;
    let head = vec![to, side(OPENING), side(-OPENING)];
    // The line ends in the head, so that its point stays sharp.
    painter.line_segment([from, to + back * 0.6], stroke);
    painter.add(Shape::convex_polygon(head, stroke.color, Stroke::NONE));
}
