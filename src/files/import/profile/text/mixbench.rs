//! What mixbench prints: blocks of four columns side by side, a block per number format.
use super::{MOST_BYTES, MOST_CELLS, traffic, value, work};
use crate::files::import::profile::points::{Points, Row};
use crate::files::import::profile::{Format, Input, ProfileError, ReadProfile, check};
use crate::model::cost::{Level, Path};
use crate::model::format::NumberFormat;
use crate::model::gpu::{ComputeRoof, Gpu, MemoryRoof, Sourced};
use crate::model::profile::ByteSource;
use crate::model::quantity::{ByteRate, FlopRate};

pub(in super::super) const FORMAT: Format = Format {
    name: "mixbench",
    is,
    read,
};

/// Columns of a block: intensity, time in ms, rate of work in GFLOP/s, rate of traffic in GB/s.
const WIDTH: usize = 4;

fn is(input: &Input<'_>) -> bool {
    input.head_text().lines().any(is_header)
}

fn is_header(line: &str) -> bool {
    line.contains("ops/byte") && line.contains("ex.time") && line.contains(',')
}

/// A block: what it is called, and what executes its work.
struct Block {
    name: &'static str,
    path: Option<Path>,
}

fn block(title: &str) -> Block {
    let title = title.trim().to_lowercase();
    let of = |name, format| Block {
        name,
        path: Some(Path::vector(format)),
    };
    match title.split(' ').next() {
        Some("double") => of("double precision", NumberFormat::FP64),
        Some("half") => of("half precision", NumberFormat::FP16),
        Some("integer") => Block {
            name: "integer operations",
            path: None,
        },
        _ => of("single precision", NumberFormat::FP32),
    }
}

fn read(input: &mut Input<'_>) -> Result<ReadProfile, ProfileError> {
    let text = input.text(MOST_BYTES)?;
    let mut profile = ReadProfile {
        byte_source: ByteSource::Algorithmic,
        device: device(&text),
        ..ReadProfile::default()
    };
    let mut points = Points::default();
    let mut titles: Vec<&str> = Vec::new();
    let mut blocks: Option<Vec<Block>> = None;
    for (index, line) in text.lines().enumerate() {
        let fields: Vec<&str> = line.split(',').take(MOST_CELLS).map(str::trim).collect();
        match &blocks {
            None if is_header(line) => {
                let count = (fields.len() - 1) / WIDTH;
                let title = |at: usize| titles.get(1 + at * WIDTH).copied().unwrap_or_default();
                blocks = Some((0..count.min(16)).map(|at| block(title(at))).collect());
            }
            None => titles = fields,
            Some(blocks)
                if fields.len() > blocks.len().saturating_sub(1) * WIDTH + 1
                    && value(fields[0]).is_some() =>
            {
                for (at, block) in blocks.iter().enumerate() {
                    profile.rows += 1;
                    let cells = fields
                        .get(1 + at * WIDTH..1 + (at + 1) * WIDTH)
                        .unwrap_or_default();
                    if !add(&mut points, block, fields[0], cells) {
                        profile.skip(index as u64 + 1, || {
                            format!(
                                "{} is not supported by the device, which gave {}",
                                block.name,
                                cells.join(", ")
                            )
                        });
                    }
                }
            }
            Some(_) => {}
        }
    }
    let integers = blocks.iter().flatten().any(|block| block.path.is_none());
    let (kernels, _) = points.finish();
    profile.kernels = kernels;
    profile
        .notes
        .push("ex.time is read in ms, GFLOPS in GFLOP/s, GB/sec in GB/s (1e9 B/s)".to_owned());
    profile.notes.extend(check::value(&profile.kernels));
    if integers {
        let warning = "integer operations are listed with their traffic and time: no roof here is of 32-bit integers";
        profile.warnings.push(warning.to_owned());
    }
    Ok(profile)
}

fn add(points: &mut Points, block: &Block, iterations: &str, cells: &[&str]) -> bool {
    let numbers: Vec<Option<f64>> = cells.iter().map(|cell| value(cell)).collect();
    let [Some(_), Some(milliseconds), Some(rate), Some(bytes)] = numbers[..] else {
        return false;
    };
    let time = milliseconds / 1e3;
    if time <= 0.0 {
        return false;
    }
    let row = Row {
        name: &format!("mixbench {}", block.name),
        shape: &format!("{iterations} iterations"),
        time: Some(time),
        launches: 1.0,
        clock: None,
    };
    let bytes = traffic(
        Level::Dram,
        "GB/sec × time",
        Some(bytes * 1e6 * milliseconds),
    );
    let name = format!("GFLOPS of {} × time", block.name);
    match block.path {
        Some(path) => points.add(
            &row,
            &[bytes, work(path, &name, Some(rate * 1e6 * milliseconds))],
        ),
        None => points.add(&row, &[bytes]),
    }
    true
}

/// The device as the benchmark describes it.
fn device(text: &str) -> Option<Gpu> {
    let field = |name: &str| {
        text.lines()
            .find_map(|line| Some(line.strip_prefix(name)?.trim()))
    };
    let number = |name: &str| field(name).and_then(|text| value(text.split(' ').next()?));
    let mut gpu = Gpu::empty(field("Device:")?.chars().take(80).collect::<String>());
    let source = "mixbench, which reckons it from the clock the driver names";
    if let Some(Ok(peak)) =
        number("Compute throughput:").map(|value| FlopRate::try_from(value * 1e9))
    {
        let path = Path::vector(NumberFormat::FP32);
        gpu.compute
            .push(ComputeRoof::new(path, Sourced::theoretical(peak, source)));
    }
    if let Some(Ok(rate)) = number("Memory bandwidth:").map(|value| ByteRate::try_from(value * 1e9))
    {
        gpu.memory.push(MemoryRoof::new(
            Level::Dram,
            Sourced::theoretical(rate, source),
        ));
    }
    Some(gpu)
}
