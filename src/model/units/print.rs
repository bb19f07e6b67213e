//! Writing quantities: exactly for files and fields, shortly for reading.
use super::{PREFIXES, SMALL_PREFIXES, Unit};

/// The value with prefix and unit, with as many digits as [`parse`] needs to return exactly it.
pub fn exact(value: f64, unit: Unit) -> String {
    // The shortest decimal that reads back to the value, split into digits and a power of ten.
    let text = format!("{value:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let power = prefix_power(exponent, unit);
    let sign = if value < 0.0 { "-" } else { "" };
    let body = place_point(&digits, exponent - power);
    with_unit(&format!("{sign}{body}"), power, unit)
}

/// Digits d₁d₂d₃… with the point after d₁, moved right by `places` (left if negative).
fn place_point(digits: &str, places: i32) -> String {
    let count = digits.len() as i32;
    if !(-6..=20).contains(&places) {
        let (first, rest) = digits.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        return format!("{first}{dot}{rest}e{places}");
    }
    if places < 0 {
        return format!("0.{}{digits}", "0".repeat((-places - 1) as usize));
    }
    if places + 1 >= count {
        return format!("{digits}{}", "0".repeat((places + 1 - count) as usize));
    }
    let (whole, fraction) = digits.split_at((places + 1) as usize);
    format!("{whole}.{fraction}")
}

/// The multiple of three that the prefix for a number of this decimal exponent stands for.
fn prefix_power(exponent: i32, unit: Unit) -> i32 {
    let thousand = exponent.div_euclid(3) * 3;
    match unit {
        Unit::FlopPerByte | Unit::Ratio => 0,
        Unit::Second => thousand.clamp(-12, 0),
        // Nobody says "5 k/s" of tokens.
        Unit::PerSecond => 0,
        Unit::One if exponent < 6 => 0,
        _ => thousand.clamp(0, 24),
    }
}

fn with_unit(body: &str, power: i32, unit: Unit) -> String {
    let prefix = PREFIXES
        .iter()
        .chain(SMALL_PREFIXES.iter())
        .find(|(_, p)| *p == power)
        .map(|(c, _)| c.to_string())
        .unwrap_or_default();
    let unit = format!("{prefix}{}", unit.symbol());
    if unit.is_empty() {
        body.to_owned()
    } else {
        format!("{body} {unit}")
    }
}

/// The value with prefix and unit and three to four significant digits, for reading.
pub fn short(value: f64, unit: Unit) -> String {
    if value == 0.0 {
        return with_unit("0", 0, unit);
    }
    let rounded = significant(value, 4);
    let exponent = decimal_exponent(rounded);
    let power = prefix_power(exponent, unit);
    // Scaled only for display: what is printed is rounded to four digits anyway.
    let scaled = rounded / 10f64.powi(power);
    let body = if (1e-3..1e7).contains(&scaled.abs()) {
        plain(scaled, 4)
    } else {
        format!("{:e}", significant(scaled, 4))
    };
    with_unit(&body, power, unit)
}

/// A plain number with four significant digits, or whole with thousands separated: `60.42`, `61,875`.
pub fn number(value: f64) -> String {
    if value.abs() >= 1e7 || (value != 0.0 && value.abs() < 1e-3) {
        return format!("{:e}", significant(value, 4));
    }
    plain(value, 4)
}

/// A count: separated in thousands from 10,000 up to a million, with a prefix beyond (`8 G`).
pub fn count(value: f64) -> String {
    if value < 1e6 {
        separated(&trimmed(value, 4), 5)
    } else {
        short(value, Unit::One)
    }
}

/// `part` of one, as percent with two or three significant digits: `0.34 %`, `75 %`, `114 %`.
pub fn percent(part: f64) -> String {
    let value = part * 100.0;
    let digits = if value.abs() >= 100.0 { 3 } else { 2 };
    format!("{} %", plain(significant(value, digits), 3))
}

/// A factor: `×2.00`, `×64.0`, `×295`.
pub fn factor(value: f64) -> String {
    let decimals = (2 - decimal_exponent(significant(value, 3))).clamp(0, 3) as usize;
    format!("×{}", separated(&format!("{value:.decimals$}"), 4))
}

fn decimal_exponent(value: f64) -> i32 {
    let text = format!("{value:e}");
    text.split_once('e')
        .and_then(|(_, exponent)| exponent.parse().ok())
        .unwrap_or(0)
}

fn significant(value: f64, digits: usize) -> f64 {
    // A half goes up, as people round, not to the even digit.
    let value = value * (1.0 + 1e-13);
    format!("{value:.*e}", digits - 1).parse().unwrap_or(value)
}

/// Decimal notation with at most `digits` significant digits, never fewer than the whole part has.
fn plain(value: f64, digits: i32) -> String {
    separated(&trimmed(value, digits), 4)
}

fn trimmed(value: f64, digits: i32) -> String {
    let value = value * (1.0 + 1e-13);
    let decimals = (digits - 1 - decimal_exponent(value)).clamp(0, 12) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// Thousands separated by commas if the whole part has at least `from` digits: `1,024`, `61,875`.
fn separated(text: &str, from: usize) -> String {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let (sign, digits) = whole
        .strip_prefix('-')
        .map_or(("", whole), |digits| ("-", digits));
    if digits.len() < from {
        return text.to_owned();
    }
    let mut out = String::from(sign);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    if !fraction.is_empty() {
        out.push('.');
        out.push_str(fraction);
    }
    out
}
