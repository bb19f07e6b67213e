//! Grid, regimes, rails and roofs.
use super::LandedWord;
use super::halo::halo;
use super::projection::Projection;
use crate::chart::axis;
use crate::chart::labels::{Candidate, Placer, around};
use crate::chart::scene::{Roof, Scene};
use crate::chart::style::size;
use crate::chart::style::{self, Style};
use crate::model::placement::Regime;
use egui::{Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, pos2, vec2};

/// Height of a rail and the gap to the next.
const RAIL: f32 = 4.5;

pub(super) fn grid(painter: &Painter, style: &Style, p: &Projection) {
    let major = |at: f64, span: f64| span >= 0.7 && (at - at.round()).abs() < 1e-9;
    let per_decade = p.per_decade();
    let [x0, x1] = p.limits.x;
    for tick in axis::ticks(x0, x1) {
        let is_major = major(tick.at, x1 - x0);
        if is_major || tick.step as f32 * per_decade.x > 3.0 {
            let colour = if is_major {
                style.grid_major
            } else {
                style.grid_minor
            };
            let x = p.to_screen([tick.at, 0.0]).x;
            painter.vline(x, p.frame.y_range(), Stroke::new(1.0, colour));
        }
    }
    let [y0, y1] = p.limits.y;
    for tick in axis::ticks(y0, y1) {
        let is_major = major(tick.at, y1 - y0);
        if is_major || tick.step as f32 * per_decade.y > 3.0 {
            let colour = if is_major {
                style.grid_major
            } else {
                style.grid_minor
            };
            let y = p.to_screen([0.0, tick.at]).y;
            painter.hline(p.frame.x_range(), y, Stroke::new(1.0, colour));
        }
    }
}

pub(super) fn regimes(
    painter: &Painter,
    style: &Style,
    p: &Projection,
    scene: &Scene,
    placer: &mut Placer,
) {
    let Some(roof) = scene.active_roof() else {
        return;
    };
    let ([x0, x1], y0) = (p.limits.x, p.limits.y[0]);
    let ridge = roof.ridge().clamp(x0, x1);
    let foot = (y0 - roof.bandwidth).max(x0);
    if foot < ridge {
        let shape = [
            [foot, y0],
            [foot, roof.height(foot)],
            [ridge, roof.height(ridge)],
            [ridge, y0],
        ];
        fill(painter, p, &shape, style.shaded(style.memory));
    }
    if ridge < x1 && roof.peak > y0 {
        let shape = [
            [ridge, y0],
            [ridge, roof.height(ridge)],
            [x1, roof.peak],
            [x1, y0],
        ];
        fill(painter, p, &shape, style.shaded(style.compute));
    }
    rails(painter, style, p, scene, placer);
}

/// The names of the regimes at the foot of the chart, on either side of the active ridge; and where they came to stand.
pub(super) fn regime_names(
    painter: &Painter,
    style: &Style,
    p: &Projection,
    scene: &Scene,
    placer: &mut Placer,
) -> Vec<LandedWord> {
    let Some(roof) = scene.active_roof() else {
        return Vec::new();
    };
    let ridge = roof.ridge().clamp(p.limits.x[0], p.limits.x[1]);
    let at = p.to_screen([ridge, p.limits.y[0]]);
    let baseline = p.frame.bottom() - RAIL * scene.roofs.len() as f32 - 14.0;
    let sides = [(Regime::MemoryBound, -1.0), (Regime::ComputeBound, 1.0)];
    let named = sides.map(|(regime, side)| {
        let at = pos2(at.x + side * 10.0, baseline);
        let area = regime_name(painter, style, placer, regime, at, side)?;
        Some(LandedWord {
            area,
            text: regime.name().to_owned(),
        })
    });
    named.into_iter().flatten().collect()
}

fn fill(painter: &Painter, p: &Projection, corners: &[[f64; 2]], colour: Color32) {
    let points = corners.iter().map(|corner| p.to_screen(*corner)).collect();
    painter.add(Shape::convex_polygon(points, colour, Stroke::NONE));
}

/// The regime's name with what to do; only the name, or nothing, where that does not fit.
fn regime_name(
    painter: &Painter,
    style: &Style,
    placer: &mut Placer,
    regime: Regime,
    at: Pos2,
    side: f32,
) -> Option<Rect> {
    let long = format!("{}: {}", regime.name(), regime.advice());
    for text in [long, regime.name().to_owned()] {
        let galley = painter.layout_no_wrap(text, style::strong(size::SMALL), style.regime(regime));
        let left = if side < 0.0 {
            at.x - galley.size().x
        } else {
            at.x
        };
        let rect = Rect::from_min_size(pos2(left, at.y - galley.size().y / 2.0), galley.size());
        // Away from the ridge where a line stands beside it.
        let places = (0..8).map(|step| rect.translate(vec2(side * 16.0 * step as f32, 0.0)));
        if let Some(found) = placer.place(places.map(Candidate::upright)) {
            let area = Rect::from_center_size(found.center, found.size);
            painter.galley(area.min, galley, style.ink);
            return Some(area);
        }
    }
    None
}

fn rails(painter: &Painter, style: &Style, p: &Projection, scene: &Scene, placer: &mut Placer) {
    for (row, roof) in scene.roofs.iter().enumerate() {
        // The active one speaks, the others are there to look up.
        let (width, strength) = if roof.active {
            (3.0, 0.75)
        } else {
            (2.0, 0.35)
        };
        let rail = |colour: Color32| Stroke::new(width, colour.gamma_multiply(strength));
        let y = p.frame.bottom() - 3.0 - RAIL * row as f32;
        let ridge = p
            .to_screen([roof.ridge(), 0.0])
            .x
            .clamp(p.frame.left(), p.frame.right());
        let (left, right) = (p.frame.left(), p.frame.right());
        painter.hline(left..=ridge, y, rail(style.memory));
        painter.hline(ridge..=right, y, rail(style.compute));
        let tick = Rect::from_center_size(pos2(ridge, y), vec2(3.5, 6.0));
        painter.rect_filled(tick, 0.0, style.gpu(roof.index));
    }
    let height = 3.0 + RAIL * scene.roofs.len() as f32;
    let covered = Rect::from_min_max(pos2(p.frame.left(), p.frame.bottom() - height), p.frame.max);
    placer.block(covered);
}

/// The roof's corner points within the frame.
pub(super) fn outline(roof: &Roof, p: &Projection) -> Vec<Pos2> {
    let ([x0, x1], y0) = (p.limits.x, p.limits.y[0]);
    // Not from far below: dashes out of sight would still be made.
    let start = (y0 - roof.bandwidth).max(x0).min(x1);
    let mut corners = vec![[start, roof.height(start)]];
    if roof.ridge() > start && roof.ridge() < x1 {
        corners.push([roof.ridge(), roof.peak]);
    }
    corners.push([x1, roof.height(x1)]);
    corners
        .into_iter()
        .map(|corner| p.to_screen(corner))
        .collect()
}

pub(super) fn roofs(
    painter: &Painter,
    style: &Style,
    p: &Projection,
    scene: &Scene,
    placer: &mut Placer,
) {
    for roof in &scene.other_paths {
        let from = roof.ridge().max(p.limits.x[0]);
        let line = [
            p.to_screen([from, roof.peak]),
            p.to_screen([p.limits.x[1], roof.peak]),
        ];
        painter.line_segment(
            line,
            Stroke::new(
                1.2,
                style
                    .gpu(roof.index)
                    .gamma_multiply(0.7 * scene.strength(false)),
            ),
        );
        placer.block_line(line);
    }
    for slope in &scene.slopes {
        let from = (p.limits.y[0] - slope.bandwidth).max(p.limits.x[0]);
        let to = (slope.peak - slope.bandwidth).min(p.limits.x[1]);
        if from < to {
            let line = [from, to].map(|x| p.to_screen([x, slope.bandwidth + x]));
            painter.line_segment(
                line,
                Stroke::new(1.6, style.gpu(slope.index).gamma_multiply(0.75)),
            );
            placer.block_line(line);
        }
    }
    // The active one last, on top.
    let (active, others): (Vec<&Roof>, Vec<&Roof>) =
        scene.roofs.iter().partition(|roof| roof.active);
    for roof in others.into_iter().chain(active) {
        other_basis(painter, style, p, roof);
        if let Some(run) = &roof.at_run {
            let at_run = Roof {
                peak: run.peak,
                bandwidth: run.bandwidth,
                ..roof.clone()
            };
            let stroke = Stroke::new(1.8, style.gpu(roof.index));
            let points = outline(&at_run, p);
            painter.extend(Shape::dashed_line(&points, stroke, 10.0, 3.0));
            block_flat(&at_run, p, placer);
        }
        if let Some(other) = &roof.other_basis {
            let other = Roof {
                peak: other.peak,
                bandwidth: other.bandwidth,
                ..roof.clone()
            };
            block_flat(&other, p, placer);
        }
        if let Some([peak, bandwidth]) = roof.original {
            ghost(painter, style, p, roof, peak, bandwidth);
        }
        let points = outline(roof, p);
        for pair in points.windows(2) {
            placer.block_line([pair[0], pair[1]]);
        }
        let width = if roof.active { 2.4 } else { 2.0 };
        let colour = style
            .gpu(roof.index)
            .gamma_multiply(scene.strength(roof.active));
        let stroke = Stroke::new(width, colour);
        painter.extend(style::patterned(&points, stroke, roof.index));
        let ridge = p.to_screen([roof.ridge(), roof.peak]);
        painter.circle_filled(ridge, 5.5, colour);
        painter.circle_filled(ridge, 3.5, style.ground);
        placer.block(Rect::from_center_size(ridge, vec2(13.0, 13.0)));
    }
    if let Some([peak, bandwidth]) = scene.serial {
        serial(painter, style, p, peak, bandwidth);
        let half = p.to_screen([peak - bandwidth, peak - 2f64.log10()]);
        let text = "no overlap: half the peak at the ridge".to_owned();
        let galley = painter.layout_no_wrap(text, FontId::proportional(size::LABEL), style.muted);
        let candidates = around(half, 4.0, galley.size());
        if let Some(found) = placer.place_even_over_lines(candidates) {
            halo(painter, style, &found);
            painter.galley(
                Rect::from_center_size(found.center, found.size).min,
                galley,
                style.muted,
            );
        }
    }
}

/// Keeps labels of other lines off a flat, which they would seem to name.
fn block_flat(roof: &Roof, p: &Projection, placer: &mut Placer) {
    let ends = [roof.ridge(), p.limits.x[1]];
    placer.block_line(ends.map(|x| p.to_screen([x, roof.peak])));
}

/// The roof by the basis that does not judge: dashed, the band between lightly filled.
fn other_basis(painter: &Painter, style: &Style, p: &Projection, roof: &Roof) {
    let Some(other) = &roof.other_basis else {
        return;
    };
    let other = Roof {
        peak: other.peak,
        bandwidth: other.bandwidth,
        ..roof.clone()
    };
    let colour = style.gpu(roof.index);
    let band = colour.gamma_multiply(0.10);
    // Both bend at most once each: between their corners the band is convex.
    let [x0, x1] = p.limits.x;
    // Where they come in from below the frame they bend as well.
    let bottom = p.limits.y[0];
    let enters = |of: &Roof| bottom - of.bandwidth;
    let (first, second) = (enters(roof), enters(&other));
    let mut cuts = vec![x0, first, second, roof.ridge(), other.ridge(), x1];
    cuts.retain(|x| (x0..=x1).contains(x));
    cuts.sort_by(f64::total_cmp);
    for pair in cuts.windows(2) {
        let corner = |x: f64, of: &Roof| [x, of.height(x).max(p.limits.y[0])];
        let shape = [
            corner(pair[0], roof),
            corner(pair[1], roof),
            corner(pair[1], &other),
            corner(pair[0], &other),
        ];
        fill(painter, p, &shape, band);
    }
    let points = outline(&other, p);
    painter.extend(Shape::dashed_line(
        &points,
        Stroke::new(1.6, colour),
        6.0,
        4.0,
    ));
}

/// The published roof that own numbers replaced.
fn ghost(painter: &Painter, style: &Style, p: &Projection, roof: &Roof, peak: f64, bandwidth: f64) {
    let before = Roof {
        peak,
        bandwidth,
        ..roof.clone()
    };
    let points = outline(&before, p);
    let stroke = Stroke::new(1.2, style.gpu(roof.index).gamma_multiply(0.45));
    painter.extend(Shape::dashed_line(&points, stroke, 3.0, 4.0));
}

/// Attainable without overlap: P·I ÷ (I + ridge), half the peak at the ridge.
fn serial(painter: &Painter, style: &Style, p: &Projection, peak: f64, bandwidth: f64) {
    let [x0, x1] = p.limits.x;
    let ridge = 10f64.powf(peak - bandwidth);
    let points: Vec<Pos2> = (0..=120)
        .map(|i| x0 + (x1 - x0) * f64::from(i) / 120.0)
        .map(|x| {
            let intensity = 10f64.powf(x);
            p.to_screen([x, peak + (intensity / (intensity + ridge)).log10()])
        })
        .filter(|at| at.y < p.frame.bottom() + 20.0)
        .collect();
    painter.extend(Shape::dashed_line(
        &points,
        Stroke::new(1.4, style.muted),
        5.0,
        4.0,
    ));
}
