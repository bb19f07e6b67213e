//! "3.35 TB/s" to a number and back, exactly: decimal text is shifted, never multiplied.
mod parse;
mod print;

pub use parse::{is_product, parse, product, thousands};
pub use print::{count, exact, factor, number, percent, short};

use crate::model::out_of_range::OutOfRange;

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
    Hertz,
    One,
    /// A share, a probability, a price: a number that need not be whole, and is written without a prefix.
    Ratio,
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
            Self::Hertz => "Hz",
            Self::One | Self::Ratio => "",
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
            Self::PerSecond => &["/s", "1/s", "items/s", "tokens/s", "token/s", "tok/s"],
            Self::Hertz => &["hz", "/s", "1/s"],
            Self::One | Self::Ratio => &[],
        }
    }

    /// Whether prefixes below one make sense (a millisecond does, a millibyte does not).
    fn goes_below_one(self) -> bool {
        matches!(self, Self::Second)
    }

    /// Whether it is a number of nothing in particular, which may be written as a power.
    fn is_plain(self) -> bool {
        matches!(self, Self::One | Self::Ratio)
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
        Unit::Hertz => "1.98 GHz",
        Unit::One => "4096",
        Unit::Ratio => "0.8",
    }
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
        assert_eq!(parse("2^13", Unit::Ratio), Ok(8192.0));
        let note = "8k is 8,000; 8Ki is 8,192";
        assert_eq!(thousands("8k").as_deref(), Some(note));
        assert_eq!(thousands("8Ki"), None);
        assert_eq!(parse("8k", Unit::One), Ok(8000.0));
        assert_eq!(parse("8Ki", Unit::One), Ok(8192.0));
        assert_eq!(parse("4k", Unit::Ratio), Ok(4000.0));
        assert_eq!(parse("12.5 %", Unit::Ratio), Ok(0.125));
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
        let l1 = product("132 × 128 B × 1.83 GHz", Unit::BytePerSecond);
        assert_eq!(l1, Some(Ok(132.0 * 128.0 * 1.83e9)));
        let links = product("7 × 64 GB/s", Unit::BytePerSecond);
        assert_eq!(links, Some(Ok(448e9)));
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
