//! A mapping guessed from headers: what usual columns are called, and tables of known programs whose units mislead.
use super::draft::Part;
use super::unit::{Dimension, Unit};
use super::{Column, Mapping, Traffic, Work};
use crate::model::cost::{Level, Path};
use crate::model::format::NumberFormat;

/// Headers of columns that name kernels, the most telling first.
const NAMES: [&str; 18] = [
    "kernel name",
    "kernel_name",
    "kernel",
    "name",
    "label",
    "function call sites and loops",
    "op type",
    "operation",
    "operator",
    "op",
    "benchmark",
    "test name",
    "test",
    "function",
    "region",
    "implementation",
    "workload",
    "layer",
];

/// Headers of columns that belong to the name or tell launches apart.
const LAUNCH: [&str; 24] = [
    "variant",
    "problem_size",
    "m",
    "n",
    "k",
    "size",
    "shape",
    "dimension",
    "block_size",
    "block size",
    "grid size",
    "tile_dim",
    "batch_size",
    "batch",
    "kv_len",
    "seq_len",
    "dtype",
    "kv_dtype",
    "dataset",
    "kernel id",
    "launch",
    "device",
    "configuration",
    "iteration",
];

/// Headers of times, the best first: a mean is what most rates in such tables are of.
const TIMES: [&str; 16] = [
    "mean",
    "time mean",
    "avg",
    "average",
    "self elapsed",
    "time",
    "gpu time",
    "duration",
    "latency",
    "kernel execution time",
    "execution time",
    "elapsed time",
    "runtime",
    "kernel time",
    "self time",
    "median",
];

/// Words in headers of profilers' tables.
const PROFILED: [&str; 4] = ["occupancy", "hit rate", "throughput", "ipc"];

/// A header in small letters without its unit, and the unit.
struct Header<'a> {
    column: &'a str,
    words: String,
    unit: Option<Unit>,
    /// The unit as it is to be written in the mapping.
    text: String,
}

/// Whether a column of this header says that this is the header of measurements.
pub fn is_name(column: &str) -> bool {
    let header = read(column);
    NAMES.contains(&column.trim().to_lowercase().as_str()) || header.unit.is_some()
}

/// The unit a header says its numbers are in.
pub fn unit_of(column: &str) -> Option<String> {
    let header = read(column);
    header.unit.map(|_| header.text)
}

/// What the columns most likely are; `None` where nothing measured is among them.
pub fn guess(columns: &[String]) -> Option<Mapping> {
    if let Some(known) = known(columns) {
        return Some(known);
    }
    let mapping = likely(columns);
    let rates = mapping
        .work
        .iter()
        .any(|work| is_of(&work.unit, Dimension::WorkRate));
    // Kernels of which only percentages are known are listed too, with what is missing.
    let profiled = |column: &String| {
        PROFILED
            .iter()
            .any(|word| column.to_lowercase().contains(word))
    };
    let useful = mapping.time.is_some() || rates || columns.iter().any(profiled);
    (useful && !mapping.name.is_empty()).then_some(mapping)
}

/// What of the columns can be told by their headers, be it enough or not.
pub fn likely(columns: &[String]) -> Mapping {
    let headers: Vec<_> = columns.iter().map(|column| read(column)).collect();
    let mut mapping = Mapping {
        name: names(columns),
        launch: launches(columns),
        time: time(&headers),
        ..Mapping::default()
    };
    mapping.work = work(&headers);
    mapping.traffic = traffic(&headers);
    let algorithmic = |traffic: &Traffic| traffic.column.to_lowercase().contains("theoretical");
    if mapping.traffic.iter().any(algorithmic) {
        mapping.byte_source = Some("algorithmic".to_owned());
    }
    let counted = |traffic: &Traffic| matches!(traffic.unit.as_str(), "transactions" | "sectors");
    if mapping.traffic.iter().any(counted) {
        mapping.byte_source = Some("counter".to_owned());
    }
    if mapping.name.is_empty() {
        mapping.name = mapping
            .launch
            .drain(..mapping.launch.len().min(1))
            .collect();
    }
    mapping
}

fn is_of(unit: &str, dimension: Dimension) -> bool {
    Unit::read(unit).is_some_and(|unit| unit.dimension == dimension)
}

/// The unit in brackets, or behind the last underscore or blank.
fn read(column: &str) -> Header<'_> {
    let trimmed = column.trim();
    let lower = trimmed.to_lowercase();
    // What is counted per second is no time.
    let rate = ["per second", "per_second", "per sec", "per_sec"];
    if let Some(before) = rate.iter().find_map(|ending| lower.strip_suffix(ending)) {
        let before = before.trim_end_matches([' ', '_', '.']);
        let (words, unit) = before.rsplit_once([' ', '_', '.']).unwrap_or(("", before));
        let text = format!("{unit}/s");
        return Header {
            column,
            words: words.replace('_', " "),
            unit: Unit::read(&text),
            text,
        };
    }
    let bracket = trimmed.rfind(['(', '[']).map(|at| {
        (
            &trimmed[..at],
            trimmed[at + 1..].trim_end_matches([')', ']', ' ']),
        )
    });
    let last = trimmed.rsplit_once(['_', ' ']);
    let whole = Some(("", trimmed));
    for (before, text) in [bracket, last, whole].into_iter().flatten() {
        // A lone letter is a dimension of a matrix, not bytes or seconds, unless brackets say so.
        if text.len() < 2 && bracket.is_none() {
            continue;
        }
        if let Some(unit) = Unit::read(text) {
            return Header {
                column,
                words: before.trim().to_lowercase().replace('_', " "),
                unit: Some(unit),
                text: text.to_owned(),
            };
        }
    }
    let is_intensity = lower.contains("intensity") || lower == "ai";
    Header {
        column,
        words: lower.replace('_', " "),
        unit: if is_intensity {
            Unit::read("FLOP/B")
        } else {
            None
        },
        text: if is_intensity {
            "FLOP/B".to_owned()
        } else {
            String::new()
        },
    }
}

/// What to say of a header that names something measured in a unit that is none; `None` of any other header.
pub fn unknown_unit(column: &str) -> Option<String> {
    let (words, unit) = bracketed(column)?;
    let units = match words.as_str() {
        words if TIMES.iter().any(|time| words.ends_with(time)) => Part::Time.units(),
        words if words.contains("byte") || words.contains("traffic") => Part::Traffic.units(),
        words if words.contains("bandwidth") => Part::TrafficRate.units(),
        words if words.contains("flop") => Part::Work.units(),
        _ => return None,
    };
    Some(format!(
        "{unit:?}, of {column:?}, is no unit known here, which are {} and the like: write one into the header, or say in a \
         mapping what one is",
        units.join(", ")
    ))
}

/// The words of a header, in small letters, and the text in brackets behind them that is no unit known.
pub fn bracketed(column: &str) -> Option<(String, &str)> {
    let trimmed = column.trim();
    let at = trimmed.rfind(['(', '['])?;
    let unit = trimmed[at + 1..].trim_end_matches([')', ']', ' ']).trim();
    let is_word = unit.starts_with(char::is_alphabetic);
    let words = trimmed[..at].trim().to_lowercase().replace('_', " ");
    (is_word && Unit::read(unit).is_none()).then_some((words, unit))
}

fn names(columns: &[String]) -> Vec<String> {
    let lower = |column: &String| column.trim().to_lowercase();
    let best = NAMES
        .iter()
        .find_map(|name| columns.iter().find(|column| lower(column) == *name));
    best.into_iter().cloned().collect()
}

fn launches(columns: &[String]) -> Vec<String> {
    let is = |column: &&String| LAUNCH.contains(&column.trim().to_lowercase().as_str());
    columns.iter().filter(is).cloned().collect()
}

fn time(headers: &[Header<'_>]) -> Option<Column> {
    let times = || {
        headers.iter().filter(|header| {
            header
                .unit
                .is_some_and(|unit| unit.dimension == Dimension::Time)
        })
    };
    let named = TIMES
        .iter()
        .find_map(|name| times().find(|header| header.words == *name));
    let ending = || {
        TIMES
            .iter()
            .find_map(|name| times().find(|header| header.words.ends_with(name)))
    };
    let sole = || times().next().filter(|_| times().count() == 1);
    // Intel Advisor writes the unit behind the number.
    let bare = || {
        headers
            .iter()
            .find(|header| matches!(header.words.as_str(), "self elapsed time" | "self time"))
    };
    let found = named.or_else(ending).or_else(sole);
    match found {
        Some(header) => Some(column(header)),
        None => bare().map(|header| Column {
            column: header.column.to_owned(),
            unit: "s".to_owned(),
        }),
    }
}

fn column(header: &Header<'_>) -> Column {
    Column {
        column: header.column.to_owned(),
        unit: header.text.clone(),
    }
}

fn path(words: &str) -> Path {
    let has = |part: &str| {
        words
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| word == part)
    };
    let formats = [
        (["dp", "double", "fp64"], NumberFormat::FP64),
        (["sp", "single", "fp32"], NumberFormat::FP32),
        (["hp", "half", "fp16"], NumberFormat::FP16),
        (["bf16", "bf16", "bf16"], NumberFormat::BF16),
    ];
    let format = formats
        .iter()
        .find(|(names, _)| names.iter().any(|name| has(name)));
    let format = format.map_or(NumberFormat::FP32, |(_, format)| *format);
    match has("tensor") || has("matrix") || format == NumberFormat::BF16 {
        true => Path::matrix(format),
        false => Path::vector(format),
    }
}

/// A count of work, else a rate of it.
fn work(headers: &[Header<'_>]) -> Vec<Work> {
    let unwanted = [
        "peak",
        "theoretical peak",
        "intensity",
        "total gflop",
        "int",
    ];
    let of = |dimension| {
        headers.iter().find(move |header| {
            let fits = header.unit.is_some_and(|unit| unit.dimension == dimension);
            fits && !unwanted.iter().any(|word| header.words.starts_with(word))
        })
    };
    let found = of(Dimension::Work).or_else(|| of(Dimension::WorkRate));
    let work = found.map(|header| Work {
        column: header.column.to_owned(),
        unit: header.text.clone(),
        path: path(&header.words),
    });
    work.into_iter().collect()
}

fn level(words: &str) -> Option<Level> {
    let has = |part: &str| {
        words
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| word == part)
    };
    match () {
        () if has("l1") || has("shared") => Some(Level::L1),
        () if has("l2") => Some(Level::L2),
        () if has("llc") || has("l3") || has("mall") => Some(Level::Llc),
        () if has("dram") || has("hbm") || has("memory") || has("mem") => Some(Level::Dram),
        () => None,
    }
}

/// Traffic per level: a total, else what is read and written; else a rate; else an intensity.
fn traffic(headers: &[Header<'_>]) -> Vec<Traffic> {
    let mut found: Vec<Traffic> = Vec::new();
    for dimension in [
        Dimension::Traffic,
        Dimension::TrafficRate,
        Dimension::Intensity,
    ] {
        for wanted in [Level::Dram, Level::L2, Level::L1, Level::Llc] {
            if found.iter().any(|traffic| traffic.level == wanted) {
                continue;
            }
            let of_level = |header: &&Header<'_>| {
                let fits = header.unit.is_some_and(|unit| unit.dimension == dimension);
                // Inputs, outputs, sizes of caches and per-request figures are no traffic of a kernel.
                let other = [
                    "input",
                    "output",
                    "shmem",
                    "size",
                    "peak",
                    "gmem",
                    "capacity",
                    "number of",
                    "global memory",
                ];
                let of = level(&header.words).or((wanted == Level::Dram).then_some(Level::Dram));
                fits && of == Some(wanted)
                    && !other.iter().any(|word| header.words.starts_with(word))
            };
            let all: Vec<_> = headers.iter().filter(of_level).collect();
            let total = all.iter().find(|header| header.words.contains("total"));
            let parts = all
                .iter()
                .filter(|header| header.words.contains("read") || header.words.contains("write"));
            let parts: Vec<_> = parts.collect();
            let chosen: Vec<_> = match total {
                Some(total) => vec![*total],
                None if parts.len() == 2 => parts.into_iter().copied().collect(),
                None => all.into_iter().take(1).collect(),
            };
            found.extend(chosen.into_iter().map(|header| Traffic {
                column: header.column.to_owned(),
                unit: header.text.clone(),
                level: wanted,
            }));
        }
    }
    found
}

/// Tables of programs whose headers do not mean what they say.
fn known(columns: &[String]) -> Option<Mapping> {
    let has = |names: &[&str]| {
        names
            .iter()
            .all(|name| columns.iter().any(|column| column == name))
    };
    let text = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let one = |column: &str, unit: &str| Column {
        column: column.to_owned(),
        unit: unit.to_owned(),
    };
    let traffic = |column: &str, unit: &str, level| Traffic {
        column: column.to_owned(),
        unit: unit.to_owned(),
        level,
    };
    let work = |column: &str, unit: &str, path| Work {
        column: column.to_owned(),
        unit: unit.to_owned(),
        path,
    };
    let half = Path::matrix(NumberFormat::BF16);
    if has(&[
        "Op Type",
        "Num ops (MFLOP)",
        "Total Data (MB)",
        "Latency (msec)",
    ]) {
        return Some(Mapping {
            name: text(&["Op Type"]),
            launch: text(&["Dimension"]),
            time: Some(one("Latency (msec)", "ms")),
            work: vec![work("Num ops (MFLOP)", "MFLOP", half)],
            traffic: vec![traffic("Total Data (MB)", "MiB", Level::Dram)],
            byte_source: Some("algorithmic".to_owned()),
            note: Some("this is a table of GenZ, whose MB are MiB: 1,048,576 B".to_owned()),
            ..Mapping::default()
        });
    }
    if has(&["Self Elapsed Time", "Self GFLOP", "Self Memory GB"]) {
        let name = ["Function Call Sites and Loops", "ID"]
            .into_iter()
            .find(|name| has(&[name]))?;
        return Some(Mapping {
            name: text(&[name]),
            time: Some(one("Self Elapsed Time", "s")),
            work: vec![work("Self GFLOP", "GFLOP", Path::vector(NumberFormat::FP64))],
            traffic: vec![traffic("Self Memory GB", "GB", Level::L1)],
            byte_source: Some("counter".to_owned()),
            note: Some(
                "this is a table of Intel Advisor: its memory traffic is between the core and all of memory, which is \
                 shown at L1, and its FLOP are taken for FP64 vector"
                    .to_owned(),
            ),
            ..Mapping::default()
        });
    }
    None
}
