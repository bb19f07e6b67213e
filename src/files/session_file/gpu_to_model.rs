//! A GPU from the file's structs to the model: what the model would not allow is refused.
use super::problem::{Problem, at, unix_lines};
use super::v1_gpu::{
    AchievableFile, ComputeFile, FactFile, GpuFile, MemoryFile, OriginalFile, PartsFile,
};
use crate::model::cost::ComputeUnit;
use crate::model::format::NumberFormat;
use crate::model::gpu::{Basis, ComputeRoof, Confidence, Gpu, MemoryRoof, Sourced};
use crate::model::parts::Parts;
use crate::model::quantity::{Count, FlopRate};
use crate::model::sourced::Original;

/// The GPU of a file; `prefix` leads to it, with a dot at the end.
pub(in crate::files) fn gpu(file: GpuFile, prefix: &str) -> Result<Gpu, Problem> {
    if file.name.trim().is_empty() {
        let message = "a GPU needs a name: write one".to_owned();
        return Err(at(format!("{prefix}name"))(message));
    }
    let mut gpu = Gpu::empty(file.name.trim());
    gpu.preset = file.preset;
    gpu.scope = file.scope;
    gpu.capacity = file.capacity;
    gpu.launch_overhead = file.launch_overhead;
    gpu.notes = unix_lines(file.notes);
    gpu.parts = file.parts.map(PartsFile::parts).unwrap_or_default();
    compute(&mut gpu, file.compute, prefix)?;
    if let Some(factor) = file.sparsity {
        add_sparse(&mut gpu, factor);
    }
    memory(&mut gpu, file.memory, prefix)?;
    Ok(gpu)
}

fn compute(gpu: &mut Gpu, files: Vec<ComputeFile>, prefix: &str) -> Result<(), Problem> {
    for (index, file) in files.into_iter().enumerate() {
        let ComputeFile { path, peak, .. } = file;
        if gpu.compute_roof(path).is_some() {
            let message = format!("{path} has a roof already: keep one of them");
            return Err(at(format!("{prefix}compute.{index}.path"))(message));
        }
        let peak = sourced(
            peak,
            file.basis,
            file.source,
            file.confidence,
            file.derived,
            file.original,
        );
        let achievable = file.achievable.map(AchievableFile::number);
        gpu.compute.push(ComputeRoof {
            path,
            peak,
            achievable,
        });
    }
    Ok(())
}

/// Formats that structured sparsity speeds up wherever a device has it.
const SPARSE_FORMATS: [NumberFormat; 5] = [
    NumberFormat::TF32,
    NumberFormat::BF16,
    NumberFormat::FP16,
    NumberFormat::FP8,
    NumberFormat::INT8,
];

/// The roofs that one factor for the whole device stands for in earlier files.
fn add_sparse(gpu: &mut Gpu, factor: Count) {
    let roofs = std::mem::take(&mut gpu.compute);
    for roof in roofs {
        let path = roof.path;
        let lifted = path.unit == ComputeUnit::Matrix
            && SPARSE_FORMATS.contains(&path.format)
            && factor.get() > 1.0;
        let peak = FlopRate::try_from(roof.peak.value.get() * factor.get());
        gpu.compute.push(roof);
        if let (true, Ok(peak)) = (
            lifted && gpu.compute_roof(path.with_sparsity()).is_none(),
            peak,
        ) {
            let mut peak = Sourced::own(peak);
            peak.source = format!("{factor} × dense, the sparsity factor of the file");
            gpu.compute
                .push(ComputeRoof::new(path.with_sparsity(), peak));
        }
    }
}

fn memory(gpu: &mut Gpu, files: Vec<MemoryFile>, prefix: &str) -> Result<(), Problem> {
    for (index, file) in files.into_iter().enumerate() {
        let MemoryFile {
            level, bandwidth, ..
        } = file;
        if gpu.memory_roof(level).is_some() {
            let message = format!("{} has a roof already: keep one of them", level.name());
            return Err(at(format!("{prefix}memory.{index}.level"))(message));
        }
        let bandwidth = sourced(
            bandwidth,
            file.basis,
            file.source,
            file.confidence,
            file.derived,
            file.original,
        );
        let achievable = file.achievable.map(AchievableFile::number);
        gpu.memory.push(MemoryRoof {
            level,
            bandwidth,
            achievable,
            links: file.links,
            links_per_peer: file.links_per_peer,
        });
    }
    Ok(())
}

impl PartsFile {
    fn parts(self) -> Parts {
        Parts {
            units: self.units.map(FactFile::number),
            clock: self.clock.map(FactFile::number),
            matrix_clock: self.matrix_clock.map(FactFile::number),
            memory_bus: self.memory_bus.map(FactFile::number),
            l1: self.l1_per_unit.map(FactFile::number),
            l2: self.l2.map(FactFile::number),
            llc: self.llc.map(FactFile::number),
        }
    }
}

impl<Q> FactFile<Q> {
    fn number(self) -> Sourced<Q> {
        sourced(
            self.value,
            self.basis,
            self.source,
            self.confidence,
            self.derived,
            self.original,
        )
    }
}

fn sourced<Q>(
    value: Q,
    basis: Basis,
    source: String,
    confidence: Option<Confidence>,
    derivation: Option<String>,
    original: Option<OriginalFile<Q>>,
) -> Sourced<Q> {
    let mut number = Sourced {
        value,
        basis,
        source: unix_lines(source),
        confidence,
        derivation,
        original: original.map(|original| Original {
            value: original.value,
            basis: original.basis,
            source: unix_lines(original.source),
            confidence: original.confidence,
        }),
    };
    // Earlier files left the source of a replaced number with the one that replaced it.
    if let Some(original) = number.original.as_mut()
        && original.source.is_empty()
        && original.confidence.is_none()
    {
        original.source = std::mem::take(&mut number.source);
        original.confidence = number.confidence.take();
    }
    number
}

impl<Q> AchievableFile<Q> {
    fn number(self) -> Sourced<Q> {
        sourced(
            self.value,
            self.basis,
            self.source,
            self.confidence,
            self.derived,
            self.original,
        )
    }
}
