//! Reading quantities as people write them.
use super::{PREFIXES, ParseError, SMALL_PREFIXES, Unit, example, number};
use crate::model::out_of_range::OutOfRange;

/// The value of `text` in the base unit of `unit`: the f64 nearest to the decimal that was written.
///
/// A unit may be left out, then the number is in the base unit (prefixes still count: `990T`).
/// Binary prefixes (`GiB`) and bits (`Gbit/s`) are powers of two, so they are exact as well.
pub fn parse(text: &str, unit: Unit) -> Result<f64, ParseError> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Err(ParseError::Empty {
            example: example(unit),
        });
    }
    let (number, rest) = split_number(trimmed);
    let rest = rest.trim();
    if let Some(exponent) = rest.strip_prefix('^').filter(|_| unit.is_plain()) {
        return power(trimmed, &number, exponent.trim(), unit);
    }
    let number = decimal(trimmed, &number, unit)?;
    let scale = scale(rest, unit)?;
    let shifted = shift(&number, scale.decimal);
    let value: f64 = shifted.parse().map_err(|_| ParseError::NoNumber {
        text: trimmed.to_owned(),
        example: example(unit),
    })?;
    finite(trimmed, value * 2f64.powi(scale.binary))
}

/// Refuses a number too large for an f64, which would be read as infinite.
fn finite(text: &str, value: f64) -> Result<f64, ParseError> {
    if value.is_finite() {
        return Ok(value);
    }
    Err(ParseError::OutOfRange {
        text: text.to_owned(),
        reason: OutOfRange::NotFinite(value),
    })
}

/// Whether text is written as a product.
pub fn is_product(text: &str) -> bool {
    text.contains(['×', '*'])
}

/// The value of a product such as `304 × 2048 × 2.1 GHz` or `5120 bit × 1.593 GHz × 2`, in the base unit of `unit`.
///
/// `None` where the text is no product. Factors are plain numbers, clocks, or amounts of the unit's own kind; their
/// units are not checked against each other, which is why the product is shown beside what it gave.
pub fn product(text: &str, unit: Unit) -> Option<Result<f64, ParseError>> {
    if !is_product(text) {
        return None;
    }
    let factors = text.split(['×', '*']);
    let amount = match unit {
        Unit::BytePerSecond => Unit::Byte,
        Unit::FlopPerSecond => Unit::Flop,
        unit => unit,
    };
    let factor = |text: &str| {
        // The amount first: of bytes, "128 B" is no count of billions.
        let known = [amount, Unit::One, Unit::Hertz, unit];
        let found = known.into_iter().find_map(|kind| parse(text, kind).ok());
        found.map_or_else(|| parse(text, unit), Ok)
    };
    Some(factors.map(factor).product())
}

/// What a count that ends in `k` is, and how the power of two is written that people often mean by it.
pub fn thousands(text: &str) -> Option<String> {
    let written = text.trim().strip_suffix(['k', 'K'])?.trim();
    let value = parse(written, Unit::One).ok()?;
    let [decimal, binary] = [1000.0, 1024.0].map(|factor| number(value * factor));
    Some(format!("{written}k is {decimal}; {written}Ki is {binary}"))
}

/// `2^13`, for plain numbers.
fn power(text: &str, base: &str, exponent: &str, unit: Unit) -> Result<f64, ParseError> {
    let no_number = || ParseError::NoNumber {
        text: text.to_owned(),
        example: example(unit),
    };
    let base: f64 = base.parse().map_err(|_| no_number())?;
    let exponent: i32 = exponent.parse().map_err(|_| no_number())?;
    finite(text, base.powi(exponent))
}

/// The leading number of `text`, without spaces and underscores between digits, and what follows.
fn split_number(text: &str) -> (String, &str) {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let digit_at = |i: usize| chars.get(i).is_some_and(|(_, c)| c.is_ascii_digit());
    let mut number = String::new();
    let mut i = 0;
    while let Some(&(_, c)) = chars.get(i) {
        let takes = match c {
            '+' | '-' | '\u{2212}' => i == 0,
            '0'..='9' | '.' | ',' => true,
            'e' | 'E' => {
                let signed = matches!(chars.get(i + 1), Some((_, '+' | '-')));
                !number.is_empty() && (digit_at(i + 1) || (signed && digit_at(i + 2)))
            }
            // Separators only between digits, so that the space before a unit ends the number.
            '_' | ' ' | '\u{202f}' | '\u{a0}' | '\'' => i > 0 && digit_at(i - 1) && digit_at(i + 1),
            _ => false,
        };
        if !takes {
            break;
        }
        match c {
            'e' | 'E' => {
                number.push('e');
                i += 1;
                if let Some(&(_, sign @ ('+' | '-'))) = chars.get(i) {
                    number.push(sign);
                    i += 1;
                }
                while digit_at(i) {
                    number.push(chars[i].1);
                    i += 1;
                }
                break;
            }
            '\u{2212}' => number.push('-'),
            '_' | ' ' | '\u{202f}' | '\u{a0}' | '\'' => {}
            c => number.push(c),
        }
        i += 1;
    }
    let end = chars.get(i).map_or(text.len(), |&(at, _)| at);
    (number, &text[end..])
}

/// `number` with a decimal point and no grouping, or the question which of the two a comma is.
fn decimal(text: &str, number: &str, unit: Unit) -> Result<String, ParseError> {
    let (mantissa, exponent) = number.split_once('e').unwrap_or((number, ""));
    let commas = mantissa.matches(',').count();
    let points = mantissa.matches('.').count();
    let plain = match (commas, points) {
        (0, 0 | 1) => mantissa.to_owned(),
        // A count has no decimals: its comma can only separate thousands.
        (1, 0) if unit == Unit::One && grouped(mantissa, ',') => mantissa.replace(',', ""),
        (1, 0) => one_comma(text, mantissa)?,
        // Both: the later one is the decimal sign. Several of one kind: grouping.
        (_, 1) if mantissa.rfind(',') < mantissa.find('.') && grouped(mantissa, ',') => {
            mantissa.replace(',', "")
        }
        (1, _) if mantissa.rfind('.') < mantissa.find(',') && grouped(mantissa, '.') => {
            mantissa.replace('.', "").replace(',', ".")
        }
        (_, 0) if grouped(mantissa, ',') => mantissa.replace(',', ""),
        _ => String::new(),
    };
    if !plain.contains(|c: char| c.is_ascii_digit()) {
        return Err(ParseError::NoNumber {
            text: text.to_owned(),
            example: example(unit),
        });
    }
    Ok(if exponent.is_empty() {
        plain
    } else {
        format!("{plain}e{exponent}")
    })
}

/// `3,35` is 3.35; `1,234` may be either and is asked about.
fn one_comma(text: &str, mantissa: &str) -> Result<String, ParseError> {
    let (whole, fraction) = mantissa.split_once(',').unwrap_or((mantissa, ""));
    let leading = whole.trim_start_matches(['+', '-']);
    let could_group = fraction.len() == 3 && (1..=3).contains(&leading.len()) && leading != "0";
    if could_group {
        return Err(ParseError::AmbiguousComma {
            text: text.to_owned(),
            grouped: format!("{whole}{fraction}"),
            decimal: format!("{whole}.{fraction}"),
        });
    }
    Ok(format!("{whole}.{fraction}"))
}

/// Whether `sign` separates groups of three digits in the part of `mantissa` before the decimals.
fn grouped(mantissa: &str, sign: char) -> bool {
    let decimal_sign = if sign == ',' { '.' } else { ',' };
    let whole = mantissa.split(decimal_sign).next().unwrap_or(mantissa);
    let mut groups = whole.trim_start_matches(['+', '-']).split(sign);
    let first = groups.next().unwrap_or("");
    (1..=3).contains(&first.len()) && groups.all(|group| group.len() == 3)
}

/// What a unit with prefix multiplies by: 10^decimal × 2^binary.
struct Scale {
    decimal: i32,
    binary: i32,
}

fn scale(rest: &str, unit: Unit) -> Result<Scale, ParseError> {
    let wrong = || ParseError::WrongUnit {
        found: rest.to_owned(),
        expected: match unit {
            Unit::One => "a plain number, perhaps with k, M, G or T".to_owned(),
            Unit::Ratio => "a plain number, perhaps with k, M, G or T, or a percentage".to_owned(),
            _ => format!("{}, for example {:?}", unit.symbol(), example(unit)),
        },
    };
    if let Some(scale) = bare_unit(rest, unit) {
        return Ok(scale);
    }
    if unit == Unit::Ratio && rest == "%" {
        return Ok(Scale {
            decimal: -2,
            binary: 0,
        });
    }
    let mut chars = rest.chars();
    let Some(prefix) = chars.next() else {
        return Err(wrong());
    };
    let tail = chars.as_str();
    let binary_tail = tail.strip_prefix('i').filter(|_| !unit.goes_below_one());
    let Some(mut scale) = bare_unit(binary_tail.unwrap_or(tail), unit) else {
        let is_prefix = PREFIXES
            .iter()
            .any(|(p, _)| p.eq_ignore_ascii_case(&prefix));
        if is_prefix && unit == Unit::BytePerSecond && tail == "b/s" {
            return Err(ParseError::BitOrByte {
                prefix: prefix.to_string(),
            });
        }
        return Err(wrong());
    };
    if !unit.allows_prefix() {
        return Err(wrong());
    }
    if unit.goes_below_one() {
        // "5 m" might be minutes.
        if tail.is_empty() {
            return Err(wrong());
        }
        let power = SMALL_PREFIXES.iter().find(|(p, _)| *p == prefix);
        scale.decimal += power.ok_or_else(wrong)?.1;
        return Ok(scale);
    }
    if prefix == 'm' {
        return Err(ParseError::MilliForMega);
    }
    // A billion parameters is commonly written 8B.
    let prefix = if unit == Unit::One && matches!(prefix, 'B' | 'b') {
        'G'
    } else {
        prefix
    };
    let power = PREFIXES
        .iter()
        .find(|(p, _)| p.eq_ignore_ascii_case(&prefix))
        .ok_or_else(wrong)?
        .1;
    if binary_tail.is_some() {
        scale.binary += power / 3 * 10;
    } else {
        scale.decimal += power;
    }
    Ok(scale)
}

/// The scale of a unit written without prefix, or of nothing written at all.
fn bare_unit(text: &str, unit: Unit) -> Option<Scale> {
    let text = text.trim();
    // "b" alone is a byte where only amounts can be meant; in a rate it is asked about.
    if unit == Unit::BytePerSecond && text == "b/s" {
        return None;
    }
    let known = text.is_empty()
        || unit
            .spellings()
            .iter()
            .any(|s| s.eq_ignore_ascii_case(text));
    let bits = match unit {
        Unit::BytePerSecond => ["bit/s", "bits/s"]
            .iter()
            .any(|s| s.eq_ignore_ascii_case(text)),
        Unit::Byte => ["bit", "bits"].iter().any(|s| s.eq_ignore_ascii_case(text)),
        _ => false,
    };
    (known || bits).then_some(Scale {
        decimal: 0,
        binary: if bits { -3 } else { 0 },
    })
}

/// `number` × 10^`by`, as text.
fn shift(number: &str, by: i32) -> String {
    if by == 0 {
        return number.to_owned();
    }
    match number.split_once('e') {
        Some((mantissa, exponent)) => {
            let exponent = exponent.parse::<i64>().unwrap_or(i64::MAX / 2);
            format!("{mantissa}e{}", exponent.saturating_add(i64::from(by)))
        }
        None => format!("{number}e{by}"),
    }
}
