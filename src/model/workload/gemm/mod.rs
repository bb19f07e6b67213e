//! GEMM: C[M,N] = A[M,K] · B[K,N], perhaps a batch of them, perhaps in tiles.
mod tiles;

use super::common::{bytes, flops, fp16, is_default, one, times, wider};
use super::{CostError, Family, Parameter, Weights, choices};
use crate::model::cost::{Cost, Level, Path};
use crate::model::format::NumberFormat;
use crate::model::quantity::Count;
use crate::model::units;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A batch of matrix products, each operand moved once.
///
/// Work 2·M·N·K, traffic a·M·K + b·K·N + c·M·N bytes, both times the batch (BLAS convention, as torch's FlopCounter
/// and XLA count); an operand that the whole batch shares moves once. With tiles, work is done on whole tiles
/// (NVIDIA's matrix multiplication guide) and L2 sees ⌈N/Tn⌉·a·M·K + ⌈M/Tm⌉·b·K·N + c·M·N.
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
    /// Whether each product of the batch has an A of its own.
    #[serde(default, skip_serializing_if = "is_default")]
    pub a_of_batch: Sharing,
    #[serde(default, skip_serializing_if = "is_default")]
    pub b_of_batch: Sharing,
    /// Whether C is read as well (β ≠ 0).
    #[serde(default, skip_serializing_if = "is_default")]
    pub output: Output,
    #[serde(default, skip_serializing_if = "is_default")]
    pub accumulator: Accumulator,
    /// Rows of C that one thread block computes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tile_m: Option<Count>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tile_n: Option<Count>,
    /// The step along K.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tile_k: Option<Count>,
    /// Multiprocessors that take a tile each: the last wave of tiles may leave some idle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiprocessors: Option<Count>,
}

/// Whether every product of a batch has an operand of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Sharing {
    #[default]
    Own,
    Shared,
}

choices! { Sharing { Own => "one each", Shared => "shared" } }

/// What happens to a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Output {
    #[default]
    Written,
    /// β ≠ 0: it is read as well.
    Accumulated,
}

choices! { Output { Written => "written", Accumulated => "added to (β ≠ 0)" } }

impl Output {
    /// How often the result moves.
    pub fn factor(self) -> f64 {
        match self {
            Self::Written => 1.0,
            Self::Accumulated => 2.0,
        }
    }
}

/// What products are summed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Accumulator {
    /// FP32, or INT32 of integers.
    #[default]
    Usual,
    /// Faster on consumer cards, and less exact.
    FP16,
}

choices! { Accumulator { Usual => "usual: 32 bits", FP16 => "FP16" } }

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
            a_of_batch: Sharing::Own,
            b_of_batch: Sharing::Own,
            output: Output::Written,
            accumulator: Accumulator::Usual,
            tile_m: None,
            tile_n: None,
            tile_k: None,
            multiprocessors: None,
        }
    }
}

impl Gemm {
    /// The wider operand picks the path.
    fn path(&self) -> Path {
        let path = Path {
            accumulator: match self.accumulator {
                Accumulator::Usual => None,
                Accumulator::FP16 => Some(NumberFormat::FP16),
            },
            ..Path::matrix(wider(self.a, self.b))
        };
        self.weights.path(path)
    }

    /// Bytes an element of A, B and C takes.
    fn element_bytes(&self) -> [f64; 3] {
        let b = self.b.bytes() * self.weights.stored(f64::from(self.b.bits()));
        [self.a.bytes(), b, self.c.bytes()]
    }

    /// Bytes moved where a whole A and a whole B are read so many times.
    fn moved(&self, reads_of_a: f64, reads_of_b: f64) -> f64 {
        let [m, n, k, batch] = [self.m, self.n, self.k, self.batch].map(Count::get);
        let [a, b, c] = self.element_bytes();
        let written = batch * self.output.factor();
        reads_of_a * (a * m * k) + reads_of_b * (b * k * n) + written * (c * m * n)
    }

    /// How many of an operand the batch has.
    fn copies(&self, sharing: Sharing) -> Count {
        match sharing {
            Sharing::Own => self.batch,
            Sharing::Shared => Count::ONE,
        }
    }

    /// `M·K·2`, of an operand with so many copies.
    fn term(&self, of: [Count; 2], bytes: f64, copies: f64) -> String {
        let copies = match copies {
            1.0 => String::new(),
            copies => format!("·{}", units::count(copies)),
        };
        format!("{}·{}·{}{copies}", of[0], of[1], units::number(bytes))
    }
}

impl Family for Gemm {
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let format = |name, label, slot| {
            Parameter::format(
                name,
                label,
                "Number format of this operand; the wider of A and B picks the path",
                slot,
            )
        };
        let mut parameters = vec![
            Parameter::number("m", "M", "Rows of A and C", &mut self.m),
            Parameter::number("n", "N", "Columns of B and C", &mut self.n),
            Parameter::number("k", "K", "Columns of A, rows of B", &mut self.k),
            Parameter::number("batch", "Batch", "Independent products", &mut self.batch),
        ];
        if parameters[3].number_value() != Some(1.0) {
            let hint = "Whether each product of the batch reads a matrix of its own";
            parameters.push(Parameter::choice(
                "a_of_batch",
                "A in the batch",
                hint,
                &mut self.a_of_batch,
            ));
            parameters.push(Parameter::choice(
                "b_of_batch",
                "B in the batch",
                hint,
                &mut self.b_of_batch,
            ));
        }
        parameters.extend([
            format("a", "Format of A", &mut self.a),
            format("b", "Format of B", &mut self.b),
            format("c", "Format of C", &mut self.c),
            Parameter::choice(
                "output",
                "C is",
                "Whether C is only written, or read and added to",
                &mut self.output,
            ),
            Parameter::choice(
                "accumulator",
                "Accumulator",
                "What products are summed in; FP16 is faster on consumer cards",
                &mut self.accumulator,
            ),
            Parameter::choice(
                "weights",
                "Weights in B",
                "2:4 sparse ones take 9/16 of the bytes at 16 bits and run on the sparse roof, where there is one",
                &mut self.weights,
            ),
        ]);
        parameters.extend(tiles::parameters([
            &mut self.tile_m,
            &mut self.tile_n,
            &mut self.tile_k,
            &mut self.multiprocessors,
        ]));
        parameters
    }

    fn cost(&self) -> Result<Cost, CostError> {
        let [a, b] = [self.a_of_batch, self.b_of_batch].map(|s| self.copies(s).get());
        let useful = self.useful();
        let mut cost = Cost::kernel(self.path(), flops(useful)?, bytes(self.moved(a, b))?);
        if let Some(traffic) = self.traffic_at_l2() {
            cost = cost.with_traffic(Level::L2, bytes(traffic)?);
        }
        Ok(cost.with_padding(self.path(), flops((self.performed() - useful).max(0.0))?))
    }

    fn formula(&self) -> Vec<String> {
        let Ok(cost) = self.cost() else {
            return vec![];
        };
        let [m, n, k] = [self.m, self.n, self.k];
        let [a, b, c] = self.element_bytes();
        let traffic = cost.traffic_at(Level::Dram);
        let alike = [self.a_of_batch, self.b_of_batch] == [Sharing::Own; 2]
            && self.output == Output::Written;
        let traffic = if alike {
            let terms = [([m, k], a), ([k, n], b), ([m, n], c)];
            let [a, b, c] = terms.map(|(of, bytes)| self.term(of, bytes, 1.0));
            format!(
                "traffic = ({a} + {b} + {c}) B{} = {traffic}",
                times(self.batch)
            )
        } else {
            let a = self.term([m, k], a, self.copies(self.a_of_batch).get());
            let b = self.term([k, n], b, self.copies(self.b_of_batch).get());
            let c = self.term([m, n], c, self.batch.get() * self.output.factor());
            format!("traffic = ({a} + {b} + {c}) B = {traffic}")
        };
        let work = cost.total_work();
        let mut lines = vec![
            format!("work = 2 × {m} × {n} × {k}{} = {work}", times(self.batch)),
            traffic,
        ];
        lines.extend(self.tiled_lines(&cost));
        lines
    }

    fn leaves_out(&self) -> Vec<Cow<'static, str>> {
        let mut left_out = vec!["each operand moves once".into()];
        if self.tiles().is_none() && self.tile_k.is_none() {
            left_out.push("no tile or wave quantisation".into());
        } else if self.multiprocessors.is_none() {
            left_out.push("no wave quantisation".into());
        }
        left_out
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

    #[test]
    fn what_a_batch_shares_moves_once_and_what_is_added_to_moves_twice() {
        let gemm = Gemm {
            batch: Count::constant(8.0),
            b_of_batch: Sharing::Shared,
            output: Output::Accumulated,
            ..Gemm::default()
        };
        let matrix = 4096f64.powi(2) * 2.0;
        let traffic = gemm.cost().unwrap().traffic_at(Level::Dram);
        assert_eq!(traffic.get(), (8.0 + 1.0 + 16.0) * matrix);
        assert_eq!(
            gemm.formula()[1],
            "traffic = (4096·4096·2·8 + 4096·4096·2 + 4096·4096·2·16) B = 838.9 MB"
        );
    }
}
