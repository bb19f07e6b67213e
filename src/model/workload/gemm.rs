//! GEMM: C[M,N] = A[M,K] · B[K,N], perhaps a batch of them.
use super::{CostError, Family, Parameter, Weights};
use crate::model::cost::{Cost, Path};
use crate::model::format::NumberFormat;
use crate::model::quantity::{Bytes, Count, Flops};
use crate::model::units::{self, Unit};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A batch of matrix products, each operand moved once.
///
/// Work 2·M·N·K, traffic a·M·K + b·K·N + c·M·N bytes, both times the batch (BLAS convention).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Gemm {
    pub m: Count,
    pub n: Count,
    pub k: Count,
    #[serde(default = "one")]
    pub batch: Count,
    #[serde(default = "fp16")]
    pub a: NumberFormat,
    #[serde(default = "fp16")]
    pub b: NumberFormat,
    #[serde(default = "fp16")]
    pub c: NumberFormat,
    /// How B is stored and multiplied.
    #[serde(default, skip_serializing_if = "Weights::is_dense")]
    pub weights: Weights,
}

fn one() -> Count {
    Count::ONE
}

fn fp16() -> NumberFormat {
    NumberFormat::FP16
}

impl Default for Gemm {
    fn default() -> Self {
        let side = Count::constant(4096.0);
        Self {
            m: side,
            n: side,
            k: side,
            batch: Count::ONE,
            a: fp16(),
            b: fp16(),
            c: fp16(),
            weights: Weights::Dense,
        }
    }
}

impl Gemm {
    /// The wider operand picks the path; the accumulator is the usual one.
    fn path(&self) -> Path {
        let dense = Path::matrix(if self.b.bits() > self.a.bits() {
            self.b
        } else {
            self.a
        });
        self.weights.path(dense)
    }

    /// Bytes an element of B takes.
    fn b_bytes(&self) -> f64 {
        self.b.bytes() * self.weights.stored(f64::from(self.b.bits()))
    }
}

impl Family for Gemm {
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let size = |name, label, hint, slot| Parameter::number(name, label, hint, slot);
        let format = |name, label, slot| {
            Parameter::format(
                name,
                label,
                "Number format of this operand; the wider of A and B picks the path",
                slot,
            )
        };
        vec![
            size("m", "M", "Rows of A and C", &mut self.m),
            size("n", "N", "Columns of B and C", &mut self.n),
            size("k", "K", "Columns of A, rows of B", &mut self.k),
            size("batch", "Batch", "Independent products", &mut self.batch),
            format("a", "Format of A", &mut self.a),
            format("b", "Format of B", &mut self.b),
            format("c", "Format of C", &mut self.c),
            Parameter::choice(
                "weights",
                "Weights in B",
                "2:4 sparse ones take 9/16 of the bytes at 16 bits and run on the sparse roof, where there is one",
                &mut self.weights,
            ),
        ]
    }

    fn cost(&self) -> Result<Cost, CostError> {
        let [m, n, k, batch] = [self.m, self.n, self.k, self.batch].map(Count::get);
        let work = 2.0 * m * n * k * batch;
        let [a, b, c] = [self.a.bytes(), self.b_bytes(), self.c.bytes()];
        let traffic = (a * m * k + b * k * n + c * m * n) * batch;
        Ok(Cost::kernel(
            self.path(),
            Flops::try_from(work)?,
            Bytes::try_from(traffic)?,
        ))
    }

    fn formula(&self) -> Vec<String> {
        let Ok(cost) = self.cost() else {
            return vec![];
        };
        let times = if self.batch == Count::ONE {
            String::new()
        } else {
            format!(" × {}", self.batch)
        };
        let [m, n, k] = [self.m, self.n, self.k];
        let [a, b, c] = [self.a.bytes(), self.b_bytes(), self.c.bytes()].map(units::number);
        let traffic: Bytes = cost.traffic.iter().map(|(_, t)| *t).sum();
        vec![
            format!("work = 2 × {m} × {n} × {k}{times} = {}", cost.total_work()),
            format!(
                "traffic = ({m}·{k}·{a} + {k}·{n}·{b} + {m}·{n}·{c}) B{times} = {}",
                units::short(traffic.get(), Unit::Byte)
            ),
        ]
    }

    fn leaves_out(&self) -> Vec<Cow<'static, str>> {
        vec![
            "each operand moves once".into(),
            "no tile or wave quantisation".into(),
        ]
    }

    fn drag_parameter(&self) -> Option<&str> {
        Some("m")
    }

    fn default_sweep(&self) -> (&str, Vec<f64>) {
        (
            "m",
            [1.0, 16.0, 64.0, 256.0, 1024.0, 4096.0, 16384.0].to_vec(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::cost::Level;

    #[test]
    fn the_wider_operand_picks_the_path() {
        let gemm = Gemm {
            a: NumberFormat::FP16,
            b: NumberFormat::INT4,
            ..Gemm::default()
        };
        assert_eq!(
            gemm.cost().unwrap().work[0].0,
            Path::matrix(NumberFormat::FP16)
        );
    }

    #[test]
    fn a_cube_of_4096() {
        let cost = Gemm::default().cost().unwrap();
        assert_eq!(cost.total_work().get(), 2.0 * 4096f64.powi(3));
        assert_eq!(
            cost.traffic_at(Level::Dram).get(),
            3.0 * 4096f64.powi(2) * 2.0
        );
    }
}
