//! The editor of a GPU: its roofs, sources and other numbers.
use crate::model::cost::{ComputeUnit, Level, Path};
use crate::model::format::NumberFormat;
use crate::model::gpu::{Basis, ComputeRoof, Confidence, Gpu, MemoryRoof, Scope, Sourced};
use crate::model::quantity::{ByteRate, Bytes, Count, FlopRate, Quantity, Seconds};
use crate::model::units;
use crate::ui::widgets::{Field, roles, section, text_field, value_field};
use egui::{Button, RichText, Ui, vec2};

pub(super) fn editor(ui: &mut Ui, gpu: &mut Gpu) {
    section(ui, "Compute roofs, dense peaks", |ui| add_path(ui, gpu));
    gpu.compute.retain_mut(|roof| {
        let name = roof.path.to_string();
        let achievable = format!("{} achievable", roof.path.format);
        let keep = number(ui, &name, "Peak rate of this path", &mut roof.peak);
        achieved(ui, &achievable, roof.peak.value, &mut roof.achievable);
        keep
    });
    if gpu.compute.is_empty() {
        hint(ui, "Add the peak of a number format with +");
    }
    section(ui, "Memory roofs", |ui| add_level(ui, gpu));
    gpu.memory.retain_mut(|roof| {
        let hint = match roof.level.is_link() {
            true => "Bandwidth of this link, one way, of all lanes together; vendors often add both ways up",
            false => "Bandwidth of this level, of the whole device: units × B/clock × clock, as 132 × 128 B × 1.755 GHz",
        };
        let achievable = format!("{} achievable", roof.level.name());
        let keep = number(ui, roof.level.name(), hint, &mut roof.bandwidth);
        achieved(ui, &achievable, roof.bandwidth.value, &mut roof.achievable);
        keep
    });
    if gpu.memory.is_empty() {
        hint(ui, "Add the DRAM bandwidth with +");
    }
    for doubt in gpu.doubts() {
        let colour = roles(ui).warning;
        ui.label(RichText::new(doubt).small().color(colour));
    }
    derived(ui, gpu);
    optional_numbers(ui, gpu);
    sources(ui, gpu);
}

/// The achievable figure under a published one, where there is one.
pub(super) fn achieved<Q: Quantity + std::fmt::Display>(
    ui: &mut Ui,
    label: &str,
    published: Q,
    achievable: &mut Option<Sourced<Q>>,
) {
    let Some(figure) = achievable else { return };
    let share = units::percent(figure.value.get() / published.get());
    let hint = format!("What good kernels were measured to reach: {share} of the published figure");
    if !number(ui, label, &hint, figure) {
        *achievable = None;
    }
}

pub(super) fn hint(ui: &mut Ui, text: &str) {
    let colour = roles(ui).muted;
    ui.label(RichText::new(text).small().color(colour));
}

/// A number with its reset and remove buttons; returns whether to keep it.
pub(super) fn number<Q: Quantity + std::fmt::Display>(
    ui: &mut Ui,
    label: &str,
    hint: &str,
    number: &mut Sourced<Q>,
) -> bool {
    let (mut reset, mut remove) = (false, false);
    let original = number
        .original
        .as_ref()
        .map(|(value, basis)| format!("Back to the {} value, {value}", basis.name()));
    let confidence = number.confidence.filter(|_| number.basis != Basis::Own);
    let source = origin(number.basis, confidence, &number.source);
    let doubtful = confidence == Some(Confidence::Low);
    let derivation = number.derivation.clone();
    let hint = format!("{hint}; a product such as 304 × 2048 × 2.1 GHz is worked out\n{source}");
    let field = Field {
        label,
        hint: &hint,
        shown: number.value.to_string(),
        exact: number.value.exact(),
        placeholder: "",
    };
    let extra = |ui: &mut Ui| {
        remove = action(ui, "×", &format!("Remove {label}"), "Remove it");
        match &original {
            Some(original) => reset = action(ui, "↺", &format!("Reset {label}"), original),
            None if doubtful => {
                let colour = roles(ui).warning;
                let mark = egui::Label::new(RichText::new("?").strong().color(colour));
                ui.add_sized([ACTION, 20.0], mark).on_hover_text(&source);
            }
            None => no_action(ui),
        }
    };
    value_field(ui, &field, extra, |text| {
        number.type_in(text).map_err(|error| error.to_string())
    });
    if let Some(product) = derivation {
        self::hint(ui, &format!("= {product}"));
    }
    if reset {
        number.reset();
    }
    !remove
}

/// Where a number is from: `theoretical · high confidence · NVIDIA whitepaper`.
pub(super) fn origin(basis: Basis, confidence: Option<Confidence>, source: &str) -> String {
    let mut parts = vec![basis.name().to_owned()];
    parts.extend(confidence.map(|confidence| format!("{} confidence", confidence.name())));
    parts.extend((!source.is_empty()).then(|| source.to_owned()));
    parts.join(" · ")
}

/// Width of a small button beside a number.
pub(super) const ACTION: f32 = 16.0;

/// A small button beside a number; the room it takes is kept where there is none.
pub(super) fn action(ui: &mut Ui, glyph: &str, name: &str, hover: &str) -> bool {
    let muted = roles(ui).muted;
    let button = Button::new(RichText::new(glyph).size(13.0).color(muted)).frame(false);
    let response = ui.add_sized([ACTION, 20.0], button).on_hover_text(hover);
    response.widget_info(|| button_named(name.to_owned()));
    response.clicked()
}

/// The room of an action where there is none.
pub(super) fn no_action(ui: &mut Ui) {
    ui.allocate_exact_size(vec2(ACTION, 20.0), egui::Sense::hover());
}

/// Room for the two actions that other numbers have.
pub(super) fn no_actions(ui: &mut Ui) {
    no_action(ui);
    no_action(ui);
}

pub(super) fn button_named(name: String) -> egui::WidgetInfo {
    egui::WidgetInfo::labeled(egui::Role::Button, true, name)
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
                gpu.memory.push(MemoryRoof::new(level, bandwidth));
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

pub(super) fn optional<Q: Quantity + std::fmt::Display>(
    ui: &mut Ui,
    label: &str,
    hint: &str,
    value: &mut Option<Q>,
) {
    let field = Field {
        label,
        hint,
        shown: value.map(|v| v.to_string()).unwrap_or_default(),
        exact: value.map(Quantity::exact).unwrap_or_default(),
        placeholder: "not given",
    };
    value_field(ui, &field, no_actions, |text| {
        *value = match text.trim() {
            "" => None,
            text => Some(Q::parse(text).map_err(|error| error.to_string())?),
        };
        Ok(())
    });
}

pub(super) fn sources(ui: &mut Ui, gpu: &mut Gpu) {
    ui.add_space(6.0);
    egui::CollapsingHeader::new("Sources")
        .id_salt("sources")
        .show(ui, |ui| {
            for roof in &mut gpu.compute {
                source(ui, &roof.path.to_string(), &mut roof.peak);
                if let Some(achievable) = &mut roof.achievable {
                    source(ui, &format!("{} achievable", roof.path.format), achievable);
                }
            }
            for roof in &mut gpu.memory {
                source(ui, roof.level.name(), &mut roof.bandwidth);
                if let Some(achievable) = &mut roof.achievable {
                    source(ui, &format!("{} achievable", roof.level.name()), achievable);
                }
            }
        });
}

pub(super) fn source<Q: Quantity>(ui: &mut Ui, name: &str, number: &mut Sourced<Q>) {
    hint(
        ui,
        &format!("{name} · {}", origin(number.basis, number.confidence, "")),
    );
    let source = &mut number.source;
    let label = format!("Source of {name}");
    let field = Field {
        label: &label,
        hint: "Where this number comes from",
        shown: source.clone(),
        exact: source.clone(),
        placeholder: "where this number comes from",
    };
    text_field(ui, &field, |text| {
        text.trim().clone_into(source);
        Ok(())
    });
}

/// What the numbers are of: a die, a package, the GPU of a superchip.
fn scope(ui: &mut Ui, scope: &mut Option<Scope>) {
    ui.horizontal(|ui| {
        ui.set_min_height(26.0);
        let hint = "What these numbers are of; a data sheet may mean a package, software one die";
        let label = ui.label("Scope").on_hover_text(hint);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            no_actions(ui);
            let shown = scope.map_or("the device", Scope::name);
            let combo = egui::ComboBox::from_id_salt("scope")
                .width(122.0)
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
