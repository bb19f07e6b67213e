//! What became of the profiler files read in this run, and of the kernels of the profile in view.
use super::{modal, title};
use crate::chart::style;
use crate::chart::style::size;
use crate::model::profile::Analysed;
use crate::model::units;
use crate::model::view::View;
use crate::ui::derived::Derived;
use crate::ui::kernels::state::FileSummary;
use crate::ui::request::{Request, Requests};
use crate::ui::state::UiState;
use crate::ui::widgets::roles;
use egui::{RichText, ScrollArea, Ui};

/// Shows the summary of the profile in view.
pub(super) fn file_summary(
    ui: &mut Ui,
    view: &View,
    derived: &Derived,
    state: &mut UiState,
    requests: &mut Requests,
) {
    let Some(analysed) = view.profile.and_then(|id| derived.analyses.get(id)) else {
        state.dialog = None;
        return;
    };
    let read = state
        .kernels
        .read
        .iter()
        .find(|read| read.profile == analysed.profile.id);
    let modal = modal(ui, "file summary").show(ui.ctx(), |ui| {
        ui.set_width(super::width(ui, 640.0));
        let source = &analysed.profile.source;
        title(ui, &format!("How {} was read", source.file));
        let roles = roles(ui);
        let totals = &analysed.analysis.summary.totals;
        let count = |number: usize| units::count(number as f64);
        let mut lines = vec![format!("Recognised as {}", source.format)];
        if let Some(read) = read {
            lines.push(format!("{} rows read", units::count(read.rows as f64)));
        }
        lines.push(format!(
            "{} launches of {} kernels: {} placed, {} without work beside the chart, {} not placed",
            units::count(totals.launches as f64),
            count(totals.kernels),
            count(totals.placed),
            count(totals.zero_work),
            count(totals.not_placed())
        ));
        let reasons = [
            (totals.without_work, "without work"),
            (totals.without_traffic, "without bytes"),
            (totals.without_time, "without time"),
            (
                totals.unsupported,
                "with work or traffic the GPU has no roof for",
            ),
        ];
        for (number, why) in reasons.into_iter().filter(|(number, _)| *number > 0) {
            lines.push(format!("{} {why}", count(number)));
        }
        for line in lines {
            ui.label(line);
        }
        let odd = odd(analysed);
        ScrollArea::vertical()
            .max_height(super::height_for_list(ui, 360.0))
            .show(ui, |ui| {
                list(ui, "Odd about kernels", &odd, roles.warning);
                if let Some(read) = read {
                    of_file(ui, read);
                } else {
                    list(ui, "How it was read", &analysed.profile.notes, roles.ink);
                }
            });
        ui.add_space(10.0);
        ui.horizontal(|ui| {
            let close = ui.button("Close").clicked();
            if let Some(read) = read.filter(|read| read.is_mapped())
                && ui
                    .button("Change the columns…")
                    .on_hover_text("Say otherwise which column of the table is what")
                    .clicked()
            {
                requests.push(Request::MapColumns(read.origin.clone()));
                return true;
            }
            close
        })
        .inner
    });
    if modal.inner || modal.should_close() {
        state.dialog = None;
    }
}

/// The most kernels of which it is told what is odd.
const MOST_ODD: usize = 5;

/// What is odd about the kernels with most to win and those above their roofs.
fn odd(analysed: &Analysed) -> Vec<String> {
    let analysis = &analysed.analysis;
    let above = analysis.order.iter().rev();
    let above = above.filter(|line| analysis.lines[**line as usize].is_above());
    let mut lines: Vec<u32> = above.chain(&analysis.order).copied().take(50).collect();
    lines.dedup();
    let mut odd = Vec::new();
    for line in lines {
        for doubt in analysis.doubts(&analysed.profile, line as usize, analysed.gpu.as_ref()) {
            let text = format!("{}: {doubt}", analysed.label(line));
            if !odd.contains(&text) {
                odd.push(text);
            }
        }
    }
    odd.truncate(MOST_ODD);
    odd
}

fn of_file(ui: &mut Ui, read: &FileSummary) {
    let roles = roles(ui);
    list(ui, "GPU", &read.device, roles.ink);
    list(ui, "Warnings", &read.warnings, roles.warning);
    list(ui, "How it was read", &read.notes, roles.ink);
    let skipped = read.skipped.iter().map(|(line, reason)| match line {
        0 => reason.clone(),
        line => format!("line {line}: {reason}"),
    });
    let skipped: Vec<String> = skipped.collect();
    let heading = format!("Not used: {}", units::count(read.skipped_in_all as f64));
    list(ui, &heading, &skipped, roles.muted);
    if read.skipped_in_all > read.skipped.len() as u64 && !skipped.is_empty() {
        ui.label(RichText::new("… and so on").small().color(roles.muted));
    }
}

fn list(ui: &mut Ui, heading: &str, lines: &[String], colour: egui::Color32) {
    if lines.is_empty() {
        return;
    }
    ui.add_space(8.0);
    ui.label(RichText::new(heading).font(style::strong(size::CONTROL)));
    for line in lines {
        ui.add(
            egui::Label::new(RichText::new(line).color(colour))
                .selectable(true)
                .wrap(),
        );
    }
}
