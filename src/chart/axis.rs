//! Log axes: where ticks stand and what they are called. Positions are powers of ten.
use crate::model::units;

/// A tick on an axis in log10 space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tick {
    pub at: f64,
    /// Distance to its neighbours of the same rank, in decades.
    pub step: f64,
}

/// How the numbers of an axis are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Words {
    /// 0.01 … 10,000, as for intensity.
    Plain,
    /// 100 G, 1 T, as for rates.
    Engineering,
}

/// The most decades that are all named.
const MOST_DECADES: f64 = 24.0;

/// Ticks between two powers of ten: decades and their 2…9, or round numbers when zoomed in further.
pub fn ticks(low: f64, high: f64) -> Vec<Tick> {
    let span = high - low;
    if !(span.is_finite() && span > 0.0 && span < 700.0) {
        return Vec::new();
    }
    if span < 0.7 {
        return round_ticks(low, high);
    }
    let every = [1, 2, 3, 5, 10, 20, 50]
        .into_iter()
        .find(|every| span / f64::from(*every) <= MOST_DECADES)
        .unwrap_or(100);
    let mut ticks = Vec::new();
    for decade in low.floor() as i32..=high.ceil() as i32 {
        if decade.rem_euclid(every) == 0 {
            ticks.push(Tick {
                at: f64::from(decade),
                step: f64::from(every),
            });
        }
        if every > 1 {
            continue;
        }
        for digit in 2..10_u32 {
            ticks.push(Tick {
                at: f64::from(decade) + f64::from(digit).log10(),
                step: (f64::from(digit + 1) / f64::from(digit)).log10(),
            });
        }
    }
    ticks.retain(|tick| (low..=high).contains(&tick.at));
    ticks
}

/// Round numbers, evenly spaced on a linear scale, for less than a decade.
fn round_ticks(low: f64, high: f64) -> Vec<Tick> {
    let (from, to) = (10f64.powf(low), 10f64.powf(high));
    let rough = (to - from) / 6.0;
    let magnitude = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|nice| nice * magnitude)
        .find(|step| *step >= rough)
        .unwrap_or(rough);
    let first = (from / step).ceil();
    (0..20)
        .map(|i| (first + f64::from(i)) * step)
        .take_while(|value| *value <= to * (1.0 + 1e-12))
        .map(|value| Tick {
            at: value.log10(),
            step: ((value + step) / value).log10(),
        })
        .collect()
}

/// The name of the tick at 10^`at` on an axis that shows `span` decades; empty for minor ones.
pub fn name(at: f64, span: f64, words: Words) -> String {
    let decade = at.round();
    let is_decade = (at - decade).abs() < 1e-9;
    if !is_decade {
        let digit = 10f64.powf(at - at.floor()).round();
        let few = span < 0.7 || (span < 2.2 && (digit == 2.0 || digit == 5.0));
        if !few {
            return String::new();
        }
    }
    let value = if is_decade {
        // Exactly 10^n, which powf is not everywhere.
        format!("1e{decade}").parse().unwrap_or(f64::INFINITY)
    } else {
        10f64.powf(at)
    };
    match words {
        Words::Plain if (1e-4..1e6).contains(&value) => units::number(value),
        _ if value < 1.0 => format!("{value:e}"),
        _ if value >= 1e27 => format!("{value:e}"),
        _ => {
            let text = units::short(value, units::Unit::Flop);
            text.trim_end_matches("FLOP").trim_end().to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decades_are_named_as_engineers_name_them() {
        assert_eq!(name(14.0, 6.0, Words::Engineering), "100 T");
        assert_eq!(name(15.0, 6.0, Words::Engineering), "1 P");
        assert_eq!(name(-1.0, 6.0, Words::Plain), "0.1");
        assert_eq!(name(4.0, 6.0, Words::Plain), "10,000");
        assert_eq!(name(14.3, 6.0, Words::Engineering), "");
    }

    #[test]
    fn the_number_of_ticks_is_bounded_at_any_zoom() {
        for (low, high) in [(-2.0, 5.0), (0.0, 0.01), (-60.0, 60.0), (14.9999, 15.0001)] {
            let ticks = ticks(low, high);
            assert!(
                (2..400).contains(&ticks.len()),
                "{low}..{high}: {}",
                ticks.len()
            );
        }
        assert!(ticks(1.0, 1.0).is_empty());
        assert!(ticks(f64::NAN, 1.0).is_empty());
    }
}
