//! What the roofline benchmark of RRZE's gpu-benches prints: a sweep over intensities, with clock and power.
use super::{MOST_BYTES, traffic, value, work};
use crate::files::import::profile::points::{Points, RATES, Row};
use crate::files::import::profile::{Format, Input, ProfileError, ReadProfile, check};
use crate::model::cost::{Level, Path};
use crate::model::format::NumberFormat;
use crate::model::profile::{ByteSource, Clocks};
use crate::model::units::{self, Unit};

pub(in super::super) const FORMAT: Format = Format {
    name: "gpu-benches roofline",
    is,
    read,
};

/// A clock that falls by more than this share is told.
const STEADY: f64 = 0.05;

fn is(input: &Input<'_>) -> bool {
    input.head_text().lines().any(|line| point(line).is_some())
}

/// Intensity in FLOP/B, GB/s, GFLOP/s and, where it is told, MHz.
struct Point<'a> {
    launch: &'a str,
    bytes: f64,
    flops: f64,
    clock: Option<f64>,
}

fn point(line: &str) -> Option<Point<'_>> {
    let words: Vec<&str> = line.split_whitespace().take(32).collect();
    let before = |unit: &str| {
        let at = words.iter().position(|word| *word == unit)?;
        value(words[at.checked_sub(1)?])
    };
    before("Fl/B")?;
    let end = line.find(" its")?;
    Some(Point {
        launch: line[..end].trim(),
        bytes: before("GB/s")?,
        flops: before("GF/s")?,
        clock: before("Mhz").or_else(|| before("MHz")),
    })
}

fn read(input: &mut Input<'_>) -> Result<ReadProfile, ProfileError> {
    let text = input.text(MOST_BYTES)?;
    let mut profile = ReadProfile {
        byte_source: ByteSource::Algorithmic,
        ..ReadProfile::default()
    };
    let mut points = Points::per_second();
    let mut clocks: Vec<f64> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let Some(point) = point(line) else {
            if line.contains("Fl/B") {
                profile.rows += 1;
                profile.skip(index as u64 + 1, || {
                    "a number of this row is missing".to_owned()
                });
            }
            continue;
        };
        profile.rows += 1;
        let clock = point.clock.filter(|clock| *clock > 0.0);
        let clock = clock.map(|clock| clock * 1e6);
        clocks.extend(clock);
        // The number of the device stands first.
        let launch: Vec<&str> = point.launch.split_whitespace().skip(1).collect();
        let row = Row {
            name: "gpu-benches roofline",
            shape: &shape(&launch),
            time: None,
            launches: 1.0,
            clock,
        };
        let path = Path::vector(NumberFormat::FP32);
        points.add(
            &row,
            &[
                traffic(Level::Dram, "GB/s", Some(point.bytes * 1e9)),
                work(path, "GF/s", Some(point.flops * 1e9)),
            ],
        );
    }
    let (kernels, _) = points.finish();
    profile.kernels = kernels;
    profile.notes.push(
        "GF/s is read as FP32 vector, in GFLOP/s, and GB/s as DRAM traffic (1e9 B/s)".to_owned(),
    );
    profile.notes.extend(check::value(&profile.kernels));
    profile.warnings.push(RATES.to_owned());
    if !clocks.is_empty() {
        let mean = clocks.iter().sum::<f64>() / clocks.len() as f64;
        profile.clocks = Clocks {
            compute: Some(mean),
            memory: None,
        };
        let least = clocks.iter().copied().fold(f64::INFINITY, f64::min);
        let most = clocks.iter().copied().fold(0.0, f64::max);
        if most - least > STEADY * mean {
            profile.warnings.push(format!(
                "the clock is between {} and {} during the sweep: its flat part is not one peak",
                units::short(least, Unit::Hertz),
                units::short(most, Unit::Hertz)
            ));
        }
    }
    Ok(profile)
}

/// `2432 blocks, 400 iterations` of `2432 blocks 400`.
fn shape(words: &[&str]) -> String {
    match words {
        [before @ .., count] if !before.is_empty() => {
            format!("{}, {count} iterations", before.join(" "))
        }
        _ => format!("{} iterations", words.join(" ")),
    }
}
