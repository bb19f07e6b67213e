//! The device picker: every built-in GPU, searched by vendor, year and name.
use crate::chart::{fonts, style};
use crate::files::presets::{self, GpuPreset};
use crate::model::cost::{Level, Path};
use crate::model::format::NumberFormat;
use crate::model::gpu::{Confidence, Gpu};
use crate::ui::request::{Request, Requests};
use crate::ui::state::{Dialog, Picker, UiState};
use crate::ui::widgets::roles;
use egui::{Button, Id, Key, Modifiers, Response, RichText, ScrollArea, TextEdit, Ui};

/// Height of the list of devices.
const LIST_HEIGHT: f32 = 380.0;

/// Opens the picker; the user's own devices come first.
pub fn open(state: &mut UiState, own: Vec<Gpu>) {
    state.dialog = Some(Dialog::PickGpu(Picker {
        query: String::new(),
        chosen: 0,
        own: own.into(),
        devices: presets::all_gpus().into(),
    }));
}

/// Shows the picker; arrow keys choose a device of the list, Enter takes it.
pub fn picker(ui: &mut Ui, mut picker: Picker, state: &mut UiState, requests: &mut Requests) {
    let mut chosen = None;
    let modal = super::modal(ui, "pick gpu").show(ui.ctx(), |ui| {
        ui.set_width(super::width(ui, 640.0));
        super::title(ui, "Add a GPU");
        let label = ui.label("Search");
        let edit = TextEdit::singleline(&mut picker.query)
            .id(Id::unique("pick gpu query"))
            .desired_width(f32::INFINITY)
            .hint_text("name, vendor or year, for example h100");
        let by = steps(ui);
        let response = ui.add(edit).labelled_by(label.id);
        let nothing_focused = ui.memory(|memory| memory.focused().is_none());
        if nothing_focused && !response.lost_focus() {
            response.request_focus();
        }
        ui.add_space(6.0);
        let own: Vec<&Gpu> = picker
            .own
            .iter()
            .filter(|gpu| has_words(&gpu.name, &picker.query))
            .collect();
        let found = found(&picker.devices, &picker.query);
        let count = own.len() + found.len();
        if response.changed() {
            // The first of the built-in ones is what a typed name means, if there is one.
            picker.chosen = if found.is_empty() { 0 } else { own.len() };
        }
        picker.chosen = picker
            .chosen
            .saturating_add_signed(by)
            .min(count.saturating_sub(1));
        let entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        // Of one height however many are found: a dialog that grows while one types jumps.
        let list = egui::vec2(ui.available_width(), super::height_for_list(ui, LIST_HEIGHT));
        ui.allocate_ui(list, |ui| {
            ui.set_min_size(list);
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                let own = own.iter().map(|gpu| {
                    let request = Request::AddGpu(Box::new((*gpu).clone()));
                    (*gpu, format!("your device · {}", numbers(gpu)), request)
                });
                let found = found.iter().map(|device| {
                    let request = Request::AddGpuPreset(device.id.to_owned());
                    (&device.gpu, about(device), request)
                });
                for (index, (gpu, about, request)) in own.chain(found).enumerate() {
                    let highlighted = index == picker.chosen;
                    let response = row(ui, gpu, &about, highlighted);
                    if highlighted && by != 0 {
                        response.scroll_to_me(None);
                    }
                    if response.clicked() || (highlighted && entered) {
                        chosen = Some(request);
                    }
                }
                if count == 0 {
                    let muted = roles(ui).muted;
                    ui.label(
                        RichText::new("No built-in device has that in its name: try fewer letters, or start an empty GPU.").color(muted),
                    );
                }
            });
        });
        ui.add_space(8.0);
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

/// How far the arrow keys move the choice in this frame; taken before the field could use them.
fn steps(ui: &Ui) -> isize {
    ui.input_mut(|input| {
        let mut count = |key| input.count_and_consume_key(Modifiers::NONE, key) as isize;
        count(Key::ArrowDown) - count(Key::ArrowUp)
            + 10 * (count(Key::PageDown) - count(Key::PageUp))
    })
}

/// The devices that match: those first that are named exactly, then those whose name begins so; of each, the SXM and
/// OAM modules people mean by a bare name before cards, and rounded figures after the devices themselves.
fn found<'a>(devices: &'a [GpuPreset], query: &str) -> Vec<&'a GpuPreset> {
    let query = query.trim().to_lowercase();
    let rank = |device: &&GpuPreset| {
        let name = device.gpu.name.to_lowercase();
        (
            device.id != query && name != query,
            !name.starts_with(&query),
            name.ends_with("(rounded)"),
            !name.contains("sxm"),
        )
    };
    let mut found: Vec<_> = devices.iter().filter(|d| d.matches(&query)).collect();
    // Stable: otherwise as they are listed.
    found.sort_by_key(rank);
    found
}

fn has_words(text: &str, query: &str) -> bool {
    let text = text.to_lowercase();
    query
        .to_lowercase()
        .split_whitespace()
        .all(|word| text.contains(word))
}

/// Vendor, year, memory and the two numbers that tell one device from its siblings.
pub(in crate::ui) fn about(device: &GpuPreset) -> String {
    let year = device.year.map(|year| year.to_string());
    let parts = [
        Some(device.vendor.clone()),
        year,
        Some(device.memory_kind.clone()),
        Some(numbers(&device.gpu)),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// The dense peak people ask for first, the bandwidth, and of what they are.
fn numbers(gpu: &Gpu) -> String {
    let formats = [NumberFormat::BF16, NumberFormat::FP16, NumberFormat::FP32];
    let paths = formats
        .into_iter()
        .flat_map(|format| [Path::matrix(format), Path::vector(format)]);
    let peak = paths.into_iter().find_map(|path| gpu.compute_roof(path));
    let peak = peak.map(|roof| format!("{} dense {}", roof.path.format, roof.peak.value));
    let memory = gpu.memory_roof(Level::Dram);
    let parts = [
        peak,
        memory.map(|roof| roof.bandwidth.value.to_string()),
        gpu.scope.map(|scope| scope.name().to_owned()),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

fn row(ui: &mut Ui, gpu: &Gpu, about: &str, highlighted: bool) -> Response {
    let roles = roles(ui);
    let name = RichText::new(&gpu.name).family(fonts::bold());
    let width = ui.available_width() - 8.0;
    let about = super::beside(ui, &gpu.name, about, width);
    let button = Button::new(name)
        .truncate()
        .right_text(RichText::new(about).font(style::small()).color(roles.muted))
        .selected(highlighted)
        .frame_when_inactive(highlighted)
        .min_size(egui::vec2(width, 26.0));
    let response = ui.add(button);
    response.widget_info(|| {
        egui::WidgetInfo::selected(egui::Role::Button, true, highlighted, &gpu.name)
    });
    response.on_hover_text(summary(gpu))
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
