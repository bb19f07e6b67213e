//! Which GPU a profile ran on, where its file does not say.
use super::{modal, title};
use crate::document::Document;
use crate::files::presets;
use crate::model::ids::ProfileId;
use crate::ui::request::{Judge, Request, Requests};
use crate::ui::state::{Dialog, UiState, WhichGpu};
use crate::ui::widgets::roles;
use egui::{Button, Id, Key, RichText, ScrollArea, TextEdit, Ui};

/// Asks for the GPU of a profile.
pub fn ask(state: &mut UiState, profile: ProfileId, named: Option<String>) {
    state.dialog = Some(Dialog::WhichGpu(WhichGpu {
        profile,
        query: String::new(),
        named,
        devices: presets::all_gpus().into(),
    }));
}

/// Shows the question; the GPUs of the session come first.
pub(super) fn which_gpu(
    ui: &mut Ui,
    mut asked: WhichGpu,
    document: &Document,
    state: &mut UiState,
    requests: &mut Requests,
) {
    let mut chosen = None;
    let modal = modal(ui, "which gpu").show(ui.ctx(), |ui| {
        ui.set_width(super::width(ui, 520.0));
        title(ui, "Which GPU did these kernels run on?");
        let text = match &asked.named {
            Some(name) => format!(
                "The file calls it {name:?}, which is no GPU of this session and no built-in one."
            ),
            None => "The file does not name it; its roofs judge the kernels.".to_owned(),
        };
        ui.label(RichText::new(text).color(roles(ui).muted));
        let label = ui.label("Search");
        let edit = TextEdit::singleline(&mut asked.query)
            .id(Id::unique("which gpu query"))
            .desired_width(f32::INFINITY)
            .hint_text("name, vendor or year, for example h100");
        let edit = ui.add(edit).labelled_by(label.id);
        let nothing_focused = ui.memory(|memory| memory.focused().is_none());
        if nothing_focused && !edit.lost_focus() {
            edit.request_focus();
        }
        let entered = edit.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let mut first = None;
        let query = asked.query.trim().to_lowercase();
        let list = egui::vec2(ui.available_width(), super::height_for_list(ui, 300.0));
        ui.allocate_ui(list, |ui| {
            ui.set_min_size(list);
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                let own = document.session.gpus.iter();
                for gpu in own.filter(|gpu| gpu.name.to_lowercase().contains(&query)) {
                    first.get_or_insert(Judge::Of(gpu.id));
                    if row(ui, &gpu.name, "in this session") {
                        chosen = Some(Judge::Of(gpu.id));
                    }
                }
                for device in asked.devices.iter().filter(|device| device.matches(&query)) {
                    first.get_or_insert_with(|| Judge::Preset(device.id.to_owned()));
                    if row(ui, &device.gpu.name, &device.vendor) {
                        chosen = Some(Judge::Preset(device.id.to_owned()));
                    }
                }
            });
        });
        // Enter takes the first, once something was typed or the session has one.
        let sure = !query.is_empty() || !document.session.gpus.is_empty();
        if chosen.is_none() && entered && sure {
            chosen = first;
        }
        ui.add_space(8.0);
        ui.button("Not now")
            .on_hover_text("Kernels are shown where they are, judged by no roof")
            .clicked()
    });
    let done = modal.inner || modal.should_close() || chosen.is_some();
    requests.extend(chosen.map(|judge| Request::JudgeBy(asked.profile, judge)));
    state.dialog = (!done).then_some(Dialog::WhichGpu(asked));
}

fn row(ui: &mut Ui, name: &str, about: &str) -> bool {
    let muted = roles(ui).muted;
    let button = Button::new(name)
        .right_text(RichText::new(about).small().color(muted))
        .frame_when_inactive(false)
        .min_size(egui::vec2(ui.available_width() - 8.0, 24.0));
    let response = ui.add(button);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name));
    response.clicked()
}
