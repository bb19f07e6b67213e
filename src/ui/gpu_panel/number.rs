//! A number of a GPU in the editor: its field, where it is from, and what can be done with it.
use crate::chart::style::size;
use crate::model::gpu::{Basis, Confidence, Sourced};
use crate::model::quantity::Quantity;
use crate::model::units;
use crate::ui::widgets::{Field, roles, value_field, value_row};
use egui::{Button, RichText, Ui, vec2};

/// What was asked for beside a number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    Nothing,
    Remove,
    Derive,
}

/// A number with its derive, reset and remove buttons; `derive` says how it can be derived, where it can.
pub(super) fn number<Q: Quantity + std::fmt::Display>(
    ui: &mut Ui,
    label: &str,
    hint: &str,
    derive: Option<&str>,
    number: &mut Sourced<Q>,
) -> Asked {
    number_row(ui, [label, label], hint, derive, number)
}

/// The same, with a name and what is drawn of it.
fn number_row<Q: Quantity + std::fmt::Display>(
    ui: &mut Ui,
    [label, drawn]: [&str; 2],
    hint: &str,
    derive: Option<&str>,
    number: &mut Sourced<Q>,
) -> Asked {
    let (mut reset, mut asked) = (false, Asked::Nothing);
    let beside = Beside::of(number);
    let derivation = number.derivation.clone();
    let hint = format!(
        "{hint}; a product such as 304 × 2048 × 2.1 GHz is worked out\n{}",
        beside.source
    );
    let field = Field {
        label,
        hint: &hint,
        shown: number.value.to_string(),
        exact: number.value.exact(),
        placeholder: "",
    };
    let extra = |ui: &mut Ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        reset = beside.show(ui, label);
        match derive {
            Some(how) if action(ui, "=", &format!("Derive {label}"), how) => asked = Asked::Derive,
            Some(_) => {}
            None => no_action(ui),
        }
        if action(ui, "×", &format!("Remove {label}"), "Remove it") {
            asked = Asked::Remove;
        }
    };
    value_row(ui, drawn, &field, (ACTIONS, extra), |text| {
        number.type_in(text).map_err(|error| error.to_string())
    });
    if let Some(product) = derivation {
        self::hint(ui, &format!("= {product}"));
    }
    if reset {
        number.reset();
    }
    asked
}

/// What stands beside a number: the way back to a published one, or the mark of a doubtful one.
struct Beside {
    original: Option<String>,
    source: String,
    doubtful: bool,
}

impl Beside {
    fn of<Q: Quantity + std::fmt::Display>(number: &Sourced<Q>) -> Self {
        let original = number.original.as_ref();
        let confidence = number.confidence.filter(|_| number.basis != Basis::Own);
        Self {
            original: original
                .map(|original| format!("Back to {}: {}", original.value, original.origin())),
            source: number.origin(),
            doubtful: confidence == Some(Confidence::Low),
        }
    }

    /// Returns whether to go back.
    fn show(&self, ui: &mut Ui, label: &str) -> bool {
        match &self.original {
            Some(original) => return action(ui, "↺", &format!("Reset {label}"), original),
            None if self.doubtful => {
                let colour = roles(ui).warning;
                let mark = egui::Label::new(RichText::new("?").strong().color(colour));
                ui.add_sized([ACTION, 20.0], mark)
                    .on_hover_text(&self.source);
            }
            None => no_action(ui),
        }
        false
    }
}

/// The achievable figure under a published one, where there is one.
pub(super) fn achieved<Q: Quantity + std::fmt::Display>(
    ui: &mut Ui,
    roof: &str,
    published: Q,
    achievable: &mut Option<Sourced<Q>>,
) {
    let Some(figure) = achievable else { return };
    let name = format!("{roof} achievable");
    let share = units::percent(figure.value.get() / published.get());
    let hint = format!("What good kernels were measured to reach: {share} of the published figure");
    // It stands under its roof, whose name need not be drawn twice.
    let label = [name.as_str(), "achievable"];
    if number_row(ui, label, &hint, None, figure) == Asked::Remove {
        *achievable = None;
    }
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
    value_field(ui, &field, |text| {
        *value = match text.trim() {
            "" => None,
            text => Some(Q::parse(text).map_err(|error| error.to_string())?),
        };
        Ok(())
    });
}

/// A number with its source that may be unknown; an empty field takes it away.
pub(super) fn optional_sourced<Q: Quantity + std::fmt::Display>(
    ui: &mut Ui,
    label: &str,
    hint: &str,
    value: &mut Option<Sourced<Q>>,
) {
    let beside = value.as_ref().map(Beside::of);
    let known = value.as_ref().map(|number| number.value);
    let source = beside.as_ref().map_or("", |beside| beside.source.as_str());
    let hint = format!("{hint}\n{source}");
    let field = Field {
        label,
        hint: hint.trim_end(),
        shown: known.map(|v| v.to_string()).unwrap_or_default(),
        exact: known.map(Quantity::exact).unwrap_or_default(),
        placeholder: "not given",
    };
    let mut reset = false;
    let extra = |ui: &mut Ui| {
        if let Some(beside) = &beside {
            reset = beside.show(ui, label);
        }
    };
    value_row(ui, label, &field, (ACTIONS, extra), |text| {
        match (text.trim(), &mut *value) {
            ("", value) => *value = None,
            (text, Some(number)) => number.type_in(text).map_err(|error| error.to_string())?,
            (text, value) => {
                let number = Q::parse(text).map_err(|error| error.to_string())?;
                *value = Some(Sourced::own(number));
            }
        }
        Ok(())
    });
    if let Some(number) = value.as_mut().filter(|_| reset) {
        number.reset();
    }
}

pub(super) fn hint(ui: &mut Ui, text: &str) {
    let colour = roles(ui).muted;
    ui.label(RichText::new(text).small().color(colour));
}

/// Width of a small button beside a number.
pub(super) const ACTION: f32 = 14.0;

/// Room between them.
const GAP: f32 = 1.0;

/// Width of the three beside a number.
const ACTIONS: f32 = 3.0 * ACTION + 2.0 * GAP;

/// A small button beside a number; the room it takes is kept where there is none.
pub(super) fn action(ui: &mut Ui, glyph: &str, name: &str, hover: &str) -> bool {
    let muted = roles(ui).muted;
    let button = Button::new(RichText::new(glyph).size(size::BODY).color(muted)).frame(false);
    let response = ui.add_sized([ACTION, 20.0], button).on_hover_text(hover);
    response.widget_info(|| button_named(name.to_owned()));
    response.clicked()
}

/// The room of an action where there is none.
pub(super) fn no_action(ui: &mut Ui) {
    ui.allocate_exact_size(vec2(ACTION, 20.0), egui::Sense::hover());
}

/// Room for the three actions that other numbers have.
pub(super) fn no_actions(ui: &mut Ui) {
    ui.spacing_mut().item_spacing.x = GAP;
    (0..3).for_each(|_| no_action(ui));
}

pub(super) fn button_named(name: String) -> egui::WidgetInfo {
    egui::WidgetInfo::labeled(egui::Role::Button, true, name)
}
