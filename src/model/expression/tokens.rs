//! Cutting a formula into numbers, names and signs.
use super::ExpressionError;
use super::operations::Binary;
use std::ops::Range;

/// What stands at one place of a formula.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Number(f64),
    Name,
    Sign(Binary),
    Open,
    Close,
    Comma,
    End,
}

/// A part of a formula and the bytes it has in the text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token {
    pub kind: Kind,
    pub bytes: Range<usize>,
}

/// Whether a name may begin with the character.
pub(super) fn begins_name(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

/// Whether a name may contain the character.
pub(super) fn is_in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The first part of the formula from byte `from` on.
pub(super) fn token(text: &str, from: usize) -> Result<Token, ExpressionError> {
    let rest = &text[from..];
    let start = text.len() - rest.trim_start().len();
    let rest = &text[start..];
    let Some(first) = rest.chars().next() else {
        return Ok(Token {
            kind: Kind::End,
            bytes: text.len()..text.len(),
        });
    };
    if first.is_ascii_digit() || first == '.' {
        return number(text, start);
    }
    if begins_name(first) {
        let length = rest.find(|c| !is_in_name(c)).unwrap_or(rest.len());
        return Ok(Token {
            kind: Kind::Name,
            bytes: start..start + length,
        });
    }
    let bytes = start..start + first.len_utf8();
    let kind = match first {
        '+' => Kind::Sign(Binary::Add),
        // The typographic signs come with text that was copied, also from `with_numbers`.
        '-' | '\u{2212}' => Kind::Sign(Binary::Subtract),
        '*' | '×' | '·' => Kind::Sign(Binary::Multiply),
        '/' | '÷' => Kind::Sign(Binary::Divide),
        '^' => Kind::Sign(Binary::Power),
        '(' => Kind::Open,
        ')' => Kind::Close,
        ',' => Kind::Comma,
        _ => return Err(unknown(text, bytes)),
    };
    Ok(Token { kind, bytes })
}

fn unknown(text: &str, bytes: Range<usize>) -> ExpressionError {
    let message = format!(
        "{:?} has no meaning in a formula: write numbers, names of letters A to Z, + - * / ^, parentheses and commas",
        &text[bytes.clone()]
    );
    ExpressionError::new(text, bytes, message)
}

/// The number that begins at byte `start`.
fn number(text: &str, start: usize) -> Result<Token, ExpressionError> {
    let digits = |from: usize| {
        let rest = &text[from..];
        from + rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len())
    };
    let mut end = digits(start);
    if text[end..].starts_with('.') {
        end = digits(end + 1);
    }
    // An `e` without digits after it is no exponent, it may be a name.
    if let Some(exponent) = text[end..].strip_prefix(['e', 'E']) {
        let from = text.len() - exponent.strip_prefix(['+', '-']).unwrap_or(exponent).len();
        let to = digits(from);
        if to > from {
            end = to;
        }
    }
    if text[end..].starts_with('.') {
        let rest = &text[end..];
        let odd = rest.find(|c: char| !c.is_ascii_digit() && c != '.');
        let bytes = start..end + odd.unwrap_or(rest.len());
        let message = format!(
            "{:?} has a decimal point too many: write a number such as 2.5 or 2.5e-9",
            &text[bytes.clone()]
        );
        return Err(ExpressionError::new(text, bytes, message));
    }
    let bytes = start..end;
    let written = &text[bytes.clone()];
    let message = match written.parse() {
        Ok(value) if f64::is_finite(value) => {
            let kind = Kind::Number(value);
            return Ok(Token { kind, bytes });
        }
        Ok(_) => format!("{written:?} is too large: write a number below 1.8e308"),
        Err(_) => format!("{written:?} is not a number: write one such as 2.5 or 2.5e-9"),
    };
    Err(ExpressionError::new(text, bytes, message))
}
