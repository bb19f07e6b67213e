//! What was read of a profile: as JSON for programs, as sentences for people.
use super::kernels::{self, Told};
use crate::model::profile::Summary;
use crate::model::units;
use serde_json::{Value, json};

/// What a reader said beside the kernels.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    /// Rows of the table.
    pub rows: u64,
    /// Lines that were not used, and why.
    pub skipped: &'a [(u64, String)],
    pub skipped_in_all: u64,
    pub warnings: &'a [String],
}

/// The object of one file.
pub fn json(told: Told<'_>, reading: Reading<'_>) -> Value {
    let lines = 0..told.analysis.lines.len();
    let kernels: Vec<_> = lines.map(|line| kernels::row(told, line).json()).collect();
    let skipped = reading.skipped.iter();
    let skipped: Vec<_> = skipped
        .map(|(line, reason)| json!({ "line": line, "reason": reason }))
        .collect();
    json!({
        "format": told.profile.source.format,
        "gpu": told.gpu.map(|gpu| &gpu.name),
        "kernels": kernels,
        "skipped": skipped,
        "warnings": reading.warnings,
    })
}

/// The objects of files as text: one stands alone, several in a list.
pub fn text(objects: Vec<Value>) -> String {
    match <[Value; 1]>::try_from(objects) {
        Ok([only]) => super::grid::json_text(&only),
        Err(several) => super::grid::json_text(&Value::Array(several)),
    }
}

/// How a file was read, a line each.
pub fn summary(told: Told<'_>, reading: Reading<'_>) -> String {
    let summary: &Summary = &told.analysis.summary;
    let profile = told.profile;
    let mut lines = vec![format!(
        "{}: {}, {} rows",
        profile.name,
        profile.source.format,
        units::count(reading.rows as f64)
    )];
    lines.push(kernels::standing(summary));
    // The sentence, the ladder and the GPU; where kernels stand is said already.
    let notes = kernels::notes(told, summary);
    let again = kernels::standing(summary);
    lines.extend(notes.into_iter().filter(|note| *note != again));
    lines.extend(
        profile
            .notes
            .iter()
            .filter(|note| !reading.warnings.contains(note))
            .cloned(),
    );
    if let Some((line, reason)) = reading.skipped.first() {
        let more = reading.skipped_in_all - 1;
        let more = match more {
            0 => String::new(),
            more => format!(", and {} more lines", units::count(more as f64)),
        };
        lines.push(format!("not used: line {line}: {reason}{more}"));
    }
    let mut out = String::new();
    for line in lines {
        out += &line.replace('\n', " ");
        out.push('\n');
    }
    out
}
