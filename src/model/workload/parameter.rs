//! A parameter of a kind as panel, file, sweep and command line see it: one description for all of them.
use crate::model::cost::{ComputeUnit, Path};
use crate::model::format::NumberFormat;
use crate::model::quantity::{OutOfRange, Quantity};
use crate::model::units::Unit;
use serde::{Deserialize, Serialize};

/// A parameter, lent for reading or changing.
pub struct Parameter<'a> {
    /// The name in session files and on the command line.
    pub name: &'static str,
    /// The name in the panel.
    pub label: &'static str,
    /// What it means, in one sentence.
    pub hint: &'static str,
    pub slot: Slot<'a>,
}

/// Where a parameter's value lies.
pub enum Slot<'a> {
    Number(&'a mut dyn NumberSlot),
    Format(&'a mut NumberFormat),
    Unit(&'a mut ComputeUnit),
    Choice(&'a mut dyn ChoiceSlot),
}

/// A number that may be left out.
pub trait NumberSlot {
    fn unit(&self) -> Unit;
    /// The value in the base unit, or `None` where it is not given.
    fn value(&self) -> Option<f64>;
    fn is_optional(&self) -> bool;
    /// Takes a value through the quantity's door; `None` clears what is optional.
    fn set(&mut self, value: Option<f64>) -> Result<(), OutOfRange>;
    /// As `set`, but counts need not be whole.
    fn set_unrounded(&mut self, value: f64) -> Result<(), OutOfRange>;
    /// Whether only whole numbers are allowed.
    fn is_whole(&self) -> bool {
        self.unit() == Unit::One
    }
}

impl<Q: Quantity> NumberSlot for Q {
    fn unit(&self) -> Unit {
        Q::UNIT
    }
    fn value(&self) -> Option<f64> {
        Some(self.get())
    }
    fn is_optional(&self) -> bool {
        false
    }
    fn set(&mut self, value: Option<f64>) -> Result<(), OutOfRange> {
        *self = Q::try_from(value.ok_or(OutOfRange::Missing)?)?;
        Ok(())
    }
    fn set_unrounded(&mut self, value: f64) -> Result<(), OutOfRange> {
        *self = Q::unrounded(value)?;
        Ok(())
    }
}

impl<Q: Quantity> NumberSlot for Option<Q> {
    fn unit(&self) -> Unit {
        Q::UNIT
    }
    fn value(&self) -> Option<f64> {
        self.map(Quantity::get)
    }
    fn is_optional(&self) -> bool {
        true
    }
    fn set(&mut self, value: Option<f64>) -> Result<(), OutOfRange> {
        *self = value.map(Q::try_from).transpose()?;
        Ok(())
    }
    fn set_unrounded(&mut self, value: f64) -> Result<(), OutOfRange> {
        *self = Some(Q::unrounded(value)?);
        Ok(())
    }
}

/// One of a few named choices.
pub trait ChoiceSlot {
    fn names(&self) -> &'static [&'static str];
    fn index(&self) -> usize;
    fn choose(&mut self, index: usize);
}

/// Whether weights are stored and multiplied with structured sparsity: two of every four are zero and left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Weights {
    #[default]
    Dense,
    Sparse,
}

impl Weights {
    /// Whether they are dense, which files leave out.
    pub fn is_dense(&self) -> bool {
        *self == Self::Dense
    }

    /// The part of the dense bytes that is stored: half the values and two bits of index for each, so 9/16 at 16 bits.
    pub fn stored(self, bits: f64) -> f64 {
        match self {
            Self::Dense => 1.0,
            Self::Sparse => 0.5 + 1.0 / bits,
        }
    }

    /// The path that multiplies them.
    pub fn path(self, dense: Path) -> Path {
        match self {
            Self::Dense => dense,
            Self::Sparse => dense.with_sparsity(),
        }
    }
}

impl ChoiceSlot for Weights {
    fn names(&self) -> &'static [&'static str] {
        &["dense", "2:4 sparse"]
    }
    fn index(&self) -> usize {
        usize::from(!self.is_dense())
    }
    fn choose(&mut self, index: usize) {
        *self = if index == 0 {
            Self::Dense
        } else {
            Self::Sparse
        };
    }
}
