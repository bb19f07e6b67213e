//! Circles, ellipses and straight lines.

use super::Svg;
use super::markup::{Num, Paint, Point};
use egui::emath::GuiRounding as _;
use egui::epaint::{CircleShape, EllipseShape, Stroke};
use egui::{Color32, Pos2, Vec2};

impl Svg {
    pub(super) fn circle(&mut self, circle: &CircleShape) {
        let CircleShape {
            center,
            radius,
            fill,
            stroke,
        } = *circle;
        if radius > 0.0 {
            self.outlined(fill, stroke, |outset| {
                let (x, y, r) = (Num(center.x), Num(center.y), Num(radius + outset));
                format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"")
            });
        }
    }

    pub(super) fn ellipse(&mut self, ellipse: &EllipseShape) {
        let EllipseShape {
            center,
            radius,
            fill,
            stroke,
            angle,
        } = *ellipse;
        if radius.min_elem() > 0.0 {
            self.outlined(fill, stroke, |outset| {
                let (x, y) = (Num(center.x), Num(center.y));
                let (rx, ry) = (Num(radius.x + outset), Num(radius.y + outset));
                let turn = turned(angle, center);
                format!("<ellipse cx=\"{x}\" cy=\"{y}\" rx=\"{rx}\" ry=\"{ry}\"{turn}")
            });
        }
    }

    /// Writes a closed figure whose stroke lies outside of its fill. `open_tag` gives the figure, grown by so many points.
    pub(super) fn outlined(
        &mut self,
        fill: Color32,
        stroke: Stroke,
        open_tag: impl Fn(f32) -> String,
    ) {
        let filled = fill.a() > 0;
        if stroke.is_empty() || stroke.color.a() == 0 {
            if filled {
                self.line_of(&format!("{}{}/>", open_tag(0.0), Paint("fill", fill)));
            }
            return;
        }
        // A fill reaches to the middle of an SVG stroke, so it would show through one that is not opaque.
        let apart = filled && stroke.color.a() < 255;
        if apart {
            self.line_of(&format!("{}{}/>", open_tag(0.0), Paint("fill", fill)));
        }
        let fill = if apart { Color32::TRANSPARENT } else { fill };
        let tag = open_tag(0.5 * stroke.width);
        self.line_of(&format!(
            "{tag}{}{}/>",
            Paint("fill", fill),
            stroke_attributes(stroke)
        ));
    }

    /// Writes a line segment on the pixel grid, with ends like those on the screen.
    pub(super) fn line(&mut self, [mut a, mut b]: [Pos2; 2], stroke: Stroke) {
        if stroke.is_empty() || stroke.color.a() == 0 || a == b {
            return;
        }
        if a.x == b.x {
            stroke.round_center_to_pixel(1.0, &mut a.x);
            b.x = a.x;
            snap_ends(&mut a.y, &mut b.y);
        } else if a.y == b.y {
            stroke.round_center_to_pixel(1.0, &mut a.y);
            b.y = a.y;
            snap_ends(&mut a.x, &mut b.x);
        }
        let cap = cap(a, b);
        let ((a, b), stroke) = ((a - cap, b + cap), stroke_attributes(stroke));
        self.line_of(&format!(
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{stroke}/>",
            Num(a.x),
            Num(a.y),
            Num(b.x),
            Num(b.y)
        ));
    }
}

/// The attributes of a stroke, with a leading blank.
pub(super) fn stroke_attributes(stroke: Stroke) -> String {
    format!(
        "{} stroke-width=\"{}\"",
        Paint("stroke", stroke.color),
        Num(stroke.width)
    )
}

/// The `transform` that turns a figure about `center`, with a leading blank, or nothing.
pub(super) fn turned(angle: f32, center: Pos2) -> String {
    if angle == 0.0 {
        String::new()
    } else {
        format!(
            " transform=\"rotate({} {})\"",
            Num(angle.to_degrees()),
            Point(center)
        )
    }
}

/// How far egui's anti-aliasing lengthens the end `b` of an open line.
pub(super) fn cap(a: Pos2, b: Pos2) -> Vec2 {
    0.5 * (b - a).normalized()
}

/// Moves the ends of an upright or level line to pixel centres, as egui does; `cap` then fills the pixels.
fn snap_ends(a: &mut f32, b: &mut f32) {
    let inward = if *a < *b { 0.25 } else { -0.25 };
    *a = (*a + inward).round_to_pixel_center(1.0);
    *b = (*b - inward).round_to_pixel_center(1.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_translucent_stroke_does_not_show_the_fill_beneath() {
        let mut svg = Svg::new(Vec2::splat(50.0));
        svg.circle(&CircleShape {
            center: Pos2::new(20.0, 20.0),
            radius: 8.0,
            fill: Color32::RED,
            stroke: Stroke::new(2.0, Color32::from_black_alpha(100)),
        });
        assert!(
            svg.body.contains("r=\"8\" fill=\"#ff0000\"/>"),
            "{}",
            svg.body
        );
        assert!(
            svg.body
                .contains("r=\"9\" fill=\"none\" stroke=\"#000000\""),
            "{}",
            svg.body
        );
    }
}
