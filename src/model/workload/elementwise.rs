//! Elementwise: the same arithmetic on every element of several arrays.
use super::common::{Writes, bytes, flops, fp16, is_default, one, vector_of};
use super::{Alternative, CostError, Family, Kind, Parameter};
use crate::model::cost::{Cost, Level, Path};
use crate::model::format::NumberFormat;
use crate::model::placement::Regime;
use crate::model::quantity::{Count, Flops};
use crate::model::units;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Some operations on every element: each input is read once, each output written once.
///
/// Work c·N; traffic N·(inputs + outputs)·bytes (as XLA counts after fusion).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Elementwise {
    pub elements: Count,
    pub inputs: Count,
    #[serde(default = "one")]
    pub outputs: Count,
    pub flop_per_element: Flops,
    /// Exponentials, square roots and the like, which a unit of their own computes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub special_per_element: Option<Flops>,
    #[serde(default = "fp16")]
    pub format: NumberFormat,
    #[serde(default, skip_serializing_if = "is_default")]
    pub writes: Writes,
}

impl Default for Elementwise {
    fn default() -> Self {
        Self {
            elements: Count::constant(64e6),
            inputs: Count::constant(2.0),
            outputs: Count::ONE,
            flop_per_element: Flops::constant(1.0),
            special_per_element: None,
            format: fp16(),
            writes: Writes::Plain,
        }
    }
}

impl Family for Elementwise {
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            Parameter::number(
                "elements",
                "Elements",
                "Length of each array",
                &mut self.elements,
            ),
            Parameter::number("inputs", "Inputs", "Arrays that are read", &mut self.inputs)
                .within(1.0, 8.0),
            Parameter::number(
                "outputs",
                "Outputs",
                "Arrays that are written",
                &mut self.outputs,
            )
            .within(1.0, 8.0),
            Parameter::number(
                "flop_per_element",
                "FLOP per element",
                "Operations on each element; a fused multiply-add is two",
                &mut self.flop_per_element,
            ),
            Parameter::number(
                "special_per_element",
                "Special functions",
                "Exponentials, square roots and the like per element: work of the special-function unit",
                &mut self.special_per_element,
            ),
            Parameter::format(
                "format",
                "Number format",
                "Format of the arrays; below 32 bits the arithmetic is FP32",
                &mut self.format,
            ),
            Parameter::choice(
                "writes",
                "Outputs are",
                "Whether a cache reads lines before they are written, as on CPUs",
                &mut self.writes,
            ),
        ]
    }

    fn cost(&self) -> Result<Cost, CostError> {
        let n = self.elements.get();
        let arrays = self.inputs.get() + self.outputs.get() * self.writes.factor();
        let work = flops(self.flop_per_element.get() * n)?;
        let traffic = bytes(n * arrays * self.format.bytes())?;
        let cost = Cost::kernel(vector_of(self.format), work, traffic);
        match self.special_per_element {
            Some(special) if special.get() > 0.0 => {
                Ok(cost.with_work(Path::SPECIAL, flops(special.get() * n)?))
            }
            _ => Ok(cost),
        }
    }

    fn formula(&self) -> Vec<String> {
        let Ok(cost) = self.cost() else {
            return vec![];
        };
        let n = self.elements;
        let each = units::number(self.flop_per_element.get());
        let size = units::number(self.format.bytes());
        let outputs = match self.writes {
            Writes::Plain => self.outputs.to_string(),
            Writes::Allocate => format!("2 × {}", self.outputs),
        };
        let mut lines = vec![
            format!("work = {n} × {each} = {}", cost.total_work()),
            format!(
                "traffic = {n} × ({} + {outputs}) × {size} B = {}",
                self.inputs,
                cost.traffic_at(Level::Dram)
            ),
        ];
        if let Some(special) = self.special_per_element {
            let each = units::number(special.get());
            let all = units::count(cost.special_work().get());
            lines.push(format!("special functions = {n} × {each} = {all}"));
        }
        lines
    }

    fn leaves_out(&self) -> Vec<Cow<'static, str>> {
        vec!["each array moves once, nothing stays in cache".into()]
    }

    fn alternatives(&self) -> Vec<Alternative> {
        let mut alternatives = Vec::new();
        if self.inputs > Count::ONE
            && let Ok(inputs) = Count::try_from(self.inputs.get() - 1.0)
        {
            let name = "Fuse with what writes one input".to_owned();
            let fused = Self {
                inputs,
                ..self.clone()
            };
            alternatives.push((name, Regime::MemoryBound, Kind::Elementwise(fused)));
        }
        alternatives
    }

    fn default_sweep(&self) -> (&str, Vec<f64>) {
        (
            "elements",
            (3..=9).map(|decade| 10f64.powi(decade)).collect(),
        )
    }
}
