//! Matrices of weights that rows of activations pass, and the MLP they make: of every layer, and of every expert.
use crate::model::cost::{Cost, Path};
use crate::model::format::NumberFormat;
use crate::model::quantity::{Bytes, Flops, OutOfRange};

/// What products with weights have in common.
#[derive(Debug, Clone, Copy)]
pub struct Matrices {
    pub path: Path,
    /// Bytes of a weight, of an element that goes in, and of one that comes out.
    pub weight: f64,
    pub input: f64,
    pub output: f64,
    /// Sets of weights that the rows are spread over: experts.
    pub sets: f64,
}

impl Matrices {
    /// `rows` through a matrix of `from` × `to`: every operand moves once, a multiply-add is two.
    pub fn product(&self, rows: f64, from: f64, to: f64) -> Result<Cost, OutOfRange> {
        self.fused(rows, from * to, [from, to])
    }

    /// `rows` through so many weights, where each row reads and writes only so many elements: the rest stays on chip.
    pub fn fused(
        &self,
        rows: f64,
        weights: f64,
        [read, written]: [f64; 2],
    ) -> Result<Cost, OutOfRange> {
        let traffic =
            self.weight * self.sets * weights + rows * (self.input * read + self.output * written);
        kernel(self.path, 2.0 * rows * weights, traffic)
    }

    /// An MLP with its activation in a kernel of its own: in (up, and gate), activation, out (down).
    pub fn mlp(
        &self,
        rows: f64,
        hidden: f64,
        width: f64,
        gated: bool,
    ) -> Result<[Cost; 3], OutOfRange> {
        let wide = if gated { 2.0 * width } else { width };
        Ok([
            self.product(rows, hidden, wide)?,
            self.activation(rows * width, gated)?,
            self.product(rows, width, hidden)?,
        ])
    }

    /// SiLU or GELU of each element: an exponential, which is special-function work, and the operations around it;
    /// the gate is multiplied and read besides.
    fn activation(&self, elements: f64, gated: bool) -> Result<Cost, OutOfRange> {
        let flop = ACTIVATION_FLOP + f64::from(u8::from(gated));
        let arrays = if gated { 3.0 } else { 2.0 };
        let vector = Path::vector(match self.path.format {
            NumberFormat::FP64 => NumberFormat::FP64,
            _ => NumberFormat::FP32,
        });
        let cost = kernel(vector, flop * elements, arrays * elements * self.output)?;
        Ok(cost.with_work(Path::SPECIAL, Flops::try_from(elements)?))
    }
}

/// Operations of x ÷ (1 + e⁻ˣ) beside its exponential.
pub const ACTIVATION_FLOP: f64 = 3.0;

/// A kernel, from plain numbers.
pub(super) fn kernel(path: Path, work: f64, traffic: f64) -> Result<Cost, OutOfRange> {
    Ok(Cost::kernel(
        path,
        Flops::try_from(work)?,
        Bytes::try_from(traffic)?,
    ))
}
