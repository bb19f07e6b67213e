//! Every term of the program in one sentence, to be searched; it stays open beside what it explains.
use crate::chart::fonts;
use crate::chart::style::{self, size};
use crate::ui::state::UiState;
use crate::ui::widgets::roles;
use crate::ui::words::find;
use egui::{Align, Align2, Id, Key, Layout, Modifiers, RichText, ScrollArea, TextEdit, Ui, Window};

pub(super) fn words(ui: &mut Ui, state: &mut UiState) {
    // Which window the field was focused in: once each time it opens.
    let focused = Id::unique("words were focused");
    let Some(mut query) = state.words.take() else {
        ui.data_mut(|data| data.remove::<bool>(focused));
        return;
    };
    let room = ui.ctx().content_rect();
    let mut closes = false;
    Window::new("Words")
        .id(Id::unique("words"))
        .title_bar(false)
        .resizable(true)
        .default_width(240.0_f32.min(room.width() - 40.0))
        .default_height((room.height() * 0.6).min(460.0))
        .pivot(Align2::LEFT_TOP)
        .default_pos(room.min + egui::vec2(12.0, 60.0))
        .constrain(true)
        .show(ui.ctx(), |ui| {
            ui.horizontal(|ui| {
                ui.label(RichText::new("Words").font(style::strong(size::HEADING)));
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    closes = ui.button("Close").clicked();
                });
            });
            let field = TextEdit::singleline(&mut query)
                .hint_text("Search, for example: ridge, sparse, GiB")
                .desired_width(f32::INFINITY);
            let field = ui.add(field);
            if ui.data_mut(|data| !std::mem::replace(data.get_temp_mut_or(focused, false), true)) {
                field.request_focus();
            }
            field.widget_info(|| {
                egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Search words")
            });
            ui.add_space(6.0);
            let most = ui.available_height().max(60.0);
            ScrollArea::vertical()
                .max_height(most)
                .min_scrolled_height(most)
                .auto_shrink(false)
                .show(ui, |ui| list(ui, &query));
        });
    // What lies over it, or is typed in, is left by Escape first.
    let escapes = state.dialog.is_none()
        && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
    state.words = (!closes && !escapes).then_some(query);
}

fn list(ui: &mut Ui, query: &str) {
    let muted = roles(ui).muted;
    let found = find(query);
    if found.is_empty() {
        ui.label("No term is called so, and none is explained with it.");
    }
    for word in found {
        ui.label(RichText::new(word.term).family(fonts::bold()));
        ui.label(word.means);
        ui.label(RichText::new(word.not).color(muted));
        ui.add_space(6.0);
    }
}
