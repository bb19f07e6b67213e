//! The operators of the selected workload: discs as large as their part of the time.
use super::halo::halo;
use super::marks::lead;
use super::projection::Projection;
use crate::chart::labels::{Placer, around};
use crate::chart::scene::{OperatorMark, Scene};
use crate::chart::style::Style;
use crate::chart::style::size;
use egui::{FontId, Painter, Pos2, Rect, Stroke, vec2};

/// Where an operator was drawn, for its hover.
#[derive(Debug, Clone, PartialEq)]
pub struct LandedOperator {
    pub name: String,
    pub hover: String,
    pub center: Pos2,
    pub radius: f32,
}

/// Radius of an operator that takes all the time; areas are as the shares.
const LARGEST: f32 = 26.0;
const SMALLEST: f32 = 3.0;
/// The smallest share that is named on the chart; all are in the table.
const NAMED: f64 = 0.02;
/// Half the size of the cross of the one-number model.
const CROSS: f32 = 5.0;

fn radius(mark: &OperatorMark) -> f32 {
    (LARGEST * mark.share.sqrt() as f32).max(SMALLEST)
}

/// Draws the discs, below the marks of workloads.
pub(super) fn discs(
    painter: &Painter,
    style: &Style,
    p: &Projection,
    scene: &Scene,
) -> Vec<LandedOperator> {
    let mut landed = Vec::new();
    // The largest first, so that small ones stay on top.
    for mark in &scene.operators {
        let at = p.to_screen(mark.at);
        if !p.frame.expand(4.0).contains(at) {
            continue;
        }
        let (radius, colour) = (radius(mark), style.regime(mark.regime));
        painter.circle_filled(at, radius, colour.gamma_multiply(0.28));
        painter.circle_stroke(at, radius, Stroke::new(1.2, colour));
        landed.push(LandedOperator {
            name: mark.name.clone(),
            hover: mark.hover.clone(),
            center: at,
            radius,
        });
    }
    landed
}

/// Names the discs that matter and the one-number model, where there is room.
pub(super) fn names(
    painter: &Painter,
    style: &Style,
    p: &Projection,
    scene: &Scene,
    placer: &mut Placer,
) {
    if let Some(one) = &scene.one_number {
        let at = p.to_screen(one.at);
        if p.frame.contains(at) {
            let stroke = Stroke::new(1.6, style.muted);
            for arm in [vec2(CROSS, CROSS), vec2(CROSS, -CROSS)] {
                painter.line_segment([at - arm, at + arm], stroke);
            }
            name(painter, style, &one.text, at, CROSS, placer);
        }
    }
    for mark in scene.operators.iter().filter(|mark| mark.share >= NAMED) {
        let at = p.to_screen(mark.at);
        if p.frame.contains(at) {
            name(painter, style, &mark.name, at, radius(mark), placer);
        }
    }
}

fn name(painter: &Painter, style: &Style, text: &str, at: Pos2, radius: f32, placer: &mut Placer) {
    let font = FontId::proportional(size::LABEL);
    let galley = painter.layout_no_wrap(text.to_owned(), font, style.muted);
    if let Some(found) = placer.place(around(at, radius, galley.size())) {
        let area = Rect::from_center_size(found.center, galley.size());
        lead(painter, style, at, area, radius);
        halo(painter, style, &found);
        painter.galley(area.min, galley, style.muted);
    }
}
