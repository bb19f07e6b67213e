//! Text stays text: one `<text>` for each stretch of one look, placed where egui put its glyphs.

use super::Svg;
use super::markup::{Escaped, Num, Paint, Point};
use super::mesh::Corner;
use super::runs::{Run, Styled, runs, sections};
use crate::chart::fonts;
use egui::emath::GuiRounding as _;
use egui::epaint::text::{Glyph, PlacedRow, TextFormat};
use egui::epaint::{Stroke, TextShape};
use egui::{Color32, FontFamily, Pos2, Vec2};
use std::fmt::Write as _;

impl Svg {
    pub(super) fn text(&mut self, text: &TextShape) {
        if text.opacity_factor <= 0.0 {
            return;
        }
        let origin = text.pos.round_to_pixels(1.0);
        if text.angle == 0.0 {
            self.rows(text, origin.to_vec2());
        } else {
            let (at, angle) = (Point(origin), Num(text.angle.to_degrees()));
            self.line_of(&format!(
                "<g transform=\"translate({at}) rotate({angle})\">"
            ));
            self.rows(text, Vec2::ZERO);
            self.line_of("</g>");
        }
    }

    fn rows(&mut self, text: &TextShape, origin: Vec2) {
        let mut sections = sections(text);
        for row in &text.galley.rows {
            let of_row = sections.by_ref().take(row.glyphs.len());
            let glyphs: Vec<Styled<'_>> = std::iter::zip(&row.glyphs, of_row).collect();
            if row.ends_with_newline {
                sections.next();
            }
            let at = origin + row.pos.to_vec2();
            self.backgrounds(text, row, at);
            for run in runs(row, &glyphs, text.galley.pixels_per_point) {
                self.run(text, &run, at);
            }
            self.rules(text, &glyphs, at, |glyph, format| {
                (format.underline, glyph.logical_rect().bottom())
            });
            self.rules(text, &glyphs, at, |glyph, format| {
                (format.strikethrough, glyph.logical_rect().center().y)
            });
            let bounds = row.visuals.mesh_bounds;
            if text.underline != Stroke::NONE && bounds.is_positive() {
                let ends = [bounds.left_bottom() + at, bounds.right_bottom() + at];
                self.line(ends, seen_stroke(text, text.underline));
            }
        }
    }

    fn run(&mut self, text: &TextShape, run: &Run<'_>, at: Vec2) {
        let format = &run.section.format;
        let start = run.start + at;
        let mut place = if format.italics {
            // There is no italic face: egui shears the upright one by a quarter, so do we.
            format!(" transform=\"translate({}) skewX(-14.04)\"", Point(start))
        } else {
            format!(" x=\"{}\" y=\"{}\"", Num(start.x), Num(start.y))
        };
        let words = run.words.trim_end();
        if words.chars().nth(1).is_some() {
            // The glyphs fall where egui put them, also with letter spacing, and where a reader
            // without these fonts sees another one, the words still take the room they have here.
            let _ = write!(place, " textLength=\"{}\"", Num(run.width));
        }
        if words.contains("  ") {
            place.push_str(" xml:space=\"preserve\"");
        }
        let typeface = typeface(format, run.fallback);
        let size = Num(format.font_id.size);
        let color = text.override_text_color.unwrap_or(run.color);
        let (fill, words) = (Paint("fill", seen(text, color)), Escaped(words));
        self.line_of(&format!(
            "<text{place}{typeface} font-size=\"{size}\"{fill}>{words}</text>"
        ));
    }

    /// Writes what lies behind the glyphs of a row: backgrounds, and the selection that egui puts after them.
    fn backgrounds(&mut self, text: &TextShape, row: &PlacedRow, at: Vec2) {
        let visuals = &row.visuals;
        let first_glyph = visuals.glyph_index_start / 3;
        let triangles = visuals.mesh.indices.as_chunks::<3>().0.iter().enumerate();
        let behind = triangles.map_while(|(number, indices)| {
            let corners = indices.map(|i| &visuals.mesh.vertices[i as usize]);
            // After the glyphs come underlines, whose soft edges have two colours.
            let selection = !visuals.glyph_vertex_range.contains(&(indices[0] as usize))
                && corners
                    .iter()
                    .all(|corner| corner.color == corners[0].color);
            (number < first_glyph || selection).then_some(corners)
        });
        self.triangles(behind.map(|corners| {
            corners.map(|vertex| Corner {
                at: vertex.pos + at,
                color: seen(text, vertex.color),
            })
        }));
    }

    /// Writes underlines or strike-through lines, one for each stretch of glyphs that shares it.
    fn rules(
        &mut self,
        text: &TextShape,
        glyphs: &[Styled<'_>],
        at: Vec2,
        rule: impl Fn(&Glyph, &TextFormat) -> (Stroke, f32),
    ) {
        let rule = |(glyph, section): &Styled<'_>| rule(glyph, &section.format);
        for stretch in glyphs.chunk_by(|one, two| rule(one) == rule(two)) {
            let (stroke, y) = rule(&stretch[0]);
            let (first, last) = (stretch[0].0, stretch[stretch.len() - 1].0);
            let ends = [Pos2::new(first.pos.x, y), Pos2::new(last.max_x(), y)];
            self.line(ends.map(|end| end + at), seen_stroke(text, stroke));
        }
    }
}

/// A colour in a galley as it is seen: placeholders replaced, faded as the whole text is.
fn seen(text: &TextShape, color: Color32) -> Color32 {
    let color = if color == Color32::PLACEHOLDER {
        text.fallback_color
    } else {
        color
    };
    if text.opacity_factor < 1.0 {
        color.gamma_multiply(text.opacity_factor)
    } else {
        color
    }
}

fn seen_stroke(text: &TextShape, stroke: Stroke) -> Stroke {
    Stroke::new(stroke.width, seen(text, stroke.color))
}

/// The family and weight attributes of a format, with a leading blank.
fn typeface(format: &TextFormat, fallback: bool) -> String {
    let (sans, mono) = (fonts::SANS_NAME, fonts::MONO_NAME);
    let family = &format.font_id.family;
    if (*family == FontFamily::Monospace) != fallback {
        format!(" font-family=\"{mono}, {sans}, monospace\"")
    } else if *family == fonts::bold() {
        format!(" font-family=\"{sans}, {mono}, sans-serif\" font-weight=\"700\"")
    } else {
        format!(" font-family=\"{sans}, {mono}, sans-serif\"")
    }
}

#[cfg(test)]
mod tests {
    use crate::chart::fonts;
    use crate::figure::{offscreen, svg};
    use egui::epaint::TextShape;
    use egui::text::{LayoutJob, TextFormat};
    use egui::{Color32, FontId, Pos2, RichText, Theme, Ui, Vec2};

    fn drawn(mut show: impl FnMut(&mut Ui)) -> String {
        let size = Vec2::new(400.0, 200.0);
        let shapes = offscreen::shapes(size, Theme::Light, 2, |_| {}, |ui| show(ui));
        svg::from_shapes(&shapes, size, Color32::WHITE)
    }

    #[test]
    fn text_stays_text_and_is_escaped() {
        let svg = drawn(|ui| {
            ui.label("B200 & \"H100\" <SXM>  fi");
        });
        assert!(
            svg.contains(">B200 &amp; &quot;H100&quot; &lt;SXM&gt;  fi</text>"),
            "{svg}"
        );
        assert!(
            svg.contains("xml:space=\"preserve\""),
            "two blanks stay two"
        );
    }

    #[test]
    fn each_section_keeps_its_colour_and_face() {
        let svg = drawn(|ui| {
            let mut job = LayoutJob::default();
            let sans = FontId::proportional(14.0);
            let bold = FontId::new(14.0, fonts::bold());
            job.append("red ", 0.0, TextFormat::simple(sans, Color32::RED));
            job.append("blue", 0.0, TextFormat::simple(bold, Color32::BLUE));
            ui.label(job);
        });
        assert!(svg.contains("fill=\"#ff0000\">red</text>"), "{svg}");
        assert!(
            svg.contains("font-weight=\"700\" font-size=\"14\" fill=\"#0000ff\">blue"),
            "{svg}"
        );
    }

    #[test]
    fn a_letter_the_face_lacks_is_set_in_the_other_one() {
        let svg = drawn(|ui| {
            ui.label("a \u{2264} b");
        });
        assert!(
            svg.contains("font-family=\"Hack, Noto Sans, monospace\""),
            "{svg}"
        );
    }

    #[test]
    fn a_turned_text_is_rotated_about_its_place_and_takes_the_colour_laid_over() {
        let svg = drawn(|ui| {
            let font = FontId::proportional(14.0);
            let galley = ui
                .painter()
                .layout_no_wrap("roof".into(), font, Color32::RED);
            let text = TextShape::new(Pos2::new(90.0, 100.0), galley, Color32::RED)
                .with_angle(-std::f32::consts::FRAC_PI_4)
                .with_override_text_color(Color32::GREEN);
            ui.painter().add(text);
        });
        assert!(
            svg.contains("<g transform=\"translate(90 100) rotate(-45)\">"),
            "{svg}"
        );
        assert!(svg.contains("fill=\"#00ff00\">roof</text>"), "{svg}");
    }

    #[test]
    fn a_background_is_drawn_and_a_placeholder_colour_never_is() {
        let svg = drawn(|ui| {
            ui.label(RichText::new("marked").background_color(Color32::YELLOW));
        });
        assert!(svg.contains("fill=\"#ffff00\""), "{svg}");
        assert!(!svg.contains(&format!("{}", super::Paint("fill", Color32::PLACEHOLDER))));
    }
}
