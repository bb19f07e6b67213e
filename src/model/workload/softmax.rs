//! Softmax over the rows of a matrix, in one pass over memory or several.
use super::common::{bytes, flops, fp16, is_default, vector_of};
use super::{Alternative, CostError, Family, Kind, Parameter, choices};
use crate::model::cost::{Cost, Level, Path};
use crate::model::format::NumberFormat;
use crate::model::placement::Regime;
use crate::model::quantity::Count;
use crate::model::units;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// exp(x − max) ÷ Σ exp(x − max) of every row.
///
/// An element takes a maximum, a subtraction, an exponential, a sum and a division. Where the exponential counts as
/// one FLOP that is 5·R·C (the convention of roofline papers); apart, 4·R·C − R and R·C exponentials (as XLA counts).
/// Traffic 2·R·C·bytes where a row stays on chip, 3 online in two passes, 4 in three.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Softmax {
    pub rows: Count,
    pub columns: Count,
    #[serde(default = "fp16")]
    pub format: NumberFormat,
    #[serde(default, skip_serializing_if = "is_default")]
    pub passes: Passes,
    #[serde(default, skip_serializing_if = "is_default")]
    pub exponentials: Exponentials,
}

/// How often a row is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Passes {
    /// The row stays on chip between the steps.
    #[default]
    Fused,
    /// Maximum and sum in one reading, the result in another.
    Online,
    /// Maximum, sum and result each read the row.
    Three,
}

choices! {
    Passes { Fused => "fused, row on chip", Online => "online, two passes", Three => "three passes" }
}

impl Passes {
    /// Bytes moved per byte of the matrix: readings and the one writing.
    fn moves(self) -> f64 {
        match self {
            Self::Fused => 2.0,
            Self::Online => 3.0,
            Self::Three => 4.0,
        }
    }
}

/// How exponentials are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Exponentials {
    /// Work of the special-function unit, a term of its own.
    #[default]
    Apart,
    /// One FLOP each.
    AsFlop,
}

choices! { Exponentials { Apart => "apart", AsFlop => "1 FLOP each" } }

impl Default for Softmax {
    fn default() -> Self {
        Self {
            rows: Count::constant(65536.0),
            columns: Count::constant(4096.0),
            format: fp16(),
            passes: Passes::Fused,
            exponentials: Exponentials::Apart,
        }
    }
}

impl Family for Softmax {
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            Parameter::number("rows", "Rows", "Each row adds up to one", &mut self.rows),
            Parameter::number("columns", "Columns", "Length of a row", &mut self.columns),
            Parameter::format(
                "format",
                "Number format",
                "Format in memory; the arithmetic is FP32",
                &mut self.format,
            ),
            Parameter::choice(
                "passes",
                "Passes",
                "How often a row is read: once where it fits on chip",
                &mut self.passes,
            ),
            Parameter::choice(
                "exponentials",
                "Exponentials",
                "Work of the special-function unit, or counted as one FLOP each (5 per element in all)",
                &mut self.exponentials,
            ),
        ]
    }

    fn cost(&self) -> Result<Cost, CostError> {
        let [rows, columns] = [self.rows, self.columns].map(Count::get);
        let elements = rows * columns;
        let traffic = bytes(self.passes.moves() * elements * self.format.bytes())?;
        let kernel = |work| Ok(Cost::kernel(vector_of(self.format), flops(work)?, traffic));
        match self.exponentials {
            Exponentials::AsFlop => kernel(5.0 * elements),
            Exponentials::Apart => kernel(4.0 * elements - rows)
                .and_then(|cost: Cost| Ok(cost.with_work(Path::SPECIAL, flops(elements)?))),
        }
    }

    fn formula(&self) -> Vec<String> {
        let Ok(cost) = self.cost() else {
            return vec![];
        };
        let (r, c) = (self.rows, self.columns);
        let work = cost.total_work();
        let mut lines = match self.exponentials {
            Exponentials::AsFlop => vec![format!("work = 5 × {r} × {c} = {work}")],
            Exponentials::Apart => vec![
                format!("work = {r} × (4 × {c} − 1) = {work}"),
                format!(
                    "exponentials = {r} × {c} = {}",
                    units::count(cost.special_work().get())
                ),
            ],
        };
        lines.push(format!(
            "traffic = {} × {r} × {c} × {} B = {}",
            self.passes.moves(),
            units::number(self.format.bytes()),
            cost.traffic_at(Level::Dram)
        ));
        lines
    }

    fn leaves_out(&self) -> Vec<Cow<'static, str>> {
        match self.passes {
            Passes::Fused => vec!["a row fits on chip".into()],
            Passes::Online | Passes::Three => vec!["rows are too long to stay in a cache".into()],
        }
    }

    fn alternatives(&self) -> Vec<Alternative> {
        if self.passes == Passes::Fused {
            return vec![];
        }
        let fused = Self {
            passes: Passes::Fused,
            ..self.clone()
        };
        let name = "Fused: the row stays on chip".to_owned();
        vec![(name, Regime::MemoryBound, Kind::Softmax(fused))]
    }

    fn default_sweep(&self) -> (&str, Vec<f64>) {
        ("columns", [128.0, 512.0, 2048.0, 8192.0, 32768.0].to_vec())
    }
}
