//! Predicted operators of the selected workload beside the kernels that run them.
use crate::chart::style;
use crate::chart::style::Style;
use crate::chart::style::size;
use crate::model::gpu::Gpu;
use crate::model::join::{Joined, Mapping, Match};
use crate::model::profile::{Analysed, KernelId, KernelKey, Selector, pattern};
use crate::model::session::Session;
use crate::model::units::{self, Unit};
use crate::model::view::View;
use crate::ui::kernels::state::Matching;
use crate::ui::request::{Request, Requests};
use crate::ui::state::UiState;
use crate::ui::tables::grid::{Cell, Table, table};
use crate::ui::widgets::{Field, roles, text_field};
use egui::{ComboBox, RichText, Ui};
use std::sync::Arc;

/// Shows the rows matched, a way to match more, and what is left on both sides.
pub(super) fn joined(
    ui: &mut Ui,
    session: &mut Session,
    view: &View,
    analysed: &Arc<Analysed>,
    state: &mut UiState,
    requests: &mut Requests,
) {
    let roles = roles(ui);
    let say = |ui: &mut Ui, text: &str| {
        ui.label(RichText::new(text).color(roles.muted));
    };
    let Some(workload) = view.selected.and_then(|id| session.workload(id)) else {
        return say(
            ui,
            "Add or select the workload these kernels come from: its operators are matched with them.",
        );
    };
    let Some(gpu): Option<&Gpu> = analysed.gpu.as_ref() else {
        return say(ui, "Choose the GPU the kernels ran on first.");
    };
    let placement = match workload.place_on(gpu, session.assumptions) {
        Ok(placement) => placement,
        Err(reason) => return say(ui, &format!("{} is not placed: {reason}.", workload.name)),
    };
    let id = workload.id;
    let mapping = analysed
        .profile
        .choices
        .mapping(id)
        .cloned()
        .unwrap_or_default();
    let name = workload.name.clone();
    let joined = state
        .kernels
        .matching
        .joined(analysed, &placement, &name, &mapping);
    let mut changed = None;
    ui.horizontal_wrapped(|ui| {
        let short = |time: f64| units::short(time, Unit::Second);
        let text = format!(
            "{name}: {} predicted, {} measured",
            short(joined.predicted),
            short(joined.measured)
        );
        ui.label(RichText::new(text).font(style::strong(size::BODY)));
        changed = executions(ui, &mapping);
    });
    ui.horizontal_wrapped(|ui| {
        changed = more(
            ui,
            &mapping,
            &joined,
            &mut state.kernels.matching,
            analysed,
            view,
        )
        .or(changed.take());
    });
    if !joined.unknown_operators.is_empty() {
        let text = format!(
            "No operator of {name}: {}",
            joined.unknown_operators.join(", ")
        );
        ui.label(RichText::new(text).small().color(roles.warning));
    }
    let headers = [
        "Operators",
        "Kernels",
        "Predicted",
        "Measured",
        "Gap",
        "Slower",
    ]
    .map(str::to_owned);
    let rows = cells(&joined, analysed, roles);
    let spec = Table {
        name: "joined",
        headers: &headers,
        rows: rows.len(),
        words: 2,
        chooses: true,
    };
    let clicked = table(ui, &spec, |row| rows[row].clone());
    // A row tells of its longest kernel.
    let rows = joined.rows.iter().map(|row| row.kernels.first().copied());
    let operators = joined.unmatched_operators.iter().map(|_| None);
    let alone = joined.unmatched_kernels.iter().map(|line| Some(*line));
    let line = clicked.and_then(|row| rows.chain(operators).chain(alone).nth(row)?);
    requests.extend(line.map(|line| {
        let profile = analysed.profile.id;
        Request::ShowKernel(KernelId { profile, line })
    }));
    if let (Some(mapping), Some(profile)) = (changed, session.profile_mut(analysed.profile.id)) {
        profile.choices.set_mapping(id, mapping);
    }
}

/// How often the workload ran while it was measured.
fn executions(ui: &mut Ui, mapping: &Mapping) -> Option<Mapping> {
    let mut changed = None;
    let text = units::number(mapping.executions);
    let field = Field {
        label: "Executions in the profile",
        hint: "How often the workload ran while it was profiled: measured times are divided by it",
        shown: text.clone(),
        exact: text,
        placeholder: "1",
    };
    ui.label(RichText::new("executions").small());
    ui.scope(|ui| {
        ui.set_max_width(60.0);
        text_field(ui, &field, |text| match text.trim().parse::<f64>() {
            Ok(executions) if executions > 0.0 && executions.is_finite() => {
                changed = Some(Mapping {
                    executions,
                    ..mapping.clone()
                });
                Ok(())
            }
            _ => Err(format!("{text:?} is no number of executions")),
        });
    });
    changed
}

/// Matches an operator with the kernels a pattern finds, or with the selected kernel.
fn more(
    ui: &mut Ui,
    mapping: &Mapping,
    joined: &Joined,
    matching: &mut Matching,
    analysed: &Analysed,
    view: &View,
) -> Option<Mapping> {
    let left: Vec<&String> = joined
        .unmatched_operators
        .iter()
        .map(|(name, _)| name)
        .collect();
    matching.operators.retain(|name| left.contains(&name));
    let shown = match matching.operators.as_slice() {
        [] => "operators…".to_owned(),
        names => names.join(" + "),
    };
    let combo = ComboBox::from_id_salt("operators to match")
        .width(150.0)
        .selected_text(crate::chart::labels::shortened(&shown, 26))
        .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
        .show_ui(ui, |ui| {
            for name in left {
                let mut on = matching.operators.contains(name);
                if ui.checkbox(&mut on, name).changed() {
                    matching.operators.retain(|other| other != name);
                    matching.operators.extend(on.then(|| name.clone()));
                }
            }
        });
    combo.response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::ComboBox, true, "Operators to match")
    });
    let mut selector = None;
    let field = Field {
        label: "Kernels by pattern",
        hint: "A regular expression found in the names of the kernels that run these operators",
        shown: String::new(),
        exact: String::new(),
        placeholder: "kernels: gemm|cutlass",
    };
    ui.scope(|ui| {
        ui.set_max_width(190.0);
        text_field(ui, &field, |text| {
            pattern(text).map_err(|error| error.to_string())?;
            selector = Some(Selector::Pattern(text.to_owned()));
            Ok(())
        });
    });
    let selected = view
        .kernel
        .filter(|kernel| kernel.profile == analysed.profile.id);
    let button = ui.add_enabled(
        selected.is_some(),
        egui::Button::new("Match selected kernel"),
    );
    if let Some(kernel) = selected.filter(|_| button.clicked()) {
        selector = Some(Selector::Line(KernelKey::of(analysed.kernel(kernel.line))));
    }
    let mut taken = None;
    ui.add_enabled_ui(!mapping.groups.is_empty(), |ui| {
        let menu = ui.menu_button("Take apart…", |ui| {
            for (index, group) in mapping.groups.iter().enumerate() {
                let name = match group.operators.is_empty() {
                    true => "kernels without an operator".to_owned(),
                    false => group.operators.join(" + "),
                };
                if ui.button(name).clicked() {
                    taken = Some(index);
                    ui.close();
                }
            }
        });
        menu.response
            .on_hover_text("Unmatch the operators and kernels of a group");
    });
    if let Some(index) = taken {
        let mut mapping = mapping.clone();
        mapping.groups.remove(index);
        return Some(mapping);
    }
    let selector = selector?;
    let mut mapping = mapping.clone();
    let operators = std::mem::take(&mut matching.operators);
    // Without an operator chosen, kernels join the group made last: several selectors can share one.
    match mapping.groups.last_mut().filter(|_| operators.is_empty()) {
        Some(last) => last.kernels.push(selector),
        None => mapping.groups.push(Match {
            kernels: vec![selector],
            operators,
        }),
    }
    Some(mapping)
}

fn cells(joined: &Joined, analysed: &Analysed, roles: &Style) -> Vec<Vec<Cell>> {
    let time = |time: f64| units::short(time, Unit::Second);
    let nothing = || (String::new(), roles.faint);
    let matched = joined.rows.iter().map(|row| {
        let kernels = match row.kernels.as_slice() {
            [] => ("no kernel".to_owned(), roles.warning),
            [one] => (analysed.label(*one), roles.ink),
            many => (
                format!("{} and {} more", analysed.name(many[0]), many.len() - 1),
                roles.ink,
            ),
        };
        let gap = row.gap().map_or_else(nothing, |gap| {
            let sign = if gap < 0.0 { "−" } else { "+" };
            (format!("{sign}{}", time(gap.abs())), roles.ink)
        });
        vec![
            (row.operators.join(" + "), roles.ink),
            kernels,
            (time(row.predicted), roles.ink),
            row.measured
                .map_or_else(nothing, |measured| (time(measured), roles.ink)),
            gap,
            row.ratio()
                .map_or_else(nothing, |ratio| (units::factor(ratio), roles.ink)),
        ]
    });
    let operators = joined.unmatched_operators.iter().map(|(name, predicted)| {
        let unmatched = ("no kernel yet".to_owned(), roles.warning);
        vec![
            (name.clone(), roles.ink),
            unmatched,
            (time(*predicted), roles.ink),
            nothing(),
            nothing(),
            nothing(),
        ]
    });
    let kernels = joined
        .unmatched_kernels
        .iter()
        .take(MOST_UNMATCHED)
        .map(|line| {
            let measured = analysed.analysis.lines[*line as usize].time();
            let measured = measured.map(|time| time / joined.executions);
            vec![
                ("no operator yet".to_owned(), roles.warning),
                (analysed.label(*line), roles.ink),
                nothing(),
                measured.map_or_else(nothing, |measured| (time(measured), roles.ink)),
                nothing(),
                nothing(),
            ]
        });
    matched.chain(operators).chain(kernels).collect()
}

/// The most kernels without an operator that are listed, the longest first.
const MOST_UNMATCHED: usize = 200;
