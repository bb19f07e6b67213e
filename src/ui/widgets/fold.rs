//! A heading that opens and closes what is below it.
use super::focus_ring;
use egui::{CollapsingHeader, Ui};

/// Shows the heading, with a ring where it has the keyboard, and what is below it if that is open.
pub fn fold(ui: &mut Ui, header: CollapsingHeader, contents: impl FnOnce(&mut Ui)) {
    let shown = header.show_unindented(ui, contents);
    focus_ring(ui, &shown.header_response);
}
