//! rocprofiler-compute roofline.csv: a row a device, a column a measured roof; which columns there are varies.
use super::Format;
use super::file::DeviceFile;
use super::reading::{Figure, Reading, named};
use crate::model::cost::{Level, Path};
use crate::model::format::NumberFormat;
use crate::model::gpu::Basis;
use csv::StringRecord;

pub(super) const FORMAT: Format = Format {
    name: "rocprofiler-compute roofline (CSV)",
    read,
};

/// The columns that every version writes.
const EXPECTED: [&str; 10] = [
    "HBMBw",
    "L2Bw",
    "L1Bw",
    "FP32Flops",
    "FP64Flops",
    "MFMABF16Flops",
    "MFMAF16Flops",
    "MFMAF32Flops",
    "MFMAF64Flops",
    "MFMAI8Ops",
];

/// What a column is.
#[derive(Clone, Copy)]
enum Column {
    Device,
    Memory(Level),
    Compute(Path),
    /// The ends of the interval within which the runs lay.
    Spread,
    Other,
}

fn read(file: &DeviceFile<'_>, reading: &mut Reading) -> bool {
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(file.text.as_bytes());
    let Ok(header) = reader.headers().cloned() else {
        return false;
    };
    let columns: Vec<_> = header.iter().map(column).collect();
    let is_roof = |column: &Column| matches!(column, Column::Memory(_) | Column::Compute(_));
    let is_device = |column: &Column| matches!(column, Column::Device);
    if !columns.iter().any(is_device) || !columns.iter().any(is_roof) {
        return false;
    }
    reading.ignore_twins(header.iter());
    reading.tell("Bw columns are read in GB/s (1e9 B/s), Flops and Ops columns in GFLOP/s");
    for (index, row) in reader.records().enumerate() {
        match row {
            Ok(row) => device(index, &header, &columns, &row, file, reading),
            Err(error) => reading.ignore(format!("row {} is skipped: {error}", index + 1)),
        }
    }
    if columns.iter().any(|c| matches!(c, Column::Spread)) {
        reading.ignore("not used: the Low and High columns, the spread of the runs");
    }
    let others = header.iter().zip(&columns);
    let others = others.filter(|(_, column)| matches!(column, Column::Other));
    reading.ignore_fields(
        others
            .map(|(name, _)| name)
            .filter(|n| !n.is_empty())
            .collect(),
    );
    missing(&header, reading);
    true
}

/// Reads the device of one row.
fn device(
    index: usize,
    header: &StringRecord,
    columns: &[Column],
    row: &StringRecord,
    file: &DeviceFile<'_>,
    reading: &mut Reading,
) {
    let cell = |at: usize| row.get(at).unwrap_or_default();
    let number = columns.iter().position(|c| matches!(c, Column::Device));
    // Nothing but a number: what else stands there could name a machine.
    let number = number.and_then(|at| cell(at).parse::<u32>().ok());
    let number = number.map_or(index, |number| number as usize);
    let mut gpu = named(&format!("{}, device {number}", file.stem()), file);
    for (at, (label, column)) in header.iter().zip(columns).enumerate() {
        let figure = |unit| Figure {
            label,
            text: cell(at),
            unit,
            basis: Basis::Achievable,
        };
        match column {
            Column::Memory(level) => reading.memory(&mut gpu, *level, &figure("GB/s")),
            Column::Compute(path) => reading.compute(&mut gpu, *path, &figure("GFLOP/s")),
            _ => {}
        }
    }
    reading.add(gpu);
}

/// Tells which of the usual columns are not there, and what is therefore absent.
fn missing(header: &StringRecord, reading: &mut Reading) {
    for name in EXPECTED {
        let roof = match column(name) {
            Column::Memory(level) => level.name().to_owned(),
            Column::Compute(path) => path.to_string(),
            _ => continue,
        };
        if !header
            .iter()
            .any(|column| column.eq_ignore_ascii_case(name))
        {
            reading.ignore(format!(
                "there is no column {name}, so there is no {roof} roof"
            ));
        }
    }
}

/// What a column is by its name, in whatever case.
fn column(name: &str) -> Column {
    let name = name.to_uppercase();
    let roof = name
        .strip_suffix("LOW")
        .or_else(|| name.strip_suffix("HIGH"));
    if roof.is_some_and(|roof| ["BW", "FLOPS", "OPS"].iter().any(|end| roof.ends_with(end))) {
        return Column::Spread;
    }
    match name.as_str() {
        "DEVICE" => return Column::Device,
        "HBMBW" => return Column::Memory(Level::Dram),
        "MALLBW" => return Column::Memory(Level::Llc),
        "L2BW" => return Column::Memory(Level::L2),
        "L1BW" => return Column::Memory(Level::L1),
        _ => {}
    }
    let rate = name
        .strip_suffix("FLOPS")
        .or_else(|| name.strip_suffix("OPS"));
    rate.and_then(path).map_or(Column::Other, Column::Compute)
}

/// The path of `MFMAF16`, `MFMABF16` or `FP32`; `MFMA` is the matrix unit.
fn path(name: &str) -> Option<Path> {
    let (name, of_unit): (_, fn(NumberFormat) -> Path) = match name.strip_prefix("MFMA") {
        Some(name) => (name, Path::matrix),
        None => (name, Path::vector),
    };
    let format = match name {
        "F64" => NumberFormat::FP64,
        "F32" => NumberFormat::FP32,
        "XF32" => NumberFormat::TF32,
        "F16" => NumberFormat::FP16,
        "F8" => NumberFormat::FP8,
        "F6" => NumberFormat::FP6,
        "F4" => NumberFormat::FP4,
        "I8" => NumberFormat::INT8,
        name => name.parse().ok()?,
    };
    Some(of_unit(format))
}
