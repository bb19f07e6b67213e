//! The roles given to egui: fonts, widgets, spacing, and which style is in force.
use super::{Style, size};
use crate::chart::fonts;
use egui::{CornerRadius, FontId, Stroke, TextStyle, Theme, vec2};

/// Gives egui the fonts and both themes, plain.
pub fn install(ctx: &egui::Context) {
    ctx.set_fonts(fonts::definitions());
    set_contrast(ctx, false);
    // So that a press anywhere takes the focus from a text field, and with it commits what was typed.
    ctx.options_mut(|options| {
        options.input_options.surrender_focus_on = egui::SurrenderFocusOn::Presses;
    });
}

/// Gives egui both themes, plain or with high contrast.
pub fn set_contrast(ctx: &egui::Context, contrast: bool) {
    ctx.data_mut(|data| data.insert_temp(contrast_id(), contrast));
    for theme in [Theme::Light, Theme::Dark] {
        ctx.style_mut_of(theme, |style| apply(style, Style::with(theme, contrast)));
    }
}

/// Whether high contrast is in force.
pub fn has_contrast(ctx: &egui::Context) -> bool {
    ctx.data(|data| data.get_temp(contrast_id()))
        .unwrap_or_default()
}

/// The style in force.
pub fn current(ctx: &egui::Context) -> &'static Style {
    Style::with(ctx.theme(), has_contrast(ctx))
}

fn contrast_id() -> egui::Id {
    egui::Id::unique("high contrast")
}

fn apply(style: &mut egui::Style, roles: &Style) {
    let sizes = [
        (TextStyle::Small, size::SMALL),
        (TextStyle::Body, size::BODY),
        (TextStyle::Button, size::BODY),
        (TextStyle::Heading, size::RESULT),
    ];
    style.text_styles = sizes
        .map(|(text, size)| (text, FontId::proportional(size)))
        .into();
    style
        .text_styles
        .insert(TextStyle::Monospace, FontId::monospace(size::SMALL));
    style.spacing.item_spacing = vec2(8.0, 4.0);
    style.spacing.button_padding = vec2(9.0, 3.0);
    style.spacing.interact_size.y = 24.0;
    style.spacing.menu_spacing = 2.0;
    style.animation_time = 0.12;
    style.interaction.selectable_labels = false;
    let visuals = &mut style.visuals;
    visuals.panel_fill = roles.panel;
    visuals.window_fill = roles.panel;
    visuals.window_stroke = Stroke::new(1.0, roles.line);
    visuals.extreme_bg_color = roles.field;
    visuals.text_edit_bg_color = Some(roles.field);
    visuals.faint_bg_color = roles.line.gamma_multiply(0.25);
    visuals.override_text_color = None;
    visuals.weak_text_color = Some(roles.muted);
    visuals.hyperlink_color = roles.accent;
    visuals.warn_fg_color = roles.warning;
    visuals.error_fg_color = roles.warning;
    visuals.selection.bg_fill = roles.selection;
    visuals.selection.stroke = Stroke::new(size::RING, roles.accent);
    let widgets = &mut visuals.widgets;
    for widget in [
        &mut widgets.noninteractive,
        &mut widgets.inactive,
        &mut widgets.hovered,
        &mut widgets.active,
        &mut widgets.open,
    ] {
        widget.corner_radius = CornerRadius::same(size::ROUND);
        widget.expansion = 0.0;
        widget.fg_stroke = Stroke::new(1.0, roles.ink);
        widget.bg_stroke = Stroke::new(1.0, roles.line);
        widget.bg_fill = roles.field;
        widget.weak_bg_fill = roles.field;
    }
    // What sliders run in and what is ticked lie on grounds of the same colour as fields.
    for widget in [
        &mut widgets.inactive,
        &mut widgets.hovered,
        &mut widgets.active,
    ] {
        widget.bg_fill = roles.line;
    }
    widgets.hovered.bg_stroke = Stroke::new(1.0, roles.muted);
    widgets.hovered.weak_bg_fill = roles.line.gamma_multiply(0.4);
    // Also what has the keyboard: a ring that is seen from afar.
    widgets.active.bg_stroke = Stroke::new(size::RING, roles.accent);
    widgets.open.weak_bg_fill = roles.selection;
}
