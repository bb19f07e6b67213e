//! From powers of ten to points on the screen and back.
use crate::model::view::Limits;
use egui::{Pos2, Rect, Vec2, pos2, vec2};

/// The frame of the chart and what it shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Projection {
    pub frame: Rect,
    pub limits: Limits,
}

impl Projection {
    /// Where 10^x, 10^y lies on the screen; far outside it is clamped to a screen or so beyond the frame.
    pub fn to_screen(&self, [x, y]: [f64; 2]) -> Pos2 {
        let part = |[low, high]: [f64; 2], at: f64| {
            (((at - low) / (high - low)) as f32).clamp(-20.0, 21.0)
        };
        pos2(
            self.frame.left() + self.frame.width() * part(self.limits.x, x),
            self.frame.bottom() - self.frame.height() * part(self.limits.y, y),
        )
    }

    /// The powers of ten at a place on the screen.
    pub fn from_screen(&self, at: Pos2) -> [f64; 2] {
        let part = |low: f32, length: f32, at: f32| f64::from((at - low) / length.max(1.0));
        let along = |[low, high]: [f64; 2], part: f64| low + (high - low) * part;
        [
            along(
                self.limits.x,
                part(self.frame.left(), self.frame.width(), at.x),
            ),
            along(
                self.limits.y,
                1.0 - part(self.frame.top(), self.frame.height(), at.y),
            ),
        ]
    }

    /// Points per decade along x and y.
    pub fn per_decade(&self) -> Vec2 {
        let span = |[low, high]: [f64; 2]| (high - low) as f32;
        vec2(
            self.frame.width() / span(self.limits.x),
            self.frame.height() / span(self.limits.y),
        )
    }

    /// The rotation of text along a bandwidth line.
    pub fn slope_angle(&self) -> f32 {
        let per_decade = self.per_decade();
        -per_decade.y.atan2(per_decade.x)
    }
}
