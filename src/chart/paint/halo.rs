//! The ground behind labels, so that lines do not cross their letters.
use crate::chart::labels::Candidate;
use crate::chart::style::Style;
use egui::{Painter, Rect, Shape, Stroke, vec2};

/// Dims what lies behind a label, so that grid lines do not cross its letters.
pub(super) fn halo(painter: &Painter, style: &Style, place: &Candidate) {
    let area = Rect::from_center_size(place.center, place.size).expand2(vec2(2.0, -1.0));
    painter.rect_filled(area, 3.0, style.ground.gamma_multiply(0.6));
}

pub(super) fn rotated_halo(painter: &Painter, style: &Style, place: &Candidate) {
    let turn = egui::emath::Rot2::from_angle(place.angle);
    let half = place.size / 2.0 + vec2(1.0, -1.0);
    let corners = [
        vec2(-half.x, -half.y),
        vec2(half.x, -half.y),
        half,
        vec2(-half.x, half.y),
    ];
    let points = corners.map(|corner| place.center + turn * corner).to_vec();
    painter.add(Shape::convex_polygon(
        points,
        style.ground.gamma_multiply(0.6),
        Stroke::NONE,
    ));
}
