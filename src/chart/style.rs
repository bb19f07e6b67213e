//! Colours, strokes and sizes by role, for light and dark, and the same roles given to egui's widgets.
use super::fonts;
use egui::{Color32, CornerRadius, FontId, Stroke, TextStyle, Theme, vec2};

/// Every colour by role. Small text reaches 4.5:1 on its ground, marks 3:1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Style {
    pub dark: bool,
    pub ground: Color32,
    pub panel: Color32,
    pub field: Color32,
    pub line: Color32,
    pub ink: Color32,
    pub muted: Color32,
    pub faint: Color32,
    pub accent: Color32,
    pub selection: Color32,
    pub memory: Color32,
    pub compute: Color32,
    pub latency: Color32,
    pub good: Color32,
    pub warning: Color32,
    pub grid_major: Color32,
    pub grid_minor: Color32,
    /// Opacity of the regime fills, 0–255.
    pub shade: u8,
    gpus: [Color32; 6],
    gpu_texts: [Color32; 6],
}

const fn hex(c: u32) -> Color32 {
    Color32::from_rgb((c >> 16) as u8, (c >> 8) as u8, c as u8)
}

/// For paper and bright rooms.
pub const LIGHT: Style = Style {
    dark: false,
    ground: hex(0xffffff),
    panel: hex(0xf6f7f9),
    field: hex(0xffffff),
    line: hex(0xd9dde3),
    ink: hex(0x1d2129),
    muted: hex(0x5f6774),
    faint: hex(0x8a929e),
    accent: hex(0x0b62c4),
    selection: hex(0xe4eefb),
    memory: hex(0x2c6fb0),
    compute: hex(0xa8590f),
    latency: hex(0x7a4fb0),
    good: hex(0x1a7f4b),
    warning: hex(0xa84a06),
    grid_major: hex(0xe3e6eb),
    grid_minor: hex(0xf1f2f5),
    shade: 20,
    gpus: [
        hex(0x0072B2),
        hex(0xD55E00),
        hex(0x009E73),
        hex(0xCC79A7),
        hex(0xC98A00),
        hex(0x3A9BD0),
    ],
    // The same hues, dark enough to be read.
    gpu_texts: [
        hex(0x006aa6),
        hex(0xb04c00),
        hex(0x00795a),
        hex(0x9c4a79),
        hex(0x8a5f00),
        hex(0x1f73a3),
    ],
};

/// For screens.
pub const DARK: Style = Style {
    dark: true,
    ground: hex(0x15171c),
    panel: hex(0x1b1e25),
    field: hex(0x14161b),
    line: hex(0x333843),
    ink: hex(0xe6e8ec),
    muted: hex(0x9aa3b1),
    faint: hex(0x7b8492),
    accent: hex(0x5aa9ff),
    selection: hex(0x1f3350),
    memory: hex(0x5aa4e6),
    compute: hex(0xf0a04b),
    latency: hex(0xb795e8),
    good: hex(0x4cc38a),
    warning: hex(0xf0b24b),
    grid_major: hex(0x282c36),
    grid_minor: hex(0x1d2027),
    shade: 24,
    gpus: [
        hex(0x56B4E9),
        hex(0xF0863A),
        hex(0x3CC9A0),
        hex(0xE29AC2),
        hex(0xF0BC4A),
        hex(0x8CCBF0),
    ],
    gpu_texts: [
        hex(0x6cbff0),
        hex(0xf4954f),
        hex(0x4fd3ac),
        hex(0xe9a9cc),
        hex(0xf4c866),
        hex(0x9ad3f5),
    ],
};

/// For a bright room, read from its last row.
pub const PRESENTING_LIGHT: Style = Style {
    ink: hex(0x000000),
    muted: hex(0x3a424e),
    faint: hex(0x6a7280),
    memory: hex(0x1b578f),
    compute: hex(0x8a4505),
    latency: hex(0x5f3a92),
    good: hex(0x0f6437),
    warning: hex(0x8a3a00),
    shade: 26,
    ..LIGHT
};

/// For a dark room.
pub const PRESENTING_DARK: Style = Style {
    ground: hex(0x0b0c0f),
    ink: hex(0xffffff),
    muted: hex(0xc3cad5),
    faint: hex(0x9aa3b1),
    shade: 34,
    ..DARK
};

impl Style {
    /// The style of a theme.
    pub fn of(theme: Theme) -> &'static Self {
        match theme {
            Theme::Light => &LIGHT,
            Theme::Dark => &DARK,
        }
    }

    /// The style of a presentation: the same roles with the strongest contrast there is.
    pub fn presenting(theme: Theme) -> &'static Self {
        match theme {
            Theme::Light => &PRESENTING_LIGHT,
            Theme::Dark => &PRESENTING_DARK,
        }
    }

    /// The colour of the lines of the n-th GPU.
    pub fn gpu(&self, index: usize) -> Color32 {
        self.gpus[index % self.gpus.len()]
    }

    /// The same hue for text.
    pub fn gpu_text(&self, index: usize) -> Color32 {
        self.gpu_texts[index % self.gpu_texts.len()]
    }

    /// `colour` at the opacity of regime fills.
    pub fn shaded(&self, colour: Color32) -> Color32 {
        Color32::from_rgba_unmultiplied(colour.r(), colour.g(), colour.b(), self.shade)
    }

    /// The colour of a regime, for text and rails.
    pub fn regime(&self, regime: crate::model::placement::Regime) -> Color32 {
        use crate::model::placement::Regime;
        match regime {
            Regime::MemoryBound => self.memory,
            Regime::ComputeBound => self.compute,
            Regime::LatencyBound | Regime::CommunicationBound => self.latency,
        }
    }
}

/// Dash and gap lengths of the n-th GPU's lines, in points; empty is solid.
pub fn dashes(index: usize) -> &'static [f32] {
    // One more than there are colours, so that colour and pattern together repeat only after 42 GPUs.
    const PATTERNS: [&[f32]; 7] = [
        &[],
        &[8.0, 5.0],
        &[2.0, 4.0],
        &[14.0, 5.0],
        &[9.0, 4.0, 2.0, 4.0],
        &[5.0, 3.0],
        &[14.0, 4.0, 2.0, 4.0, 2.0, 4.0],
    ];
    PATTERNS[index % PATTERNS.len()]
}

/// A line in the dash pattern of the n-th GPU.
pub fn patterned(points: &[egui::Pos2], stroke: Stroke, index: usize) -> Vec<egui::Shape> {
    let pattern = dashes(index);
    match pattern {
        [] => vec![egui::Shape::line(points.to_vec(), stroke)],
        [dash, gap] => egui::Shape::dashed_line(points, stroke, *dash, *gap),
        _ => {
            let lengths: Vec<f32> = pattern.iter().copied().step_by(2).collect();
            let gaps: Vec<f32> = pattern.iter().copied().skip(1).step_by(2).collect();
            egui::Shape::dashed_line_with_offset(points, stroke, &lengths, &gaps, 0.0)
        }
    }
}

/// Body text, 13.
pub fn body() -> FontId {
    FontId::proportional(13.0)
}

/// Secondary text, 12.
pub fn small() -> FontId {
    FontId::proportional(12.0)
}

/// Bold text of a size.
pub fn strong(size: f32) -> FontId {
    FontId::new(size, fonts::bold())
}

/// Gives egui the fonts and both themes.
pub fn install(ctx: &egui::Context) {
    ctx.set_fonts(fonts::definitions());
    for theme in [Theme::Light, Theme::Dark] {
        ctx.style_mut_of(theme, |style| apply(style, Style::of(theme)));
    }
    // So that a press anywhere takes the focus from a text field, and with it commits what was typed.
    ctx.options_mut(|options| {
        options.input_options.surrender_focus_on = egui::SurrenderFocusOn::Presses;
    });
}

fn apply(style: &mut egui::Style, roles: &Style) {
    let sizes = [
        (TextStyle::Small, 12.0),
        (TextStyle::Body, 13.0),
        (TextStyle::Button, 13.0),
        (TextStyle::Heading, 24.0),
    ];
    style.text_styles = sizes
        .map(|(text, size)| (text, FontId::proportional(size)))
        .into();
    style
        .text_styles
        .insert(TextStyle::Monospace, FontId::monospace(12.0));
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
    visuals.selection.stroke = Stroke::new(1.0, roles.accent);
    let widgets = &mut visuals.widgets;
    for widget in [
        &mut widgets.noninteractive,
        &mut widgets.inactive,
        &mut widgets.hovered,
        &mut widgets.active,
        &mut widgets.open,
    ] {
        widget.corner_radius = CornerRadius::same(4);
        widget.expansion = 0.0;
        widget.fg_stroke = Stroke::new(1.0, roles.ink);
        widget.bg_stroke = Stroke::new(1.0, roles.line);
        widget.bg_fill = roles.field;
        widget.weak_bg_fill = roles.field;
    }
    widgets.hovered.bg_stroke = Stroke::new(1.0, roles.muted);
    widgets.hovered.weak_bg_fill = roles.line.gamma_multiply(0.4);
    widgets.active.bg_stroke = Stroke::new(1.0, roles.accent);
    widgets.open.weak_bg_fill = roles.selection;
}
