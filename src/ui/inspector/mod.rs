//! The answer for the selected workload: its time, the ladder, why, the formula, the gap, and what would help.
mod fixes;
pub mod kernel;
mod serving;

use crate::chart::fonts;
use crate::chart::style::Style;
use crate::chart::style::size;
use crate::model::measurement::{Assessment, Rung, Verdict};
use crate::model::placement::{Launches, Placement, Resource};
use crate::model::session::Workload;
use crate::model::units::{self, Unit};
use crate::model::workload::Kind;
use crate::ui::derived::Derived;
use crate::ui::lesson::Course;
use crate::ui::request::Requests;
use crate::ui::state::UiState;
use crate::ui::widgets::{Bar, ladder, roles, section};
use crate::ui::words::Explained as _;
use egui::{Align, Frame, Layout, Margin, RichText, Stroke, Ui};
use fixes::fixes;

/// Shows the answer.
pub fn inspector(ui: &mut Ui, derived: &Derived, state: &mut UiState, requests: &mut Requests) {
    let Some(selected) = &derived.selected else {
        return;
    };
    // As it was when the rest was derived: in a played sweep, at the value shown.
    let Some(workload) = derived.workload(selected.workload) else {
        return;
    };
    let roles = roles(ui);
    let secret = state.course.as_ref().is_some_and(Course::keeps_secret);
    section(ui, "Result", |ui| {
        if let Some(placement) = selected.placement.as_ref().ok().filter(|_| !secret) {
            chip(ui, placement, roles);
        }
    });
    if secret {
        let text = "Predict first, in the lesson: the answer stands here then.";
        ui.label(RichText::new(text).color(roles.muted));
        return;
    }
    let placement = match &selected.placement {
        Ok(placement) => placement,
        Err(reason) => {
            ui.label(RichText::new(format!("Not placed: {reason}.")).color(roles.warning));
            return;
        }
    };
    let assessment = match &selected.assessment {
        Some(Ok(assessment)) => Some(assessment),
        Some(Err(reason)) => {
            let text = format!("The measurement cannot be judged: {reason}.");
            ui.label(RichText::new(text).small().color(roles.warning));
            None
        }
        None => None,
    };
    if derived.is_stale(workload.id) {
        let text = "Last good value: what is typed above has a mistake and is not in force.";
        ui.label(RichText::new(text).small().color(roles.warning));
        ui.set_opacity(0.6);
    }
    headline(ui, placement, assessment, roles);
    for warning in &placement.warnings {
        ui.label(RichText::new(warning).small().color(roles.warning));
    }
    bars(ui, placement, assessment, roles);
    small(ui, &placement.explanation(), roles);
    for doubt in derived.doubts_of(selected.gpu.id) {
        if doubt.about.concerns(placement) {
            let text = format!("Judged by a doubtful roof. {doubt}");
            ui.label(RichText::new(text).small().color(roles.warning));
        }
    }
    leaves_out(ui, workload, roles);
    formula(ui, placement, workload, roles);
    if let Some(assessment) = assessment {
        gap(ui, assessment, roles);
    }
    if let (Kind::LanguageModel(model), Some(results)) = (&workload.kind, &selected.serving) {
        serving::serving(ui, model, results, roles);
    }
    facts(ui, placement, workload, assessment);
    fixes(ui, selected, placement, state, requests, roles);
}

fn chip(ui: &mut Ui, placement: &Placement, roles: &Style) {
    let regime = placement.regime();
    let colour = roles.regime(regime);
    Frame::new()
        .stroke(Stroke::new(1.0, colour))
        .corner_radius(9.0)
        .inner_margin(Margin::symmetric(8, 1))
        .show(ui, |ui| {
            let name = RichText::new(regime.name()).size(size::LABEL).color(colour);
            ui.label(name).explained(regime.name());
        });
    if placement.at_the_ridge() {
        let text = RichText::new("at the ridge")
            .size(size::LABEL)
            .color(roles.muted);
        ui.label(text)
            .on_hover_text("Within 5 % of the ridge point: both rows of advice matter");
    }
}

fn headline(ui: &mut Ui, placement: &Placement, assessment: Option<&Assessment>, roles: &Style) {
    let (time, words) = match assessment {
        Some(a) if a.recoverable >= 0.0 => {
            let to_win = units::short(a.recoverable, Unit::Second);
            let roof = a.placement.roof_time;
            (
                a.measured,
                format!("measured · roof {roof} · {to_win} to win"),
            )
        }
        Some(a) => {
            let (roof, share) = (a.placement.roof_time, units::percent(a.share));
            (
                a.measured,
                format!("measured · roof {roof} · {share}: above the roof"),
            )
        }
        None if placement.efficiency < 1.0 => {
            let share = units::percent(placement.efficiency);
            let launches = match placement.launch_time.get() > 0.0 {
                true => format!(" with launches of {}", placement.launch_time),
                false => String::new(),
            };
            let words = format!(
                "predicted at {share} · roof {}{launches}",
                placement.roof_time
            );
            (placement.time(), words)
        }
        None => (
            placement.time(),
            format!("predicted · {}", placement.overlap.name()),
        ),
    };
    ui.horizontal(|ui| {
        ui.label(
            RichText::new(time.to_string())
                .family(fonts::bold())
                .size(size::RESULT),
        );
        let above = assessment.is_some_and(|a| a.verdict == Verdict::AboveTheRoof);
        let colour = if above { roles.warning } else { roles.muted };
        // Beside the number, in as many lines as it needs.
        let words = RichText::new(words).size(size::SMALL).color(colour);
        ui.vertical(|ui| {
            ui.add_space(6.0);
            ui.add(egui::Label::new(words).wrap());
        });
    });
}

fn bars(ui: &mut Ui, placement: &Placement, assessment: Option<&Assessment>, roles: &Style) {
    let mut bars = Vec::new();
    if let Some(a) = assessment {
        bars.push(Bar {
            name: "Measured".to_owned(),
            length: a.measured.get(),
            text: a.measured.to_string(),
            colour: roles.ink,
            hover: String::new(),
        });
    }
    if placement.efficiency < 1.0 {
        bars.push(Bar {
            name: format!("At {} of it", units::percent(placement.efficiency)),
            length: placement.time().get(),
            text: placement.time().to_string(),
            colour: roles.muted,
            hover: "The time the roofs allow ÷ the share assumed".to_owned(),
        });
    }
    for term in &placement.terms {
        bars.push(Bar {
            name: match (term.resource, placement.launches) {
                (Resource::Launch, Launches::Hidden) => "launches, hidden".to_owned(),
                (resource, _) => resource.name(),
            },
            length: term.time.get(),
            text: term.time.to_string(),
            colour: match term.resource {
                Resource::Compute(_) => roles.compute,
                Resource::Memory(_) => roles.memory,
                Resource::Launch => roles.latency,
            },
            hover: format!("{} · {}", term.quotient(), term.basis.name()),
        });
    }
    ladder(ui, &bars);
}

fn small(ui: &mut Ui, text: &str, roles: &Style) {
    ui.label(RichText::new(text).small().color(roles.muted));
}

fn leaves_out(ui: &mut Ui, workload: &Workload, roles: &Style) {
    let out = workload.kind.family().leaves_out();
    if !out.is_empty() {
        let mut text = out.join("; ");
        if let Some(first) = text.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        small(ui, &format!("{text}."), roles);
    }
}

fn formula(ui: &mut Ui, placement: &Placement, workload: &Workload, roles: &Style) {
    ui.add_space(4.0);
    Frame::new()
        .fill(roles.field)
        .stroke(Stroke::new(1.0, roles.line))
        .corner_radius(5.0)
        .inner_margin(Margin::symmetric(9, 6))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            let mut lines = workload.kind.family().formula();
            // The result on a line of its own: the law is as wide as the panel.
            lines.push(placement.formula().replace(") = ", ")\n  = "));
            if placement.efficiency < 1.0 {
                lines.push(placement.time_formula_at_efficiency());
            }
            if let Some(ridge) = placement.ridge() {
                lines.push(format!("ridge {ridge}"));
            }
            let text = RichText::new(lines.join("\n"))
                .monospace()
                .size(size::LABEL);
            ui.add(egui::Label::new(text).selectable(true).wrap());
        });
}

fn gap(ui: &mut Ui, assessment: &Assessment, roles: &Style) {
    section(ui, "Share and gap", |ui| {
        let colour = match assessment.verdict {
            Verdict::Good | Verdict::Excellent => roles.good,
            _ => roles.warning,
        };
        let text = format!(
            "{} of {} · {} ({})",
            units::percent(assessment.share),
            assessment.basis.name(),
            assessment.verdict.name(),
            assessment.verdict.limits(assessment.basis)
        );
        ui.label(RichText::new(text).size(size::SMALL).color(colour));
    });
    if let Some((basis, share)) = assessment.other_share {
        let share = units::percent(share);
        small(ui, &format!("{share} of the {} roof.", basis.name()), roles);
    }
    let bars: Vec<_> = assessment
        .gap
        .iter()
        .map(|rung| rung_bar(rung, roles))
        .collect();
    ladder(ui, &bars);
    let causes = assessment.verdict.causes();
    if !causes.is_empty() {
        let ranked: Vec<_> = causes
            .iter()
            .enumerate()
            .map(|(i, c)| format!("{}. {c}", i + 1))
            .collect();
        small(ui, &format!("Likely: {}.", ranked.join(" ")), roles);
    }
}

fn rung_bar(rung: &Rung, roles: &Style) -> Bar {
    let sign = if rung.adds < 0.0 { "−" } else { "" };
    Bar {
        name: rung.name.to_owned(),
        length: rung.adds,
        text: format!("{sign}{}", units::short(rung.adds.abs(), Unit::Second)),
        colour: roles.faint,
        hover: String::new(),
    }
}

fn facts(ui: &mut Ui, placement: &Placement, workload: &Workload, assessment: Option<&Assessment>) {
    section(ui, "In numbers", |_| {});
    let or_none = |value: Option<String>| value.unwrap_or_else(|| "none".to_owned());
    fact(ui, "Work", &placement.work.to_string());
    fact(
        ui,
        "Traffic",
        &format!("{} at {}", placement.traffic, placement.level.name()),
    );
    fact(
        ui,
        "Intensity",
        &or_none(placement.intensity().map(|i| i.to_string())),
    );
    fact(
        ui,
        "Ridge",
        &or_none(placement.ridge().map(|r| r.to_string())),
    );
    fact(ui, "Limiter", &placement.limiter().resource.name());
    let runner_up = placement.runner_up().map(|term| term.resource.name());
    fact(ui, "Runner-up", &or_none(runner_up));
    fact(
        ui,
        "Attainable",
        &or_none(placement.attainable().map(|a| a.to_string())),
    );
    if let Some(part) = placement.arithmetic_utilisation() {
        let text = format!("at most {} of the arithmetic", units::percent(part));
        fact(ui, "Utilisation", &text);
    }
    // Of a language model, serving has said it.
    if matches!(workload.kind, Kind::LanguageModel(_)) {
        return;
    }
    let items = workload.kind.family().items();
    let rate = items.per_execution / placement.time().get();
    fact(
        ui,
        &format!("{}s per second", capital(items.name)),
        &units::number(rate),
    );
    if let Some(a) = assessment {
        let rate = items.per_execution / a.measured.get();
        fact(ui, "as measured", &units::number(rate));
    }
    if items.users > 1.0 {
        fact(ui, "Per user", &units::number(rate / items.users));
    }
}

fn capital(word: &str) -> String {
    let mut word = word.to_owned();
    if let Some(first) = word.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    word
}

fn fact(ui: &mut Ui, name: &str, value: &str) {
    let muted = roles(ui).muted;
    ui.horizontal(|ui| {
        ui.label(RichText::new(name).color(muted)).explained(name);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add(egui::Label::new(value).selectable(true).truncate());
        });
    });
}
