//! Every key and gesture, and what the program is.
use super::{modal, title};
use crate::chart::fonts;
use crate::ui::command::{ALSO, COMMANDS, Menu};
use crate::ui::state::{Dialog, UiState};
use crate::ui::widgets::roles;
use egui::{Id, RichText, TextEdit, Ui};

pub(super) const GESTURES: [(&str, &str); 10] = [
    (
        "Drag a predicted mark",
        "intensity along x, assumed efficiency downwards",
    ),
    (
        "Alt + drag",
        "work at constant traffic, instead of traffic at constant work",
    ),
    ("Shift + drag", "only along the axis moved more"),
    ("Ctrl + drag", "to round values"),
    ("Esc while dragging", "takes the drag back"),
    (
        "Drag a measured mark",
        "shows what such a point would need; Enter keeps it",
    ),
    ("Drag a slope, a flat, a ridge", "bandwidth, peak, both"),
    (
        "Tab, then arrow keys",
        "moves any of them by 0.01 decade (Shift 0.001, Ctrl 0.1)",
    ),
    (
        "Wheel · drag · right drag",
        "zooms about the pointer · pans · zooms to a box",
    ),
    ("Double click on the chart", "fits it"),
];

const PRESENTING: [(&str, &str); 7] = [
    (
        "Page Down, → ↓ · Page Up, ← ↑",
        "next view · the one before; arrows move a mark that has the keyboard",
    ),
    ("Home · End", "first view · last view"),
    ("B or .", "black screen, and back"),
    ("O", "overview of all views; arrows and Enter choose"),
    ("Space or R", "plays the sweep, or pauses it"),
    ("1 to 4", "fills that screen"),
    ("Esc or F5", "ends the presentation"),
];

/// Height of the list of keys, where there is room.
const LIST_HEIGHT: f32 = 460.0;

/// Shows what has all words of the query in its name, its keys or its meaning.
pub(super) fn keys(ui: &mut Ui, mut query: String, state: &mut UiState) {
    let modal = modal(ui, "keys").show(ui.ctx(), |ui| {
        ui.set_width(super::width(ui, 700.0));
        title(ui, "Keys and gestures");
        let edit = TextEdit::singleline(&mut query)
            .id(Id::unique("keys query"))
            .desired_width(f32::INFINITY)
            .hint_text("Search keys, commands and gestures");
        let response = ui.add(edit);
        if ui.memory(|memory| memory.focused().is_none()) && !response.lost_focus() {
            response.request_focus();
        }
        ui.add_space(6.0);
        let list = egui::vec2(
            ui.available_width(),
            super::height_for_list(ui, LIST_HEIGHT),
        );
        ui.allocate_ui(list, |ui| {
            ui.set_min_size(list);
            egui::ScrollArea::vertical()
                .auto_shrink(false)
                .show(ui, |ui| sheet(ui, &query));
        });
        ui.add_space(8.0);
        ui.button("Close").clicked()
    });
    let done = modal.inner || modal.should_close();
    state.dialog = (!done).then_some(Dialog::Keys(query));
}

/// A line of the sheet: what, its keys, what it means.
type Line = [String; 3];

fn sheet(ui: &mut Ui, query: &str) {
    let gestures =
        GESTURES.map(|(gesture, meaning)| [gesture.to_owned(), String::new(), meaning.to_owned()]);
    let presenting =
        PRESENTING.map(|(keys, meaning)| [keys.to_owned(), String::new(), meaning.to_owned()]);
    let mut groups = vec![
        ("Gestures", gestures.to_vec()),
        ("While presenting", presenting.to_vec()),
    ];
    groups.extend(Menu::ALL.map(|menu| (menu.name(), commands(ui, menu))));
    let muted = roles(ui).muted;
    let mut shown = 0;
    for (name, mut lines) in groups {
        lines.retain(|line| matches(line, query));
        if lines.is_empty() {
            continue;
        }
        shown += lines.len();
        ui.label(RichText::new(name).family(fonts::bold()).color(muted));
        for line in lines {
            sheet_row(ui, line);
        }
        ui.add_space(8.0);
    }
    if shown == 0 {
        let text = "No key, command or gesture has that in its name. Esc closes; Ctrl+K finds presets too.";
        ui.label(RichText::new(text).color(muted));
    }
}

/// Three columns, the last of which takes what is left and wraps.
fn sheet_row(ui: &mut Ui, [what, keys, meaning]: Line) {
    let muted = roles(ui).muted;
    let width = ui.available_width() - 12.0;
    let column = |ui: &mut Ui, part: f32, text: RichText| {
        let size = egui::vec2(width * part - 12.0, 18.0);
        ui.allocate_ui(size, |ui| {
            ui.set_width(size.x);
            ui.add(egui::Label::new(text).wrap());
        });
    };
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 12.0;
        column(ui, 0.29, RichText::new(what));
        // Gestures have no keys, and need the room.
        if keys.is_empty() {
            column(ui, 0.71, RichText::new(meaning).color(muted));
        } else {
            column(ui, 0.24, RichText::new(keys));
            column(ui, 0.47, RichText::new(meaning).color(muted));
        }
    });
}

fn commands(ui: &Ui, menu: Menu) -> Vec<Line> {
    let entries = COMMANDS.iter().filter(|entry| entry.menu == menu);
    entries
        .map(|entry| {
            let also = ALSO.iter().filter(|(command, _)| *command == entry.command);
            let keys = entry.shortcut.iter().chain(also.map(|(_, keys)| keys));
            let keys: Vec<_> = keys.map(|keys| ui.ctx().format_shortcut(keys)).collect();
            [entry.name, &keys.join(", "), entry.tooltip].map(str::to_owned)
        })
        .collect()
}

fn matches(line: &Line, query: &str) -> bool {
    let told = line.join(" ").to_lowercase();
    let query = query.to_lowercase();
    query.split_whitespace().all(|word| told.contains(word))
}
