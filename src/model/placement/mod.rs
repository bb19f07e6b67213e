//! A cost on a GPU: terms, and everything that follows from them.
mod explain;

use crate::model::cost::{Cost, Level, Path};
use crate::model::gpu::{Basis, Gpu, JudgedBy};
use crate::model::quantity::{ByteRate, Bytes, FlopRate, Flops, Intensity, Seconds};
use crate::model::units::{self, Unit};
use serde::{Deserialize, Serialize};

/// Whether arithmetic and memory work at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Overlap {
    /// The longest term is the time: the least a perfect kernel takes.
    #[default]
    Full,
    /// The terms add up: the most that kernel takes.
    None,
}

impl Overlap {
    /// The words shown under the chart.
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full overlap",
            Self::None => "no overlap",
        }
    }
}

/// Whether launching a kernel takes time of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Launches {
    /// Behind the kernel before, unless launching takes longer than running.
    #[default]
    Hidden,
    /// Before every kernel.
    Added,
}

/// What a session assumes of every placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Assumptions {
    pub overlap: Overlap,
    pub launches: Launches,
    pub judged_by: JudgedBy,
}

/// What a term asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resource {
    Compute(Path),
    Memory(Level),
    Launch,
}

impl Resource {
    /// `FP16 matrix`, `DRAM`, `launches`.
    pub fn name(self) -> String {
        match self {
            Self::Compute(path) => path.to_string(),
            Self::Memory(level) => level.name().to_owned(),
            Self::Launch => "launches".to_owned(),
        }
    }

    /// The regime of a placement that this resource limits.
    pub fn regime(self) -> Regime {
        match self {
            Self::Compute(_) => Regime::ComputeBound,
            Self::Memory(level) if level.is_link() => Regime::CommunicationBound,
            Self::Memory(_) => Regime::MemoryBound,
            Self::Launch => Regime::LatencyBound,
        }
    }
}

/// The limiter's kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Regime {
    MemoryBound,
    ComputeBound,
    LatencyBound,
    CommunicationBound,
}

impl Regime {
    /// `memory-bound`, `compute-bound`, …
    pub fn name(self) -> &'static str {
        match self {
            Self::MemoryBound => "memory-bound",
            Self::ComputeBound => "compute-bound",
            Self::LatencyBound => "latency-bound",
            Self::CommunicationBound => "communication-bound",
        }
    }

    /// What helps in this regime.
    pub fn advice(self) -> &'static str {
        match self {
            Self::MemoryBound => "move fewer bytes",
            Self::ComputeBound => "cheaper arithmetic",
            Self::LatencyBound => "fewer, larger launches",
            Self::CommunicationBound => "send fewer bytes",
        }
    }
}

/// One resource asked: time = demand ÷ rate.
#[derive(Debug, Clone, PartialEq)]
pub struct Term {
    pub resource: Resource,
    /// In FLOP, B or launches.
    pub demand: f64,
    /// In FLOP/s, B/s or launches/s.
    pub rate: f64,
    pub basis: Basis,
    pub time: Seconds,
}

impl Term {
    fn compute(path: Path, work: Flops, peak: FlopRate, basis: Basis) -> Self {
        Self {
            resource: Resource::Compute(path),
            demand: work.get(),
            rate: peak.get(),
            basis,
            time: work / peak,
        }
    }

    fn memory(level: Level, traffic: Bytes, bandwidth: ByteRate, basis: Basis) -> Self {
        Self {
            resource: Resource::Memory(level),
            demand: traffic.get(),
            rate: bandwidth.get(),
            basis,
            time: traffic / bandwidth,
        }
    }

    /// The unit of `demand`; `rate` is in this per second.
    pub fn demand_unit(&self) -> &'static str {
        match self.resource {
            Resource::Compute(path) if path.format.is_integer() => "OP",
            Resource::Compute(_) => "FLOP",
            Resource::Memory(_) => "B",
            Resource::Launch => "launch",
        }
    }

    /// `16 GB ÷ 3.35 TB/s`.
    pub fn quotient(&self) -> String {
        let (demand, rate) = match self.resource {
            Resource::Compute(_) => (Unit::Flop, Unit::FlopPerSecond),
            Resource::Memory(_) => (Unit::Byte, Unit::BytePerSecond),
            Resource::Launch => {
                let each = units::short(self.rate.recip(), Unit::Second);
                return format!("{} × {each}", units::count(self.demand));
            }
        };
        format!(
            "{} ÷ {}",
            units::short(self.demand, demand),
            units::short(self.rate, rate)
        )
    }
}

/// Why a cost cannot be placed on a GPU, and what to add.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Unplaced {
    #[error("{gpu} has no compute roof for {wanted}: add its peak")]
    NoComputeRoof { gpu: String, wanted: Path },
    #[error("{gpu} has no {level} bandwidth: add it")]
    NoMemoryRoof { gpu: String, level: &'static str },
    #[error("it asks neither work nor traffic: give it one of them")]
    NothingAsked,
}

/// A cost on a GPU.
#[derive(Debug, Clone, PartialEq)]
pub struct Placement {
    /// The longest first: the limiter, then the runner-up.
    pub terms: Vec<Term>,
    pub overlap: Overlap,
    pub launches: Launches,
    pub work: Flops,
    /// Traffic at `level`.
    pub traffic: Bytes,
    /// The path the work asked for.
    pub wanted: Path,
    /// The path it is judged by.
    pub path: Path,
    /// The level that governs: the one whose term is longest.
    pub level: Level,
    /// The roofs of `path` and `level`, where the device has them.
    pub compute_roof: Option<FlopRate>,
    pub memory_roof: Option<ByteRate>,
    /// The time the roofs allow, launches included; efficiency is not.
    pub roof_time: Seconds,
    /// Share of the roofs' rate that is assumed to be reached, 0–1.
    pub efficiency: f64,
    /// What is odd about this placement.
    pub warnings: Vec<String>,
}

/// Places `cost` on `gpu`: a term per resource, whose longest (full overlap) or sum (none) is the time.
///
/// Work of paths that share a pipe would add up; here each path is a pipe. Source: Williams, Waterman,
/// Patterson 2009, generalised to several levels as the hierarchical roofline.
pub fn place(
    cost: &Cost,
    gpu: &Gpu,
    assumptions: Assumptions,
    efficiency: f64,
) -> Result<Placement, Unplaced> {
    let mut warnings = Vec::new();
    let by = assumptions.judged_by;
    let mut terms = compute_terms(cost, gpu, by, &mut warnings)?;
    terms.extend(memory_terms(cost, gpu, by, &mut warnings)?);
    if terms.iter().all(|term| term.demand == 0.0) {
        return Err(Unplaced::NothingAsked);
    }
    let launch = gpu
        .launch_overhead
        .filter(|t| t.get() > 0.0 && cost.launches > 0.0);
    let launch = launch.map(|overhead| launch_term(cost.launches, overhead));
    terms.extend(launch);
    // Stable, and compute comes first: at the ridge the placement is compute-bound.
    terms.sort_by(|a, b| b.time.get().total_cmp(&a.time.get()));

    let (wanted, path) = main_path(cost, &terms);
    let level = main_level(&terms);
    Ok(Placement {
        roof_time: roof_time(&terms, assumptions),
        overlap: assumptions.overlap,
        launches: assumptions.launches,
        work: cost.total_work(),
        traffic: cost.traffic_at(level),
        wanted,
        path,
        level,
        compute_roof: peak_of(&terms)
            .or_else(|| gpu.roof_for(path).map(|roof| roof.judged(by).value)),
        memory_roof: gpu.memory_roof(level).map(|roof| roof.judged(by).value),
        efficiency,
        warnings,
        terms,
    })
}

fn compute_terms(
    cost: &Cost,
    gpu: &Gpu,
    by: JudgedBy,
    warnings: &mut Vec<String>,
) -> Result<Vec<Term>, Unplaced> {
    let mut terms = Vec::new();
    for (wanted, work) in &cost.work {
        let Some(roof) = gpu.roof_for(*wanted) else {
            if work.get() == 0.0 {
                continue;
            }
            return Err(Unplaced::NoComputeRoof {
                gpu: gpu.name.clone(),
                wanted: *wanted,
            });
        };
        if roof.path != wanted.dense() && work.get() > 0.0 {
            warnings.push(format!(
                "{} has no {} roof: judged by {} instead",
                gpu.name,
                wanted.dense(),
                roof.path
            ));
        }
        let judged = roof.judged(by);
        if work.get() > 0.0 {
            warnings.extend(not_achievable(by, judged.basis, &roof.path.to_string()));
        }
        let (path, peak) = match (wanted.sparse, sparse_peak(gpu, roof.path, judged.value)) {
            (true, Some(peak)) => (roof.path.with_sparsity(), peak),
            (true, None) => {
                let text = format!(
                    "{} has no structured sparsity: judged by its dense {}",
                    gpu.name, roof.path
                );
                warnings.push(text);
                (roof.path, judged.value)
            }
            (false, _) => (roof.path, judged.value),
        };
        terms.push(Term::compute(path, *work, peak, judged.basis));
    }
    Ok(terms)
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
            return Err(Unplaced::NoMemoryRoof {
                gpu: gpu.name.clone(),
                level: level.name(),
            });
        };
        let judged = roof.judged(by);
        if traffic.get() > 0.0 {
            warnings.extend(not_achievable(by, judged.basis, level.name()));
        }
        terms.push(Term::memory(*level, *traffic, judged.value, judged.basis));
    }
    Ok(terms)
}

/// The peak of a path with structured sparsity, where the device has that.
pub fn sparse_peak(gpu: &Gpu, path: Path, dense: FlopRate) -> Option<FlopRate> {
    let factor = gpu.sparse_factor(path)?;
    FlopRate::try_from(dense.get() * factor).ok()
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
        time: Seconds::try_from(time).unwrap_or(overhead),
    }
}

fn is_compute(term: &Term) -> bool {
    matches!(term.resource, Resource::Compute(_))
}

fn roof_time(terms: &[Term], assumptions: Assumptions) -> Seconds {
    let (launches, kernel): (Vec<&Term>, Vec<&Term>) = terms
        .iter()
        .partition(|term| term.resource == Resource::Launch);
    let longest = |terms: &[&Term]| {
        let times = terms.iter().map(|term| term.time);
        times.fold(Seconds::ZERO, |a, b| if b > a { b } else { a })
    };
    let sum = |terms: &[&Term]| terms.iter().map(|term| term.time).sum::<Seconds>();
    let running = match assumptions.overlap {
        Overlap::Full => longest(&kernel),
        Overlap::None => sum(&kernel),
    };
    let launching = sum(&launches);
    match assumptions.launches {
        Launches::Hidden if launching > running => launching,
        Launches::Hidden => running,
        Launches::Added => running + launching,
    }
}

/// The path wanted and the path used, of the work that takes longest.
fn main_path(cost: &Cost, terms: &[Term]) -> (Path, Path) {
    let used = terms.iter().find_map(|term| match term.resource {
        Resource::Compute(path) => Some(path),
        _ => None,
    });
    let fallback = Path::matrix(crate::model::format::NumberFormat::FP16);
    let first = cost.work.first().map_or(fallback, |(path, _)| *path);
    let wanted = match used {
        Some(used) if cost.work.iter().any(|(path, _)| *path == used) => used,
        _ => first,
    };
    (wanted, used.unwrap_or(wanted))
}

/// The peak of the work that takes longest.
fn peak_of(terms: &[Term]) -> Option<FlopRate> {
    let compute = terms.iter().find(|term| is_compute(term))?;
    FlopRate::try_from(compute.rate).ok()
}

fn main_level(terms: &[Term]) -> Level {
    let levels = terms.iter().find_map(|term| match term.resource {
        Resource::Memory(level) => Some(level),
        _ => None,
    });
    levels.unwrap_or(Level::Dram)
}

impl Placement {
    /// The term that sets the time.
    pub fn limiter(&self) -> &Term {
        &self.terms[0]
    }

    /// The term that sets the time when the limiter is lifted.
    pub fn runner_up(&self) -> Option<&Term> {
        self.terms.get(1)
    }

    /// The limiter's kind.
    pub fn regime(&self) -> Regime {
        self.limiter().resource.regime()
    }

    /// The predicted time: what the roofs allow ÷ the assumed efficiency.
    pub fn time(&self) -> Seconds {
        Seconds::try_from(self.roof_time.get() / self.efficiency).unwrap_or(self.roof_time)
    }

    /// Traffic at one level; zero where none is known.
    pub fn traffic_at(&self, level: Level) -> Bytes {
        let at_level = |term: &&Term| term.resource == Resource::Memory(level);
        let term = self.terms.iter().find(at_level);
        term.and_then(|term| Bytes::try_from(term.demand).ok())
            .unwrap_or(Bytes::ZERO)
    }

    /// Compute roof ÷ bandwidth of one level, in FLOP/B; `None` where the work asks nothing of that level.
    pub fn ridge_at(&self, level: Level) -> Option<Intensity> {
        let at_level = |term: &&Term| term.resource == Resource::Memory(level);
        let bandwidth = self.terms.iter().find(at_level)?.rate;
        Some(self.compute_roof? / ByteRate::try_from(bandwidth).ok()?)
    }

    /// The levels with traffic, the one that takes longest first.
    pub fn levels(&self) -> Vec<Level> {
        let levels = self.terms.iter().filter(|term| term.demand > 0.0);
        levels
            .filter_map(|term| match term.resource {
                Resource::Memory(level) => Some(level),
                _ => None,
            })
            .collect()
    }

    /// Work ÷ traffic at the governing level, in FLOP/B.
    pub fn intensity(&self) -> Option<Intensity> {
        self.work.per(self.traffic)
    }

    /// Compute roof ÷ memory roof of the governing path and level, in FLOP/B.
    pub fn ridge(&self) -> Option<Intensity> {
        Some(self.compute_roof? / self.memory_roof?)
    }

    /// Work ÷ the time the roofs allow; `None` without work.
    pub fn attainable(&self) -> Option<FlopRate> {
        // Where one roof alone sets the time, that roof itself: no last bit is lost on the way through the time.
        let alone = self.roof_time == self.limiter().time && self.work.get() > 0.0;
        match self.limiter().resource {
            Resource::Compute(_)
                if alone && self.terms.iter().filter(|t| is_compute(t)).count() == 1 =>
            {
                self.compute_roof
            }
            _ => self.work.over(self.roof_time),
        }
    }

    /// Work ÷ the predicted time: attainable × efficiency.
    pub fn rate(&self) -> Option<FlopRate> {
        self.work.over(self.time())
    }

    /// Attainable ÷ compute roof: at most this part of the arithmetic can be used.
    pub fn arithmetic_utilisation(&self) -> Option<f64> {
        Some(match self.attainable() {
            Some(rate) => rate.get() / self.compute_roof?.get(),
            None => 0.0,
        })
    }

    /// Whether the intensity is within 5 % of the ridge, where neither row of advice is clear.
    pub fn at_the_ridge(&self) -> bool {
        match (self.intensity(), self.ridge()) {
            (Some(intensity), Some(ridge)) => (intensity.get() / ridge.get() - 1.0).abs() <= 0.05,
            _ => false,
        }
    }
}
