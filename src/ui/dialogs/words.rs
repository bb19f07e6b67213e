//! Every term of the program in one sentence, to be searched.
use super::{modal, title};
use crate::chart::fonts;
use crate::ui::state::{Dialog, UiState};
use crate::ui::widgets::roles;
use crate::ui::words::find;
use egui::{RichText, ScrollArea, TextEdit, Ui};

pub(super) fn words(ui: &mut Ui, mut query: String, state: &mut UiState) {
    let modal = modal(ui, "words").show(ui.ctx(), |ui| {
        ui.set_width(super::width(ui, 620.0));
        title(ui, "Words");
        let field = TextEdit::singleline(&mut query)
            .hint_text("Search, for example: ridge, sparse, GiB")
            .desired_width(f32::INFINITY);
        let field = ui.add(field);
        if ui.memory(|memory| memory.focused().is_none()) && !field.lost_focus() {
            field.request_focus();
        }
        field
            .widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Search words"));
        ui.add_space(6.0);
        let most = super::height_for_list(ui, 440.0);
        ScrollArea::vertical().max_height(most).show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            let muted = roles(ui).muted;
            let found = find(&query);
            if found.is_empty() {
                ui.label("No term is called so, and none is explained with it.");
            }
            for word in found {
                ui.label(RichText::new(word.term).family(fonts::bold()));
                ui.label(word.means);
                ui.label(RichText::new(word.not).color(muted));
                ui.add_space(6.0);
            }
        });
        ui.add_space(8.0);
        ui.button("Close").clicked()
    });
    state.dialog = match modal.inner || modal.should_close() {
        true => None,
        false => Some(Dialog::Words { query }),
    };
}
