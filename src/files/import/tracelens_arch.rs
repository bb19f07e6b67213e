//! TraceLens architecture JSON: one device with the rates that good kernels reach.
use super::Format;
use super::file::DeviceFile;
use super::reading::{Figure, Reading, named};
use crate::model::cost::{Level, Path};
use crate::model::gpu::Basis;
use serde_json::Value;

pub(super) const FORMAT: Format = Format {
    name: "TraceLens architecture (JSON)",
    read,
};

fn read(file: &DeviceFile<'_>, reading: &mut Reading) -> bool {
    let Some(device) = file.object() else {
        return false;
    };
    let Some(rates) = device
        .get("max_achievable_tflops")
        .and_then(Value::as_object)
    else {
        return false;
    };
    let name = device.get("name").and_then(Value::as_str);
    let mut gpu = named(name.unwrap_or_default(), file);
    reading.tell(
        "max_achievable_tflops and mem_bw_gbps are read as achievable, not as peaks, in TFLOP/s and GB/s (1e9 B/s)",
    );
    let mut unused = Vec::new();
    for (key, value) in device {
        let text = value.to_string();
        let figure = |unit| Figure {
            label: key,
            text: &text,
            unit,
            basis: Basis::Achievable,
        };
        match key.as_str() {
            "name" | "max_achievable_tflops" => {}
            "mem_bw_gbps" => reading.memory(&mut gpu, Level::Dram, &figure("GB/s")),
            "memory_gb" => reading.capacity(&mut gpu, &figure("GB")),
            key => unused.push(key),
        }
    }
    for (key, value) in rates {
        match path(key) {
            Some(path) => reading.compute(
                &mut gpu,
                path,
                &Figure {
                    label: key,
                    text: &value.to_string(),
                    unit: "TFLOP/s",
                    basis: Basis::Achievable,
                },
            ),
            None => unused.push(key),
        }
    }
    reading.ignore_fields(unused);
    if !device.contains_key("mem_bw_gbps") {
        reading.ignore("there is no mem_bw_gbps, so there is no DRAM roof");
    }
    reading.add(gpu);
    true
}

/// The path of `matrix_bf16` or `vector_fp64`.
fn path(key: &str) -> Option<Path> {
    let (unit, format) = key.split_once('_')?;
    format!("{format} {unit}").parse().ok()
}
