//! A parameter over a range of values: a row each, and where the regime flips.
use super::gpu::Gpu;
use super::placement::{Assumptions, Placement, Regime};
use super::session::Workload;
use super::units::{self, Unit};
use super::workload::{Items, Kind, ParameterError};

/// Which parameter goes over which values.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    pub parameter: String,
    pub values: Vec<f64>,
}

/// The most values a sweep can have.
pub const MOST_VALUES: usize = 10_000;

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
    /// The sweep a kind starts with.
    pub fn default_for(kind: &Kind) -> Self {
        let (parameter, values) = kind.family().default_sweep();
        Self {
            parameter: parameter.to_owned(),
            values,
        }
    }

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

/// One value of a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub value: f64,
    pub outcome: Result<RowOutcome, String>,
}

/// What a value leads to.
#[derive(Debug, Clone, PartialEq)]
pub struct RowOutcome {
    pub placement: Placement,
    pub items: Items,
}

impl RowOutcome {
    /// Items per second, of all users together.
    pub fn items_per_second(&self) -> Option<f64> {
        let time = self.placement.time().get();
        (time > 0.0).then(|| self.items.per_execution / time)
    }

    /// Items per second that each user sees.
    pub fn items_per_second_per_user(&self) -> Option<f64> {
        Some(self.items_per_second()? / self.items.users)
    }
}

/// A sweep, computed.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepResult {
    pub parameter: String,
    pub unit: Unit,
    pub rows: Vec<Row>,
    /// The first real value, from the first of the list upward, at which the regime flips.
    pub crossover: Option<f64>,
    /// The first whole value of the new regime.
    pub first_whole: Option<f64>,
}

/// Places `workload` on `gpu` for every value of the sweep.
pub fn run(
    sweep: &Sweep,
    workload: &Workload,
    gpu: &Gpu,
    assumptions: Assumptions,
) -> Result<SweepResult, ParameterError> {
    let unit = parameter_unit(&workload.kind, &sweep.parameter)?;
    let rows = sweep.values.iter().map(|value| Row {
        value: *value,
        outcome: row(sweep, workload, gpu, assumptions, *value),
    });
    let rows: Vec<_> = rows.collect();
    let regime = |value| {
        let kind = workload.kind.with_unrounded(&sweep.parameter, value).ok()?;
        let at_value = Workload {
            kind,
            ..workload.clone()
        };
        Some(at_value.place_on(gpu, assumptions).ok()?.regime())
    };
    let crossover = first_flip(&sweep.values, regime);
    let first_whole = crossover.map(|value| {
        let whole = value.ceil();
        // Exactly on the flip the old regime may still hold.
        if regime(whole) == regime(value * (1.0 + 1e-9)) {
            whole
        } else {
            whole + 1.0
        }
    });
    Ok(SweepResult {
        parameter: sweep.parameter.clone(),
        unit,
        rows,
        crossover,
        first_whole,
    })
}

/// The unit of a kind's numeric parameter.
pub fn parameter_unit(kind: &Kind, name: &str) -> Result<Unit, ParameterError> {
    let mut copy = kind.clone();
    let unit = copy
        .family_mut()
        .parameters()
        .into_iter()
        .find(|parameter| parameter.name == name)
        .and_then(|parameter| match parameter.slot {
            super::workload::Slot::Number(slot) => Some(slot.unit()),
            _ => None,
        });
    unit.ok_or_else(|| ParameterError::Unknown {
        name: name.to_owned(),
        kind: kind.title(),
        known: kind.known_parameters(),
    })
}

fn row(
    sweep: &Sweep,
    workload: &Workload,
    gpu: &Gpu,
    assumptions: Assumptions,
    value: f64,
) -> Result<RowOutcome, String> {
    let kind = workload.kind.with(&sweep.parameter, value);
    let kind = kind.map_err(|error| error.to_string())?;
    let items = kind.family().items();
    let at_value = Workload {
        kind,
        ..workload.clone()
    };
    let placement = at_value.place_on(gpu, assumptions);
    Ok(RowOutcome {
        placement: placement.map_err(|error| error.to_string())?,
        items,
    })
}

/// The smallest value from the smallest of `values` upward at which `regime` changes, to the last bit or so.
///
/// Looks on past the last value (to 1e6 times the largest), so that a short list still tells where the flip is.
fn first_flip(values: &[f64], regime: impl Fn(f64) -> Option<Regime>) -> Option<f64> {
    const STEPS_PER_DECADE: i32 = 16;
    let positive = values.iter().copied().filter(|v| *v > 0.0);
    let start = positive.clone().fold(f64::INFINITY, f64::min);
    let end = positive.fold(0.0, f64::max) * 1e6;
    if !start.is_finite() {
        return None;
    }
    let first = regime(start)?;
    let mut below = start;
    for step in 1.. {
        let above = start * 10f64.powf(f64::from(step) / f64::from(STEPS_PER_DECADE));
        if above > end {
            return None;
        }
        if regime(above)? != first {
            return Some(bisect(below, above, |value| regime(value) == Some(first)));
        }
        below = above;
    }
    None
}

/// The smallest value at which `holds` no longer does, given that it holds at `low` and not at `high`.
fn bisect(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..200 {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// The parameter's value for reading, in its unit.
pub fn value_text(value: f64, unit: Unit) -> String {
    match unit {
        Unit::One => units::count(value),
        // Four digits are not enough for a number that may be whole, and enough for one that has many.
        Unit::Ratio => match units::exact(value, unit) {
            exact if exact.len() <= 9 => exact,
            _ => units::short(value, unit),
        },
        unit => units::short(value, unit),
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
    }
}
