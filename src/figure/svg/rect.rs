//! Rectangles: on the pixel grid, with round corners, and as soft shadows.

use super::Svg;
use super::figures::turned;
use super::markup::{Num, Opacity, Paint, Point};
use egui::emath::GuiRounding as _;
use egui::epaint::{CornerRadiusF32, RectShape, Stroke, StrokeKind};
use egui::{Color32, Pos2, Rect, Vec2};
use std::fmt::Write as _;

/// A finite stand-in for the edges of rectangles that egui makes endless.
const FAR: f32 = 1e5;

impl Svg {
    /// Writes a rectangle with the roundings that egui's tessellator gives it.
    pub(super) fn rect(&mut self, shape: &RectShape) {
        let mut rect = Rect::from_min_max(
            shape.rect.min.max(Pos2::new(-FAR, -FAR)),
            shape.rect.max.min(Pos2::new(FAR, FAR)),
        );
        let (mut stroke, kind) = (shape.stroke, shape.stroke_kind);
        // A brush paints a texture, and textures are left out.
        let mut fill = if shape.brush.is_some() {
            Color32::TRANSPARENT
        } else {
            shape.fill
        };
        if !stroke.is_empty() {
            let with_stroke = rect.expand(match kind {
                StrokeKind::Inside => 0.0,
                StrokeKind::Middle => 0.5 * stroke.width,
                StrokeKind::Outside => stroke.width,
            });
            if with_stroke.size().min_elem() <= 2.0 * stroke.width + 0.5 {
                (rect, fill, stroke) = (with_stroke, stroke.color, Stroke::NONE);
            }
        }
        let thin = rect.size().min_elem() <= 2.0 && shape.angle == 0.0;
        if thin && stroke.is_empty() && fill.a() > 0 {
            return self.thin_rect(rect, fill);
        }
        if shape.round_to_pixels.unwrap_or(true) {
            rect = rounded(rect, kind, stroke.width);
        }
        if shape.blur_width > 1.0 {
            return self.soft_rect(rect, shape.corner_radius.into(), fill, shape.blur_width);
        }
        let (inner, radius) = inner_edge(rect, shape.corner_radius.into(), kind, stroke.width);
        let turn = turned(shape.angle, rect.center());
        self.outlined(fill, stroke, |outset| {
            let mut tag = rounded_tag(inner.expand(outset), radius, outset);
            tag.push_str(&turn);
            tag
        });
    }

    fn thin_rect(&mut self, rect: Rect, fill: Color32) {
        if rect.width() <= 2.0 {
            let ends = [rect.center_top(), rect.center_bottom()];
            self.line(ends, Stroke::new(rect.width(), fill));
        } else {
            let ends = [rect.left_center(), rect.right_center()];
            self.line(ends, Stroke::new(rect.height(), fill));
        }
    }

    /// Writes a rectangle whose edges fade linearly over `blur` points, as egui's shadows do.
    ///
    /// It is made of gradients and not of an SVG filter, since a PDF can only hold filters as pixels.
    fn soft_rect(&mut self, rect: Rect, corners: CornerRadiusF32, color: Color32, blur: f32) {
        let blur = blur.min(rect.size().min_elem() - 0.1).max(0.0);
        let outer = rect.expand(0.5 * blur);
        let radius = [corners.nw, corners.ne, corners.sw, corners.se]
            .into_iter()
            .fold(0.0, f32::max);
        let half = 0.5 * outer.size().min_elem();
        let (radius, reach) = (radius.min(half), (radius + blur).min(half));
        if color.a() == 0 || reach <= 0.0 {
            return;
        }
        let [r, g, b, a] = color.to_srgba_unmultiplied();
        let stop = |offset: f32, a: u8| {
            let (offset, a) = (Num(offset), Opacity(a));
            format!(
                "<stop offset=\"{offset}\" stop-color=\"#{r:02x}{g:02x}{b:02x}\" stop-opacity=\"{a}\"/>"
            )
        };
        let corner = stop(radius / reach, a) + &stop(1.0, 0);
        let corner = self.define("radialGradient", " cx=\"1\" cy=\"1\" r=\"1\"", &corner);
        let edge = stop(0.0, 0) + &stop((blur / reach).min(1.0), a);
        let edge = self.define("linearGradient", " x2=\"0\" y2=\"1\"", &edge);

        let inner = outer.shrink(reach);
        // No anti-aliasing: it would draw the seams between the nine parts.
        self.line_of("<g shape-rendering=\"crispEdges\">");
        let core = Paint("fill", color);
        self.line_of(&format!("{}{core}/>", tag(inner)));
        let sides = [
            (outer.left_top(), 0),
            (outer.right_top(), 90),
            (outer.right_bottom(), 180),
            (outer.left_bottom(), 270),
        ];
        for (at, angle) in sides {
            let length = if angle % 180 == 0 {
                inner.width()
            } else {
                inner.height()
            };
            let corner_rect = tag(Rect::from_min_size(Pos2::ZERO, Vec2::splat(reach)));
            let edge_rect = tag(Rect::from_min_size(
                Pos2::new(reach, 0.0),
                Vec2::new(length, reach),
            ));
            self.line_of(&format!(
                "<g transform=\"translate({}) rotate({angle})\">\
                 {corner_rect} fill=\"url(#{corner})\"/>{edge_rect} fill=\"url(#{edge})\"/></g>",
                Point(at)
            ));
        }
        self.line_of("</g>");
    }
}

/// Puts the edge that should be sharp on a pixel boundary.
fn rounded(rect: Rect, kind: StrokeKind, width: f32) -> Rect {
    let odd = width > 0.0 && (width <= 1.0 || width.round() % 2.0 == 1.0);
    if kind == StrokeKind::Middle && odd {
        rect.round_to_pixel_center(1.0)
    } else {
        rect.round_to_pixels(1.0)
    }
}

/// Where the stroke begins, and the corner radii there; a round corner is never sharper than the stroke is wide.
fn inner_edge(
    rect: Rect,
    radius: CornerRadiusF32,
    kind: StrokeKind,
    width: f32,
) -> (Rect, CornerRadiusF32) {
    let inset = match kind {
        StrokeKind::Inside => width,
        StrokeKind::Middle => 0.5 * width,
        StrokeKind::Outside => 0.0,
    };
    let inner = |radius: f32| {
        if radius > 0.0 {
            (radius - inset).max(0.1)
        } else {
            0.0
        }
    };
    let radius = CornerRadiusF32 {
        nw: inner(radius.nw),
        ne: inner(radius.ne),
        sw: inner(radius.sw),
        se: inner(radius.se),
    };
    (rect.shrink(inset), radius)
}

/// A whole `<rect>` without paint.
pub(super) fn plain(rect: Rect) -> String {
    tag(rect) + "/>"
}

fn tag(rect: Rect) -> String {
    let (x, y) = (Num(rect.min.x), Num(rect.min.y));
    let (width, height) = (Num(rect.width().max(0.0)), Num(rect.height().max(0.0)));
    format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"")
}

/// The start of a rectangle with corners of `radius` + `outset`, where there is a radius.
fn rounded_tag(rect: Rect, radius: CornerRadiusF32, outset: f32) -> String {
    let limit = 0.5 * rect.size().min_elem();
    let grown = |radius: f32| {
        if radius > 0.0 {
            (radius + outset).min(limit)
        } else {
            0.0
        }
    };
    let [nw, ne, se, sw] = [radius.nw, radius.ne, radius.se, radius.sw].map(grown);
    if nw == ne && ne == se && se == sw {
        let mut tag = tag(rect);
        if nw > 0.0 {
            let _ = write!(tag, " rx=\"{}\"", Num(nw));
        }
        return tag;
    }
    let mut data = format!("M{}", Point(rect.left_top() + Vec2::new(nw, 0.0)));
    for (radius, from, to) in [
        (
            ne,
            rect.right_top() - Vec2::new(ne, 0.0),
            rect.right_top() + Vec2::new(0.0, ne),
        ),
        (
            se,
            rect.right_bottom() - Vec2::new(0.0, se),
            rect.right_bottom() - Vec2::new(se, 0.0),
        ),
        (
            sw,
            rect.left_bottom() + Vec2::new(sw, 0.0),
            rect.left_bottom() - Vec2::new(0.0, sw),
        ),
        (
            nw,
            rect.left_top() + Vec2::new(0.0, nw),
            rect.left_top() + Vec2::new(nw, 0.0),
        ),
    ] {
        let r = Num(radius);
        let _ = write!(data, "L{}A{r} {r} 0 0 1 {}", Point(from), Point(to));
    }
    format!("<path d=\"{data}Z\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::CornerRadius;

    fn written(shape: RectShape) -> String {
        let mut svg = Svg::new(Vec2::splat(100.0));
        svg.rect(&shape);
        svg.body
    }

    #[test]
    fn the_stroke_lies_where_its_kind_says() {
        let rect = Rect::from_min_max(Pos2::new(10.0, 10.0), Pos2::new(30.0, 30.0));
        for (kind, x, width) in [
            (StrokeKind::Inside, "11", "18"),
            (StrokeKind::Middle, "10", "20"),
            (StrokeKind::Outside, "9", "22"),
        ] {
            let body = written(RectShape::stroke(
                rect,
                0,
                Stroke::new(2.0, Color32::RED),
                kind,
            ));
            assert!(body.contains(&format!("x=\"{x}\"")), "{kind:?} {body}");
            assert!(
                body.contains(&format!("width=\"{width}\"")),
                "{kind:?} {body}"
            );
        }
    }

    #[test]
    fn corners_that_differ_make_a_path_and_a_shadow_makes_gradients() {
        let rect = Rect::from_min_max(Pos2::new(10.0, 10.0), Pos2::new(60.0, 60.0));
        let top = CornerRadius {
            nw: 4,
            ne: 4,
            sw: 0,
            se: 0,
        };
        assert!(written(RectShape::filled(rect, top, Color32::RED)).contains("A4 4 0 0 1"));

        let mut svg = Svg::new(Vec2::splat(100.0));
        svg.rect(&RectShape::filled(rect, 6, Color32::from_black_alpha(96)).with_blur_width(8.0));
        assert_eq!(svg.definitions.len(), 2);
        assert_eq!(svg.body.matches("url(#").count(), 8);
    }
}
