//! Which profile is listed, on which GPU it is judged, and what it is compared with.
use crate::model::ids::{GpuId, ProfileId};
use crate::model::profile::Analysed;
use crate::model::session::Session;
use crate::model::units;
use crate::model::view::View;
use crate::ui::command::Command;
use crate::ui::request::{Request, Requests};
use crate::ui::widgets::roles;
use egui::{ComboBox, RichText, Ui};

/// Shows the choices.
pub(super) fn bar(
    ui: &mut Ui,
    session: &mut Session,
    view: &mut View,
    analysed: &Analysed,
    requests: &mut Requests,
) {
    let id = analysed.profile.id;
    let profiles: Vec<_> = session
        .profiles
        .iter()
        .map(|p| (p.id, p.name.clone()))
        .collect();
    if let Some(chosen) = choice(ui, "Profile", Some(id), profiles.clone(), None) {
        view.profile = chosen.or(view.profile);
    }
    let mut shown = view.shows_profile(id);
    if ui.checkbox(&mut shown, "on chart").changed() {
        requests.push(Request::ToggleProfile(id));
    }
    ui.label(RichText::new("on").small().color(roles(ui).muted));
    let gpus = session
        .gpus
        .iter()
        .map(|gpu| (gpu.id, gpu.name.clone()))
        .collect();
    let judged_by = analysed.profile.gpu;
    let chosen: Option<Option<GpuId>> =
        choice(ui, "GPU it ran on", judged_by, gpus, Some("no GPU yet"));
    let others = profiles
        .into_iter()
        .filter(|(other, _)| *other != id)
        .collect::<Vec<_>>();
    let against: Option<Option<ProfileId>> = match others.is_empty() {
        true => None,
        false => {
            let now = analysed.profile.choices.against;
            choice(ui, "Compared with", now, others, Some("compare with…"))
        }
    };
    if let Some(profile) = session.profile_mut(id) {
        profile.gpu = chosen.unwrap_or(profile.gpu);
        profile.choices.against = against.unwrap_or(profile.choices.against);
    }
    clock(ui, analysed);
    let summary = Command::FileSummary.entry();
    if ui
        .small_button(summary.name)
        .on_hover_text(summary.tooltip)
        .clicked()
    {
        requests.command(Command::FileSummary);
    }
}

/// A choice by name; `Some` of what was chosen.
pub(super) fn choice<T: PartialEq + Copy>(
    ui: &mut Ui,
    label: &str,
    now: Option<T>,
    options: Vec<(T, String)>,
    none: Option<&str>,
) -> Option<Option<T>> {
    let name = options.iter().find(|(option, _)| Some(*option) == now);
    let name = name
        .map(|(_, name)| name.as_str())
        .or(none)
        .unwrap_or_default();
    let mut chosen = None;
    let combo = ComboBox::from_id_salt(label)
        .width(90.0)
        .selected_text(crate::chart::labels::shortened(name, 28))
        .show_ui(ui, |ui| {
            if let Some(none) = none
                && ui.selectable_label(now.is_none(), none).clicked()
            {
                chosen = Some(None);
            }
            for (option, name) in &options {
                if ui.selectable_label(now == Some(*option), name).clicked() {
                    chosen = Some(Some(*option));
                }
            }
        });
    combo.response.widget_info(|| {
        let mut info = egui::WidgetInfo::labeled(egui::Role::ComboBox, true, label);
        info.current_text_value = Some(name.to_owned());
        info
    });
    chosen.filter(|chosen| *chosen != now)
}

/// The clock of the run, where roofs follow it.
fn clock(ui: &mut Ui, analysed: &Analysed) {
    let Some(ratio) = analysed.analysis.clock_ratio else {
        return;
    };
    let totals = &analysed.analysis.summary.totals;
    let text = format!("clock of the run: {} of nominal", units::percent(ratio));
    let muted = roles(ui).muted;
    let share = |bound: f64| units::percent(bound / totals.judged_time);
    let hover = format!(
        "Compute, L2 and L1 roofs follow the clock of the run: all kernels reach {} of those, {} of the nominal roofs",
        share(totals.bound),
        share(totals.nominal_bound)
    );
    ui.label(RichText::new(text).small().color(muted))
        .on_hover_text(hover);
}
