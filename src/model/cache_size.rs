//! The size of a cache, written as people write it: in binary units where it comes out whole (`50 MiB`).
use super::out_of_range::OutOfRange;
use super::quantity::{Bytes, Quantity, TextOrNumber};
use super::units::{self, Unit};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The size of a cache, in bytes; never zero.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct CacheSize(f64);

impl CacheSize {
    /// The size in bytes.
    pub fn get(self) -> f64 {
        self.0
    }

    /// As binary text, where that is whole and the decimal one is not: `256 KiB`.
    fn binary(self) -> Option<String> {
        let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
        let whole = units.into_iter().find_map(|(power, name)| {
            let count = self.0 / 2f64.powi(power);
            (count >= 1.0 && count.fract() == 0.0).then(|| format!("{count} {name}"))
        });
        whole.filter(|_| self.0 % 1e6 != 0.0)
    }
}

impl TryFrom<f64> for CacheSize {
    type Error = OutOfRange;
    fn try_from(value: f64) -> Result<Self, OutOfRange> {
        let bytes = Bytes::try_from(value)?.get();
        if bytes == 0.0 {
            return Err(OutOfRange::Zero);
        }
        Ok(Self(bytes))
    }
}

impl Quantity for CacheSize {
    const UNIT: Unit = Unit::Byte;
    fn get(self) -> f64 {
        self.0
    }
    fn exact(self) -> String {
        self.binary()
            .unwrap_or_else(|| units::exact(self.0, Self::UNIT))
    }
}

impl fmt::Display for CacheSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.binary() {
            Some(text) => f.write_str(&text),
            None => f.write_str(&units::short(self.0, Self::UNIT)),
        }
    }
}

impl Serialize for CacheSize {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.exact())
    }
}

impl<'de> Deserialize<'de> for CacheSize {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextOrNumber(std::marker::PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_as_they_are_quoted() {
        let text = |bytes: f64| CacheSize::try_from(bytes).unwrap().to_string();
        assert_eq!(text(52_428_800.0), "50 MiB");
        assert_eq!(text(262_144.0), "256 KiB");
        assert_eq!(text(126e6), "126 MB");
        assert_eq!(text(1_500.0), "1.5 kB");
        assert!(CacheSize::try_from(0.0).is_err());
        for bytes in [52_428_800.0, 126e6, 1_500.0, 427_819_008.0, 1.0] {
            let size = CacheSize::try_from(bytes).unwrap();
            assert_eq!(CacheSize::parse(&size.exact()), Ok(size));
        }
    }
}
