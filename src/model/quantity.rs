//! Physical quantities: finite by construction, in SI base units, with the laws between them.
pub use super::out_of_range::OutOfRange;
use super::units;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;

/// The largest magnitude a quantity can have; its inverse is the smallest that is not zero.
///
/// A product or quotient of two such numbers is still finite, so the laws below cannot overflow.
pub const MAGNITUDE_LIMIT: f64 = 1e60;

fn admit(value: f64, zero_allowed: bool) -> Result<f64, OutOfRange> {
    if !value.is_finite() {
        Err(OutOfRange::NotFinite(value))
    } else if value < 0.0 {
        Err(OutOfRange::Negative(value))
    } else if value == 0.0 {
        // Also turns -0.0 into 0.0, so that equal values print equally.
        if zero_allowed {
            Ok(0.0)
        } else {
            Err(OutOfRange::Zero)
        }
    } else if value > MAGNITUDE_LIMIT {
        Err(OutOfRange::TooLarge(value))
    } else if value < MAGNITUDE_LIMIT.recip() {
        Err(OutOfRange::TooSmall(value))
    } else {
        Ok(value)
    }
}

/// What every quantity can do, for fields and files that handle any of them.
pub trait Quantity: Copy + PartialEq + TryFrom<f64, Error = OutOfRange> {
    /// The unit the value is in, for example `FLOP/s`.
    const UNIT: units::Unit;

    /// The value in the base unit.
    fn get(self) -> f64;

    /// Reads text such as `3.35 TB/s`; a bare number is in the base unit.
    fn parse(text: &str) -> Result<Self, units::ParseError> {
        let value = units::parse(text, Self::UNIT)?;
        Self::try_from(value).map_err(|reason| units::ParseError::OutOfRange {
            text: text.trim().to_owned(),
            reason,
        })
    }

    /// As `try_from`, but a count need not be whole: for solving where a regime flips.
    fn unrounded(value: f64) -> Result<Self, OutOfRange> {
        Self::try_from(value)
    }

    /// Text that [`Quantity::parse`] reads back to exactly this value.
    fn exact(self) -> String {
        units::exact(self.get(), Self::UNIT)
    }
}

macro_rules! quantity {
    ($(#[$doc:meta])* $name:ident, $unit:ident, zero: $zero:literal $(, most: $most:literal)?) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
        pub struct $name(f64);

        impl Quantity for $name {
            const UNIT: units::Unit = units::Unit::$unit;
            fn get(self) -> f64 {
                self.0
            }
        }

        impl $name {
            /// The value in the base unit.
            pub fn get(self) -> f64 {
                self.0
            }

            /// A value known when the program is written.
            pub const fn constant(value: f64) -> Self {
                assert!(value.is_finite() && value > 0.0, "a constant is positive");
                Self(value)
            }
        }

        impl TryFrom<f64> for $name {
            type Error = OutOfRange;
            fn try_from(value: f64) -> Result<Self, OutOfRange> {
                let value = admit(value, $zero)?;
                $(if value > $most {
                    return Err(OutOfRange::AboveMost(value, $most));
                })?
                Ok(Self(value))
            }
        }

        /// Three or four significant digits with prefix and unit, for reading.
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&units::short(self.0, Self::UNIT))
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.exact())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_any(TextOrNumber(std::marker::PhantomData))
            }
        }
    };
}

/// Reads a quantity written as text with a unit, or as a bare number in the base unit.
pub(super) struct TextOrNumber<Q>(pub(super) std::marker::PhantomData<Q>);

impl<Q: Quantity> de::Visitor<'_> for TextOrNumber<Q> {
    type Value = Q;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a quantity such as {:?}", units::example(Q::UNIT))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Q, E> {
        let value = Q::parse(text).map_err(E::custom)?;
        // People type a decimal comma; files are read by other programs too.
        let grouped = Q::parse(&text.replace(',', ""));
        if text.contains(',') && grouped != Ok(value) {
            let exact = value.exact();
            return Err(E::custom(format!(
                "{text:?} has a decimal comma, and files have a decimal point: write {exact:?}"
            )));
        }
        Ok(value)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Q, E> {
        Q::try_from(value).map_err(E::custom)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Q, E> {
        self.visit_f64(value as f64)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Q, E> {
        self.visit_f64(value as f64)
    }
}

quantity!(
    /// Work: operations performed; one fused multiply-add is two. May be zero.
    Flops, Flop, zero: true);
quantity!(
    /// Traffic: bytes moved through one memory level. May be zero.
    Bytes, Byte, zero: true);
quantity!(
    /// A rate of work, in FLOP/s; never zero.
    FlopRate, FlopPerSecond, zero: false);
quantity!(
    /// A rate of traffic, in B/s; never zero.
    ByteRate, BytePerSecond, zero: false);
quantity!(
    /// Arithmetic intensity: work ÷ traffic, in FLOP/B. Zero for zero work.
    Intensity, FlopPerByte, zero: true);
quantity!(
    /// A duration, in seconds. May be zero.
    Seconds, Second, zero: true);
quantity!(
    /// A rate of items (executions, tokens), in 1/s; never zero.
    ItemRate, PerSecond, zero: false);
quantity!(
    /// A clock, in Hz; never zero.
    Hertz, Hertz, zero: false);

quantity!(
    /// A plain number that need not be whole: a price, a skew, watts. May be zero.
    Ratio, Ratio, zero: true);

quantity!(
    /// A part of a whole, or a probability: 0 to 1.
    Share, Ratio, zero: true, most: 1.0);

/// A whole, positive number of things: parameters, rows, sequences.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Count(f64);

impl Quantity for Count {
    const UNIT: units::Unit = units::Unit::One;
    fn get(self) -> f64 {
        self.0
    }
    fn unrounded(value: f64) -> Result<Self, OutOfRange> {
        admit(value, false).map(Self)
    }
}

impl Count {
    /// The number one.
    pub const ONE: Self = Self(1.0);

    /// The number itself.
    pub fn get(self) -> f64 {
        self.0
    }

    /// A value known when the program is written.
    pub const fn constant(value: f64) -> Self {
        assert!(value > 0.0 && value.is_finite(), "a count is positive");
        Self(value)
    }
}

impl TryFrom<f64> for Count {
    type Error = OutOfRange;
    fn try_from(value: f64) -> Result<Self, OutOfRange> {
        let value = admit(value, false)?;
        if value.fract() == 0.0 {
            Ok(Self(value))
        } else {
            Err(OutOfRange::NotWhole(value))
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&units::count(self.0))
    }
}

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Small counts read best bare (`batch: 64`), large ones with a prefix (`parameters: "8 G"`).
        if self.0 < 1e6 && self.0.fract() == 0.0 {
            serializer.serialize_u64(self.0 as u64)
        } else {
            serializer.serialize_str(&self.exact())
        }
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextOrNumber(std::marker::PhantomData))
    }
}

impl Flops {
    /// No work at all, as of a copy.
    pub const ZERO: Self = Self(0.0);

    /// Work ÷ traffic; `None` where nothing is moved.
    pub fn per(self, traffic: Bytes) -> Option<Intensity> {
        (traffic.0 > 0.0).then(|| Intensity(self.0 / traffic.0))
    }

    /// Work ÷ time; `None` where either is zero, since a rate is not.
    pub fn over(self, time: Seconds) -> Option<FlopRate> {
        (time.0 > 0.0 && self.0 > 0.0).then(|| FlopRate(self.0 / time.0))
    }
}

impl Bytes {
    /// No traffic at all.
    pub const ZERO: Self = Self(0.0);

    /// Traffic ÷ time; `None` where either is zero, since a rate is not.
    pub fn over(self, time: Seconds) -> Option<ByteRate> {
        (time.0 > 0.0 && self.0 > 0.0).then(|| ByteRate(self.0 / time.0))
    }
}

impl Seconds {
    /// No time at all.
    pub const ZERO: Self = Self(0.0);
}

impl Intensity {
    /// One operation per byte.
    pub const ONE: Self = Self(1.0);
}

/// The physics the compiler checks: `$a / $b = $c`, so `$c * $b = $a`.
macro_rules! law {
    ($a:ident / $b:ident = $c:ident) => {
        impl std::ops::Div<$b> for $a {
            type Output = $c;
            fn div(self, rhs: $b) -> $c {
                $c(self.0 / rhs.0)
            }
        }
        impl std::ops::Mul<$b> for $c {
            type Output = $a;
            fn mul(self, rhs: $b) -> $a {
                $a(self.0 * rhs.0)
            }
        }
    };
}
// Only divisions by rates, which are never zero, are total; the others return an Option (above).
law!(Flops / FlopRate = Seconds);
law!(Bytes / ByteRate = Seconds);

/// Compute roof ÷ memory roof: the ridge point. Not the other way round, since an intensity may be zero and a rate not.
impl std::ops::Div<ByteRate> for FlopRate {
    type Output = Intensity;
    fn div(self, rhs: ByteRate) -> Intensity {
        Intensity(self.0 / rhs.0)
    }
}

macro_rules! additive {
    ($($name:ident),*) => {$(
        impl std::ops::Add for $name {
            type Output = $name;
            fn add(self, rhs: $name) -> $name {
                $name(self.0 + rhs.0)
            }
        }
        impl std::iter::Sum for $name {
            fn sum<I: Iterator<Item = $name>>(iter: I) -> $name {
                iter.fold($name(0.0), |a, b| a + b)
            }
        }
    )*};
}
additive!(Flops, Bytes, Seconds);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doors_refuse_what_is_not_a_quantity() {
        for bad in [f64::NAN, f64::INFINITY, -1.0, 1e61, 1e-61] {
            assert!(Flops::try_from(bad).is_err(), "{bad}");
        }
        assert!(Flops::try_from(0.0).is_ok());
        assert!(FlopRate::try_from(0.0).is_err());
        assert!(Count::try_from(1.5).is_err());
    }

    #[test]
    fn dividing_by_what_may_be_zero_is_an_option() {
        let work = Flops::try_from(2.0).unwrap();
        assert_eq!(work.per(Bytes::ZERO), None);
        assert_eq!(work.over(Seconds::ZERO), None);
        assert_eq!(
            Flops::ZERO
                .per(Bytes::try_from(4.0).unwrap())
                .unwrap()
                .get(),
            0.0
        );
    }
}
