//! Kernels without work, beside the chart: at their share of bandwidth, those of one height drawn as one.
use super::kernels::radius_of;
use crate::chart::scene::Scene;
use crate::chart::style::Style;
use egui::{Painter, Pos2, Stroke};

/// Height of what is drawn as one, in points.
const STEP: f32 = 4.0;

/// Kernels at one height of the gutter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LandedGutter {
    pub center: Pos2,
    pub radius: f32,
    /// Its place in the layer's gutter.
    pub heaviest: u32,
    pub count: usize,
}

/// Draws the marks; `place` gives where a share lies.
pub(super) fn marks(
    painter: &Painter,
    style: &Style,
    scene: &Scene,
    place: impl Fn(f64) -> Pos2,
) -> Vec<LandedGutter> {
    let layer = &scene.kernels;
    let mut landed: Vec<LandedGutter> = Vec::new();
    let mut parts: Vec<f32> = Vec::new();
    let mut at_height = std::collections::HashMap::new();
    let step = |center: Pos2| (center.y / STEP).round() as i32;
    for height in layer.gutter_heights.iter() {
        let center = place(height.share);
        let at = *at_height.entry(step(center)).or_insert_with(|| {
            // The heaviest come first, so that they stand for those that follow.
            landed.push(LandedGutter {
                center,
                radius: 0.0,
                heaviest: height.heaviest,
                count: 0,
            });
            parts.push(0.0);
            landed.len() - 1
        });
        landed[at].count += height.count;
        parts[at] += height.part;
    }
    for (mark, part) in landed.iter_mut().zip(&parts) {
        mark.radius = radius_of(*part).min(16.0);
        let colour = style.memory.gamma_multiply(scene.kernel_strength());
        painter.circle(
            mark.center,
            mark.radius,
            colour.gamma_multiply(0.45),
            Stroke::new(1.0, colour),
        );
    }
    let selected = layer.selected_in_gutter;
    if let Some((index, kernel)) = selected.and_then(|i| Some((i, layer.gutter.get(i)?))) {
        let center = place(kernel.share);
        if let Some(at) = at_height.get(&step(center)) {
            landed[*at].heaviest = index as u32;
        }
        painter.circle_filled(center, 3.0, style.accent);
        painter.circle_stroke(center, 9.0, Stroke::new(2.0, style.accent));
    }
    landed
}
