//! Annotations over the chart: notes, arrows, regions and reference lines, styled by role.
use super::arrow::arrow;
use super::halo::halo;
use super::projection::Projection;
use crate::chart::labels::{Candidate, Placer};
use crate::chart::scene::{Note, NoteShape, Scene};
use crate::chart::style::size;
use crate::chart::style::{self, Style};
use crate::model::annotation::{Role, Ruled};
use crate::model::ids::AnnotationId;
use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, pos2, vec2};

/// Where an annotation was drawn: what a hand can take hold of.
#[derive(Debug, Clone, PartialEq)]
pub struct LandedNote {
    pub id: AnnotationId,
    pub text: String,
    /// The part that moves all of it.
    pub area: Rect,
    /// The part that moves only its second end.
    pub end: Option<Pos2>,
}

/// How wide a note becomes before it breaks.
const WIDTH: f32 = 220.0;
/// How far beside a line the hand may be.
const REACH: f32 = 5.0;

fn colour(style: &Style, role: Role) -> Color32 {
    match role {
        Role::Plain => style.ink,
        Role::Good => style.good,
        Role::Warning => style.warning,
        Role::Question => style.accent,
    }
}

/// Fills the regions, below everything else.
pub(super) fn regions(painter: &Painter, style: &Style, p: &Projection, scene: &Scene) {
    for note in &scene.notes {
        if let NoteShape::Region(from, to) = note.shape {
            let area = Rect::from_two_pos(p.to_screen(from), p.to_screen(to));
            let colour = colour(style, note.role);
            painter.rect_filled(area, 3.0, colour.gamma_multiply(0.10));
            let stroke = Stroke::new(1.0, colour.gamma_multiply(0.7));
            painter.rect_stroke(area, 3.0, stroke, StrokeKind::Inside);
        }
    }
}

/// Draws lines, arrows and texts, and says where they are; other labels then keep clear of them.
pub(super) fn notes(
    painter: &Painter,
    style: &Style,
    p: &Projection,
    scene: &Scene,
    placer: &mut Placer,
) -> Vec<LandedNote> {
    // What stands where somebody put it goes before what may stand anywhere along a line.
    let is_line = |note: &&Note| matches!(note.shape, NoteShape::Line(_));
    let (lines, fixed): (Vec<_>, Vec<_>) = scene.notes.iter().partition(is_line);
    let drawn = fixed.into_iter().chain(lines);
    drawn
        .filter_map(|note| draw(painter, style, p, note, placer))
        .collect()
}

fn draw(
    painter: &Painter,
    style: &Style,
    p: &Projection,
    note: &Note,
    placer: &mut Placer,
) -> Option<LandedNote> {
    let landed = |area: Rect, end| {
        Some(LandedNote {
            id: note.id,
            text: note.text.clone(),
            area,
            end,
        })
    };
    match note.shape {
        NoteShape::Text(at) => {
            let at = p.to_screen(at);
            landed(text(painter, style, note, at, placer)?, None)
        }
        NoteShape::Arrow(from, to) => {
            let (from, to) = (p.to_screen(from), p.to_screen(to));
            let area = text(painter, style, note, from, placer)?;
            let start = area.expand(3.0).clamp(to);
            let along = to - start;
            if along.length() > 14.0 {
                // Short of the mark it points at.
                let point = to - along.normalized() * 9.0;
                let stroke = Stroke::new(2.0, colour(style, note.role));
                arrow(painter, start, point, stroke);
            }
            landed(area, Some(to))
        }
        NoteShape::Region(from, to) => {
            let (from, to) = (p.to_screen(from), p.to_screen(to));
            let corner = Rect::from_two_pos(from, to).left_top() + vec2(6.0, 4.0);
            let area = text(painter, style, note, corner, placer);
            let area = area.unwrap_or(Rect::from_min_size(corner, vec2(16.0, 16.0)));
            p.frame.intersects(area).then_some(())?;
            landed(area, Some(to))
        }
        NoteShape::Line(ruled) => {
            let ends = ends(p, ruled)?;
            let colour = colour(style, note.role);
            let stroke = Stroke::new(1.6, colour);
            painter.extend(Shape::dashed_line(&ends, stroke, 10.0, 4.0));
            placer.block_line(ends);
            landed(line_text(painter, style, note, ends, placer)?, None)
        }
    }
}

/// Where a reference line enters and leaves the frame.
fn ends(p: &Projection, ruled: Ruled) -> Option<[Pos2; 2]> {
    let ([x0, x1], [y0, y1]) = (p.limits.x, p.limits.y);
    let line = match ruled {
        Ruled::Level(y) => (y0..=y1).contains(&y).then_some([[x0, y], [x1, y]]),
        Ruled::Upright(x) => (x0..=x1).contains(&x).then_some([[x, y0], [x, y1]]),
        Ruled::Slope(w) => {
            let (from, to) = ((y0 - w).max(x0), (y1 - w).min(x1));
            (from < to).then_some([[from, w + from], [to, w + to]])
        }
    };
    line.map(|line| line.map(|at| p.to_screen(at)))
}

/// Writes a note with its corner at a place; `None` outside the frame.
fn text(
    painter: &Painter,
    style: &Style,
    note: &Note,
    at: Pos2,
    placer: &mut Placer,
) -> Option<Rect> {
    let ink = colour(style, note.role);
    let galley = painter.layout(note.text.clone(), style::strong(size::CONTROL), ink, WIDTH);
    let size = galley.size().max(vec2(10.0, 14.0));
    let frame = painter.clip_rect();
    if !frame.intersects(Rect::from_min_size(at, size)) {
        return None;
    }
    // Moved in from the edge rather than cut by it.
    let last = (frame.max - size - vec2(4.0, 2.0)).max(frame.min);
    let at = at.clamp(frame.min, last);
    let area = Rect::from_min_size(at, size);
    halo(painter, style, &Candidate::upright(area));
    painter.galley(at, galley, ink);
    placer.block(area);
    Some(area)
}

/// Writes along a reference line, at the first free place from its left end.
fn line_text(
    painter: &Painter,
    style: &Style,
    note: &Note,
    [from, to]: [Pos2; 2],
    placer: &mut Placer,
) -> Option<Rect> {
    let ink = colour(style, note.role);
    let galley = painter.layout_no_wrap(note.text.clone(), style::strong(size::CONTROL), ink);
    let size = galley.size();
    let places = (1..10).flat_map(|step| {
        let at = from + (to - from) * (step as f32 / 10.0);
        [
            Candidate::upright(Rect::from_min_size(at + vec2(6.0, -size.y - 3.0), size)),
            Candidate::upright(Rect::from_min_size(at + vec2(6.0, 3.0), size)),
        ]
    });
    let places = places.collect::<Vec<_>>();
    let middle = from + (to - from) * 0.5;
    let Some(found) = placer.place_even_over_lines(places) else {
        return Some(Rect::from_center_size(
            middle,
            vec2(2.0 * REACH, 2.0 * REACH),
        ));
    };
    halo(painter, style, &found);
    let area = Rect::from_center_size(found.center, size);
    painter.galley(area.min, galley, ink);
    // From the text to the line it stands at.
    let steep = (to.x - from.x).abs() < 1.0;
    let on_line = match steep {
        true => pos2(from.x, area.center().y),
        false => area.center() + vec2(0.0, area.height()),
    };
    Some(if steep {
        area.union(Rect::from_center_size(on_line, vec2(REACH, REACH)))
    } else {
        area
    })
}
