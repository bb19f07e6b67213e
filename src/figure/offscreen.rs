//! A pass of egui without a window, a GPU or a display.

use crate::chart::fonts;
use egui::epaint::ClippedShape;
use egui::{Context, Pos2, RawInput, Rect, Theme, Ui, Vec2};

/// Runs `show` for `passes` passes in a context of its own (one pixel per point, the bundled fonts, no animations) after `setup`, and returns what the last pass painted.
///
/// Two or three passes let windows, grids and plots settle. Fonts exist from the first pass on:
/// `setup` may change styles, but must not measure text.
pub fn shapes(
    size: Vec2,
    theme: Theme,
    passes: usize,
    setup: impl FnOnce(&Context),
    mut show: impl FnMut(&mut Ui),
) -> Vec<ClippedShape> {
    let ctx = Context::default();
    ctx.set_fonts(fonts::definitions());
    ctx.set_theme(theme);
    setup(&ctx);
    ctx.all_styles_mut(|style| style.animation_time = 0.0);

    let mut shapes = Vec::new();
    for pass in 0..passes.max(1) {
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, size)),
            // A second apart, so that whatever fades by the clock has done so.
            time: Some(pass as f64),
            ..Default::default()
        };
        let mut output = ctx.run_ui(input, &mut show);
        shapes = std::mem::take(&mut output.shapes);
        // Nobody draws from the font texture here: the SVG keeps text as text.
        output.drop_without_applying_deltas();
    }
    shapes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_the_last_pass_at_the_size_and_theme_asked_for() {
        let mut calls = 0;
        let shapes = shapes(
            Vec2::new(320.0, 200.0),
            Theme::Light,
            3,
            |_| {},
            |ui| {
                calls += 1;
                assert_eq!(ui.ctx().content_rect().size(), Vec2::new(320.0, 200.0));
                assert_eq!(ui.ctx().pixels_per_point(), 1.0);
                assert!(!ui.visuals().dark_mode);
                ui.label(format!("pass {calls}"));
            },
        );
        assert!(calls >= 3);
        let said = format!("{shapes:?}");
        assert!(said.contains(&format!("pass {calls}")));
    }
}
