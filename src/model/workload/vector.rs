//! Vector operations: a few operations on every element of a few arrays.
use super::{ChoiceSlot, CostError, Family, Parameter};
use crate::model::cost::{Cost, Level, Path};
use crate::model::format::NumberFormat;
use crate::model::quantity::{Bytes, Count, Flops};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Which operation runs on every element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Operation {
    Copy,
    Scale,
    Add,
    Triad,
    Axpy,
    Dot,
    Custom,
}

impl Operation {
    const ALL: [Self; 7] = [
        Self::Copy,
        Self::Scale,
        Self::Add,
        Self::Triad,
        Self::Axpy,
        Self::Dot,
        Self::Custom,
    ];
    const NAMES: [&'static str; 7] = [
        "copy  y = x",
        "scale  y = a·x",
        "add  z = x + y",
        "triad  z = x + a·y",
        "axpy  y = a·x + y",
        "dot  Σ x·y",
        "custom",
    ];

    /// Work per element in FLOP and arrays moved (BabelStream's counts); `None` for custom.
    fn per_element(self) -> Option<(f64, f64)> {
        match self {
            Self::Copy => Some((0.0, 2.0)),
            Self::Scale => Some((1.0, 2.0)),
            Self::Add => Some((1.0, 3.0)),
            Self::Triad | Self::Axpy => Some((2.0, 3.0)),
            Self::Dot => Some((2.0, 2.0)),
            Self::Custom => None,
        }
    }
}

impl ChoiceSlot for Operation {
    fn names(&self) -> &'static [&'static str] {
        &Self::NAMES
    }
    fn index(&self) -> usize {
        Self::ALL.iter().position(|o| o == self).unwrap_or(0)
    }
    fn choose(&mut self, index: usize) {
        if let Some(operation) = Self::ALL.get(index) {
            *self = *operation;
        }
    }
}

/// An operation on every element of vectors, each array moved once, without write-allocate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Vector {
    pub operation: Operation,
    pub elements: Count,
    #[serde(default = "fp32")]
    pub format: NumberFormat,
    /// Only of a custom operation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flop_per_element: Option<Flops>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_per_element: Option<Bytes>,
}

fn fp32() -> NumberFormat {
    NumberFormat::FP32
}

impl Default for Vector {
    fn default() -> Self {
        Self {
            operation: Operation::Add,
            elements: Count::constant(100e6),
            format: fp32(),
            flop_per_element: None,
            bytes_per_element: None,
        }
    }
}

impl Vector {
    /// FLOP and bytes per element.
    fn per_element(&self) -> (f64, f64) {
        match self.operation.per_element() {
            Some((flop, arrays)) => (flop, arrays * self.format.bytes()),
            None => (
                self.flop_per_element.map_or(1.0, Flops::get),
                self.bytes_per_element
                    .map_or(2.0 * self.format.bytes(), Bytes::get),
            ),
        }
    }
}

impl Family for Vector {
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let custom = self.operation == Operation::Custom;
        let mut parameters = vec![
            Parameter::choice(
                "operation",
                "Operation",
                "What happens to every element",
                &mut self.operation,
            ),
            Parameter::number(
                "elements",
                "Elements",
                "Length of each array",
                &mut self.elements,
            ),
            Parameter::format(
                "format",
                "Number format",
                "Format of the elements and of the arithmetic",
                &mut self.format,
            ),
        ];
        if custom {
            parameters.push(Parameter::number(
                "flop_per_element",
                "FLOP per element",
                "Operations on each element; 1 if left out",
                &mut self.flop_per_element,
            ));
            parameters.push(Parameter::number(
                "bytes_per_element",
                "Bytes per element",
                "Bytes read and written per element; one read and one write if left out",
                &mut self.bytes_per_element,
            ));
        }
        parameters
    }

    fn cost(&self) -> Result<Cost, CostError> {
        let (flop, bytes) = self.per_element();
        let elements = self.elements.get();
        // A dot product also writes its one result.
        let result = match self.operation {
            Operation::Dot => self.format.bytes(),
            _ => 0.0,
        };
        Ok(Cost::kernel(
            Path::vector(self.format),
            Flops::try_from(flop * elements)?,
            Bytes::try_from(bytes * elements + result)?,
        ))
    }

    fn formula(&self) -> Vec<String> {
        let Ok(cost) = self.cost() else {
            return vec![];
        };
        let (flop, bytes) = self.per_element();
        let number = crate::model::units::number;
        vec![
            format!(
                "work = {} × {} = {}",
                self.elements,
                number(flop),
                cost.total_work()
            ),
            format!(
                "traffic = {} × {} B = {}",
                self.elements,
                number(bytes),
                cost.traffic_at(Level::Dram)
            ),
        ]
    }

    fn leaves_out(&self) -> Vec<Cow<'static, str>> {
        vec!["each array moves once, nothing stays in cache".into()]
    }

    fn default_sweep(&self) -> (&str, Vec<f64>) {
        (
            "elements",
            (3..=9).map(|decade| 10f64.powi(decade)).collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_add_of_fp32_does_a_twelfth_of_an_operation_per_byte() {
        let intensity = Vector::default()
            .cost()
            .unwrap()
            .intensity_at(Level::Dram)
            .unwrap();
        assert_eq!(intensity.get(), 1.0 / 12.0);
    }
}
