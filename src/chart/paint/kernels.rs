//! Measured kernels: a disc each as large as what they could win, or a square for all in a cell where they are very many.
use super::halo::halo;
use super::marks::marker;
use super::projection::Projection;
use crate::chart::density::{Grid, Grids, MOST_SINGLE};
use crate::chart::labels::{Placer, around, shortened};
use crate::chart::scene::{KernelLayer, KernelMark, Scene};
use crate::chart::style::size;
use crate::chart::style::{self, Style};
use crate::model::units;
use egui::{Color32, FontId, Mesh, Painter, Pos2, Rect, Shape, Stroke, pos2, vec2};

/// Radius of a kernel that holds all there is to win; areas are as the parts.
const LARGEST: f32 = 24.0;
const SMALLEST: f32 = 3.0;
/// Up to here marks have outlines and shapes of their own; beyond, there is no room to see them.
const MOST_OUTLINED: usize = 1500;
/// How far from a mark the pointer still means it, in points.
const NEAR: f32 = 7.0;
/// From how far away a name needs a line to its mark, in points.
const FAR: f32 = 12.0;
const FARTHEST: f32 = 38.0;
/// The widest name, in characters.
const WIDEST: usize = 34;

/// What is under the pointer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Hit {
    /// One kernel's point.
    Kernel(u32),
    /// A cell: how many are in it, and the heaviest of them.
    Cell { count: usize, heaviest: u32 },
}

impl Hit {
    /// The point of it that a click selects.
    pub fn point(self) -> u32 {
        match self {
            Self::Kernel(point) => point,
            Self::Cell { heaviest, .. } => heaviest,
        }
    }
}

fn radius(mark: &KernelMark) -> f32 {
    if mark.secondary {
        return SMALLEST;
    }
    radius_of(mark.part)
}

pub(super) fn radius_of(part: f32) -> f32 {
    (LARGEST * part.sqrt()).max(SMALLEST)
}

fn colours(style: &Style, mark: &KernelMark, dimmed: f32) -> (Color32, Color32) {
    let hue = mark
        .regime
        .map_or(style.muted, |regime| style.regime(regime));
    let strength = 0.3 + 0.55 * mark.time_part.sqrt();
    (
        hue.gamma_multiply(strength * dimmed),
        hue.gamma_multiply(dimmed),
    )
}

fn per_decade(p: &Projection) -> [f64; 2] {
    let [x, y] = p.per_decade().into();
    [f64::from(x), f64::from(y)]
}

/// Draws the marks; says how many are in view where they are drawn as cells.
pub(super) fn discs(
    painter: &Painter,
    style: &Style,
    p: &Projection,
    scene: &Scene,
    grids: &mut Grids,
    placer: &mut Placer,
) -> Option<usize> {
    let (layer, dimmed) = (&scene.kernels, scene.kernel_strength());
    if layer.points.is_empty() {
        return None;
    }
    let grid = grids.for_zoom(&layer.points, per_decade(p));
    let count = grid.count(p.limits);
    if count > MOST_SINGLE {
        painter.add(Shape::mesh(cells(style, p, grid, dimmed)));
        selected(painter, style, p, layer, placer);
        return Some(count);
    }
    singles(painter, style, p, (layer, dimmed), grid, count);
    for (point, _) in &layer.named {
        let at = p.to_screen(layer.points.at(*point));
        if p.frame.contains(at) {
            let side = 1.5 * radius(&layer.marks[*point as usize]);
            placer.block(Rect::from_center_size(at, vec2(side, side)));
        }
    }
    selected(painter, style, p, layer, placer);
    None
}

fn singles(
    painter: &Painter,
    style: &Style,
    p: &Projection,
    (layer, dimmed): (&KernelLayer, f32),
    grid: &Grid,
    count: usize,
) {
    let outlined = count <= MOST_OUTLINED;
    let draw = |point: u32, mark: &KernelMark| {
        let at = p.to_screen(layer.points.at(point));
        let (radius, (fill, line)) = (radius(mark), colours(style, mark, dimmed));
        match mark.profile {
            _ if !outlined => {
                painter.circle_filled(at, radius, fill);
            }
            0 => {
                painter.circle(at, radius, fill, Stroke::new(1.0, line));
            }
            profile => {
                painter.extend(marker(
                    profile as usize,
                    at,
                    radius,
                    true,
                    line,
                    style.ground,
                ));
            }
        };
    };
    let points = || {
        grid.cells(p.limits)
            .flat_map(|cell| cell.points.iter().copied())
    };
    let (mut large, mut small) = (Vec::new(), Vec::new());
    for point in points() {
        let mark = &layer.marks[point as usize];
        let list = if radius(mark) > SMALLEST {
            &mut large
        } else {
            &mut small
        };
        list.push((point, mark));
    }
    // The largest first, so that small ones stay on top.
    large.sort_by(|a, b| b.1.part.total_cmp(&a.1.part));
    for (point, mark) in large.into_iter().chain(small) {
        draw(point, mark);
    }
}

/// A square for each cell, darker for more in it; neighbours of one shade are one rectangle.
fn cells(style: &Style, p: &Projection, grid: &Grid, dimmed: f32) -> Mesh {
    let [width, height] = grid.cell_size();
    let mut mesh = Mesh::default();
    let mut run: Option<([f64; 2], f64, u32)> = None;
    let mut flush = |run: Option<([f64; 2], f64, u32)>| {
        let Some((corner, right, shade)) = run else {
            return;
        };
        let low = p.to_screen(corner);
        let high = p.to_screen([right, corner[1] + height]);
        let area = Rect::from_min_max(pos2(low.x, high.y), pos2(high.x, low.y));
        let strength = 0.22 + 0.09 * shade.min(8) as f32;
        mesh.add_colored_rect(area, style.ink.gamma_multiply(strength * dimmed));
    };
    for cell in grid.cells(p.limits) {
        // Powers of two: one, two, four, …
        let shade = (cell.points.len() as u32).ilog2();
        match &mut run {
            Some((corner, right, of_run))
                if *of_run == shade && corner[1] == cell.corner[1] && *right == cell.corner[0] =>
            {
                *right += width;
            }
            _ => {
                flush(run.take());
                run = Some((cell.corner, cell.corner[0] + width, shade));
            }
        }
    }
    flush(run);
    mesh
}

/// The selected kernel: a ring, a line to its roof and one to the axis, and its name with its numbers.
fn selected(
    painter: &Painter,
    style: &Style,
    p: &Projection,
    layer: &KernelLayer,
    placer: &mut Placer,
) {
    let Some(kernel) = &layer.selected else {
        return;
    };
    let at = p.to_screen(kernel.at);
    if !p.frame.expand(4.0).contains(at) {
        return;
    }
    let hue = kernel
        .regime
        .map_or(style.muted, |regime| style.regime(regime));
    if let Some(limit) = kernel.limit {
        let roof = p.to_screen([kernel.at[0], limit]);
        painter.extend(Shape::dotted_line(&[at, roof], hue, 4.0, 0.9));
    }
    let foot = pos2(at.x, p.frame.bottom());
    painter.extend(Shape::dashed_line(
        &[at, foot],
        Stroke::new(1.0, style.faint),
        2.0,
        4.0,
    ));
    painter.circle_filled(at, 3.0, style.accent);
    painter.circle_stroke(at, 9.0, Stroke::new(2.0, style.accent));
    placer.block(Rect::from_center_size(at, vec2(18.0, 18.0)));
    let name = painter.layout_no_wrap(
        shortened(&kernel.name, WIDEST),
        style::strong(size::CONTROL),
        style.ink,
    );
    let detail = painter.layout_no_wrap(
        kernel.detail.clone(),
        FontId::proportional(size::LABEL),
        style.muted,
    );
    let size = vec2(
        name.size().x.max(detail.size().x),
        name.size().y + detail.size().y,
    );
    let Some(found) = placer.place_even_over_lines(around(at, 9.0, size)) else {
        return;
    };
    halo(painter, style, &found);
    let corner = Rect::from_center_size(found.center, size).min;
    let second = corner + vec2(0.0, name.size().y);
    painter.galley(corner, name, style.ink);
    painter.galley(second, detail, style.muted);
}

/// Names the heaviest, where there is room; the others are named by their hover and in the table.
pub(super) fn names(
    painter: &Painter,
    style: &Style,
    p: &Projection,
    scene: &Scene,
    placer: &mut Placer,
) {
    let layer = &scene.kernels;
    // Names of what is only there would be in small print.
    if scene.kernel_strength() < 1.0 {
        return;
    }
    for (point, name) in &layer.named {
        let at = layer.points.at(*point);
        let of_selected = layer
            .selected
            .as_ref()
            .is_some_and(|kernel| kernel.at.map(|at| at as f32) == at.map(|at| at as f32));
        let place = p.to_screen(at);
        if of_selected || !p.frame.contains(place) {
            continue;
        }
        let font = FontId::proportional(size::LABEL);
        let galley = painter.layout_no_wrap(shortened(name, WIDEST), font, style.ink);
        let radius = radius(&layer.marks[*point as usize]);
        let places = around(place, radius, galley.size()).into_iter();
        // A name far from its mark needs a line that crosses other names.
        let near = places.filter(|candidate| {
            let area = Rect::from_center_size(candidate.center, candidate.size);
            area.clamp(place).distance(place) < radius + FARTHEST
        });
        if let Some(found) = placer.place(near) {
            let area = Rect::from_center_size(found.center, galley.size());
            let nearest = area.clamp(place);
            if nearest.distance(place) > radius + FAR {
                painter.line_segment([place, nearest], Stroke::new(1.0, style.faint));
            }
            halo(painter, style, &found);
            painter.galley(area.min, galley, style.ink);
        }
    }
}

/// Arrows from before to after; a loss is dashed, so that colour is not what tells it.
pub(super) fn moves(
    painter: &Painter,
    style: &Style,
    p: &Projection,
    layer: &KernelLayer,
    placer: &mut Placer,
) {
    for change in &layer.moves {
        let (from, to) = (p.to_screen(change.from), p.to_screen(change.to));
        let along = to - from;
        let colour = if change.gained {
            style.good
        } else {
            style.warning
        };
        let stroke = Stroke::new(1.8, colour);
        if along.length() > 8.0 {
            if change.gained {
                painter.arrow(from, along, stroke);
            } else {
                painter.extend(Shape::dashed_line(&[from, to], stroke, 5.0, 3.0));
                painter.arrow(
                    to - along.normalized() * 8.0,
                    along.normalized() * 8.0,
                    stroke,
                );
            }
        }
        let font = FontId::proportional(size::LABEL);
        let galley = painter.layout_no_wrap(change.text.clone(), font, colour);
        if p.frame.contains(to)
            && let Some(found) = placer.place(around(from + along * 0.5, 2.0, galley.size()))
        {
            halo(painter, style, &found);
            let corner = Rect::from_center_size(found.center, galley.size()).min;
            painter.galley(corner, galley, colour);
        }
    }
}

/// Says that squares stand for many.
pub(super) fn dense_note(painter: &Painter, style: &Style, p: &Projection, count: usize) {
    let text = format!(
        "{} kernels in view: a square stands for all in it, darker for more",
        units::count(count as f64)
    );
    let galley = painter.layout_no_wrap(text, style::small(), style.muted);
    let at = p.frame.left_top() + vec2(10.0, 24.0);
    painter.rect_filled(
        Rect::from_min_size(at, galley.size()).expand(3.0),
        3.0,
        style.ground,
    );
    painter.galley(at, galley, style.muted);
}

/// What lies under the pointer.
pub fn hit(layer: &KernelLayer, grids: &mut Grids, p: &Projection, pointer: Pos2) -> Option<Hit> {
    if layer.points.is_empty() || !p.frame.contains(pointer) {
        return None;
    }
    let grid = grids.for_zoom(&layer.points, per_decade(p));
    let dense = grid.count(p.limits) > MOST_SINGLE;
    let reach = if dense { 2.0 } else { LARGEST + NEAR };
    let [low, high] =
        [vec2(-reach, reach), vec2(reach, -reach)].map(|d| p.from_screen(pointer + d));
    let around = crate::model::view::Limits {
        x: [low[0], high[0]],
        y: [low[1], high[1]],
    };
    if dense {
        let cells = grid.cells(around);
        let nearest = cells.min_by(|a, b| {
            let away = |corner: [f64; 2]| p.to_screen(corner).distance(pointer);
            away(a.corner).total_cmp(&away(b.corner))
        })?;
        return Some(Hit::Cell {
            count: nearest.points.len(),
            heaviest: nearest.points[0],
        });
    }
    // Of those the pointer is on, the smallest, since it lies on top; else the nearest.
    let mut best: Option<(f32, u32)> = None;
    for point in grid
        .cells(around)
        .flat_map(|cell| cell.points.iter().copied())
    {
        let away = p.to_screen(layer.points.at(point)).distance(pointer);
        let radius = radius(&layer.marks[point as usize]);
        let rank = if away <= radius {
            radius * 1e-3 + away * 1e-4
        } else {
            away - radius
        };
        if away <= radius + NEAR && best.is_none_or(|(least, _)| rank < least) {
            best = Some((rank, point));
        }
    }
    best.map(|(_, point)| Hit::Kernel(point))
}
