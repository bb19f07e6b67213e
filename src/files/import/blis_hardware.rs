//! BLIS hardware config JSON: several devices with the peaks a simulator is told.
use super::Format;
use super::file::DeviceFile;
use super::reading::{Figure, Reading, named};
use crate::model::cost::{Level, Path};
use crate::model::format::NumberFormat;
use crate::model::gpu::Basis;
use serde_json::{Map, Value};

pub(super) const FORMAT: Format = Format {
    name: "BLIS hardware config (JSON)",
    read,
};

const BF16: Path = Path::matrix(NumberFormat::BF16);
const FP16: Path = Path::matrix(NumberFormat::FP16);
const FP8: Path = Path::matrix(NumberFormat::FP8);

fn read(file: &DeviceFile<'_>, reading: &mut Reading) -> bool {
    let Some(entries) = file.object() else {
        return false;
    };
    let devices = || {
        let objects = entries
            .iter()
            .map(|(name, value)| (name, value.as_object()));
        objects.filter_map(|(name, object)| Some((name, object?)))
    };
    let is_device = |fields: &Map<String, Value>| {
        fields.contains_key("TFlopsPeak") || fields.contains_key("BwPeakTBs")
    };
    if !devices().any(|(_, fields)| is_device(fields)) {
        return false;
    }
    reading.tell("TFlopsPeak is read as the dense peak of BF16 and FP16 matrix, in TFLOP/s");
    reading.tell("BwPeakTBs is read as the DRAM bandwidth, in TB/s (1e12 B/s)");
    let mut unused = Vec::new();
    for (name, fields) in devices() {
        unused.extend(device(name, fields, file, reading));
    }
    let others = entries.iter().filter(|(_, value)| !value.is_object());
    unused.extend(others.map(|(name, _)| name.as_str()));
    reading.ignore_fields(unused);
    true
}

/// Reads one device; returns the fields that are not used.
fn device<'a>(
    name: &str,
    fields: &'a Map<String, Value>,
    file: &DeviceFile<'_>,
    reading: &mut Reading,
) -> Vec<&'a str> {
    let mut gpu = named(name, file);
    let mut unused = Vec::new();
    for (key, value) in fields {
        let text = value.to_string();
        let figure = |unit| Figure {
            label: key,
            text: &text,
            unit,
            basis: Basis::Theoretical,
        };
        match key.as_str() {
            "TFlopsPeak" => {
                reading.compute(&mut gpu, BF16, &figure("TFLOP/s"));
                reading.compute(&mut gpu, FP16, &figure("TFLOP/s"));
            }
            // Zero is how a device without that format is written.
            "TFlopsFP8" if value.as_f64() == Some(0.0) => {}
            "TFlopsFP8" => reading.compute(&mut gpu, FP8, &figure("TFLOP/s")),
            "BwPeakTBs" => reading.memory(&mut gpu, Level::Dram, &figure("TB/s")),
            "MemoryGiB" => reading.capacity(&mut gpu, &figure("GiB")),
            key => unused.push(key),
        }
    }
    let needed = [("TFlopsPeak", "compute roof"), ("BwPeakTBs", "DRAM roof")];
    for (key, roof) in needed {
        if !fields.contains_key(key) {
            let name = &gpu.name;
            reading.ignore(format!("{name} has no {key}, so there is no {roof}"));
        }
    }
    reading.add(gpu);
    unused
}
