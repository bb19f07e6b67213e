//! A table of peaks someone keeps by hand: `label,peak_flops,peak_bandwidth`, in FLOP/s and B/s without a prefix.
use super::Format;
use super::file::DeviceFile;
use super::reading::{Figure, Reading, named, short};
use crate::model::cost::{Level, Path};
use crate::model::format::NumberFormat;
use crate::model::gpu::Basis;

pub(super) const FORMAT: Format = Format {
    name: "table of peaks (CSV)",
    read,
};

fn read(file: &DeviceFile<'_>, reading: &mut Reading) -> bool {
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(file.text.as_bytes());
    let Ok(header) = reader.headers().cloned() else {
        return false;
    };
    let at = |name: &str| {
        header
            .iter()
            .position(|column| column.eq_ignore_ascii_case(name))
    };
    let (Some(label), Some(flops), Some(bytes)) =
        (at("label"), at("peak_flops"), at("peak_bandwidth"))
    else {
        return false;
    };
    reading.ignore_twins(header.iter());
    reading
        .tell("peak_flops is read as FP32 vector, in FLOP/s, and peak_bandwidth as DRAM, in B/s");
    let mut gpu = named("", file);
    for (index, row) in reader.records().enumerate() {
        let row = match row {
            Ok(row) => row,
            Err(error) => {
                reading.ignore(format!("row {} is skipped: {error}", index + 1));
                continue;
            }
        };
        let cell = |at: usize| row.get(at).unwrap_or_default();
        let basis = match cell(label).to_ascii_lowercase().as_str() {
            "theoretical" => Basis::Theoretical,
            "measured" | "empirical" | "achievable" => Basis::Achievable,
            other => {
                reading.ignore(format!(
                    "row {} is skipped: {:?} is neither theoretical nor measured",
                    index + 1,
                    short(other)
                ));
                continue;
            }
        };
        let figure = |at: usize, unit| Figure {
            label: &header[at],
            text: cell(at),
            unit,
            basis,
        };
        reading.compute(
            &mut gpu,
            Path::vector(NumberFormat::FP32),
            &figure(flops, "FLOP/s"),
        );
        reading.memory(&mut gpu, Level::Dram, &figure(bytes, "B/s"));
    }
    reading.add(gpu);
    true
}
