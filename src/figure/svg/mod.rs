//! The shapes egui paints, as SVG: text stays text, and equal shapes give equal bytes.

mod figures;
mod markup;
mod mesh;
mod paths;
mod rect;
mod runs;
mod text;

use egui::emath::{GuiRounding as _, TSTransform};
use egui::epaint::{ClippedShape, Shape};
use egui::{Color32, Pos2, Rect, Vec2};
use markup::{Num, Paint, fingerprint};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Writes `shapes` as an SVG of `size` points on a `ground` colour; shapes are taken at one pixel per point and textures are left out.
pub fn from_shapes(shapes: &[ClippedShape], size: Vec2, ground: Color32) -> String {
    let mut svg = Svg::new(size);
    for clipped in shapes {
        if clipped.clip_rect.is_positive() && clipped.transform_after_tessellation.is_valid() {
            svg.clipped(
                &clipped.shape,
                clipped.clip_rect.round_to_pixels(1.0),
                clipped.transform_after_tessellation,
            );
        }
    }
    svg.finish(ground)
}

/// An SVG being written.
struct Svg {
    canvas: Rect,
    body: String,
    /// Clip paths and gradients by id. An id is made from the content, so equal definitions are shared
    /// and several figures may stand in one HTML page.
    definitions: BTreeMap<String, String>,
    /// The `<g>` tags that are open at the end of `body`.
    open_groups: String,
}

impl Svg {
    fn new(size: Vec2) -> Self {
        Self {
            canvas: Rect::from_min_size(Pos2::ZERO, size),
            body: String::new(),
            definitions: BTreeMap::new(),
            open_groups: String::new(),
        }
    }

    fn finish(mut self, ground: Color32) -> String {
        self.enter(String::new());
        let (width, height) = (Num(self.canvas.width()), Num(self.canvas.height()));
        let ground = Paint("fill", ground);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">\n\
             <rect width=\"{width}\" height=\"{height}\"{ground}/>\n"
        );
        if !self.definitions.is_empty() {
            out.push_str("<defs>\n");
            out.extend(self.definitions.values().map(String::as_str));
            out.push_str("</defs>\n");
        }
        out + &self.body + "</svg>\n"
    }

    /// Writes one shape, or each shape of a list by itself, inside the clip and transform it needs.
    fn clipped(&mut self, shape: &Shape, clip: Rect, transform: TSTransform) {
        if let Shape::Vec(shapes) = shape {
            for shape in shapes {
                self.clipped(shape, clip, transform);
            }
            return;
        }
        let bounds = shape.visual_bounding_rect();
        if !bounds.is_finite() || bounds.is_negative() {
            return; // empty, or from numbers that are none
        }
        let bounds = transform * bounds;
        if !bounds.intersects(clip.intersect(self.canvas)) {
            return;
        }
        let mut groups = String::new();
        if !clip.contains_rect(bounds.intersect(self.canvas)) {
            let id = self.define("clipPath", "", &rect::plain(clip.intersect(self.canvas)));
            let _ = write!(groups, "<g clip-path=\"url(#{id})\">");
        }
        if transform != TSTransform::IDENTITY {
            let (x, y) = (transform.translation.x, transform.translation.y);
            let scale = transform.scaling;
            let (x, y) = (Num(x), Num(y));
            // Not rounded to two places: a scale is multiplied by coordinates in the thousands.
            let _ = write!(
                groups,
                "<g transform=\"translate({x} {y}) scale({scale})\">"
            );
        }
        self.enter(groups);
        self.shape(shape);
    }

    fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Noop | Shape::Callback(_) => {}
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| self.shape(shape)),
            Shape::Circle(circle) => self.circle(circle),
            Shape::Ellipse(ellipse) => self.ellipse(ellipse),
            Shape::LineSegment { points, stroke } => self.line(*points, *stroke),
            Shape::Path(path) => self.path(path),
            Shape::Band(band) => self.band(band),
            Shape::Rect(rect) => self.rect(rect),
            Shape::Text(text) => self.text(text),
            Shape::Mesh(mesh) => self.mesh(mesh),
            Shape::QuadraticBezier(curve) => self.quadratic(curve),
            Shape::CubicBezier(curve) => self.cubic(curve),
        }
    }

    /// Makes `groups` (some `<g>` tags) the open ones, so that neighbours in the same clip share a group.
    fn enter(&mut self, groups: String) {
        if self.open_groups == groups {
            return;
        }
        let to_close = self.open_groups.matches("<g ").count();
        if to_close > 0 {
            self.line_of(&"</g>".repeat(to_close));
        }
        if !groups.is_empty() {
            self.line_of(&groups);
        }
        self.open_groups = groups;
    }

    /// Adds a definition unless it is there, and returns its id.
    fn define(&mut self, element: &str, attributes: &str, content: &str) -> String {
        let print = fingerprint(&[element, attributes, content]);
        let id = format!("{}{print:016x}", &element[..1]);
        self.definitions.entry(id.clone()).or_insert_with(|| {
            format!("<{element} id=\"{id}\"{attributes}>{content}</{element}>\n")
        });
        id
    }

    fn line_of(&mut self, markup: &str) {
        self.body.push_str(markup);
        self.body.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::epaint::{CircleShape, Stroke};

    fn circle_at(x: f32) -> Shape {
        CircleShape::filled(Pos2::new(x, 50.0), 10.0, Color32::RED).into()
    }

    fn svg_of(clip: Rect, shape: Shape) -> String {
        let shapes = [ClippedShape::new(clip, shape)];
        from_shapes(&shapes, Vec2::splat(100.0), Color32::WHITE)
    }

    #[test]
    fn clips_only_what_leaves_its_clip_rectangle() {
        let clip = Rect::from_min_max(Pos2::ZERO, Pos2::new(50.0, 100.0));
        assert!(!svg_of(clip, circle_at(30.0)).contains("clip"));
        assert!(!svg_of(Rect::EVERYTHING, circle_at(98.0)).contains("clip"));
        assert!(!svg_of(clip, circle_at(80.0)).contains("circle"));

        let both = Shape::Vec(vec![circle_at(45.0), circle_at(52.0)]);
        let svg = svg_of(clip, both);
        assert_eq!(svg.matches("<clipPath").count(), 1);
        assert_eq!(svg.matches("<g ").count(), 1, "neighbours share a group");
        assert_eq!(svg.matches("</g>").count(), 1);
    }

    #[test]
    fn equal_shapes_give_equal_bytes_on_the_ground_colour() {
        let line = Shape::line_segment(
            [Pos2::new(1.0, 2.0), Pos2::new(30.0, 41.0)],
            Stroke::new(1.5, Color32::BLUE),
        );
        let make = || {
            svg_of(
                Rect::EVERYTHING,
                Shape::Vec(vec![circle_at(20.0), line.clone()]),
            )
        };
        assert_eq!(make(), make());
        let first_child = "<rect width=\"100\" height=\"100\" fill=\"#ffffff\"/>";
        assert_eq!(make().lines().nth(1), Some(first_child));
    }

    #[test]
    fn what_is_invisible_or_no_number_is_left_out() {
        let clear = CircleShape::filled(Pos2::new(9.0, 9.0), 5.0, Color32::TRANSPARENT).into();
        let lost = CircleShape::filled(Pos2::new(f32::NAN, 9.0), 5.0, Color32::RED).into();
        let svg = svg_of(Rect::EVERYTHING, Shape::Vec(vec![clear, lost, Shape::Noop]));
        assert_eq!(svg.lines().count(), 3, "{svg}");
    }
}
