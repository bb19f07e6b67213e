//! The factors of a roof's product, filled with what a device knows, each with where it is from.
use super::{Counts, Factor, Target};
use crate::model::cost::{Level, Path};
use crate::model::gpu::{Basis, Gpu, Sourced};
use crate::model::quantity::{ByteRate, Hertz, Quantity};
use crate::model::units;

/// The factors of a roof of this device.
pub(super) fn factors(gpu: &Gpu, target: Target) -> Vec<Factor> {
    match target {
        Target::Compute(path) => compute(gpu, path),
        Target::Memory(Level::Dram) => dram(),
        Target::Memory(Level::L1) => l1(gpu),
        Target::Memory(level @ (Level::L2 | Level::Llc)) => cache(gpu, level),
        Target::Memory(level) => link(gpu, level),
    }
}

impl Factor {
    fn new(name: &'static str, counts: Counts, known: Known) -> Self {
        let Known { text, note } = known;
        Self {
            name,
            counts,
            text,
            note,
        }
    }
}

/// What is known of a factor: its text, empty where nothing is, and where that is from.
struct Known {
    text: String,
    note: String,
}

impl Known {
    fn nothing(note: &str) -> Self {
        Self::text("", note)
    }

    fn text(text: &str, note: &str) -> Self {
        Self {
            text: text.to_owned(),
            note: note.to_owned(),
        }
    }

    fn sourced<Q: Quantity>(number: Option<&Sourced<Q>>, otherwise: &str) -> Self {
        let Some(number) = number else {
            return Self::nothing(otherwise);
        };
        let note = match number.source.as_str() {
            "" => number.basis.name().to_owned(),
            source => format!("{}, {source}", number.basis.name()),
        };
        Self::text(&number.value.exact(), &note)
    }
}

const UNITS: &str = "Compute units";
const CLOCK: &str = "Clock";
const UNITS_NOTE: &str = "SMs, CUs or cores of the device";
const CLOCK_NOTE: &str = "the clock the figure is meant at";

fn compute(gpu: &Gpu, path: Path) -> Vec<Factor> {
    let peak = gpu
        .compute_roof(path)
        .and_then(|roof| published(&roof.peak));
    let (per_clock, clock) = per_unit_and_clock(gpu, peak, "the published peak");
    let per_clock = per_clock
        .unwrap_or_else(|| Known::nothing("of one unit, a fused multiply-add counted as two"));
    vec![
        Factor::new(
            UNITS,
            Counts::Things,
            Known::sourced(gpu.parts.units.as_ref(), UNITS_NOTE),
        ),
        Factor::new("FLOP per clock", Counts::Things, per_clock),
        Factor::new(CLOCK, Counts::Clock, clock),
    ]
}

fn l1(gpu: &Gpu) -> Vec<Factor> {
    let rate = gpu
        .memory_roof(Level::L1)
        .and_then(|roof| published(&roof.bandwidth));
    let (per_clock, clock) = per_unit_and_clock(gpu, rate, "the published bandwidth");
    // What the derived figures built in use; within 4 % of measurements on A100, V100, H100 PCIe and MI300X.
    let per_clock = per_clock.unwrap_or_else(|| {
        Known::nothing("of one unit: 128 B in an SM of V100, A100 and H100, 64 B in a CU of CDNA 3")
    });
    vec![
        Factor::new(
            UNITS,
            Counts::Things,
            Known::sourced(gpu.parts.units.as_ref(), UNITS_NOTE),
        ),
        Factor::new("Bytes per clock", Counts::Bytes, per_clock),
        Factor::new(CLOCK, Counts::Clock, clock),
    ]
}

/// Caches that all units share: of slices, whose number is rarely published.
fn cache(gpu: &Gpu, level: Level) -> Vec<Factor> {
    let clock = gpu.parts.clock.as_ref();
    let rate = gpu
        .memory_roof(level)
        .and_then(|roof| published(&roof.bandwidth));
    let per_clock = rate.zip(clock).map(|(rate, clock)| {
        let (text, _) = round(rate / clock.value.get());
        Known::text(&text, "follows from the published bandwidth")
    });
    let per_clock = per_clock.unwrap_or_else(|| {
        Known::nothing("of one slice, or of all: 2048 B on V100, 5120 B on A100")
    });
    vec![
        Factor::new(
            "Slices",
            Counts::Things,
            Known::text("1", "1 if the bytes per clock are those of the whole cache"),
        ),
        Factor::new("Bytes per clock", Counts::Bytes, per_clock),
        Factor::new(CLOCK, Counts::Clock, Known::sourced(clock, CLOCK_NOTE)),
    ]
}

fn dram() -> Vec<Factor> {
    vec![
        Factor::new(
            "Bus width",
            Counts::Bits,
            Known::nothing("of all stacks or chips together, in bits"),
        ),
        Factor::new(
            "Memory clock",
            Counts::Clock,
            Known::nothing("half of what is quoted in Gbit/s per pin, at double rate"),
        ),
        Factor::new(
            "Transfers per clock",
            Counts::Things,
            Known::text("2", "double data rate"),
        ),
    ]
}

fn link(gpu: &Gpu, level: Level) -> Vec<Factor> {
    let roof = gpu.memory_roof(level);
    let links = roof.and_then(|roof| roof.links);
    let rate = roof.and_then(|roof| published(&roof.bandwidth));
    let (count, each) = match (links, rate) {
        (Some(links), Some(rate)) => {
            let each = ByteRate::try_from(rate / links.get());
            let each = each.map_or(String::new(), Quantity::exact);
            (
                Known::text(&links.exact(), "known of this device"),
                Known::text(&each, "follows from the published bandwidth"),
            )
        }
        _ => (
            Known::nothing("lanes, links or ports that are used together"),
            Known::nothing("of one of them, per direction: half of a figure for both ways"),
        ),
    };
    vec![
        Factor::new("Links", Counts::Things, count),
        Factor::new("Each, per direction", Counts::Rate, each),
    ]
}

/// The number that somebody published, whatever stands there now.
fn published<Q: Quantity>(number: &Sourced<Q>) -> Option<f64> {
    let now = (number.value, number.basis);
    let original = number.original.as_ref();
    let (value, basis) = original.map_or(now, |number| (number.value, number.basis));
    (basis == Basis::Theoretical).then(|| value.get())
}

/// What one unit does per clock to reach a published rate, and the clock at which that comes out whole.
fn per_unit_and_clock(gpu: &Gpu, rate: Option<f64>, whose: &str) -> (Option<Known>, Known) {
    let parts = &gpu.parts;
    let clocks = [parts.clock.as_ref(), parts.matrix_clock.as_ref()];
    let usual = Known::sourced(clocks[0], CLOCK_NOTE);
    let Some((rate, units)) = rate.zip(parts.units.as_ref()) else {
        return (None, usual);
    };
    let per = |clock: &Sourced<Hertz>| rate / (units.value.get() * clock.value.get());
    let fits = clocks
        .into_iter()
        .flatten()
        .find(|clock| round(per(clock)).1);
    let Some(clock) = fits.or(clocks[0]) else {
        return (None, usual);
    };
    let (text, whole) = round(per(clock));
    let mut note = format!("follows from {whose}");
    if !whole {
        // Boost is not always the clock that a peak is published at.
        let power = 2f64.powf(per(clock).log2().round());
        let at = rate / (units.value.get() * power);
        let near = (0.85..=1.15).contains(&(at / clock.value.get()));
        if near && let Ok(at) = Hertz::try_from(at) {
            note += &format!("; {} would mean {at}", units::number(power));
        }
    }
    let clock = Known::sourced(Some(clock), CLOCK_NOTE);
    (Some(Known { text, note }), clock)
}

/// A number per clock as text, and whether it is the power of two it was meant to be: published figures are rounded.
fn round(value: f64) -> (String, bool) {
    let power = 2f64.powf(value.log2().round());
    if (value / power - 1.0).abs() <= 0.005 {
        return (format!("{power}"), true);
    }
    let decimals = if value >= 100.0 { 0 } else { 2 };
    (format!("{value:.decimals$}"), false)
}
