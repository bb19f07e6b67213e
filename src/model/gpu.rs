//! A GPU: its compute roofs, its memory roofs and what it is built of.
use super::cost::{ComputeUnit, Level, Path};
use super::format::NumberFormat;
use super::ids::GpuId;
use super::parts::Parts;
use super::quantity::{ByteRate, Bytes, Count, FlopRate, Intensity, Seconds};
pub use super::sourced::{Basis, Confidence, JudgedBy, Sourced};
use serde::{Deserialize, Serialize};

/// The peak rate of one path.
#[derive(Debug, Clone, PartialEq)]
pub struct ComputeRoof {
    pub path: Path,
    pub peak: Sourced<FlopRate>,
    /// What good kernels reach, where that was measured.
    pub achievable: Option<Sourced<FlopRate>>,
}

impl ComputeRoof {
    /// A peak of which nothing measured is known.
    pub fn new(path: Path, peak: Sourced<FlopRate>) -> Self {
        Self {
            path,
            peak,
            achievable: None,
        }
    }

    /// The rate that points are judged by: the one asked for, else the peak.
    pub fn judged(&self, by: JudgedBy) -> &Sourced<FlopRate> {
        let achievable = self
            .achievable
            .as_ref()
            .filter(|_| by == JudgedBy::Achievable);
        achievable.unwrap_or(&self.peak)
    }

    /// The same, to change it.
    pub fn judged_mut(&mut self, by: JudgedBy) -> &mut Sourced<FlopRate> {
        match &mut self.achievable {
            Some(achievable) if by == JudgedBy::Achievable => achievable,
            _ => &mut self.peak,
        }
    }
}

/// The bandwidth of one level.
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryRoof {
    pub level: Level,
    pub bandwidth: Sourced<ByteRate>,
    /// What good kernels reach, where that was measured.
    pub achievable: Option<Sourced<ByteRate>>,
    /// How many links the bandwidth is the sum of, where it is a link's and that is known.
    pub links: Option<Count>,
    /// How many of them lead to one peer, where that is known: what one pair of devices can use.
    pub links_per_peer: Option<Count>,
}

impl MemoryRoof {
    /// A bandwidth of which nothing measured is known.
    pub fn new(level: Level, bandwidth: Sourced<ByteRate>) -> Self {
        Self {
            level,
            bandwidth,
            achievable: None,
            links: None,
            links_per_peer: None,
        }
    }

    /// What of `rate`, which all links have together, reaches one peer; `None` where that is not known.
    pub fn to_one_peer(&self, rate: ByteRate) -> Option<ByteRate> {
        self.of_links(rate, self.links_per_peer?)
    }

    /// The rate of so many of the links, which have `rate` together.
    fn of_links(&self, rate: ByteRate, part: Count) -> Option<ByteRate> {
        ByteRate::try_from(rate.get() / self.links?.get() * part.get()).ok()
    }

    /// What a link's bandwidth is of: `per direction, 7 links of 64 GB/s; to one peer 1 link, 64 GB/s`.
    ///
    /// `None` for a level that is no link.
    pub fn scope_of_link(&self) -> Option<String> {
        if !self.level.is_link() {
            return None;
        }
        let mut text = "per direction".to_owned();
        let Some(links) = self.links else {
            return Some(text + ", all lanes or links together");
        };
        let many = |count: Count| if count == Count::ONE { "link" } else { "links" };
        if let Some(each) = self.of_links(self.bandwidth.value, Count::ONE) {
            text += &format!(", aggregate over {links} {} of {each}", many(links));
        }
        if let (Some(peer), Some(rate)) =
            (self.links_per_peer, self.to_one_peer(self.bandwidth.value))
        {
            text += &format!("; to one peer {peer} {}, {rate}", many(peer));
        }
        Some(text)
    }

    /// The rate that points are judged by: the one asked for, else the published bandwidth.
    pub fn judged(&self, by: JudgedBy) -> &Sourced<ByteRate> {
        let achievable = self
            .achievable
            .as_ref()
            .filter(|_| by == JudgedBy::Achievable);
        achievable.unwrap_or(&self.bandwidth)
    }

    /// The same, to change it.
    pub fn judged_mut(&mut self, by: JudgedBy) -> &mut Sourced<ByteRate> {
        match &mut self.achievable {
            Some(achievable) if by == JudgedBy::Achievable => achievable,
            _ => &mut self.bandwidth,
        }
    }
}

/// What a device's numbers are of: software and data sheets do not always mean the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// One of several dies of a package, as software sees a device of its own.
    Die,
    /// A package, all its dies together.
    Package,
    /// The GPU of a superchip, without its CPU.
    Superchip,
}

impl Scope {
    /// Every scope.
    pub const ALL: [Self; 3] = [Self::Die, Self::Package, Self::Superchip];

    /// The words shown.
    pub fn name(self) -> &'static str {
        match self {
            Self::Die => "one die",
            Self::Package => "whole package",
            Self::Superchip => "GPU of a superchip",
        }
    }
}

/// A device as an engineer edits it.
#[derive(Debug, Clone, PartialEq)]
pub struct Gpu {
    pub id: GpuId,
    pub name: String,
    /// The preset this was copied from.
    pub preset: Option<String>,
    /// What the numbers are of, where that has to be said.
    pub scope: Option<Scope>,
    pub compute: Vec<ComputeRoof>,
    pub memory: Vec<MemoryRoof>,
    pub capacity: Option<Bytes>,
    /// What structured sparsity (2:4) multiplies matrix peaks by, where the device has it.
    pub sparsity: Option<Count>,
    /// Time one kernel launch takes, where known.
    pub launch_overhead: Option<Seconds>,
    /// What it is built of, from which roofs can be derived.
    pub parts: Parts,
    pub notes: String,
}

impl Gpu {
    /// A device about which nothing is known yet.
    pub fn empty(name: impl Into<String>) -> Self {
        Self {
            id: GpuId(0),
            name: name.into(),
            preset: None,
            scope: None,
            compute: Vec::new(),
            memory: Vec::new(),
            capacity: None,
            sparsity: None,
            launch_overhead: None,
            parts: Parts::default(),
            notes: String::new(),
        }
    }

    /// Whether a number here replaced a published one.
    pub fn differs(&self) -> bool {
        let compute = self.compute.iter().any(|roof| {
            let achievable = roof.achievable.as_ref();
            roof.peak.original.is_some() || achievable.is_some_and(|a| a.original.is_some())
        });
        let memory = self.memory.iter().any(|roof| {
            let achievable = roof.achievable.as_ref();
            roof.bandwidth.original.is_some() || achievable.is_some_and(|a| a.original.is_some())
        });
        compute || memory || self.parts.differ()
    }

    /// Goes back to every published number.
    pub fn reset(&mut self) {
        for roof in &mut self.compute {
            roof.peak.reset();
            roof.achievable.iter_mut().for_each(Sourced::reset);
        }
        for roof in &mut self.memory {
            roof.bandwidth.reset();
            roof.achievable.iter_mut().for_each(Sourced::reset);
        }
        self.parts.reset();
    }

    /// The roof of exactly this path.
    pub fn compute_roof(&self, path: Path) -> Option<&ComputeRoof> {
        self.compute.iter().find(|roof| roof.path == path)
    }

    /// The roof of exactly this level.
    pub fn memory_roof(&self, level: Level) -> Option<&MemoryRoof> {
        self.memory.iter().find(|roof| roof.level == level)
    }

    /// The roof that work of `path` is judged by: the path's own, else the same format's other unit,
    /// else the next wider, then the next narrower format. `None` if the device has no compute roof that could do it.
    pub fn roof_for(&self, path: Path) -> Option<&ComputeRoof> {
        let path = path.dense();
        let formats = std::iter::once(path.format).chain(path.format.neighbours());
        let other_units = ComputeUnit::ALL
            .into_iter()
            .filter(move |unit| *unit != path.unit);
        let units: Vec<_> = std::iter::once(path.unit).chain(other_units).collect();
        self.compute_roof(path).or_else(|| {
            formats
                .flat_map(|format| units.iter().map(move |unit| (format, *unit)))
                .find_map(|(format, unit)| self.any_accumulator(format, unit))
        })
    }

    /// The roof of a format and unit, preferring the usual accumulator.
    fn any_accumulator(&self, format: NumberFormat, unit: ComputeUnit) -> Option<&ComputeRoof> {
        let candidates = || {
            self.compute
                .iter()
                .filter(move |roof| roof.path.format == format && roof.path.unit == unit)
        };
        candidates()
            .find(|roof| roof.path.accumulator.is_none())
            .or_else(|| candidates().next())
    }

    /// The factor by which structured sparsity lifts a path's peak; `None` where it does not apply.
    ///
    /// It is of matrix units and of formats below 64 bits.
    pub fn sparse_factor(&self, path: Path) -> Option<f64> {
        let applies = path.unit == ComputeUnit::Matrix && path.format != NumberFormat::FP64;
        let factor = self.sparsity.map(Count::get).filter(|factor| *factor > 1.0);
        factor.filter(|_| applies)
    }

    /// The roof of exactly this path, to change it.
    pub fn compute_roof_mut(&mut self, path: Path) -> Option<&mut ComputeRoof> {
        self.compute.iter_mut().find(|roof| roof.path == path)
    }

    /// The roof of exactly this level, to change it.
    pub fn memory_roof_mut(&mut self, level: Level) -> Option<&mut MemoryRoof> {
        self.memory.iter_mut().find(|roof| roof.level == level)
    }

    /// The ridge point of a path and a level: compute roof ÷ memory roof, in FLOP/B.
    pub fn ridge(&self, path: Path, level: Level) -> Option<Intensity> {
        Some(self.roof_for(path)?.peak.value / self.memory_roof(level)?.bandwidth.value)
    }
}
