//! What would help: the fixes of both regimes with their effect.
use crate::chart::fonts;
use crate::chart::style::Style;
use crate::chart::style::size;
use crate::model::gpu::Gpu;
use crate::model::placement::Placement;
use crate::model::quantity::Seconds;
use crate::model::units::{self};
use crate::model::what_if::Fix;
use crate::ui::derived::Selected;
use crate::ui::lesson::Course;
use crate::ui::request::{Request, Requests};
use crate::ui::state::UiState;
use crate::ui::widgets::section;
use egui::{Button, RichText, Ui};

pub(super) fn fixes(
    ui: &mut Ui,
    selected: &Selected,
    placement: &Placement,
    state: &mut UiState,
    requests: &mut Requests,
    roles: &Style,
) {
    section(ui, "What would help", |ui| {
        let items = "new time · throughput";
        ui.label(RichText::new(items).size(size::LABEL).color(roles.muted));
    });
    if state.course.as_mut().is_some_and(Course::leads_to_fixes) {
        ui.scroll_to_cursor(Some(egui::Align::TOP));
    }
    let predicting = state.course.as_ref().is_some_and(Course::is_predicting);
    let mut row = None;
    let mut shown = None;
    for (i, fix) in selected.fixes.iter().enumerate() {
        if row != Some(fix.row) {
            row = Some(fix.row);
            let own = fix.row == placement.regime();
            let text = format!("{}: {}", fix.row.name(), fix.row.advice());
            let colour = if own {
                roles.regime(fix.row)
            } else {
                roles.muted
            };
            ui.add_space(4.0);
            ui.label(RichText::new(text).size(size::LABEL).color(colour));
        }
        let own = fix.row == placement.regime();
        let response = match predicting {
            // It would tell what a lesson asks.
            true => ui.add(
                Button::new(
                    RichText::new(&fix.name)
                        .size(size::CONTROL)
                        .color(roles.ink),
                )
                .right_text(RichText::new("predict first").small().color(roles.muted))
                .frame_when_inactive(false)
                .truncate()
                .min_size(egui::vec2(ui.available_width(), 24.0)),
            ),
            false => fix_row(ui, fix, placement.time(), own, roles),
        };
        if predicting {
            continue;
        }
        if response.hovered() || response.has_focus() {
            shown = Some(i);
        }
        if response.clicked() {
            keep(fix, &selected.gpu, requests);
        }
    }
    state.shown_fix = shown;
}

pub(super) fn fix_row(
    ui: &mut Ui,
    fix: &Fix,
    before: Seconds,
    own: bool,
    roles: &Style,
) -> egui::Response {
    let effect = if fix.does_not_fit {
        format!("does not fit · {}", units::factor(fix.throughput_factor))
    } else if fix.helps() || own || fix.time_factor < 0.995 {
        format!(
            "{} · {}",
            fix.after.time(),
            units::factor(fix.throughput_factor)
        )
    } else {
        "×1.00: does nothing here".to_owned()
    };
    let (ink, colour) = match (own, fix.helps()) {
        (true, true) => (roles.ink, roles.good),
        (true, false) => (roles.ink, roles.muted),
        (false, _) => (roles.muted, roles.muted),
    };
    let name = RichText::new(&fix.name).size(size::CONTROL).color(ink);
    let effect_text = RichText::new(&effect)
        .family(fonts::bold())
        .size(size::CONTROL)
        .color(colour);
    let button = Button::new(name)
        .right_text(effect_text)
        .frame_when_inactive(false)
        .truncate()
        .min_size(egui::vec2(ui.available_width(), 24.0));
    let response = ui.add(button);
    response.widget_info(|| {
        let text = format!("{}: {effect}", fix.name);
        egui::WidgetInfo::labeled(egui::Role::Button, true, text)
    });
    if response.gained_focus() {
        response.scroll_to_me(None);
    }
    response.on_hover_text(format!(
        "{}\nstep time {} instead of {} ({}), throughput {}\nClick to keep it as a variant",
        fix.name,
        fix.after.time(),
        before,
        units::factor(fix.time_factor),
        units::factor(fix.throughput_factor)
    ))
}

/// Keeps a fix as a variant beside the original.
pub(super) fn keep(fix: &Fix, gpu: &Gpu, requests: &mut Requests) {
    if fix.changes_gpu(gpu) {
        let mut variant = fix.gpu.clone();
        variant.name = format!("{} variant", gpu.name);
        requests.push(Request::AddGpu(Box::new(variant)));
    } else {
        let mut variant = fix.workload.clone();
        variant.name = format!("{}, {}", fix.workload.name, lower_first(&fix.name));
        variant.measurements.clear();
        requests.push(Request::AddWorkload(Box::new(variant)));
    }
}

pub(super) fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    let second_is_lower = text.chars().nth(1).is_some_and(char::is_lowercase);
    match chars.next() {
        Some(first) if second_is_lower => first.to_lowercase().chain(chars).collect(),
        _ => text.to_owned(),
    }
}
