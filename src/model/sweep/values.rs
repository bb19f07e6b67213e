//! The values of a sweep as text: lists and ranges.
use super::{MOST_VALUES, Sweep};
use crate::model::units::{self, Unit};

/// Why text is not a list of values.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ValuesError {
    #[error(transparent)]
    Number(#[from] units::ParseError),
    #[error("no value was written: write a list such as 1, 4, 16 or a range such as 1..1024 x4")]
    Empty,
    #[error(
        "a range grows by a factor above 1 (x4) or a step above 0 (+16), from a smaller to a larger value"
    )]
    Step,
    #[error("a sweep has at most {MOST_VALUES} values")]
    TooMany,
}

impl Sweep {
    /// Reads `1, 4, 16`, `1..1024 x4` (geometric), `0..100 +10` (linear) or `1..64` (doubling).
    ///
    /// Values may carry the unit of the parameter swept.
    pub fn parse_values(text: &str, unit: Unit) -> Result<Vec<f64>, ValuesError> {
        let mut values = Vec::new();
        for part in text
            .split([',', ';', '\n'])
            .map(str::trim)
            .filter(|p| !p.is_empty())
        {
            match part.split_once("..") {
                Some((from, to)) => range(from, to, unit, &mut values)?,
                None => values.push(units::parse(part, unit)?),
            }
            if values.len() > MOST_VALUES {
                return Err(ValuesError::TooMany);
            }
        }
        if values.is_empty() {
            return Err(ValuesError::Empty);
        }
        Ok(values)
    }

    /// The value at a part 0–1 of the way from the first to the last: in equal factors where both are positive,
    /// whole where counts are.
    pub fn value_at(&self, part: f64, unit: Unit) -> Option<f64> {
        let (first, last) = (*self.values.first()?, *self.values.last()?);
        let part = part.clamp(0.0, 1.0);
        let between = match first > 0.0 && last > 0.0 {
            true => first * (last / first).powf(part),
            false => first + (last - first) * part,
        };
        let between = if part == 1.0 { last } else { between };
        Some(if unit == Unit::One {
            between.round()
        } else {
            between
        })
    }

    /// The shortest text that reads back to the values: a range where they are one.
    pub fn short_text(&self, unit: Unit) -> String {
        let (Some(first), Some(last)) = (self.values.first(), self.values.last()) else {
            return String::new();
        };
        let number = |value: f64| units::exact(value, unit);
        if let Some(second) = self.values.get(1).filter(|_| self.values.len() > 3) {
            // Rounded: steps are typed with few digits, and reading it back tells whether it was right.
            let factor = (second / first * 1e6).round() / 1e6;
            let ends = format!("{}..{}", number(*first), number(*last));
            for text in [
                format!("{ends} x{factor}"),
                format!("{ends} +{}", number(second - first)),
            ] {
                if Self::parse_values(&text, unit).as_ref() == Ok(&self.values) {
                    return text;
                }
            }
        }
        self.values_text(unit)
    }

    /// The values as [`Sweep::parse_values`] reads them.
    pub fn values_text(&self, unit: Unit) -> String {
        let texts: Vec<_> = self.values.iter().map(|v| units::exact(*v, unit)).collect();
        texts.join(", ")
    }
}

fn range(from: &str, to: &str, unit: Unit, values: &mut Vec<f64>) -> Result<(), ValuesError> {
    let from = units::parse(from, unit)?;
    let (to, step) = match to.find(['x', '×', '*', '+']) {
        Some(at) => to.split_at(at),
        None => (to, "x2"),
    };
    let to = units::parse(to, unit)?;
    let mut chars = step.chars();
    let sign = chars.next();
    let step = units::parse(
        chars.as_str(),
        if sign == Some('+') { unit } else { Unit::One },
    )?;
    let grows = match sign {
        Some('+') => step > 0.0,
        _ => step > 1.0 && from > 0.0,
    };
    if !grows || to < from {
        return Err(ValuesError::Step);
    }
    let mut index = 0;
    loop {
        let value = match sign {
            Some('+') => from + step * f64::from(index),
            _ => from * step.powi(index),
        };
        // The last one may miss the end by rounding.
        if value > to * (1.0 + 1e-12) {
            return Ok(());
        }
        values.push(value);
        index += 1;
        if values.len() > MOST_VALUES {
            return Err(ValuesError::TooMany);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_ranges() {
        let values = |text| Sweep::parse_values(text, Unit::One);
        assert_eq!(values("1, 4, 16"), Ok(vec![1.0, 4.0, 16.0]));
        assert_eq!(values("1..64 x4"), Ok(vec![1.0, 4.0, 16.0, 64.0]));
        assert_eq!(values("1..8"), Ok(vec![1.0, 2.0, 4.0, 8.0]));
        assert_eq!(values("10..30 +10"), Ok(vec![10.0, 20.0, 30.0]));
        assert_eq!(values("1k, 2^11"), Ok(vec![1000.0, 2048.0]));
        assert_eq!(values("1..64 x1"), Err(ValuesError::Step));
        assert_eq!(values("0..64 x2"), Err(ValuesError::Step));
        assert_eq!(values(" "), Err(ValuesError::Empty));
        assert_eq!(values("1..1e9 +1"), Err(ValuesError::TooMany));
        for text in ["1..1024 x4", "16..400 +16", "1, 2, 4", "1, 5, 7, 9", "3"] {
            let parameter = String::new();
            let values = values(text).unwrap();
            let sweep = Sweep { parameter, values };
            assert_eq!(sweep.short_text(Unit::One), text);
        }
    }
}
