//! Marks with their names, the gutter, and the arrow of a fix.
use super::Landed;
use super::halo::halo;
use super::kernel_gutter::{self, LandedGutter};
use super::projection::Projection;
use crate::chart::labels::{Candidate, Placer, around, shortened};
use crate::chart::scene::{GutterMark, Mark, MarkKind, Scene};
use crate::chart::style::size;
use crate::chart::style::{self, Style};
use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2};

/// Radius of a mark, and of the selected one.
const RADIUS: f32 = 6.0;
const SELECTED: f32 = 7.5;

/// From how far away a name needs a line to its mark, in points.
const FAR: f32 = 22.0;

fn radius(selected: bool) -> f32 {
    if selected { SELECTED } else { RADIUS }
}

fn colour(style: &Style, selected: bool) -> Color32 {
    if selected { style.accent } else { style.ink }
}

pub(super) fn marks(
    painter: &Painter,
    style: &Style,
    p: &Projection,
    scene: &Scene,
    placer: &mut Placer,
) -> Vec<Landed> {
    let visible: Vec<(&Mark, Pos2)> = scene
        .marks
        .iter()
        .map(|mark| (mark, p.to_screen(mark.at)))
        .filter(|(_, at)| p.frame.expand(4.0).contains(*at))
        .collect();
    for (mark, at) in visible
        .iter()
        .filter(|(mark, _)| mark.on_other.is_none() && !mark.secondary)
    {
        leaders(painter, style, p, scene, mark, *at);
    }
    let compares = visible.iter().any(|(mark, _)| mark.on_other.is_some());
    // Beside marks of other GPUs in their colours, the active one's has its own.
    let own = scene.active_roof().filter(|_| compares);
    for (mark, at) in &visible {
        let filled = mark.kind == MarkKind::Measured;
        let colour = match mark.on_other {
            _ if mark.stale => style.faint,
            Some(gpu) => style.gpu(gpu),
            None if mark.selected
                && let Some(own) = own =>
            {
                style.gpu(own.index)
            }
            None => colour(style, mark.selected),
        };
        let colour = colour.gamma_multiply(scene.strength(mark.selected));
        let radius = if mark.secondary {
            4.0
        } else {
            radius(mark.selected)
        };
        if mark.secondary {
            join_levels(painter, style, p, scene, mark, *at);
        }
        let shapes = marker(mark.shape, *at, radius, filled, colour, style.ground);
        painter.extend(shapes);
    }
    // The selected one and measurements get their names first.
    let mut order: Vec<_> = visible.iter().rev().collect();
    order.sort_by_key(|(mark, _)| (!mark.selected, mark.kind == MarkKind::Predicted));
    let mut named = Vec::new();
    order
        .into_iter()
        .map(|(mark, at)| {
            // Marks of other GPUs are named by their colour, and in their hover; levels by their own name.
            let known = named.contains(&mark.workload) && !mark.secondary;
            let repeated = mark.on_other.is_some() || known;
            let strength = scene.strength(mark.selected);
            let labelled = label(painter, style, mark, *at, repeated, strength, placer);
            if labelled && !mark.secondary {
                named.push(mark.workload);
            }
            Landed {
                workload: mark.workload,
                kind: mark.kind,
                name: mark.name.clone(),
                hover: mark.hover.clone(),
                center: *at,
                labelled,
                in_gutter: false,
                on_other: mark.on_other.is_some() || mark.secondary,
            }
        })
        .collect()
}

/// Keeps labels off the marks, off the arrow of an argument and off the line from the selected mark to the axis.
pub(super) fn keep_clear(p: &Projection, scene: &Scene, placer: &mut Placer) {
    if let Some([from, to]) = arrow_ends(p, scene) {
        placer.block_line([from, to]);
    }
    let plain = |mark: &&Mark| mark.on_other.is_none() && !mark.secondary;
    for mark in scene.marks.iter().filter(plain) {
        let at = p.to_screen(mark.at);
        if !p.frame.expand(4.0).contains(at) {
            continue;
        }
        placer.block(Rect::from_center_size(at, vec2(14.0, 14.0)));
        if mark.selected && mark.kind == MarkKind::Predicted {
            placer.block_line([at, pos2(at.x, p.frame.bottom())]);
        }
    }
}

/// From where to where the arrow of an argument goes on screen. For a room it runs beside its way, not on it: along a
/// slope it would hide the roof.
fn arrow_ends(p: &Projection, scene: &Scene) -> Option<[Pos2; 2]> {
    const BESIDE: f32 = 13.0;
    let arrow = scene.arrow.as_ref()?;
    let (from, to) = (p.to_screen(arrow.from), p.to_screen(arrow.to));
    let along = to - from;
    if along.length() <= 12.0 {
        return None;
    }
    let along = along.normalized();
    let side = match scene.presenting && along.x > 0.0 {
        true => vec2(-along.y, along.x) * BESIDE,
        false => Vec2::ZERO,
    };
    Some([from + along * 9.0 + side, to - along * 9.0 + side])
}

/// Lines to the limiter, from a measurement to its prediction, and from the selected mark to the axis.
fn leaders(painter: &Painter, style: &Style, p: &Projection, scene: &Scene, mark: &Mark, at: Pos2) {
    let roof = p.to_screen([mark.at[0], mark.limit]);
    if (roof.y - at.y).abs() > 3.0 {
        let stroke = Stroke::new(1.4, style.regime(mark.regime));
        painter.extend(Shape::dotted_line(&[at, roof], stroke.color, 4.0, 0.9));
    }
    if mark.kind == MarkKind::Measured {
        let of_same =
            |other: &&Mark| other.workload == mark.workload && other.kind == MarkKind::Predicted;
        if let Some(prediction) = scene.marks.iter().find(of_same) {
            let to = p.to_screen(prediction.at);
            painter.extend(Shape::dotted_line(&[at, to], style.muted, 4.0, 0.9));
        }
    }
    if mark.selected && mark.kind == MarkKind::Predicted {
        let foot = pos2(at.x, p.frame.bottom());
        painter.extend(Shape::dashed_line(
            &[at, foot],
            Stroke::new(1.0, style.faint),
            2.0,
            4.0,
        ));
    }
}

/// The line on which one point lies at several levels.
fn join_levels(
    painter: &Painter,
    style: &Style,
    p: &Projection,
    scene: &Scene,
    mark: &Mark,
    at: Pos2,
) {
    let main = scene.marks.iter().find(|other| {
        other.workload == mark.workload
            && other.kind == mark.kind
            && other.on_other == mark.on_other
            && !other.secondary
    });
    if let Some(main) = main {
        let line = [at, p.to_screen(main.at)];
        painter.line_segment(line, Stroke::new(1.0, style.muted));
    }
}

/// The shapes of a mark of the n-th shape: hollow for a prediction, filled for a measurement.
pub fn marker(
    shape: usize,
    at: Pos2,
    radius: f32,
    filled: bool,
    colour: Color32,
    ground: Color32,
) -> Vec<Shape> {
    let fill = if filled { colour } else { ground };
    let stroke = Stroke::new(
        if filled { 1.2 } else { 2.2 },
        if filled { ground } else { colour },
    );
    let inner = if filled { radius } else { radius - 1.1 };
    let corners: &[(f32, f32)] = match shape % 6 {
        0 => {
            let halo = Shape::circle_filled(at, radius + 1.2, ground);
            let mut shapes = vec![halo, Shape::circle_filled(at, inner, fill)];
            shapes.push(Shape::circle_stroke(at, inner, stroke));
            return shapes;
        }
        1 => &[(0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)],
        2 => &[(0.0, -1.2), (1.15, 0.85), (-1.15, 0.85)],
        3 => &[(-0.95, -0.95), (0.95, -0.95), (0.95, 0.95), (-0.95, 0.95)],
        4 => &[(0.0, 1.2), (-1.15, -0.85), (1.15, -0.85)],
        _ => &[
            (0.0, -1.2),
            (1.14, -0.37),
            (0.7, 0.97),
            (-0.7, 0.97),
            (-1.14, -0.37),
        ],
    };
    let outline = |size: f32| {
        corners
            .iter()
            .map(|(x, y)| at + vec2(*x, *y) * size)
            .collect()
    };
    vec![
        Shape::convex_polygon(outline(radius + 1.6), ground, Stroke::NONE),
        Shape::convex_polygon(outline(inner), fill, stroke),
    ]
}

/// The name beside the mark, with its detail when selected; `repeated` names are left to the first.
fn label(
    painter: &Painter,
    style: &Style,
    mark: &Mark,
    at: Pos2,
    repeated: bool,
    strength: f32,
    placer: &mut Placer,
) -> bool {
    if repeated {
        return false;
    }
    let name = shortened(&mark.name, 36);
    let font = if mark.secondary {
        FontId::proportional(size::LABEL)
    } else if mark.selected || mark.kind == MarkKind::Measured {
        style::strong(size::CONTROL)
    } else {
        FontId::proportional(size::CONTROL)
    };
    // Grey alone would not tell it from other grey; the detail of the selected one says it too.
    let (name, ink) = match mark.stale {
        true if !mark.selected => (format!("{name}, last good value"), style.muted),
        true => (name, style.muted),
        false => (name, style.ink.gamma_multiply(strength)),
    };
    let name = painter.layout_no_wrap(name, font, ink);
    let detail = (mark.selected && !mark.secondary).then(|| {
        painter.layout_no_wrap(
            mark.detail.clone(),
            FontId::proportional(size::LABEL),
            style.muted,
        )
    });
    let mut size = name.size();
    if let Some(detail) = &detail {
        size = vec2(size.x.max(detail.size().x), size.y + detail.size().y);
    }
    let mut places = around(at, radius(mark.selected), size);
    if mark.selected {
        // Above a slope, moved to the left as far as the slope asks.
        let above = (0..4).flat_map(|step| {
            [0.65, 0.8, 0.95].map(|part| {
                let lift = radius(true) + 5.0 + 12.0 * step as f32;
                let corner = at - vec2(part * size.x, size.y + lift);
                Candidate::upright(Rect::from_min_size(corner, size))
            })
        });
        places.splice(8..8, above);
        places.extend(anywhere(painter.clip_rect(), at, size));
    }
    let found = if mark.selected {
        placer.place_even_over_lines(places)
    } else {
        placer.place(places)
    };
    let Some(found) = found else {
        return false;
    };
    let area = Rect::from_center_size(found.center, size);
    lead(painter, style, at, area, radius(mark.selected));
    halo(painter, style, &found);
    let corner = area.min;
    let second = corner + vec2(0.0, name.size().y);
    painter.galley(corner, name, ink);
    if let Some(detail) = detail {
        painter.galley(second, detail, style.muted);
    }
    true
}

/// Places all over the frame, the nearest to a mark first.
fn anywhere(frame: Rect, at: Pos2, size: Vec2) -> Vec<Candidate> {
    const STEPS: i32 = 12;
    let room = frame.size() - size;
    let place = |(column, row): (i32, i32)| {
        let part = |step: i32| step as f32 / STEPS as f32;
        let corner = frame.min + vec2(room.x * part(column), room.y * part(row));
        Rect::from_min_size(corner, size)
    };
    let grid = (1..STEPS).flat_map(|column| (1..STEPS).map(move |row| (column, row)));
    let mut places: Vec<Rect> = grid.map(place).collect();
    let away = |area: &Rect| area.clamp(at).distance(at);
    places.sort_by(|a, b| away(a).total_cmp(&away(b)));
    places.into_iter().map(Candidate::upright).collect()
}

/// A line from a mark of this radius to its name, where that is far.
pub(super) fn lead(painter: &Painter, style: &Style, at: Pos2, name: Rect, radius: f32) {
    let nearest = name.clamp(at);
    if nearest.distance(at) > FAR + radius {
        let from = at + (nearest - at).normalized() * radius;
        painter.line_segment([from, nearest], Stroke::new(1.0, style.faint));
    }
}

/// Beside the chart: workloads without work, at their share of the bandwidth.
pub(super) fn gutter(
    painter: &Painter,
    style: &Style,
    p: &Projection,
    scene: &Scene,
    area: Rect,
) -> (Vec<Landed>, Vec<LandedGutter>) {
    let kernels = &scene.kernels.gutter_heights;
    if scene.gutter.is_empty() && kernels.is_empty() {
        return (Vec::new(), Vec::new());
    }
    // What is above the roof has its place too.
    let shares = scene.gutter.iter().map(|mark| mark.share);
    let shares = shares.chain(kernels.iter().map(|kernel| kernel.share));
    let highest = shares.fold(1.0, f64::max);
    let x = p.frame.right() + 22.0;
    let (top, bottom) = (p.frame.top() + 26.0, p.frame.bottom());
    let title = pos2(p.frame.right() + 8.0, p.frame.top());
    painter.text(
        title,
        Align2::LEFT_TOP,
        "no work",
        style::strong(size::LABEL),
        style.muted,
    );
    painter.vline(x, top..=bottom, Stroke::new(1.0, style.line));
    let height = |share: f64| bottom + (top - bottom) * (share / highest) as f32;
    let percentages = [0.0, 0.5, 1.0].map(|share| {
        let y = height(share);
        painter.hline(x - 3.0..=x + 3.0, y, Stroke::new(1.0, style.faint));
        let text = format!("{} % of W", share * 100.0);
        let at = pos2(area.right() - 4.0, y);
        painter.text(
            at,
            Align2::RIGHT_CENTER,
            text,
            FontId::proportional(size::TINY),
            style.muted,
        )
    });
    let at = |share: f64| pos2(x, height(share));
    let kernels = kernel_gutter::marks(painter, style, scene, at);
    let place = |mark: &GutterMark| at(mark.share);
    let mut placer = Placer::new(Rect::from_min_max(pos2(x - 8.0, p.frame.top()), area.max));
    for mark in &scene.gutter {
        placer.block(Rect::from_center_size(place(mark), vec2(12.0, 12.0)));
    }
    percentages.into_iter().for_each(|area| placer.block(area));
    let gutter = scene.gutter.iter();
    let landed = gutter.map(|mark| gutter_mark(painter, style, mark, place(mark), &mut placer));
    (landed.collect(), kernels)
}

fn gutter_mark(
    painter: &Painter,
    style: &Style,
    mark: &GutterMark,
    at: Pos2,
    placer: &mut Placer,
) -> Landed {
    let filled = mark.kind == MarkKind::Measured;
    let colour = match mark.stale {
        true => style.faint,
        false => colour(style, mark.selected),
    };
    let radius = radius(mark.selected) - 1.0;
    painter.extend(marker(mark.shape, at, radius, filled, colour, style.ground));
    let font = FontId::proportional(size::TINY);
    let name = painter.layout_no_wrap(shortened(&mark.name, 14), font, style.ink);
    let found = placer.place(beside(at, name.size()));
    if let Some(found) = found {
        let area = Rect::from_center_size(found.center, found.size);
        lead(painter, style, at, area, 0.0);
        painter.galley(area.min, name, style.ink);
    }
    Landed {
        workload: mark.workload,
        kind: mark.kind,
        name: mark.name.clone(),
        hover: mark.hover.clone(),
        center: at,
        labelled: found.is_some(),
        in_gutter: true,
        on_other: false,
    }
}

/// Places to the right of a mark in the gutter, the nearest first: below and above, ever farther.
fn beside(at: Pos2, size: Vec2) -> Vec<Candidate> {
    const STEP: f32 = 7.0;
    const STEPS: i32 = 24;
    let row = |offset: f32| {
        let corner = at + vec2(10.0, offset - size.y / 2.0);
        Candidate::upright(Rect::from_min_size(corner, size))
    };
    let rows = (1..STEPS).flat_map(|step| [step as f32 * STEP, -step as f32 * STEP]);
    std::iter::once(0.0).chain(rows).map(row).collect()
}

/// Draws what a view or a fix argues, before all other words.
pub(super) fn arrow(
    painter: &Painter,
    style: &Style,
    p: &Projection,
    scene: &Scene,
    placer: &mut Placer,
) {
    let Some(arrow) = &scene.arrow else { return };
    let to = p.to_screen(arrow.to);
    let mut middle = to;
    if let Some([from, to]) = arrow_ends(p, scene) {
        super::arrow::arrow(painter, from, to, Stroke::new(2.6, style.good));
        middle = from + (to - from) * 0.5;
    }
    painter.circle_stroke(to, 6.0, Stroke::new(2.0, style.good));
    let galley =
        painter.layout_no_wrap(arrow.text.clone(), style::strong(size::CONTROL), style.good);
    // For a room under the middle of the way, where no roof is.
    let under = (0..4).map(|step| {
        let corner = middle + vec2(10.0 + 12.0 * step as f32, 5.0);
        Candidate::upright(Rect::from_min_size(corner, galley.size()))
    });
    let under = under.filter(|_| scene.presenting);
    let places =
        under
            .chain(around(to, 8.0, galley.size()))
            .chain(around(middle, 6.0, galley.size()));
    if let Some(found) = placer.place_even_over_lines(places.collect::<Vec<_>>()) {
        halo(painter, style, &found);
        let corner = Rect::from_center_size(found.center, galley.size()).min;
        painter.galley(corner, galley, style.good);
    }
}
