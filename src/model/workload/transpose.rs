//! Transpose: a matrix written with rows and columns exchanged; no work at all.
use super::common::{bytes, fp32, is_default};
use super::{Alternative, CostError, Family, Kind, Parameter, choices};
use crate::model::cost::{Cost, Level, Path};
use crate::model::format::NumberFormat;
use crate::model::placement::Regime;
use crate::model::quantity::{Count, Flops};
use crate::model::units;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What a GPU's memory moves at least.
const SECTOR: f64 = 32.0;

/// Every element read once and written once: 2·R·C·bytes (as XLA counts).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Transpose {
    pub rows: Count,
    pub columns: Count,
    #[serde(default = "fp32")]
    pub format: NumberFormat,
    #[serde(default, skip_serializing_if = "is_default")]
    pub tiling: Tiling,
}

/// How the matrix is gone through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Tiling {
    /// By tiles on chip, so that both sides move whole sectors.
    #[default]
    Tiled,
    /// Row by row: each element written moves a sector of 32 B.
    Strided,
}

choices! { Tiling { Tiled => "tiles on chip", Strided => "strided writes" } }

impl Default for Transpose {
    fn default() -> Self {
        Self {
            rows: Count::constant(8192.0),
            columns: Count::constant(8192.0),
            format: fp32(),
            tiling: Tiling::Tiled,
        }
    }
}

impl Transpose {
    /// Bytes moved for each element written.
    fn written(&self) -> f64 {
        match self.tiling {
            Tiling::Tiled => self.format.bytes(),
            Tiling::Strided => SECTOR,
        }
    }
}

impl Family for Transpose {
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            Parameter::number("rows", "Rows", "Of the matrix read", &mut self.rows),
            Parameter::number(
                "columns",
                "Columns",
                "Of the matrix read",
                &mut self.columns,
            ),
            Parameter::format(
                "format",
                "Number format",
                "Format of the elements",
                &mut self.format,
            ),
            Parameter::choice(
                "tiling",
                "Goes by",
                "Without tiles on chip each element written moves a sector of 32 B",
                &mut self.tiling,
            ),
        ]
    }

    fn cost(&self) -> Result<Cost, CostError> {
        let elements = self.rows.get() * self.columns.get();
        let traffic = bytes(elements * (self.format.bytes() + self.written()))?;
        Ok(Cost::kernel(
            Path::vector(self.format),
            Flops::ZERO,
            traffic,
        ))
    }

    fn formula(&self) -> Vec<String> {
        let Ok(cost) = self.cost() else {
            return vec![];
        };
        let [read, written] = [self.format.bytes(), self.written()].map(units::number);
        vec![
            "work = 0: nothing is computed".to_owned(),
            format!(
                "traffic = {} × {} × ({read} + {written}) B = {}",
                self.rows,
                self.columns,
                cost.traffic_at(Level::Dram)
            ),
        ]
    }

    fn leaves_out(&self) -> Vec<Cow<'static, str>> {
        match self.tiling {
            Tiling::Tiled => vec!["each element moves once, in whole sectors".into()],
            Tiling::Strided => vec!["no sector written stays in cache until it is full".into()],
        }
    }

    fn alternatives(&self) -> Vec<Alternative> {
        if self.tiling == Tiling::Tiled {
            return vec![];
        }
        let tiled = Self {
            tiling: Tiling::Tiled,
            ..self.clone()
        };
        let name = "By tiles on chip".to_owned();
        vec![(name, Regime::MemoryBound, Kind::Transpose(tiled))]
    }

    fn default_sweep(&self) -> (&str, Vec<f64>) {
        ("rows", [256.0, 1024.0, 4096.0, 16384.0].to_vec())
    }
}
