//! GPUs beside each other: a row each for one workload, and which of two is faster at which intensity.
use super::cost::{Level, Path};
use super::gpu::{Basis, Gpu, JudgedBy, Sourced};
use super::ids::GpuId;
use super::placement::{Assumptions, Resource};
use super::quantity::{ByteRate, FlopRate, Intensity, Seconds};
use super::session::Workload;
use super::sweep::{self, ComputeBound};
use super::units::Unit;
use super::workload::Kind;

/// A GPU in the comparison of one workload.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub gpu: GpuId,
    /// The path the workload is judged by there, which may not be the one it wants.
    pub path: Option<Path>,
    pub peak: Option<FlopRate>,
    pub bandwidth: Option<ByteRate>,
    /// How peak and bandwidth are known, where the work asks for them.
    pub bases: [Option<Basis>; 2],
    pub ridge: Option<Intensity>,
    pub time: Option<Seconds>,
    /// Time on the active GPU ÷ time here: above 1 is faster than the active one.
    pub speed: Option<f64>,
    /// From which value of the parameter of [`turns_by`] on the workload is compute-bound there.
    pub compute_bound: Option<ComputeBound>,
    /// The resource that sets the time, or why there is none.
    pub decides: String,
}

/// The count that makes a workload compute-bound as it grows: what dragging along the intensities changes.
pub fn turns_by(kind: &Kind) -> Option<&str> {
    let parameter = kind.family().drag_parameter()?;
    let unit = sweep::parameter_unit(kind, parameter).ok()?;
    (unit == Unit::One).then_some(parameter)
}

/// Places a workload on each GPU; `active` is the one speeds are relative to.
pub fn rows(
    workload: &Workload,
    gpus: &[&Gpu],
    active: &Gpu,
    assumptions: Assumptions,
) -> Vec<Row> {
    let reference = workload
        .place_on(active, assumptions)
        .ok()
        .map(|p| p.time());
    let turns = |gpu: &Gpu| {
        let parameter = turns_by(&workload.kind)?;
        Some(sweep::compute_bound_from(
            parameter,
            workload,
            gpu,
            assumptions,
        ))
    };
    gpus.iter()
        .map(|gpu| match workload.place_on(gpu, assumptions) {
            Ok(placement) => Row {
                gpu: gpu.id,
                path: Some(placement.path),
                peak: placement.compute_roof,
                bandwidth: placement.memory_roof,
                bases: [
                    Resource::Compute(placement.path),
                    Resource::Memory(placement.level),
                ]
                .map(|resource| {
                    let term = placement.terms.iter().find(|t| t.resource == resource);
                    term.map(|term| term.basis)
                }),
                ridge: placement.ridge(),
                time: Some(placement.time()),
                speed: reference.map(|time| time.get() / placement.time().get()),
                compute_bound: turns(gpu),
                decides: placement.limiter().resource.name(),
            },
            Err(reason) => Row {
                gpu: gpu.id,
                path: None,
                peak: None,
                bandwidth: None,
                bases: [None; 2],
                ridge: None,
                time: None,
                speed: None,
                compute_bound: None,
                decides: reason.to_string(),
            },
        })
        .collect()
}

/// How much faster one GPU is than another, as a function of intensity.
///
/// The ratio of attainables is the bandwidth ratio left of both ridges, the peak ratio right of both, and between
/// them it goes from one to the other; it crosses 1 at most once.
#[derive(Debug, Clone, PartialEq)]
pub struct Contest {
    pub bandwidth_ratio: f64,
    pub peak_ratio: f64,
    /// The ridge points of the two, the smaller first.
    pub ridges: [f64; 2],
    /// The intensity in FLOP/B at which neither is faster.
    pub crossover: Option<f64>,
    /// What is unlike in the two: another path, a figure known on another basis; empty where nothing is.
    pub unlike: String,
}

/// Compares `other` with `gpu` for work of `path` at a level; above 1 `other` is faster.
///
/// `None` if one of the two has no such roof.
pub fn contest(gpu: &Gpu, other: &Gpu, path: Path, level: Level, by: JudgedBy) -> Option<Contest> {
    let roofs = |gpu: &Gpu| -> Option<(Path, Sourced<FlopRate>, Sourced<ByteRate>)> {
        let compute = gpu.judging_roof(path)?;
        let memory = gpu.memory_roof(level)?.judged(by);
        Some((compute.path, compute.judged(by).clone(), memory.clone()))
    };
    let ((path1, peak1, memory1), (path2, peak2, memory2)) = (roofs(gpu)?, roofs(other)?);
    let (p1, w1) = (peak1.value.get(), memory1.value.get());
    let (p2, w2) = (peak2.value.get(), memory2.value.get());
    let bases = [
        ("peak", peak1.basis, peak2.basis),
        ("bandwidth", memory1.basis, memory2.basis),
    ];
    let mut unlike = Vec::new();
    if path1 != path2 {
        unlike.push(format!("by its {path2}"));
    }
    for (what, one, other) in bases {
        if one != other {
            unlike.push(format!("{} {what} against {}", other.name(), one.name()));
        }
    }
    let (bandwidth_ratio, peak_ratio) = (w2 / w1, p2 / p1);
    let (r1, r2) = (p1 / w1, p2 / w2);
    let crosses = (bandwidth_ratio - 1.0) * (peak_ratio - 1.0) < 0.0;
    // Between the ridges one is on its flat and the other on its slope: equal where that flat meets that slope.
    let crossover = crosses.then(|| if r1 < r2 { p1 / w2 } else { p2 / w1 });
    Some(Contest {
        bandwidth_ratio,
        peak_ratio,
        ridges: [r1.min(r2), r1.max(r2)],
        crossover,
        unlike: unlike.join(", "),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::format::NumberFormat;
    use crate::model::gpu::{ComputeRoof, MemoryRoof};

    fn gpu(peak: f64, bandwidth: f64) -> Gpu {
        let mut gpu = Gpu::empty("GPU");
        let peak = Sourced::theoretical(peak.try_into().unwrap(), "");
        let bandwidth = Sourced::theoretical(bandwidth.try_into().unwrap(), "");
        let path = Path::matrix(NumberFormat::FP16);
        gpu.compute.push(ComputeRoof::new(path, peak));
        gpu.memory.push(MemoryRoof::new(Level::Dram, bandwidth));
        gpu
    }

    #[test]
    fn the_crossover_lies_where_the_attainables_are_equal() {
        let path = Path::matrix(NumberFormat::FP16);
        // More bandwidth, less arithmetic: better on the left, worse on the right.
        let (a, b) = (gpu(990e12, 3.35e12), gpu(500e12, 5e12));
        let contest = contest(&a, &b, path, Level::Dram, JudgedBy::Theoretical).unwrap();
        let at = contest.crossover.unwrap();
        let attainable = |p: f64, w: f64| p.min(w * at);
        let ratio = attainable(500e12, 5e12) / attainable(990e12, 3.35e12);
        assert!((ratio - 1.0).abs() < 1e-12, "{ratio}");
        assert!(contest.ridges[0] <= at && at <= contest.ridges[1]);
    }

    #[test]
    fn a_gpu_better_in_both_has_no_crossover() {
        let path = Path::matrix(NumberFormat::FP16);
        let contest = contest(
            &gpu(312e12, 2e12),
            &gpu(990e12, 3.35e12),
            path,
            Level::Dram,
            JudgedBy::Theoretical,
        );
        assert_eq!(contest.unwrap().crossover, None);
    }

    #[test]
    fn what_is_unlike_is_told_and_each_level_has_its_own_ratio() {
        let (a, mut b) = (gpu(990e12, 3.35e12), gpu(500e12, 5e12));
        b.compute[0].path = Path::matrix(NumberFormat::BF16);
        let path = a.compute[0].path;
        let reached = Sourced::achievable(4e12.try_into().unwrap(), "");
        b.memory[0].achievable = Some(reached);
        let unlike = contest(&a, &b, path, Level::Dram, JudgedBy::Achievable).unwrap();
        assert_eq!(
            unlike.unlike,
            "by its BF16 matrix, achievable bandwidth against theoretical"
        );
        assert!((unlike.bandwidth_ratio - 4.0 / 3.35).abs() < 1e-12);
        assert_eq!(
            contest(&a, &b, path, Level::L2, JudgedBy::Theoretical),
            None
        );
    }
}
