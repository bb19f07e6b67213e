//! A heading with room for an action at its right.
use super::roles;
use crate::chart::fonts;
use crate::chart::labels::shortened;
use crate::chart::style::size;
use crate::ui::words::Explained as _;
use egui::{Align, Layout, RichText, Ui};

/// Shows a heading; `action` is laid out from the right.
pub fn section(ui: &mut Ui, title: &str, action: impl FnOnce(&mut Ui)) {
    let roles = roles(ui);
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        // A long name must not widen the panel.
        let shown = shortened(title, 40);
        let text = RichText::new(shown).family(fonts::bold()).size(size::SMALL);
        ui.label(text.color(roles.muted)).explained(title);
        ui.with_layout(Layout::right_to_left(Align::Center), action);
    });
}
