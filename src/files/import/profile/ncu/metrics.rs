//! What Nsight Compute's metrics mean, under their old and new names, and which to ask for.
use super::units::{self, Measure};
use crate::model::cost::{Level, Path};
use crate::model::format::NumberFormat;

/// The time of a launch.
pub const TIME: &str = "gpu__time_duration.sum";

/// What brings DRAM traffic.
pub const DRAM: [&str; 2] = ["dram__bytes_read.sum", "dram__bytes_write.sum"];

/// Work of one thread-level instruction, in FLOP, as Nsight Compute's own roofline weighs them; half precision and the
/// packed forms do two at once.
pub const OPERATIONS: [(&str, NumberFormat, f64); 12] = [
    ("dadd", NumberFormat::FP64, 1.0),
    ("dmul", NumberFormat::FP64, 1.0),
    ("dfma", NumberFormat::FP64, 2.0),
    ("fadd", NumberFormat::FP32, 1.0),
    ("fmul", NumberFormat::FP32, 1.0),
    ("ffma", NumberFormat::FP32, 2.0),
    ("fadd2", NumberFormat::FP32, 2.0),
    ("fmul2", NumberFormat::FP32, 2.0),
    ("ffma2", NumberFormat::FP32, 4.0),
    ("hadd", NumberFormat::FP16, 2.0),
    ("hmul", NumberFormat::FP16, 2.0),
    ("hfma", NumberFormat::FP16, 4.0),
];

/// The counter of an operation.
pub fn counter_of(operation: &str) -> String {
    format!("smsp__sass_thread_inst_executed_op_{operation}_pred_on.sum")
}

/// A way to add traffic up: counters, what one of each is in B, and whether it must be there.
pub struct Recipe {
    pub level: Level,
    pub parts: &'static [(&'static str, f64, bool)],
    /// What it rests on.
    pub note: &'static str,
}

const SECTOR: f64 = 32.0;
const SECTORS: &str = "a sector is 32 B";

/// Ways to add traffic up, the best of each level first.
pub const RECIPES: [Recipe; 12] = [
    recipe(
        Level::Dram,
        &[
            ("dram__bytes_read.sum", 1.0, true),
            ("dram__bytes_write.sum", 1.0, true),
        ],
        "",
    ),
    recipe(
        Level::Dram,
        &[
            ("dram__bytes_op_read.sum", 1.0, true),
            ("dram__bytes_op_write.sum", 1.0, true),
        ],
        "",
    ),
    recipe(Level::Dram, &[("dram__bytes.sum", 1.0, true)], ""),
    recipe(
        Level::Dram,
        &[
            ("dram__sectors_read.sum", SECTOR, true),
            ("dram__sectors_write.sum", SECTOR, true),
        ],
        SECTORS,
    ),
    recipe(
        Level::Dram,
        &[
            ("dram__sectors_op_read.sum", SECTOR, true),
            ("dram__sectors_op_write.sum", SECTOR, true),
        ],
        SECTORS,
    ),
    recipe(Level::Dram, &[("dram__sectors.sum", SECTOR, true)], SECTORS),
    recipe(Level::L2, &[("lts__t_bytes.sum", 1.0, true)], ""),
    recipe(Level::L2, &[("lts__t_sectors.sum", SECTOR, true)], SECTORS),
    recipe(
        Level::L2,
        &[
            ("lts__t_sectors_op_read.sum", SECTOR, true),
            ("lts__t_sectors_op_write.sum", SECTOR, true),
            ("lts__t_sectors_op_atom.sum", SECTOR, false),
            ("lts__t_sectors_op_red.sum", SECTOR, false),
        ],
        SECTORS,
    ),
    recipe(Level::L1, &[("l1tex__t_bytes.sum", 1.0, true)], ""),
    recipe(
        Level::L1,
        &[("l1tex__t_sectors.sum", SECTOR, true)],
        SECTORS,
    ),
    recipe(
        Level::L1,
        &[
            (
                "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                SECTOR,
                true,
            ),
            (
                "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                SECTOR,
                true,
            ),
            (
                "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
                SECTOR,
                false,
            ),
            (
                "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
                SECTOR,
                false,
            ),
            (
                "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
                SECTOR,
                false,
            ),
            (
                "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
                SECTOR,
                false,
            ),
        ],
        "a sector is 32 B; only global and local memory are counted, not shared memory",
    ),
];

const fn recipe(
    level: Level,
    parts: &'static [(&'static str, f64, bool)],
    note: &'static str,
) -> Recipe {
    Recipe { level, parts, note }
}

/// DRAM traffic as the details page gives it: a rate, named without `dram`.
pub const THROUGHPUT: &str = "Memory Throughput";

/// DRAM traffic as a percentage of the peak.
pub const SHARE: &str = "DRAM share of the peak";

/// The same where the bus is not known: bytes for each of its bits.
pub const SHARE_PER_BIT: &str = "DRAM bytes per bit of the bus";

/// What is said of a kernel whose work is unknown since only instructions of the matrix unit were counted.
pub const MATRIX_USED: &str = "the matrix unit ran, and its work is not in the file";

/// How a value tells of a counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum How {
    Counted,
    /// Times the time of the launch.
    PerSecond,
    /// Times its cycles.
    PerCycle,
}

/// A device's attribute that is of use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Attribute {
    Name,
    BusBits,
    MemoryKilohertz,
    Units,
    ClockKilohertz,
    L2Bytes,
    MemoryBytes,
    Major,
    Minor,
}

/// What a metric tells.
#[derive(Debug, Clone, PartialEq)]
pub enum Meaning {
    Nothing,
    /// In s after multiplying.
    Time(f64),
    Cycles(f64),
    ComputeClock(f64),
    MemoryClock(f64),
    /// A counter's own name, how the value tells of it, and what the value is multiplied by.
    Counter(String, How, f64),
    /// Of the matrix unit: whether it ran, not how much it did.
    MatrixUsed,
    ShareOfDram,
    L2HitRate,
    Attribute(Attribute),
    Block,
    Grid,
    /// One of the above, were its unit known.
    StrangeUnit(StrangeUnit),
}

/// A metric of use whose unit is none that is known.
#[derive(Debug, Clone, PartialEq)]
pub struct StrangeUnit {
    pub metric: String,
    pub unit: String,
    /// What it would be with one of `units`.
    pub of: Kind,
    /// Units it could have.
    pub units: &'static str,
}

/// What a metric is needed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Time,
    Traffic,
    Work,
    Other,
}

/// Units of every measure that is of use, the first of which stands for all.
const UNITS: [&str; 6] = [
    "ns, us, ms, s",
    "byte, Kbyte, Mbyte, Gbyte",
    "byte/s, Gbyte/s",
    "inst, sector, cycle",
    "%",
    "Hz, Mhz, Ghz",
];

/// What a metric of this name and unit means.
pub fn meaning(name: &str, unit: &str) -> Meaning {
    let name = name.trim();
    let meaning = in_unit(name, unit);
    if meaning != Meaning::Nothing || units::read(unit).0 != Measure::Other {
        return meaning;
    }
    let known = UNITS.into_iter().find_map(|units| {
        let first = units.split(',').next().unwrap_or_default();
        let of = match in_unit(name, first) {
            Meaning::Nothing => return None,
            Meaning::Time(_) => Kind::Time,
            Meaning::Counter(base, ..) if base.contains("inst") || base.contains("ops") => {
                Kind::Work
            }
            Meaning::Counter(..) => Kind::Traffic,
            _ => Kind::Other,
        };
        Some(StrangeUnit {
            metric: name.to_owned(),
            unit: unit.trim().to_owned(),
            of,
            units,
        })
    });
    known.map_or(Meaning::Nothing, Meaning::StrangeUnit)
}

fn in_unit(name: &str, unit: &str) -> Meaning {
    let (measure, factor) = units::read(unit);
    if let Some(attribute) = name.strip_prefix("device__attribute_") {
        return attribute_named(attribute).map_or(Meaning::Nothing, Meaning::Attribute);
    }
    match (name, measure) {
        (
            "gpu__time_duration.sum"
            | "gpu__time_duration.avg"
            | "gpu__time_duration.max"
            | "Duration",
            Measure::Second,
        ) => {
            return Meaning::Time(factor);
        }
        (
            "smsp__cycles_elapsed.avg"
            | "sm__cycles_elapsed.avg"
            | "sm__cycles_elapsed.max"
            | "gpc__cycles_elapsed.max"
            | "Elapsed Cycles",
            Measure::Count,
        ) => {
            return Meaning::Cycles(factor);
        }
        (
            "smsp__cycles_elapsed.avg.per_second"
            | "sm__cycles_elapsed.avg.per_second"
            | "gpc__cycles_elapsed.avg.per_second"
            | "SM Frequency",
            Measure::Hertz,
        ) => {
            return Meaning::ComputeClock(factor);
        }
        (
            "dram__cycles_elapsed.avg.per_second" | "DRAM Frequency" | "Memory Frequency",
            Measure::Hertz,
        ) => {
            return Meaning::MemoryClock(factor);
        }
        ("Memory Throughput", Measure::BytePerSecond) => {
            return Meaning::Counter(THROUGHPUT.to_owned(), How::PerSecond, factor);
        }
        (
            "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"
            | "dram__throughput.avg.pct_of_peak_sustained_elapsed"
            | "DRAM Throughput"
            | "SOL FB"
            | "SOL DRAM",
            Measure::Percent,
        ) => {
            return Meaning::ShareOfDram;
        }
        ("lts__t_sector_hit_rate.pct" | "L2 Hit Rate", Measure::Percent) => {
            return Meaning::L2HitRate;
        }
        ("Block Size", _) => return Meaning::Block,
        ("Grid Size", _) => return Meaning::Grid,
        _ => {}
    }
    counted(name, measure, factor)
}

fn attribute_named(name: &str) -> Option<Attribute> {
    Some(match name {
        "display_name" => Attribute::Name,
        "global_memory_bus_width" | "fb_bus_width" => Attribute::BusBits,
        "memory_clock_rate" | "max_mem_frequency_khz" => Attribute::MemoryKilohertz,
        "multiprocessor_count" => Attribute::Units,
        "clock_rate" | "max_gpu_frequency_khz" => Attribute::ClockKilohertz,
        "l2_cache_size" => Attribute::L2Bytes,
        "total_memory" => Attribute::MemoryBytes,
        "compute_capability_major" => Attribute::Major,
        "compute_capability_minor" => Attribute::Minor,
        _ => return None,
    })
}

/// A counter of work or traffic, however it is rolled up.
fn counted(name: &str, measure: Measure, factor: f64) -> Meaning {
    // A derived metric of the whole SM is a peak; of its parts, the rate times the weight in its name.
    if let Some(inner) = name.strip_prefix("derived__smsp__sass_thread_inst_executed_op_") {
        let parts = inner.rsplit_once("_pred_on_x");
        let weight = parts
            .and_then(|(_, weight)| weight.parse::<f64>().ok())
            .filter(|weight| *weight > 0.0);
        return match (parts.and_then(|(operation, _)| known(operation)), weight) {
            (Some(operation), Some(weight)) => {
                Meaning::Counter(counter_of(operation), How::PerCycle, factor / weight)
            }
            _ => Meaning::Nothing,
        };
    }
    let (base, how) = match (
        name.strip_suffix(".per_second"),
        name.strip_suffix(".per_cycle_elapsed"),
    ) {
        (Some(base), _) => (base, How::PerSecond),
        (_, Some(base)) => (base, How::PerCycle),
        _ => (name, How::Counted),
    };
    let fits = match how {
        How::Counted => matches!(measure, Measure::Count | Measure::Byte),
        How::PerSecond => matches!(measure, Measure::BytePerSecond | Measure::CountPerSecond),
        How::PerCycle => true,
    };
    if is_matrix_use(name) {
        return Meaning::MatrixUsed;
    }
    let is_traffic = RECIPES
        .iter()
        .any(|recipe| recipe.parts.iter().any(|part| part.0 == base));
    if fits && (is_traffic || matrix_work(base).is_some()) {
        return Meaning::Counter(base.to_owned(), how, factor);
    }
    let operation = ["smsp__", "sm__"]
        .iter()
        .find_map(|unit| base.strip_prefix(unit));
    let operation = operation.and_then(|rest| rest.strip_prefix("sass_thread_inst_executed_op_"));
    let operation = operation.and_then(|rest| rest.strip_suffix("_pred_on.sum"));
    match operation.and_then(known) {
        Some(operation) if fits => Meaning::Counter(counter_of(operation), how, factor),
        _ => Meaning::Nothing,
    }
}

fn known(operation: &str) -> Option<&'static str> {
    let found = OPERATIONS.iter().find(|(name, ..)| *name == operation);
    found.map(|(name, ..)| *name)
}

/// Instructions or busy cycles of the matrix unit, whose work per instruction depends on a shape that is not told.
fn is_matrix_use(name: &str) -> bool {
    let inner = ["sm__", "smsp__"]
        .iter()
        .find_map(|unit| name.strip_prefix(unit));
    let starts = [
        "inst_executed_pipe_tensor",
        "inst_executed_pipe_tc",
        "pipe_tensor",
        "pipe_tc_cycles",
        "sass_inst_executed_op_hmma",
        "sass_inst_executed_op_utcmma",
        "sass_inst_executed_op_shared_gmma",
    ];
    inner.is_some_and(|inner| starts.iter().any(|start| inner.starts_with(start)))
}

/// What a counter of matrix operations counts.
#[derive(Debug, Clone, PartialEq)]
pub struct MatrixWork<'a> {
    pub path: Path,
    /// The operands, and the result if it is named.
    pub from: &'a str,
    pub to: Option<&'a str>,
    pub sparsity: Option<bool>,
    /// Whether only one kind of instruction is counted, such as `hgmma`.
    pub of_one_kind: bool,
}

/// What `sm__ops_path_tensor_src_bf16_dst_fp32.sum` and its like count: operations, an FMA being two.
pub fn matrix_work(name: &str) -> Option<MatrixWork<'_>> {
    let inner = name
        .strip_prefix("sm__ops_path_tensor_")?
        .strip_suffix(".sum")?;
    let (before, inner) = inner.split_once("src_")?;
    let (inner, sparsity) = match (
        inner.strip_suffix("_sparsity_on"),
        inner.strip_suffix("_sparsity_off"),
    ) {
        (Some(inner), _) => (inner, Some(true)),
        (_, Some(inner)) => (inner, Some(false)),
        _ => (inner, None),
    };
    let (from, to) = match inner.split_once("_dst_") {
        Some((from, to)) => (from, Some(to)),
        None => (inner, None),
    };
    // Operands of several formats go at the rate of the widest, which is named last: `fp4_fp6_fp8`.
    let widest = from.rsplit('_').next().unwrap_or(from);
    let format: NumberFormat = widest.parse().ok()?;
    let narrow = format == NumberFormat::FP16 && to == Some("fp16");
    let accumulator = narrow.then_some(NumberFormat::FP16);
    Some(MatrixWork {
        path: Path {
            accumulator,
            ..Path::matrix(format)
        },
        from,
        to,
        sparsity,
        of_one_kind: !before.is_empty(),
    })
}

/// The command that brings all that a kernel needs, so that one file has it together.
pub fn command() -> String {
    let mut metrics = vec![TIME.to_owned()];
    metrics.extend(DRAM.map(str::to_owned));
    let single = OPERATIONS.iter().filter(|(name, ..)| !name.ends_with('2'));
    metrics.extend(single.map(|(name, ..)| counter_of(name)));
    format!(
        "ncu --csv --page raw --print-units base --clock-control none --metrics {} PROGRAM",
        metrics.join(",")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_every_age_are_known() {
        let counter = |name: &str, how, factor| Meaning::Counter(name.to_owned(), how, factor);
        let ffma = counter_of("ffma");
        let cases = [
            ("gpu__time_duration.sum", "nsecond", Meaning::Time(1e-9)),
            ("Duration", "us", Meaning::Time(1e-6)),
            (
                "dram__bytes_read.sum",
                "Kbyte",
                counter("dram__bytes_read.sum", How::Counted, 1e3),
            ),
            (
                "dram__bytes_op_read.sum",
                "byte",
                counter("dram__bytes_op_read.sum", How::Counted, 1.0),
            ),
            (
                "dram__bytes.sum.per_second",
                "Gbyte/second",
                counter("dram__bytes.sum", How::PerSecond, 1e9),
            ),
            (
                "sm__sass_thread_inst_executed_op_ffma_pred_on.sum",
                "inst",
                counter(&ffma, How::Counted, 1.0),
            ),
            (
                "derived__smsp__sass_thread_inst_executed_op_ffma_pred_on_x2",
                "",
                counter(&ffma, How::PerCycle, 0.5),
            ),
            // Of the whole SM it is the peak.
            (
                "derived__sm__sass_thread_inst_executed_op_ffma_pred_on_x2",
                "",
                Meaning::Nothing,
            ),
            ("Memory Throughput", "%", Meaning::Nothing),
            ("SOL FB", "%", Meaning::ShareOfDram),
            (
                "lts__t_bytes.avg.pct_of_peak_sustained_elapsed",
                "%",
                Meaning::Nothing,
            ),
            (
                "sm__inst_executed_pipe_tensor_op_hmma.sum",
                "inst",
                Meaning::MatrixUsed,
            ),
        ];
        for (name, unit, expected) in cases {
            assert_eq!(meaning(name, unit), expected, "{name}");
        }
        let half = matrix_work("sm__ops_path_tensor_src_fp16_dst_fp16_sparsity_off.sum").unwrap();
        assert_eq!(half.path.to_string(), "FP16 matrix, FP16 accumulate");
        assert_eq!(half.sparsity, Some(false));
        assert_eq!(matrix_work("sm__ops_path_tensor_src_int1.sum"), None);
    }
}
