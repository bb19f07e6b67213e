//! Cost formulas as people write them, such as `(M*K + K*N + M*N)*bytes`: read once, evaluated often.
//!
//! The parser is our own because no library reads what is wanted here. `rhai` in expression-only mode came nearest:
//! its `^` is a bitwise operation and its power binds less tightly than a minus, so that `-2**2` is 4; `1/2*M` is zero,
//! because both numbers are integers; `M/0` is an infinity without a word; and 64 summands exceed a nesting limit
//! of 64. It also takes eight times as long per evaluation and brings seven crates.
//!
//! A formula becomes a flat list of steps in postfix order, so that evaluating neither recurses nor looks up names.
mod names;
mod operations;
mod parse;
mod refusals;
mod steps;
#[cfg(test)]
mod tests;
mod tokens;

use std::collections::HashSet;
use std::fmt::Write;
use std::ops::Range;
use steps::{Place, Step};

/// The most bytes that a formula may have.
pub const MAX_BYTES: usize = 4096;

/// How many parentheses, functions, signs and powers may stand within each other.
pub const MAX_DEPTH: usize = 64;

/// A formula that was read and whose names are known.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    text: String,
    steps: Vec<Step>,
    /// Where each step stands in the text; apart from the steps because only refusals look at it.
    places: Vec<Place>,
    /// How many numbers wait at once while it is evaluated.
    height: usize,
}

/// Why text is not a formula: where it is wrong and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} (column {})", .at + 1)]
pub struct ExpressionError {
    /// The characters before what is wrong.
    pub at: usize,
    /// How many characters are wrong; zero where something is missing at the end.
    pub length: usize,
    /// The same place in bytes of the text.
    pub bytes: Range<usize>,
    /// What is wrong and what to write instead, without the place.
    pub message: String,
}

/// Why a formula has no value for these numbers: which part of it, and what to change.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} (column {})", .at + 1)]
pub struct EvaluationError {
    /// The characters before the part without value.
    pub at: usize,
    /// How many characters that part has.
    pub length: usize,
    /// The same place in bytes of the text.
    pub bytes: Range<usize>,
    /// What has no value and what to change, without the place.
    pub message: String,
}

impl Expression {
    /// Reads a formula in which `names` may occur; their order is that of the values given later.
    ///
    /// A name followed by a parenthesis is a function even if one of `names` is spelled the same.
    pub fn compile(text: &str, names: &[&str]) -> Result<Self, ExpressionError> {
        let (steps, places) = parse::parse(text, names)?;
        Ok(Self {
            text: text.to_owned(),
            height: steps::height(&steps),
            steps,
            places,
        })
    }

    /// The formula as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Every name that occurs, once, in the order of appearance.
    pub fn names_used(&self) -> Vec<&str> {
        let mut seen = HashSet::new();
        let all = self.occurrences().map(|(_, bytes)| &self.text[bytes]);
        all.filter(|name| seen.insert(*name)).collect()
    }

    /// The value where each name stands for the value at its place in the list of names.
    ///
    /// Always a finite number: what is none, even in between, is refused.
    pub fn value(&self, values: &[f64]) -> Result<f64, EvaluationError> {
        steps::run(&self.steps, values, self.height).map_err(|failure| {
            let place = &self.places[failure.step];
            let message = failure.message(&self.steps, place, &self.text);
            let (at, length) = columns(&self.text, &place.whole);
            EvaluationError {
                at,
                length,
                bytes: place.whole.clone(),
                message,
            }
        })
    }

    /// The formula with each name replaced by what `shown` makes of its value: `2·4096·4096·4096`.
    ///
    /// A negative value is put in parentheses; a name without value stays.
    pub fn with_numbers(&self, values: &[f64], shown: impl Fn(f64) -> String) -> String {
        let mut out = String::with_capacity(2 * self.text.len());
        let mut done = 0;
        for (name, bytes) in self.occurrences() {
            out.push_str(&self.text[done..bytes.start]);
            done = bytes.end;
            match values.get(name).map(|value| shown(*value)) {
                Some(number) if number.starts_with(['-', '\u{2212}']) => {
                    // Writing to a string cannot fail.
                    let _ = write!(out, "({number})");
                }
                Some(number) => out.push_str(&number),
                None => out.push_str(&self.text[bytes]),
            }
        }
        out.push_str(&self.text[done..]);
        out.replace('*', "·")
    }

    /// The formula with another name wherever `old` stands.
    pub fn renamed(&self, old: &str, new: &str) -> String {
        let mut out = String::with_capacity(self.text.len());
        let mut done = 0;
        let old = self
            .occurrences()
            .filter(|(_, b)| &self.text[b.clone()] == old);
        for (_, bytes) in old {
            out.push_str(&self.text[done..bytes.start]);
            out.push_str(new);
            done = bytes.end;
        }
        out.push_str(&self.text[done..]);
        out
    }

    /// Each place where a name occurs, with its index.
    fn occurrences(&self) -> impl Iterator<Item = (usize, Range<usize>)> {
        let places = self.steps.iter().zip(&self.places);
        places.filter_map(|(step, place)| match step {
            Step::Name(index) => Some((*index, place.whole.clone())),
            _ => None,
        })
    }
}

impl ExpressionError {
    fn new(text: &str, bytes: Range<usize>, message: impl Into<String>) -> Self {
        let (at, length) = columns(text, &bytes);
        Self {
            at,
            length,
            bytes,
            message: message.into(),
        }
    }
}

/// Whether text can be a name in a formula: a letter or `_`, then letters, digits or `_`.
pub fn is_name(text: &str) -> bool {
    text.chars().next().is_some_and(tokens::begins_name) && text.chars().all(tokens::is_in_name)
}

/// The name of every function that a formula may use.
pub fn functions() -> impl Iterator<Item = &'static str> {
    names::FUNCTIONS.iter().map(|(name, _)| *name)
}

/// A range of bytes as characters: how many stand before it, how many it has.
fn columns(text: &str, bytes: &Range<usize>) -> (usize, usize) {
    let count = |range: Range<usize>| text.get(range).map_or(0, |part| part.chars().count());
    (count(0..bytes.start), count(bytes.clone()))
}
