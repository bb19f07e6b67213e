//! The device picker: every built-in GPU, searched by vendor, year and name.
use super::request::{Request, Requests};
use super::state::{Dialog, Picker, UiState};
use super::widgets::roles;
use crate::chart::{fonts, style};
use crate::files::presets::{self, GpuPreset};
use crate::model::gpu::{Confidence, Gpu};
use egui::{Button, Id, Key, RichText, ScrollArea, TextEdit, Ui};

/// Height of the list of devices.
const LIST_HEIGHT: f32 = 380.0;

/// Opens the picker.
pub fn open(state: &mut UiState) {
    state.dialog = Some(Dialog::PickGpu(Picker {
        query: String::new(),
        devices: presets::all_gpus().into(),
    }));
}

/// Shows the picker; Enter takes the first device of the list.
pub fn picker(ui: &mut Ui, mut picker: Picker, state: &mut UiState, requests: &mut Requests) {
    let mut chosen = None;
    let modal = super::dialogs::modal(ui, "pick gpu").show(ui.ctx(), |ui| {
        ui.set_width(560.0);
        super::dialogs::title(ui, "Add a GPU");
        let label = ui.label("Search");
        let edit = TextEdit::singleline(&mut picker.query)
            .id(Id::unique("pick gpu query"))
            .desired_width(f32::INFINITY)
            .hint_text("name, vendor or year, for example h100");
        let response = ui.add(edit).labelled_by(label.id);
        let nothing_focused = ui.memory(|memory| memory.focused().is_none());
        if nothing_focused && !response.lost_focus() {
            response.request_focus();
        }
        ui.add_space(6.0);
        let found: Vec<&GpuPreset> = picker
            .devices
            .iter()
            .filter(|d| fits(d, &picker.query))
            .collect();
        // Of one height however many are found: a dialog that grows while one types jumps.
        let list = egui::vec2(ui.available_width(), LIST_HEIGHT);
        ui.allocate_ui(list, |ui| {
            ui.set_min_size(list);
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                for device in &found {
                    if row(ui, device) {
                        chosen = Some(Request::AddGpuPreset(device.id.to_owned()));
                    }
                }
                if found.is_empty() {
                    let muted = roles(ui).muted;
                    ui.label(
                        RichText::new("No built-in device has that in its name.").color(muted),
                    );
                }
            });
        });
        ui.add_space(8.0);
        let entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if let Some(first) = found.first().filter(|_| entered) {
            chosen = Some(Request::AddGpuPreset(first.id.to_owned()));
        }
        ui.horizontal(|ui| {
            if ui
                .button("An empty GPU")
                .on_hover_text("Type its numbers yourself")
                .clicked()
            {
                chosen = Some(Request::AddGpu(Box::new(Gpu::empty("New GPU"))));
            }
            ui.button("Cancel").clicked()
        })
        .inner
    });
    let done = modal.inner || modal.should_close() || chosen.is_some();
    requests.extend(chosen);
    state.dialog = (!done).then_some(Dialog::PickGpu(picker));
}

/// Whether every word of the search is in the device's vendor, year, name or id.
fn fits(device: &GpuPreset, query: &str) -> bool {
    let year = device.year.map(|year| year.to_string()).unwrap_or_default();
    let text = format!(
        "{} {year} {} {} {}",
        device.vendor, device.gpu.name, device.id, device.memory_kind
    );
    let text = text.to_lowercase();
    // "gh200" is an H100 with another name: its notes say what it is.
    let notes = device.gpu.notes.to_lowercase();
    query
        .to_lowercase()
        .split_whitespace()
        .all(|word| text.contains(word) || notes.contains(word))
}

fn row(ui: &mut Ui, device: &GpuPreset) -> bool {
    let roles = roles(ui);
    let year = device
        .year
        .map(|year| format!(" · {year}"))
        .unwrap_or_default();
    let about = format!("{}{year} · {}", device.vendor, device.memory_kind);
    let name = RichText::new(&device.gpu.name).family(fonts::bold());
    let width = ui.available_width() - 8.0;
    let button = Button::new(name)
        .right_text(RichText::new(about).font(style::small()).color(roles.muted))
        .frame_when_inactive(false)
        .min_size(egui::vec2(width, 26.0));
    let response = ui.add(button);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &device.gpu.name));
    response.on_hover_text(summary(&device.gpu)).clicked()
}

/// The numbers of a device, one a line.
fn summary(gpu: &Gpu) -> String {
    let doubtful = |confidence| {
        if confidence == Some(Confidence::Low) {
            " (low confidence)"
        } else {
            ""
        }
    };
    let compute = gpu.compute.iter().map(|roof| {
        format!(
            "{} {}{}",
            roof.path,
            roof.peak.value,
            doubtful(roof.peak.confidence)
        )
    });
    let memory = gpu.memory.iter().map(|roof| {
        let per = if roof.level.is_link() {
            " per direction"
        } else {
            ""
        };
        format!(
            "{} {}{per}{}",
            roof.level.name(),
            roof.bandwidth.value,
            doubtful(roof.bandwidth.confidence)
        )
    });
    let notes = (!gpu.notes.is_empty()).then(|| gpu.notes.clone());
    compute
        .chain(memory)
        .chain(notes)
        .collect::<Vec<_>>()
        .join("\n")
}
