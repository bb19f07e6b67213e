//! The expressions of a formula: what each gives, its text with the steps it became, and its field.
use super::super::{CostError, TextError, TextSlot};
use crate::model::cost::Level;
use crate::model::expression::{EvaluationError, Expression};
use crate::model::quantity::{Bytes, OutOfRange};
use crate::model::units::{self, Unit};
use std::sync::Arc;

/// What an expression gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Work,
    Dram,
    Llc,
    L2,
    L1,
}

impl Part {
    /// Every part, in the order of fields and files.
    pub const ALL: [Self; 5] = [Self::Work, Self::Dram, Self::Llc, Self::L2, Self::L1];

    /// The name in files and formulas.
    pub fn name(self) -> &'static str {
        match self {
            Self::Work => "work",
            Self::Dram => "traffic",
            Self::Llc => "traffic_llc",
            Self::L2 => "traffic_l2",
            Self::L1 => "traffic_l1",
        }
    }

    /// The name in the panel.
    pub fn label(self) -> &'static str {
        match self {
            Self::Work => "Work",
            Self::Dram => "Traffic",
            Self::Llc => "Traffic at LLC",
            Self::L2 => "Traffic at L2",
            Self::L1 => "Traffic at L1",
        }
    }

    /// The same within a sentence.
    pub(super) fn in_sentence(self) -> String {
        let mut label = self.label().to_owned();
        if let Some(first) = label.get_mut(..1) {
            first.make_ascii_lowercase();
        }
        label
    }

    pub(super) fn hint(self) -> &'static str {
        match self {
            Self::Work => {
                "Operations of one execution, such as 2*M*N*K; a fused multiply-add is two\n\
                 + - * / ^, min max ceil floor round sqrt log2 ln log10 exp abs"
            }
            Self::Dram => "Bytes one execution reads and writes at DRAM",
            _ => "Bytes one execution moves through this level, where that is known",
        }
    }

    /// The cache whose traffic it is.
    pub(super) fn cache(self) -> Option<Level> {
        match self {
            Self::Work | Self::Dram => None,
            Self::Llc => Some(Level::Llc),
            Self::L2 => Some(Level::L2),
            Self::L1 => Some(Level::L1),
        }
    }

    /// This part gives no quantity, for a reason.
    pub(super) fn no_quantity(self, message: String) -> CostError {
        let parameter = self.name();
        CostError::Text { parameter, message }
    }
}

/// An expression as it was written; shared, because workloads are copied at every step of a sweep.
#[derive(Debug, Clone)]
pub(super) struct Text(Arc<Expression>);

impl PartialEq for Text {
    /// The same text of the same names is the same formula.
    fn eq(&self, other: &Self) -> bool {
        self.as_written() == other.as_written()
    }
}

impl Text {
    /// Reads an expression in which these names may occur.
    pub fn read(text: &str, names: &[&str]) -> Result<Self, TextError> {
        let text = text.trim();
        let read = Expression::compile(text, names).map_err(|error| TextError {
            message: error.message,
            place: Some((error.at, error.length)),
        });
        Ok(Self(Arc::new(read?)))
    }

    pub fn as_written(&self) -> &str {
        self.0.text()
    }

    pub fn value(&self, values: &[f64]) -> Result<f64, EvaluationError> {
        self.0.value(values)
    }

    /// Whether a name occurs in it.
    pub fn uses(&self, name: &str) -> bool {
        self.0.names_used().contains(&name)
    }

    /// The text with numbers in place of names.
    pub fn with_numbers(&self, values: &[f64]) -> String {
        self.0.with_numbers(values, shown)
    }

    /// The text with another name in place of one.
    pub fn renamed(&self, old: &str, new: &str) -> String {
        self.0.renamed(old, new)
    }
}

/// A number in a formula: every digit while they are few, and no separators, which would read as commas.
fn shown(value: f64) -> String {
    let exact = units::exact(value, Unit::Ratio);
    if exact.len() <= 9 {
        return exact;
    }
    format!("{value:.3e}")
}

/// Why a number that a formula gives is neither work nor traffic.
pub(super) fn no_quantity(error: &OutOfRange) -> String {
    format!("this gives no amount: {error}")
}

/// Where the text of a field is kept.
pub(super) enum Target<'a> {
    Required(&'a mut Text),
    Optional(&'a mut Option<Text>),
}

/// The field of an expression.
pub(super) struct ExpressionSlot<'a> {
    names: Arc<[&'a str]>,
    /// The numbers of now, for which a formula must have a value.
    values: Arc<[f64]>,
    target: Target<'a>,
}

impl<'a> ExpressionSlot<'a> {
    pub fn new(names: Arc<[&'a str]>, values: Arc<[f64]>, target: Target<'a>) -> Self {
        Self {
            names,
            values,
            target,
        }
    }
}

impl TextSlot for ExpressionSlot<'_> {
    fn text(&self) -> String {
        let text = match &self.target {
            Target::Required(text) => Some(&**text),
            Target::Optional(text) => text.as_ref(),
        };
        text.map(|text| text.as_written().to_owned())
            .unwrap_or_default()
    }

    fn is_optional(&self) -> bool {
        matches!(self.target, Target::Optional(_))
    }

    fn set_text(&mut self, text: &str) -> Result<(), TextError> {
        if let Target::Optional(target) = &mut self.target
            && text.trim().is_empty()
        {
            **target = None;
            return Ok(());
        }
        let read = checked(text, &self.names, &self.values)?;
        match &mut self.target {
            Target::Required(target) => **target = read,
            Target::Optional(target) => **target = Some(read),
        }
        Ok(())
    }
}

/// Reads an expression that must give an amount for these numbers.
pub(super) fn checked(text: &str, names: &[&str], values: &[f64]) -> Result<Text, TextError> {
    let read = Text::read(text, names)?;
    let value = read.value(values).map_err(|error| TextError {
        message: error.message,
        place: Some((error.at, error.length)),
    })?;
    // Work and traffic are refused by the same rules.
    match Bytes::try_from(value) {
        Ok(_) => Ok(read),
        Err(error) => Err(TextError {
            message: no_quantity(&error),
            place: None,
        }),
    }
}
