//! The table: every workload on every GPU asked for, with its placement and what was measured.
use super::format::Format;
use super::grid::{self, Cell, Column, Shown};
use super::row::Row;
use crate::model::gpu::{Confidence, Gpu};
use crate::model::placement::{
    Assumptions, Estimate, Launches, Placement, REALISTIC_EFFICIENCY, REALISTIC_LAUNCH,
};
use crate::model::published::Published;
use crate::model::session::Session;
use crate::model::units::Unit;

/// Every workload of a session on each of these GPUs, whose figures are compared with the `published` ones.
pub fn write(session: &Session, gpus: &[&Gpu], published: &Published, format: Format) -> String {
    let doubts: Vec<_> = gpus.iter().map(|gpu| gpu.doubts(published)).collect();
    let gpus = || gpus.iter().copied().zip(&doubts);
    let pairs = session.workloads.iter();
    let pairs = pairs.flat_map(|workload| gpus().map(move |gpu| (workload, gpu)));
    let rows: Vec<_> = pairs
        .map(|(workload, (gpu, doubts))| Row::new(workload, gpu, session.assumptions, doubts))
        .collect();
    let mut out = grid::write(&columns(), &rows, format);
    if matches!(format, Format::Text | Format::Markdown) {
        let bullet = if format == Format::Markdown { "- " } else { "" };
        out += "\n";
        for note in notes(&rows, session.assumptions) {
            out += &format!("{bullet}{}\n", note.replace('\n', " "));
        }
    }
    out
}

fn columns<'a>() -> Vec<Column<'a, Row<'a>>> {
    let mut columns = cost_columns();
    columns.extend(placement_columns());
    columns.extend(measurement_columns());
    columns.push(Column::words("leaves_out", None, |row: &Row<'_>| {
        Cell::List(row.leaves_out())
    }));
    columns.push(Column::words("warnings", None, |row: &Row<'_>| {
        Cell::List(row.warnings())
    }));
    columns.push(Column::words("terms", None, Row::terms));
    columns
}

fn cost_columns<'a>() -> Vec<Column<'a, Row<'a>>> {
    let words = |key, title, cell: fn(&Row<'a>) -> Cell| Column::words(key, title, cell);
    let numbers = |key, title, unit, value: fn(&Row<'a>) -> Option<f64>| {
        Column::numbers(key, title, Shown::In(unit), value)
    };
    vec![
        words("workload", Some("Workload"), |row| {
            Cell::Text(row.workload.name.clone())
        }),
        words("gpu", Some("GPU"), |row| Cell::Text(row.gpu.name.clone())),
        words("path", Some("Path"), |row| {
            Cell::text(row.placement().map(|placed| placed.path.to_string()))
        }),
        words("level", None, |row| {
            Cell::text(row.placement().map(|placed| placed.level.name()))
        }),
        numbers("work_flop", Some("Work"), Unit::Flop, Row::work),
        numbers("traffic_bytes", Some("Traffic"), Unit::Byte, Row::traffic),
        numbers(
            "intensity_flop_per_byte",
            Some("Intensity"),
            Unit::FlopPerByte,
            Row::intensity,
        ),
    ]
}

fn placement_columns<'a>() -> Vec<Column<'a, Row<'a>>> {
    let words = |key, title, cell: fn(&Row<'a>) -> Cell| Column::words(key, title, cell);
    let numbers = |key, title, unit, value: fn(&Row<'a>) -> Option<f64>| {
        Column::numbers(key, title, Shown::In(unit), value)
    };
    vec![
        numbers(
            "compute_roof_flop_per_s",
            None,
            Unit::FlopPerSecond,
            |row| Some(row.placement()?.compute_roof?.get()),
        ),
        numbers(
            "memory_roof_bytes_per_s",
            None,
            Unit::BytePerSecond,
            |row| Some(row.placement()?.memory_roof?.get()),
        ),
        numbers(
            "ridge_flop_per_byte",
            Some("Ridge"),
            Unit::FlopPerByte,
            |row| Some(row.placement()?.ridge()?.get()),
        ),
        numbers(
            "attainable_flop_per_s",
            Some("Attainable"),
            Unit::FlopPerSecond,
            |row| Some(row.placement()?.attainable()?.get()),
        ),
        words("regime", Some("Regime"), Row::regime),
        words("limiter", Some("Limiter"), |row| {
            Cell::text(
                row.placement()
                    .map(|placed| placed.limiter().resource.name()),
            )
        }),
        words("basis", Some("Basis"), |row| {
            Cell::text(row.placement().map(|placed| placed.limiter().basis.name()))
        }),
        words("confidence", Some("Confidence"), |row| {
            Cell::text(row.confidence().map(Confidence::name))
        }),
        words("runner_up", None, |row| {
            let next = row.placement().and_then(Placement::runner_up);
            Cell::text(next.map(|term| term.resource.name()))
        }),
        numbers("time_s", Some("Time"), Unit::Second, |row| {
            Some(row.placement()?.time().get())
        }),
        Column::numbers(
            "arithmetic_utilisation",
            Some("Arithmetic, at most"),
            Shown::Percent,
            |row: &Row<'a>| row.placement()?.arithmetic_utilisation(),
        ),
    ]
}

fn measurement_columns<'a>() -> Vec<Column<'a, Row<'a>>> {
    let seconds = Shown::In(Unit::Second);
    vec![
        Column::numbers("measured_time_s", Some("Measured"), seconds, Row::measured),
        Column::numbers(
            "share_of_roof",
            Some("Share of roof"),
            Shown::Percent,
            |row: &Row<'a>| Some(row.assessment()?.share),
        ),
        Column::words("verdict", Some("Verdict"), Row::verdict),
        Column::numbers(
            "recoverable_s",
            Some("Recoverable"),
            seconds,
            |row: &Row<'a>| Some(row.assessment()?.recoverable),
        ),
    ]
}

/// What belongs beside the numbers: what they leave out, what is odd, what is assumed.
fn notes(rows: &[Row<'_>], assumptions: Assumptions) -> Vec<String> {
    let mut notes = Vec::new();
    for row in rows {
        let left_out = row.leaves_out();
        let note = format!("{}: {}", row.workload.name, left_out.join("; "));
        if !left_out.is_empty() && !notes.contains(&note) {
            notes.push(note);
        }
        let (workload, gpu) = (&row.workload.name, &row.gpu.name);
        notes.extend(
            row.warnings()
                .into_iter()
                .map(|warning| format!("{workload} on {gpu}: {warning}")),
        );
    }
    notes.push(assumed(assumptions));
    notes
}

/// What predictions assume of overlap and launches, without a full stop.
pub(super) fn assumed(assumptions: Assumptions) -> String {
    let launches = match assumptions.launches_counted() {
        Launches::Hidden => "launches hidden",
        Launches::Added => "launches added",
    };
    match assumptions.estimate {
        Estimate::Bound => format!("Assumed: {}, {launches}", assumptions.overlap.name()),
        Estimate::Realistic => format!(
            "Estimated: {}, the bound ÷ {REALISTIC_EFFICIENCY}, launches added at {REALISTIC_LAUNCH} where the device does not say",
            assumptions.overlap.name()
        ),
    }
}
