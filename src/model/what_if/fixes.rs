//! Fixes: what can be changed of a workload or a GPU, by the regime in which it helps, and what it would do.
use crate::model::cost::{ComputeUnit, Path};
use crate::model::format::NumberFormat;
use crate::model::gpu::Gpu;
use crate::model::placement::{Assumptions, Placement, Regime};
use crate::model::quantity::{ByteRate, Bytes, Count, FlopRate, Quantity};
use crate::model::session::Workload;
use crate::model::workload::{Accumulator, Kind, Raw};

/// Something that can be changed, and the regime in which it is said to help.
pub struct Fix {
    pub name: String,
    pub row: Regime,
    /// The workload and the GPU with the change made.
    pub workload: Workload,
    pub gpu: Gpu,
    /// Time before ÷ time after, of one execution; above 1 is faster.
    pub time_factor: f64,
    /// Items per second after ÷ before; above 1 is more.
    pub throughput_factor: f64,
    pub after: Placement,
    /// Whether the memory is known not to hold it.
    pub does_not_fit: bool,
}

impl Fix {
    /// Whether it changes anything worth a decision (more than half a percent).
    pub fn helps(&self) -> bool {
        !self.does_not_fit && (self.time_factor > 1.005 || self.throughput_factor > 1.005)
    }

    /// Whether the change is one of the device, not of the workload.
    pub fn changes_gpu(&self, gpu: &Gpu) -> bool {
        self.gpu != *gpu
    }
}

/// Every fix that applies, those of the present regime first.
pub fn fixes(workload: &Workload, gpu: &Gpu, assumptions: Assumptions) -> Vec<Fix> {
    let Ok(before) = workload.place_on(gpu, assumptions) else {
        return Vec::new();
    };
    let mut fixes: Vec<Fix> = candidates(workload, gpu, &before)
        .into_iter()
        .filter_map(|candidate| candidate.predict(workload, &before, assumptions))
        .collect();
    fixes.sort_by_key(|fix| fix.row != before.regime());
    fixes
}

struct Candidate {
    name: String,
    row: Regime,
    workload: Workload,
    gpu: Gpu,
}

impl Candidate {
    fn predict(self, old: &Workload, before: &Placement, assumptions: Assumptions) -> Option<Fix> {
        let after = self.workload.place_on(&self.gpu, assumptions).ok()?;
        let (old_time, new_time) = (before.time().get(), after.time().get());
        let old_items = old.kind.family().items().per_execution;
        let new_items = self.workload.kind.family().items().per_execution;
        let time_factor = old_time / new_time;
        Some(Fix {
            throughput_factor: time_factor * new_items / old_items,
            time_factor,
            does_not_fit: self.workload.kind.does_not_fit(&self.gpu).is_some(),
            name: self.name,
            row: self.row,
            workload: self.workload,
            gpu: self.gpu,
            after,
        })
    }
}

fn candidates(workload: &Workload, gpu: &Gpu, before: &Placement) -> Vec<Candidate> {
    let of_workload = workload_fixes(workload, gpu)
        .into_iter()
        .map(|(name, row, kind)| Candidate {
            name,
            row,
            workload: Workload {
                kind,
                ..workload.clone()
            },
            gpu: gpu.clone(),
        });
    let of_gpu = gpu_fixes(gpu, before)
        .into_iter()
        .map(|(name, row, gpu)| Candidate {
            name,
            row,
            workload: workload.clone(),
            gpu,
        });
    of_workload.chain(of_gpu).collect()
}

type WorkloadFix = (String, Regime, Kind);

fn workload_fixes(workload: &Workload, gpu: &Gpu) -> Vec<WorkloadFix> {
    let mut fixes = match &workload.kind {
        Kind::Decode(decode) => decode_fixes(decode),
        Kind::Gemm(gemm) => gemm_fixes(gemm),
        Kind::Vector(vector) => vector_fixes(vector),
        Kind::Raw(raw) => raw_fixes(raw),
        kind => kind.family().alternatives(),
    };
    fixes.extend(cheaper_path(&workload.kind, gpu));
    fixes
}

fn decode_fixes(decode: &crate::model::workload::Decode) -> Vec<WorkloadFix> {
    let mut fixes = Vec::new();
    let int4 = NumberFormat::INT4.bytes_in_groups_of(128);
    for (name, bytes) in [
        ("8-bit weights", 1.0),
        ("4-bit weights, groups of 128", int4),
    ] {
        if let Ok(bytes) = Bytes::try_from(bytes)
            && bytes < decode.bytes_per_parameter
        {
            let mut decode = decode.clone();
            decode.bytes_per_parameter = bytes;
            fixes.push((name.to_owned(), Regime::MemoryBound, Kind::Decode(decode)));
        }
    }
    let batches = [64.0, 256.0].map(Count::try_from);
    if let Some(batch) = batches
        .into_iter()
        .flatten()
        .find(|batch| *batch > decode.batch)
    {
        let mut decode = decode.clone();
        decode.batch = batch;
        let name = format!("Batch {batch} sequences");
        fixes.push((name, Regime::MemoryBound, Kind::Decode(decode)));
    }
    if let (Some(kv), Some(_)) = (decode.kv_bytes_per_token, decode.context)
        && let Ok(half) = Bytes::try_from(kv.get() / 2.0)
    {
        let mut decode = decode.clone();
        decode.kv_bytes_per_token = Some(half);
        fixes.push((
            "KV cache in half the bits".to_owned(),
            Regime::MemoryBound,
            Kind::Decode(decode),
        ));
    }
    if let Ok(half) = Count::unrounded(decode.parameters.get() / 2.0) {
        let mut smaller = decode.clone();
        smaller.parameters = half;
        smaller.parameters_read = Some(decode.parameters_read.unwrap_or(decode.parameters));
        let name = "Half the arithmetic".to_owned();
        fixes.push((name, Regime::ComputeBound, Kind::Decode(smaller)));
    }
    fixes
}

fn gemm_fixes(gemm: &crate::model::workload::Gemm) -> Vec<WorkloadFix> {
    let mut fixes = Vec::new();
    let eight_bits = NumberFormat::FP8;
    if gemm.b.bits() > 8 {
        let mut weights = gemm.clone();
        weights.b = eight_bits;
        fixes.push((
            "B stored in FP8".to_owned(),
            Regime::MemoryBound,
            Kind::Gemm(weights),
        ));
    }
    if let Ok(m) = Count::try_from(gemm.m.get() * 4.0) {
        let mut taller = gemm.clone();
        taller.m = m;
        fixes.push((
            format!("Four times the rows: M {m}"),
            Regime::MemoryBound,
            Kind::Gemm(taller),
        ));
    }
    if gemm.a == NumberFormat::FP16 && gemm.accumulator == Accumulator::Usual {
        let mut half = gemm.clone();
        half.accumulator = Accumulator::FP16;
        let name = "Accumulate in FP16".to_owned();
        fixes.push((name, Regime::ComputeBound, Kind::Gemm(half)));
    }
    if gemm.a.bits() > 8 || gemm.b.bits() > 8 {
        let mut narrow = gemm.clone();
        (narrow.a, narrow.b) = (eight_bits, eight_bits);
        fixes.push((
            "A and B in FP8".to_owned(),
            Regime::ComputeBound,
            Kind::Gemm(narrow),
        ));
    }
    fixes
}

fn vector_fixes(vector: &crate::model::workload::Vector) -> Vec<WorkloadFix> {
    let Ok(cost) = vector_cost(vector) else {
        return Vec::new();
    };
    let mut fixes = Vec::new();
    let narrower = match vector.format {
        NumberFormat::FP64 => Some(NumberFormat::FP32),
        NumberFormat::FP32 | NumberFormat::TF32 => Some(NumberFormat::BF16),
        _ => None,
    };
    if let Some(format) = narrower {
        let mut narrow = vector.clone();
        narrow.format = format;
        narrow.bytes_per_element = narrow
            .bytes_per_element
            .and_then(|bytes| Bytes::try_from(bytes.get() / 2.0).ok());
        let name = format!("Elements in {format}");
        fixes.push((name, Regime::MemoryBound, Kind::Vector(narrow)));
    }
    fixes.extend(fused(cost, Path::vector(vector.format)));
    fixes
}

fn vector_cost(
    vector: &crate::model::workload::Vector,
) -> Result<crate::model::cost::Cost, crate::model::workload::CostError> {
    use crate::model::workload::Family as _;
    vector.cost()
}

fn raw_fixes(raw: &Raw) -> Vec<WorkloadFix> {
    let half = |traffic: Bytes| Bytes::try_from(traffic.get() / 2.0).unwrap_or(traffic);
    let mut fused = raw.clone();
    fused.traffic = half(raw.traffic);
    for cache in [
        &mut fused.traffic_llc,
        &mut fused.traffic_l2,
        &mut fused.traffic_l1,
    ] {
        *cache = cache.map(half);
    }
    let mut fixes = vec![(FUSED.to_owned(), Regime::MemoryBound, Kind::Raw(fused))];
    if let Ok(work) = crate::model::quantity::Flops::try_from(raw.work.get() / 2.0) {
        let mut less = raw.clone();
        less.work = work;
        fixes.push((
            "Half the work".to_owned(),
            Regime::ComputeBound,
            Kind::Raw(less),
        ));
    }
    fixes
}

/// Half the traffic at every level.
const FUSED: &str = "Fuse: half the traffic";

/// The same work with half the traffic, as fusing with a neighbour or blocking for cache gives.
fn fused(cost: crate::model::cost::Cost, path: Path) -> Option<WorkloadFix> {
    let traffic = cost.traffic_at(crate::model::cost::Level::Dram);
    let raw = Raw {
        work: cost.total_work(),
        traffic: Bytes::try_from(traffic.get() / 2.0).ok()?,
        format: path.format,
        unit: path.unit,
        ..Raw::default()
    };
    Some((FUSED.to_owned(), Regime::MemoryBound, Kind::Raw(raw)))
}

/// The same cost with its arithmetic on a cheaper path of this GPU: the matrix unit, or half the bits.
fn cheaper_path(kind: &Kind, gpu: &Gpu) -> Option<WorkloadFix> {
    // A model's formats are its own alternatives, and its work is on several paths.
    if matches!(kind, Kind::LanguageModel(_)) {
        return None;
    }
    let cost = kind.family().cost().ok()?;
    // Of work on several paths, no single one is the cheaper.
    let [(path, work)] = cost.work[..] else {
        return None;
    };
    let used = gpu.roof_for(path)?;
    let cheaper = [
        Path {
            unit: ComputeUnit::Matrix,
            ..path
        },
        Path::matrix(NumberFormat::BF16),
        Path::matrix(NumberFormat::FP8),
        Path::matrix(NumberFormat::FP4),
    ];
    let roof = cheaper
        .into_iter()
        .filter(|p| p.format.bits() <= path.format.bits())
        .filter_map(|p| gpu.compute_roof(p))
        .find(|roof| roof.peak.value.get() > used.peak.value.get() * 1.01)?;
    let kind = match kind {
        Kind::Decode(decode) => {
            let mut decode = decode.clone();
            decode.format = roof.path.format;
            Kind::Decode(decode)
        }
        Kind::Formula(formula) => Kind::Formula(formula.on_path(roof.path)),
        Kind::Raw(raw) => Kind::Raw(Raw {
            format: roof.path.format,
            unit: roof.path.unit,
            ..raw.clone()
        }),
        _ => Kind::Raw(Raw {
            work,
            traffic: cost.traffic_at(crate::model::cost::Level::Dram),
            format: roof.path.format,
            unit: roof.path.unit,
            ..Raw::default()
        }),
    };
    Some((
        format!("{} arithmetic", roof.path),
        Regime::ComputeBound,
        kind,
    ))
}

/// Of the doubled rates, published and achievable, the one that judges: twice what judged before.
fn twice<Q: Quantity>(before: Option<Q>, published: Q, achievable: Option<Q>) -> Q {
    let wanted = before.map_or(0.0, |rate| 2.0 * rate.get());
    let near = |rate: &Q| (rate.get() / wanted - 1.0).abs() < 1e-9;
    achievable.filter(near).unwrap_or(published)
}

fn gpu_fixes(gpu: &Gpu, before: &Placement) -> Vec<(String, Regime, Gpu)> {
    let mut fixes = Vec::new();
    let mut wider = gpu.clone();
    for roof in &mut wider.memory {
        if roof.level == before.level
            && let Ok(double) = ByteRate::try_from(roof.bandwidth.value.get() * 2.0)
        {
            roof.bandwidth.set_own(double);
            let judged = roof.achievable.as_mut().map(|achievable| {
                let twice = ByteRate::try_from(achievable.value.get() * 2.0);
                achievable.set_own(twice.unwrap_or(achievable.value));
                achievable.value
            });
            let name = format!(
                "Twice the bandwidth, {}",
                twice(before.memory_roof, double, judged)
            );
            fixes.push((name, Regime::MemoryBound, wider.clone()));
            break;
        }
    }
    let mut faster = gpu.clone();
    for roof in &mut faster.compute {
        if roof.path == before.path
            && let Ok(double) = FlopRate::try_from(roof.peak.value.get() * 2.0)
        {
            roof.peak.set_own(double);
            let judged = roof.achievable.as_mut().map(|achievable| {
                let twice = FlopRate::try_from(achievable.value.get() * 2.0);
                achievable.set_own(twice.unwrap_or(achievable.value));
                achievable.value
            });
            let name = format!(
                "Twice the peak, {}",
                twice(before.compute_roof, double, judged)
            );
            fixes.push((name, Regime::ComputeBound, faster.clone()));
            break;
        }
    }
    if gpu.launch_overhead.is_some() {
        let mut graph = gpu.clone();
        graph.launch_overhead = None;
        fixes.push((
            "Launch from a graph".to_owned(),
            Regime::LatencyBound,
            graph,
        ));
    }
    fixes
}
