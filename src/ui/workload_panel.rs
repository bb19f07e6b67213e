//! The right panel: the list of workloads and the editor of the selected one.
use super::command::Command;
use super::derived::Derived;
use super::formula_editor::formula_editor;
use super::half_typed::HalfTyped;
use super::parameter_field::parameter;
use super::request::{Request, Requests};
use super::state::{LastList, UiState};
use super::widgets::{Field, Tail, empty, fold, list_row, roles, section, text_field, value_field};
use crate::chart::paint;
use crate::model::gpu::Gpu;
use crate::model::ids::WorkloadId;
use crate::model::measurement::{Measurement, Observation};
use crate::model::session::{Session, Workload};
use crate::model::sweep;
use crate::model::units;
use crate::model::view::View;
use crate::model::workload::{Kind, Parameter, Slot};
use egui::{Button, RichText, Ui, vec2};

/// Shows the list and the editor.
pub fn workload_panel(
    ui: &mut Ui,
    session: &mut Session,
    view: &View,
    derived: &Derived,
    state: &mut UiState,
    requests: &mut Requests,
) {
    section(ui, "Workloads", |ui| add_menu(ui, requests));
    list(ui, session, view, derived, state, requests);
    let Some(id) = view.selected else {
        let text = "No workload yet: add one to see where it lies.";
        empty(ui, text, &[Command::AddModel, Command::Paste], requests);
        return;
    };
    let gpu = view.active.and_then(|id| session.gpu(id)).cloned();
    ui.push_id(("workload", id.0), |ui| {
        name_field(ui, session, id);
        if let Some(workload) = session.workload_mut(id) {
            parameters(ui, workload, &mut state.half_typed);
            if let Some(gpu) = &gpu {
                on_gpu(ui, workload, gpu);
            }
        }
    });
}

fn add_menu(ui: &mut Ui, requests: &mut Requests) {
    ui.menu_button("Add…", |ui| {
        ui.set_min_width(190.0);
        for (category, kinds) in Kind::by_category() {
            ui.menu_button(category, |ui| {
                for kind in kinds {
                    add_entry(ui, kind, requests);
                }
            });
        }
    });
}

fn add_entry(ui: &mut Ui, kind: Kind, requests: &mut Requests) {
    let title = kind.title();
    let button = Button::new(title)
        .frame_when_inactive(false)
        .min_size(vec2(190.0, 0.0));
    let hover = kind.family().formula().join("\n");
    if ui.add(button).on_hover_text(hover).clicked() {
        let workload = Workload::new(title, kind);
        requests.push(Request::AddWorkload(Box::new(workload)));
        ui.close();
    }
}

/// Height from which a list scrolls: nine rows.
const MOST_LIST_HEIGHT: f32 = 9.0 * 32.0;

fn list(
    ui: &mut Ui,
    session: &Session,
    view: &View,
    derived: &Derived,
    state: &mut UiState,
    requests: &mut Requests,
) {
    let roles = roles(ui);
    // A long list scrolls in itself, so that the editor stays in sight.
    egui::ScrollArea::vertical()
        .id_salt("workloads")
        .max_height(MOST_LIST_HEIGHT)
        .show(ui, |ui| {
            for workload in &session.workloads {
                let shape = workload.shape;
                let selected = view.selected == Some(workload.id);
                let shown = view.shows_workload(workload.id);
                let placed = derived.on_active(workload.id);
                let tail = match placed {
                    _ if !shown => Tail::Word("hidden"),
                    _ if derived.is_stale(workload.id) => {
                        Tail::Chip("last good value", roles.muted)
                    }
                    Some(Ok(placement)) => {
                        let regime = placement.regime();
                        let word = regime.name().trim_end_matches("-bound");
                        Tail::Chip(word, roles.regime(regime))
                    }
                    Some(Err(_)) => Tail::Chip("not placed", roles.warning),
                    None => Tail::Word(""),
                };
                let response = list_row(
                    ui,
                    selected,
                    !shown,
                    &workload.name,
                    &tail,
                    |painter, at| {
                        let colour = if selected { roles.accent } else { roles.ink };
                        let colour = colour.gamma_multiply(if shown { 1.0 } else { 0.4 });
                        painter.extend(paint::marker(shape, at, 5.0, false, colour, roles.panel));
                    },
                );
                if response.clicked() {
                    state.last_list = LastList::Workloads;
                    requests.push(Request::Select(workload.id));
                }
                response.context_menu(|ui| row_menu(ui, workload.id, shown, requests));
            }
        });
}

fn row_menu(ui: &mut Ui, id: WorkloadId, shown: bool, requests: &mut Requests) {
    let mut offer = |ui: &mut Ui, name: &str, asked: &[Request]| {
        if ui.button(name).clicked() {
            for request in asked {
                requests.push(request.clone());
            }
            ui.close();
        }
    };
    let then = |command| vec![Request::Select(id), Request::Do(command)];
    offer(
        ui,
        if shown { "Hide" } else { "Show" },
        &[Request::ToggleWorkload(id)],
    );
    ui.separator();
    offer(ui, "Duplicate", &then(Command::DuplicateWorkload));
    offer(ui, "Copy as text", &then(Command::Copy));
    offer(ui, "Move up", &then(Command::WorkloadUp));
    offer(ui, "Move down", &then(Command::WorkloadDown));
    ui.separator();
    offer(ui, "Remove", &then(Command::RemoveWorkload));
}

fn name_field(ui: &mut Ui, session: &mut Session, id: WorkloadId) {
    let Some((name, title)) = session
        .workload(id)
        .map(|w| (w.name.clone(), w.kind.title()))
    else {
        return;
    };
    section(ui, title, |_| {});
    let field = Field {
        label: "Workload name",
        hint: "Names are unique, since files refer to them",
        shown: name.clone(),
        exact: name,
        placeholder: "name",
    };
    text_field(ui, &field, |text| {
        session.rename_workload(id, text).map_err(|e| e.to_string())
    });
}

fn parameters(ui: &mut Ui, workload: &mut Workload, half_typed: &mut HalfTyped) {
    let before = workload.kind.clone();
    if let Kind::Formula(formula) = &mut workload.kind {
        formula_editor(ui, workload.id, formula, half_typed);
    } else {
        let id = workload.id;
        let all = workload.kind.family_mut().parameters();
        let (grouped, plain): (Vec<_>, Vec<_>) = all.into_iter().partition(|p| p.group.is_some());
        for shown in plain {
            parameter(ui, id, &before, shown, half_typed);
        }
        groups(ui, id, &before, grouped, half_typed);
    }
    // A choice can make a product too large as well; then it is taken back.
    if workload.kind.family().cost().is_err() {
        workload.kind = before;
    }
}

/// Parameters of a theme, under a heading that opens.
fn groups(
    ui: &mut Ui,
    id: WorkloadId,
    kind: &Kind,
    parameters: Vec<Parameter<'_>>,
    half_typed: &mut HalfTyped,
) {
    let mut rest = parameters;
    while let Some(group) = rest.first().and_then(|first| first.group) {
        let (now, later): (Vec<_>, Vec<_>) = rest.into_iter().partition(|p| p.group == Some(group));
        rest = later;
        let mut given: Vec<_> = now.iter().filter_map(summary).collect();
        // Formats that are alike are said once.
        given.dedup();
        let heading = match given.is_empty() {
            true => group.to_owned(),
            false => format!("{group}: {}", given.join(", ")),
        };
        let heading = RichText::new(heading).color(roles(ui).muted);
        let header = egui::CollapsingHeader::new(heading).id_salt((id, group));
        fold(ui, header, |ui| {
            for shown in now {
                parameter(ui, id, kind, shown, half_typed);
            }
        });
    }
}

/// What a closed group says of a parameter that is given.
fn summary(parameter: &Parameter<'_>) -> Option<String> {
    match &parameter.slot {
        Slot::Format(format) => Some(format.name().to_owned()),
        Slot::Number(slot) if slot.is_optional() => {
            let value = slot.value()?;
            Some(sweep::value_text(value, slot.unit()))
        }
        _ => None,
    }
}

/// What is assumed and measured on the active GPU.
fn on_gpu(ui: &mut Ui, workload: &mut Workload, gpu: &Gpu) {
    section(ui, &format!("On {}", gpu.name), |_| {});
    efficiency(ui, workload, gpu);
    measured(ui, workload, gpu);
}

fn efficiency(ui: &mut Ui, workload: &mut Workload, gpu: &Gpu) {
    let share = workload.efficiency_on(gpu.id);
    let exact = format!("{} %", units::exact(share * 100.0, units::Unit::One));
    let field = Field {
        label: "Assumed share of the roof",
        hint: "The predicted time is the roof's time ÷ this; dragging a mark down changes it",
        shown: units::percent(share),
        exact,
        placeholder: "100 %",
    };
    value_field(ui, &field, |text| {
        let number = text.trim().trim_end_matches('%');
        let percent = units::parse(number, units::Unit::One).map_err(|error| error.to_string())?;
        if percent > 0.0 && percent <= 100.0 {
            workload.set_efficiency(gpu.id, percent / 100.0);
            Ok(())
        } else {
            Err(format!(
                "{percent} % is outside 0 to 100 %: no prediction lies above the roof"
            ))
        }
    });
}

fn measured(ui: &mut Ui, workload: &mut Workload, gpu: &Gpu) {
    let measurement = workload.measurement_on(gpu.id).cloned();
    let observed = measurement.as_ref().map(|m| m.observed);
    let field = Field {
        label: "Measured",
        hint: "A time such as 6.4 ms, or a rate: 2.5 TFLOP/s, 2.5 TB/s, 156 tokens/s",
        shown: observed.map(|o| o.to_string()).unwrap_or_default(),
        exact: observed.map(Observation::exact).unwrap_or_default(),
        placeholder: "such as 6.4 ms",
    };
    value_field(ui, &field, |text| {
        if text.trim().is_empty() {
            workload.set_measurement(gpu.id, None);
            return Ok(());
        }
        let observed = Observation::parse(text).map_err(|error| error.to_string())?;
        let measurement = Measurement {
            observed,
            of: workload.kind.clone(),
        };
        measurement.time().map_err(|error| error.to_string())?;
        workload.set_measurement(gpu.id, Some(measurement));
        Ok(())
    });
    if let Some(measurement) = measurement.filter(|m| m.of != workload.kind) {
        let colour = roles(ui).muted;
        ui.label(
            RichText::new("Measured with other parameters than those above.")
                .small()
                .color(colour),
        );
        let button = ui.small_button("It was measured with these");
        if button
            .on_hover_text("Take the parameters above as those of the measurement")
            .clicked()
        {
            let of = workload.kind.clone();
            workload.set_measurement(gpu.id, Some(Measurement { of, ..measurement }));
        }
    }
}
