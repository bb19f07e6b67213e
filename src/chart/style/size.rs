//! The scales: sizes of type and of what stands beside it, in points. Every size on screen is one of these.
use crate::chart::fonts;
use egui::FontId;

/// What stands in the chart by the hundred: ticks of a trail, values of levels.
pub const TINY: f32 = 10.5;
/// Labels in the chart, words in chips.
pub const LABEL: f32 = 11.5;
/// Secondary text.
pub const SMALL: f32 = 12.0;
/// Switches, and names of marks.
pub const CONTROL: f32 = 12.5;
/// Text.
pub const BODY: f32 = 13.0;
/// Headings of dialogs, the title of the session.
pub const HEADING: f32 = 15.0;
/// The one number that matters.
pub const RESULT: f32 = 24.0;

/// Rounding of what is pressed.
pub const ROUND: u8 = 4;
/// Rounding of chips.
pub const CHIP: f32 = 9.0;
/// Width of the ring round what has the keyboard.
pub const RING: f32 = 2.0;

/// Body text.
pub fn body() -> FontId {
    FontId::proportional(BODY)
}

/// Secondary text.
pub fn small() -> FontId {
    FontId::proportional(SMALL)
}

/// Labels in the chart.
pub fn label() -> FontId {
    FontId::proportional(LABEL)
}

/// Bold text of a size.
pub fn strong(size: f32) -> FontId {
    FontId::new(size, fonts::bold())
}

/// The most that is given to what is being done to which file, in the status line.
pub const STATUS_WORDS: f32 = 280.0;

/// The room of a percentage there.
pub const PERCENT: f32 = 38.0;
