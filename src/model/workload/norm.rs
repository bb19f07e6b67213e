//! Normalisation of rows: LayerNorm or RMSNorm, perhaps with the residual added in the same kernel.
use super::common::{bytes, flops, fp16, is_default, vector_of};
use super::{Alternative, CostError, Family, Kind, Parameter, choices};
use crate::model::cost::{Cost, Level};
use crate::model::format::NumberFormat;
use crate::model::placement::Regime;
use crate::model::quantity::Count;
use crate::model::units;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Rows scaled to equal size.
///
/// RMSNorm: squares, their sum, two multiplications: 4·R·C + R FLOP; traffic 2·R·C + C elements (both as XLA counts).
/// LayerNorm: also the mean, its subtraction and a shift: 7·R·C; 2·R·C + 2·C elements. With the residual fused, one
/// addition and 2·R·C elements more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Norm {
    pub rows: Count,
    pub columns: Count,
    #[serde(default, skip_serializing_if = "is_default")]
    pub norm: NormKind,
    #[serde(default, skip_serializing_if = "is_default")]
    pub residual: Residual,
    #[serde(default = "fp16")]
    pub format: NumberFormat,
}

/// Which normalisation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum NormKind {
    #[default]
    Rms,
    Layer,
}

choices! { NormKind { Rms => "RMSNorm", Layer => "LayerNorm" } }

/// Whether the residual is added in the same kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Residual {
    #[default]
    None,
    /// It is read and the sum written as well.
    Fused,
}

choices! { Residual { None => "not here", Fused => "added in the kernel" } }

impl Default for Norm {
    fn default() -> Self {
        Self {
            rows: Count::constant(8192.0),
            columns: Count::constant(4096.0),
            norm: NormKind::Rms,
            residual: Residual::None,
            format: fp16(),
        }
    }
}

impl Norm {
    /// FLOP per element, FLOP per row, parameters per column.
    fn per(&self) -> (f64, f64, f64) {
        let added = match self.residual {
            Residual::None => 0.0,
            Residual::Fused => 1.0,
        };
        match self.norm {
            NormKind::Rms => (4.0 + added, 1.0, 1.0),
            NormKind::Layer => (7.0 + added, 0.0, 2.0),
        }
    }

    /// Reads and writes of the matrix.
    fn moves(&self) -> f64 {
        match self.residual {
            Residual::None => 2.0,
            Residual::Fused => 4.0,
        }
    }
}

impl Family for Norm {
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            Parameter::number(
                "rows",
                "Rows",
                "Tokens, say: each is normalised alone",
                &mut self.rows,
            ),
            Parameter::number(
                "columns",
                "Columns",
                "Length of a row: the hidden size",
                &mut self.columns,
            ),
            Parameter::choice(
                "norm",
                "Normalisation",
                "LayerNorm also subtracts the mean and shifts",
                &mut self.norm,
            ),
            Parameter::choice(
                "residual",
                "Residual",
                "Whether the kernel also adds the residual and writes the sum",
                &mut self.residual,
            ),
            Parameter::format(
                "format",
                "Number format",
                "Format in memory; the arithmetic is FP32",
                &mut self.format,
            ),
        ]
    }

    fn cost(&self) -> Result<Cost, CostError> {
        let [rows, columns] = [self.rows, self.columns].map(Count::get);
        let (per_element, per_row, parameters) = self.per();
        let elements = self.moves() * rows * columns + parameters * columns;
        let work = per_element * rows * columns + per_row * rows;
        let traffic = bytes(elements * self.format.bytes())?;
        Ok(Cost::kernel(vector_of(self.format), flops(work)?, traffic))
    }

    fn formula(&self) -> Vec<String> {
        let Ok(cost) = self.cost() else {
            return vec![];
        };
        let (r, c) = (self.rows, self.columns);
        let (per_element, per_row, parameters) = self.per();
        let rows = if per_row > 0.0 {
            format!(" + {r}")
        } else {
            String::new()
        };
        vec![
            format!(
                "work = {per_element} × {r} × {c}{rows} = {}",
                cost.total_work()
            ),
            format!(
                "traffic = ({} × {r} × {c} + {parameters} × {c}) × {} B = {}",
                self.moves(),
                units::number(self.format.bytes()),
                cost.traffic_at(Level::Dram)
            ),
        ]
    }

    fn leaves_out(&self) -> Vec<Cow<'static, str>> {
        vec![
            "a row fits on chip".into(),
            "no reciprocal square root: one a row".into(),
        ]
    }

    fn alternatives(&self) -> Vec<Alternative> {
        let mut alternatives = Vec::new();
        if self.format.bits() > 8 {
            let narrow = Self {
                format: NumberFormat::FP8,
                ..self.clone()
            };
            let name = "Rows in FP8".to_owned();
            alternatives.push((name, Regime::MemoryBound, Kind::Norm(narrow)));
        }
        alternatives
    }

    fn default_sweep(&self) -> (&str, Vec<f64>) {
        ("rows", [1.0, 16.0, 256.0, 4096.0, 65536.0].to_vec())
    }
}
