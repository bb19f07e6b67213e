//! What stands where a list is empty: what to do next, and the buttons that do it.
use super::roles;
use crate::ui::command::Command;
use crate::ui::request::Requests;
use egui::{Label, RichText, Ui};

/// Says what is missing and offers the commands that help, each with its keys.
pub fn empty(ui: &mut Ui, text: &str, commands: &[Command], requests: &mut Requests) {
    let muted = roles(ui).muted;
    ui.add(Label::new(RichText::new(text).color(muted)).wrap());
    ui.horizontal_wrapped(|ui| {
        for command in commands {
            let entry = command.entry();
            let keys = entry.shortcut.map(|keys| ui.ctx().format_shortcut(&keys));
            let name = format!("{} ({})", entry.name, keys.unwrap_or_default());
            if ui.button(name).on_hover_text(entry.tooltip).clicked() {
                requests.command(*command);
            }
        }
    });
}
