//! Triangles: joined where they have one colour, with gradients where they have two.

use super::Svg;
use super::markup::{Num, Opacity, Paint, Point};
use egui::epaint::{Mesh, Vertex, WHITE_UV};
use egui::{Color32, Pos2, TextureId};
use std::fmt::Write as _;

/// The corner of a triangle.
#[derive(Clone, Copy)]
pub(super) struct Corner {
    pub at: Pos2,
    pub color: Color32,
}

impl Svg {
    /// Writes what a mesh paints without a texture.
    pub(super) fn mesh(&mut self, mesh: &Mesh) {
        if !mesh.is_valid() || mesh.texture_id != TextureId::default() {
            return;
        }
        let corner = |vertex: &Vertex| Corner {
            at: vertex.pos,
            color: vertex.color,
        };
        let triangles = mesh.indices.as_chunks::<3>().0.iter();
        let triangles = triangles.map(|three| three.map(|i| &mesh.vertices[i as usize]));
        let plain = triangles.filter(|three| three.iter().all(|vertex| vertex.uv == WHITE_UV));
        self.triangles(plain.map(|three| three.map(corner)));
    }

    /// Writes triangles, in order. Neighbours of one colour become one path, so no seam shows between them.
    pub(super) fn triangles(&mut self, triangles: impl Iterator<Item = [Corner; 3]>) {
        let mut pieces: Vec<(Piece, String)> = Vec::new();
        for triangle in triangles {
            let Some(outline) = outline(&triangle) else {
                continue;
            };
            let piece = Piece::of(triangle);
            match pieces.last_mut() {
                Some((last, data)) if *last == piece => data.push_str(&outline),
                _ => pieces.push((piece, outline)),
            }
        }
        // Where colours meet, anti-aliasing would let the ground shine through the seam.
        let crisp = if pieces.len() > 1 {
            " shape-rendering=\"crispEdges\""
        } else {
            ""
        };
        for (piece, data) in pieces {
            let fill = match piece {
                Piece::Plain(color) if color.a() == 0 => continue,
                Piece::Plain(color) => Paint("fill", color).to_string(),
                Piece::Fading { from, to } => {
                    format!(" fill=\"url(#{})\"", self.gradient(from, to))
                }
            };
            self.line_of(&format!("<path d=\"{data}\"{fill}{crisp}/>"));
        }
    }

    fn gradient(&mut self, from: Corner, to: Corner) -> String {
        let stop = |offset: u8, color: Color32, other: Color32| {
            let opacity = Opacity(color.a());
            // SVG blends colours before opacity, so what is clear must have the colour it fades from.
            let color = if color.a() == 0 { other } else { color };
            let [r, g, b, _] = color.to_srgba_unmultiplied();
            format!(
                "<stop offset=\"{offset}\" stop-color=\"#{r:02x}{g:02x}{b:02x}\" stop-opacity=\"{opacity}\"/>"
            )
        };
        let stops = stop(0, from.color, to.color) + &stop(1, to.color, from.color);
        let line = format!(
            " gradientUnits=\"userSpaceOnUse\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"",
            Num(from.at.x),
            Num(from.at.y),
            Num(to.at.x),
            Num(to.at.y)
        );
        self.define("linearGradient", &line, &stops)
    }
}

/// How one triangle is painted.
#[derive(Clone, Copy)]
enum Piece {
    Plain(Color32),
    Fading { from: Corner, to: Corner },
}

impl PartialEq for Piece {
    fn eq(&self, other: &Self) -> bool {
        matches!((self, other), (Self::Plain(one), Self::Plain(two)) if one == two)
    }
}

impl Piece {
    /// One colour is plain, two are exactly a linear gradient, and three are averaged.
    fn of([a, b, c]: [Corner; 3]) -> Self {
        if a.color == b.color && b.color == c.color {
            Self::Plain(a.color)
        } else if a.color == b.color {
            Self::across(a, b, c)
        } else if b.color == c.color {
            Self::across(b, c, a)
        } else if c.color == a.color {
            Self::across(c, a, b)
        } else {
            let [a, b, c] = [a, b, c].map(|corner| corner.color);
            let mean = |i: usize| ((u16::from(a[i]) + u16::from(b[i]) + u16::from(c[i])) / 3) as u8;
            Self::Plain(Color32::from_rgba_premultiplied(
                mean(0),
                mean(1),
                mean(2),
                mean(3),
            ))
        }
    }

    /// The gradient from the edge `a`–`b` straight to the corner `tip`.
    fn across(a: Corner, b: Corner, tip: Corner) -> Self {
        let edge = b.at - a.at;
        let along = edge.dot(tip.at - a.at) / edge.length_sq();
        let foot = Corner {
            at: a.at + along * edge,
            color: a.color,
        };
        Self::Fading {
            from: foot,
            to: tip,
        }
    }
}

/// Path data of a triangle, always wound the same way so that joined ones add up; nothing if it is flat.
fn outline([a, b, c]: &[Corner; 3]) -> Option<String> {
    let (one, two) = (b.at - a.at, c.at - a.at);
    let area = one.x * two.y - one.y * two.x;
    if !area.is_finite() || area.abs() < 1e-4 {
        return None;
    }
    let (b, c) = if area > 0.0 { (b, c) } else { (c, b) };
    let mut data = String::new();
    let _ = write!(data, "M{}L{} {}Z", Point(a.at), Point(b.at), Point(c.at));
    Some(data)
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Rect, Vec2};

    fn written(mesh: &Mesh) -> (String, usize) {
        let mut svg = Svg::new(Vec2::splat(100.0));
        svg.mesh(mesh);
        (svg.body, svg.definitions.len())
    }

    #[test]
    fn triangles_of_one_colour_become_one_path() {
        let mut mesh = Mesh::default();
        mesh.add_colored_rect(
            Rect::from_min_size(Pos2::ZERO, Vec2::splat(9.0)),
            Color32::RED,
        );
        let (body, _) = written(&mesh);
        assert_eq!(body.matches("<path").count(), 1);
        assert_eq!(body.matches('Z').count(), 2);
    }

    #[test]
    fn a_fade_keeps_its_colour_while_it_clears() {
        let mut mesh = Mesh::default();
        for (x, y, color) in [
            (0.0, 0.0, Color32::RED),
            (8.0, 0.0, Color32::RED),
            (0.0, 4.0, Color32::TRANSPARENT),
        ] {
            mesh.colored_vertex(Pos2::new(x, y), color);
        }
        mesh.add_triangle(0, 1, 2);
        let mut svg = Svg::new(Vec2::splat(100.0));
        svg.mesh(&mesh);
        let gradient = svg.definitions.values().next().unwrap();
        assert!(
            gradient.contains("x1=\"0\" y1=\"0\" x2=\"0\" y2=\"4\""),
            "{gradient}"
        );
        assert!(gradient.contains("offset=\"1\" stop-color=\"#ff0000\" stop-opacity=\"0\""));
    }

    #[test]
    fn pictures_are_left_out() {
        let mut mesh = Mesh::with_texture(TextureId::User(7));
        let everywhere = Rect::from_min_size(Pos2::ZERO, Vec2::splat(9.0));
        mesh.add_rect_with_uv(everywhere, everywhere, Color32::WHITE);
        assert_eq!(written(&mesh), (String::new(), 0));
    }
}
