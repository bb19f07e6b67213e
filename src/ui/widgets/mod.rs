//! Widgets made of egui's, each in one file.
mod empty;
mod fold;
mod formula_field;
mod ladder;
mod list_row;
mod section;
mod segmented;
mod value_field;

pub use empty::empty;
pub use fold::fold;
pub use formula_field::{FormulaField, formula_field};
pub use ladder::{Bar, ladder};
pub use list_row::{Tail, list_row};
pub use section::section;
pub use segmented::segmented;
pub use value_field::{
    Field, bare_field, field_width, show_error, text_field, value_field, value_row,
};

use crate::chart::style::{self, Style};

/// The ring round what has the keyboard, for what egui draws none round.
pub fn focus_ring(ui: &egui::Ui, response: &egui::Response) {
    if response.has_focus() {
        let stroke = egui::Stroke::new(style::size::RING, roles(ui).accent);
        let inside = egui::StrokeKind::Inside;
        let round = f32::from(style::size::ROUND);
        ui.painter()
            .rect_stroke(response.rect, round, stroke, inside);
    }
}

/// The style of the theme in use.
pub fn roles(ui: &egui::Ui) -> &'static Style {
    style::current(ui.ctx())
}
