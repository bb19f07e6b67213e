//! Results that micro-benchmarks and counters print as text, each in a layout of its own.
pub mod gpu_benches;
pub mod likwid;
pub mod mixbench;
pub mod nersc;

use super::number::{self, Decimal};
use super::points::Value;
use crate::model::cost::{Level, Path};
use crate::model::profile::Target;

/// The most such a file may have, in B: its authors read it themselves.
const MOST_BYTES: usize = 16 << 20;

/// The most cells of a line that are looked at.
const MOST_CELLS: usize = 4096;

/// A number; `None` for what is none, and for nan and inf.
fn value(text: &str) -> Option<f64> {
    number::parse(text.as_bytes(), Decimal::Point)
        .ok()
        .flatten()
}

fn work(path: Path, name: &str, value: Option<f64>) -> Value<'_> {
    Value {
        target: Target::Work(path),
        name,
        unit: "FLOP",
        each: 1.0,
        value,
    }
}

fn traffic(level: Level, name: &str, value: Option<f64>) -> Value<'_> {
    Value {
        target: Target::Traffic(level),
        name,
        unit: "B",
        each: 1.0,
        value,
    }
}
