//! The model picker, and what was made of a model's config.
use crate::chart::style::size;
use crate::chart::{fonts, style};
use crate::files::import::model_file::Incomplete;
use crate::files::presets::{self, ModelPreset};
use crate::model::units::{self, Unit};
use crate::ui::command::Command;
use crate::ui::request::{Request, Requests};
use crate::ui::state::{Dialog, ModelPicker, ModelRead, UiState};
use crate::ui::widgets::roles;
use egui::{Button, Id, Key, RichText, ScrollArea, TextEdit, Ui};

/// Height of the list of models.
const LIST_HEIGHT: f32 = 380.0;

/// Opens the picker.
pub fn open(state: &mut UiState) {
    state.dialog = Some(Dialog::PickModel(ModelPicker {
        query: String::new(),
        models: presets::all_models().into(),
    }));
}

/// Shows the picker; Enter takes the first model of the list.
pub fn picker(ui: &mut Ui, mut picker: ModelPicker, state: &mut UiState, requests: &mut Requests) {
    let mut chosen = None;
    let modal = super::modal(ui, "pick model").show(ui.ctx(), |ui| {
        ui.set_width(super::width(ui, 640.0));
        super::title(ui, "Add a language model");
        let label = ui.label("Search");
        let edit = TextEdit::singleline(&mut picker.query)
            .id(Id::unique("pick model query"))
            .desired_width(f32::INFINITY)
            .hint_text("name or maker, for example llama 70b");
        let response = ui.add(edit).labelled_by(label.id);
        let nothing_focused = ui.memory(|memory| memory.focused().is_none());
        if nothing_focused && !response.lost_focus() {
            response.request_focus();
        }
        ui.add_space(6.0);
        let models = picker.models.iter();
        let found: Vec<_> = models.filter(|m| m.matches(&picker.query)).collect();
        let list = egui::vec2(
            ui.available_width(),
            super::height_for_list(ui, LIST_HEIGHT),
        );
        ui.allocate_ui(list, |ui| {
            ui.set_min_size(list);
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                for model in &found {
                    if row(ui, model) {
                        chosen = Some(Request::AddModelPreset(model.id.to_owned()));
                    }
                }
                if found.is_empty() {
                    let text =
                        "No built-in model has that in its name: open its config.json instead.";
                    ui.label(RichText::new(text).color(roles(ui).muted));
                }
            });
        });
        ui.add_space(8.0);
        let entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if let Some(first) = found.first().filter(|_| entered) {
            chosen = Some(Request::AddModelPreset(first.id.to_owned()));
        }
        ui.horizontal(|ui| {
            let open = ui
                .button("Open a config.json…")
                .on_hover_text("Of Hugging Face; a hf_quant_config.json beside it is read as well");
            if open.clicked() {
                chosen = Some(Request::Do(Command::Open));
            }
            ui.button("Cancel").clicked()
        })
        .inner
    });
    let done = modal.inner || modal.should_close() || chosen.is_some();
    requests.extend(chosen);
    state.dialog = (!done).then_some(Dialog::PickModel(picker));
}

fn row(ui: &mut Ui, model: &ModelPreset) -> bool {
    let roles = roles(ui);
    let name = &model.architecture.name;
    let parameters = model.architecture.parameters();
    let total = units::count(parameters.total);
    let size = if parameters.active < parameters.total * 0.9 {
        format!("{total}, {} active", units::count(parameters.active))
    } else {
        total
    };
    let kv = model.architecture.kv_bytes_per_token(&model.formats);
    let about = format!(
        "{} · {} · {size} · {} of KV per token",
        model.vendor,
        model.year,
        units::short(kv, Unit::Byte)
    );
    let about = super::beside(ui, name, &about, ui.available_width() - 8.0);
    let button = Button::new(RichText::new(name).family(fonts::bold()))
        .truncate()
        .right_text(RichText::new(about).font(style::small()).color(roles.muted))
        .frame_when_inactive(false)
        .min_size(egui::vec2(ui.available_width() - 8.0, 26.0));
    let response = ui.add(button);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name));
    response.on_hover_text(&model.source).clicked()
}

/// Asks for what a config leaves open; what it says is shown.
pub(super) fn complete(
    ui: &mut Ui,
    mut config: Incomplete,
    state: &mut UiState,
    requests: &mut Requests,
) {
    let mut asked = None;
    let modal = super::modal(ui, "complete model").show(ui.ctx(), |ui| {
        ui.set_width(super::width(ui, 520.0));
        super::title(ui, &format!("{} cannot be read yet", config.name));
        let (muted, warning) = (roles(ui).muted, roles(ui).warning);
        for problem in &config.problems {
            let text = RichText::new(format!("• {problem}")).color(warning);
            ui.add(egui::Label::new(text).wrap());
        }
        if !config.sure.is_empty() {
            let text = format!("Kept: {}.", config.sure.join(", "));
            ui.add(egui::Label::new(RichText::new(text).color(muted)).wrap());
        }
        ui.add_space(8.0);
        ScrollArea::vertical()
            .max_height(super::height_for_list(ui, 320.0))
            .show(ui, |ui| {
                for (name, answer) in &mut config.answers {
                    ui.horizontal(|ui| {
                        let label = ui.add_sized([210.0, 24.0], egui::Label::new(name.as_str()));
                        let edit = TextEdit::singleline(answer)
                            .desired_width(f32::INFINITY)
                            .hint_text("a number, for example 4096 or 32k");
                        ui.add(edit).labelled_by(label.id);
                    });
                }
            });
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            if ui.button("Read again").clicked() {
                asked = Some(Request::CompleteModel(Box::new(config.clone())));
            }
            ui.button("Cancel").clicked()
        })
        .inner
    });
    let done = modal.inner || modal.should_close() || asked.is_some();
    state.dialog = (!done).then(|| Dialog::CompleteModel(Box::new(config)));
    requests.extend(asked);
}

/// Shows what was read of a config, what was assumed and what was ignored.
pub(super) fn model_read(ui: &mut Ui, read: &ModelRead, state: &mut UiState) {
    let modal = super::modal(ui, "model read").show(ui.ctx(), |ui| {
        ui.set_width(super::width(ui, 560.0));
        super::title(ui, &format!("{} was read", read.name));
        ScrollArea::vertical()
            .max_height(super::height_for_list(ui, 420.0))
            .show(ui, |ui| {
                ui.set_width(ui.available_width());
                let (muted, warning) = (roles(ui).muted, roles(ui).warning);
                for (heading, lines, colour) in [
                    ("Look at this", &read.warnings, warning),
                    ("Read", &read.read, roles(ui).ink),
                    ("Assumed", &read.assumed, muted),
                    ("Ignored", &read.ignored, muted),
                ] {
                    if lines.is_empty() {
                        continue;
                    }
                    ui.label(RichText::new(heading).font(style::strong(size::CONTROL)));
                    for line in lines {
                        let text = RichText::new(format!("• {line}")).color(colour);
                        ui.add(egui::Label::new(text).wrap().selectable(true));
                    }
                    ui.add_space(8.0);
                }
            });
        ui.add_space(8.0);
        let close = ui.button("Close");
        if ui.memory(|memory| memory.focused().is_none()) {
            close.request_focus();
        }
        close.clicked()
    });
    if modal.inner || modal.should_close() {
        state.dialog = None;
    }
}
