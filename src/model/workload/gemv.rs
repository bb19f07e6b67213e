//! GEMV: y[M] = A[M,N] · x[N], perhaps a batch of them, each with a matrix of its own.
use super::common::{bytes, flops, fp16, is_default, is_one, one, times, wider};
use super::gemm::Output;
use super::{Alternative, CostError, Family, Gemm, Kind, Parameter};
use crate::model::cost::{ComputeUnit, Cost, Level, Path};
use crate::model::format::NumberFormat;
use crate::model::placement::Regime;
use crate::model::quantity::Count;
use crate::model::units;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A matrix times a vector: every element of the matrix is used once.
///
/// Work 2·M·N, traffic a·M·N + x·N + y·M bytes, both times the batch (BLAS convention, as XLA counts).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Gemv {
    pub m: Count,
    pub n: Count,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub batch: Count,
    #[serde(default = "fp16")]
    pub matrix: NumberFormat,
    #[serde(default = "fp16")]
    pub vector: NumberFormat,
    #[serde(default, skip_serializing_if = "is_default")]
    pub output: Output,
    #[serde(default = "vector_unit")]
    pub unit: ComputeUnit,
}

fn vector_unit() -> ComputeUnit {
    ComputeUnit::Vector
}

impl Default for Gemv {
    fn default() -> Self {
        Self {
            m: Count::constant(4096.0),
            n: Count::constant(4096.0),
            batch: Count::ONE,
            matrix: fp16(),
            vector: fp16(),
            output: Output::Written,
            unit: vector_unit(),
        }
    }
}

impl Family for Gemv {
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            Parameter::number("m", "Rows", "Rows of A, length of y", &mut self.m),
            Parameter::number("n", "Columns", "Columns of A, length of x", &mut self.n),
            Parameter::number(
                "batch",
                "Batch",
                "Products, each with a matrix of its own; with one matrix for all it is a GEMM",
                &mut self.batch,
            ),
            Parameter::format(
                "matrix",
                "Format of A",
                "Number format of the matrix",
                &mut self.matrix,
            ),
            Parameter::format(
                "vector",
                "Format of x and y",
                "Number format of both vectors",
                &mut self.vector,
            ),
            Parameter::choice(
                "output",
                "y is",
                "Whether y is only written, or read and added to",
                &mut self.output,
            ),
            Parameter::unit(
                "unit",
                "Unit",
                "What multiplies; matrix units leave all but one of their columns idle",
                &mut self.unit,
            ),
        ]
    }

    fn cost(&self) -> Result<Cost, CostError> {
        let [m, n, batch] = [self.m, self.n, self.batch].map(Count::get);
        let path = Path {
            unit: self.unit,
            ..Path::vector(wider(self.matrix, self.vector))
        };
        let vectors = self.vector.bytes() * (n + m * self.output.factor());
        let traffic = batch * (self.matrix.bytes() * m * n + vectors);
        Ok(Cost::kernel(
            path,
            flops(2.0 * m * n * batch)?,
            bytes(traffic)?,
        ))
    }

    fn formula(&self) -> Vec<String> {
        let Ok(cost) = self.cost() else {
            return vec![];
        };
        let Self { m, n, batch, .. } = self;
        let times = times(*batch);
        let [a, x] = [self.matrix, self.vector].map(|format| units::number(format.bytes()));
        let y = match self.output {
            Output::Written => String::new(),
            Output::Accumulated => "·2".to_owned(),
        };
        vec![
            format!("work = 2 × {m} × {n}{times} = {}", cost.total_work()),
            format!(
                "traffic = ({m}·{n}·{a} + {n}·{x} + {m}·{x}{y}) B{times} = {}",
                cost.traffic_at(Level::Dram)
            ),
        ]
    }

    fn leaves_out(&self) -> Vec<Cow<'static, str>> {
        vec!["each operand moves once".into()]
    }

    fn alternatives(&self) -> Vec<Alternative> {
        let gemm = |columns| Gemm {
            m: self.m,
            n: columns,
            k: self.n,
            a: self.matrix,
            b: self.vector,
            c: self.vector,
            output: self.output,
            ..Gemm::default()
        };
        let mut alternatives = Vec::new();
        if self.matrix.bits() > 8 {
            let narrow = Self {
                matrix: NumberFormat::FP8,
                ..self.clone()
            };
            let name = "A stored in FP8".to_owned();
            alternatives.push((name, Regime::MemoryBound, Kind::Gemv(narrow)));
        }
        if self.batch != Count::ONE {
            let name = format!("One matrix for all {}: a GEMM", self.batch);
            alternatives.push((name, Regime::MemoryBound, Kind::Gemm(gemm(self.batch))));
        }
        alternatives
    }

    fn default_sweep(&self) -> (&str, Vec<f64>) {
        ("m", [256.0, 1024.0, 4096.0, 16384.0, 65536.0].to_vec())
    }
}
