//! What one execution asks of a GPU: work per path, traffic per level, launches.
use super::format::{NumberFormat, UnknownFormat};
use super::quantity::{Bytes, Flops, Intensity, OutOfRange, Seconds};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::borrow::Cow;
use std::fmt;

/// The kind of unit that executes work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ComputeUnit {
    Vector,
    Matrix,
    SpecialFunction,
}

impl ComputeUnit {
    /// Every kind of unit.
    pub const ALL: [Self; 3] = [Self::Vector, Self::Matrix, Self::SpecialFunction];

    /// The name as written in files and on the chart.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vector => "vector",
            Self::Matrix => "matrix",
            Self::SpecialFunction => "special function",
        }
    }
}

/// What executes work: a number format, a unit and an accumulator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path {
    pub format: NumberFormat,
    pub unit: ComputeUnit,
    /// `None` is the usual one: FP32 for matrix units, the format itself elsewhere.
    pub accumulator: Option<NumberFormat>,
    /// Structured sparsity: a separate, named path that nothing falls back to.
    pub sparse: bool,
}

impl Path {
    /// A path of the vector unit.
    pub const fn vector(format: NumberFormat) -> Self {
        Self {
            format,
            unit: ComputeUnit::Vector,
            accumulator: None,
            sparse: false,
        }
    }

    /// The same path without structured sparsity.
    pub const fn dense(self) -> Self {
        Self {
            sparse: false,
            ..self
        }
    }

    /// The same path with structured sparsity.
    pub const fn with_sparsity(self) -> Self {
        Self {
            sparse: true,
            ..self
        }
    }

    /// The path of exponentials, reciprocal square roots and the like, which is of FP32 on every GPU.
    pub const SPECIAL: Self = Self {
        format: NumberFormat::FP32,
        unit: ComputeUnit::SpecialFunction,
        accumulator: None,
        sparse: false,
    };

    /// A path of the matrix unit with the usual accumulator.
    pub const fn matrix(format: NumberFormat) -> Self {
        Self {
            format,
            unit: ComputeUnit::Matrix,
            accumulator: None,
            sparse: false,
        }
    }
}

/// `FP16 matrix`, or `FP16 matrix, FP16 accumulate`.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sparse = if self.sparse { ", sparse" } else { "" };
        write!(f, "{} {}{sparse}", self.format, self.unit.name())?;
        match self.accumulator {
            Some(accumulator) => write!(f, ", {accumulator} accumulate"),
            None => Ok(()),
        }
    }
}

/// Why text names no path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    #[error(transparent)]
    Format(#[from] UnknownFormat),
    #[error("{0:?} is not a path: write for example \"FP16 matrix\" or \"FP32 vector\"")]
    Unit(String),
}

impl std::str::FromStr for Path {
    type Err = PathError;
    fn from_str(text: &str) -> Result<Self, PathError> {
        let mut parts = text.split(',').map(str::trim);
        let path = parts.next().unwrap_or_default();
        let rest: Vec<&str> = parts.collect();
        let sparse = rest.contains(&"sparse");
        let accumulator: Vec<_> = rest.into_iter().filter(|part| *part != "sparse").collect();
        let accumulator = accumulator.join(",");
        let (format, unit) = path
            .trim()
            .split_once(' ')
            .unwrap_or((path.trim(), "matrix"));
        let unknown = || PathError::Unit(text.to_owned());
        let unit = ComputeUnit::ALL
            .into_iter()
            .find(|u| u.name().eq_ignore_ascii_case(unit.trim()))
            .ok_or_else(unknown)?;
        let accumulator = match accumulator.trim() {
            "" => None,
            text => Some(
                text.strip_suffix("accumulate")
                    .ok_or_else(unknown)?
                    .parse()?,
            ),
        };
        Ok(Self {
            format: format.parse()?,
            unit,
            accumulator,
            sparse,
        })
    }
}

impl Serialize for Path {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Path {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(de::Error::custom)
    }
}

/// A level of the memory hierarchy, or a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Level {
    #[serde(rename = "DRAM")]
    Dram,
    #[serde(rename = "LLC")]
    Llc,
    L2,
    L1,
    HostLink,
    ScaleUpLink,
    Network,
}

impl Level {
    /// Every level, from the memory outward.
    pub const ALL: [Self; 7] = [
        Self::Dram,
        Self::Llc,
        Self::L2,
        Self::L1,
        Self::HostLink,
        Self::ScaleUpLink,
        Self::Network,
    ];

    /// The name on the chart and in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dram => "DRAM",
            Self::Llc => "LLC",
            Self::L2 => "L2",
            Self::L1 => "L1",
            Self::HostLink => "host link",
            Self::ScaleUpLink => "scale-up link",
            Self::Network => "network",
        }
    }

    /// Whether it is a cache on the way to the memory.
    pub fn is_cache(self) -> bool {
        matches!(self, Self::Llc | Self::L2 | Self::L1)
    }

    /// Whether bytes on this level go to another device: time spent there is communication.
    pub fn is_link(self) -> bool {
        matches!(self, Self::HostLink | Self::ScaleUpLink | Self::Network)
    }
}

/// What one execution of a workload asks.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cost {
    /// Useful work per path; a path appears once.
    pub work: Vec<(Path, Flops)>,
    /// Work done on what fills tiles up, per path: it takes time beside the useful work and is none.
    pub padding: Vec<(Path, Flops)>,
    /// Traffic per level; a level appears once.
    pub traffic: Vec<(Level, Bytes)>,
    /// Kernels launched.
    pub launches: f64,
    /// What messages take per level however few bytes they carry: α of the α-β model, all steps together.
    pub latency: Vec<(Level, Seconds)>,
    /// Whether all that goes over links goes to one other device, which only part of them may lead to.
    pub to_one_peer: bool,
}

impl Cost {
    /// One kernel: work on one path, traffic at DRAM.
    pub fn kernel(path: Path, work: Flops, traffic: Bytes) -> Self {
        Self {
            work: vec![(path, work)],
            traffic: vec![(Level::Dram, traffic)],
            launches: 1.0,
            ..Self::default()
        }
    }

    /// The same with traffic at one more level.
    pub fn with_traffic(mut self, level: Level, traffic: Bytes) -> Self {
        add(&mut self.traffic, level, traffic);
        self
    }

    /// The same with work on one more path.
    pub fn with_work(mut self, path: Path, work: Flops) -> Self {
        add(&mut self.work, path, work);
        self
    }

    /// The same with so much work on one path that fills tiles up and is of no use.
    pub fn with_padding(mut self, path: Path, work: Flops) -> Self {
        if work.get() > 0.0 {
            add(&mut self.padding, path, work);
        }
        self
    }

    /// What all operators ask together: the cost of the one-number model.
    pub fn sum(operators: &[Operator]) -> Result<Self, OutOfRange> {
        let mut sum = Self::default();
        for Operator { count, cost, .. } in operators {
            for (path, work) in &cost.work {
                add(&mut sum.work, *path, Flops::try_from(work.get() * count)?);
            }
            for (path, work) in &cost.padding {
                let work = Flops::try_from(work.get() * count)?;
                add(&mut sum.padding, *path, work);
            }
            for (level, traffic) in &cost.traffic {
                let traffic = Bytes::try_from(traffic.get() * count)?;
                add(&mut sum.traffic, *level, traffic);
            }
            for (level, latency) in &cost.latency {
                let latency = Seconds::try_from(latency.get() * count)?;
                add(&mut sum.latency, *level, latency);
            }
            sum.launches += cost.launches * count;
            sum.to_one_peer |= cost.to_one_peer;
        }
        Ok(sum)
    }

    /// All useful work, whatever path it runs on, in FLOP.
    ///
    /// Special functions (an exponential, say) are counted apart where there is other work, as FLOP counters do.
    pub fn total_work(&self) -> Flops {
        let special = |path: &Path| path.unit == ComputeUnit::SpecialFunction;
        let others = self.work.iter().filter(|(path, _)| !special(path));
        let others: Flops = others.map(|(_, work)| *work).sum();
        if others.get() > 0.0 {
            return others;
        }
        self.work.iter().map(|(_, work)| *work).sum()
    }

    /// Work of special functions, in operations.
    pub fn special_work(&self) -> Flops {
        let special = |(path, _): &&(Path, Flops)| path.unit == ComputeUnit::SpecialFunction;
        let work = self.work.iter().filter(special);
        work.map(|(_, work)| *work).sum()
    }

    /// Work that fills tiles up and is of no use, in FLOP.
    pub fn total_padding(&self) -> Flops {
        self.padding.iter().map(|(_, work)| *work).sum()
    }

    /// Traffic at one level, in bytes; zero where none is known.
    pub fn traffic_at(&self, level: Level) -> Bytes {
        let at_level = self.traffic.iter().filter(|(l, _)| *l == level);
        at_level.map(|(_, traffic)| *traffic).sum()
    }

    /// The traffic a byte rate is of: that at DRAM, or all of it where nothing moves there.
    pub fn main_traffic(&self) -> Bytes {
        match self.traffic_at(Level::Dram) {
            Bytes::ZERO => self.traffic.iter().map(|(_, traffic)| *traffic).sum(),
            traffic => traffic,
        }
    }

    /// Arithmetic intensity at one level, in FLOP/B; `None` without traffic there.
    pub fn intensity_at(&self, level: Level) -> Option<Intensity> {
        self.total_work().per(self.traffic_at(level))
    }
}

fn add<K: PartialEq, V: std::ops::Add<Output = V> + Copy>(
    list: &mut Vec<(K, V)>,
    key: K,
    value: V,
) {
    match list.iter_mut().find(|(k, _)| *k == key) {
        Some((_, sum)) => *sum = *sum + value,
        None => list.push((key, value)),
    }
}

/// One kernel-like part of a workload, run a number of times.
#[derive(Debug, Clone, PartialEq)]
pub struct Operator {
    /// What it does, as it is called in the trade; empty where it is the whole workload.
    pub name: Cow<'static, str>,
    /// How often it runs in one execution of the workload.
    pub count: f64,
    /// What one run of it asks.
    pub cost: Cost,
}

impl Operator {
    /// An operator that runs once.
    pub fn once(name: impl Into<Cow<'static, str>>, cost: Cost) -> Self {
        Self::repeated(name, 1.0, cost)
    }

    /// An operator that runs `count` times.
    pub fn repeated(name: impl Into<Cow<'static, str>>, count: f64, cost: Cost) -> Self {
        Self {
            name: name.into(),
            count,
            cost,
        }
    }
}

/// Why parameters lead to no cost.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CostError {
    #[error("{0}")]
    OutOfRange(#[from] OutOfRange),
    /// Parameters that contradict each other, with the remedy.
    #[error("{0}")]
    Contradiction(String),
    /// A text parameter that gives no quantity.
    #[error("{parameter}: {message}")]
    Text {
        parameter: &'static str,
        message: String,
    },
}
