//! The units people write in headers and mappings: `ms`, `MiB`, `GFLOP/s`, `32 B`, `transactions`, `989 TFLOP/s`.

/// What a unit measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimension {
    Time,
    Work,
    Traffic,
    WorkRate,
    TrafficRate,
    Intensity,
}

/// A unit: what it measures, and how many s, FLOP, B, FLOP/s, B/s or FLOP/B one of it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unit {
    pub dimension: Dimension,
    pub factor: f64,
}

impl Unit {
    /// The unit text is, perhaps with a number before it; `None` where it is none.
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let end = text
            .find(|c: char| !(c.is_ascii_digit() || c == '.'))
            .unwrap_or(text.len());
        let (number, unit) = text.split_at(end);
        let number = match number {
            "" => 1.0,
            number => number
                .parse::<f64>()
                .ok()
                .filter(|n| *n > 0.0 && n.is_finite())?,
        };
        let (dimension, factor) = named(unit.trim())?;
        Some(Self {
            dimension,
            factor: number * factor,
        })
    }
}

fn named(unit: &str) -> Option<(Dimension, f64)> {
    let lower = unit.to_lowercase().replace(['µ', 'μ'], "u");
    let time = match lower.as_str() {
        "s" | "sec" | "secs" | "second" | "seconds" => Some(1.0),
        "ms" | "msec" | "millisecond" | "milliseconds" => Some(1e-3),
        "us" | "usec" | "microsecond" | "microseconds" => Some(1e-6),
        "ns" | "nsec" | "nanosecond" | "nanoseconds" => Some(1e-9),
        "min" | "minutes" => Some(60.0),
        _ => None,
    };
    if let Some(factor) = time {
        return Some((Dimension::Time, factor));
    }
    if matches!(
        lower.as_str(),
        "sector" | "sectors" | "transaction" | "transactions"
    ) {
        return Some((Dimension::Traffic, 32.0));
    }
    if let Some((above, below)) = lower.split_once('/') {
        if matches!(below, "s" | "sec" | "second") {
            let work = work(above).map(|factor| (Dimension::WorkRate, factor));
            return work.or_else(|| Some((Dimension::TrafficRate, bytes(above)?)));
        }
        let is_byte = matches!(below, "b" | "byte");
        return (is_byte && work(above) == Some(1.0)).then_some((Dimension::Intensity, 1.0));
    }
    // A plural with a prefix is a rate to most people, without one a count: GFLOPS, but flops.
    if let Some(prefix) = lower
        .strip_suffix("flops")
        .or_else(|| lower.strip_suffix("iops"))
    {
        let factor = prefixed(prefix)?;
        let dimension = if prefix.is_empty() {
            Dimension::Work
        } else {
            Dimension::WorkRate
        };
        return Some((dimension, factor));
    }
    if let Some(prefix) = lower.strip_suffix("bps") {
        return Some((Dimension::TrafficRate, prefixed(prefix)?));
    }
    let work = work(&lower).map(|factor| (Dimension::Work, factor));
    work.or_else(|| Some((Dimension::Traffic, bytes(&lower)?)))
}

/// Operations: `GFLOP`, `flops`, `MMACs`, which are two each.
fn work(text: &str) -> Option<f64> {
    let endings = [
        ("flops", 1.0),
        ("flop", 1.0),
        ("fl", 1.0),
        ("iops", 1.0),
        ("iop", 1.0),
        ("ops", 1.0),
        ("macs", 2.0),
        ("mac", 2.0),
    ];
    endings
        .into_iter()
        .find_map(|(ending, each)| Some(prefixed(text.strip_suffix(ending)?)? * each))
}

fn bytes(text: &str) -> Option<f64> {
    let binary = [("ki", 10), ("mi", 20), ("gi", 30), ("ti", 40)];
    ["bytes", "byte", "b"].into_iter().find_map(|ending| {
        let prefix = text.strip_suffix(ending)?;
        let power = binary.iter().find(|(name, _)| *name == prefix);
        power
            .map(|(_, power)| 2_f64.powi(*power))
            .or_else(|| prefixed(prefix))
    })
}

fn prefixed(prefix: &str) -> Option<f64> {
    Some(match prefix {
        "" => 1.0,
        "k" => 1e3,
        "m" => 1e6,
        "g" => 1e9,
        "t" => 1e12,
        "p" => 1e15,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_read_as_people_write_them() {
        use Dimension::*;
        let cases = [
            ("ms", Time, 1e-3),
            ("µs", Time, 1e-6),
            ("MiB", Traffic, 1_048_576.0),
            ("MB", Traffic, 1e6),
            ("MBytes/s", TrafficRate, 1e6),
            ("GB/sec", TrafficRate, 1e9),
            ("gbps", TrafficRate, 1e9),
            ("transactions", Traffic, 32.0),
            ("64 B", Traffic, 64.0),
            ("flops", Work, 1.0),
            ("MFLOP", Work, 1e6),
            ("GMACs", Work, 2e9),
            ("GFLOPS", WorkRate, 1e9),
            ("MFLOP/s", WorkRate, 1e6),
            ("989 TFLOP/s", WorkRate, 989e12),
            ("241.8 FLOP/B", Intensity, 241.8),
            ("Flops/byte", Intensity, 1.0),
        ];
        for (text, dimension, factor) in cases {
            assert_eq!(Unit::read(text), Some(Unit { dimension, factor }), "{text}");
        }
        for text in ["", "%", "W", "°C", "cycles", "0 B"] {
            assert_eq!(Unit::read(text), None, "{text}");
        }
    }
}
