//! The operators of a workload on a GPU, one a row.
use super::format::Format;
use super::grid::{self, Cell, Column, Shown};
use crate::model::placement::{PlacedOperator, Placement};
use crate::model::units::Unit;

/// An operator and the whole it is a part of.
struct Row<'a> {
    operator: &'a PlacedOperator,
    whole: &'a Placement,
}

/// Every operator of `placement`; a single kernel is one operator, called `name`.
pub fn write(placement: &Placement, name: &str, format: Format) -> String {
    let alone = PlacedOperator {
        name: name.to_owned().into(),
        count: 1.0,
        placement: placement.clone(),
    };
    let operators = match placement.operators.as_slice() {
        [] => std::slice::from_ref(&alone),
        several => several,
    };
    let rows: Vec<_> = operators
        .iter()
        .map(|operator| Row {
            operator,
            whole: placement,
        })
        .collect();
    let mut out = grid::write(&columns(), &rows, format);
    if let (Format::Text | Format::Markdown, Some(text)) =
        (format, placement.one_number_explanation())
    {
        out += &format!("\n{text}\n");
    }
    out
}

fn columns<'a>() -> Vec<Column<'a, Row<'a>>> {
    let numbers = |key, title, shown, value: fn(&Row<'a>) -> Option<f64>| {
        Column::numbers(key, Some(title), shown, value)
    };
    vec![
        Column::words("name", Some("Operator"), |row: &Row<'_>| {
            Cell::Text(row.operator.name.to_string())
        }),
        numbers("count", "Count", Shown::In(Unit::One), |row| {
            Some(row.operator.count)
        }),
        Column::words("path", Some("Path"), |row: &Row<'_>| {
            Cell::Text(row.operator.path_name())
        }),
        numbers("work_flop", "Work", Shown::In(Unit::Flop), |row| {
            Some(row.operator.count * row.operator.placement.work.get())
        }),
        numbers("traffic_bytes", "Traffic", Shown::In(Unit::Byte), |row| {
            Some(row.operator.count * row.operator.placement.traffic.get())
        }),
        numbers(
            "intensity_flop_per_byte",
            "Intensity",
            Shown::In(Unit::FlopPerByte),
            |row| row.operator.placement.intensity().map(|i| i.get()),
        ),
        Column::words("limiter", Some("Limiter"), |row: &Row<'_>| {
            Cell::Text(row.operator.placement.limiter().resource.name())
        }),
        numbers("time_s", "Time", Shown::In(Unit::Second), |row| {
            Some(row.operator.time())
        }),
        numbers("share", "Share", Shown::Percent, |row| {
            Some(row.operator.time() / row.whole.time().get())
        }),
    ]
}
