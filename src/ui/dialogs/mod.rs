//! Dialogs over the window, and the notices at its foot.
mod about;
mod axes;
mod columns;
mod derive;
mod file_summary;
mod help;
pub mod models;
mod path;
pub mod picker;
mod recipe;
mod toasts;
pub mod which_gpu;
mod words;

use crate::chart::labels::shortened;
use crate::chart::style;
use crate::chart::style::size;
use crate::document::Document;
use crate::ui::derived::Derived;
use crate::ui::palette;
use crate::ui::request::{Answer, Request, Requests};
use crate::ui::state::{Dialog, UiState};
use crate::ui::widgets::roles;
use about::about;
use axes::axis_limits;
use derive::derive;
use egui::{Align, Button, Frame, Id, Key, Layout, Modal, RichText, Ui};
use file_summary::file_summary;
use help::keys;
use path::path_dialog;
use recipe::recipe;
use std::path::PathBuf;
pub use toasts::toasts;

/// Shows the open dialog, if there is one.
pub fn dialogs(
    ui: &mut Ui,
    document: &mut Document,
    derived: &Derived,
    recent: &[PathBuf],
    state: &mut UiState,
    requests: &mut Requests,
) {
    words::words(ui, state);
    let Some(dialog) = state.dialog.clone() else {
        return;
    };
    match dialog {
        Dialog::Unsaved { .. } => unsaved(ui, document, state, requests),
        Dialog::Path(dialog) => path_dialog(ui, dialog, recent, state, requests),
        Dialog::PickGpu(open) => picker::picker(ui, open, state, requests),
        Dialog::PickModel(open) => models::picker(ui, open, state, requests),
        Dialog::CompleteModel(config) => models::complete(ui, *config, state, requests),
        Dialog::ModelRead(read) => models::model_read(ui, &read, state),
        Dialog::Derive { gpu, product } => derive(ui, document, gpu, product, state),
        Dialog::AxisLimits => axis_limits(ui, document, state),
        Dialog::Palette(open) => palette::palette(ui, open, state, requests),
        Dialog::FileSummary => file_summary(ui, &document.view, derived, state, requests),
        Dialog::Columns(asked) => columns::columns(ui, *asked, state, requests),
        Dialog::WhichGpu(asked) => which_gpu::which_gpu(ui, asked, document, state, requests),
        Dialog::Recipe => recipe(ui, document, state),
        Dialog::Keys(query) => keys(ui, query, state),
        Dialog::About => about(ui, state),
    }
}

/// The frame of a dialog.
pub(in crate::ui) fn modal(ui: &Ui, name: &str) -> Modal {
    let frame = Frame::popup(ui.style()).inner_margin(18.0);
    Modal::new(Id::unique(name)).frame(frame)
}

/// The width of a dialog: as wanted, or less in a window too narrow for it.
pub(in crate::ui) fn width(ui: &Ui, wanted: f32) -> f32 {
    wanted.min(ui.ctx().content_rect().width() - 60.0)
}

/// The height of a list in a dialog: as wanted, or less in a window too low for it.
pub(in crate::ui) fn height_for_list(ui: &Ui, wanted: f32) -> f32 {
    // What a dialog has around its list: margins, a heading, a field, buttons.
    const AROUND: f32 = 190.0;
    wanted.min((ui.ctx().content_rect().height() - AROUND).max(80.0))
}

/// What is told at the right of a row of this width, cut where its name leaves no more room.
pub(super) fn beside(ui: &Ui, name: &str, about: &str, width: f32) -> String {
    let wide = |text: &str, font| {
        let galley = ui
            .painter()
            .layout_no_wrap(text.to_owned(), font, egui::Color32::WHITE);
        galley.size().x
    };
    // Margins, and a gap between the two.
    let room = width - wide(name, style::strong(size::BODY)) - 36.0;
    let needed = wide(about, style::small());
    if needed <= room {
        return about.to_owned();
    }
    let letters = about.chars().count() as f32 * (room / needed).max(0.0);
    match letters as usize {
        0..=3 => String::new(),
        letters => shortened(about, letters - 1),
    }
}

/// A dialog's heading.
pub(super) fn title(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).font(style::strong(size::HEADING)));
    ui.add_space(6.0);
}

fn unsaved(ui: &mut Ui, document: &Document, state: &UiState, requests: &mut Requests) {
    let refused = state.half_typed.refused(&document.session);
    let dirty = document.is_dirty();
    let modal = modal(ui, "unsaved").show(ui.ctx(), |ui| {
        ui.set_width(400.0);
        title(
            ui,
            match dirty {
                true => "Save your changes first?",
                false => "Leave what is typed?",
            },
        );
        if dirty {
            let name = match &document.path {
                Some(_) => document.file_name(),
                None => format!("“{}”", document.session.title),
            };
            ui.label(format!(
                "{name} has changes that are not saved. Without saving they are lost."
            ));
        }
        for workload in refused {
            ui.label(format!(
                "What is typed for “{}” has a mistake. It cannot be saved and is lost; its last good value stays.",
                workload.name
            ));
        }
        ui.add_space(12.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let accent = roles(ui).selection;
            if dirty && ui.add(Button::new("Save").fill(accent)).clicked() {
                requests.push(Request::Answer(Answer::Save));
            }
            if ui.button("Cancel").clicked() {
                requests.push(Request::Answer(Answer::Cancel));
            }
            let discard = match dirty {
                true => "Discard changes",
                false => "Discard what is typed",
            };
            if ui.button(discard).clicked() {
                requests.push(Request::Answer(Answer::Discard));
            }
        });
    });
    let entered = ui.input(|input| input.key_pressed(Key::Enter));
    if modal.should_close() {
        requests.push(Request::Answer(Answer::Cancel));
    } else if dirty && entered && requests.is_empty() {
        requests.push(Request::Answer(Answer::Save));
    }
}
