//! What each kernel gained or lost against another profile; those without a partner are listed too.
use crate::chart::style;
use crate::chart::style::Style;
use crate::chart::style::size;
use crate::model::profile::KernelId;
use crate::model::units::{self, Unit};
use crate::ui::kernels::Compared;
use crate::ui::request::{Request, Requests};
use crate::ui::tables::grid::{Cell, Table, table};
use crate::ui::widgets::roles;
use egui::{RichText, Ui};

const HEADERS: [&str; 10] = [
    "Kernel",
    "Gained",
    "Before",
    "After",
    "Speed",
    "Launches",
    "of roof before",
    "of roof after",
    "Noise",
    "Paired by",
];

/// Shows the pairs, the largest change first, then what is on one side only.
pub(super) fn compared(ui: &mut Ui, compared: &Compared, requests: &mut Requests) {
    let roles = roles(ui);
    let pairing = &compared.pairing;
    let short = |time: f64| units::short(time, Unit::Second);
    let mut text = format!(
        "{} → {}: {} → {} in {} pairs",
        compared.before.profile.name,
        compared.after.profile.name,
        short(pairing.before),
        short(pairing.after),
        units::count(pairing.pairs.len() as f64),
    );
    if pairing.after > 0.0 {
        text += &format!(", {}", units::factor(pairing.before / pairing.after));
    }
    if let Some(ratio) = pairing.per_launch() {
        let [before, after] = pairing.launches.map(|count| units::count(count as f64));
        text += &format!(
            "; {before} → {after} launches, {} each",
            units::factor(ratio)
        );
    }
    let rest = format!(
        "{} gained, {} lost · {} only before, {} only after",
        short(pairing.gained),
        short(pairing.lost),
        units::count(pairing.only_before.len() as f64),
        units::count(pairing.only_after.len() as f64)
    );
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(text).font(style::strong(size::BODY)));
        ui.label(RichText::new(rest).small().color(roles.muted));
    });
    let headers = HEADERS.map(str::to_owned);
    let (pairs, before) = (pairing.pairs.len(), pairing.only_before.len());
    let spec = Table {
        name: "compared kernels",
        headers: &headers,
        rows: pairs + before + pairing.only_after.len(),
        words: 1,
        chooses: true,
    };
    let clicked = table(ui, &spec, |row| match row {
        row if row < pairs => pair(compared, row, roles),
        row if row < pairs + before => alone(compared, row - pairs, true, roles),
        row => alone(compared, row - pairs - before, false, roles),
    });
    let Some(row) = clicked else { return };
    let (analysed, line) = match row {
        row if row < pairs => (&compared.after, pairing.pairs[row].after),
        row if row < pairs + before => (&compared.before, pairing.only_before[row - pairs]),
        row => (&compared.after, pairing.only_after[row - pairs - before]),
    };
    requests.push(Request::ShowKernel(KernelId {
        profile: analysed.profile.id,
        line,
    }));
}

fn pair(compared: &Compared, row: usize, roles: &Style) -> Vec<Cell> {
    let pair = &compared.pairing.pairs[row];
    let before = &compared.before.analysis.lines[pair.before as usize];
    let after = &compared.after.analysis.lines[pair.after as usize];
    let time = |time: Option<f64>| match time {
        Some(time) => (units::short(time, Unit::Second), roles.ink),
        None => ("no time".to_owned(), roles.warning),
    };
    let share = |share: Option<f64>| {
        (
            share.map_or_else(|| "–".to_owned(), units::percent),
            roles.ink,
        )
    };
    let within_noise = pair.within_noise == Some(true);
    let gained = match pair.gained {
        Some(gained) if within_noise => (signed(gained), roles.muted),
        Some(gained) if gained < 0.0 => (signed(gained), roles.warning),
        Some(gained) => (signed(gained), roles.good),
        None => ("–".to_owned(), roles.faint),
    };
    let noise = match pair.within_noise {
        Some(true) => "within noise",
        Some(false) => "beyond noise",
        None => "spread not known",
    };
    let counts = [
        compared.before.kernel(pair.before).count,
        compared.after.kernel(pair.after).count,
    ];
    let [before_count, after_count] = counts.map(|count| units::count(count as f64));
    let launches = match counts[0] == counts[1] {
        true => before_count,
        false => format!("{before_count} → {after_count}"),
    };
    vec![
        (compared.before.name(pair.before), roles.ink),
        gained,
        time(before.time()),
        time(after.time()),
        (
            pair.ratio.map_or_else(|| "–".to_owned(), units::factor),
            roles.ink,
        ),
        (launches, roles.muted),
        share(before.share()),
        share(after.share()),
        (noise.to_owned(), roles.muted),
        (pair.by.name().to_owned(), roles.muted),
    ]
}

fn signed(time: f64) -> String {
    let sign = if time < 0.0 { "−" } else { "+" };
    format!("{sign}{}", units::short(time.abs(), Unit::Second))
}

/// A kernel that is on one side only.
fn alone(compared: &Compared, row: usize, is_before: bool, roles: &Style) -> Vec<Cell> {
    let (analysed, line, said) = match is_before {
        true => (
            &compared.before,
            compared.pairing.only_before[row],
            "only before",
        ),
        false => (
            &compared.after,
            compared.pairing.only_after[row],
            "only after",
        ),
    };
    let judged = &analysed.analysis.lines[line as usize];
    let time = judged
        .time()
        .map_or_else(|| "no time".to_owned(), |t| units::short(t, Unit::Second));
    let share = judged
        .share()
        .map_or_else(|| "–".to_owned(), units::percent);
    let nothing = || (String::new(), roles.faint);
    let launches = units::count(analysed.kernel(line).count as f64);
    let (time, share) = ((time, roles.ink), (share, roles.ink));
    let [before, after] = match is_before {
        true => [(time, share), (nothing(), nothing())],
        false => [(nothing(), nothing()), (time, share)],
    };
    vec![
        (analysed.label(line), roles.ink),
        nothing(),
        before.0,
        after.0,
        nothing(),
        (launches, roles.muted),
        before.1,
        after.1,
        nothing(),
        (said.to_owned(), roles.warning),
    ]
}
