//! A term: one resource asked, the time it takes, and the regime in which it limits.
use crate::model::cost::{Level, Path};
use crate::model::gpu::Basis;
use crate::model::quantity::{ByteRate, Bytes, FlopRate, Flops, Seconds};
use crate::model::units::{self, Unit};

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
    /// Every regime.
    pub const ALL: [Self; 4] = [
        Self::MemoryBound,
        Self::ComputeBound,
        Self::LatencyBound,
        Self::CommunicationBound,
    ];

    /// The regime of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|regime| regime.name() == name)
    }

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
    /// What passes before the first byte: of messages.
    pub latency: Seconds,
    pub time: Seconds,
}

impl Term {
    pub(super) fn compute(path: Path, work: Flops, peak: FlopRate, basis: Basis) -> Self {
        Self {
            resource: Resource::Compute(path),
            demand: work.get(),
            rate: peak.get(),
            basis,
            latency: Seconds::ZERO,
            time: work / peak,
        }
    }

    pub(super) fn memory(level: Level, traffic: Bytes, bandwidth: ByteRate, basis: Basis) -> Self {
        Self {
            resource: Resource::Memory(level),
            demand: traffic.get(),
            rate: bandwidth.get(),
            basis,
            latency: Seconds::ZERO,
            time: traffic / bandwidth,
        }
    }

    /// The same, begun after a latency.
    pub(super) fn after(mut self, latency: Seconds) -> Self {
        self.latency = latency;
        self.time = self.time + latency;
        self
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
        let latency = match self.latency {
            Seconds::ZERO => String::new(),
            latency => format!("{latency} + "),
        };
        format!(
            "{latency}{} ÷ {}",
            units::short(self.demand, demand),
            units::short(self.rate, rate)
        )
    }
}
