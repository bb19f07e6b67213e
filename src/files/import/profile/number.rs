//! Numbers as profilers print them in any locale: which mark is the decimal one is decided per file, from evidence.

/// What separates the decimals; the other mark separates thousands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decimal {
    #[default]
    Point,
    Comma,
}

impl Decimal {
    fn mark(self) -> u8 {
        match self {
            Self::Point => b'.',
            Self::Comma => b',',
        }
    }

    /// How numbers are written, as a sentence ends: `1,234.5`.
    pub fn example(self) -> &'static str {
        match self {
            Self::Point => "1,234.5",
            Self::Comma => "1.234,5",
        }
    }
}

/// Why text is no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrong {
    NoNumber,
    /// It is one, with the other decimal mark.
    OtherDecimal,
}

/// What stands for a missing value.
const MISSING: [&str; 12] = [
    "", "-", "--", "n/a", "na", "nan", "-nan", "inf", "-inf", "infinity", "none", "null",
];

/// The number text is, `None` where it says that there is none.
pub fn parse(text: &[u8], decimal: Decimal) -> Result<Option<f64>, Wrong> {
    let text = text.trim_ascii();
    match plain(text, decimal) {
        Some(result) => result.map(Some),
        None => rare(text, decimal),
    }
}

/// Digits with separators, which nearly all numbers are; `None` for anything else.
#[inline]
fn plain(text: &[u8], decimal: Decimal) -> Option<Result<f64, Wrong>> {
    let (group, point) = match decimal {
        Decimal::Point => (b',', b'.'),
        Decimal::Comma => (b'.', b','),
    };
    // Beyond 2^53 a sum of digits is not exact any more.
    if text.is_empty() || text.len() > 20 {
        return None;
    }
    let mut mantissa = 0_u64;
    let (mut digits, mut since, mut groups, mut decimals) = (0, 0, 0, None);
    for byte in text {
        match *byte {
            digit @ b'0'..=b'9' => {
                mantissa = mantissa
                    .wrapping_mul(10)
                    .wrapping_add(u64::from(digit - b'0'));
                digits += 1;
                since += 1;
            }
            mark if mark == group => {
                let fits = if groups == 0 {
                    (1..=3).contains(&since)
                } else {
                    since == 3
                };
                if !fits || decimals.is_some() {
                    return Some(Err(Wrong::OtherDecimal));
                }
                groups += 1;
                since = 0;
            }
            mark if mark == point => {
                if decimals.is_some() || (groups > 0 && since != 3) {
                    return Some(Err(Wrong::OtherDecimal));
                }
                decimals = Some(digits);
            }
            _ => return None,
        }
    }
    if decimals.is_none() && groups > 0 && since != 3 {
        return Some(Err(Wrong::OtherDecimal));
    }
    if digits == 0 || digits > 15 {
        return None;
    }
    let power = decimals.map_or(0, |before| digits - before);
    // Both are exact, so the quotient is rounded once, as by any right parser.
    Some(Ok(mantissa as f64 / TENS[power]))
}

const TENS: [f64; 16] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
];

/// Signs, exponents, blanks between thousands, many digits, and words for nothing.
fn rare(text: &[u8], decimal: Decimal) -> Result<Option<f64>, Wrong> {
    let text = str::from_utf8(text).map_err(|_| Wrong::NoNumber)?;
    if text.len() > 400 {
        return Err(Wrong::NoNumber);
    }
    let lower = text.to_ascii_lowercase();
    let lower = lower.strip_prefix("(!)").unwrap_or(&lower).trim();
    if MISSING.contains(&lower) {
        return Ok(None);
    }
    let inner = |start: &str| {
        lower
            .strip_prefix(start)
            .and_then(|rest| rest.strip_suffix(')'))
    };
    // As Python prints numbers of its libraries.
    let lower = inner("np.float64(")
        .or_else(|| inner("np.float32("))
        .unwrap_or(lower);
    let (sign, digits) = match lower.strip_prefix(['-', '+']) {
        Some(digits) => (if lower.starts_with('-') { -1.0 } else { 1.0 }, digits),
        None => (1.0, lower),
    };
    let (number, exponent) = digits.split_once('e').unwrap_or((digits, "0"));
    let blank = |c: char| {
        matches!(
            c,
            ' ' | '\'' | '’' | '_' | '\u{a0}' | '\u{202f}' | '\u{2009}'
        )
    };
    let groups: Vec<&str> = number.split(blank).collect();
    let (last, firsts) = groups.split_last().expect("a split has a part");
    let in_threes = |group: &&str| group.len() <= 3 && group.bytes().all(|b| b.is_ascii_digit());
    let thousands = last.bytes().take_while(u8::is_ascii_digit).count();
    let grouped = thousands == 3 && firsts.iter().all(in_threes);
    if !firsts.is_empty() && !grouped {
        return Err(Wrong::NoNumber);
    }
    let number = checked(&groups.concat(), decimal)?;
    let exponent: i32 = exponent.parse().map_err(|_| Wrong::NoNumber)?;
    let value: f64 = format!("{number}e{exponent}")
        .parse()
        .map_err(|_| Wrong::NoNumber)?;
    Ok(value.is_finite().then_some(sign * value))
}

/// Digits with a decimal point, from digits with the marks of a locale.
fn checked(number: &str, decimal: Decimal) -> Result<String, Wrong> {
    let (group, point) = match decimal {
        Decimal::Point => (',', '.'),
        Decimal::Comma => ('.', ','),
    };
    let (whole, decimals) = number.split_once(point).unwrap_or((number, ""));
    let groups: Vec<&str> = whole.split(group).collect();
    let fits = |(index, group): (usize, &&str)| match index {
        0 => (1..=3).contains(&group.len()),
        _ => group.len() == 3,
    };
    if decimals.contains([group, point])
        || (groups.len() > 1 && !groups.iter().enumerate().all(fits))
    {
        return Err(Wrong::OtherDecimal);
    }
    let whole = groups.concat();
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.len() + decimals.len() == 0 || !digits(&whole) || !digits(decimals) {
        return Err(Wrong::NoNumber);
    }
    Ok(format!("0{whole}.{decimals}0"))
}

/// The mark in a number that has three digits behind its only one, so that it may separate thousands or decimals:
/// `1,234`, but not `0,123`. An exponent or a unit may follow.
pub fn doubtful_mark(text: &[u8]) -> Option<u8> {
    let text = unsigned(text);
    let at = text.iter().position(|byte| !byte.is_ascii_digit())?;
    let (before, after) = (&text[..at], &text[at + 1..]);
    let digits = after.iter().take_while(|byte| byte.is_ascii_digit());
    let in_threes = (1..=3).contains(&before.len()) && digits.count() == 3 && before[0] != b'0';
    let is_mark = |byte: &u8| matches!(byte, b',' | b'.');
    let is_only = !after.iter().any(is_mark);
    (is_mark(&text[at]) && in_threes && is_only).then_some(text[at])
}

fn unsigned(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii();
    let sign = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+"));
    sign.unwrap_or(text)
}

/// `"1,234" may be 1234 or 1.234`, of a number that may be either.
pub fn doubt(text: &[u8]) -> Option<String> {
    let [thousands, decimals] = readings(text)?;
    let text = str::from_utf8(text).ok()?.trim();
    Some(format!("{text:?} may be {thousands} or {decimals}"))
}

/// A number that may be either, with its mark between thousands and before decimals.
fn readings(text: &[u8]) -> Option<[String; 2]> {
    let mark = char::from(doubtful_mark(text)?);
    let text = str::from_utf8(text).ok()?.trim();
    Some(["", "."].map(|with| text.replace(mark, with)))
}

/// What a number that may be read in two ways is with this decimal mark.
pub fn reading(text: &str, decimal: Decimal) -> Option<String> {
    let is_decimal = doubtful_mark(text.as_bytes())? == decimal.mark();
    let [thousands, decimals] = readings(text.as_bytes())?;
    Some(if is_decimal { decimals } else { thousands })
}

/// What numbers of a file say of its decimal mark.
#[derive(Debug, Clone, Copy, Default)]
pub struct Evidence {
    point: u32,
    comma: u32,
    /// Numbers that may be either.
    doubtful: u32,
}

impl Evidence {
    /// Looks at a number; `whole` says that it cannot have decimals, as a count of bytes.
    pub fn observe(&mut self, text: &[u8], whole: bool) {
        let text = unsigned(text);
        let is_number = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b',');
        let number = text
            .split(|byte| matches!(byte, b'e' | b'E'))
            .next()
            .unwrap_or_default();
        if number.is_empty() || number.len() > 40 || !number.iter().all(is_number) {
            return;
        }
        let count = |mark| number.iter().filter(|byte| **byte == mark).count();
        let (commas, points) = (count(b','), count(b'.'));
        let last = number.iter().rposition(|byte| matches!(byte, b'.' | b','));
        let Some(last) = last else { return };
        let is_comma = number[last] == b',';
        let after = number.len() - last - 1;
        let in_threes = after == 3 && (1..=3).contains(&last) && number[0] != b'0';
        let is_decimal = match (commas, points) {
            (0, 1) | (1, 0) if in_threes && whole => false,
            // 1,234 may be either.
            (0, 1) | (1, 0) if in_threes => {
                self.doubtful += 1;
                return;
            }
            (0, 1) | (1, 0) => true,
            // Several of one kind separate thousands; of both kinds, the last is the decimal one.
            (0, _) | (_, 0) => false,
            _ => true,
        };
        match is_comma == is_decimal {
            true => self.comma += 1,
            false => self.point += 1,
        }
    }

    /// Whether there are numbers that may be read in two ways, and nothing says in which.
    pub fn is_doubtful(self) -> bool {
        self.decimal().is_none() && self.doubtful > 0
    }

    /// What they agree on; `None` where nothing says so, or they contradict each other.
    pub fn decimal(self) -> Option<Decimal> {
        match (self.point, self.comma) {
            (1.., 0) => Some(Decimal::Point),
            (0, 1..) => Some(Decimal::Comma),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Decimal::{Comma, Point};

    #[test]
    fn numbers_of_both_locales_are_read() {
        let cases: [(&str, Decimal, f64); 16] = [
            ("134,221,568", Point, 134_221_568.0),
            ("134.221.568", Comma, 134_221_568.0),
            ("33.26", Point, 33.26),
            ("33,26", Comma, 33.26),
            ("1,234.5", Point, 1234.5),
            ("1.234,5", Comma, 1234.5),
            ("768683274.02", Point, 768_683_274.02),
            ("1.10E+12", Point, 1.1e12),
            ("-3", Point, -3.0),
            ("1 234 567,5", Comma, 1_234_567.5),
            ("1\u{202f}234", Comma, 1234.0),
            ("1'234", Point, 1234.0),
            (".5", Point, 0.5),
            ("123456789012345678", Point, 123_456_789_012_345_678.0),
            ("np.float64(2.5)", Point, 2.5),
            ("0.1", Point, 0.1),
        ];
        for (text, decimal, value) in cases {
            assert_eq!(parse(text.as_bytes(), decimal), Ok(Some(value)), "{text}");
        }
        for text in ["", "n/a", "NaN", "inf", "-inf", "1e999"] {
            assert_eq!(parse(text.as_bytes(), Point), Ok(None), "{text}");
        }
    }

    #[test]
    fn what_is_of_the_other_locale_is_refused_and_never_misread() {
        for (text, decimal) in [
            ("3,35", Point),
            ("3.35", Comma),
            ("1.234,5", Point),
            ("1,2,3", Point),
        ] {
            assert_eq!(
                parse(text.as_bytes(), decimal),
                Err(Wrong::OtherDecimal),
                "{text}"
            );
        }
        for text in ["abc", "1 2", "1e", "0x10", "--1"] {
            assert_eq!(
                parse(text.as_bytes(), Point),
                Err(Wrong::NoNumber),
                "{text}"
            );
        }
    }

    #[test]
    fn a_number_of_two_readings_is_doubtful() {
        for text in [
            "1,234",
            "1.234",
            "12,345",
            "-1,234",
            "+1,234",
            " 999,000 ",
            "1,234e3",
            "1,234 ms",
        ] {
            assert!(doubtful_mark(text.as_bytes()).is_some(), "{text}");
        }
        for text in [
            "0,123",
            "1,23",
            "1,2345",
            "1234",
            "1,234,567",
            "1,234.5",
            "1,234.5 ms",
            "12,34e3",
            "",
            ",123",
            "a,123",
        ] {
            assert!(doubtful_mark(text.as_bytes()).is_none(), "{text}");
        }
        assert_eq!(reading("1,234", Point).as_deref(), Some("1234"));
        assert_eq!(reading("1,234", Comma).as_deref(), Some("1.234"));
        assert_eq!(
            doubt(b"1,234").as_deref(),
            Some("\"1,234\" may be 1234 or 1.234")
        );
    }

    #[test]
    fn evidence_is_what_can_be_read_in_one_way() {
        let decided = |texts: &[&str]| {
            let mut evidence = Evidence::default();
            texts
                .iter()
                .for_each(|text| evidence.observe(text.as_bytes(), false));
            evidence.decimal()
        };
        assert_eq!(decided(&["1,234", "17", "n/a", "1.234"]), None);
        assert_eq!(decided(&["1,234", "33.26"]), Some(Point));
        assert_eq!(decided(&["1.234", "33,26"]), Some(Comma));
        assert_eq!(decided(&["1.234.567"]), Some(Comma));
        assert_eq!(decided(&["0,123"]), Some(Comma));
        assert_eq!(decided(&["33,26", "33.26"]), None);
        let mut whole = Evidence::default();
        whole.observe(b"1.234", true);
        assert_eq!(whole.decimal(), Some(Comma));
    }
}
