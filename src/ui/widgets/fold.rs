//! A heading that opens and closes what is below it.
use egui::{CollapsingHeader, Ui};

/// Shows the heading, and what is below it, not indented, if that is open.
pub fn fold(ui: &mut Ui, header: CollapsingHeader, contents: impl FnOnce(&mut Ui)) {
    header.show_unindented(ui, contents);
}
