//! FFT: a transform of N points in all, in one pass over memory or several.
use super::common::{Writes, bytes, flops, fp32, is_default, is_one, one, times};
use super::{Alternative, CostError, Family, Items, Kind, Parameter, choices};
use crate::model::cost::{Cost, Level, Path};
use crate::model::format::NumberFormat;
use crate::model::placement::Regime;
use crate::model::quantity::Count;
use crate::model::units;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A batch of transforms.
///
/// Work 5·N·log₂ N of a complex one, half of it of a real one, whatever the algorithm does (benchFFT's convention;
/// XLA counts 8·N·log₂ N). Traffic: all points read and written in every pass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fft {
    /// All points: the product of the dimensions.
    pub n: Count,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub batch: Count,
    #[serde(default, skip_serializing_if = "is_default")]
    pub values: Values,
    /// Passes over memory.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub passes: Count,
    #[serde(default, skip_serializing_if = "is_default")]
    pub writes: Writes,
    /// Of a real number; a complex one is two.
    #[serde(default = "fp32")]
    pub format: NumberFormat,
}

/// What is transformed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Values {
    #[default]
    Complex,
    /// Real numbers to half as many complex ones, or back.
    Real,
}

choices! { Values { Complex => "complex", Real => "real" } }

impl Values {
    /// What a point is of a complex one, in work and in bytes.
    fn share(self) -> f64 {
        match self {
            Self::Complex => 1.0,
            Self::Real => 0.5,
        }
    }
}

impl Default for Fft {
    fn default() -> Self {
        Self {
            n: Count::constant(16_777_216.0),
            batch: Count::ONE,
            values: Values::Complex,
            passes: Count::constant(2.0),
            writes: Writes::Plain,
            format: fp32(),
        }
    }
}

impl Fft {
    fn point_bytes(&self) -> f64 {
        2.0 * self.format.bytes() * self.values.share()
    }
}

impl Family for Fft {
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let passes = "Over memory: 1 where a transform fits on chip (some 4096 points), else 2, or one a dimension";
        let writes = "Whether a cache reads lines before they are written, as on CPUs";
        let format = "Of a real number, a complex one is two; and of the arithmetic";
        vec![
            Parameter::number(
                "n",
                "Points",
                "Of one transform: the product of its dimensions",
                &mut self.n,
            ),
            Parameter::number("batch", "Batch", "Independent transforms", &mut self.batch),
            Parameter::choice(
                "values",
                "Values",
                "Real ones take half the work and half the bytes",
                &mut self.values,
            ),
            Parameter::number("passes", "Passes", passes, &mut self.passes).within(1.0, 4.0),
            Parameter::choice("writes", "Result is", writes, &mut self.writes),
            Parameter::format("format", "Number format", format, &mut self.format),
        ]
    }

    fn cost(&self) -> Result<Cost, CostError> {
        let points = self.n.get() * self.batch.get();
        let work = 5.0 * points * self.n.get().log2().max(0.0) * self.values.share();
        let moves = 1.0 + self.writes.factor();
        let traffic = self.passes.get() * points * moves * self.point_bytes();
        let cost = Cost::kernel(Path::vector(self.format), flops(work)?, bytes(traffic)?);
        Ok(Cost {
            launches: self.passes.get(),
            ..cost
        })
    }

    fn formula(&self) -> Vec<String> {
        let Ok(cost) = self.cost() else {
            return vec![];
        };
        let n = self.n;
        let batch = times(self.batch);
        let log = units::number(n.get().log2());
        let each = 5.0 * self.values.share();
        vec![
            format!(
                "work = {each} × {n} × log₂ {n} (= {log}){batch} = {}",
                cost.total_work()
            ),
            format!(
                "traffic = {} × {n} × {} × {} B{batch} = {}",
                self.passes,
                1.0 + self.writes.factor(),
                units::number(self.point_bytes()),
                cost.traffic_at(Level::Dram)
            ),
        ]
    }

    fn leaves_out(&self) -> Vec<Cow<'static, str>> {
        vec![
            "work is nominal, 5·N·log₂ N whatever the algorithm does".into(),
            "no reading of twiddle factors".into(),
        ]
    }

    fn items(&self) -> Items {
        Items {
            name: "transform",
            per_execution: self.batch.get(),
            users: 1.0,
        }
    }

    fn drag_parameter(&self) -> Option<&str> {
        Some("n")
    }

    fn alternatives(&self) -> Vec<Alternative> {
        let mut alternatives = Vec::new();
        if self.passes > Count::ONE
            && let Ok(passes) = Count::try_from(self.passes.get() - 1.0)
        {
            let fewer = Self {
                passes,
                ..self.clone()
            };
            let name = "One pass less: fuse dimensions on chip".to_owned();
            alternatives.push((name, Regime::MemoryBound, Kind::Fft(fewer)));
        }
        if self.values == Values::Complex {
            let values = Values::Real;
            let real = Self {
                values,
                ..self.clone()
            };
            let name = "Real values, half of everything".to_owned();
            alternatives.push((name, Regime::MemoryBound, Kind::Fft(real)));
        }
        alternatives
    }

    fn default_sweep(&self) -> (&str, Vec<f64>) {
        (
            "n",
            [10, 12, 14, 16, 20, 24]
                .map(|power| 2f64.powi(power))
                .to_vec(),
        )
    }
}
