//! How a kernel's numbers were read: formulas with numbers in them, levels, launches, what was executed and what was useful.
use crate::chart::style::Style;
use crate::chart::style::size;
use crate::model::profile::{Analysed, ByteSource};
use crate::model::units::{self, Unit};
use crate::ui::inspector::fact;
use crate::ui::kernels::formulas;
use crate::ui::widgets::section;
use egui::{Frame, Margin, RichText, Stroke, Ui};

/// The formulas, their notes, and what the file said of itself.
pub(super) fn reading(ui: &mut Ui, analysed: &Analysed, line: u32, roles: &Style) {
    section(ui, "How it was read", |_| {});
    let kernels = &analysed.profile.kernels;
    let formulas = formulas(analysed, line);
    let given = analysed.analysis.lines[line as usize].given;
    if formulas.is_empty() && (given.work || given.traffic) {
        let text =
            "Nothing was counted from which work or traffic follows: what is given stands for it.";
        ui.label(RichText::new(text).small().color(roles.muted));
    } else if formulas.is_empty() {
        let text = "Nothing was counted from which work or traffic follows: give it below.";
        ui.label(RichText::new(text).small().color(roles.warning));
    } else {
        Frame::new()
            .fill(roles.field)
            .stroke(Stroke::new(1.0, roles.line))
            .corner_radius(5.0)
            .inner_margin(Margin::symmetric(9, 6))
            .show(ui, |ui| {
                ui.set_width(ui.available_width());
                let names = kernels.formulas.iter().map(|f| f.text(&kernels.counters));
                let known = kernels.formulas.iter().zip(names);
                let known =
                    known.filter(|(f, _)| f.value(&kernels.counters, line as usize).is_some());
                let lines = known.map(|(_, name)| name).chain(formulas);
                let lines: Vec<String> = lines.chain(check(analysed, line)).collect();
                let text = RichText::new(lines.join("\n"))
                    .monospace()
                    .size(size::LABEL);
                ui.add(egui::Label::new(text).selectable(true).wrap());
            });
    }
    let source = &analysed.profile.source;
    let judged = &analysed.analysis.lines[line as usize];
    let bytes = match judged.given.traffic {
        true => ByteSource::User,
        false => analysed.profile.byte_source,
    };
    let from = format!(
        "Bytes by {} · {} · {}",
        bytes.name(),
        source.format,
        source.file
    );
    ui.label(RichText::new(from).small().color(roles.muted));
    for note in of_formulas(analysed, line) {
        ui.label(RichText::new(note).small().color(roles.muted));
    }
    // Formulas stand above already.
    let is_formula = |note: &String| {
        let mut formulas = kernels.formulas.iter();
        formulas.any(|formula| note.starts_with(&format!("{} = ", formula.target.name())))
    };
    let of_file = analysed.profile.notes.iter();
    // The check of the file is of its first kernel; this one has its own above.
    let of_file = of_file.filter(|note| !is_formula(note) && !note.starts_with("check: "));
    for note in of_file {
        ui.label(RichText::new(note).small().color(roles.muted));
    }
}

/// One value worked out to the end: `177.9 MB ÷ 292.9 µs = 607.2 GB/s`.
fn check(analysed: &Analysed, line: u32) -> Option<String> {
    let judged = &analysed.analysis.lines[line as usize];
    let short = units::short;
    let time = judged.time()?;
    let (amount, rate) = match (judged.traffic(), judged.byte_rate(), judged.flop_rate()) {
        (Some(bytes), Some(rate), _) => {
            (short(bytes, Unit::Byte), short(rate, Unit::BytePerSecond))
        }
        (_, _, Some(rate)) => (
            short(judged.work()?, Unit::Flop),
            short(rate, Unit::FlopPerSecond),
        ),
        _ => return None,
    };
    Some(format!("{amount} ÷ {} = {rate}", short(time, Unit::Second)))
}

/// What the formulas that give something rest on, each once, with what they give: `FP32, FP16 vector work: …`.
fn of_formulas(analysed: &Analysed, line: u32) -> Vec<String> {
    let kernels = &analysed.profile.kernels;
    let mut notes: Vec<(Vec<String>, &str)> = Vec::new();
    for formula in &kernels.formulas {
        let gives = formula.value(&kernels.counters, line as usize).is_some();
        if formula.note.is_empty() || !gives {
            continue;
        }
        let name = formula.target.name();
        match notes.iter_mut().find(|(_, note)| *note == formula.note) {
            Some((names, _)) => names.push(name),
            None => notes.push((vec![name], &formula.note)),
        }
    }
    let notes = notes.into_iter();
    notes
        .map(|(names, note)| format!("{}: {note}", names.join(", ")))
        .collect()
}

/// Launches and their spread, work per path and traffic per level, executed and useful work.
pub(super) fn more(ui: &mut Ui, analysed: &Analysed, line: u32) {
    let kernel = analysed.kernel(line);
    let (profile, analysis) = (&analysed.profile, &analysed.analysis);
    fact(ui, "Launches", &units::count(kernel.count as f64));
    if let Some(timing) = kernel.timing.filter(|_| kernel.count > 1) {
        let short = |time: f64| units::short(time, Unit::Second);
        let spread = format!("{} … {}", short(timing.shortest), short(timing.longest));
        let profiled = analysis.lines[line as usize].given.time;
        let [median_of, spread_of] = match profiled {
            true => ["Median, profiled", "Spread, profiled"],
            false => ["Median launch", "Spread"],
        };
        fact(ui, median_of, &short(timing.median));
        fact(ui, spread_of, &spread);
    }
    // Of rates, amounts are of a second each.
    let [bytes, flops] = match analysis.lines[line as usize].per_second {
        true => [Unit::BytePerSecond, Unit::FlopPerSecond],
        false => [Unit::Byte, Unit::Flop],
    };
    let levels = analysis.traffic_of(profile, line as usize);
    for (level, traffic) in levels.iter().filter(|_| levels.len() > 1) {
        let traffic = units::short(*traffic, bytes);
        fact(ui, &format!("{} traffic", level.name()), &traffic);
    }
    let paths = analysis.work_of(profile, line as usize);
    for (path, work) in paths.iter().filter(|_| paths.len() > 1) {
        fact(ui, &format!("{path} work"), &units::short(*work, flops));
    }
    let judged = &analysis.lines[line as usize];
    let executed: f64 = profile
        .kernels
        .work(line as usize)
        .map(|(_, work)| work.get())
        .sum();
    if let Some(useful) = judged
        .work()
        .filter(|_| judged.given.work && executed > 0.0)
    {
        fact(ui, "Executed work", &units::short(executed, Unit::Flop));
        let share = units::percent(useful / executed);
        let useful = units::short(useful, Unit::Flop);
        fact(
            ui,
            "Useful work",
            &format!("{useful}, {share} of the executed"),
        );
    }
    if let Some(timing) = kernel.timing.filter(|_| judged.given.time) {
        fact(ui, "Profiled time", &units::short(timing.sum, Unit::Second));
    }
}
