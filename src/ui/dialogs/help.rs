//! Every key and gesture, and what the program is.
use super::{modal, title};
use crate::chart::fonts;
use crate::ui::command::{COMMANDS, Menu};
use crate::ui::state::UiState;
use crate::ui::widgets::roles;
use egui::{RichText, Ui};

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

pub(super) fn keys(ui: &mut Ui, state: &mut UiState) {
    let modal = modal(ui, "keys").show(ui.ctx(), |ui| {
        ui.set_width(680.0);
        title(ui, "Keys and gestures");
        egui::ScrollArea::vertical()
            .max_height(460.0)
            .show(ui, |ui| {
                let muted = roles(ui).muted;
                egui::Grid::new("gestures")
                    .num_columns(2)
                    .spacing(egui::vec2(24.0, 4.0))
                    .show(ui, |ui| {
                        for (gesture, meaning) in GESTURES {
                            ui.label(gesture);
                            ui.label(RichText::new(meaning).color(muted));
                            ui.end_row();
                        }
                    });
                for menu in Menu::ALL {
                    ui.add_space(8.0);
                    ui.label(
                        RichText::new(menu.name())
                            .family(fonts::bold())
                            .color(muted),
                    );
                    egui::Grid::new(menu.name())
                        .num_columns(3)
                        .spacing(egui::vec2(24.0, 3.0))
                        .show(ui, |ui| {
                            for entry in COMMANDS.iter().filter(|entry| entry.menu == menu) {
                                ui.label(entry.name);
                                let keys = entry.shortcut.map(|s| ui.ctx().format_shortcut(&s));
                                ui.label(RichText::new(keys.unwrap_or_default()).monospace());
                                ui.label(RichText::new(entry.tooltip).color(muted));
                                ui.end_row();
                            }
                        });
                }
            });
        ui.add_space(8.0);
        ui.button("Close").clicked()
    });
    if modal.inner || modal.should_close() {
        state.dialog = None;
    }
}

pub(super) fn about(ui: &mut Ui, state: &mut UiState) {
    let modal = modal(ui, "about").show(ui.ctx(), |ui| {
        ui.set_width(460.0);
        title(ui, "Ridgepoint");
        ui.label(format!(
            "Version {}. MIT or Apache-2.0.",
            env!("CARGO_PKG_VERSION")
        ));
        ui.add_space(6.0);
        ui.label(
            "The roofline model: S. Williams, A. Waterman, D. Patterson, “Roofline: an insightful \
             visual performance model for multicore architectures”, CACM 52(4), 2009.",
        );
        ui.label("attainable = min(P, W × intensity);  ridge = P ÷ W");
        ui.add_space(6.0);
        ui.label(
            "Fonts: Noto Sans (SIL Open Font License 1.1), Hack (MIT and Bitstream Vera licence).",
        );
        ui.add_space(10.0);
        ui.button("Close").clicked()
    });
    if modal.inner || modal.should_close() {
        state.dialog = None;
    }
}
