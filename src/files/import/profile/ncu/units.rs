//! The units Nsight Compute prints, old and new: what a value is multiplied by to be in SI.

/// What a unit measures, once its prefix is taken off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    Second,
    Byte,
    BytePerSecond,
    Hertz,
    Percent,
    /// Sectors, instructions, cycles, or nothing at all.
    Count,
    CountPerSecond,
    CountPerCycle,
    Other,
}

/// What a unit measures, and its prefix as a factor: `Kbyte` is 1,000 bytes, `cycle/nsecond` a gigahertz.
pub fn read(unit: &str) -> (Measure, f64) {
    let (above, below) = unit.trim().split_once('/').unwrap_or((unit.trim(), ""));
    let (thing, many) = counted(above);
    let per = duration(below);
    match (thing, below, per) {
        (Thing::Byte, "", _) => (Measure::Byte, many),
        (Thing::Byte, _, Some(per)) => (Measure::BytePerSecond, many / per),
        (Thing::Hertz, "", _) => (Measure::Hertz, many),
        (Thing::Cycle, _, Some(per)) => (Measure::Hertz, many / per),
        (Thing::Percent, "", _) => (Measure::Percent, 1.0),
        (Thing::Count | Thing::Cycle, "", _) => match duration(above) {
            Some(seconds) => (Measure::Second, seconds),
            None => (Measure::Count, many),
        },
        (Thing::Count, "cycle", _) => (Measure::CountPerCycle, many),
        (Thing::Count, _, Some(per)) => (Measure::CountPerSecond, many / per),
        _ => match duration(above) {
            Some(seconds) if below.is_empty() => (Measure::Second, seconds),
            _ => (Measure::Other, 1.0),
        },
    }
}

#[derive(PartialEq, Eq)]
enum Thing {
    Byte,
    Hertz,
    Cycle,
    Percent,
    Count,
    Other,
}

fn counted(text: &str) -> (Thing, f64) {
    let lower = text.to_ascii_lowercase();
    let things = [
        ("byte", Thing::Byte),
        ("bytes", Thing::Byte),
        ("b", Thing::Byte),
        ("hz", Thing::Hertz),
        ("cycle", Thing::Cycle),
        ("%", Thing::Percent),
        ("sector", Thing::Count),
        ("inst", Thing::Count),
        ("request", Thing::Count),
        ("", Thing::Count),
    ];
    for (name, thing) in things {
        let Some(prefix) = lower.strip_suffix(name) else {
            continue;
        };
        let factor = match prefix {
            "" => 1.0,
            "k" => 1e3,
            "m" => 1e6,
            "g" => 1e9,
            "t" => 1e12,
            "p" => 1e15,
            _ => continue,
        };
        // A lone letter is no prefix of nothing.
        if !prefix.is_empty() && name.is_empty() {
            continue;
        }
        return (thing, factor);
    }
    (Thing::Other, 1.0)
}

/// A unit of time in s.
fn duration(text: &str) -> Option<f64> {
    Some(match text {
        "s" | "second" | "sec" => 1.0,
        "ms" | "msecond" => 1e-3,
        "us" | "µs" | "μs" | "usecond" => 1e-6,
        "ns" | "nsecond" => 1e-9,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_and_new_units_are_the_same() {
        let cases = [
            ("ns", Measure::Second, 1e-9),
            ("nsecond", Measure::Second, 1e-9),
            ("usecond", Measure::Second, 1e-6),
            ("byte", Measure::Byte, 1.0),
            ("Kbyte", Measure::Byte, 1e3),
            ("Mbyte", Measure::Byte, 1e6),
            ("Gbyte/s", Measure::BytePerSecond, 1e9),
            ("Gbyte/second", Measure::BytePerSecond, 1e9),
            ("byte/nsecond", Measure::BytePerSecond, 1.0 / 1e-9),
            ("cycle/second", Measure::Hertz, 1.0),
            ("cycle/nsecond", Measure::Hertz, 1.0 / 1e-9),
            ("Ghz", Measure::Hertz, 1e9),
            ("MHz", Measure::Hertz, 1e6),
            ("%", Measure::Percent, 1.0),
            ("sector", Measure::Count, 1.0),
            ("inst", Measure::Count, 1.0),
            ("", Measure::Count, 1.0),
            ("inst/cycle", Measure::CountPerCycle, 1.0),
            ("register/thread", Measure::Other, 1.0),
        ];
        for (unit, measure, factor) in cases {
            assert_eq!(read(unit), (measure, factor), "{unit}");
        }
    }
}
