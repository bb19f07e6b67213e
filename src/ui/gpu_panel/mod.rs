//! The left panel: the list of GPUs and the editor of the active one.
mod editor;
mod number;
mod parts;

use crate::chart::style;
use crate::model::derive::Product;
use crate::model::ids::GpuId;
use crate::model::session::Session;
use crate::model::view::View;
use crate::ui::command::Command;
use crate::ui::derived::Derived;
use crate::ui::request::{Request, Requests};
use crate::ui::state::{Dialog, LastList, UiState};
use crate::ui::widgets::{Field, Tail, empty, list_row, roles, section, text_field};
use editor::{Beside, editor};
use egui::{Stroke, Ui, vec2};

/// Shows the panel.
pub fn gpu_panel(
    ui: &mut Ui,
    session: &mut Session,
    view: &View,
    derived: &Derived,
    state: &mut UiState,
    requests: &mut Requests,
) {
    section(ui, "GPUs", |ui| {
        let keys = Command::AddGpu
            .entry()
            .shortcut
            .map(|s| ui.ctx().format_shortcut(&s));
        let hover = format!(
            "{} ({})",
            Command::AddGpu.entry().tooltip,
            keys.unwrap_or_default()
        );
        if ui.button("Add…").on_hover_text(hover).clicked() {
            requests.command(Command::AddGpu);
        }
    });
    list(ui, session, view, state, requests);
    let Some(id) = view.active else {
        let text = "No GPU yet: add one from the presets, or an empty one.";
        empty(ui, text, &[Command::AddGpu], requests);
        return;
    };
    ui.push_id(("gpu", id.0), |ui| {
        name_field(ui, session, id);
        let by = session.assumptions.judged_by;
        if let Some(gpu) = session.gpu_mut(id) {
            let derive = {
                let beside = Beside {
                    doubts: derived.doubts_of(id),
                    by,
                    trace: state.trace.as_mut().filter(|trace| trace.gpu == id),
                };
                editor(ui, gpu, beside)
            };
            if let Some(target) = derive {
                let product = Product::of(gpu, target);
                state.dialog = Some(Dialog::Derive { gpu: id, product });
            }
        }
    });
}

/// Height from which a list scrolls: nine rows.
const MOST_LIST_HEIGHT: f32 = 9.0 * 32.0;

fn list(ui: &mut Ui, session: &Session, view: &View, state: &mut UiState, requests: &mut Requests) {
    let roles = roles(ui);
    // A long list scrolls in itself, so that the editor stays in sight.
    egui::ScrollArea::vertical()
        .id_salt("gpus")
        .max_height(MOST_LIST_HEIGHT)
        .show(ui, |ui| {
            for (index, gpu) in session.gpus.iter().enumerate() {
                let active = view.active == Some(gpu.id);
                let shown = view.shows_gpu(gpu.id);
                let word = match (active, shown) {
                    (true, _) => "active",
                    (false, true) => "shown",
                    (false, false) => "hidden",
                };
                let response = list_row(
                    ui,
                    active,
                    !shown,
                    &gpu.name,
                    &Tail::Word(word),
                    |painter, at| {
                        let line = [at - vec2(12.0, 0.0), at + vec2(12.0, 0.0)];
                        let colour = roles
                            .gpu(index)
                            .gamma_multiply(if shown { 1.0 } else { 0.4 });
                        painter.extend(style::patterned(&line, Stroke::new(3.0, colour), index));
                    },
                );
                if response.clicked() {
                    state.last_list = LastList::Gpus;
                    // The word at the right shows and hides; the rest of the row makes it the active one.
                    let on_word = response
                        .interact_pointer_pos()
                        .is_some_and(|at| at.x > response.rect.right() - 56.0);
                    requests.push(if on_word && !active {
                        Request::ToggleGpu(gpu.id)
                    } else {
                        Request::Activate(gpu.id)
                    });
                }
                response.context_menu(|ui| row_menu(ui, gpu.id, active, shown, requests));
            }
        });
}

fn row_menu(ui: &mut Ui, id: GpuId, active: bool, shown: bool, requests: &mut Requests) {
    let mut offer = |ui: &mut Ui, name: &str, asked: &[Request]| {
        if ui.button(name).clicked() {
            for request in asked {
                requests.push(request.clone());
            }
            ui.close();
        }
    };
    let activate = Request::Activate(id);
    let then = |command| vec![activate.clone(), Request::Do(command)];
    // The active one is always shown: hiding it would take effect later, when another is active.
    if !active {
        offer(ui, "Make active", std::slice::from_ref(&activate));
        let name = if shown { "Hide" } else { "Show" };
        offer(ui, name, &[Request::ToggleGpu(id)]);
        ui.separator();
    }
    offer(ui, "Duplicate", &then(Command::DuplicateGpu));
    offer(ui, "Copy as text", &then(Command::CopyGpu));
    offer(ui, "Move up", &then(Command::GpuUp));
    offer(ui, "Move down", &then(Command::GpuDown));
    ui.separator();
    offer(ui, "Remove", &then(Command::RemoveGpu));
}

fn name_field(ui: &mut Ui, session: &mut Session, id: GpuId) {
    let Some(name) = session.gpu(id).map(|gpu| gpu.name.clone()) else {
        return;
    };
    section(ui, "Active GPU", |_| {});
    let field = Field {
        label: "GPU name",
        hint: "Names are unique, since files refer to them",
        shown: name.clone(),
        exact: name,
        placeholder: "name",
    };
    text_field(ui, &field, |text| {
        session.rename_gpu(id, text).map_err(|e| e.to_string())
    });
}
