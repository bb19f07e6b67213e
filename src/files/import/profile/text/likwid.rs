//! What LIKWID prints, as boxes or with `-O` as CSV, and summaries of it by size: rates in M, not G.
use super::{MOST_BYTES, MOST_CELLS, traffic, value, work};
use crate::files::import::profile::points::{Points, Row};
use crate::files::import::profile::{Format, Input, ProfileError, ReadProfile, check};
use crate::model::cost::{Level, Path};
use crate::model::format::NumberFormat;
use std::collections::HashMap;

pub(in super::super) const FORMAT: Format = Format {
    name: "LIKWID",
    is,
    read,
};

const BANDWIDTH: &str = "Memory bandwidth [MBytes/s]";
const DOUBLE: &str = "DP MFLOP/s";
const DOUBLE_NEW: &str = "DP [MFLOP/s]";
const SINGLE: &str = "SP MFLOP/s";
const SINGLE_NEW: &str = "SP [MFLOP/s]";
const RUNTIME: &str = "Runtime (RDTSC) [s]";
const ELAPSED: &str = "Time elapsed [s]";

/// What is known of a kernel, or of one size of it.
#[derive(Debug, Clone, Default)]
struct Found {
    name: String,
    shape: String,
    line: u64,
    /// In s, MB/s and MFLOP/s.
    time: Option<f64>,
    bandwidth: Option<f64>,
    double: Option<f64>,
    single: Option<f64>,
}

fn is(input: &Input<'_>) -> bool {
    let text = input.head_text();
    let has = |part: &str| text.contains(part);
    let rates = [BANDWIDTH, DOUBLE, DOUBLE_NEW, SINGLE, SINGLE_NEW];
    rates.iter().any(|rate| has(rate)) && (has(RUNTIME) || has(ELAPSED) || has(BANDWIDTH))
}

fn read(input: &mut Input<'_>) -> Result<ReadProfile, ProfileError> {
    let text = input.text(MOST_BYTES)?;
    let own = text.contains(RUNTIME) || text.contains("TABLE,") || text.contains('|');
    let found = if own { regions(&text) } else { summary(&text) };
    let mut profile = ReadProfile::default();
    let mut points = Points::default();
    for found in &found {
        profile.rows += 1;
        let rates = [found.bandwidth, found.double, found.single];
        let Some(time) = found
            .time
            .filter(|time| *time > 0.0 && rates.iter().any(Option::is_some))
        else {
            profile.skip(found.line, || {
                format!(
                    "{} has no time or no rate: use a group such as MEM_DP",
                    found.name
                )
            });
            continue;
        };
        let row = Row {
            name: &found.name,
            shape: &found.shape,
            time: Some(time),
            launches: 1.0,
            clock: None,
        };
        let of = |rate: Option<f64>| rate.map(|rate| rate * 1e6 * time);
        let double = Path::vector(NumberFormat::FP64);
        let single = Path::vector(NumberFormat::FP32);
        let mut values = vec![traffic(
            Level::Dram,
            "memory bandwidth × time",
            of(found.bandwidth),
        )];
        values.extend(
            found
                .double
                .map(|rate| work(double, "DP MFLOP/s × time", of(Some(rate)))),
        );
        values.extend(
            found
                .single
                .map(|rate| work(single, "SP MFLOP/s × time", of(Some(rate)))),
        );
        points.add(&row, &values);
    }
    let (kernels, _) = points.finish();
    profile.kernels = kernels;
    profile
        .notes
        .push("rates are read in MFLOP/s and MBytes/s (1e6 B/s), as LIKWID prints them".to_owned());
    profile.notes.extend(check::value(&profile.kernels));
    Ok(profile)
}

/// The cells of a row of LIKWID's own tables, boxed or separated by commas.
fn cells(line: &str) -> Vec<&str> {
    let line = line.trim();
    let boxed = line
        .strip_prefix('|')
        .map(|line| line.trim_end_matches('|'));
    let cells = boxed
        .unwrap_or(line)
        .split(if boxed.is_some() { '|' } else { ',' });
    let mut cells: Vec<&str> = cells.take(MOST_CELLS).map(str::trim).collect();
    while cells.last().is_some_and(|cell| cell.is_empty()) {
        cells.pop();
    }
    cells
}

/// The regions of LIKWID's own output; rates are sums over threads, the time is the longest.
fn regions(text: &str) -> Vec<Found> {
    let mut all: Vec<Found> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    // The region whose tables follow.
    let mut now = 0;
    for (index, line) in text.lines().enumerate() {
        let region = line
            .strip_prefix("TABLE,Region ")
            .or_else(|| line.strip_prefix("Region "));
        if let Some(rest) = region {
            let name = rest.split(',').next().unwrap_or_default().trim();
            now = *known.entry(name).or_insert(all.len());
            if now == all.len() {
                all.push(Found {
                    name: name.chars().take(200).collect(),
                    line: index as u64 + 1,
                    ..Found::default()
                });
            }
            continue;
        }
        let cells = cells(line);
        let [metric, values @ ..] = cells.as_slice() else {
            continue;
        };
        // Sums stand in the statistics too, and would count twice.
        let (metric, statistic) = match metric.strip_suffix(" STAT") {
            Some(metric) => (metric, true),
            None => (*metric, false),
        };
        let numbers = || values.iter().filter_map(|cell| value(cell));
        let sum = || match statistic {
            true => numbers().next(),
            false => numbers().reduce(|a, b| a + b),
        };
        let metrics = [
            RUNTIME, ELAPSED, BANDWIDTH, DOUBLE, DOUBLE_NEW, SINGLE, SINGLE_NEW,
        ];
        if !metrics.contains(&metric) {
            continue;
        }
        if all.is_empty() {
            all.push(Found {
                name: "whole program".to_owned(),
                line: index as u64 + 1,
                ..Found::default()
            });
        }
        let found = &mut all[now];
        match metric {
            RUNTIME | ELAPSED if !statistic => {
                found.time = numbers().reduce(f64::max).or(found.time)
            }
            BANDWIDTH => found.bandwidth = sum().or(found.bandwidth),
            DOUBLE | DOUBLE_NEW => found.double = sum().or(found.double),
            SINGLE | SINGLE_NEW => found.single = sum().or(found.single),
            _ => {}
        }
    }
    all
}

/// A summary by size: a table per metric, whose first column is the size.
fn summary(text: &str) -> Vec<Found> {
    let mut all: Vec<Found> = Vec::new();
    let mut known: HashMap<(&str, String), usize> = HashMap::new();
    let mut title = "kernel";
    let mut columns: Vec<&str> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let cells: Vec<&str> = line
            .split("  ")
            .map(str::trim)
            .filter(|cell| !cell.is_empty())
            .take(MOST_CELLS)
            .collect();
        match cells.as_slice() {
            [] => {}
            [only] if only.chars().all(|c| c == '-') => columns.clear(),
            [only] => title = only,
            [first, ..] if value(first).is_none() => columns = cells,
            [size, values @ ..] => {
                let size_name = columns.first().copied().unwrap_or("N");
                let shape = format!("{size_name} {size}");
                let at = *known.entry((title, shape.clone())).or_insert(all.len());
                if at == all.len() {
                    all.push(Found {
                        name: title.chars().take(200).collect(),
                        shape,
                        line: index as u64 + 1,
                        ..Found::default()
                    });
                }
                for (column, cell) in columns.iter().skip(1).zip(values) {
                    let place = match *column {
                        BANDWIDTH => &mut all[at].bandwidth,
                        ELAPSED | RUNTIME => &mut all[at].time,
                        DOUBLE | DOUBLE_NEW => &mut all[at].double,
                        SINGLE | SINGLE_NEW => &mut all[at].single,
                        _ => continue,
                    };
                    *place = value(cell);
                }
            }
        }
    }
    all
}
