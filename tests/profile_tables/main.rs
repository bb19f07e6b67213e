//! Kernels from Nsight Compute's CSV, from benchmarks' text and from any table: right numbers in right units.
//!
//! Files in `data/profiles` are public ones under the MIT licence (GPU-Roofline-Profiler, GenZ-LLM-Analyzer) and
//! Apache-2.0 (InferSim), with names of hosts and users taken out; all others are synthetic, of the shape of published ones.
mod hostile;
mod ncu;
mod ncu_odd;
mod ncu_wide;
mod recognition;
mod tables;
mod texts;

use ridgepoint::files::import::profile::mapping::{self, Mapping};
use ridgepoint::files::import::profile::{self, Nothing, ProfileError, ReadProfile};
use ridgepoint::model::cost::Level;

pub const SAXPY: &[u8] = include_bytes!("../data/profiles/ncu_long_saxpy.csv");
pub const TRANSPOSE: &[u8] = include_bytes!("../data/profiles/ncu_long_transpose.csv");
pub const TIMING: &[u8] = include_bytes!("../data/profiles/user_timing.csv");
pub const GENZ: &[u8] = include_bytes!("../data/profiles/genz_mixtral.csv");
pub const INFERSIM: &[u8] = include_bytes!("../data/profiles/infersim_mla.csv");

pub fn try_read(bytes: &[u8]) -> Result<ReadProfile, ProfileError> {
    profile::read(&mut &*bytes, "/home/somebody/a.csv", &Nothing, &|_| true)
}

#[track_caller]
pub fn read(bytes: &[u8]) -> ReadProfile {
    try_read(bytes).unwrap_or_else(|error| panic!("{error}"))
}

/// Why it cannot be read: always one sentence on one line that names the file.
#[track_caller]
pub fn refused(bytes: &[u8]) -> String {
    let error = try_read(bytes).unwrap_err().to_string();
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.starts_with("/home/somebody/a.csv"), "{error}");
    error
}

pub fn mapped(bytes: &[u8], mapping: &Mapping) -> ReadProfile {
    mapping::read_mapped(&mut &*bytes, "a.csv", &Nothing, &|_| true, mapping)
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Traffic of a line at a level, in B.
pub fn bytes(profile: &ReadProfile, line: usize, level: Level) -> Option<f64> {
    let mut traffic = profile.kernels.traffic(line);
    traffic
        .find(|(of, _)| *of == level)
        .map(|(_, bytes)| bytes.get())
}

/// Work of a line on all paths, in FLOP; `None` where none is known.
pub fn flops(profile: &ReadProfile, line: usize) -> Option<f64> {
    profile
        .kernels
        .work(line)
        .map(|(_, work)| work.get())
        .reduce(|a, b| a + b)
}

/// The time of all launches of a line, in s.
pub fn time(profile: &ReadProfile, line: usize) -> f64 {
    profile.kernels.lines[line]
        .timing
        .map_or(f64::NAN, |timing| timing.sum)
}

/// Up to what a published figure of so many digits may be off.
#[track_caller]
pub fn near(value: f64, expected: f64, share: f64) {
    assert!(
        (value / expected - 1.0).abs() <= share,
        "{value} instead of {expected}"
    );
}

#[track_caller]
pub fn says(sentences: &[String], part: &str) {
    let found = sentences.iter().any(|sentence| sentence.contains(part));
    assert!(found, "{part:?} is not in {sentences:#?}");
}

/// A long table of Nsight Compute: kernel, grid, metric, unit and value per row, an ID per change of kernel or grid.
pub fn long(rows: &[(&str, u32, &str, &str, &str)]) -> String {
    let mut text = "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\
         \"Grid Size\",\"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
        .to_owned();
    let mut id = 0;
    let mut before = None;
    for (kernel, grid, metric, unit, value) in rows {
        if before.is_some_and(|before| before != (*kernel, *grid)) {
            id += 1;
        }
        before = Some((*kernel, *grid));
        text += &format!(
            "\"{id}\",\"1\",\"app\",\"host.example\",\"{kernel}\",\"1\",\"7\",\"(128, 1, 1)\",\"({grid}, 1, 1)\",\"0\",\
             \"9.0\",\"Command line profiler metrics\",\"{metric}\",\"{unit}\",\"{value}\"\n"
        );
    }
    text
}
