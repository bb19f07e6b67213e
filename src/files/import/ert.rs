//! ERT (Empirical Roofline Toolkit) roofline JSON: one device as measured, perhaps with its declared peaks.
use super::Format;
use super::file::DeviceFile;
use super::reading::{Figure, Reading, named, short};
use crate::model::cost::{Level, Path};
use crate::model::format::NumberFormat;
use crate::model::gpu::{Basis, Gpu};
use serde_json::{Map, Value};

pub(super) const FORMAT: Format = Format {
    name: "ERT roofline (JSON)",
    read,
};

/// The two parts of a file, what is declared first, and how their figures are known.
const PARTS: [(&str, Basis); 2] = [
    ("spec", Basis::Theoretical),
    ("empirical", Basis::Achievable),
];

fn read(file: &DeviceFile<'_>, reading: &mut Reading) -> bool {
    let Some(parts) = file.object() else {
        return false;
    };
    let has_data = |name: &str| {
        let part = parts.get(name);
        part.is_some_and(|part| part.get("gflops").is_some() || part.get("gbytes").is_some())
    };
    if !PARTS.iter().any(|(name, _)| has_data(name)) {
        return false;
    }
    // The metadata knows more names, all of them of somebody's machine.
    let mut gpu = named("", file);
    reading.tell("gflops are read in GFLOP/s and gbytes in GB/s (1e9 B/s)");
    for (name, basis) in PARTS {
        let Some(part) = parts.get(name).and_then(Value::as_object) else {
            continue;
        };
        for (label, value) in entries(part, "gflops", reading) {
            let figure = Figure {
                label,
                text: &value.to_string(),
                unit: "GFLOP/s",
                basis,
            };
            compute(&mut gpu, &figure, reading);
        }
        for (label, value) in entries(part, "gbytes", reading) {
            let figure = Figure {
                label,
                text: &value.to_string(),
                unit: "GB/s",
                basis,
            };
            memory(&mut gpu, &figure, reading);
        }
    }
    reading.ignore("not used: metadata, which describes the run and the machine");
    if gpu.compute.is_empty() {
        reading.ignore("there is no compute roof, since no figure of gflops could be used");
    }
    if gpu.memory.is_empty() {
        reading.ignore("there is no memory roof, since no figure of gbytes could be used");
    }
    reading.add(gpu);
    true
}

/// The pairs of label and value of a part; what is no pair is told.
fn entries<'a>(
    part: &'a Map<String, Value>,
    name: &str,
    reading: &mut Reading,
) -> Vec<(&'a str, &'a Value)> {
    let data = part.get(name).and_then(|table| table.get("data"));
    let mut entries = Vec::new();
    for (index, entry) in data
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .enumerate()
    {
        match entry.as_array().map(Vec::as_slice) {
            Some([Value::String(label), value]) => entries.push((label.as_str(), value)),
            _ => reading.ignore(format!(
                "entry {} of {name} is skipped: it is no pair of a label and a number",
                index + 1
            )),
        }
    }
    entries
}

/// A figure labelled `FP64 GFLOPs`.
fn compute(gpu: &mut Gpu, figure: &Figure<'_>, reading: &mut Reading) {
    let label = figure.label;
    let format = words(label).find_map(|word| word.parse::<NumberFormat>().ok());
    let is_matrix = words(label).any(|word| ["TENSOR", "MATRIX", "MFMA"].contains(&word.as_str()));
    let only_unit = words(label).all(|word| word == "GFLOPS");
    let path = match format {
        Some(format) if is_matrix => Path::matrix(format),
        Some(format) => Path::vector(format),
        None if only_unit => Path::vector(NumberFormat::FP64),
        None => {
            let label = short(label);
            reading.ignore(format!("{label:?} is skipped: it names no number format"));
            return;
        }
    };
    reading.tell(format!("{:?} is read as {path}", short(label)));
    reading.compute(gpu, path, figure);
}

/// A figure labelled `L2`, `DRAM` or `STREAM HBM`.
fn memory(gpu: &mut Gpu, figure: &Figure<'_>, reading: &mut Reading) {
    let label = figure.label;
    let level = words(label).find_map(|word| match word.as_str() {
        "L1" => Some(Level::L1),
        "L2" => Some(Level::L2),
        "L3" | "LLC" | "MALL" => Some(Level::Llc),
        "DRAM" | "HBM" | "MCDRAM" | "DDR" | "GDDR" => Some(Level::Dram),
        _ => None,
    });
    let Some(level) = level else {
        let label = short(label);
        reading.ignore(format!("{label:?} is skipped: it names no memory level"));
        return;
    };
    if level.name() != label.trim() {
        reading.tell(format!("{:?} is read as {}", short(label), level.name()));
    }
    reading.memory(gpu, level, figure);
}

/// The words of a label, in capitals.
fn words(label: &str) -> impl Iterator<Item = String> {
    let words = label.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_uppercase)
}
