//! NERSC's `data.txt` for hierarchical rooflines: roofs, and intensities, rates and labels of kernels.
use super::{MOST_BYTES, traffic, value, work};
use crate::files::import::profile::points::{Points, RATES, Row};
use crate::files::import::profile::{Format, Input, ProfileError, ReadProfile, check};
use crate::model::cost::{Level, Path};
use crate::model::format::NumberFormat;
use crate::model::gpu::{ComputeRoof, Gpu, MemoryRoof, Sourced};
use crate::model::profile::ByteSource;

pub(in super::super) const FORMAT: Format = Format {
    name: "NERSC roofline data",
    is,
    read,
};

fn is(input: &Input<'_>) -> bool {
    let text = input.head_text();
    let has = |key: &str| {
        text.lines()
            .any(|line| line.split_whitespace().next() == Some(key))
    };
    has("memroofs") || (has("mem_roof_names") && has("comproofs"))
}

fn read(input: &mut Input<'_>) -> Result<ReadProfile, ProfileError> {
    let text = input.text(MOST_BYTES)?;
    let line = |keys: &[&str]| {
        let mut lines = text.lines().enumerate();
        lines.find_map(|(index, line)| {
            let (key, rest) = line.trim().split_once(char::is_whitespace)?;
            keys.iter()
                .any(|name| key.eq_ignore_ascii_case(name))
                .then_some((index as u64 + 1, rest))
        })
    };
    let numbers = |keys: &[&str]| -> Result<Vec<f64>, ProfileError> {
        let Some((number, rest)) = line(keys) else {
            return Ok(Vec::new());
        };
        let parsed = rest
            .split([' ', '\t', ','])
            .filter(|word| !word.is_empty())
            .map(|word| {
                value(word).filter(|value| *value >= 0.0).ok_or_else(|| {
                    let word: String = word.chars().take(40).collect();
                    input.wrong_at(number, format!("{word:?} is no number of {}", keys[0]))
                })
            });
        parsed.collect()
    };
    let mut profile = ReadProfile {
        byte_source: ByteSource::User,
        ..ReadProfile::default()
    };
    let roofs = (
        numbers(&["memroofs"])?,
        line(&["mem_roof_names"])
            .map(|(_, rest)| quoted(rest))
            .unwrap_or_default(),
    );
    let peaks = (
        numbers(&["comproofs"])?,
        line(&["comp_roof_names"])
            .map(|(_, rest)| quoted(rest))
            .unwrap_or_default(),
    );
    profile.device = device(&roofs, &peaks);
    let rates = numbers(&["FLOPS", "GFLOPs"])?;
    let labels = line(&["labels"])
        .map(|(_, rest)| quoted(rest))
        .unwrap_or_default();
    let mut levels = Vec::new();
    let named = [
        ("AI_L1", Level::L1),
        ("AI_L2", Level::L2),
        ("AI_L3", Level::Llc),
        ("AI_HBM", Level::Dram),
        ("AI_DRAM", Level::Dram),
    ];
    for (key, level) in named {
        let values = numbers(&[key])?;
        if !values.is_empty() {
            levels.push((key, level, values));
        }
    }
    let plain = numbers(&["AI"])?;
    if !plain.is_empty() {
        levels.extend(split(plain, rates.len(), &roofs.1));
    }
    let mut points = Points::per_second();
    for (index, rate) in rates.iter().enumerate() {
        profile.rows += 1;
        let unnamed = format!("kernel {}", index + 1);
        let row = Row {
            name: labels.get(index).copied().unwrap_or(&unnamed),
            shape: "",
            time: None,
            launches: 1.0,
            clock: None,
        };
        let flops = rate * 1e9;
        let names: Vec<String> = levels
            .iter()
            .map(|(key, level, _)| match *key {
                "AI" => format!("GFLOPs ÷ AI at {}", level.name()),
                key => format!("GFLOPs ÷ {key}"),
            })
            .collect();
        let mut values = vec![work(
            Path::vector(NumberFormat::FP64),
            "GFLOPs",
            Some(flops),
        )];
        for ((_, level, intensities), name) in levels.iter().zip(&names) {
            let intensity = intensities.get(index).filter(|intensity| **intensity > 0.0);
            values.push(traffic(
                *level,
                name,
                intensity.map(|intensity| flops / intensity),
            ));
        }
        points.add(&row, &values);
    }
    let (kernels, _) = points.finish();
    profile.kernels = kernels;
    profile.notes.push(
        "rates are read in GFLOP/s, roofs in GFLOP/s and GB/s, and work as FP64 vector".to_owned(),
    );
    profile.notes.extend(check::value(&profile.kernels));
    profile.warnings.push(RATES.to_owned());
    Ok(profile)
}

/// Intensities of all kernels at the levels there are: all of the first kernel before those of the second.
fn split(plain: Vec<f64>, kernels: usize, names: &[&str]) -> Vec<(&'static str, Level, Vec<f64>)> {
    let levels: Vec<Level> = names.iter().filter_map(|name| level(name)).collect();
    if kernels > 0 && levels.len() > 1 && plain.len() == kernels * levels.len() {
        let at = |place: usize| {
            plain
                .iter()
                .skip(place)
                .step_by(levels.len())
                .copied()
                .collect()
        };
        let places = levels.iter().enumerate();
        return places
            .map(|(place, level)| ("AI", *level, at(place)))
            .collect();
    }
    let level = match levels[..] {
        [level] => level,
        _ => Level::Dram,
    };
    vec![("AI", level, plain)]
}

fn level(name: &str) -> Option<Level> {
    let name = name.to_uppercase();
    Some(match () {
        () if name.contains("L1") => Level::L1,
        () if name.contains("L2") => Level::L2,
        () if name.contains("L3") || name.contains("LLC") => Level::Llc,
        () if name.contains("HBM") || name.contains("DRAM") => Level::Dram,
        () => return None,
    })
}

/// Texts in quotation marks, whatever is or is not between them: `'a' 'b''c'`.
fn quoted(text: &str) -> Vec<&str> {
    let Some(mark) = text.chars().find(|c| matches!(c, '\'' | '"')) else {
        return text
            .split(',')
            .map(str::trim)
            .filter(|label| !label.is_empty())
            .collect();
    };
    let parts = text.split(mark).enumerate();
    parts
        .filter(|(index, _)| index % 2 == 1)
        .map(|(_, label)| label.trim())
        .collect()
}

fn device(roofs: &(Vec<f64>, Vec<&str>), peaks: &(Vec<f64>, Vec<&str>)) -> Option<Gpu> {
    let mut gpu = Gpu::empty("device of NERSC roofline data");
    let source = "NERSC roofline data";
    for (rate, name) in roofs.0.iter().zip(&roofs.1) {
        let (Some(level), Ok(rate)) = (level(name), (rate * 1e9).try_into()) else {
            continue;
        };
        if gpu.memory_roof(level).is_none() {
            gpu.memory
                .push(MemoryRoof::new(level, Sourced::achievable(rate, source)));
        }
    }
    // The first is the highest; the others are of less than all its instructions.
    if let Some(Ok(peak)) = peaks.0.first().map(|peak| (peak * 1e9).try_into()) {
        let path = Path::vector(NumberFormat::FP64);
        gpu.compute
            .push(ComputeRoof::new(path, Sourced::achievable(peak, source)));
    }
    (!gpu.memory.is_empty()).then_some(gpu)
}
