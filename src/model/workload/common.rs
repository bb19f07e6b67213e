//! What several kinds share: usual formats, options, and how numbers are put into formulas.
use super::{CostError, choices};
use crate::model::cost::Path;
use crate::model::format::NumberFormat;
use crate::model::quantity::{Bytes, Count, Flops, OutOfRange};
use crate::model::units::{self, Unit};
use serde::{Deserialize, Serialize};

pub(super) fn one() -> Count {
    Count::ONE
}

pub(super) fn fp16() -> NumberFormat {
    NumberFormat::FP16
}

pub(super) fn fp32() -> NumberFormat {
    NumberFormat::FP32
}

pub(super) fn fp64() -> NumberFormat {
    NumberFormat::FP64
}

/// Whether a choice is the usual one, which files leave out.
pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Whether a count is one, which files leave out.
pub(super) fn is_one(count: &Count) -> bool {
    *count == Count::ONE
}

/// The path of arithmetic beside matrix products: the vector unit, in FP32 whatever narrower format is stored.
pub(super) fn vector_of(stored: NumberFormat) -> Path {
    Path::vector(match stored {
        NumberFormat::FP64 => NumberFormat::FP64,
        _ => NumberFormat::FP32,
    })
}

/// Of two operands the wider, which picks the path.
pub(super) fn wider(a: NumberFormat, b: NumberFormat) -> NumberFormat {
    if b.bits() > a.bits() { b } else { a }
}

/// A count where it is given, else zero.
pub(super) fn or_zero(count: Option<Count>) -> f64 {
    count.map_or(0.0, Count::get)
}

pub(super) fn flops(value: f64) -> Result<Flops, OutOfRange> {
    Flops::try_from(value)
}

pub(super) fn bytes(value: f64) -> Result<Bytes, OutOfRange> {
    Bytes::try_from(value)
}

/// Refuses parameters that contradict each other.
pub(super) fn ensure(holds: bool, remedy: impl FnOnce() -> String) -> Result<(), CostError> {
    if holds {
        Ok(())
    } else {
        Err(CostError::Contradiction(remedy()))
    }
}

/// ` × 32`, or nothing for one.
pub(super) fn times(count: Count) -> String {
    match count {
        Count::ONE => String::new(),
        count => format!(" × {count}"),
    }
}

/// Bytes as a formula shows its result.
pub(super) fn in_bytes(value: f64) -> String {
    units::short(value, Unit::Byte)
}

/// Work as a formula shows its result.
pub(super) fn in_flop(value: f64) -> String {
    units::short(value, Unit::Flop)
}

/// What happens to the lines of a cache that are written without having been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Writes {
    /// As on GPUs: a written byte moves once.
    #[default]
    Plain,
    /// As on CPUs without streaming stores: a line is read before it is written.
    Allocate,
}

choices! { Writes { Plain => "written only", Allocate => "read first (write-allocate)" } }

impl Writes {
    /// How often a written byte moves.
    pub fn factor(self) -> f64 {
        match self {
            Self::Plain => 1.0,
            Self::Allocate => 2.0,
        }
    }
}
