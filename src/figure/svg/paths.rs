//! Paths, bands and curves.

use super::Svg;
use super::figures::{cap, stroke_attributes};
use super::markup::{Paint, Point};
use egui::emath::Rot2;
use egui::epaint::{
    BandShape, ColorMode, CubicBezierShape, PathShape, PathStroke, QuadraticBezierShape, Stroke,
    StrokeKind,
};
use egui::{Color32, Pos2, Rect, Vec2};
use std::fmt::Write as _;

impl Svg {
    pub(super) fn path(&mut self, path: &PathShape) {
        let PathShape {
            points,
            closed,
            fill,
            stroke,
        } = path;
        let points: Vec<Pos2> = points
            .iter()
            .copied()
            .filter(|point| point.is_finite())
            .collect();
        if points.len() < 2 {
            return;
        }
        if stroke.is_empty() {
            self.polyline(&points, *closed, *fill, Stroke::NONE);
            return;
        }
        let line = match stroke.kind {
            StrokeKind::Inside if *closed => grown(&points, -0.5 * stroke.width),
            StrokeKind::Outside if *closed => grown(&points, 0.5 * stroke.width),
            _ => points.clone(),
        };
        match &stroke.color {
            ColorMode::Solid(color) if stroke.kind == StrokeKind::Middle => {
                self.polyline(&points, *closed, *fill, Stroke::new(stroke.width, *color));
            }
            ColorMode::Solid(color) => {
                self.polyline(&points, *closed, *fill, Stroke::NONE);
                let stroke = Stroke::new(stroke.width, *color);
                self.polyline(&line, *closed, Color32::TRANSPARENT, stroke);
            }
            ColorMode::UV(color_at) => {
                self.polyline(&points, *closed, *fill, Stroke::NONE);
                let bounds = Rect::from_points(&line).expand(0.5 * stroke.width + 1.0);
                self.coloured_line(&line, *closed, stroke.width, |point| {
                    color_at(bounds, point)
                });
            }
        }
    }

    fn polyline(&mut self, points: &[Pos2], closed: bool, fill: Color32, stroke: Stroke) {
        let fill = if closed { fill } else { Color32::TRANSPARENT };
        if fill.a() == 0 && (stroke.is_empty() || stroke.color.a() == 0) {
            return;
        }
        let mut points = points.to_vec();
        if !closed && let [first, second, ..] = points[..] {
            points[0] -= cap(first, second);
        }
        if !closed && let [.., second, last] = &mut points[..] {
            *last += cap(*second, *last);
        }
        let (data, fill) = (path_data(&points, closed), Paint("fill", fill));
        let stroke = if stroke.is_empty() {
            String::new()
        } else {
            stroke_attributes(stroke)
        };
        self.line_of(&format!("<path d=\"{data}\"{fill}{stroke}/>"));
    }

    /// Writes a line whose colour varies along it: one polyline for each stretch of one colour.
    fn coloured_line(
        &mut self,
        points: &[Pos2],
        closed: bool,
        width: f32,
        color_at: impl Fn(Pos2) -> Color32,
    ) {
        let mut points = points.to_vec();
        if closed {
            points.extend(points.first().copied());
        }
        let middle = |i: usize| points[i].lerp(points[i + 1], 0.5);
        let colors: Vec<Color32> = (0..points.len() - 1).map(|i| color_at(middle(i))).collect();
        let mut start = 0;
        for stretch in colors.chunk_by(PartialEq::eq) {
            let end = start + stretch.len();
            let stroke = Stroke::new(width, stretch[0]);
            self.polyline(&points[start..=end], false, Color32::TRANSPARENT, stroke);
            start = end;
        }
    }

    /// Writes a band as one outline for each unbroken run of samples.
    pub(super) fn band(&mut self, band: &BandShape) {
        let valid =
            |point: &egui::epaint::BandPoint| point.is_finite() && point.y.min <= point.y.max;
        let rotation = Rot2::from_angle(band.angle);
        let place = |x: f32, y: f32| (rotation * Vec2::new(x, y)).to_pos2();
        for run in band.points.split(|point| !valid(point)) {
            let lower = run.iter().map(|point| place(point.x, point.y.min));
            let upper = run.iter().rev().map(|point| place(point.x, point.y.max));
            self.path(&PathShape {
                points: lower.chain(upper).collect(),
                closed: true,
                fill: band.fill,
                stroke: PathStroke::from(band.stroke).with_kind(band.stroke_kind),
            });
        }
    }

    pub(super) fn quadratic(&mut self, curve: &QuadraticBezierShape) {
        let [start, control, end] = curve.points.map(Point);
        let data = format!("M{start}Q{control} {end}");
        self.curve(
            data,
            curve.closed,
            curve.fill,
            &curve.stroke,
            curve.sample(0.5),
        );
    }

    pub(super) fn cubic(&mut self, curve: &CubicBezierShape) {
        let [start, first, second, end] = curve.points.map(Point);
        let data = format!("M{start}C{first} {second} {end}");
        self.curve(
            data,
            curve.closed,
            curve.fill,
            &curve.stroke,
            curve.sample(0.5),
        );
    }

    fn curve(
        &mut self,
        mut data: String,
        closed: bool,
        fill: Color32,
        stroke: &PathStroke,
        middle: Pos2,
    ) {
        if closed {
            data.push('Z');
        }
        let fill = if closed { fill } else { Color32::TRANSPARENT };
        let color = match &stroke.color {
            ColorMode::Solid(color) => *color,
            ColorMode::UV(color_at) => color_at(Rect::from_pos(middle), middle),
        };
        let stroke = if stroke.is_empty() {
            String::new()
        } else {
            stroke_attributes(Stroke::new(stroke.width, color))
        };
        self.line_of(&format!(
            "<path d=\"{data}\"{}{stroke}/>",
            Paint("fill", fill)
        ));
    }
}

/// Path data of straight lines.
fn path_data(points: &[Pos2], closed: bool) -> String {
    let mut data = String::with_capacity(points.len() * 12);
    for (i, point) in points.iter().enumerate() {
        let command = match i {
            0 => "M",
            1 => "L",
            _ => " ",
        };
        let _ = write!(data, "{command}{}", Point(*point));
    }
    if closed {
        data.push('Z');
    }
    data
}

/// The outline of a polygon, moved outwards by `distance` (inwards if negative).
fn grown(points: &[Pos2], distance: f32) -> Vec<Pos2> {
    let count = points.len();
    let next = |i: usize| points[(i + 1) % count];
    let area: f32 = (0..count)
        .map(|i| points[i].x * next(i).y - next(i).x * points[i].y)
        .sum();
    let outward = |i: usize| area.signum() * (next(i) - points[i]).normalized().rot90();
    (0..count)
        .map(|i| {
            let sum = outward((i + count - 1) % count) + outward(i);
            // Two edges with normals n and m meet, moved by d, at d · 2(n + m) / |n + m|². Spikes are cut.
            points[i] + 2.0 * distance * sum / sum.length_sq().max(0.5)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growing_moves_every_edge_outwards_whatever_the_winding() {
        let square = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)].map(Pos2::from);
        let mut turned = square;
        turned.reverse();
        assert_eq!(
            Rect::from_points(&grown(&square, 1.0)),
            Rect::from_points(&square).expand(1.0)
        );
        assert_eq!(
            Rect::from_points(&grown(&turned, -2.0)),
            Rect::from_points(&square).shrink(2.0)
        );
    }

    #[test]
    fn a_line_coloured_by_place_keeps_its_colours() {
        let mut svg = Svg::new(Vec2::splat(50.0));
        let points = (0..5).map(|i| Pos2::new(10.0 * i as f32, 5.0)).collect();
        let stroke = PathStroke::new_uv(2.0, |_, point| {
            if point.x < 20.0 {
                Color32::RED
            } else {
                Color32::BLUE
            }
        });
        svg.path(&PathShape::line(points, stroke));
        assert_eq!(svg.body.matches("<path").count(), 2, "{}", svg.body);
        assert!(svg.body.contains("#ff0000") && svg.body.contains("#0000ff"));
    }
}
