//! Which profile is listed, on which GPU it is judged, and what it is compared with.
use crate::model::ids::{GpuId, ProfileId};
use crate::model::profile::Analysed;
use crate::model::session::Session;
use crate::model::units;
use crate::model::view::View;
use crate::ui::command::Command;
use crate::ui::request::{Request, Requests};
use crate::ui::state::UiState;
use crate::ui::widgets::{combo, roles};
use egui::{RichText, Ui};

/// The width of the choices, in points.
pub(super) const WIDTH: f32 = 90.0;

/// Shows the choices.
pub(super) fn bar(
    ui: &mut Ui,
    session: &mut Session,
    view: &mut View,
    analysed: &Analysed,
    state: &UiState,
    requests: &mut Requests,
) {
    let id = analysed.profile.id;
    let profiles: Vec<_> = session
        .profiles
        .iter()
        .map(|p| (p.id, p.name.clone()))
        .collect();
    if let Some(chosen) = combo(ui, "Profile", Some(id), &profiles, None, WIDTH) {
        view.profile = chosen.or(view.profile);
    }
    let mut shown = view.shows_profile(id);
    if ui.checkbox(&mut shown, "on chart").changed() {
        requests.push(Request::ToggleProfile(id));
    }
    let gpus: Vec<_> = session
        .gpus
        .iter()
        .map(|gpu| (gpu.id, gpu.name.clone()))
        .collect();
    let judged_by = analysed.profile.gpu;
    let chosen: Option<Option<GpuId>> = combo(
        ui,
        "GPU it ran on",
        judged_by,
        &gpus,
        Some("no GPU yet"),
        WIDTH,
    );
    let others = profiles
        .into_iter()
        .filter(|(other, _)| *other != id)
        .collect::<Vec<_>>();
    let against: Option<Option<ProfileId>> = match others.is_empty() {
        true => None,
        false => {
            let now = analysed.profile.choices.against;
            combo(
                ui,
                "Compared with",
                now,
                &others,
                Some("compare with…"),
                WIDTH,
            )
        }
    };
    if let Some(profile) = session.profile_mut(id) {
        profile.gpu = chosen.unwrap_or(profile.gpu);
        profile.choices.against = against.unwrap_or(profile.choices.against);
    }
    clock(ui, analysed);
    let summary = Command::FileSummary.entry();
    let mut reads = state.kernels.read.iter();
    let warnings = reads.find(|read| read.profile == id);
    let text = match warnings.map_or(0, |read| read.warnings.len()) {
        0 => RichText::new(summary.name),
        1 => RichText::new("1 warning…").color(roles(ui).warning),
        n => RichText::new(format!("{n} warnings…")).color(roles(ui).warning),
    };
    let button = ui.small_button(text).on_hover_text(summary.tooltip);
    button.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, summary.name));
    if button.clicked() {
        requests.command(Command::FileSummary);
    }
}

/// The clock of the run, where roofs follow it.
fn clock(ui: &mut Ui, analysed: &Analysed) {
    let Some(clock) = analysed.analysis.clock_text() else {
        return;
    };
    let totals = &analysed.analysis.summary.totals;
    let text = format!("at {clock} of the clock");
    let muted = roles(ui).muted;
    let share = |bound: f64| units::percent(bound / totals.judged_time);
    let hover = format!(
        "Compute, L2 and L1 roofs follow the clock each kernel ran at; the chart shows those of the selected one, or of the mean clock, beside the nominal ones. All kernels reach {} of those, {} of the nominal roofs",
        share(totals.bound),
        share(totals.nominal_bound)
    );
    ui.label(RichText::new(text).small().color(muted))
        .on_hover_text(hover);
}
