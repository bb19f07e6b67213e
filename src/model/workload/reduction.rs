//! Reduction: many elements to few, by sums or maxima, in one kernel or two.
use super::common::{bytes, ensure, flops, fp32, is_default, one, vector_of};
use super::{Alternative, CostError, Family, Kind, Parameter, choices};
use crate::model::cost::{Cost, Level, Operator};
use crate::model::format::NumberFormat;
use crate::model::placement::Regime;
use crate::model::quantity::Count;
use crate::model::units;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// N elements to R results.
///
/// Work N − R; traffic (N + R)·bytes, and where two kernels do it 2·partials·bytes (as XLA counts).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reduction {
    pub elements: Count,
    #[serde(default = "one")]
    pub results: Count,
    #[serde(default = "fp32")]
    pub format: NumberFormat,
    #[serde(default, skip_serializing_if = "is_default")]
    pub kernels: Kernels,
    /// What the first of two kernels leaves for the second.
    #[serde(default = "partials", skip_serializing_if = "is_usual")]
    pub partials: Count,
}

fn partials() -> Count {
    Count::constant(1024.0)
}

fn is_usual(count: &Count) -> bool {
    *count == partials()
}

/// In how many kernels it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Kernels {
    /// Thread blocks add their results up by atomics, or each makes whole ones.
    #[default]
    One,
    /// The second adds up what the blocks of the first leave.
    Two,
}

choices! { Kernels { One => "one", Two => "two" } }

impl Default for Reduction {
    fn default() -> Self {
        Self {
            elements: Count::constant(100e6),
            results: Count::ONE,
            format: fp32(),
            kernels: Kernels::One,
            partials: partials(),
        }
    }
}

impl Reduction {
    /// One kernel: so many elements to so many.
    fn kernel(&self, from: f64, to: f64) -> Result<Cost, CostError> {
        let traffic = (from + to) * self.format.bytes();
        let work = flops((from - to).max(0.0))?;
        Ok(Cost::kernel(vector_of(self.format), work, bytes(traffic)?))
    }

    /// Partial results of the first of two kernels: at least one for each result.
    fn left(&self) -> f64 {
        let (n, results) = (self.elements.get(), self.results.get());
        self.partials.get().max(results).min(n)
    }
}

impl Family for Reduction {
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let two = self.kernels == Kernels::Two;
        let mut parameters = vec![
            Parameter::number(
                "elements",
                "Elements",
                "All that is read",
                &mut self.elements,
            ),
            Parameter::number(
                "results",
                "Results",
                "All that is written: the other axes of the array",
                &mut self.results,
            ),
            Parameter::format(
                "format",
                "Number format",
                "Format of elements and results; below 32 bits the arithmetic is FP32",
                &mut self.format,
            ),
            Parameter::choice(
                "kernels",
                "Kernels",
                "Whether a second kernel adds up what the blocks of the first leave",
                &mut self.kernels,
            ),
        ];
        if two {
            let hint = "Partial results between the two kernels, usually one a thread block";
            parameters.push(Parameter::number(
                "partials",
                "Partial results",
                hint,
                &mut self.partials,
            ));
        }
        parameters
    }

    fn cost(&self) -> Result<Cost, CostError> {
        Ok(Cost::sum(&self.operators()?)?)
    }

    fn operators(&self) -> Result<Vec<Operator>, CostError> {
        let (n, results) = (self.elements.get(), self.results.get());
        ensure(results <= n, || {
            format!(
                "{} results of {} elements: there are no more results than elements",
                self.results, self.elements
            )
        })?;
        Ok(match self.kernels {
            Kernels::One => vec![Operator::once("", self.kernel(n, results)?)],
            Kernels::Two => vec![
                Operator::once("in blocks", self.kernel(n, self.left())?),
                Operator::once("of blocks", self.kernel(self.left(), results)?),
            ],
        })
    }

    fn formula(&self) -> Vec<String> {
        let Ok(cost) = self.cost() else {
            return vec![];
        };
        let (n, r) = (self.elements, self.results);
        let size = units::number(self.format.bytes());
        let partials = match self.kernels {
            Kernels::One => String::new(),
            Kernels::Two => format!(" + 2·{}", units::count(self.left())),
        };
        vec![
            format!("work = {n} − {r} = {}", cost.total_work()),
            format!(
                "traffic = ({n} + {r}{partials}) × {size} B = {}",
                cost.traffic_at(Level::Dram)
            ),
        ]
    }

    fn leaves_out(&self) -> Vec<Cow<'static, str>> {
        vec!["steps within a thread block take no time of their own".into()]
    }

    fn alternatives(&self) -> Vec<Alternative> {
        match self.kernels {
            Kernels::One => vec![],
            Kernels::Two => {
                let one = Self {
                    kernels: Kernels::One,
                    ..self.clone()
                };
                let name = "In one kernel".to_owned();
                vec![(name, Regime::LatencyBound, Kind::Reduction(one))]
            }
        }
    }

    fn default_sweep(&self) -> (&str, Vec<f64>) {
        (
            "elements",
            (4..=9).map(|decade| 10f64.powi(decade)).collect(),
        )
    }
}
