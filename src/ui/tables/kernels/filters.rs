//! Which kernels are shown: search, level, precision, regime, the heaviest; grouped by name or not.
use super::profile::WIDTH;
use crate::model::cost::{Level, Path};
use crate::model::placement::Regime;
use crate::model::profile::{Analysed, Profile, Target};
use crate::model::units;
use crate::ui::state::UiState;
use crate::ui::widgets::{combo, roles, slider};
use egui::{Id, RichText, Slider, TextEdit, Ui, vec2};

/// Shows the filters of a profile.
pub(super) fn bar(ui: &mut Ui, profile: &mut Profile, analysed: &Analysed, state: &mut UiState) {
    let choices = &mut profile.choices;
    search(ui, &mut choices.filter.name, state);
    if let Some(problem) = choices.filter.problem() {
        ui.label(RichText::new("plain text").small().color(roles(ui).muted))
            .on_hover_text(problem.to_string());
    }
    let (paths, levels) = occurring(analysed);
    let filter = &mut choices.filter;
    let named: Vec<_> = levels
        .into_iter()
        .map(|level| (level, level.name().to_owned()))
        .collect();
    if let Some(chosen) = combo(ui, "Level", filter.level, &named, Some("any level"), WIDTH) {
        filter.level = chosen;
    }
    let named: Vec<_> = paths
        .into_iter()
        .map(|path| (path, path.to_string()))
        .collect();
    if let Some(chosen) = combo(
        ui,
        "Precision",
        filter.path,
        &named,
        Some("any precision"),
        WIDTH,
    ) {
        filter.path = chosen;
    }
    let regimes = [Regime::MemoryBound, Regime::ComputeBound];
    let named = regimes
        .map(|regime| (regime, regime.name().to_owned()))
        .to_vec();
    if let Some(chosen) = combo(
        ui,
        "Regime",
        filter.regime,
        &named,
        Some("any regime"),
        WIDTH,
    ) {
        filter.regime = chosen;
    }
    heaviest(ui, &mut filter.heaviest);
    ui.checkbox(&mut choices.grouped, "by name").on_hover_text(
        "One row for all launch shapes of a name: sums over sums, never a mean of ratios",
    );
    let left_out = choices.hidden.len() + choices.isolated.len();
    let filtered = !choices.filter.is_open() || left_out > 0;
    if filtered
        && ui
            .button("Show all")
            .on_hover_text("Takes every filter away and shows hidden kernels")
            .clicked()
    {
        choices.filter = Default::default();
        choices.hidden.clear();
        choices.isolated.clear();
    }
    if !choices.hidden.is_empty() {
        let text = format!("{} hidden", units::count(choices.hidden.len() as f64));
        ui.label(RichText::new(text).small().color(roles(ui).muted));
    }
    if !choices.isolated.is_empty() {
        ui.label(RichText::new("isolated").small().color(roles(ui).accent));
    }
}

fn search(ui: &mut Ui, text: &mut String, state: &mut UiState) {
    let edit = TextEdit::singleline(text)
        .id(Id::unique("kernel search"))
        .desired_width(96.0)
        .hint_text("Search");
    let response = ui.add(edit);
    response.widget_info(|| {
        let mut info = egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Search kernels");
        info.current_text_value = Some(text.clone());
        info
    });
    if std::mem::take(&mut state.kernels.focus_search) {
        response.request_focus();
    }
}

/// The part of the time that the kernels shown hold together.
fn heaviest(ui: &mut Ui, part: &mut Option<f64>) {
    let mut percent = part.unwrap_or(1.0) * 100.0;
    let size = vec2(146.0, ui.spacing().interact_size.y);
    let response = ui.allocate_ui(size, |ui| {
        ui.spacing_mut().slider_width = 52.0;
        let text = match *part {
            Some(_) => format!("{percent:.0} % of time"),
            None => "all of time".to_owned(),
        };
        let part = Slider::new(&mut percent, 1.0..=100.0)
            .show_value(false)
            .trailing_fill(true);
        let response = slider(ui, part)
            .on_hover_text("Only the heaviest kernels, which together hold this part of the time");
        response
            .widget_info(|| egui::WidgetInfo::slider(true, percent, "Heaviest kernels, % of time"));
        ui.label(RichText::new(text).small().color(roles(ui).muted));
        response
    });
    let response = response.inner;
    if response.changed() {
        *part = (percent < 100.0).then_some(percent / 100.0);
    }
}

/// The paths and levels that kernels of a profile have something of.
fn occurring(analysed: &Analysed) -> (Vec<Path>, Vec<Level>) {
    let (mut paths, mut levels) = (Vec::new(), Vec::new());
    for formula in &analysed.profile.kernels.formulas {
        match formula.target {
            Target::Work(path) if !paths.contains(&path) => paths.push(path),
            Target::Traffic(level) if !levels.contains(&level) => levels.push(level),
            _ => {}
        }
    }
    levels.sort();
    (paths, levels)
}
