//! Colours, strokes and sizes by role, for light and dark, plain and high contrast.
pub mod size;
mod themes;
mod widgets;

pub use size::{body, small, strong};
pub use themes::{DARK, DARK_CONTRAST, LIGHT, LIGHT_CONTRAST};
pub use widgets::{current, has_contrast, install, set_contrast};

use egui::{Color32, Stroke, Theme};

/// Every colour by role. Text reaches 4.5:1 on every ground, marks 3:1; with high contrast 6:1 and 4.5:1.
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
    pub gpus: [Color32; 6],
    /// The same hues for text.
    pub gpu_texts: [Color32; 6],
}

impl Style {
    /// The plain style of a theme.
    pub fn of(theme: Theme) -> &'static Self {
        match theme {
            Theme::Light => &LIGHT,
            Theme::Dark => &DARK,
        }
    }

    /// The style of a theme, plain or with high contrast.
    pub fn with(theme: Theme, contrast: bool) -> &'static Self {
        match (theme, contrast) {
            (theme, false) => Self::of(theme),
            (Theme::Light, true) => &LIGHT_CONTRAST,
            (Theme::Dark, true) => &DARK_CONTRAST,
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
