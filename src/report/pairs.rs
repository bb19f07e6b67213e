//! Two profiles beside each other: what each kernel gained or lost, and those without a partner.
use super::format::Format;
use super::grid::{self, Cell, Column, Shown};
use super::kernels::Told;
use crate::model::pairing::{Pair, Pairing};
use crate::model::profile::short_name;
use crate::model::units::{self, Unit};
use serde_json::json;

struct PairRow<'a> {
    pair: &'a Pair,
    before: Told<'a>,
    after: Told<'a>,
}

/// The most kernels without a partner that are named.
const MOST_NAMED: usize = 10;

/// A row per pair, then the sums and who is left over.
pub fn write(before: Told<'_>, after: Told<'_>, pairing: &Pairing, format: Format) -> String {
    let rows: Vec<_> = pairing
        .pairs
        .iter()
        .map(|pair| PairRow {
            pair,
            before,
            after,
        })
        .collect();
    let left = |told: Told<'_>, lines: &[u32]| -> Vec<String> {
        let name = |line: &u32| told.profile.kernels.lines[*line as usize].name.to_string();
        lines.iter().map(name).collect()
    };
    if format == Format::Json {
        return grid::json_text(&json!({
            "before": before.profile.name,
            "after": after.profile.name,
            "before_s": pairing.before,
            "after_s": pairing.after,
            "gained_s": pairing.gained,
            "lost_s": pairing.lost,
            "launches_before": pairing.launches[0],
            "launches_after": pairing.launches[1],
            "pairs": grid::json(&columns(), &rows),
            "only_before": left(before, &pairing.only_before),
            "only_after": left(after, &pairing.only_after),
        }));
    }
    let mut out = grid::write(&columns(), &rows, format);
    if matches!(format, Format::Text | Format::Markdown) {
        let bullet = if format == Format::Markdown { "- " } else { "" };
        out += &format!("\n{bullet}{}\n", sentence(pairing));
        for (told, lines) in [(before, &pairing.only_before), (after, &pairing.only_after)] {
            if lines.is_empty() {
                continue;
            }
            let name = |line: &u32| {
                let kernel = &told.profile.kernels.lines[*line as usize];
                let time = told.analysis.lines[*line as usize].time();
                let time = time.map(|time| units::short(time, Unit::Second));
                let launch = Some(kernel.launch.to_string()).filter(|launch| !launch.is_empty());
                let about: Vec<_> = launch.into_iter().chain(time).collect();
                match about.is_empty() {
                    true => short_name(&kernel.name),
                    false => format!("{} ({})", short_name(&kernel.name), about.join(", ")),
                }
            };
            let names: Vec<_> = lines.iter().take(MOST_NAMED).map(name).collect();
            let more = match lines.len().saturating_sub(MOST_NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            out += &format!(
                "{bullet}only in {}: {}{more}\n",
                told.profile.name,
                names.join(", ")
            );
        }
    }
    out
}

/// `12 pairs took 3.1 ms and take 2.4 ms: ×1.29; 0.9 ms gained, 0.2 ms lost`.
pub fn sentence(pairing: &Pairing) -> String {
    let second = |time: f64| units::short(time, Unit::Second);
    let pairs = match pairing.pairs.len() {
        0 => return "no kernel of one has a partner in the other".to_owned(),
        1 => "1 pair".to_owned(),
        count => format!("{} pairs", units::count(count as f64)),
    };
    let ratio = match pairing.before / pairing.after {
        ratio if ratio.is_finite() => format!(": {}", units::factor(ratio)),
        _ => String::new(),
    };
    let launches = launches(pairing).unwrap_or_default();
    format!(
        "{pairs} took {} and take {}{ratio}; {} gained, {} lost{launches}",
        second(pairing.before),
        second(pairing.after),
        second(pairing.gained),
        second(pairing.lost)
    )
}

/// Says that launches differ in number, and what is left of the change per launch.
pub fn launches(pairing: &Pairing) -> Option<String> {
    let ratio = pairing.per_launch()?;
    let [before, after] = pairing.launches.map(|count| units::count(count as f64));
    Some(format!(
        "; {before} launches before and {after} after: per launch {}",
        units::factor(ratio)
    ))
}

fn columns<'a>() -> Vec<Column<'a, PairRow<'a>>> {
    type Value<'a> = fn(&PairRow<'a>) -> Option<f64>;
    let numbers =
        |key, title, unit, value: Value<'a>| Column::numbers(key, title, Shown::In(unit), value);
    vec![
        Column::words("kernel", Some("Kernel"), |row: &PairRow<'a>| {
            let name = &row.before.profile.kernels.lines[row.pair.before as usize].name;
            let alias = row.before.profile.choices.alias(name);
            Cell::Both {
                data: name.to_string().into(),
                text: alias.map_or_else(|| short_name(name), str::to_owned),
            }
        }),
        Column::words("launch", Some("Launch"), |row: &PairRow<'a>| {
            let launch = &row.before.profile.kernels.lines[row.pair.before as usize].launch;
            Cell::text((!launch.is_empty()).then(|| launch.to_string()))
        }),
        Column::words("launches", Some("Launches"), |row: &PairRow<'a>| {
            let before = row.before.profile.kernels.lines[row.pair.before as usize].count;
            let after = row.after.profile.kernels.lines[row.pair.after as usize].count;
            let [shown_before, shown_after] = [before, after].map(|n| units::count(n as f64));
            Cell::Both {
                data: json!([before, after]),
                text: match before == after {
                    true => shown_before,
                    false => format!("{shown_before} → {shown_after}"),
                },
            }
        }),
        numbers("before_s", Some("Before"), Unit::Second, |row| {
            row.before.analysis.lines[row.pair.before as usize].time()
        }),
        numbers("after_s", Some("After"), Unit::Second, |row| {
            row.after.analysis.lines[row.pair.after as usize].time()
        }),
        numbers(
            "before_flop_per_s",
            Some("FLOP/s before"),
            Unit::FlopPerSecond,
            |row| row.before.analysis.lines[row.pair.before as usize].flop_rate(),
        ),
        numbers(
            "after_flop_per_s",
            Some("FLOP/s after"),
            Unit::FlopPerSecond,
            |row| row.after.analysis.lines[row.pair.after as usize].flop_rate(),
        ),
        Column::words("ratio", Some("Per launch"), |row: &PairRow<'a>| {
            row.pair.ratio.map_or(Cell::Unknown, |ratio| Cell::Both {
                data: ratio.into(),
                text: units::factor(ratio),
            })
        }),
        numbers("gained_s", Some("Gained"), Unit::Second, |row| {
            row.pair.gained
        }),
        Column::words("within_noise", Some("Noise"), |row: &PairRow<'a>| {
            row.pair
                .within_noise
                .map_or(Cell::Unknown, |within| Cell::Both {
                    data: within.into(),
                    text: if within {
                        "within noise"
                    } else {
                        "beyond noise"
                    }
                    .to_owned(),
                })
        }),
        Column::words("paired_by", Some("Paired by"), |row: &PairRow<'a>| {
            Cell::Text(row.pair.by.name().to_owned())
        }),
    ]
}
