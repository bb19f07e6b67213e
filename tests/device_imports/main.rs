//! Devices from the files of other programs: right figures in right units, and nothing lost without a word.
//!
//! The files in `data/import` have the shape and the figures of published ones: TraceLens, inference-sim,
//! roofline_python and rocprofiler-compute; what their metadata say of machines is left out.
mod achievable;
mod command_line;
mod damaged;
mod formats;

use ridgepoint::files::import::{self, Imported};
use ridgepoint::model::cost::{Level, Path};
use ridgepoint::model::gpu::{Basis, Gpu};
use ridgepoint::model::published::Published;

pub const ARCH: &str = include_str!("../data/import/arch_mi300x.json");
pub const BLIS: &str = include_str!("../data/import/hardware_config.json");
pub const SKYLAKE: &str = include_str!("../data/import/ert_skylake.json");
pub const A64FX: &str = include_str!("../data/import/ert_a64fx.json");
pub const ROOFLINE: &str = include_str!("../data/import/roofline_mi200.csv");

#[track_caller]
pub fn imported(text: &str, name: &str) -> Imported {
    import::devices(text, name).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
pub fn refused(text: &str) -> String {
    let error = import::devices(text, "a.txt").unwrap_err().to_string();
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

pub fn path(path: &str) -> Path {
    path.parse().unwrap()
}

pub fn peak(gpu: &Gpu, of: &str) -> Option<f64> {
    Some(gpu.compute_roof(path(of))?.peak.value.get())
}

pub fn bandwidth(gpu: &Gpu, level: Level) -> Option<f64> {
    Some(gpu.memory_roof(level)?.bandwidth.value.get())
}

/// What is odd about the numbers themselves.
pub fn doubts_of(gpu: &Gpu) -> Vec<String> {
    let doubts = gpu.doubts(&Published::default());
    doubts.iter().map(ToString::to_string).collect()
}

#[track_caller]
pub fn ridge(gpu: &Gpu, of: &str, expected: f64) {
    let ridge = gpu.ridge(path(of), Level::Dram).unwrap().get();
    assert!((ridge / expected - 1.0).abs() < 5e-4, "{ridge}");
}

/// Every figure is known on this basis, from this source.
#[track_caller]
pub fn known(gpu: &Gpu, basis: Basis, source: &str) {
    for roof in &gpu.compute {
        assert_eq!(
            (roof.peak.basis, roof.peak.source.as_str()),
            (basis, source)
        );
    }
    for roof in &gpu.memory {
        let bandwidth = &roof.bandwidth;
        assert_eq!(
            (bandwidth.basis, bandwidth.source.as_str()),
            (basis, source)
        );
    }
}

#[track_caller]
pub fn says(sentences: &[String], part: &str) {
    let found = sentences.iter().any(|sentence| sentence.contains(part));
    assert!(found, "{part:?} is not in {sentences:?}");
}
