//! SpMV: a sparse matrix in CSR times a vector.
use super::common::{bytes, flops, fp64, is_default};
use super::gemm::Output;
use super::{Alternative, CostError, Family, Kind, Parameter, choices};
use crate::model::cost::{Cost, Level, Path};
use crate::model::format::NumberFormat;
use crate::model::placement::Regime;
use crate::model::quantity::{Count, Ratio};
use crate::model::units;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// y = A·x with A in compressed sparse rows.
///
/// Work 2·nnz. Traffic: a value and a column index for each nonzero, a pointer for each row and one more, y, and x:
/// each of its elements once at best, α·nnz of them where the cache does not keep them (Williams et al. 2009).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spmv {
    pub rows: Count,
    pub columns: Count,
    pub nonzeros: Count,
    #[serde(default = "fp64")]
    pub format: NumberFormat,
    #[serde(default, skip_serializing_if = "is_default")]
    pub indices: IndexSize,
    #[serde(default, skip_serializing_if = "is_default")]
    pub pointers: IndexSize,
    /// Elements of x loaded for each nonzero; each element once where not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha: Option<Ratio>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub output: Output,
}

/// Bits of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum IndexSize {
    #[default]
    Bits32,
    Bits64,
    Bits16,
}

choices! { IndexSize { Bits32 => "32 bits", Bits64 => "64 bits", Bits16 => "16 bits" } }

impl IndexSize {
    fn bytes(self) -> f64 {
        match self {
            Self::Bits16 => 2.0,
            Self::Bits32 => 4.0,
            Self::Bits64 => 8.0,
        }
    }
}

impl Default for Spmv {
    fn default() -> Self {
        Self {
            rows: Count::constant(1e6),
            columns: Count::constant(1e6),
            nonzeros: Count::constant(27e6),
            format: fp64(),
            indices: IndexSize::Bits32,
            pointers: IndexSize::Bits32,
            alpha: None,
            output: Output::Written,
        }
    }
}

impl Spmv {
    /// Elements of x that are loaded: never fewer than there are, or than there are nonzeros.
    fn loads(&self) -> f64 {
        let (columns, nonzeros) = (self.columns.get(), self.nonzeros.get());
        let once = columns.min(nonzeros);
        self.alpha
            .map_or(once, |alpha| (alpha.get() * nonzeros).max(once))
    }
}

impl Family for Spmv {
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            Parameter::number("rows", "Rows", "Rows of the matrix, length of y", &mut self.rows),
            Parameter::number("columns", "Columns", "Columns of the matrix, length of x", &mut self.columns),
            Parameter::number("nonzeros", "Nonzeros", "Of the whole matrix; 27 a row in HPCG", &mut self.nonzeros),
            Parameter::number(
                "alpha",
                "Loads of x (α)",
                "Elements of x loaded for each nonzero: 1 without any reuse; left empty, each is loaded once",
                &mut self.alpha,
            )
            .within(0.0, 1.0),
            Parameter::format("format", "Number format", "Of the values, both vectors and the arithmetic", &mut self.format),
            Parameter::choice("indices", "Column indices", "Size of the index stored with each nonzero", &mut self.indices),
            Parameter::choice("pointers", "Row pointers", "Size of the pointer stored for each row", &mut self.pointers),
            Parameter::choice("output", "y is", "Whether y is only written, or read and added to", &mut self.output),
        ]
    }

    fn cost(&self) -> Result<Cost, CostError> {
        let (rows, nonzeros) = (self.rows.get(), self.nonzeros.get());
        let value = self.format.bytes();
        let matrix =
            nonzeros * (value + self.indices.bytes()) + (rows + 1.0) * self.pointers.bytes();
        let vectors = value * (rows * self.output.factor() + self.loads());
        Ok(Cost::kernel(
            Path::vector(self.format),
            flops(2.0 * nonzeros)?,
            bytes(matrix + vectors)?,
        ))
    }

    fn formula(&self) -> Vec<String> {
        let Ok(cost) = self.cost() else {
            return vec![];
        };
        let value = units::number(self.format.bytes());
        let y = match self.output {
            Output::Written => format!("{}", self.rows),
            Output::Accumulated => format!("2·{}", self.rows),
        };
        vec![
            format!("work = 2 × {} = {}", self.nonzeros, cost.total_work()),
            format!(
                "traffic = ({}·({value} + {}) + ({} + 1)·{} + ({y} + {})·{value}) B = {}",
                self.nonzeros,
                self.indices.bytes(),
                self.rows,
                self.pointers.bytes(),
                units::count(self.loads()),
                cost.traffic_at(Level::Dram)
            ),
        ]
    }

    fn leaves_out(&self) -> Vec<Cow<'static, str>> {
        let x = match self.alpha {
            None => "each element of x is loaded once",
            Some(_) => "x moves by element, not by sector",
        };
        vec![
            x.into(),
            "rows of very different length are shared out evenly".into(),
        ]
    }

    fn alternatives(&self) -> Vec<Alternative> {
        let mut alternatives = Vec::new();
        let mut offer = |name: &str, changed: Self| {
            alternatives.push((name.to_owned(), Regime::MemoryBound, Kind::Spmv(changed)));
        };
        if self.alpha.is_some() {
            let alpha = None;
            offer(
                "Reorder: each element of x once",
                Self {
                    alpha,
                    ..self.clone()
                },
            );
        }
        if self.format == NumberFormat::FP64 {
            let format = NumberFormat::FP32;
            offer(
                "In FP32",
                Self {
                    format,
                    ..self.clone()
                },
            );
        }
        if self.indices != IndexSize::Bits16 {
            let indices = IndexSize::Bits16;
            offer(
                "Column indices of 16 bits",
                Self {
                    indices,
                    ..self.clone()
                },
            );
        }
        alternatives
    }

    fn default_sweep(&self) -> (&str, Vec<f64>) {
        ("alpha", [0.05, 0.1, 0.25, 0.5, 1.0].to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_sparse_matrix_does_a_sixth_of_an_operation_per_byte() {
        let mut spmv = Spmv {
            nonzeros: Count::constant(1e12),
            ..Spmv::default()
        };
        let intensity = |spmv: &Spmv| {
            spmv.cost()
                .unwrap()
                .intensity_at(Level::Dram)
                .unwrap()
                .get()
        };
        assert!((intensity(&spmv) - 2.0 / 12.0).abs() < 1e-4);
        spmv.alpha = Some(Ratio::constant(1.0));
        assert!((intensity(&spmv) - 2.0 / 20.0).abs() < 1e-4);
    }
}
