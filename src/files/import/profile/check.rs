//! A value worked out in full, by which a person can check how a file was read.
use crate::model::profile::{Kernels, Target};
use crate::model::units::{self, Unit};

/// The longest name that is quoted whole.
const LONGEST: usize = 48;

/// `check: saxpy: DRAM bytes = 134,221,568 + 43,631,104 = 177.9 MB; in 292.9 µs that is 607.2 GB/s`, of the first line that
/// has a time and something else.
pub fn value(kernels: &Kernels) -> Option<String> {
    kernels.lines.iter().enumerate().find_map(|(line, kernel)| {
        let time = match kernels.per_second {
            true => kernel.count as f64,
            false => kernel.timing?.sum,
        };
        let formula = kernels.formulas.iter().find(|formula| {
            formula
                .value(&kernels.counters, line)
                .is_some_and(|v| v > 0.0)
        })?;
        let value = formula.value(&kernels.counters, line)?;
        let unit = match formula.target {
            Target::Work(_) => Unit::FlopPerSecond,
            Target::Traffic(_) => Unit::BytePerSecond,
        };
        let in_time = match kernels.per_second {
            true => "each second".to_owned(),
            false => format!("in {}", units::short(time, Unit::Second)),
        };
        Some(format!(
            "check: {}: {}; {in_time} that is {}",
            quoted(&kernel.name),
            formula.with_numbers(&kernels.counters, line)?,
            units::short(value / time, unit)
        ))
    })
}

/// What to say of values that cannot be.
pub fn refused(values: u64) -> Option<String> {
    (values > 0).then(|| {
        format!(
            "{} values are negative, or times that are zero or last for years: they count as missing",
            units::count(values as f64)
        )
    })
}

/// A name on one line, cut where it is long.
pub fn quoted(name: &str) -> String {
    let name = name.replace(char::is_control, " ");
    match name.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &name[..at]),
        None => name,
    }
}
