//! What is written along the roofs: names, peaks, bandwidths, ridge points.
use super::halo::{halo, rotated_halo};
use super::lines::outline;
use super::projection::Projection;
use crate::chart::labels::{Candidate, Placer, between, shortened};
use crate::chart::scene::{Roof, Scene};
use crate::chart::style::size;
use crate::chart::style::{self, Style};
use egui::{Align2, Color32, FontId, Painter, Rect, epaint::TextShape, pos2, vec2};

pub(super) fn labels(
    painter: &Painter,
    style: &Style,
    p: &Projection,
    scene: &Scene,
    placer: &mut Placer,
) {
    let (active, others): (Vec<&Roof>, Vec<&Roof>) =
        scene.roofs.iter().partition(|roof| roof.active);
    for roof in active {
        let name = shortened(&roof.name, 28);
        let (flat, short) = match scene.normalised {
            true => (format!("{name} {}", roof.peak_text), name),
            false => (
                format!("{name} · {} {}", roof.path, roof.peak_text),
                format!("{} {}", roof.path, roof.peak_text),
            ),
        };
        flat_label(painter, style, p, roof, &[flat, short], placer);
        let slope = match scene.normalised {
            true => roof.bandwidth_text.clone(),
            false => format!("{} {}", roof.level.name(), roof.bandwidth_text),
        };
        slope_label(painter, style, p, roof, &slope, placer);
        for slope in &scene.slopes {
            let at = Roof {
                bandwidth: slope.bandwidth,
                ..roof.clone()
            };
            slope_label(painter, style, p, &at, &slope.text, placer);
        }
        ridge_label(painter, style, p, roof, placer);
        if let Some(other) = &roof.other_basis {
            let at = Roof {
                peak: other.peak,
                bandwidth: other.bandwidth,
                ..roof.clone()
            };
            let (short, _) = other.name.split_once(' ').unwrap_or((&other.name, ""));
            let texts = [other.name.clone(), short.to_owned()];
            flat_label(painter, style, p, &at, &texts, placer);
        }
    }
    for roof in others {
        let name = shortened(&roof.name, 28);
        let long = format!("{name} · {} · {}", roof.peak_text, roof.bandwidth_text);
        flat_label(painter, style, p, roof, &[long, name], placer);
        ridge_label(painter, style, p, roof, placer);
    }
    for roof in &scene.other_paths {
        let text = format!("{} {}", roof.path, roof.peak_text);
        flat_label(painter, style, p, roof, &[text], placer);
    }
}

/// Beside the flat, from its right end leftwards, above the line and then below; shorter texts if need be.
fn flat_label(
    painter: &Painter,
    style: &Style,
    p: &Projection,
    roof: &Roof,
    texts: &[String],
    placer: &mut Placer,
) {
    let colour = style.gpu_text(roof.index);
    let (from, to) = (
        p.to_screen([roof.ridge(), roof.peak]),
        p.to_screen([p.limits.x[1], roof.peak]),
    );
    for text in texts {
        let galley = painter.layout_no_wrap(text.clone(), style::small(), colour);
        let size = galley.size();
        let start = from.x.max(p.frame.left()) + 6.0;
        let end = to.x - size.x - 6.0;
        let offsets = [-size.y - 3.0, 4.0];
        let candidates = (0..12).flat_map(|step| {
            let x = end - step as f32 * 24.0;
            offsets.map(move |y| pos2(x, from.y + y))
        });
        let candidates = candidates
            .filter(|at| at.x >= start - 4.0)
            .map(|at| Candidate::upright(Rect::from_min_size(at, size)));
        if let Some(found) = placer.place(candidates) {
            halo(painter, style, &found);
            painter.galley(
                Rect::from_center_size(found.center, size).min,
                galley,
                colour,
            );
            return;
        }
    }
}

/// Along the slope, above it, at the first free place from its lower third up.
fn slope_label(
    painter: &Painter,
    style: &Style,
    p: &Projection,
    roof: &Roof,
    text: &str,
    placer: &mut Placer,
) {
    let colour = style.gpu_text(roof.index);
    let galley = painter.layout_no_wrap(text.to_owned(), style::small(), colour);
    let points = outline(roof, p);
    let [start, end] = [points[0], points[1]];
    let angle = p.slope_angle();
    let normal = vec2(angle.sin(), -angle.cos());
    let size = galley.size();
    let places = [0.35, 0.45, 0.25, 0.55, 0.65, 0.15, 0.75, 0.85];
    let candidates = places.iter().flat_map(|part| {
        [1.0, -1.0].map(|side| Candidate {
            center: between(start, end, *part) + normal * side * (size.y * 0.5 + 5.0),
            size,
            angle,
        })
    });
    let candidates: Vec<_> = candidates.collect();
    if let Some(found) = placer.place_even_over_lines(candidates) {
        rotated_halo(painter, style, &found);
        rotated(painter, galley, &found, colour);
    }
}

fn ridge_label(painter: &Painter, style: &Style, p: &Projection, roof: &Roof, placer: &mut Placer) {
    let text = format!("ridge {}", roof.ridge_text);
    let font = FontId::proportional(size::LABEL);
    let galley = painter.layout_no_wrap(text, font, style.gpu_text(roof.index));
    let (at, size) = (p.to_screen([roof.ridge(), roof.peak]), galley.size());
    if !p.frame.contains(at) {
        return;
    }
    let places = [
        vec2(-size.x - 9.0, -size.y - 2.0),
        vec2(-size.x * 0.5, -size.y - 9.0),
        vec2(9.0, 5.0),
        vec2(9.0, -size.y - 4.0),
        vec2(-size.x - 12.0, -size.y * 0.5),
        vec2(12.0, 18.0),
        vec2(-size.x - 22.0, -size.y - 14.0),
        vec2(-size.x * 0.5, 9.0),
        vec2(16.0, -size.y - 16.0),
    ];
    let candidates =
        places.map(|offset| Candidate::upright(Rect::from_min_size(at + offset, size)));
    if let Some(found) = placer.place_even_over_lines(candidates) {
        halo(painter, style, &found);
        painter.galley(
            Rect::from_center_size(found.center, size).min,
            galley,
            style.ink,
        );
    }
}

fn rotated(
    painter: &Painter,
    galley: std::sync::Arc<egui::Galley>,
    place: &Candidate,
    colour: Color32,
) {
    let corner = Rect::from_center_size(place.center, galley.size()).min;
    let text = TextShape::new(corner, galley, colour);
    painter.add(text.with_angle_and_anchor(place.angle, Align2::CENTER_CENTER));
}
