//! What is told of a file of Nsight Compute: how it was read, what is odd, and what brings what is missing.
use super::collect::Collector;
use super::metrics::{self, Attribute, Kind};
use crate::files::import::profile::{ReadProfile, check};
use crate::model::format::NumberFormat;
use crate::model::profile::{Kernels, Target};
use crate::model::units::{self, Unit};

/// How the sentence begins that says why a share of the peak gives no traffic.
pub const BUS_UNKNOWN: &str = "the share of the DRAM peak is known";

/// Clocks that differ by more than this share of the mean are told.
const STEADY: f64 = 0.05;

/// Adds the notes and warnings of a file whose kernels are read.
pub fn tell(collector: &Collector, refused: u64, partial: usize, profile: &mut ReadProfile) {
    profile.warnings.extend(check::refused(refused));
    for formula in &profile.kernels.formulas {
        let text = formula.text(&profile.kernels.counters);
        profile.notes.push(match formula.note.is_empty() {
            true => text,
            false => format!("{text}; {}", formula.note),
        });
    }
    profile.notes.extend(check::value(&profile.kernels));
    strange(collector, profile);
    missing(collector, profile);
    odd(collector, partial, profile);
}

fn has(kernels: &Kernels, is: impl Fn(Target) -> bool) -> bool {
    let lines = 0..kernels.lines.len();
    let mut formulas = kernels.formulas.iter().filter(|formula| is(formula.target));
    formulas.any(|formula| {
        lines
            .clone()
            .any(|line| formula.value(&kernels.counters, line).is_some())
    })
}

/// What is there and cannot be used, since nobody knows how large it is.
fn strange(collector: &Collector, profile: &mut ReadProfile) {
    let told = collector.strange.iter().map(|strange| {
        format!(
            "{:?}, the unit of {}, is no unit known here, which are {}: correct it in the file, or profile again with \
             --print-units base",
            strange.unit, strange.metric, strange.units
        )
    });
    profile.warnings.extend(told);
}

fn missing(collector: &Collector, profile: &mut ReadProfile) {
    // What has a strange unit is in the file, and told already.
    let is_there = |kind| collector.strange.iter().any(|strange| strange.of == kind);
    let time = collector.with_time == 0 && !is_there(Kind::Time);
    let traffic = !is_there(Kind::Traffic)
        && !has(&profile.kernels, |target| {
            matches!(target, Target::Traffic(_))
        });
    let work =
        !is_there(Kind::Work) && !has(&profile.kernels, |target| matches!(target, Target::Work(_)));
    if !time && !traffic && !work {
        return;
    }
    let mut what = Vec::new();
    if time {
        what.push(format!("no time ({})", metrics::TIME));
    }
    if traffic {
        let [read, write] = metrics::DRAM;
        what.push(format!(
            "no memory traffic ({read} and {write}, on newer devices dram__bytes_op_read.sum and dram__bytes_op_write.sum)"
        ));
    }
    if work {
        what.push(format!(
            "no FLOP counters ({} and its like)",
            metrics::counter_of("ffma")
        ));
    }
    profile.warnings.push(format!(
        "the file has {}: collect it with `{}` (`ridgepoint recipe ncu` adds the matrix unit), or give it by hand",
        what.join(", "),
        metrics::command()
    ));
    if let (true, Some((share, Some(clock), Some(time)))) = (traffic, collector.share) {
        profile.warnings.push(format!(
            "{BUS_UNKNOWN}, {} in the first launch, but not how wide the bus is: name a GPU that has a memory bus with --gpu, or, with B bits, \
             DRAM bytes = {share:.4} · 2 · {} · B ÷ 8 · {}",
            units::percent(share),
            units::short(clock, Unit::Hertz),
            units::short(time, Unit::Second),
        ));
    }
}

fn odd(collector: &Collector, partial: usize, profile: &mut ReadProfile) {
    let warnings = &mut profile.warnings;
    if collector.with_time > 0 {
        warnings.push(
            "times were taken under the profiler, which can slow kernels down: replace them by unprofiled ones where there are \
             some"
                .to_owned(),
        );
    }
    if partial > 0 {
        warnings.push(format!(
            "{partial} lines have launches that lack a metric others have: that metric is missing there"
        ));
    }
    if let Some(kernel) = &collector.matrix_kernel {
        warnings.push(format!(
            "{} launches use the matrix unit, or are named after it, and the work of its instructions is not told, in {} for one: \
             collect sm__ops_path_tensor_src_bf16_dst_fp32.sum, or the like for the operands (`ridgepoint recipe ncu` lists \
             them), or give the work by hand",
            collector.matrix_unknown,
            check::quoted(kernel)
        ));
    }
    if collector.l2_hit_rate > 100.0 {
        warnings.push(format!(
            "an L2 hit rate of {:.2} % stands in the file: the profiler estimates it from several passes",
            collector.l2_hit_rate
        ));
    }
    packed(collector, profile);
    let clocks = [
        (
            "compute",
            &collector.compute_clock,
            "each kernel is held against roofs at its own",
        ),
        (
            "memory",
            &collector.memory_clock,
            "the roof of the memory is the nominal one for all",
        ),
    ];
    for (name, mean, what) in clocks {
        let Some(value) = mean.value() else { continue };
        if mean.most - mean.least > STEADY * value {
            profile.warnings.push(format!(
                "the {name} clock is between {} and {}, its mean over time {}: {what}",
                units::short(mean.least, Unit::Hertz),
                units::short(mean.most, Unit::Hertz),
                units::short(value, Unit::Hertz)
            ));
        }
    }
}

/// Devices from 10.0 on have instructions for two FP32 operations at once, which have counters of their own.
fn packed(collector: &Collector, profile: &mut ReadProfile) {
    let major = collector.attribute_value(Attribute::Major);
    let counts = |operation| {
        let counter = metrics::counter_of(operation);
        collector
            .columns
            .iter()
            .any(|column| column.base == counter)
    };
    if major.is_some_and(|major| major >= 10.0) && counts("ffma") && !counts("ffma2") {
        profile.warnings.push(format!(
            "{} is not in the file: this device may do {} operations in pairs, which are not counted then",
            metrics::counter_of("ffma2"),
            NumberFormat::FP32
        ));
    }
}
