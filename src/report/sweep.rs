//! A sweep: a row per value of a parameter, and where the regime flips.
use super::format::Format;
use super::grid::{self, Cell, Column, Shown};
use crate::model::session::Workload;
use crate::model::sweep::{Row, RowOutcome, SweepResult, Turn, value_text};
use crate::model::units::Unit;
use serde_json::{Value, json};

/// A computed sweep of a workload; values that fail keep their row, with the reason in text.
pub fn write(result: &SweepResult, workload: &Workload, format: Format) -> String {
    let columns = columns(result);
    match format {
        Format::Csv => grid::write(&columns, &result.rows, format),
        Format::Json => {
            let mut object = json!({
                "parameter": result.parameter,
                "crossover": result.crossover,
                "first_whole": result.first_whole.map(grid::count_value),
                "rows": grid::json(&columns, &result.rows),
            });
            if !result.turns.is_empty() {
                object["operators_turn"] = result.turns.iter().map(turn).collect();
            }
            grid::json_text(&object)
        }
        Format::Text | Format::Markdown => {
            let mut out = grid::write(&columns, &result.rows, format);
            let bullet = if format == Format::Markdown { "- " } else { "" };
            out += "\n";
            for note in notes(result, workload) {
                out += &format!("{bullet}{note}\n");
            }
            out
        }
    }
}

fn turn(turn: &Turn) -> Value {
    json!({ "name": turn.operator, "value": turn.value, "regime": turn.regime.name() })
}

fn outcome(row: &Row) -> Option<&RowOutcome> {
    row.outcome.as_ref().ok()
}

fn is_token(row: &Row) -> bool {
    outcome(row).is_some_and(|outcome| outcome.items.name == "token")
}

fn columns(result: &SweepResult) -> Vec<Column<'_, Row>> {
    let numbers = |key, title, unit, value: fn(&Row) -> Option<f64>| {
        Column::numbers(key, title, Shown::In(unit), value)
    };
    // Where the items are tokens, their column says so.
    let tokens = result.rows.iter().any(is_token);
    let items = (!tokens).then_some("Items/s");
    let mut outcomes = result.rows.iter().filter_map(outcome);
    let knows_memory = outcomes.any(|outcome| outcome.fits.is_some());
    let mut value = Column::numbers("value", None, Shown::In(result.unit), |row: &Row| {
        Some(row.value)
    });
    value.title = Some(name(result));
    if result.unit != Unit::One {
        value.csv = format!("value [{}]", result.unit.symbol());
    }
    let mut columns = vec![
        value,
        numbers(
            "intensity_flop_per_byte",
            Some("Intensity"),
            Unit::FlopPerByte,
            |row| Some(outcome(row)?.placement.intensity()?.get()),
        ),
        Column::words("regime", Some("Regime"), |row: &Row| {
            Cell::text(outcome(row).map(|outcome| outcome.placement.regime().name()))
        }),
        numbers("time_s", Some("Time"), Unit::Second, |row| {
            Some(outcome(row)?.placement.time().get())
        }),
        numbers("items_per_s", items, Unit::One, |row| {
            outcome(row)?.items_per_second()
        }),
        numbers("tokens_per_s_total", Some("Tokens/s"), Unit::One, |row| {
            outcome(row).filter(|_| is_token(row))?.items_per_second()
        }),
        numbers(
            "tokens_per_s_per_user",
            Some("Tokens/s per user"),
            Unit::One,
            |row| {
                outcome(row)
                    .filter(|_| is_token(row))?
                    .items_per_second_per_user()
            },
        ),
    ];
    if knows_memory {
        columns.push(Column::words("fits", Some("Fits"), |row: &Row| {
            Cell::yes_or_no(outcome(row).and_then(|outcome| outcome.fits))
        }));
    }
    columns
}

/// The parameter as people read it.
fn name(result: &SweepResult) -> String {
    result.parameter.replace('_', " ")
}

fn notes(result: &SweepResult, workload: &Workload) -> Vec<String> {
    let text = |value| value_text(value, result.unit);
    let parameter = name(result);
    let failed = result.rows.iter().filter_map(|row| {
        let reason = row.outcome.as_ref().err()?;
        Some(format!("{parameter} {}: {reason}", text(row.value)))
    });
    let mut notes: Vec<_> = failed.collect();
    for warning in result
        .rows
        .iter()
        .filter_map(outcome)
        .flat_map(|o| &o.placement.warnings)
    {
        if !notes.contains(warning) {
            notes.push(warning.clone());
        }
    }
    let left_out = workload.kind.family().leaves_out();
    if !left_out.is_empty() {
        notes.push(format!("{}: {}", workload.name, left_out.join("; ")));
    }
    notes.push(match (result.crossover, result.first_whole) {
        (None, _) => format!("The regime does not flip with {parameter}."),
        (Some(flip), Some(whole)) if result.unit == Unit::One => format!(
            "The regime flips at {parameter} {}; the first whole one is {}.",
            text(flip),
            text(whole)
        ),
        (Some(flip), _) => format!("The regime flips at {parameter} {}.", text(flip)),
    });
    notes.extend(result.turns_text().map(|turns| format!("{turns}.")));
    notes
}
