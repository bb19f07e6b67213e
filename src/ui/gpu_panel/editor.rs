//! The editor of a GPU: its roofs, sources and other numbers.
use super::number::*;
use super::parts::{parts, sources};
use crate::model::cost::{ComputeUnit, Level, Path};
use crate::model::derive::Target;
use crate::model::format::NumberFormat;
use crate::model::gpu::{ComputeRoof, Gpu, Scope, Sourced};
use crate::model::quantity::{ByteRate, Bytes, Count, FlopRate, Seconds};
use crate::ui::widgets::{Field, field_width, roles, section, text_field};
use egui::{Button, RichText, Ui};

/// Shows the editor; returns the roof that is to be derived.
pub(super) fn editor(ui: &mut Ui, gpu: &mut Gpu) -> Option<Target> {
    let compute = compute(ui, gpu);
    let memory = memory(ui, gpu);
    for doubt in gpu.doubts() {
        let colour = roles(ui).warning;
        ui.label(RichText::new(doubt).small().color(colour));
    }
    derived(ui, gpu);
    optional_numbers(ui, gpu);
    parts(ui, gpu);
    sources(ui, gpu);
    compute.or(memory)
}

fn compute(ui: &mut Ui, gpu: &mut Gpu) -> Option<Target> {
    let mut derive = None;
    section(ui, "Compute roofs, dense peaks", |ui| add_path(ui, gpu));
    gpu.compute.retain_mut(|roof| {
        let name = roof.path.to_string();
        let how = Some("Derive it: compute units × FLOP per clock × clock");
        let asked = number(ui, &name, "Peak rate of this path", how, &mut roof.peak);
        achieved(ui, &name, roof.peak.value, &mut roof.achievable);
        if asked == Asked::Derive {
            derive = Some(Target::Compute(roof.path));
        }
        asked != Asked::Remove
    });
    if gpu.compute.is_empty() {
        hint(ui, "Add the peak of a number format with +");
    }
    derive
}

fn memory(ui: &mut Ui, gpu: &mut Gpu) -> Option<Target> {
    let mut derive = None;
    section(ui, "Memory roofs", |ui| add_level(ui, gpu));
    let sizes = gpu.parts.clone();
    gpu.memory.retain_mut(|roof| {
        let level = roof.level;
        let size = sizes.cache_text(level).map(|size| format!(", {size}"));
        let about = match level.is_link() {
            true => "Bandwidth of this link per direction, of all lanes together; vendors often add both directions up".to_owned(),
            false => format!("Bandwidth of this level{}, of the whole device", size.unwrap_or_default()),
        };
        let how = Some(how_to_derive(level));
        let asked = number(ui, level.name(), &about, how, &mut roof.bandwidth);
        if let Some(scope) = roof.scope_of_link() {
            hint(ui, &scope);
        }
        achieved(ui, level.name(), roof.bandwidth.value, &mut roof.achievable);
        if asked == Asked::Derive {
            derive = Some(Target::Memory(level));
        }
        asked != Asked::Remove
    });
    if gpu.memory.is_empty() {
        hint(ui, "Add the DRAM bandwidth with +");
    }
    let unknown: Vec<_> = gpu.caches_without_bandwidth().collect();
    for level in unknown {
        if offer_to_derive(ui, gpu, level) {
            derive = Some(Target::Memory(level));
        }
    }
    derive
}

fn how_to_derive(level: Level) -> &'static str {
    match level {
        Level::Dram => "Derive it: bus width × memory clock × 2",
        Level::L1 => "Derive it: compute units × bytes per clock × clock",
        Level::L2 | Level::Llc => "Derive it: slices × bytes per clock × clock",
        _ => "Derive it: links × rate of each, per direction",
    }
}

/// A cache of known size whose bandwidth nobody published, with a button.
fn offer_to_derive(ui: &mut Ui, gpu: &Gpu, level: Level) -> bool {
    let size = gpu.parts.cache_text(level).unwrap_or_default();
    ui.horizontal(|ui| {
        ui.set_min_height(26.0);
        let muted = roles(ui).muted;
        let label = RichText::new(format!("{}, {size}", level.name())).color(muted);
        ui.label(label)
            .on_hover_text("Its size is known, its bandwidth was not published");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            no_actions(ui);
            let button = ui.button("Derive…").on_hover_text(how_to_derive(level));
            button.widget_info(|| button_named(format!("Derive {}", level.name())));
            button.clicked()
        })
        .inner
    })
    .inner
}

pub(super) fn add_path(ui: &mut Ui, gpu: &mut Gpu) {
    let menu = ui.menu_button("+", |ui| {
        for unit in ComputeUnit::ALL {
            ui.menu_button(unit.name(), |ui| {
                for format in NumberFormat::ALL {
                    let path = Path {
                        format,
                        unit,
                        accumulator: None,
                        sparse: false,
                    };
                    let taken = gpu.compute_roof(path).is_some();
                    if ui.add_enabled(!taken, Button::new(format.name())).clicked() {
                        let peak = Sourced::own(FlopRate::constant(1e14));
                        gpu.compute.push(ComputeRoof::new(path, peak));
                        ui.close();
                    }
                }
            });
        }
    });
    let named = menu
        .response
        .on_hover_text("Add the peak of a number format");
    named.widget_info(|| button_named("Add compute roof".to_owned()));
}

pub(super) fn add_level(ui: &mut Ui, gpu: &mut Gpu) {
    let menu = ui.menu_button("+", |ui| {
        for level in Level::ALL {
            let taken = gpu.memory_roof(level).is_some();
            if ui.add_enabled(!taken, Button::new(level.name())).clicked() {
                let bandwidth = Sourced::own(ByteRate::constant(1e12));
                gpu.add_memory_roof(level, bandwidth);
                ui.close();
            }
        }
    });
    let named = menu
        .response
        .on_hover_text("Add the bandwidth of a memory level or link");
    named.widget_info(|| button_named("Add memory roof".to_owned()));
}

pub(super) fn derived(ui: &mut Ui, gpu: &Gpu) {
    let ridges: Vec<_> = gpu
        .compute
        .iter()
        .filter_map(|roof| Some((roof.path, gpu.ridge(roof.path, Level::Dram)?)))
        .collect();
    if ridges.is_empty() {
        return;
    }
    section(ui, "Ridge points on DRAM", |_| {});
    for (path, ridge) in ridges {
        ui.horizontal(|ui| {
            let muted = roles(ui).muted;
            ui.label(RichText::new(path.to_string()).color(muted));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.label(ridge.to_string());
            });
        });
    }
}

pub(super) fn optional_numbers(ui: &mut Ui, gpu: &mut Gpu) {
    section(ui, "Other", |_| {});
    scope(ui, &mut gpu.scope);
    optional::<Bytes>(
        ui,
        "Memory capacity",
        "How much fits, as the vendor labels it",
        &mut gpu.capacity,
    );
    let hint = "Time one kernel launch takes; without it launches cost nothing";
    optional::<Count>(
        ui,
        "Sparsity factor",
        "What 2:4 structured sparsity multiplies matrix peaks by; only sparse weights use it",
        &mut gpu.sparsity,
    );
    optional::<Seconds>(ui, "Launch overhead", hint, &mut gpu.launch_overhead);
    let field = Field {
        label: "GPU notes",
        hint: "",
        shown: gpu.notes.clone(),
        exact: gpu.notes.clone(),
        placeholder: "notes",
    };
    let notes = &mut gpu.notes;
    text_field(ui, &field, |text| {
        text.trim().clone_into(notes);
        Ok(())
    });
}

/// What the numbers are of: a die, a package, the GPU of a superchip.
fn scope(ui: &mut Ui, scope: &mut Option<Scope>) {
    ui.horizontal(|ui| {
        ui.set_min_height(26.0);
        let width = field_width(ui);
        let hint = "What these numbers are of; a data sheet may mean a package, software one die";
        let label = ui.label("Scope").on_hover_text(hint);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            no_actions(ui);
            let shown = scope.map_or("the device", Scope::name);
            let combo = egui::ComboBox::from_id_salt("scope")
                .width(width)
                .selected_text(shown);
            let response = combo.show_ui(ui, |ui| {
                ui.selectable_value(scope, None, "the device");
                for other in Scope::ALL {
                    ui.selectable_value(scope, Some(other), other.name());
                }
            });
            response.response.labelled_by(label.id);
        });
    });
}
