//! What the parser says of a part that cannot stand where it stands.
use super::ExpressionError;
use super::names::{self, shortened, unknown};
use super::parse::Parser;
use super::steps::Step;
use super::tokens::Kind;
use std::ops::Range;

/// What people write after a number for its thousands, and what a formula has instead.
const SUFFIXES: [(&str, &str); 5] = [
    ("k", "e3"),
    ("K", "e3"),
    ("M", "e6"),
    ("G", "e9"),
    ("T", "e12"),
];

impl Parser<'_> {
    /// An error at these bytes.
    pub(super) fn error(&self, bytes: Range<usize>, message: impl Into<String>) -> ExpressionError {
        ExpressionError::new(self.text, bytes, message)
    }

    fn quoted(&self) -> String {
        shortened(&self.text[self.token.bytes.clone()])
    }

    /// A name that is no parameter.
    pub(super) fn unknown_name(&self, name: &str, bytes: Range<usize>) -> ExpressionError {
        if names::function(name).is_some() {
            let message = format!("{name} is a function: write {name}(x)");
            return self.error(bytes, message);
        }
        self.error(bytes, unknown("name", name, self.names))
    }

    /// A name before a parenthesis that is no function.
    pub(super) fn unknown_function(&self, name: &str, bytes: Range<usize>) -> ExpressionError {
        if self.indices.contains_key(name) {
            let name = shortened(name);
            let message = format!("{name} is no function: write {name}*( to multiply");
            return self.error(bytes, message);
        }
        let functions: Vec<_> = super::functions().collect();
        self.error(bytes, unknown("function", name, &functions))
    }

    /// Something else where a number or a name must stand.
    pub(super) fn no_operand(&self) -> ExpressionError {
        let at = self.token.bytes.clone();
        let before = self.text[..at.start].trim_end();
        let found = self.quoted();
        let message = if self.token.kind == Kind::End {
            let last = before.chars().last().unwrap_or(' ');
            format!("the formula ends after {last}: write a number or a name behind it")
        } else if found == "*" && before.ends_with('*') {
            "** is no sign here: write ^ for a power".to_owned()
        } else {
            format!("before {found} something is missing: write a number or a name there")
        };
        self.error(at, message)
    }

    /// Something after an operand that neither continues nor ends it.
    pub(super) fn not_expected(&self) -> ExpressionError {
        let at = self.token.bytes.clone();
        let found = self.quoted();
        let message = match self.token.kind {
            Kind::Close => "this ) closes nothing: remove it, or write a ( before".to_owned(),
            Kind::Comma => "a comma stands only between the numbers of min and max: \
                            remove it, or write a point for decimals"
                .to_owned(),
            _ => self.suffix().unwrap_or_else(|| {
                format!("before {found} a sign is missing: write * to multiply")
            }),
        };
        self.error(at, message)
    }

    /// What to write instead of a suffix, where a name that is unknown touches the number before it.
    fn suffix(&self) -> Option<String> {
        let at = &self.token.bytes;
        let place = self.places.last().filter(|place| {
            let number = matches!(self.steps.last(), Some(Step::Number(_)));
            number && self.token.kind == Kind::Name && place.whole.end == at.start
        })?;
        let name = &self.text[at.clone()];
        let number = shortened(&self.text[place.whole.clone()]);
        if self.indices.contains_key(name) || number.contains(['e', 'E']) {
            return None;
        }
        if name.eq_ignore_ascii_case("e") {
            return Some(format!(
                "{number}{name} lacks its exponent: write for example {number}e3"
            ));
        }
        if name.starts_with('_') {
            return Some("digits are not separated here: write them without the _".to_owned());
        }
        let (_, exponent) = SUFFIXES.iter().find(|(suffix, _)| *suffix == name)?;
        Some(format!(
            "{name} after a number has no meaning: write {number}{exponent}"
        ))
    }
}
