//! A distribution of contexts over the sequences of a batch: `50 % 1k, 30 % 4k, 20 % 16k`.
use crate::model::parameter::{TextError, TextSlot};
use crate::model::quantity::{Count, Quantity};
use crate::model::units::{self, Unit};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Which share of the sequences has which context.
#[derive(Debug, Clone, PartialEq)]
pub struct Distribution {
    /// Weights as they were written (they need not add up to one) and contexts.
    parts: Vec<(f64, Count)>,
}

/// The most different contexts a distribution can have.
const MOST_PARTS: usize = 64;

impl Distribution {
    /// Reads `50 % 1k, 50 % 4k`, `3 × 1k, 1 × 16k` or a plain list of contexts, each as frequent as the others.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        for part in text
            .split([',', ';'])
            .map(str::trim)
            .filter(|p| !p.is_empty())
        {
            let (weight, tokens) = match part.split_once(['%', '×', 'x', '*']) {
                Some((weight, tokens)) => (units::parse(weight, Unit::Ratio), tokens),
                None => (Ok(1.0), part),
            };
            let weight = weight.map_err(|error| error.to_string())?;
            let tokens = Count::parse(tokens).map_err(|error| error.to_string())?;
            if !weight.is_finite() || weight <= 0.0 {
                return Err(format!("{part:?}: a share must be more than zero"));
            }
            parts.push((weight, tokens));
        }
        match parts.len() {
            0 => Err("write shares and contexts such as \"50 % 1k, 50 % 4k\"".to_owned()),
            n if n > MOST_PARTS => Err(format!("at most {MOST_PARTS} contexts can be told apart")),
            _ => Ok(Self { parts }),
        }
    }

    /// Shares that add up to one, and tokens.
    pub fn parts(&self) -> Vec<(f64, f64)> {
        let sum: f64 = self.parts.iter().map(|(weight, _)| weight).sum();
        let parts = self.parts.iter();
        parts
            .map(|(weight, tokens)| (weight / sum, tokens.get()))
            .collect()
    }

    /// The text [`Distribution::parse`] reads.
    pub fn text(&self) -> String {
        let parts = self.parts.iter().map(|(weight, tokens)| {
            let weight = units::exact(*weight, Unit::Ratio);
            format!("{weight} × {}", units::exact(tokens.get(), Unit::One))
        });
        parts.collect::<Vec<_>>().join(", ")
    }
}

impl Serialize for Distribution {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text())
    }
}

impl<'de> Deserialize<'de> for Distribution {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

impl TextSlot for Option<Distribution> {
    fn text(&self) -> String {
        self.as_ref().map(Distribution::text).unwrap_or_default()
    }

    fn is_optional(&self) -> bool {
        true
    }

    fn set_text(&mut self, text: &str) -> Result<(), TextError> {
        *self = match text.trim() {
            "" => None,
            text => Some(Distribution::parse(text).map_err(|message| TextError {
                message,
                place: None,
            })?),
        };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_scaled_to_one() {
        let read = Distribution::parse("50 % 1k, 25% 4k, 25 % 16k").unwrap();
        assert_eq!(
            read.parts(),
            [(0.5, 1000.0), (0.25, 4000.0), (0.25, 16000.0)]
        );
        assert_eq!(Distribution::parse(&read.text()), Ok(read));
        let plain = Distribution::parse("1024, 8192").unwrap();
        assert_eq!(plain.parts(), [(0.5, 1024.0), (0.5, 8192.0)]);
        assert!(Distribution::parse("0 % 1k").is_err());
        assert!(Distribution::parse(" ").is_err());
        assert!(Distribution::parse("50 % -3").is_err());
    }
}
