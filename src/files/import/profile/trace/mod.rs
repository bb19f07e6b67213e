//! Traces of PyTorch (Kineto) and Chrome: kernels with their times, work and traffic from the shapes of operators.
//!
//! A trace may be larger than the memory: it is read as it streams by. Of its metadata, which is known to have held
//! whole environments with tokens, only the name and the size of devices are looked at.
mod event;
mod gather;
mod lines;
mod scan;
mod work;

use super::{Format, Input, ProfileError, ReadProfile, check};
use crate::model::gpu::{Gpu, Sourced};
use crate::model::profile::ByteSource;
use crate::model::quantity::{Bytes, Count};
use crate::model::units::{self, Unit};
use gather::Gathered;
use lines::Lines;
use scan::End;
use std::collections::{BTreeSet, HashMap};

pub(super) const FORMAT: Format = Format {
    name: "PyTorch trace (JSON)",
    is,
    read,
};

/// Below this share of its span a device is waiting more than it works.
const BUSY: f64 = 0.5;

/// A JSON object or list that holds events of a trace.
fn is(input: &Input<'_>) -> bool {
    let head = input.head();
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let first = head.iter().find(|byte| !byte.is_ascii_whitespace());
    let has = |word: &[u8]| memchr::memmem::find(head, word).is_some();
    match first {
        Some(b'{') => has(b"\"traceEvents\"") || has(b"\"deviceProperties\""),
        Some(b'[') => has(b"\"ph\""),
        _ => false,
    }
}

fn read(input: &mut Input<'_>) -> Result<ReadProfile, ProfileError> {
    let mut gathered = Gathered::default();
    let (end, too_large) = scan::scan(input, &mut |kind, bytes, begin| {
        gathered.take(kind, bytes, begin);
    });
    let mut profile = ReadProfile {
        byte_source: ByteSource::Algorithmic,
        rows: gathered.rows,
        ..ReadProfile::default()
    };
    let cut = match end {
        End::Whole => None,
        End::Cut { byte } => Some(format!("the file stops in the middle, at byte {byte}")),
        End::Failed { byte, reason } => match input.io(reason) {
            cancelled @ ProfileError::Cancelled { .. } => return Err(cancelled),
            error if gathered.rows == 0 => return Err(error),
            error => Some(format!("after {byte} bytes of text: {error}")),
        },
    };
    if gathered.rows == 0 {
        let what = match (cut, broken(&gathered)) {
            (Some(cut), _) => format!("{cut}, before any kernel"),
            (None, Some(broken)) => format!("it holds no kernels ({broken})"),
            (None, None) => "it holds no kernels".to_owned(),
        };
        return Err(input.wrong(format!(
            "{what}: profile with activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA] and export_chrome_trace"
        )));
    }
    if let Some(cut) = cut {
        profile
            .warnings
            .push(format!("{cut}: what came before is read"));
    }
    let (device, name) = device(&gathered);
    let amd = ["AMD", "Instinct", "Radeon", "MI2", "MI3"];
    let amd = amd.iter().any(|maker| name.contains(maker));
    let lines = lines::lines(&mut gathered, amd);
    profile.device = device;
    notes(&gathered, &lines, &mut profile);
    warnings(&gathered, &lines, too_large, &mut profile);
    profile.notes.extend(check::value(&lines.kernels));
    let waiting = waiting(&gathered, &lines);
    profile.kernels = lines.kernels;
    profile.kernels.waiting = waiting;
    Ok(profile)
}

/// The device most of the time was spent on, as far as the trace describes it, and its name.
fn device(gathered: &Gathered) -> (Option<Gpu>, String) {
    let mut busy: HashMap<u32, f64> = HashMap::new();
    for launch in gathered.launches.iter().filter(|launch| launch.time > 0.0) {
        *busy.entry(launch.device).or_default() += launch.time;
    }
    let main = busy
        .iter()
        .max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(a.0)));
    let main = main.map_or(0, |(device, _)| u64::from(*device));
    let Some(described) = gathered.devices.iter().find(|device| device.id == main) else {
        return (None, String::new());
    };
    if described.name.is_empty() {
        return (None, String::new());
    }
    let mut gpu = Gpu::empty(described.name.clone());
    gpu.capacity = described
        .memory
        .and_then(|bytes| Bytes::try_from(bytes).ok());
    let units = described
        .units
        .and_then(|units| Count::try_from(units).ok());
    gpu.parts.units = units.map(|units| Sourced::theoretical(units, FORMAT.name));
    (Some(gpu), described.name.clone())
}

fn notes(gathered: &Gathered, lines: &Lines, profile: &mut ReadProfile) {
    let time = |seconds: f64| units::short(seconds, Unit::Second);
    let kernels = many(lines.launched, "kernel", "kernels");
    let mut counted = format!("{kernels} took {}", time(lines.busy));
    if lines.copies > 0 {
        let copies = many(lines.copies, "copy or fill", "copies and fills");
        counted += &format!(", {copies} {}", time(lines.copying));
    }
    if let Some(span) = span(gathered) {
        counted += &format!(", in a span of {}", time(span));
    }
    profile.notes.push(counted);
    if lines.with_work > 0 {
        profile.notes.push(format!(
            "work and traffic of {} follow from the shapes of the operators behind them: traffic is each operand and the result once, which caches and re-reading change",
            many(lines.with_work, "kernel", "kernels")
        ));
    }
    let devices = gathered.launches.iter().map(|launch| launch.device);
    let devices: BTreeSet<_> = devices.collect();
    if devices.len() > 1 {
        profile.notes.push(format!(
            "kernels of {} devices are taken together",
            devices.len()
        ));
    }
}

/// From the begin of the first kernel to the end of the last, in s.
fn span(gathered: &Gathered) -> Option<f64> {
    let (first, last) = gathered.span?;
    let span = (last - first) * 1e-6;
    (span.is_finite() && span > 0.0).then_some(span)
}

/// How long the only device did nothing between its first kernel and the end of its last, in s: at least, since kernels
/// may run beside each other.
fn waiting(gathered: &Gathered, lines: &Lines) -> Option<f64> {
    let first = gathered.launches.first()?.device;
    let waiting = span(gathered)? - lines.busy - lines.copying;
    let alone = gathered.launches.iter().all(|l| l.device == first);
    (alone && waiting > 0.0).then_some(waiting)
}

fn warnings(gathered: &Gathered, lines: &Lines, too_large: u64, profile: &mut ReadProfile) {
    let mut warn = |sentence: String| profile.warnings.push(sentence);
    if let Some(span) = span(gathered).filter(|span| lines.busy < BUSY * span) {
        warn(format!(
            "launch-bound: the device works {} of {} ({}) and waits for launches the rest of the time",
            units::short(lines.busy, Unit::Second),
            units::short(span, Unit::Second),
            units::percent(lines.busy / span)
        ));
    }
    let without = lines.launched - lines.with_work;
    if gathered.with_shapes == 0 {
        warn("no operator says its shapes, so kernels have a time but neither work nor traffic: profile with record_shapes=True and ProfilerActivity.CPU among the activities".to_owned());
    } else if without > 0 {
        warn(format!(
            "without work and traffic: {without} of {}, whose operator has no known formula, or which only help another kernel",
            many(lines.launched, "kernel", "kernels")
        ));
    }
    if lines.shared > 0 {
        warn(format!(
            "several kernels behind one operator: the work of {} is given to the kernel that takes longest",
            many(lines.shared, "operator", "operators")
        ));
    }
    if gathered.left_out > 0 {
        warn(format!(
            "{} left out, since a trace of more than {} of them does not fit: profile fewer steps",
            many(gathered.left_out, "kernel is", "kernels are"),
            gathered.launches.len()
        ));
    }
    if gathered.forgotten > 0 {
        warn(format!(
            "without work and traffic: kernels of {} too many to remember: profile fewer steps",
            many(gathered.forgotten, "call", "calls")
        ));
    }
    if too_large > 0 {
        let events = many(too_large, "event", "events");
        warn(format!("left out: {events} of more than 4 MiB"));
    }
    if lines.without_time > 0 {
        warn(format!(
            "without a time: {} of a duration that is zero, negative or no number",
            many(lines.without_time, "kernel", "kernels")
        ));
    }
    profile.warnings.extend(broken(gathered));
}

/// Which events could not be read.
fn broken(gathered: &Gathered) -> Option<String> {
    let byte = gathered.first_broken?;
    let events = many(gathered.broken, "event", "events");
    Some(format!(
        "left out: {events} that are no JSON, the first at byte {byte}"
    ))
}

/// `1 kernel`, `60 kernels`.
fn many(count: u64, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}
