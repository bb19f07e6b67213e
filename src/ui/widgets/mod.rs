//! Widgets made of egui's, each in one file.
mod combo;
mod empty;
mod focus_ring;
mod fold;
mod formula_field;
mod ladder;
mod list_row;
mod section;
mod segmented;
mod slider;
mod value_field;

pub use combo::combo;
pub use empty::empty;
pub use focus_ring::focus_ring;
pub use fold::fold;
pub use formula_field::{FormulaField, formula_field};
pub use ladder::{Bar, ladder};
pub use list_row::{Tail, list_row};
pub use section::section;
pub use segmented::{Choice, folded, segmented, segmented_of};
pub use slider::slider;
pub use value_field::{
    Field, bare_field, field_width, half_typed, show_error, text_field, value_field, value_row,
};

use crate::chart::style::{self, Style};

/// The style of the theme in use.
pub fn roles(ui: &egui::Ui) -> &'static Style {
    style::current(ui.ctx())
}
