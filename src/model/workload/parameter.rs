//! A parameter of a kind as panel, file, sweep and command line see it: one description for all of them.
use crate::model::cost::ComputeUnit;
use crate::model::format::NumberFormat;
use crate::model::quantity::{OutOfRange, Quantity};
use crate::model::units::Unit;

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
