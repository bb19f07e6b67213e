//! The editor of a GPU: its roofs, sources and other numbers.
use super::number::*;
use super::parts::{parts, sources};
use crate::model::cost::{ComputeUnit, Level, Path};
use crate::model::derive::Target;
use crate::model::format::NumberFormat;
use crate::model::gpu::{ComputeRoof, Gpu, JudgedBy, Scope, Sourced};
use crate::model::plausibility::{About, Doubt};
use crate::model::quantity::{ByteRate, Bytes, FlopRate, Seconds};
use crate::ui::state::Trace;
use crate::ui::widgets::{Field, field_width, roles, section, text_field};
use egui::{Button, RichText, Ui, vec2};

/// What is said beside the numbers of a GPU.
pub(super) struct Beside<'a> {
    /// What is odd about them.
    pub doubts: &'a [Doubt],
    /// Which of them judge.
    pub by: JudgedBy,
    /// The one that was asked for on the chart.
    pub trace: Option<&'a mut Trace>,
}

/// Shows the editor; returns the roof that is to be derived.
pub(super) fn editor(ui: &mut Ui, gpu: &mut Gpu, mut beside: Beside<'_>) -> Option<Target> {
    let by = beside.by;
    let compute = compute(ui, gpu, &mut beside);
    let memory = memory(ui, gpu, &mut beside);
    beside.tell(ui, About::Capacity);
    ridges(ui, gpu, by);
    optional_numbers(ui, gpu);
    parts(ui, gpu);
    sources(ui, gpu);
    compute.or(memory)
}

impl Beside<'_> {
    /// Says what is odd about a number, under it.
    fn tell(&self, ui: &mut Ui, about: About) {
        for doubt in self.doubts.iter().filter(|doubt| doubt.about == about) {
            let colour = roles(ui).warning;
            ui.label(RichText::new(&doubt.text).small().color(colour));
        }
    }

    /// Marks the row from `top` down to here and tells its source, if it is the one asked for.
    fn traced(&mut self, ui: &mut Ui, top: f32, target: Target, origins: [Option<String>; 2]) {
        let Some(trace) = self.trace.as_mut().filter(|trace| trace.target == target) else {
            return;
        };
        for origin in origins.into_iter().flatten() {
            hint(ui, &origin);
        }
        let (left, bottom) = (ui.max_rect().left(), ui.cursor().top());
        let row = egui::Rect::from_x_y_ranges(left..=ui.max_rect().right(), top..=bottom - 2.0);
        let accent = roles(ui).accent;
        let bar = egui::Rect::from_min_size(row.min - vec2(7.0, 0.0), vec2(3.0, row.height()));
        ui.painter().rect_filled(bar, 1.5, accent);
        ui.painter().rect_filled(
            row.expand2(vec2(3.0, 0.0)),
            3.0,
            accent.gamma_multiply(0.10),
        );
        if !trace.shown {
            trace.shown = true;
            ui.scroll_to_rect(row, Some(egui::Align::Center));
        }
    }
}

fn compute(ui: &mut Ui, gpu: &mut Gpu, beside: &mut Beside<'_>) -> Option<Target> {
    section(ui, "Compute roofs, dense peaks", |ui| add_path(ui, gpu));
    let mut derive = peaks(ui, gpu, beside, false);
    let sparse = gpu.compute.iter().filter(|roof| roof.path.sparse).count();
    if sparse > 0 {
        let title = format!("With structured sparsity: {sparse}");
        let header = egui::CollapsingHeader::new(title).id_salt("sparse");
        // What was asked for must not stay folded.
        let asked = beside.trace.as_ref().filter(|trace| !trace.shown);
        let sparse =
            |trace: &&mut Trace| matches!(trace.target, Target::Compute(path) if path.sparse);
        let open = asked.is_some_and(sparse).then_some(true);
        let header = header
            .open(open)
            .show(ui, |ui| peaks(ui, gpu, beside, true));
        header
            .header_response
            .on_hover_text("What data sheets print in large: only sparse weights are judged by it");
        derive = derive.or(header.body_returned.flatten());
    }
    if gpu.compute.is_empty() {
        hint(ui, "Add the peak of a number format with +");
    }
    derive
}

/// The peaks with structured sparsity, or those without.
fn peaks(ui: &mut Ui, gpu: &mut Gpu, beside: &mut Beside<'_>, sparse: bool) -> Option<Target> {
    let mut derive = None;
    gpu.compute.retain_mut(|roof| {
        if roof.path.sparse != sparse {
            return true;
        }
        let (top, target) = (ui.cursor().top(), Target::Compute(roof.path));
        let name = roof.path.to_string();
        let how = Some("Derive it: compute units × FLOP per clock × clock");
        let asked = number(ui, &name, "Peak rate of this path", how, &mut roof.peak);
        beside.tell(ui, About::Peak(roof.path));
        achieved(ui, &name, roof.peak.value, &mut roof.achievable);
        let achieved = roof.achievable.as_ref().map(Sourced::origin);
        beside.traced(ui, top, target, [Some(roof.peak.origin()), achieved]);
        if asked == Asked::Derive {
            derive = Some(target);
        }
        asked != Asked::Remove
    });
    derive
}

fn memory(ui: &mut Ui, gpu: &mut Gpu, beside: &mut Beside<'_>) -> Option<Target> {
    let mut derive = None;
    section(ui, "Memory roofs", |ui| add_level(ui, gpu));
    let sizes = gpu.parts.clone();
    gpu.memory.retain_mut(|roof| {
        let level = roof.level;
        let (top, target) = (ui.cursor().top(), Target::Memory(level));
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
        beside.tell(ui, About::Bandwidth(level));
        achieved(ui, level.name(), roof.bandwidth.value, &mut roof.achievable);
        let achieved = roof.achievable.as_ref().map(Sourced::origin);
        beside.traced(ui, top, target, [Some(roof.bandwidth.origin()), achieved]);
        if asked == Asked::Derive {
            derive = Some(target);
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
    let units = ComputeUnit::ALL.map(|unit| (unit, false, unit.name()));
    let sparse = (ComputeUnit::Matrix, true, "matrix, sparse");
    let menu = ui.menu_button("+", |ui| {
        for (unit, sparse, name) in units.into_iter().chain([sparse]) {
            ui.menu_button(name, |ui| {
                for format in NumberFormat::ALL {
                    let path = Path {
                        format,
                        unit,
                        accumulator: None,
                        sparse,
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

/// The ridge points of the roofs that judge; where one is known on the other basis only, that is said.
fn ridges(ui: &mut Ui, gpu: &Gpu, by: JudgedBy) {
    let Some(dram) = gpu.memory_roof(Level::Dram) else {
        return;
    };
    let dram = dram.judged(by).basis;
    let ridges = gpu.dense_roofs().filter_map(|roof| {
        let ridge = gpu.ridge_by(roof.path, Level::Dram, by)?;
        Some((roof.path, roof.judged(by).basis, ridge))
    });
    let ridges: Vec<_> = ridges.collect();
    if ridges.is_empty() {
        return;
    }
    let asked = by.name();
    section(ui, &format!("Ridge points on DRAM, {asked}"), |_| {});
    for (path, peak, ridge) in ridges {
        let other = match (peak.name() == asked, dram.name() == asked) {
            (true, true) => String::new(),
            (false, true) => format!(" ({} peak)", peak.name()),
            (true, false) => format!(" ({} bandwidth)", dram.name()),
            (false, false) => format!(" ({})", peak.name()),
        };
        ui.horizontal(|ui| {
            let muted = roles(ui).muted;
            let name = format!("{path}{other}");
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.label(ridge.to_string());
                // The name has what is left.
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    let text = RichText::new(&name).color(muted);
                    ui.add(egui::Label::new(text).truncate())
                        .on_hover_text(&name);
                });
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
