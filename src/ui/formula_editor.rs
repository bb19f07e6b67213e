//! The editor of a formula: the user's own parameters, which can be added, renamed and removed, and the texts.
use super::half_typed::HalfTyped;
use super::parameter_field::{choice, parameter};
use super::widgets::{Field, bare_field, fold, roles, section, show_error};
use crate::chart::style::size;
use crate::model::ids::WorkloadId;
use crate::model::quantity::{Quantity as _, Ratio};
use crate::model::sweep;
use crate::model::units::Unit;
use crate::model::workload::{Family as _, Formula, Kind, Parameter, Slot};
use egui::{Align, Button, CollapsingHeader, Id, Layout, RichText, Ui};

/// Width of the fields of a row.
const NAME: f32 = 104.0;
const VALUE: f32 = 122.0;

/// Shows the parameters, the formulas and the path.
pub(super) fn formula_editor(
    ui: &mut Ui,
    id: WorkloadId,
    formula: &mut Formula,
    half_typed: &mut HalfTyped,
) {
    let before = formula.clone();
    own_parameters(ui, formula);
    if *formula != before {
        half_typed.rebase(id, &Kind::Formula(formula.clone()));
    }
    texts(ui, id, formula, half_typed);
    drag_choice(ui, formula);
}

fn own_parameters(ui: &mut Ui, formula: &mut Formula) {
    let mut added = None;
    section(ui, "Your parameters", |ui| {
        let button = ui.small_button("Add");
        let button = button.on_hover_text("Add a parameter that formulas can use");
        button.widget_info(|| named("Add parameter"));
        added = button.clicked().then(|| formula.add_parameter());
    });
    let count = formula.own_parameters().len();
    if let Some(Ok(())) = added {
        // It is there to be named.
        let id = name_id(ui, count - 1);
        ui.memory_mut(|memory| memory.request_focus(id));
    }
    let refused = added.and_then(Result::err);
    show_error(ui, refused.map(|error| error.to_string()));
    let mut removed = None;
    for index in 0..count {
        if row(ui, formula, index) {
            removed = Some(index);
        }
    }
    if let Some(index) = removed {
        let name = formula.own_parameters()[index].name().to_owned();
        if formula.remove_parameter(index).is_err() {
            let refused = refused_id(ui);
            ui.data_mut(|data| data.insert_temp(refused, name));
        }
    }
}

fn name_id(ui: &Ui, index: usize) -> Id {
    ui.make_persistent_id(("own name", index))
}

/// Under which the parameter is remembered whose removal was refused last.
fn refused_id(ui: &Ui) -> Id {
    ui.make_persistent_id("removal refused")
}

/// A parameter: name, value, and whether it is to be removed.
fn row(ui: &mut Ui, formula: &mut Formula, index: usize) -> bool {
    let name_id = name_id(ui, index);
    let value_id = ui.make_persistent_id(("own value", index));
    let mut remove = false;
    let errors = ui.horizontal(|ui| {
        ui.set_min_height(26.0);
        let misnamed = name(ui, name_id, formula, index);
        let refused = ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let muted = roles(ui).muted;
            let button = Button::new(RichText::new("×").size(size::BODY).color(muted)).frame(false);
            let button = ui.add(button).on_hover_text("Remove it");
            let name = formula.own_parameters()[index].name();
            button.widget_info(|| named(&format!("Remove {name}")));
            remove = button.clicked();
            value(ui, value_id, formula, index)
        });
        [misnamed, refused.inner]
    });
    for error in errors.inner {
        show_error(ui, error);
    }
    show_error(ui, removal_refused(ui, formula, index));
    remove
}

fn name(ui: &mut Ui, id: Id, formula: &mut Formula, index: usize) -> Option<String> {
    let name = formula.own_parameters()[index].name().to_owned();
    let field = Field {
        label: &format!("Name of {name}"),
        hint: "The name in the formulas, which follow when it is changed",
        shown: name.clone(),
        exact: name,
        placeholder: "name",
    };
    let (_, error) = bare_field(ui, id, &field, NAME, Align::LEFT, |text| {
        let renamed = formula.rename_parameter(index, text);
        renamed.map_err(|error| error.to_string())
    });
    error
}

fn value(ui: &mut Ui, id: Id, formula: &mut Formula, index: usize) -> Option<String> {
    let own = &formula.own_parameters()[index];
    let name = own.name().to_owned();
    let field = Field {
        label: &name,
        hint: "A number such as 8192, 4k, 2^13 or 0.5",
        shown: sweep::value_text(own.value().get(), Unit::Ratio),
        exact: own.value().exact(),
        placeholder: "",
    };
    let (_, error) = bare_field(ui, id, &field, VALUE, Align::RIGHT, |text| {
        let value = Ratio::parse(text).map_err(|error| error.to_string())?;
        let changed = formula.with_value(index, value);
        *formula = changed.map_err(|error| error.to_string())?;
        Ok(())
    });
    error
}

/// Why a parameter was not removed, until the next press.
fn removal_refused(ui: &Ui, formula: &Formula, index: usize) -> Option<String> {
    let id = refused_id(ui);
    if ui.input(|input| input.pointer.any_pressed()) {
        ui.data_mut(|data| data.remove::<String>(id));
    }
    let refused: String = ui.data(|data| data.get_temp(id))?;
    if formula.own_parameters()[index].name() != refused {
        return None;
    }
    let error = formula.clone().remove_parameter(index).err()?;
    Some(error.to_string())
}

/// The formulas, those of the caches folded away until one is given, and the path.
fn texts(ui: &mut Ui, id: WorkloadId, formula: &mut Formula, half_typed: &mut HalfTyped) {
    let before = Kind::Formula(formula.clone());
    let mut caches = Vec::new();
    let mut others = Vec::new();
    for shown in formula.parameters() {
        match &shown.slot {
            Slot::Number(_) => {}
            Slot::Text(slot) if slot.is_optional() => caches.push(shown),
            Slot::Text(_) => parameter(ui, id, &before, shown, half_typed),
            _ => others.push(shown),
        }
    }
    let is_given = |cache: &Parameter<'_>| match &cache.slot {
        Slot::Text(slot) => !slot.text().is_empty(),
        _ => false,
    };
    let given = caches.iter().any(is_given);
    let header = CollapsingHeader::new("Traffic at the caches").default_open(given);
    fold(ui, header, |ui| {
        for cache in caches {
            parameter(ui, id, &before, cache, half_typed);
        }
    });
    for other in others {
        parameter(ui, id, &before, other, half_typed);
    }
}

fn drag_choice(ui: &mut Ui, formula: &mut Formula) {
    const NONE: &str = "none";
    let chosen = formula.drag_parameter().map(str::to_owned);
    let names: Vec<String> = formula
        .own_parameters()
        .iter()
        .map(|own| own.name().to_owned())
        .collect();
    let mut now = chosen.clone();
    let shown = chosen.as_deref().unwrap_or(NONE);
    let hint = "The parameter that follows when the mark is dragged along the intensities";
    choice(ui, "Drag solves for", hint, shown, |ui| {
        ui.selectable_value(&mut now, None, NONE);
        for name in names {
            ui.selectable_value(&mut now, Some(name.clone()), name);
        }
    });
    if now != chosen && formula.set_drag(now.as_deref()).is_err() {
        ui.ctx().request_repaint();
    }
}

fn named(name: &str) -> egui::WidgetInfo {
    egui::WidgetInfo::labeled(egui::Role::Button, true, name)
}
