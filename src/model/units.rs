//! "3.35 TB/s" to a number and back, exactly: decimal text is shifted, never multiplied.
use super::quantity::OutOfRange;

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Flop,
    Byte,
    FlopPerSecond,
    BytePerSecond,
    FlopPerByte,
    Second,
    PerSecond,
    One,
}

impl Unit {
    /// The symbol shown after a number; empty for a plain count.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Flop => "FLOP",
            Self::Byte => "B",
            Self::FlopPerSecond => "FLOP/s",
            Self::BytePerSecond => "B/s",
            Self::FlopPerByte => "FLOP/B",
            Self::Second => "s",
            Self::PerSecond => "/s",
            Self::One => "",
        }
    }

    /// Every way the unit is written, compared without case.
    fn spellings(self) -> &'static [&'static str] {
        match self {
            Self::Flop => &["flop", "flops", "op", "ops"],
            Self::Byte => &["b", "byte", "bytes"],
            Self::FlopPerSecond => &["flop/s", "flops/s", "flops", "flop", "op/s", "ops/s", "ops"],
            Self::BytePerSecond => &["b/s", "bytes/s", "byte/s", "bps"],
            Self::FlopPerByte => &["flop/b", "flops/b", "flop/byte", "flops/byte", "op/b"],
            Self::Second => &["s", "sec", "second", "seconds"],
            Self::PerSecond => &["/s", "1/s", "items/s", "tokens/s", "token/s", "tok/s", "hz"],
            Self::One => &[],
        }
    }

    /// Whether prefixes below one make sense (a millisecond does, a millibyte does not).
    fn goes_below_one(self) -> bool {
        matches!(self, Self::Second)
    }

    fn allows_prefix(self) -> bool {
        !matches!(self, Self::FlopPerByte)
    }
}

/// Why text is not a quantity; each says what was found and what to write instead.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ParseError {
    #[error("nothing was written: write a number such as {example:?}")]
    Empty { example: &'static str },
    #[error("{text:?} does not begin with a number: write one such as {example:?}")]
    NoNumber { text: String, example: &'static str },
    #[error("{text:?} may mean {grouped} or {decimal}: write one of these")]
    AmbiguousComma {
        text: String,
        grouped: String,
        decimal: String,
    },
    #[error("{found:?} is not a unit of this field: write {expected}")]
    WrongUnit { found: String, expected: String },
    #[error("\"m\" means milli: write \"M\" for mega")]
    MilliForMega,
    #[error("\"b\" may mean bits: write \"{prefix}B/s\" for bytes or \"{prefix}bit/s\" for bits")]
    BitOrByte { prefix: String },
    #[error("{text:?} cannot be used: {reason}")]
    OutOfRange { text: String, reason: OutOfRange },
}

/// An example of how this unit is written, for messages.
pub fn example(unit: Unit) -> &'static str {
    match unit {
        Unit::Flop => "16 GFLOP",
        Unit::Byte => "16 GB",
        Unit::FlopPerSecond => "990 TFLOP/s",
        Unit::BytePerSecond => "3.35 TB/s",
        Unit::FlopPerByte => "295.5 FLOP/B",
        Unit::Second => "4.78 ms",
        Unit::PerSecond => "209 /s",
        Unit::One => "4096",
    }
}

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
    if let Some(exponent) = rest.strip_prefix('^').filter(|_| unit == Unit::One) {
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

/// The value of a product such as `304 × 2048 × 2.1 GHz` or `5120 bit × 1.593 GHz × 2`, in the base unit of `unit`.
///
/// `None` where the text is no product. Factors are plain numbers, clocks, or amounts of the unit's own kind; their
/// units are not checked against each other, which is why the product is shown beside what it gave.
pub fn product(text: &str, unit: Unit) -> Option<Result<f64, ParseError>> {
    let factors: Vec<&str> = text.split(['×', '*']).collect();
    if factors.len() < 2 {
        return None;
    }
    let amount = match unit {
        Unit::BytePerSecond => Unit::Byte,
        Unit::FlopPerSecond => Unit::Flop,
        unit => unit,
    };
    let factor = |text: &str| {
        let known = [Unit::One, Unit::PerSecond, amount, unit];
        let found = known.into_iter().find_map(|kind| parse(text, kind).ok());
        found.map_or_else(|| parse(text, unit), Ok)
    };
    Some(factors.into_iter().map(factor).product())
}

/// `2^13`, for counts.
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

const PREFIXES: [(char, i32); 8] = [
    ('k', 3),
    ('M', 6),
    ('G', 9),
    ('T', 12),
    ('P', 15),
    ('E', 18),
    ('Z', 21),
    ('Y', 24),
];
const SMALL_PREFIXES: [(char, i32); 6] = [
    ('m', -3),
    ('µ', -6),
    ('μ', -6),
    ('u', -6),
    ('n', -9),
    ('p', -12),
];

fn scale(rest: &str, unit: Unit) -> Result<Scale, ParseError> {
    let wrong = || ParseError::WrongUnit {
        found: rest.to_owned(),
        expected: match unit {
            Unit::One => "a plain number, perhaps with k, M, G or T".to_owned(),
            _ => format!("{}, for example {:?}", unit.symbol(), example(unit)),
        },
    };
    if let Some(scale) = bare_unit(rest, unit) {
        return Ok(scale);
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
        Unit::FlopPerByte => 0,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_write_numbers_in_many_ways() {
        let rate = |text| parse(text, Unit::FlopPerSecond);
        for text in [
            "990e12",
            "990 TFLOP/s",
            "990T",
            "990 tflops",
            "0,99 PFLOP/s",
            "990000 GFLOP/s",
            "990,000,000,000,000",
            "990 000 GFLOP/s",
            "9.9e14 FLOP/s",
            " 990  TFLOP/s ",
        ] {
            assert_eq!(rate(text), Ok(990e12), "{text}");
        }
        assert_eq!(parse("3,35 TB/s", Unit::BytePerSecond), Ok(3.35e12));
        assert_eq!(
            parse("2000 GiB/s", Unit::BytePerSecond),
            Ok(2000.0 * 1073741824.0)
        );
        assert_eq!(parse("3200 Gbit/s", Unit::BytePerSecond), Ok(400e9));
        assert_eq!(parse("16 µs", Unit::Second), Ok(16e-6));
        assert_eq!(parse("16 us", Unit::Second), Ok(16e-6));
        assert_eq!(parse("2^13", Unit::One), Ok(8192.0));
        assert_eq!(parse("4k", Unit::One), Ok(4000.0));
        assert_eq!(parse("8B", Unit::One), Ok(8e9));
        assert_eq!(parse("1.234,5 GB", Unit::Byte), Ok(1234.5e9));
    }

    #[test]
    fn peaks_and_bandwidths_can_be_derived() {
        // Products of the AMD and NVIDIA documents: 304 CUs, 2048 FLOP/clock, 2.1 GHz; 5120 bit, 1.215 GHz, double rate.
        let peak = product("304 × 2048 × 2.1 GHz", Unit::FlopPerSecond)
            .unwrap()
            .unwrap();
        assert!((peak / 1307.4e12 - 1.0).abs() < 1e-4, "{peak}");
        let bandwidth = product("5120 bit * 1215 MHz * 2", Unit::BytePerSecond)
            .unwrap()
            .unwrap();
        assert!((bandwidth / 1555.2e9 - 1.0).abs() < 1e-12, "{bandwidth}");
        assert_eq!(product("990 TFLOP/s", Unit::FlopPerSecond), None);
        assert!(product("304 × fast", Unit::FlopPerSecond).unwrap().is_err());
    }

    #[test]
    fn what_may_mean_two_things_is_asked() {
        let error = parse("1,234 TFLOP/s", Unit::FlopPerSecond).unwrap_err();
        assert_eq!(
            error.to_string(),
            "\"1,234 TFLOP/s\" may mean 1234 or 1.234: write one of these"
        );
        assert!(matches!(
            parse("900 Gb/s", Unit::BytePerSecond),
            Err(ParseError::BitOrByte { .. })
        ));
        assert_eq!(
            parse("5 mFLOP/s", Unit::FlopPerSecond),
            Err(ParseError::MilliForMega)
        );
        assert!(matches!(
            parse("3 TB/s", Unit::FlopPerSecond),
            Err(ParseError::WrongUnit { .. })
        ));
        for bad in [
            "",
            "fast",
            "1.2.3",
            "--3",
            "1,23,4",
            "3 parsecs",
            ".",
            "1e400",
        ] {
            assert!(parse(bad, Unit::FlopPerSecond).is_err(), "{bad}");
        }
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!(short(990e12, Unit::FlopPerSecond), "990 TFLOP/s");
        assert_eq!(short(3.35e12, Unit::BytePerSecond), "3.35 TB/s");
        assert_eq!(short(999.99e12, Unit::FlopPerSecond), "1 PFLOP/s");
        assert_eq!(short(0.004776119, Unit::Second), "4.776 ms");
        assert_eq!(short(295.522, Unit::FlopPerByte), "295.5 FLOP/B");
        assert_eq!(number(61875.0), "61,875");
        assert_eq!(number(60.4248), "60.42");
        assert_eq!(percent(0.0033838), "0.34 %");
        assert_eq!(percent(1.144), "114 %");
        assert_eq!(factor(2.0), "×2.00");
        assert_eq!(factor(64.0), "×64.0");
        assert_eq!(exact(3.35e12, Unit::BytePerSecond), "3.35 TB/s");
        assert_eq!(exact(8e9, Unit::One), "8 G");
        assert_eq!(exact(0.0, Unit::Byte), "0 B");
        assert_eq!(exact(-1.5e6, Unit::One), "-1.5 M");
    }
}
