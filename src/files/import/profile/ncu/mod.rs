//! Nsight Compute's CSV, long and wide, of every version: `ncu --csv --page details|raw`.
mod collect;
mod device;
mod formulas;
mod long;
pub mod metrics;
mod table;
mod told;
mod units;
mod wide;

pub(super) use told::BUS_UNKNOWN;

use super::error::ProfileError;
use super::input::Input;
use super::lines::Lines;
use super::number::Decimal;
use super::{Format, ReadProfile};
use crate::model::profile::Clocks;
use collect::Collector;
use long::{Long, Trouble};
use table::Header;
use wide::Wide;

pub(super) const FORMAT: Format = Format {
    name: "Nsight Compute CSV",
    is,
    read,
};

/// How the profiler's own lines begin.
const OWN_LINES: [&[u8]; 4] = [b"==PROF==", b"==ERROR==", b"==WARNING==", b"==LOG=="];

/// The most of a line of the profiler's that is quoted.
const MOST_QUOTED: usize = 300;

fn is(input: &Input<'_>) -> bool {
    let mut lines = input.head().split(|byte| *byte == b'\n');
    lines.any(|line| is_own(line) || Header::of(line.trim_ascii_end()).is_some())
}

fn is_own(line: &[u8]) -> bool {
    OWN_LINES.iter().any(|own| line.starts_with(own))
}

/// Either way a table can lie.
enum Table {
    Long(Long),
    Wide(Wide),
}

impl Table {
    fn of(header: Header) -> Self {
        match header.metric {
            Some(_) => Self::Long(Long::new(header)),
            None => Self::Wide(Wide::new(header)),
        }
    }
}

fn read(input: &mut Input<'_>) -> Result<ReadProfile, ProfileError> {
    let evidence = table::decimal(input.head());
    let decided = evidence.decimal();
    let mut profile = ReadProfile::default();
    let mut collector = Collector::new(decided.unwrap_or_default());
    let mut lines = Lines::new(input);
    let mut table = Table::of(first_header(&mut lines)?);
    lines.each_record(|row, number| {
        let used = match &mut table {
            _ if row.is_empty() || is_own(row) => return Ok(()),
            Table::Long(long) => long.row(row, &mut collector),
            Table::Wide(wide) => wide.row(row, &mut collector),
        };
        profile.rows += 1;
        match used {
            Ok(()) => {}
            Err(Trouble::Units) => profile.rows -= 1,
            Err(Trouble::Stop(reason)) => return Err(reason),
            Err(Trouble::Skip(reason)) => match Header::of(row) {
                // Outputs of several runs may stand one behind the other.
                Some(header) => {
                    profile.rows -= 1;
                    collector.end();
                    table = Table::of(header);
                }
                None => profile.skip(number, || reason),
            },
        }
        Ok(())
    })?;
    collector.end();
    if collector.launches == 0 {
        return Err(input.wrong("the table has no kernels: profile a program that launches some"));
    }
    if decided == Some(Decimal::Comma) {
        let note = format!(
            "numbers are read as they are written here, like {}",
            Decimal::Comma.example()
        );
        profile.notes.push(note);
    }
    if evidence.is_doubtful() {
        profile.warnings.push(format!(
            "nothing in the file says which mark is the decimal one: numbers are read like {}; where that is wrong, profile \
             again with LC_ALL=C",
            Decimal::Point.example()
        ));
    }
    finish(collector, &mut profile);
    Ok(profile)
}

/// The header of the table, or why there is none, in the profiler's own words where it has some.
fn first_header(lines: &mut Lines<'_, '_>) -> Result<Header, ProfileError> {
    let mut error = None;
    let mut warning = None;
    let mut numbers = (0, 0);
    while let Some(line) = lines.line()? {
        if let Some(header) = Header::of(line) {
            if let Some(name) = header.twice() {
                let reason = format!("two columns are called {name:?}: remove one of them");
                return Err(lines.wrong(reason));
            }
            return Ok(header);
        }
        let quoted = || String::from_utf8_lossy(&line[..line.len().min(MOST_QUOTED)]).into_owned();
        if line.starts_with(b"==ERROR==") && error.is_none() {
            error = Some(quoted());
            numbers.0 = lines.number();
        } else if line.starts_with(b"==WARNING==") && warning.is_none() {
            warning = Some(quoted());
            numbers.1 = lines.number();
        }
    }
    let input = lines.input();
    Err(match (error, warning) {
        (Some(error), _) => input.wrong_at(numbers.0, format!("there is no table of kernels: the profiler says \"{error}\"")),
        (None, Some(warning)) => input.wrong_at(numbers.1, format!("there is no table of kernels: the profiler says \"{warning}\"")),
        (None, None) => input.wrong(
            "there is no table of kernels in what the profiler wrote: run ncu with --csv, on a program that launches some",
        ),
    })
}

/// Turns what was collected into kernels and what is told of them.
fn finish(mut collector: Collector, profile: &mut ReadProfile) {
    let formulas = formulas::of(&collector.columns);
    profile.clocks = Clocks {
        compute: collector.compute_clock.value(),
        memory: collector.memory_clock.value(),
    };
    profile.device = device::of(&collector);
    let refused = collector.refused();
    let builder = std::mem::take(&mut collector.builder);
    let (kernels, partial) = builder.finish(formulas);
    profile.kernels = kernels;
    told::tell(&collector, refused, partial, profile);
}
