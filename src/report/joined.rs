//! Predicted operators beside measured kernels: per group what was predicted, measured and lies between.
use super::format::Format;
use super::grid::{self, Cell, Column, Shown};
use super::kernels::Told;
use crate::model::join::{Joined, JoinedRow};
use crate::model::profile::short_name;
use crate::model::units::{self, Unit};
use serde_json::json;

/// A row per group, then who is left over on both sides.
pub fn write(workload: &str, told: Told<'_>, joined: &Joined, format: Format) -> String {
    let kernel = |line: &u32| told.profile.kernels.lines[*line as usize].name.to_string();
    let columns = columns(told);
    if format == Format::Json {
        let operators = joined.unmatched_operators.iter();
        let operators: Vec<_> = operators
            .map(|(name, time)| json!({ "operator": name, "predicted_s": time }))
            .collect();
        return grid::json_text(&json!({
            "workload": workload,
            "profile": told.profile.name,
            "predicted_s": joined.predicted,
            "measured_s": joined.measured,
            "groups": grid::json(&columns, &joined.rows),
            "unmatched_operators": operators,
            "unmatched_kernels": joined.unmatched_kernels.iter().map(kernel).collect::<Vec<_>>(),
            "unknown_operators": joined.unknown_operators,
        }));
    }
    let mut out = match joined.rows.is_empty() {
        true => String::new(),
        false => grid::write(&columns, &joined.rows, format) + "\n",
    };
    if matches!(format, Format::Text | Format::Markdown) {
        let bullet = if format == Format::Markdown { "- " } else { "" };
        for note in notes(workload, told, joined) {
            out += &format!("{bullet}{note}\n");
        }
    }
    out
}

fn notes(workload: &str, told: Told<'_>, joined: &Joined) -> Vec<String> {
    let second = |time: f64| units::short(time, Unit::Second);
    let mut notes = vec![format!(
        "{workload}: {} predicted, {} measured per execution",
        second(joined.predicted),
        second(joined.measured)
    )];
    let operators = joined.unmatched_operators.iter();
    let operators: Vec<_> = operators
        .map(|(name, time)| format!("{name} {}", second(*time)))
        .collect();
    if !operators.is_empty() {
        notes.push(format!(
            "operators without kernels: {}",
            operators.join(", ")
        ));
    }
    let kernels = joined.unmatched_kernels.iter().map(|line| {
        let name = short_name(&told.profile.kernels.lines[*line as usize].name);
        let time = told.analysis.lines[*line as usize].time();
        let time = time.map(|time| time / joined.executions);
        time.map_or(name.clone(), |time| format!("{name} {}", second(time)))
    });
    let kernels: Vec<_> = kernels.collect();
    if !kernels.is_empty() {
        notes.push(format!(
            "kernels without an operator: {}",
            kernels.join(", ")
        ));
    }
    if !joined.unknown_operators.is_empty() {
        notes.push(format!(
            "no operators of {workload}: {}",
            joined.unknown_operators.join(", ")
        ));
    }
    notes
}

fn columns<'a>(told: Told<'a>) -> Vec<Column<'a, JoinedRow>> {
    let kernels = move |row: &JoinedRow, name: fn(&str) -> String| {
        let lines = row.kernels.iter();
        let mut names: Vec<String> = lines
            .map(|line| name(&told.profile.kernels.lines[*line as usize].name))
            .collect();
        names.dedup();
        names
    };
    vec![
        Column::words("operators", Some("Operators"), |row: &JoinedRow| {
            Cell::List(row.operators.clone())
        }),
        Column::words("kernels", Some("Kernels"), move |row: &JoinedRow| {
            Cell::Both {
                data: kernels(row, str::to_owned).into(),
                text: kernels(row, short_name).join("; "),
            }
        }),
        Column::numbers(
            "predicted_s",
            Some("Predicted"),
            Shown::In(Unit::Second),
            |row: &JoinedRow| Some(row.predicted),
        ),
        Column::numbers(
            "measured_s",
            Some("Measured"),
            Shown::In(Unit::Second),
            |row: &JoinedRow| row.measured,
        ),
        Column::numbers(
            "gap_s",
            Some("Gap"),
            Shown::In(Unit::Second),
            JoinedRow::gap,
        ),
        Column::words("ratio", Some("Ratio"), |row: &JoinedRow| {
            row.ratio().map_or(Cell::Unknown, |ratio| Cell::Both {
                data: ratio.into(),
                text: units::factor(ratio),
            })
        }),
    ]
}
