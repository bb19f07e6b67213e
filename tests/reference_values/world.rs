//! Devices and quantities made of a row's plain numbers.
use ridgepoint::model::cost::{Cost, Level, Path};
use ridgepoint::model::format::NumberFormat;
use ridgepoint::model::gpu::{ComputeRoof, Gpu, MemoryRoof, Sourced};
use ridgepoint::model::placement::{Assumptions, Placement, place};
use ridgepoint::model::quantity::{Count, Quantity};
use ridgepoint::model::session::Workload;
use ridgepoint::model::sweep::{self, Sweep};
use ridgepoint::model::workload::Kind;

pub const FP16: Path = Path::matrix(NumberFormat::FP16);

/// A quantity of a number that is one.
pub fn quantity<Q: Quantity>(value: f64) -> Q {
    Q::try_from(value).unwrap()
}

pub fn count(value: f64) -> Count {
    quantity(value)
}

/// A device with these roofs.
pub fn gpu(path: Path, peak: f64, levels: &[(Level, f64)]) -> Gpu {
    let mut gpu = Gpu::empty("GPU");
    gpu.compute.push(ComputeRoof::new(
        path,
        Sourced::theoretical(quantity(peak), ""),
    ));
    for (level, bandwidth) in levels {
        let bandwidth = Sourced::theoretical(quantity(*bandwidth), "");
        gpu.memory.push(MemoryRoof::new(*level, bandwidth));
    }
    gpu
}

/// A kind on a device.
pub fn on(gpu: &Gpu, kind: Kind) -> Placement {
    let workload = Workload::new("w", kind);
    workload.place_on(gpu, Assumptions::default()).unwrap()
}

/// A cost on a device.
pub fn placed(cost: &Cost, gpu: &Gpu) -> Placement {
    place(cost, gpu, Assumptions::default(), 1.0).unwrap()
}

/// The value of a parameter at which the regime flips.
pub fn crossover(gpu: &Gpu, kind: Kind, parameter: &str) -> f64 {
    let sweep = Sweep {
        parameter: parameter.to_owned(),
        values: vec![1.0],
    };
    let swept = sweep::run(
        &sweep,
        &Workload::new("w", kind),
        gpu,
        Assumptions::default(),
    );
    swept.unwrap().crossover.unwrap()
}

/// The number format a row names.
pub fn format(name: Option<&str>) -> NumberFormat {
    match name {
        Some("f64" | "complex128") => NumberFormat::FP64,
        Some("f32") | None => NumberFormat::FP32,
        Some("bf16") => NumberFormat::BF16,
        Some(other) => panic!("{other} is not known"),
    }
}

/// A format of so many bytes.
pub fn of_bytes(bytes: f64) -> NumberFormat {
    match bytes {
        1.0 => NumberFormat::INT8,
        2.0 => NumberFormat::BF16,
        4.0 => NumberFormat::FP32,
        8.0 => NumberFormat::FP64,
        other => panic!("no format has {other} bytes"),
    }
}
