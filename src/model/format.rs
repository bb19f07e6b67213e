//! Number formats: how many bits an element takes and which formats are near each other.
use serde::{Deserialize, Serialize};
use std::fmt;

/// A number format of operands or results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum NumberFormat {
    FP64,
    FP32,
    TF32,
    BF16,
    FP16,
    FP8,
    FP6,
    FP4,
    INT8,
    INT4,
}

impl NumberFormat {
    /// Every format, widest first, integers last.
    pub const ALL: [Self; 10] = [
        Self::FP64,
        Self::FP32,
        Self::TF32,
        Self::BF16,
        Self::FP16,
        Self::FP8,
        Self::FP6,
        Self::FP4,
        Self::INT8,
        Self::INT4,
    ];

    /// The name as written in files and on the chart.
    pub fn name(self) -> &'static str {
        match self {
            Self::FP64 => "FP64",
            Self::FP32 => "FP32",
            Self::TF32 => "TF32",
            Self::BF16 => "BF16",
            Self::FP16 => "FP16",
            Self::FP8 => "FP8",
            Self::FP6 => "FP6",
            Self::FP4 => "FP4",
            Self::INT8 => "INT8",
            Self::INT4 => "INT4",
        }
    }

    /// Bits an element takes in memory; TF32 is stored in 32.
    pub fn bits(self) -> u32 {
        match self {
            Self::FP64 => 64,
            Self::FP32 | Self::TF32 => 32,
            Self::BF16 | Self::FP16 => 16,
            Self::FP8 | Self::INT8 => 8,
            Self::FP6 => 6,
            Self::FP4 | Self::INT4 => 4,
        }
    }

    /// Bytes an element takes in memory, without scales of blocks; 0.5 for four bits.
    pub fn bytes(self) -> f64 {
        f64::from(self.bits()) / 8.0
    }

    /// Whether the format holds integers, whose work is counted in OP.
    pub fn is_integer(self) -> bool {
        matches!(self, Self::INT8 | Self::INT4)
    }

    /// Bytes per element when `group` elements share one 16-bit scale: 4-bit in groups of 128 is 0.516 B.
    pub fn bytes_in_groups_of(self, group: u32) -> f64 {
        self.bytes() + 2.0 / f64::from(group)
    }

    /// Where to look for a roof when this format has none: the next wider formats, then narrower ones.
    pub fn neighbours(self) -> Vec<Self> {
        let family: Vec<_> = Self::ALL
            .into_iter()
            .filter(|f| f.is_integer() == self.is_integer() && *f != self)
            .collect();
        let precision = |f: Self| match f {
            // TF32 multiplies with fewer bits than it is stored in.
            Self::TF32 => 19,
            f => f.bits(),
        };
        let mut wider: Vec<_> = family
            .iter()
            .copied()
            .filter(|f| precision(*f) >= precision(self))
            .collect();
        wider.sort_by_key(|f| precision(*f));
        let narrower = family
            .iter()
            .copied()
            .filter(|f| precision(*f) < precision(self));
        wider.into_iter().chain(narrower).collect()
    }
}

impl fmt::Display for NumberFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Text that names no number format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a number format: write one of FP64, FP32, TF32, BF16, FP16, FP8, FP6, FP4, INT8, INT4"
)]
pub struct UnknownFormat(pub String);

impl std::str::FromStr for NumberFormat {
    type Err = UnknownFormat;
    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        Self::ALL
            .into_iter()
            .find(|f| f.name().eq_ignore_ascii_case(text.trim()))
            .ok_or_else(|| UnknownFormat(text.trim().to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wider_comes_before_narrower() {
        assert_eq!(NumberFormat::FP16.neighbours()[0], NumberFormat::BF16);
        let fp8 = NumberFormat::FP8.neighbours();
        assert_eq!(&fp8[..2], [NumberFormat::BF16, NumberFormat::FP16]);
        assert_eq!(*fp8.last().unwrap(), NumberFormat::FP4);
        assert_eq!(NumberFormat::FP64.neighbours()[0], NumberFormat::FP32);
    }
}
