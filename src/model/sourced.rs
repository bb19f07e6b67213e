//! A number with its basis, source and confidence, and what it was before someone changed it.
use super::quantity::Quantity;
use super::units::{self, ParseError};
use serde::{Deserialize, Serialize};

/// How a number is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Published, or units × clock.
    Theoretical,
    /// Measured somewhere.
    Achievable,
    /// Typed or dragged here.
    Own,
}

impl Basis {
    /// The word shown beside a number.
    pub fn name(self) -> &'static str {
        match self {
            Self::Theoretical => "theoretical",
            Self::Achievable => "achievable",
            Self::Own => "own",
        }
    }
}

/// Which roofs points are judged by, where both are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JudgedBy {
    /// Published peaks, which no kernel quite reaches.
    #[default]
    Theoretical,
    /// What good kernels have been measured to reach.
    Achievable,
}

impl JudgedBy {
    /// Both, in the order of a switch.
    pub const ALL: [Self; 2] = [Self::Theoretical, Self::Achievable];

    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Self::Theoretical => Self::Achievable,
            Self::Achievable => Self::Theoretical,
        }
    }

    /// The word on the switch.
    pub fn name(self) -> &'static str {
        match self {
            Self::Theoretical => "theoretical",
            Self::Achievable => "achievable",
        }
    }
}

/// How far a published number can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// Weak, disputed or unchecked.
    Low,
    /// One decent source, or derived from the vendor's facts.
    Medium,
    /// The vendor's own text, with an independent match or exact arithmetic.
    High,
}

impl Confidence {
    /// The word shown beside a number.
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// A published number as it was before someone changed it here.
#[derive(Debug, Clone, PartialEq)]
pub struct Original<Q> {
    pub value: Q,
    pub basis: Basis,
    pub source: String,
    pub confidence: Option<Confidence>,
}

/// A number with where it comes from, and what it was before someone changed it here.
#[derive(Debug, Clone, PartialEq)]
pub struct Sourced<Q> {
    pub value: Q,
    pub basis: Basis,
    pub source: String,
    /// Of the published number; `None` where nobody said.
    pub confidence: Option<Confidence>,
    /// The product it was derived from here, as typed: `304 × 2048 × 2.1 GHz`.
    pub derivation: Option<String>,
    /// The published number that `value` replaced; a ghost on the chart until reset.
    pub original: Option<Original<Q>>,
}

impl<Q: Quantity> Sourced<Q> {
    /// A number as published.
    pub fn theoretical(value: Q, source: impl Into<String>) -> Self {
        Self {
            value,
            basis: Basis::Theoretical,
            source: source.into(),
            confidence: None,
            derivation: None,
            original: None,
        }
    }

    /// A number of the user's.
    pub fn own(value: Q) -> Self {
        Self {
            value,
            basis: Basis::Own,
            source: String::new(),
            confidence: None,
            derivation: None,
            original: None,
        }
    }

    /// A number measured somewhere.
    pub fn achievable(value: Q, source: impl Into<String>) -> Self {
        Self {
            basis: Basis::Achievable,
            ..Self::theoretical(value, source)
        }
    }

    /// A number of the user's, derived from a product that is shown beside it.
    pub fn derived(product: &str) -> Result<Self, ParseError> {
        let product_of = units::product(product, Q::UNIT);
        let value = product_of.unwrap_or_else(|| units::parse(product, Q::UNIT))?;
        let value = Q::try_from(value).map_err(|reason| ParseError::OutOfRange {
            text: product.to_owned(),
            reason,
        })?;
        let derivation = Some(product.to_owned());
        Ok(Self {
            derivation,
            ..Self::own(value)
        })
    }

    /// Takes what a user typed: a number, or a product that is shown beside it.
    pub fn type_in(&mut self, text: &str) -> Result<(), ParseError> {
        if units::is_product(text) {
            let derived = Self::derived(&text.trim().replace('*', "×"))?;
            self.set_own(derived.value);
            self.derivation = derived.derivation;
        } else {
            self.set_own(Q::parse(text)?);
        }
        Ok(())
    }

    /// Replaces the number by one of the user's, keeping the published one, with its source, to go back to.
    pub fn set_own(&mut self, value: Q) {
        if value == self.value {
            return;
        }
        self.derivation = None;
        if self.published() == Some(value) {
            self.reset();
            return;
        }
        if self.original.is_none() && self.basis != Basis::Own {
            // Nobody but the user vouches for what is typed here.
            self.original = Some(Original {
                value: self.value,
                basis: self.basis,
                source: std::mem::take(&mut self.source),
                confidence: self.confidence.take(),
            });
        }
        self.value = value;
        self.basis = Basis::Own;
    }

    /// The number that was replaced here, if one was.
    pub fn published(&self) -> Option<Q> {
        self.original.as_ref().map(|original| original.value)
    }

    /// The number, with its basis where that is not the one asked for.
    pub fn told(&self, by: JudgedBy) -> String
    where
        Q: std::fmt::Display,
    {
        match self.basis.name() == by.name() {
            true => self.value.to_string(),
            false => format!("{} ({})", self.value, self.basis.name()),
        }
    }

    /// Where it is from: `theoretical · high confidence · NVIDIA whitepaper`.
    pub fn origin(&self) -> String {
        origin(self.basis, self.confidence, &self.source)
    }

    /// Goes back to the published number, if one was replaced.
    pub fn reset(&mut self) {
        if let Some(original) = self.original.take() {
            *self = Self {
                value: original.value,
                basis: original.basis,
                source: original.source,
                confidence: original.confidence,
                derivation: None,
                original: None,
            };
        }
    }
}

impl<Q> Original<Q> {
    /// Where it is from, as [`Sourced::origin`].
    pub fn origin(&self) -> String {
        origin(self.basis, self.confidence, &self.source)
    }
}

fn origin(basis: Basis, confidence: Option<Confidence>, source: &str) -> String {
    let mut parts = vec![basis.name().to_owned()];
    // What was typed over a published number is nobody's but the user's.
    let confidence = confidence.filter(|_| basis != Basis::Own);
    parts.extend(confidence.map(|confidence| format!("{} confidence", confidence.name())));
    match (basis, source) {
        (Basis::Own, "") => parts.push("typed here".to_owned()),
        (_, "") => {}
        (_, source) => parts.push(source.to_owned()),
    }
    parts.join(" · ")
}
