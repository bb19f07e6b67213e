//! The fonts inside the program: the same bytes draw the window and every figure, on each machine alike.

use egui::{FontData, FontDefinitions, FontFamily};
use std::sync::Arc;

/// Noto Sans Regular, the text face.
pub const SANS: &[u8] = include_bytes!("../../assets/fonts/NotoSans-Regular.ttf");

/// Noto Sans Bold, for headings and what stands out.
pub const BOLD: &[u8] = include_bytes!("../../assets/fonts/NotoSans-Bold.ttf");

/// Hack Regular, for code and for the arrows and shapes that Noto Sans lacks.
pub const MONO: &[u8] = include_bytes!("../../assets/fonts/Hack-Regular.ttf");

/// The family name inside [`SANS`] and [`BOLD`].
pub const SANS_NAME: &str = "Noto Sans";

/// The family name inside [`MONO`].
pub const MONO_NAME: &str = "Hack";

/// The egui family of [`BOLD`].
pub fn bold() -> FontFamily {
    FontFamily::Name("bold".into())
}

/// The fonts for [`egui::Context::set_fonts`]: proportional, bold and monospace, each falling back to the other face.
pub fn definitions() -> FontDefinitions {
    let mut fonts = FontDefinitions::empty();
    for (name, bytes) in [("sans", SANS), ("bold", BOLD), ("mono", MONO)] {
        let data = Arc::new(FontData::from_static(bytes));
        fonts.font_data.insert(name.to_owned(), data);
    }
    for (family, faces) in [
        (FontFamily::Proportional, ["sans", "mono"]),
        (bold(), ["bold", "mono"]),
        (FontFamily::Monospace, ["mono", "sans"]),
    ] {
        fonts
            .families
            .insert(family, faces.map(str::to_owned).to_vec());
    }
    fonts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_has_a_face_for_letters_and_for_arrows() {
        let ctx = egui::Context::default();
        ctx.set_fonts(definitions());
        ctx.run_ui(egui::RawInput::default(), |ui| {
            for family in [FontFamily::Proportional, bold(), FontFamily::Monospace] {
                let font = egui::FontId::new(14.0, family);
                ui.fonts_mut(|fonts| {
                    assert!(fonts.has_glyphs(&font, "FLOP/s × · ≤ µ Δ ⁻⁹ ₀ → ▲ ● ◆ ∝"));
                });
            }
        })
        .drop_without_applying_deltas();
    }
}
