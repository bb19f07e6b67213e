//! Which glyphs of a row one `<text>` can draw, and where exactly it begins.

use egui::epaint::TextShape;
use egui::epaint::text::{Glyph, LayoutSection, PlacedRow};
use egui::{Color32, Pos2};
use std::iter::zip;

/// A glyph and the section of the text that says how it looks.
pub(super) type Styled<'a> = (&'a Glyph, &'a LayoutSection);

/// Glyphs that follow one another in one look.
pub(super) struct Run<'a> {
    pub section: &'a LayoutSection,
    /// As laid out, before what the whole text overrides.
    pub color: Color32,
    /// Drawn with another face, since the one asked for lacks these characters.
    pub fallback: bool,
    /// On the baseline, relative to the row.
    pub start: Pos2,
    pub words: String,
    /// Up to the end of the last glyph that is not a blank.
    pub width: f32,
}

/// The section of each character in turn. (A glyph knows its own only while egui lays it out.)
pub(super) fn sections(text: &TextShape) -> impl Iterator<Item = &LayoutSection> {
    let job = &text.galley.job;
    let by_character = job.sections.iter().flat_map(|section| {
        let (start, end) = (section.byte_range.start.0, section.byte_range.end.0);
        let characters = job.text.get(start..end).unwrap_or_default().chars();
        characters.map(move |_| section)
    });
    // The "…" of a shortened text may be one glyph more than there are characters.
    by_character.chain(job.sections.last().into_iter().cycle())
}

/// Splits a row where look, face, baseline or spacing change.
pub(super) fn runs<'a>(
    row: &PlacedRow,
    glyphs: &[Styled<'a>],
    pixels_per_point: f32,
) -> Vec<Run<'a>> {
    let mut runs: Vec<Run<'_>> = Vec::new();
    let mut open = false;
    let places = exact_places(glyphs, 1.0 / pixels_per_point);
    for (&(glyph, section), (x, follows)) in zip(glyphs, places) {
        let color = color(row, glyph);
        let fallback = glyph.font_face_ascent != glyph.font_ascent
            || glyph.font_face_height != glyph.font_height;
        let joins = |run: &Run<'_>| {
            std::ptr::eq(run.section, section)
                && run.fallback == fallback
                && run.start.y == glyph.pos.y
                && color.is_none_or(|color| color == run.color)
        };
        let joined = open && follows && runs.last().is_some_and(joins);
        // A tab is as wide as egui says, which no font knows; a blank begins no run.
        open = glyph.chr != '\t' && (joined || color.is_some());
        if !open {
            continue;
        }
        if !joined {
            runs.push(Run {
                section,
                color: color.unwrap_or_default(),
                fallback,
                start: Pos2::new(x, glyph.pos.y),
                words: String::new(),
                width: 0.0,
            });
        }
        if let Some(run) = runs.last_mut() {
            run.words.push(glyph.chr);
            if !glyph.chr.is_whitespace() {
                run.width = x + glyph.advance_width - run.start.x;
            }
        }
    }
    runs
}

/// Where each glyph begins, and whether the one before it ends there.
///
/// egui rounds a glyph's place to a pixel and keeps the rest in its bitmap; adding up the advances gives the rest back.
fn exact_places<'a>(glyphs: &[Styled<'a>], pixel: f32) -> Vec<(f32, bool)> {
    let mut end = f32::NAN;
    let mut before: Option<&LayoutSection> = None;
    let place = |&(glyph, section): &Styled<'a>| {
        if before.is_some_and(|before| !std::ptr::eq(before, section)) {
            end += section.leading_space;
        }
        before = Some(section);
        if glyph.advance_width > 0.0 {
            end += section.format.extra_letter_spacing;
        }
        // The further letters of a ligature take no room, wherever egui puts them.
        let of_ligature = glyph.advance_width == 0.0 && !end.is_nan();
        let follows = of_ligature || (glyph.pos.x - end).abs() <= pixel;
        let x = if follows { end } else { glyph.pos.x };
        end = x + glyph.advance_width;
        (x, follows)
    };
    glyphs.iter().map(place).collect()
}

/// The colour of a glyph, if it is one to be seen: selecting text changes it in the mesh only.
fn color(row: &PlacedRow, glyph: &Glyph) -> Option<Color32> {
    if glyph.uv_rect.is_nothing() {
        return None;
    }
    let vertex = row.visuals.mesh.vertices.get(glyph.first_vertex as usize)?;
    Some(vertex.color)
}
