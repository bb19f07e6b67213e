//! The trail of a sweep with its axis above the chart, and the strips of a comparison below it.
use super::projection::Projection;
use crate::chart::labels::shortened;
use crate::chart::scene::{Scene, Strip, Trail};
use crate::chart::style::size;
use crate::chart::style::{self, Style};
use crate::model::units;
use egui::{Align2, FontId, Painter, Pos2, Rect, Shape, Stroke, pos2, vec2};

pub(super) fn trail(painter: &Painter, style: &Style, p: &Projection, scene: &Scene) {
    let Some(trail) = &scene.trail else { return };
    let points: Vec<Pos2> = trail.points.iter().map(|at| p.to_screen(*at)).collect();
    painter.add(Shape::line(
        points,
        Stroke::new(8.0, style.accent.gamma_multiply(0.20)),
    ));
    for (x, _) in &trail.values {
        let y = trail
            .points
            .iter()
            .find(|point| point[0] == *x)
            .map(|point| point[1]);
        if let Some(y) = y {
            painter.circle_filled(p.to_screen([*x, y]), 2.2, style.accent);
        }
    }
}

/// Where an operator turns, on the axis of the trail, for its hover.
#[derive(Debug, Clone, PartialEq)]
pub struct LandedTurn {
    pub at: Pos2,
    /// What turns there, a line each.
    pub said: String,
}

/// Height of the tick of an operator's turn, below the axis.
const TURN: f32 = 6.0;

/// Small ticks where operators turn; those that would lie on one another are one.
fn turns(painter: &Painter, style: &Style, p: &Projection, trail: &Trail) -> Vec<LandedTurn> {
    let mut landed: Vec<LandedTurn> = Vec::new();
    for (x, said) in &trail.turns {
        let at = pos2(p.to_screen([*x, 0.0]).x, p.frame.top() - 7.0);
        if !(p.frame.left()..=p.frame.right()).contains(&at.x) {
            continue;
        }
        match landed
            .last_mut()
            .filter(|last| (last.at.x - at.x).abs() < 3.0)
        {
            Some(last) => last.said += &format!("\n{said}"),
            None => landed.push(LandedTurn {
                at,
                said: said.clone(),
            }),
        }
    }
    for turn in &landed {
        // A wedge on the axis, unlike the ticks of values.
        let foot = turn.at + vec2(0.0, TURN);
        let wedge = vec![foot, turn.at + vec2(-3.0, 0.5), turn.at + vec2(3.0, 0.5)];
        painter.add(Shape::convex_polygon(wedge, style.ink, Stroke::NONE));
    }
    landed
}

/// The values of the sweep over the chart, where its points lie; says where operators turn.
pub(super) fn trail_axis(
    painter: &Painter,
    style: &Style,
    p: &Projection,
    trail: &Trail,
) -> Vec<LandedTurn> {
    let y = p.frame.top() - 7.0;
    let visible: Vec<(f32, &str)> = trail
        .values
        .iter()
        .map(|(x, text)| (p.to_screen([*x, 0.0]).x, text.as_str()))
        .filter(|(x, _)| (p.frame.left()..=p.frame.right()).contains(x))
        .collect();
    let (Some(first), Some(last)) = (visible.first(), visible.last()) else {
        return Vec::new();
    };
    let name = format!("{} ", trail.parameter);
    let title = painter.layout_no_wrap(name, style::small(), style.accent);
    let title_at = pos2(
        (first.0 - title.size().x - 14.0).max(p.frame.left() - 40.0),
        y - 20.0,
    );
    painter.hline(first.0..=last.0, y, Stroke::new(1.2, style.accent));
    let mut free_from = title_at.x + title.size().x;
    painter.galley(title_at, title, style.accent);
    for (x, text) in visible {
        painter.vline(x, y - 3.0..=y + 3.0, Stroke::new(1.2, style.accent));
        let galley = painter.layout_no_wrap(text.to_owned(), style::small(), style.muted);
        let left = x - galley.size().x / 2.0;
        if left > free_from {
            free_from = left + galley.size().x + 5.0;
            painter.galley(pos2(left, y - 20.0), galley, style.muted);
        }
    }
    turns(painter, style, p, trail)
}

/// Height of a strip.
pub(super) const STRIP: f32 = 18.0;

/// Under the chart: the colour of the faster of two GPUs at each intensity, with the ratio at both ends.
pub(super) fn strip(painter: &Painter, style: &Style, p: &Projection, strip: &Strip, top: f32) {
    let frame = p.frame;
    let y = top + STRIP / 2.0;
    let font = FontId::proportional(size::LABEL);
    let name = shortened(&strip.name, 24);
    let colour = style.gpu_text(strip.index);
    let left_at = pos2(frame.left() + 6.0, y);
    let contest = match &strip.contest {
        Ok(contest) => contest,
        Err(reason) => {
            let text = format!("{name}: not compared, {reason}");
            painter.text(left_at, Align2::LEFT_CENTER, text, font, style.muted);
            return;
        }
    };
    let bar = |from: f32, to: f32, index: usize| {
        let area = Rect::from_min_max(pos2(from, top + 1.0), pos2(to, top + STRIP - 2.0));
        painter.rect_filled(area, 2.0, style.gpu(index).gamma_multiply(0.22));
    };
    let faster = |ratio: f64| match ratio > 1.0 {
        true => strip.index,
        false => strip.active_index,
    };
    let (slow, fast) = (contest.bandwidth_ratio, contest.peak_ratio);
    let at = contest.crossover.map(|x| {
        let x = p.to_screen([x.log10(), 0.0]).x;
        x.clamp(frame.left(), frame.right())
    });
    match at {
        Some(x) => {
            bar(frame.left(), x, faster(slow));
            bar(x, frame.right(), faster(fast));
        }
        None => bar(frame.left(), frame.right(), faster(slow.max(fast))),
    }
    let ratio = units::factor;
    let unlike = match contest.unlike.as_str() {
        "" => String::new(),
        unlike => format!(" · {unlike}"),
    };
    let left = format!("{name} {}{unlike}", ratio(slow));
    let left = painter.text(left_at, Align2::LEFT_CENTER, left, font.clone(), colour);
    let right_at = pos2(frame.right() - 6.0, y);
    let right = ratio(fast);
    let right = painter.text(right_at, Align2::RIGHT_CENTER, right, font.clone(), colour);
    if let (Some(x), Some(crossover)) = (at, contest.crossover) {
        let text = format!("equal at {}", units::number(crossover));
        let galley = painter.layout_no_wrap(text, font, style.ink);
        let start = x - galley.size().x / 2.0;
        if start > left.right() + 6.0 && start + galley.size().x < right.left() - 6.0 {
            painter.galley(pos2(start, y - galley.size().y / 2.0), galley, style.ink);
        }
    }
}

/// Says how many GPUs have no strip of their own.
pub(super) fn more_strips(painter: &Painter, style: &Style, p: &Projection, more: usize, top: f32) {
    let at = pos2(p.frame.left() + 6.0, top + STRIP / 2.0);
    let text = format!("and {more} more: the table Compare GPUs has them all");
    let font = FontId::proportional(size::LABEL);
    painter.text(at, Align2::LEFT_CENTER, text, font, style.muted);
}
