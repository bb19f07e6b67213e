//! The kernels of a profile: whose they are, which are shown, the one sentence, and the rows.
mod compared;
mod filters;
mod joined;
mod profile;
mod rows;

use crate::chart::style;
use crate::chart::style::size;
use crate::model::profile::Analysed;
use crate::model::session::Session;
use crate::model::units;
use crate::model::view::View;
use crate::ui::command::Command;
use crate::ui::derived::Derived;
use crate::ui::kernels::state::Listing;
use crate::ui::request::Requests;
use crate::ui::state::UiState;
use crate::ui::widgets::{roles, segmented};
use egui::{RichText, Ui};
use std::sync::Arc;

/// Shows the kernels of the profile in view.
pub(super) fn kernels_tab(
    ui: &mut Ui,
    session: &mut Session,
    view: &mut View,
    derived: &Derived,
    state: &mut UiState,
    requests: &mut Requests,
) {
    let analysed = view.profile.and_then(|id| derived.analyses.get(id));
    let Some(analysed) = analysed else {
        return nothing(ui, requests);
    };
    let analysed = Arc::clone(analysed);
    // What was listed of a comparison that is gone are kernels.
    if derived.compared.is_none() && state.kernels.listing == Listing::Compared {
        state.kernels.listing = Listing::Kernels;
    }
    ui.spacing_mut().item_spacing.y = 4.0;
    ui.horizontal_wrapped(|ui| {
        listings(ui, derived.compared.is_some(), &mut state.kernels.listing);
        ui.add_space(4.0);
        profile::bar(ui, session, view, &analysed, state, requests);
    });
    let listing = state.kernels.listing;
    if let Some(profile) = session.profile_mut(analysed.profile.id)
        && listing == Listing::Kernels
    {
        ui.horizontal_wrapped(|ui| filters::bar(ui, profile, &analysed, state));
    }
    match (listing, &derived.compared) {
        (Listing::Compared, Some(compared)) => return compared::compared(ui, compared, requests),
        (Listing::Operators, _) => {
            return joined::joined(ui, session, view, &analysed, state, requests);
        }
        _ => {}
    }
    let order = state.kernels.order;
    state.kernels.rows.refresh(&analysed, order);
    sentence(ui, &analysed, state);
    rows::rows(ui, session, view, &analysed, state, requests);
}

/// What is listed: kernels, what they gained, or the operators they run.
fn listings(ui: &mut Ui, can_compare: bool, listing: &mut Listing) {
    let mut all = vec![
        (
            Listing::Kernels,
            ("list", "Every kernel, the one with most to win first"),
        ),
        (
            Listing::Operators,
            (
                "operators",
                "Predicted operators beside the kernels that run them",
            ),
        ),
    ];
    if can_compare {
        all.insert(
            1,
            (
                Listing::Compared,
                ("gained and lost", "Each kernel before and after"),
            ),
        );
    }
    let options: Vec<_> = all.iter().map(|(_, option)| *option).collect();
    let now = all.iter().position(|(one, _)| one == listing).unwrap_or(0);
    if let Some(chosen) = segmented(ui, &options, now) {
        *listing = all[chosen].0;
    }
}

fn nothing(ui: &mut Ui, requests: &mut Requests) {
    let muted = roles(ui).muted;
    let text = "No measured kernels yet. Drop a profiler's file here: Nsight Compute CSV, rocprof, Kineto, TraceLens, or any table.";
    ui.label(RichText::new(text).color(muted));
    ui.horizontal(|ui| {
        for command in [Command::ImportKernels, Command::Recipe] {
            let entry = command.entry();
            if ui.button(entry.name).on_hover_text(entry.tooltip).clicked() {
                requests.command(command);
            }
        }
    });
}

/// Where the time went, in one sentence, and how many kernels it is said of.
fn sentence(ui: &mut Ui, analysed: &Analysed, state: &UiState) {
    let roles = roles(ui);
    let summary = &state.kernels.rows.summary;
    let totals = &summary.totals;
    let count = |count: usize| units::count(count as f64);
    let mut parts = vec![format!("{} on the chart", count(totals.placed))];
    for (number, what) in [
        (totals.zero_work, "beside it without work"),
        (totals.not_placed(), "not placed"),
        (totals.above, "above their roof"),
        (totals.unsupported, "without a roof on this GPU"),
        (
            totals.other_path,
            "judged by the memory alone, for want of their precision's roof",
        ),
    ] {
        if number > 0 {
            parts.push(format!("{} {what}", count(number)));
        }
    }
    let all = analysed.analysis.lines.len();
    if totals.kernels < all {
        parts.push(format!(
            "{} of {} listed",
            count(totals.kernels),
            count(all)
        ));
    }
    ui.horizontal_wrapped(|ui| {
        let mut sentence = summary.sentence.clone();
        if let Some(first) = sentence.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        ui.label(RichText::new(sentence).font(style::strong(size::BODY)));
        let mut notes = analysed.profile.notes.iter();
        // Launches that are waited for weigh more than any kernel.
        if let Some(note) = notes.find(|note| note.starts_with("launch-bound: ")) {
            let text = RichText::new("but launch-bound").color(roles.warning);
            ui.label(text).on_hover_text(note);
        }
        ui.label(RichText::new(parts.join(" · ")).small().color(roles.muted));
    });
}
