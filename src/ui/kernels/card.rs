//! What is known of a kernel, on a card that follows the pointer.
use crate::chart::fonts;
use crate::chart::labels::shortened;
use crate::chart::style::size;
use crate::model::profile::Analysed;
use crate::model::units::{self, Unit};
use crate::ui::widgets::roles;
use egui::{Grid, RichText, Ui};

/// The longest full name on a card, in characters; all of it is in the inspector.
const LONGEST: usize = 220;

/// Shows the numbers of a kernel and how they came about.
pub fn card(ui: &mut Ui, analysed: &Analysed, line: u32) {
    let muted = roles(ui).muted;
    let kernel = analysed.kernel(line);
    let name = analysed.name(line);
    ui.set_max_width(430.0);
    ui.label(RichText::new(shortened(&name, 80)).family(fonts::bold()));
    if *name != *kernel.name {
        let full = shortened(&kernel.name, LONGEST);
        ui.label(
            RichText::new(full)
                .monospace()
                .size(size::LABEL)
                .color(muted),
        );
    }
    if !kernel.launch.is_empty() {
        ui.label(RichText::new(&*kernel.launch).small().color(muted));
    }
    Grid::new(("kernel card", line))
        .num_columns(2)
        .spacing([14.0, 1.0])
        .show(ui, |ui| {
            for (name, value) in facts(analysed, line) {
                ui.label(RichText::new(name).small().color(muted));
                ui.label(RichText::new(value).small());
                ui.end_row();
            }
        });
    for formula in formulas(analysed, line) {
        ui.label(
            RichText::new(formula)
                .monospace()
                .size(size::LABEL)
                .color(muted),
        );
    }
}

/// The numbers of a kernel, each with its name; what is missing is said.
pub fn facts(analysed: &Analysed, line: u32) -> Vec<(&'static str, String)> {
    let judged = &analysed.analysis.lines[line as usize];
    let kernel = analysed.kernel(line);
    let missing = || "missing".to_owned();
    let short =
        |value: Option<f64>, unit: Unit| value.map_or_else(missing, |v| units::short(v, unit));
    let time = judged.time().map_or_else(missing, |time| {
        let all = units::short(time, Unit::Second);
        match kernel.count {
            1 => all,
            count => {
                let each = units::short(time / count as f64, Unit::Second);
                format!("{all} = {} × {each}", units::count(count as f64))
            }
        }
    });
    let traffic = short(judged.traffic(), Unit::Byte);
    let mut facts = match judged.per_second {
        true => vec![("Time", "not in the file, which has rates alone".to_owned())],
        false => vec![
            ("Time", time),
            ("Work", short(judged.work(), Unit::Flop)),
            ("Traffic", format!("{traffic} at {}", judged.level.name())),
        ],
    };
    if let Some(intensity) = judged.intensity() {
        facts.push(("Intensity", units::short(intensity, Unit::FlopPerByte)));
    }
    match judged.flop_rate().filter(|rate| *rate > 0.0) {
        Some(rate) => facts.push(("Rate", units::short(rate, Unit::FlopPerSecond))),
        None => facts.push(("Bandwidth", short(judged.byte_rate(), Unit::BytePerSecond))),
    }
    if let (Some(share), Some(limiter)) = (judged.share(), judged.limiter) {
        let share = units::percent(share);
        facts.push(("Share", format!("{share} of the {} roof", limiter.name())));
    }
    if let Some(time) = judged.recoverable() {
        let sign = if time < 0.0 { "−" } else { "" };
        facts.push((
            "Recoverable",
            format!("{sign}{}", units::short(time.abs(), Unit::Second)),
        ));
    }
    let reasons = judged.reasons();
    if !reasons.is_empty() {
        facts.push(("Not a mark", reasons.join(", ")));
    }
    facts
}

/// How work and traffic follow from what was counted, with the numbers of a kernel.
pub fn formulas(analysed: &Analysed, line: u32) -> Vec<String> {
    let kernels = &analysed.profile.kernels;
    let formulas = kernels.formulas.iter();
    let written = formulas.filter_map(|f| f.with_numbers(&kernels.counters, line as usize));
    let kernel = analysed.kernel(line);
    let derived = kernel
        .derivation
        .iter()
        .map(|derivation| match kernel.count {
            1 => derivation.to_string(),
            count => format!("{derivation}, × {} launches", units::count(count as f64)),
        });
    derived.chain(written).collect()
}
