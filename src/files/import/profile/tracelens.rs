//! Tables of TraceLens: a row an operator and its shapes, with a count of FLOP that is called GFLOPS and a MiB that is called MB.
use super::rows::{Row, Rows};
use super::{Format, Input, ProfileError, ReadProfile};
use crate::model::cost::{Level, Path};
use crate::model::format::NumberFormat;
use crate::model::profile::{
    ByteSource, Counter, Counters, Factor, Formula, Kernel, Kernels, Target, Timing,
};
use crate::model::units::{self, Unit};
use std::collections::HashMap;
use std::sync::Arc;

pub(super) const FORMAT: Format = Format {
    name: "TraceLens (CSV)",
    is,
    read,
};

/// What the file calls 1e9 FLOP and what it calls 1024² B.
const GFLOP: f64 = 1e9;
const MIB: f64 = 1_048_576.0;

/// The most rows that are read.
const MOST_ROWS: usize = 1_000_000;

/// How far the file's own rate may be from the one computed.
const SAME: f64 = 0.01;

fn is(input: &Input<'_>) -> bool {
    let header = input.head_text().lines().next().unwrap_or_default();
    let header = plain(header);
    header.contains("gflops") && header.contains("data moved (mb)")
}

/// A header in lower case, with one way to write µ: the micro sign, the Greek letter, or either read in a wrong encoding.
fn plain(header: &str) -> String {
    let header = header.to_lowercase();
    let header = header.replace("âµ", "u").replace("î¼", "u");
    header.replace(['µ', 'μ'], "u")
}

struct Places {
    name: Option<usize>,
    count: Option<usize>,
    /// All calls together, and one call; in µs.
    sum: Option<usize>,
    mean: Option<usize>,
    median: Option<usize>,
    shortest: Option<usize>,
    longest: Option<usize>,
    flop: Option<usize>,
    moved: Option<usize>,
    rate: Option<usize>,
    path: Option<usize>,
    dims: Option<usize>,
    types: Option<usize>,
}

impl Places {
    fn of(header: &[String]) -> Self {
        let header: Vec<_> = header.iter().map(|name| plain(name)).collect();
        let find = |names: &[&str]| {
            let is = |name: &str| header.iter().position(|column| column == name);
            names.iter().find_map(|name| is(name))
        };
        let time = |suffix: &str| find(&[&format!("kernel time (us)_{suffix}")]);
        Self {
            name: find(&["name", "op name", "name_first"]),
            count: find(&["operation_count", "count", "name_count", "uid_count"]),
            sum: time("sum"),
            mean: time("mean").or(find(&["kernel time (us)", "avg duration (us)"])),
            median: time("median"),
            shortest: time("min"),
            longest: time("max"),
            flop: find(&["gflops", "gflops_first"]),
            moved: find(&["data moved (mb)", "data moved (mb)_first"]),
            rate: find(&["tflops/s_mean", "tflops/s", "tflops/s_first"]),
            path: find(&["compute spec", "compute spec_first"]),
            dims: find(&["input dims", "input dims_first"]),
            types: find(&["input type", "input type_first"]),
        }
    }
}

/// A row as it was read.
struct Line {
    kernel: Kernel,
    path: Path,
    flop: Option<f64>,
    bytes: Option<f64>,
}

fn read(input: &mut Input<'_>) -> Result<ReadProfile, ProfileError> {
    let mut profile = ReadProfile {
        byte_source: ByteSource::Algorithmic,
        ..ReadProfile::default()
    };
    profile.notes.push(
        "GFLOPS is read as a count, of 1e9 FLOP a call, and Data Moved (MB) as MiB (1,048,576 B), as TraceLens means them".to_owned(),
    );
    let lines = lines(input, &mut profile)?;
    if lines.is_empty() {
        return Err(input.wrong("it has a header and no operator: export the trace's report again"));
    }
    let without = lines
        .iter()
        .filter(|line| line.flop.is_none() && line.bytes.is_none());
    let without = without.count();
    if without > 0 {
        profile.warnings.push(format!(
            "{without} of {} rows have no performance model in TraceLens: a time but neither work nor traffic",
            lines.len()
        ));
    }
    profile.kernels = kernels(lines);
    Ok(profile)
}

fn lines(input: &mut Input<'_>, profile: &mut ReadProfile) -> Result<Vec<Line>, ProfileError> {
    let rows = Rows::new(input)?;
    let places = Places::of(rows.header());
    let mut lines: Vec<Line> = Vec::new();
    let mut found = None;
    rows.each(profile, |row| {
        let line = line(&places, &row)?;
        if lines.len() == MOST_ROWS {
            return Err(format!("only {MOST_ROWS} rows are read"));
        }
        if found.is_none() {
            found = check(&places, &row, &line);
        }
        lines.push(line);
        Ok(())
    })?;
    if let Some(Check { note, warning }) = found {
        profile.notes.push(note);
        profile.warnings.extend(warning);
    }
    Ok(lines)
}

fn line(places: &Places, row: &Row<'_>) -> Result<Line, String> {
    let name = row.text(places.name);
    if name.is_empty() {
        return Err("it names no operator".to_owned());
    }
    let count = row.number(places.count).unwrap_or(1.0);
    if !(1.0..1e12).contains(&count) {
        return Err("its count is not that of calls".to_owned());
    }
    let count = count.round();
    let known = |value: Option<f64>| value.filter(|value| *value >= 0.0);
    let dims = row.text(places.dims);
    let types = row.text(places.types);
    let launch = match (dims.is_empty(), types.is_empty()) {
        (true, _) => String::new(),
        (false, true) => dims.clone().into_owned(),
        (false, false) => format!("{dims}, {types}"),
    };
    Ok(Line {
        kernel: Kernel {
            name: Arc::from(&*name),
            launch: Arc::from(launch),
            count: count as u64,
            timing: timing(places, row, count),
            derivation: None,
        },
        path: path(&row.text(places.path), &types, &name),
        flop: known(row.number(places.flop)).map(|flop| flop * GFLOP * count),
        bytes: known(row.number(places.moved)).map(|moved| moved * MIB * count),
    })
}

/// What the calls took; what the file does not say follows from the mean.
fn timing(places: &Places, row: &Row<'_>, count: f64) -> Option<Timing> {
    let micro = |place| {
        let time = row.number(place).map(|time| time * 1e-6);
        time.filter(|time| *time > 0.0)
    };
    let sum = micro(places.sum).or_else(|| micro(places.mean).map(|mean| mean * count))?;
    let mean = sum / count;
    let median = micro(places.median).unwrap_or(mean);
    Some(Timing {
        sum,
        median,
        shortest: micro(places.shortest).unwrap_or(median.min(mean)),
        longest: micro(places.longest).unwrap_or(median.max(mean)),
    })
}

/// `matrix_bf16`, else from the input's type: products are of the matrix unit.
fn path(spec: &str, types: &str, name: &str) -> Path {
    let named = spec
        .split_once('_')
        .and_then(|(unit, format)| format!("{format} {unit}").parse().ok());
    if let Some(path) = named {
        return path;
    }
    let types = types.to_lowercase();
    let formats = [
        ("bfloat16", NumberFormat::BF16),
        ("half", NumberFormat::FP16),
        ("float8", NumberFormat::FP8),
        ("double", NumberFormat::FP64),
    ];
    let format = formats.into_iter().find(|(text, _)| types.contains(text));
    let format = format.map_or(NumberFormat::FP32, |(_, format)| format);
    let product = ["mm", "gemm", "linear", "conv", "attention", "matmul"];
    match product
        .iter()
        .any(|product| name.to_lowercase().contains(product))
    {
        true => Path::matrix(format),
        false if format == NumberFormat::FP64 => Path::vector(format),
        false => Path::vector(NumberFormat::FP32),
    }
}

/// How the first complete row comes out.
struct Check {
    note: String,
    /// Where the file's own rate is another one.
    warning: Option<String>,
}

fn check(places: &Places, row: &Row<'_>, line: &Line) -> Option<Check> {
    let flop = line.flop.filter(|flop| *flop > 0.0)?;
    let sum = line.kernel.timing?.sum;
    let count = line.kernel.count as f64;
    let rate = flop / sum;
    let note = format!(
        "check: {} / {} = {} for {}",
        units::short(flop / count, Unit::Flop),
        units::short(sum / count, Unit::Second),
        units::short(rate, Unit::FlopPerSecond),
        line.kernel.name
    );
    let own = row.number(places.rate).map(|rate| rate * 1e12);
    let own = own.filter(|own| (rate / own - 1.0).abs() > SAME);
    let warning = own.map(|own| {
        format!(
            "the file itself says {} for {}: check what its columns mean",
            units::short(own, Unit::FlopPerSecond),
            line.kernel.name
        )
    });
    Some(Check { note, warning })
}

fn kernels(lines: Vec<Line>) -> Kernels {
    let mut paths: Vec<_> = lines
        .iter()
        .filter(|line| line.flop.is_some())
        .map(|line| line.path)
        .collect();
    paths.sort_unstable();
    paths.dedup();
    let mut columns = vec![Counter {
        name: "Data Moved".to_owned(),
        unit: "B".to_owned(),
    }];
    columns.extend(paths.iter().map(|path| Counter {
        name: format!("GFLOPS, {path}"),
        unit: "FLOP".to_owned(),
    }));
    let mut counters = Counters::new(columns);
    let mut kernels: Vec<Kernel> = Vec::with_capacity(lines.len());
    let mut seen: HashMap<(Arc<str>, Arc<str>), u32> = HashMap::new();
    for mut line in lines {
        // What tells rows of one operation apart may be in a column that is not read.
        let key = (
            Arc::clone(&line.kernel.name),
            Arc::clone(&line.kernel.launch),
        );
        let row = seen.entry(key).and_modify(|row| *row += 1).or_insert(1);
        if *row > 1 {
            let launch = &line.kernel.launch;
            let separator = if launch.is_empty() { "" } else { ", " };
            line.kernel.launch = Arc::from(format!("{launch}{separator}row {row} of it"));
        }
        let at = counters.add_line();
        if let Some(bytes) = line.bytes {
            counters.add(at, 0, bytes);
        }
        if let (Some(flop), Ok(path)) = (line.flop, paths.binary_search(&line.path)) {
            counters.add(at, path + 1, flop);
        }
        kernels.push(line.kernel);
    }
    let traffic = Formula {
        note: "as TraceLens models it; its MB are MiB".to_owned(),
        ..Formula::single(Target::Traffic(Level::Dram), 1.0, vec![Factor::of(0)])
    };
    let work = paths.iter().enumerate().map(|(at, path)| Formula {
        note: "as TraceLens models it; its GFLOPS are a count of 1e9 FLOP".to_owned(),
        ..Formula::single(Target::Work(*path), 1.0, vec![Factor::of(at + 1)])
    });
    Kernels {
        per_second: false,
        waiting: None,
        formulas: std::iter::once(traffic).chain(work).collect(),
        lines: kernels,
        counters,
    }
}
