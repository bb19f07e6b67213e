//! How a cost is placed: a term per resource asked, and the time they allow.
use super::{
    Assumptions, Estimate, Launches, Overlap, PlacedOperator, Placement, REALISTIC_LAUNCH,
    Resource, Term, Unplaced,
};
use crate::model::cost::{ComputeUnit, Cost, Level, Operator, Path};
use crate::model::gpu::{Basis, ComputeRoof, Gpu, JudgedBy, MemoryRoof};
use crate::model::quantity::{ByteRate, Count, FlopRate, Flops, Seconds};

/// Places operators that follow one another on `gpu`: their times add.
///
/// A single one is placed as it is. Of several, each is placed alone, and the whole is told by its terms: what each
/// resource is asked in all, the one that decides most of the time first.
pub fn place_all(
    operators: &[Operator],
    gpu: &Gpu,
    assumptions: Assumptions,
    efficiency: f64,
) -> Result<Placement, Unplaced> {
    if let [Operator { count, cost, .. }] = operators
        && *count == 1.0
    {
        return place(cost, gpu, assumptions, efficiency);
    }
    let all = Cost::sum(operators).map_err(|_| Unplaced::TooLarge)?;
    let mut whole = place(&all, gpu, assumptions, efficiency)?;
    let placed: Result<Vec<_>, _> = operators
        .iter()
        .map(|operator| {
            let placement = place(&operator.cost, gpu, assumptions, efficiency)?;
            Ok(PlacedOperator {
                name: operator.name.clone(),
                count: operator.count,
                placement,
            })
        })
        .collect();
    whole.operators = placed?;
    let shares: Vec<_> = whole
        .terms
        .iter()
        .map(|term| whole.time_decided_by(term.resource))
        .collect();
    let mut order: Vec<_> = (0..shares.len()).collect();
    // Stable: among those that decide nothing the longer stays first.
    order.sort_by(|a, b| shares[*b].total_cmp(&shares[*a]));
    whole.terms = order.iter().map(|i| whole.terms[*i].clone()).collect();
    let total = |time: fn(&Placement) -> Seconds| {
        let times = whole
            .operators
            .iter()
            .map(|o| o.count * time(&o.placement).get());
        Seconds::try_from(times.sum::<f64>()).map_err(|_| Unplaced::TooLarge)
    };
    whole.one_number_time = Some(whole.roof_time);
    (whole.roof_time, whole.launch_time) = (total(|p| p.roof_time)?, total(|p| p.launch_time)?);
    (whole.wanted, whole.path) = main_path(&all, &whole.terms);
    whole.level = main_level(&whole.terms);
    whole.traffic = all.traffic_at(whole.level);
    whole.compute_roof = peak_of(&whole.terms).or(whole.compute_roof);
    whole.memory_roof = memory_rate(&whole.terms, whole.level)
        .or_else(|| memory_peak(gpu, whole.level, assumptions.judged_by));
    Ok(whole)
}

/// Places `cost` on `gpu`: a term per resource, whose longest (full overlap) or sum (none) is the time.
///
/// Work of paths that share a pipe adds up; here each roof is a pipe. Source: Williams, Waterman,
/// Patterson 2009, generalised to several levels as the hierarchical roofline.
pub fn place(
    cost: &Cost,
    gpu: &Gpu,
    assumptions: Assumptions,
    efficiency: f64,
) -> Result<Placement, Unplaced> {
    let mut warnings = Vec::new();
    let by = assumptions.judged_by;
    let mut substitutes = Vec::new();
    let mut terms = compute_terms(cost, gpu, by, &mut warnings, &mut substitutes)?;
    terms.extend(memory_terms(cost, gpu, by, &mut warnings)?);
    if terms.iter().all(|term| term.time == Seconds::ZERO) {
        return Err(Unplaced::NothingAsked);
    }
    let launch = launch_overhead(gpu, assumptions).filter(|_| cost.launches > 0.0);
    let launch = launch.map(|overhead| launch_term(cost.launches, overhead));
    terms.extend(launch);
    // Stable, and compute comes first: at the ridge the placement is compute-bound.
    terms.sort_by(|a, b| b.time.get().total_cmp(&a.time.get()));

    let (wanted, path) = main_path(cost, &terms);
    // The work of norms on a GPU without a vector roof is judged by what there is; that decides nothing.
    let longest = terms.first().map_or(0.0, |term| term.time.get());
    let matters = |s: &Substitute| s.wanted == wanted || s.time.get() >= MATTERS * longest;
    warnings.extend(substitutes.into_iter().filter(matters).map(|s| s.warning));
    let level = main_level(&terms);
    let (roof_time, launch_time) = roof_time(&terms, assumptions);
    Ok(Placement {
        roof_time,
        launch_time,
        one_number_time: None,
        operators: Vec::new(),
        overlap: assumptions.overlap,
        launches: assumptions.launches_counted(),
        work: cost.total_work(),
        traffic: cost.traffic_at(level),
        wanted,
        path,
        level,
        compute_roof: peak_of(&terms)
            .or_else(|| gpu.roof_for(path).map(|roof| roof.judged(by).value)),
        // Of the term, where there is one: to one peer it is less than what the device has.
        memory_roof: memory_rate(&terms, level).or_else(|| memory_peak(gpu, level, by)),
        efficiency,
        warnings,
        terms,
    })
}

/// The rate a level is judged by, where it is asked anything.
fn memory_rate(terms: &[Term], level: Level) -> Option<ByteRate> {
    let of_level = |term: &&Term| term.resource == Resource::Memory(level);
    ByteRate::try_from(terms.iter().find(of_level)?.rate).ok()
}

fn memory_peak(gpu: &Gpu, level: Level, by: JudgedBy) -> Option<ByteRate> {
    Some(gpu.memory_roof(level)?.judged(by).value)
}

/// What launching a kernel takes; of a realistic estimate also where the device does not say.
fn launch_overhead(gpu: &Gpu, assumptions: Assumptions) -> Option<Seconds> {
    let given = gpu.launch_overhead.filter(|t| t.get() > 0.0);
    given.or(match assumptions.estimate {
        Estimate::Bound => None,
        Estimate::Realistic => Some(REALISTIC_LAUNCH),
    })
}

/// A path that is judged by another one's roof, and the time that takes.
struct Substitute {
    wanted: Path,
    time: Seconds,
    warning: String,
}

/// The part of the longest term from which a substitute is worth a warning.
const MATTERS: f64 = 0.01;

fn compute_terms(
    cost: &Cost,
    gpu: &Gpu,
    by: JudgedBy,
    warnings: &mut Vec<String>,
    substitutes: &mut Vec<Substitute>,
) -> Result<Vec<Term>, Unplaced> {
    let mut terms: Vec<Term> = Vec::new();
    for (wanted, work) in &cost.work {
        let Some(roof) = roof_for(*wanted, gpu) else {
            if work.get() == 0.0 {
                continue;
            }
            if wanted.unit == ComputeUnit::SpecialFunction && cost.total_work() != *work {
                let name = &gpu.name;
                warnings.push(format!(
                    "{name} has no roof for special functions: they are left out"
                ));
                continue;
            }
            return Err(Unplaced::NoComputeRoof {
                gpu: gpu.name.clone(),
                wanted: *wanted,
            });
        };
        if roof.path != wanted.dense() && work.get() > 0.0 {
            substitutes.push(Substitute {
                wanted: *wanted,
                time: *work / roof.judged(by).value,
                warning: format!(
                    "{} has no {} roof: judged by {} instead",
                    gpu.name,
                    wanted.dense(),
                    roof.path
                ),
            });
        }
        let roof = pipe(*wanted, roof, gpu);
        let (path, judged) = (roof.path, roof.judged(by));
        if wanted.sparse && !path.sparse {
            warnings.push(format!(
                "{} has no structured sparsity: judged by its dense {path}",
                gpu.name
            ));
        }
        if work.get() > 0.0 {
            warnings.extend(not_achievable(by, judged.basis, &path.to_string()));
        }
        let padding = cost.padding.iter().filter(|(path, _)| path == wanted);
        let performed = *work + padding.map(|(_, work)| *work).sum();
        let resource = Resource::Compute(path);
        let shared = terms.iter().position(|term| term.resource == resource);
        // Work that ends up on one pipe adds up.
        let before = shared.map(|at| terms.remove(at));
        let before = before.and_then(|term| Flops::try_from(term.demand).ok());
        let work = before.unwrap_or(Flops::ZERO) + performed;
        terms.push(Term::compute(path, work, judged.value, judged.basis));
    }
    Ok(terms)
}

/// The roof of the pipe that work of a path ends up on, given the dense one it is judged by.
pub(in crate::model) fn pipe<'a>(
    wanted: Path,
    roof: &'a ComputeRoof,
    gpu: &'a Gpu,
) -> &'a ComputeRoof {
    let sparse = gpu.sparse_roof(roof.path).filter(|_| wanted.sparse);
    sparse.unwrap_or(roof)
}

/// The roof a path is judged by; exponentials are nothing that a matrix unit could do.
pub(in crate::model) fn roof_for(wanted: Path, gpu: &Gpu) -> Option<&ComputeRoof> {
    let able = |roof: &&ComputeRoof| {
        wanted.unit != ComputeUnit::SpecialFunction || roof.path.unit != ComputeUnit::Matrix
    };
    gpu.roof_for(wanted).filter(able)
}

fn memory_terms(
    cost: &Cost,
    gpu: &Gpu,
    by: JudgedBy,
    warnings: &mut Vec<String>,
) -> Result<Vec<Term>, Unplaced> {
    let mut terms = Vec::new();
    for (level, traffic) in &cost.traffic {
        let Some(roof) = gpu.memory_roof(*level) else {
            if traffic.get() == 0.0 {
                continue;
            }
            // A cache only adds to what the memory says.
            if level.is_cache() && cost.traffic_at(Level::Dram).get() > 0.0 {
                let (gpu, level) = (&gpu.name, level.name());
                warnings.push(format!(
                    "{gpu} has no {level} bandwidth: the traffic there is left out"
                ));
                continue;
            }
            return Err(Unplaced::NoMemoryRoof {
                gpu: gpu.name.clone(),
                level: level.name(),
            });
        };
        let judged = roof.judged(by);
        if traffic.get() > 0.0 {
            warnings.extend(not_achievable(by, judged.basis, level.name()));
        }
        let latency = cost.latency.iter().find(|(l, _)| l == level);
        let latency = latency.map_or(Seconds::ZERO, |(_, latency)| *latency);
        let rate = match roof.to_one_peer(judged.value) {
            Some(rate) if cost.to_one_peer && rate < judged.value => {
                warnings.push(to_one_peer(roof, judged.value, rate));
                rate
            }
            _ => judged.value,
        };
        terms.push(Term::memory(*level, *traffic, rate, judged.basis).after(latency));
    }
    Ok(terms)
}

/// Says which part of the links leads to one peer.
fn to_one_peer(roof: &MemoryRoof, all: ByteRate, rate: ByteRate) -> String {
    let count = |links: Option<Count>| links.map(|links| links.to_string()).unwrap_or_default();
    format!(
        "one peer is reached by {} of the {} links: {rate} of {all}",
        count(roof.links_per_peer),
        count(roof.links)
    )
}

/// Says so where an achievable figure was asked for and none is known.
fn not_achievable(by: JudgedBy, basis: Basis, roof: &str) -> Option<String> {
    let missing = by == JudgedBy::Achievable && basis == Basis::Theoretical;
    missing
        .then(|| format!("no achievable figure of {roof} is known: judged by the theoretical one"))
}

fn launch_term(launches: f64, overhead: Seconds) -> Term {
    let time = launches * overhead.get();
    Term {
        resource: Resource::Launch,
        demand: launches,
        rate: overhead.get().recip(),
        basis: Basis::Own,
        latency: Seconds::ZERO,
        time: Seconds::try_from(time).unwrap_or(overhead),
    }
}

pub(super) fn is_compute(term: &Term) -> bool {
    matches!(term.resource, Resource::Compute(_))
}

/// The time the roofs allow, and the part of it that launches add.
fn roof_time(terms: &[Term], assumptions: Assumptions) -> (Seconds, Seconds) {
    let (launches, kernel): (Vec<&Term>, Vec<&Term>) = terms
        .iter()
        .partition(|term| term.resource == Resource::Launch);
    let sum = |terms: &[&Term]| terms.iter().map(|term| term.time).sum::<Seconds>();
    // Formats of one unit share its pipe, so their times add up; different pipes, levels and links overlap.
    let shares = |a: &Term, b: &Term| match (a.resource, b.resource) {
        (Resource::Compute(a), Resource::Compute(b)) => a.unit == b.unit,
        (a, b) => a == b,
    };
    let pipe = |of: &&Term| -> Seconds {
        let of_pipe = kernel.iter().filter(|term| shares(term, of));
        of_pipe.map(|term| term.time).sum()
    };
    let longest = || {
        let times = kernel.iter().map(pipe);
        times.fold(Seconds::ZERO, |a, b| if b > a { b } else { a })
    };
    let running = match assumptions.overlap {
        Overlap::Full => longest(),
        Overlap::None => sum(&kernel),
    };
    let launching = sum(&launches);
    match assumptions.launches_counted() {
        Launches::Hidden if launching > running => (launching, launching),
        Launches::Hidden => (running, Seconds::ZERO),
        Launches::Added => (running + launching, launching),
    }
}

/// The path wanted and the path used, of the work that takes longest.
fn main_path(cost: &Cost, terms: &[Term]) -> (Path, Path) {
    let used = main_compute(terms).and_then(|term| match term.resource {
        Resource::Compute(path) => Some(path),
        _ => None,
    });
    let fallback = Path::matrix(crate::model::format::NumberFormat::FP16);
    // Of what is judged by another path's roof, the one with most work.
    let most = cost.work.iter().rev();
    let most = most.max_by(|(_, a), (_, b)| a.get().total_cmp(&b.get()));
    let most = most.map_or(fallback, |(path, _)| *path);
    let wanted = match used {
        Some(used) if cost.work.iter().any(|(path, _)| *path == used) => used,
        _ => most,
    };
    (wanted, used.unwrap_or(wanted))
}

/// The peak of the work that takes longest.
fn peak_of(terms: &[Term]) -> Option<FlopRate> {
    FlopRate::try_from(main_compute(terms)?.rate).ok()
}

/// The longest compute term; one of special functions only where there is no other, since they are not in the work.
fn main_compute(terms: &[Term]) -> Option<&Term> {
    let special = |term: &&Term| match term.resource {
        Resource::Compute(path) => path.unit == ComputeUnit::SpecialFunction,
        _ => false,
    };
    let mut compute = terms.iter().filter(|term| is_compute(term));
    let others = compute.clone().find(|term| !special(term));
    others.or_else(|| compute.next())
}

fn main_level(terms: &[Term]) -> Level {
    let levels = terms.iter().find_map(|term| match term.resource {
        Resource::Memory(level) => Some(level),
        _ => None,
    });
    levels.unwrap_or(Level::Dram)
}
