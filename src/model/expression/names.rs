//! The functions a formula may use, and what to write instead of a name that nobody knows.
use super::operations::{Binary, Unary};
use crate::model::spelling::edits;

/// What a function does with its numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Function {
    /// One number.
    One(Unary),
    /// Any count of numbers but none, two at a time.
    Several(Binary),
}

/// Every function by name.
pub(super) const FUNCTIONS: [(&str, Function); 11] = [
    ("min", Function::Several(Binary::Min)),
    ("max", Function::Several(Binary::Max)),
    ("ceil", Function::One(Unary::Ceil)),
    ("floor", Function::One(Unary::Floor)),
    ("round", Function::One(Unary::Round)),
    ("sqrt", Function::One(Unary::Sqrt)),
    ("log2", Function::One(Unary::Log2)),
    ("ln", Function::One(Unary::Ln)),
    ("log10", Function::One(Unary::Log10)),
    ("exp", Function::One(Unary::Exp)),
    ("abs", Function::One(Unary::Abs)),
];

/// The longest list of names in a message, and the longest name that is compared or shown whole.
const MAX_LISTED: usize = 12;
const MAX_LENGTH: usize = 64;

/// The function of this name.
pub(super) fn function(name: &str) -> Option<Function> {
    let found = FUNCTIONS.iter().find(|(known, _)| *known == name);
    found.map(|(_, function)| *function)
}

/// The spelling of a function, for messages.
pub(super) fn spelling(function: Function) -> &'static str {
    let found = FUNCTIONS.iter().find(|(_, known)| *known == function);
    found.map_or("", |(name, _)| *name)
}

/// Why there is no name or function `wanted`, with the nearest of those there are, and the others.
pub(super) fn unknown(what: &str, wanted: &str, known: &[&str]) -> String {
    let quoted = shortened(wanted);
    let list = |names: &[&str]| match names.split_at_checked(MAX_LISTED) {
        Some((first, rest)) if !rest.is_empty() => {
            format!("{} and {} more", first.join(", "), rest.len())
        }
        _ => names.join(", "),
    };
    let remedy = match (nearest(wanted, known), known) {
        (_, []) => "write a number, or add the name to the parameters".to_owned(),
        (Some(near), [_]) => format!("write {near}"),
        (Some(near), known) => {
            let others: Vec<_> = known.iter().copied().filter(|name| *name != near).collect();
            format!("write {near}, or one of {}", list(&others))
        }
        (None, [only]) => format!("write {only}"),
        (None, known) => format!("write one of {}", list(known)),
    };
    format!("there is no {what} {quoted:?}: {remedy}")
}

/// The known name most like `wanted`, if it is at all like it.
fn nearest<'a>(wanted: &str, known: &[&'a str]) -> Option<&'a str> {
    // Comparing costs the product of the lengths: names this long are not mistyped but pasted.
    if wanted.len() > MAX_LENGTH {
        return None;
    }
    let small = wanted.to_lowercase();
    let comparable = known.iter().filter(|name| name.len() <= MAX_LENGTH);
    let distances = comparable.map(|name| (edits(&small, &name.to_lowercase()), *name));
    let (distance, name) = distances.min_by_key(|(distance, _)| *distance)?;
    // Two letters exchanged in a word of five are two edits; one letter is not like another.
    (distance <= wanted.len().div_ceil(3).min(wanted.len().saturating_sub(1))).then_some(name)
}

/// The text, or its beginning if it is too long to be quoted.
pub(super) fn shortened(text: &str) -> String {
    let mut chars = text.char_indices();
    match chars.nth(MAX_LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
