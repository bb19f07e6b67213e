//! A grid of two parameters: a row for each pair, or for reading a matrix of one number.
use super::format::Format;
use super::grid::{self, Cell as Field, Column, Shown as In};
use crate::model::sweep::grid::{Cell, GridResult, Shown};
use crate::model::sweep::value_text;
use crate::model::units::{self, Unit};
use serde_json::json;

/// A pair of values and what it leads to.
struct Pair<'a> {
    values: [f64; 2],
    cell: &'a Result<Cell, String>,
}

impl Pair<'_> {
    fn cell(&self) -> Option<&Cell> {
        self.cell.as_ref().ok()
    }

    fn token(&self) -> Option<&Cell> {
        self.cell().filter(|cell| cell.items.name == "token")
    }
}

/// A computed grid: a matrix of what is `shown` as text, else a row for each pair.
pub fn write(result: &GridResult, shown: Shown, format: Format) -> String {
    if format == Format::Text {
        return matrix(result, shown);
    }
    let pairs = pairs(result);
    let columns = columns(result);
    if format != Format::Json {
        return grid::write(&columns, &pairs, format);
    }
    let axes = result.task.grid();
    grid::json_text(&json!({
        "parameter": axes.first.parameter,
        "parameter2": axes.second.parameter,
        "rows": grid::json(&columns, &pairs),
    }))
}

fn pairs(result: &GridResult) -> Vec<Pair<'_>> {
    let axes = result.task.grid();
    let rows = axes.second.values.iter();
    let values =
        rows.flat_map(|second| axes.first.values.iter().map(move |first| [*first, *second]));
    let pairs = values.zip(&result.cells);
    pairs.map(|(values, cell)| Pair { values, cell }).collect()
}

fn columns<'a>(result: &'a GridResult) -> Vec<Column<'a, Pair<'a>>> {
    let axes = result.task.grid();
    let value = |key: &'static str, axis: usize, name: &str| {
        let unit = result.units[axis];
        let number = move |pair: &Pair<'_>| Some(pair.values[axis]);
        let mut column = Column::numbers(key, None, In::In(unit), number);
        column.title = Some(name.replace('_', " "));
        if unit != Unit::One {
            column.csv = format!("{key} [{}]", unit.symbol());
        }
        column
    };
    let numbers = |key, title, unit, value: fn(&Pair<'a>) -> Option<f64>| {
        Column::numbers(key, title, In::In(unit), value)
    };
    let tokens = result.items().is_some_and(|items| items.name == "token");
    let items = (!tokens).then_some("Items/s");
    vec![
        value("value", 0, &axes.first.parameter),
        value("value2", 1, &axes.second.parameter),
        numbers(
            "intensity_flop_per_byte",
            Some("Intensity"),
            Unit::FlopPerByte,
            |pair| Some(pair.cell()?.intensity?.get()),
        ),
        Column::words("regime", Some("Regime"), |pair: &Pair<'_>| {
            Field::text(pair.cell().map(|cell| cell.regime.name()))
        }),
        numbers("time_s", Some("Time"), Unit::Second, |pair| {
            pair.cell()?.number(Shown::Time)
        }),
        numbers("items_per_s", items, Unit::One, |pair| {
            pair.cell()?.items_per_second()
        }),
        numbers("tokens_per_s_total", Some("Tokens/s"), Unit::One, |pair| {
            pair.token()?.items_per_second()
        }),
        numbers(
            "tokens_per_s_per_user",
            Some("Tokens/s per user"),
            Unit::One,
            |pair| pair.token()?.items_per_second_per_user(),
        ),
        numbers("ratio", Some("Ratio"), Unit::One, |pair| pair.cell()?.ratio),
        Column::words("fits", Some("Fits"), |pair: &Pair<'_>| {
            Field::yes_or_no(pair.cell().and_then(|cell| cell.fits))
        }),
        Column::words("reason", Some("Reason"), |pair: &Pair<'_>| {
            Field::text(pair.cell.as_ref().err().cloned())
        }),
    ]
}

/// A line for each second value, a column for each first one; what the memory does not hold is marked.
fn matrix(result: &GridResult, shown: Shown) -> String {
    let axes = result.task.grid();
    let name = |name: &str| name.replace('_', " ");
    let rows: Vec<usize> = (0..axes.second.values.len()).collect();
    let text = |value: f64, axis: usize| value_text(value, result.units[axis]);
    let heading = format!(
        "{} ↓  {} →",
        name(&axes.second.parameter),
        name(&axes.first.parameter)
    );
    let mut columns = vec![Column::words("", None, |row: &usize| {
        Field::Text(text(axes.second.values[*row], 1))
    })];
    columns[0].title = Some(heading);
    for (index, value) in axes.first.values.iter().enumerate() {
        let mut column = Column::words("", None, move |row: &usize| {
            Field::Text(
                result
                    .cell(index, *row)
                    .map_or_else(String::new, |cell| written(cell, shown)),
            )
        });
        column.title = Some(text(*value, 0));
        columns.push(column);
    }
    let mut out = format!("{}\n\n", title(result, shown));
    out += &grid::write(&columns, &rows, Format::Text);
    for note in notes(result) {
        out += &format!("\n{note}\n");
    }
    out
}

fn title(result: &GridResult, shown: Shown) -> String {
    let gpu = result.task.gpu();
    let items = result.items().map_or("item", |items| items.name);
    match (shown, result.task.against()) {
        (Shown::Time, _) => format!("Time on {gpu}"),
        (Shown::ItemsPerSecond, _) => format!("{items}s/s on {gpu}"),
        (Shown::PerUser, _) => format!("{items}s/s per user on {gpu}"),
        (Shown::Regime, _) => format!("Regime on {gpu}"),
        (Shown::Ratio, Some(other)) => format!("{gpu} is so many times as fast as {other}"),
        (Shown::Ratio, None) => "Ratio to another GPU, which --against names".to_owned(),
    }
}

fn written(cell: &Result<Cell, String>, shown: Shown) -> String {
    let Ok(cell) = cell else {
        return "–".to_owned();
    };
    let text = match (shown, cell.number(shown)) {
        (Shown::Regime, _) => cell.regime.name().to_owned(),
        (_, None) => "–".to_owned(),
        (Shown::Time, Some(time)) => units::short(time, Unit::Second),
        (Shown::Ratio, Some(ratio)) => units::factor(ratio),
        (_, Some(number)) => units::number(number),
    };
    match cell.fits {
        Some(false) => format!("{text} *"),
        _ => text,
    }
}

fn notes(result: &GridResult) -> Vec<String> {
    let cells = || result.cells.iter().filter_map(|cell| cell.as_ref().ok());
    let mut notes = Vec::new();
    if cells().any(|cell| cell.fits == Some(false)) {
        notes.push(format!(
            "* does not fit the memory of {}",
            result.task.gpu()
        ));
    }
    let mut failed = result.cells.iter().filter_map(|cell| cell.as_ref().err());
    if let Some(first) = failed.next() {
        notes.push(match failed.count() {
            0 => format!("– {first}"),
            more => format!("– {first}, and {more} more"),
        });
    }
    notes
}
