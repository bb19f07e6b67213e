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
            launch_overhead: None,
            parts: Parts::default(),
            notes: String::new(),
        }
    }

    /// Whether a reset would change a number.
    pub fn differs(&self, published: Option<&Self>) -> bool {
        let mut reset = self.clone();
        reset.reset(published);
        reset != *self
    }

    /// Goes back to every published number, and of the `published` device it was copied from to all that was removed
    /// or replaced. What was added here stays, and so do name and notes.
    pub fn reset(&mut self, published: Option<&Self>) {
        for roof in &mut self.compute {
            roof.peak.reset();
            roof.achievable.iter_mut().for_each(Sourced::reset);
        }
        for roof in &mut self.memory {
            roof.bandwidth.reset();
            roof.achievable.iter_mut().for_each(Sourced::reset);
        }
        self.parts.reset();
        if let Some(published) = published {
            self.take_back(published);
        }
    }

    /// Everything that is published of the device, and after it what only this one has.
    fn take_back(&mut self, published: &Self) {
        let mut compute = published.compute.clone();
        let added = self.compute.drain(..);
        compute.extend(added.filter(|roof| published.compute_roof(roof.path).is_none()));
        let mut memory = published.memory.clone();
        let added = self.memory.drain(..);
        memory.extend(added.filter(|roof| published.memory_roof(roof.level).is_none()));
        (self.compute, self.memory) = (compute, memory);
        self.capacity = published.capacity.or(self.capacity);
        self.scope = published.scope.or(self.scope);
        self.launch_overhead = published.launch_overhead.or(self.launch_overhead);
        self.parts.take_back(&published.parts);
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
        // What computes exponentials can do nothing else.
        let other_units = [ComputeUnit::Vector, ComputeUnit::Matrix]
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
            self.dense_roofs()
                .filter(move |roof| roof.path.format == format && roof.path.unit == unit)
        };
        candidates()
            .find(|roof| roof.path.accumulator.is_none())
            .or_else(|| candidates().next())
    }

    /// The roof with structured sparsity beside the one that dense work of `path` is judged by; `None` without one.
    pub fn sparse_roof(&self, path: Path) -> Option<&ComputeRoof> {
        let dense = self.roof_for(path)?.path;
        self.compute_roof(dense.with_sparsity())
    }

    /// The roof that work of `path` is judged by: of sparse work the one with structured sparsity, where there is one.
    pub fn judging_roof(&self, path: Path) -> Option<&ComputeRoof> {
        let sparse = self.sparse_roof(path).filter(|_| path.sparse);
        sparse.or_else(|| self.roof_for(path))
    }

    /// The compute roofs of dense work, in their order.
    pub fn dense_roofs(&self) -> impl Iterator<Item = &ComputeRoof> {
        self.compute.iter().filter(|roof| !roof.path.sparse)
    }

    /// The roof of exactly this path, to change it.
    pub fn compute_roof_mut(&mut self, path: Path) -> Option<&mut ComputeRoof> {
        self.compute.iter_mut().find(|roof| roof.path == path)
    }

    /// The roof of exactly this level, to change it.
    pub fn memory_roof_mut(&mut self, level: Level) -> Option<&mut MemoryRoof> {
        self.memory.iter_mut().find(|roof| roof.level == level)
    }

    /// The ridge point of a path and a level as published: compute roof ÷ memory roof, in FLOP/B.
    pub fn ridge(&self, path: Path, level: Level) -> Option<Intensity> {
        self.ridge_by(path, level, JudgedBy::Theoretical)
    }

    /// The ridge point of the roofs that judge, in FLOP/B.
    pub fn ridge_by(&self, path: Path, level: Level, by: JudgedBy) -> Option<Intensity> {
        let (peak, memory) = (self.judging_roof(path)?, self.memory_roof(level)?);
        Some(peak.judged(by).value / memory.judged(by).value)
    }
}
