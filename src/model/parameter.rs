//! A parameter of a kind as panel, file, sweep and command line see it: one description for all of them.
use crate::model::cost::{ComputeUnit, Path};
use crate::model::format::NumberFormat;
use crate::model::quantity::{OutOfRange, Quantity};
use crate::model::units::Unit;
use serde::{Deserialize, Serialize};

/// A parameter, lent for reading or changing.
pub struct Parameter<'a> {
    /// The name in session files and on the command line.
    pub name: &'a str,
    /// The name in the panel.
    pub label: &'a str,
    /// What it means, in one sentence.
    pub hint: &'a str,
    pub slot: Slot<'a>,
    /// The heading it stands under in the panel, where there are several.
    pub group: Option<&'static str>,
    /// The range a slider covers, where one makes sense; typed numbers may lie outside.
    pub range: Option<(f64, f64)>,
    /// What is doubtful of its value, in a sentence shown beside it.
    pub doubt: Option<String>,
}

impl<'a> Parameter<'a> {
    fn new(name: &'a str, label: &'a str, hint: &'a str, slot: Slot<'a>) -> Self {
        Self {
            name,
            label,
            hint,
            slot,
            group: None,
            range: None,
            doubt: None,
        }
    }

    /// A quantity or a count.
    pub fn number(
        name: &'a str,
        label: &'a str,
        hint: &'a str,
        slot: &'a mut dyn NumberSlot,
    ) -> Self {
        Self::new(name, label, hint, Slot::Number(slot))
    }

    /// A number format.
    pub fn format(
        name: &'a str,
        label: &'a str,
        hint: &'a str,
        slot: &'a mut NumberFormat,
    ) -> Self {
        Self::new(name, label, hint, Slot::Format(slot))
    }

    /// A kind of compute unit.
    pub fn unit(name: &'a str, label: &'a str, hint: &'a str, slot: &'a mut ComputeUnit) -> Self {
        Self::new(name, label, hint, Slot::Unit(slot))
    }

    /// A text of its own kind.
    pub fn text(name: &'a str, label: &'a str, hint: &'a str, slot: impl TextSlot + 'a) -> Self {
        Self::new(name, label, hint, Slot::Text(Box::new(slot)))
    }

    /// One of a few named choices.
    pub fn choice(
        name: &'a str,
        label: &'a str,
        hint: &'a str,
        slot: &'a mut dyn ChoiceSlot,
    ) -> Self {
        Self::new(name, label, hint, Slot::Choice(slot))
    }

    /// The value of a number in its base unit, where it is one and given.
    pub fn number_value(&self) -> Option<f64> {
        match &self.slot {
            Slot::Number(slot) => slot.value(),
            _ => None,
        }
    }

    /// The same, under a heading.
    pub fn under(mut self, group: &'static str) -> Self {
        self.group = Some(group);
        self
    }

    /// The same, with what is doubtful of its value.
    pub fn doubted(mut self, doubt: Option<String>) -> Self {
        self.doubt = doubt;
        self
    }

    /// The same, with a slider over this range.
    pub fn within(mut self, from: f64, to: f64) -> Self {
        self.range = Some((from, to));
        self
    }
}

/// Where a parameter's value lies.
pub enum Slot<'a> {
    Number(&'a mut dyn NumberSlot),
    Format(&'a mut NumberFormat),
    Unit(&'a mut ComputeUnit),
    Choice(&'a mut dyn ChoiceSlot),
    /// Boxed, because a text may mean something only together with its neighbours, as a formula with its names.
    Text(Box<dyn TextSlot + 'a>),
}

/// A value written as text of its own kind: a formula, a distribution.
pub trait TextSlot {
    /// The text as it stands.
    fn text(&self) -> String;
    /// Takes a text; an error says what is wrong, where and what to write, and leaves the value as it was.
    fn set_text(&mut self, text: &str) -> Result<(), TextError>;
    /// Whether it may be left out, by an empty text.
    fn is_optional(&self) -> bool {
        false
    }
}

impl<T: TextSlot + ?Sized> TextSlot for &mut T {
    fn text(&self) -> String {
        (**self).text()
    }
    fn set_text(&mut self, text: &str) -> Result<(), TextError> {
        (**self).set_text(text)
    }
    fn is_optional(&self) -> bool {
        (**self).is_optional()
    }
}

/// What is wrong with a text, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextError {
    pub message: String,
    /// The first character that is wrong, counted from 0, and how many are; `None` where no place can be named.
    pub place: Option<(usize, usize)>,
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

/// A choice written as a plain enum: its variants, and the name of each.
macro_rules! choices {
    ($type:ident { $($variant:ident => $name:literal),+ $(,)? }) => {
        impl $crate::model::parameter::ChoiceSlot for $type {
            fn names(&self) -> &'static [&'static str] {
                &[$($name),+]
            }
            fn index(&self) -> usize {
                *self as usize
            }
            fn choose(&mut self, index: usize) {
                if let Some(chosen) = [$(Self::$variant),+].into_iter().nth(index) {
                    *self = chosen;
                }
            }
        }
    };
}
pub(in crate::model) use choices;

choices! { Weights { Dense => "dense", Sparse => "2:4 sparse" } }
