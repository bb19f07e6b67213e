//! What the program is, and whose work is in it.
use super::{height_for_list, modal, title, width};
use crate::ui::state::UiState;
use crate::ui::widgets::{fold, roles};
use egui::{CollapsingHeader, Label, RichText, ScrollArea, Ui};

/// A library a line, its version and its licence; made by `tests/licences.rs`.
const LIBRARIES: &str = include_str!("../../../assets/licences.txt");

pub(super) fn about(ui: &mut Ui, state: &mut UiState) {
    let modal = modal(ui, "about").show(ui.ctx(), |ui| {
        ui.set_width(width(ui, 500.0));
        title(ui, "Ridgepoint");
        ScrollArea::vertical()
            .max_height(height_for_list(ui, 480.0))
            .show(ui, contents);
        ui.add_space(10.0);
        ui.button("Close").clicked()
    });
    if modal.inner || modal.should_close() {
        state.dialog = None;
    }
}

fn contents(ui: &mut Ui) {
    let say = |ui: &mut Ui, text: &str| {
        ui.add(Label::new(text).wrap());
        ui.add_space(6.0);
    };
    let version = env!("CARGO_PKG_VERSION");
    say(
        ui,
        &format!(
            "Version {version}, for {} on {}.",
            std::env::consts::OS,
            std::env::consts::ARCH
        ),
    );
    say(ui, "Licence: MIT or Apache-2.0, at your choice.");
    say(
        ui,
        "The roofline model: S. Williams, A. Waterman, D. Patterson, “Roofline: an insightful visual performance \
         model for multicore architectures”, CACM 52(4), 2009.",
    );
    say(ui, "attainable = min(P, W × intensity);  ridge = P ÷ W");
    say(
        ui,
        "Fonts: Noto Sans (SIL Open Font License 1.1), Hack (MIT and Bitstream Vera licence).",
    );
    let count = LIBRARIES.lines().count();
    say(
        ui,
        &format!("It contains {count} libraries that others wrote; thank you."),
    );
    let header = CollapsingHeader::new("Libraries and their licences");
    fold(ui, header, |ui| {
        let muted = roles(ui).muted;
        for line in LIBRARIES.lines() {
            ui.add(
                Label::new(RichText::new(line).small().color(muted))
                    .selectable(true)
                    .wrap(),
            );
        }
    });
}
