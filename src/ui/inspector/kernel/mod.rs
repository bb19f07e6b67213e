//! The answer for a selected kernel: its time, the gap, what is odd, how it was read, and what can be given.
mod giving;
mod reading;

use crate::chart::style::size;
use crate::chart::style::{self, Style};
use crate::model::measurement::Verdict;
use crate::model::profile::{Analysed, KernelId};
use crate::model::session::Session;
use crate::model::units::{self, Unit};
use crate::ui::command::Command;
use crate::ui::derived::Derived;
use crate::ui::kernels::facts;
use crate::ui::request::Requests;
use crate::ui::state::UiState;
use crate::ui::widgets::{Bar, Field, ladder, roles, section, value_field};
use egui::{RichText, Ui};

/// Shows the answer.
pub fn kernel(
    ui: &mut Ui,
    session: &mut Session,
    kernel: KernelId,
    derived: &Derived,
    state: &mut UiState,
    requests: &mut Requests,
) {
    let Some(analysed) = derived.analyses.of_kernel(kernel) else {
        return;
    };
    let roles = roles(ui);
    section(ui, "Kernel", |ui| {
        let back = Command::LeaveKernel.entry();
        if ui
            .small_button(back.name)
            .on_hover_text(back.tooltip)
            .clicked()
        {
            requests.command(Command::LeaveKernel);
        }
    });
    names(ui, session, analysed, kernel, requests);
    headline(ui, analysed, kernel.line, roles);
    gap(ui, analysed, kernel.line, roles);
    let doubts = analysed.analysis.doubts(
        &analysed.profile,
        kernel.line as usize,
        analysed.gpu.as_ref(),
    );
    for doubt in doubts {
        ui.label(RichText::new(doubt).small().color(roles.warning));
    }
    // Where something keeps it from the chart, that comes first.
    let lacks = !analysed.analysis.lines[kernel.line as usize]
        .missing
        .is_nothing();
    if lacks {
        giving::giving(ui, session, analysed, kernel, state);
    }
    reading::reading(ui, analysed, kernel.line, roles);
    section(ui, "In numbers", |_| {});
    for (name, value) in facts(analysed, kernel.line) {
        super::fact(ui, name, &value);
    }
    reading::more(ui, analysed, kernel.line);
    if !lacks {
        giving::giving(ui, session, analysed, kernel, state);
    }
    total(ui, analysed, roles);
}

fn names(
    ui: &mut Ui,
    session: &mut Session,
    analysed: &Analysed,
    kernel: KernelId,
    requests: &mut Requests,
) {
    let roles = roles(ui);
    let full = analysed.kernel(kernel.line).name.to_string();
    let name = analysed.name(kernel.line);
    ui.label(RichText::new(&name).font(style::strong(size::HEADING)));
    if name != full {
        let text = RichText::new(&full)
            .monospace()
            .size(size::LABEL)
            .color(roles.muted);
        egui::ScrollArea::vertical()
            .id_salt("full name")
            .max_height(66.0)
            .show(ui, |ui| {
                ui.add(egui::Label::new(text).wrap().selectable(true))
            });
    }
    ui.horizontal_wrapped(|ui| {
        let launch = &analysed.kernel(kernel.line).launch;
        if !launch.is_empty() {
            ui.label(RichText::new(&**launch).small().color(roles.muted));
        }
        let copy = Command::CopyKernel.entry();
        if ui
            .small_button(copy.name)
            .on_hover_text(copy.tooltip)
            .clicked()
        {
            requests.command(Command::CopyKernel);
        }
    });
    let alias = analysed
        .profile
        .choices
        .alias(&full)
        .unwrap_or_default()
        .to_owned();
    let field = Field {
        label: "Own name",
        hint: "Stands for the kernel on the chart and in tables; empty goes back to the short name",
        shown: alias.clone(),
        exact: alias,
        placeholder: "as read",
    };
    value_field(ui, &field, |text| {
        if let Some(profile) = session.profile_mut(kernel.profile) {
            profile.choices.set_alias(&full, text);
        }
        Ok(())
    });
}

fn headline(ui: &mut Ui, analysed: &Analysed, line: u32, roles: &Style) {
    let judged = &analysed.analysis.lines[line as usize];
    if let Some(share) = judged.share().filter(|_| judged.per_second) {
        let words =
            "of the roof · the file has rates and no time, so nothing says what there is to win";
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new(units::percent(share)).font(style::strong(24.0)));
            ui.label(RichText::new(words).color(roles.muted));
        });
        return;
    }
    let Some(time) = judged.time() else {
        let text = "No time was measured: without it there is no rate and no place on the chart.";
        ui.label(RichText::new(text).color(roles.warning));
        return;
    };
    let words = match (judged.bound(), judged.recoverable()) {
        (Some(bound), Some(recoverable)) if recoverable >= 0.0 => format!(
            "measured · roof {} · {} to win",
            units::short(bound, Unit::Second),
            units::short(recoverable, Unit::Second)
        ),
        (Some(bound), _) => format!(
            "measured · roof {}: above it",
            units::short(bound, Unit::Second)
        ),
        _ => "measured · no roof says how long it must take".to_owned(),
    };
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(units::short(time, Unit::Second)).font(style::strong(24.0)));
        ui.label(RichText::new(words).color(roles.muted));
    });
    if let Some(verdict) = judged.verdict() {
        let shares = analysed.analysis.shares(&analysed.profile, line as usize);
        let shares = shares.iter().map(|(basis, share)| {
            format!("{} of the {} roof", units::percent(*share), basis.name())
        });
        let shares: Vec<_> = shares.collect();
        let text = format!(
            "{} · {} ({})",
            shares.join(", "),
            verdict.name(),
            verdict.limits(judged.basis)
        );
        let colour = match verdict {
            Verdict::Good | Verdict::Excellent => roles.good,
            _ => roles.warning,
        };
        ui.label(RichText::new(text).size(size::SMALL).color(colour));
    }
    if let (Some(ratio), Some(share), Some(nominal)) =
        (judged.clock_ratio(), judged.share(), judged.nominal_share())
    {
        let text = format!(
            "At {} of the nominal clock: {} of the roofs at that clock, {} of the nominal ones.",
            units::percent(ratio),
            units::percent(share),
            units::percent(nominal)
        );
        ui.label(RichText::new(text).small().color(roles.muted));
    }
    if analysed.gpu.is_none() {
        let text = "Choose the GPU it ran on, above the table, to see what the roofs allow.";
        ui.label(RichText::new(text).small().color(roles.warning));
    }
}

/// The gap of all kernels together.
fn total(ui: &mut Ui, analysed: &Analysed, roles: &Style) {
    let totals = &analysed.analysis.summary.totals;
    if totals.judged == totals.above {
        return;
    }
    section(ui, &format!("All of {}", analysed.profile.name), |_| {});
    let text = format!(
        "{} measured · {} to win in {} kernels",
        units::short(totals.ladder.measured(), Unit::Second),
        units::short(totals.recoverable, Unit::Second),
        units::count((totals.judged - totals.above) as f64)
    );
    let text = match totals.above {
        0 => text,
        n => format!(
            "{text}; without {} above their roofs",
            units::count(n as f64)
        ),
    };
    let text = match totals.ladder.waiting {
        0.0 => text,
        waiting => format!(
            "{text} · {} of waiting between kernels beside it",
            units::short(waiting, Unit::Second)
        ),
    };
    ui.label(RichText::new(text).small().color(roles.muted));
    let rungs = totals.ladder.rungs();
    let bars: Vec<Bar> = rungs
        .iter()
        .map(|rung| super::rung_bar(rung, roles))
        .collect();
    ladder(ui, &bars);
}

fn gap(ui: &mut Ui, analysed: &Analysed, line: u32, roles: &Style) {
    let Some(gap) = analysed.analysis.ladder(&analysed.profile, line as usize) else {
        return;
    };
    let bars: Vec<Bar> = gap
        .rungs()
        .iter()
        .map(|rung| super::rung_bar(rung, roles))
        .collect();
    ladder(ui, &bars);
}
