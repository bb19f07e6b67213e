//! The command palette: everything that can be done or chosen, found by a few letters of its name.
mod items;
mod matching;
mod row;

pub use items::Item;

use super::command::Command;
use super::dialogs;
use super::request::{Request, Requests};
use super::state::{Dialog, UiState};
use super::widgets::roles;
use crate::document::Document;
use crate::files::settings::Settings;
use crate::model::gpu::Gpu;
use egui::{Id, Key, Modifiers, RichText, ScrollArea, TextEdit, Ui};
use matching::find;
use row::row;
use std::sync::Arc;

/// Height of the list, where there is room.
const LIST_HEIGHT: f32 = 372.0;

/// An open palette: what is searched for, where the arrow keys are, and all there is.
#[derive(Debug, Clone, PartialEq)]
pub struct Palette {
    pub query: String,
    /// The row that Enter takes, counted from the first found.
    pub at: usize,
    pub items: Arc<[Item]>,
}

/// Opens the palette on what can be done now; the user's own devices are offered as well.
pub fn open(
    state: &mut UiState,
    document: &Document,
    settings: &Settings,
    dark: bool,
    own: Vec<Gpu>,
) {
    let mut items = items::all(document, settings, dark, own);
    // Recently used first, the last one at the top; the rest stays in its order.
    let age = |item: &Item| settings.used.iter().position(|key| *key == item.key);
    items.sort_by_key(|item| age(item).unwrap_or(usize::MAX));
    state.dialog = Some(Dialog::Palette(Palette {
        query: String::new(),
        at: 0,
        items: items.into(),
    }));
}

/// Shows the palette: arrow keys move, Enter takes, Esc closes.
pub fn palette(ui: &mut Ui, mut palette: Palette, state: &mut UiState, requests: &mut Requests) {
    let items = palette.items.clone();
    let keys = Keys::take(ui);
    let mut chosen: Option<&Item> = None;
    let modal = dialogs::modal(ui, "palette").show(ui.ctx(), |ui| {
        ui.set_width(dialogs::width(ui, 660.0));
        let field = search_field(ui, &mut palette);
        let found = find(&items, &palette.query);
        let last = found.len().saturating_sub(1);
        palette.at = keys.moved(palette.at.min(last), last);
        ui.add_space(6.0);
        let list = egui::vec2(
            ui.available_width(),
            dialogs::height_for_list(ui, LIST_HEIGHT),
        );
        ui.allocate_ui(list, |ui| {
            ui.set_min_size(list);
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                for (index, found) in found.iter().enumerate() {
                    let here = index == palette.at;
                    let response = row(ui, found, here);
                    if here {
                        let active = response.id;
                        ui.ctx().accesskit_node_builder(field, |node| {
                            node.set_active_descendant(active.accesskit_id());
                        });
                        if keys.moves() {
                            response.scroll_to_me(None);
                        }
                    }
                    if response.clicked() || (here && keys.enter) {
                        chosen = Some(found.item);
                    }
                }
                if found.is_empty() {
                    let text = "Nothing is called that. Try fewer letters, or a word such as “save”, “H100”, “GEMM”.";
                    ui.label(RichText::new(text).color(roles(ui).muted));
                }
            });
        });
        ui.add_space(4.0);
        let help = "↑ ↓ choose · Enter does it · Esc closes";
        ui.label(RichText::new(help).small().color(roles(ui).muted));
    });
    let chosen = chosen.filter(|item| item.unavailable.is_none());
    let done = chosen.is_some() || keys.close || modal.should_close();
    if let Some(item) = chosen {
        requests.push(Request::Used(item.key.clone()));
        requests.push(item.request.clone());
    }
    state.dialog = (!done).then_some(Dialog::Palette(palette));
}

/// The field keeps the keyboard as long as the palette is open.
fn search_field(ui: &mut Ui, palette: &mut Palette) -> Id {
    let before = palette.query.clone();
    let edit = TextEdit::singleline(&mut palette.query)
        .id(Id::unique("palette query"))
        .desired_width(f32::INFINITY)
        .margin(egui::Margin::symmetric(9, 6))
        .hint_text("Find a command, preset, workload or GPU");
    let response = ui.add(edit);
    response.request_focus();
    if palette.query != before {
        palette.at = 0;
    }
    response.id
}

/// The keys of the palette, taken before its field sees them.
struct Keys {
    up: usize,
    down: usize,
    pages: isize,
    enter: bool,
    close: bool,
}

impl Keys {
    /// Rows that a page key passes over.
    const PAGE: usize = 10;

    fn take(ui: &Ui) -> Self {
        const NONE: Modifiers = Modifiers::NONE;
        let again = Command::Palette.entry().shortcut;
        ui.input_mut(|input| Self {
            up: input.count_and_consume_key(NONE, Key::ArrowUp),
            down: input.count_and_consume_key(NONE, Key::ArrowDown),
            pages: input.count_and_consume_key(NONE, Key::PageDown) as isize
                - input.count_and_consume_key(NONE, Key::PageUp) as isize,
            enter: input.consume_key(NONE, Key::Enter),
            close: again.is_some_and(|keys| input.consume_shortcut(&keys)),
        })
    }

    fn moves(&self) -> bool {
        self.up + self.down > 0 || self.pages != 0
    }

    /// Where the arrow keys lead; beyond an end they come round.
    fn moved(&self, at: usize, last: usize) -> usize {
        let round = last + 1;
        let at = (at + self.down + round - self.up % round) % round;
        at.saturating_add_signed(self.pages * Self::PAGE as isize)
            .min(last)
    }
}
