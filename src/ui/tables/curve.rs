//! A sweep of one parameter as a curve: throughput of all users against that of each, or against the parameter.
use crate::chart::axis::{self, Words};
use crate::chart::labels::around;
use crate::chart::style::{self, Style};
use crate::model::placement::Regime;
use crate::model::sweep::{RowOutcome, SweepResult, value_text};
use crate::model::units;
use crate::ui::widgets::roles;
use egui::{Align2, Color32, Painter, Pos2, Rect, Sense, Shape, Stroke, Ui, pos2, vec2};

const MARK: f32 = 4.5;

/// A value of the sweep where it lies, in powers of ten.
struct Point {
    at: [f64; 2],
    regime: Regime,
    /// Whether the memory does not hold it.
    too_large: bool,
    label: String,
    /// All of it in words.
    said: String,
}

/// What both axes are.
struct Axes {
    area: Rect,
    /// The powers of ten at the ends.
    x: [f64; 2],
    y: [f64; 2],
}

impl Axes {
    fn to_screen(&self, [x, y]: [f64; 2]) -> Pos2 {
        let part = |value: f64, [low, high]: [f64; 2]| ((value - low) / (high - low)) as f32;
        pos2(
            self.area.left() + self.area.width() * part(x, self.x),
            self.area.bottom() - self.area.height() * part(y, self.y),
        )
    }
}

/// Draws the curve.
pub(super) fn curve(ui: &mut Ui, result: &SweepResult) {
    let roles = roles(ui);
    let outcomes = || {
        result
            .rows
            .iter()
            .filter_map(|row| Some((row.value, row.outcome.as_ref().ok()?)))
    };
    let shared = outcomes().any(|(_, outcome)| outcome.items.users > 1.0);
    let items = outcomes()
        .next()
        .map_or("item", |(_, outcome)| outcome.items.name);
    let point = |(value, outcome): (f64, &RowOutcome)| point(value, outcome, shared, result);
    let points: Vec<Point> = outcomes().filter_map(point).collect();
    if points.len() < 2 {
        ui.label("A curve needs two values that can be placed.");
        return;
    }
    let size = vec2(ui.available_width(), ui.available_height().max(104.0));
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let axes = Axes {
        area: Rect::from_min_max(rect.min + vec2(58.0, 18.0), rect.max - vec2(24.0, 20.0)),
        x: ends(points.iter().map(|point| point.at[0])),
        y: ends(points.iter().map(|point| point.at[1])),
    };
    grid(ui.painter(), &axes, roles);
    let rate = format!("{items}s/s");
    let titles = match shared {
        true => (
            format!("{rate}, all users ↑"),
            format!("{rate} of each user →"),
        ),
        false => (
            format!("{rate} ↑"),
            format!("{} →", result.parameter.replace('_', " ")),
        ),
    };
    let painter = ui.painter();
    painter.text(
        rect.left_top(),
        Align2::LEFT_TOP,
        titles.0,
        style::small(),
        roles.muted,
    );
    painter.text(
        rect.right_bottom(),
        Align2::RIGHT_BOTTOM,
        titles.1,
        style::small(),
        roles.muted,
    );
    let flip = result.crossover.zip(result.at_crossover.as_ref());
    let flip = flip.and_then(|(value, outcome)| {
        let inside = result.rows.iter().any(|row| row.value >= value);
        self::point(value, outcome, shared, result).filter(|_| inside)
    });
    draw(painter, &axes, &points, flip.as_ref(), roles);
    legend(painter, rect, &points, roles);
    let said: Vec<_> = points.iter().map(|point| point.said.as_str()).collect();
    response.widget_info(|| {
        let name = format!("Curve over {}", result.parameter.replace('_', " "));
        let mut info = egui::WidgetInfo::labeled(egui::Role::Image, true, name);
        info.current_text_value = Some(said.join("; "));
        info
    });
    if let Some(nearest) = nearest(&response, &axes, &points) {
        let at = axes.to_screen(nearest.at);
        ui.painter()
            .circle_stroke(at, MARK + 3.0, Stroke::new(1.5, roles.accent));
        response.on_hover_text_at_pointer(&nearest.said);
    }
}

fn nearest<'a>(response: &egui::Response, axes: &Axes, points: &'a [Point]) -> Option<&'a Point> {
    const REACH: f32 = 24.0;
    let pointer = response.hover_pos()?;
    let distance = |point: &Point| axes.to_screen(point.at).distance(pointer);
    let by_distance = |a: &&Point, b: &&Point| distance(a).total_cmp(&distance(b));
    points
        .iter()
        .min_by(by_distance)
        .filter(|point| distance(point) < REACH)
}

fn point(value: f64, outcome: &RowOutcome, shared: bool, result: &SweepResult) -> Option<Point> {
    let total = outcome.items_per_second()?;
    let each = outcome.items_per_second_per_user()?;
    let x = if shared { each } else { value };
    let label = value_text(value, result.unit);
    let (parameter, regime) = (
        result.parameter.replace('_', " "),
        outcome.placement.regime(),
    );
    let item = outcome.items.name;
    let mut said = format!("{parameter} {label}: {} {item}s/s", units::number(total));
    if shared {
        said += &format!(", {} of each user", units::number(each));
    }
    said += &format!(", {}, {}", outcome.placement.time(), regime.name());
    let too_large = outcome.fits == Some(false);
    if too_large {
        said += ", does not fit";
    }
    if outcome.is_beyond {
        said += ", beyond the limit";
    }
    let drawn = x > 0.0 && total > 0.0;
    drawn.then(|| Point {
        at: [x.log10(), total.log10()],
        regime,
        too_large,
        label,
        said,
    })
}

/// From the least to the most with a little room, at least a third of a decade.
fn ends(numbers: impl Iterator<Item = f64> + Clone) -> [f64; 2] {
    let low = numbers.clone().fold(f64::INFINITY, f64::min);
    let high = numbers.fold(f64::NEG_INFINITY, f64::max);
    let room = ((high - low) * 0.08)
        .max((0.34 - (high - low)) / 2.0)
        .max(0.05);
    [low - room, high + room]
}

fn grid(painter: &Painter, axes: &Axes, roles: &Style) {
    let area = axes.area;
    let stroke = |major| {
        Stroke::new(
            1.0,
            if major {
                roles.grid_major
            } else {
                roles.grid_minor
            },
        )
    };
    let span = |[low, high]: [f64; 2]| high - low;
    let mut free = area.left() - 20.0;
    for tick in axis::ticks(axes.x[0], axes.x[1]) {
        let x = axes.to_screen([tick.at, axes.y[0]]).x;
        let name = axis::name(tick.at, span(axes.x), Words::Plain);
        painter.vline(x, area.y_range(), stroke(!name.is_empty()));
        // The title stands at the right end.
        if x > free && x < area.right() - 150.0 && !name.is_empty() {
            let at = pos2(x, area.bottom() + 3.0);
            free = painter
                .text(at, Align2::CENTER_TOP, name, style::small(), roles.muted)
                .right()
                + 18.0;
        }
    }
    let mut free = area.bottom() + 8.0;
    for tick in axis::ticks(axes.y[0], axes.y[1]) {
        let y = axes.to_screen([axes.x[0], tick.at]).y;
        let name = axis::name(tick.at, span(axes.y), Words::Plain);
        painter.hline(area.x_range(), y, stroke(!name.is_empty()));
        if y < free && !name.is_empty() {
            let at = pos2(area.left() - 6.0, y);
            free = painter
                .text(at, Align2::RIGHT_CENTER, name, style::small(), roles.muted)
                .top()
                - 8.0;
        }
    }
    painter.rect_stroke(
        area,
        0.0,
        Stroke::new(1.0, roles.line),
        egui::StrokeKind::Inside,
    );
}

fn draw(painter: &Painter, axes: &Axes, points: &[Point], flip: Option<&Point>, roles: &Style) {
    let line: Vec<Pos2> = points
        .iter()
        .map(|point| axes.to_screen(point.at))
        .collect();
    painter.add(Shape::line(line.clone(), Stroke::new(1.5, roles.muted)));
    let mut labels = crate::chart::labels::Placer::new(axes.area);
    for pair in line.windows(2) {
        labels.block_line([pair[0], pair[1]]);
    }
    for at in &line {
        labels.block(Rect::from_center_size(*at, vec2(2.0, 2.0) * MARK));
    }
    let mut label = |at: Pos2, text: String, ink| {
        let galley = painter.layout_no_wrap(text, style::small(), ink);
        if let Some(place) = labels.place_even_over_lines(around(at, MARK, galley.size())) {
            painter.galley(
                Rect::from_center_size(place.center, place.size).min,
                galley,
                ink,
            );
        }
    };
    if let Some(flip) = flip {
        let at = axes.to_screen(flip.at);
        painter.circle_stroke(at, MARK + 1.5, Stroke::new(1.5, roles.ink));
        label(at, format!("flips at {}", flip.label), roles.ink);
    }
    for (point, at) in points.iter().zip(&line) {
        mark(painter, *at, point.regime, point.too_large, roles);
        label(*at, point.label.clone(), roles.ink);
    }
}

/// A shape for each regime, so that colour is not the only sign.
fn mark(painter: &Painter, at: Pos2, regime: Regime, too_large: bool, roles: &Style) {
    let colour = roles.regime(regime);
    let (fill, edge) = match too_large {
        true => (roles.ground, Stroke::new(1.5, colour)),
        false => (colour, Stroke::new(1.5, roles.ground)),
    };
    shape(painter, at, regime, fill, edge);
    if too_large {
        // Struck through, as the heat map hatches what does not fit.
        let arm = vec2(1.0, -1.0) * (MARK + 2.5);
        painter.line_segment([at - arm, at + arm], Stroke::new(1.5, roles.warning));
    }
}

fn shape(painter: &Painter, at: Pos2, regime: Regime, fill: Color32, edge: Stroke) {
    let corners: &[(f32, f32)] = match regime {
        Regime::MemoryBound => {
            painter.circle(at, MARK, fill, edge);
            return;
        }
        Regime::ComputeBound => &[(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)],
        Regime::LatencyBound => &[(0.0, -1.2), (1.1, 0.9), (-1.1, 0.9)],
        Regime::CommunicationBound => &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
    };
    let corners = corners.iter().map(|(x, y)| at + vec2(*x, *y) * MARK);
    painter.add(Shape::convex_polygon(corners.collect(), fill, edge));
}

/// Which mark is which regime, and which does not fit, at the top right, the last first.
fn legend(painter: &Painter, rect: Rect, points: &[Point], roles: &Style) {
    let mut regimes: Vec<Regime> = points.iter().map(|point| point.regime).collect();
    regimes.sort();
    regimes.dedup();
    let too_large = points.iter().find(|point| point.too_large);
    let entries = regimes
        .into_iter()
        .map(|regime| (regime.name(), regime, false));
    let entries = entries.chain(too_large.map(|point| ("does not fit", point.regime, true)));
    let entries: Vec<_> = entries.collect();
    let mut right = rect.right() - 24.0;
    for (name, regime, too_large) in entries.into_iter().rev() {
        let at = pos2(right, rect.top());
        let text = painter.text(at, Align2::RIGHT_TOP, name, style::small(), roles.ink);
        let sign = pos2(text.left() - 9.0, text.center().y);
        mark(painter, sign, regime, too_large, roles);
        right = text.left() - 28.0;
    }
}
