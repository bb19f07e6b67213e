//! The device that a file's attributes describe.
use super::collect::Collector;
use super::metrics::Attribute;
use crate::model::cost::Level;
use crate::model::gpu::{Gpu, MemoryRoof, Sourced};
use crate::model::quantity::Quantity;

/// The device, if the file names it.
pub fn of(collector: &Collector) -> Option<Gpu> {
    let name = collector
        .attributes
        .iter()
        .find(|(attribute, _)| *attribute == Attribute::Name);
    let mut gpu = Gpu::empty(name?.1.trim());
    let source = "device attributes in a profile of Nsight Compute";
    let value = |attribute| collector.attribute_value(attribute);
    if let (Some(kilohertz), Some(bits)) =
        (value(Attribute::MemoryKilohertz), value(Attribute::BusBits))
    {
        let bandwidth = 2.0 * kilohertz * 1e3 * bits / 8.0;
        let source = format!(
            "2 · {} MHz · {bits} bit ÷ 8, from {source}",
            kilohertz / 1e3
        );
        gpu.memory
            .extend(sourced(bandwidth, &source).map(|rate| MemoryRoof::new(Level::Dram, rate)));
    }
    gpu.capacity = value(Attribute::MemoryBytes).and_then(|bytes| bytes.try_into().ok());
    gpu.parts.units = value(Attribute::Units).and_then(|units| sourced(units, source));
    let clock = value(Attribute::ClockKilohertz).map(|kilohertz| kilohertz * 1e3);
    gpu.parts.clock = clock.and_then(|hertz| sourced(hertz, source));
    gpu.parts.l2 = value(Attribute::L2Bytes).and_then(|bytes| sourced(bytes, source));
    Some(gpu)
}

fn sourced<Q: Quantity>(value: f64, source: &str) -> Option<Sourced<Q>> {
    Some(Sourced::theoretical(Q::try_from(value).ok()?, source))
}
