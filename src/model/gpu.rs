//! A GPU: its compute roofs and memory roofs, each with basis and source, and how plausible they are.
use super::cost::{ComputeUnit, Level, Path};
use super::format::NumberFormat;
use super::ids::GpuId;
use super::quantity::{ByteRate, Bytes, Count, FlopRate, Intensity, Quantity, Seconds};
use super::units::{self, ParseError};
use serde::{Deserialize, Serialize};

/// How a number is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Published, or units × clock.
    Theoretical,
    /// Measured somewhere.
    Achievable,
    /// Typed or dragged here.
    Own,
}

impl Basis {
    /// The word shown beside a number.
    pub fn name(self) -> &'static str {
        match self {
            Self::Theoretical => "theoretical",
            Self::Achievable => "achievable",
            Self::Own => "own",
        }
    }
}

/// Which roofs points are judged by, where both are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JudgedBy {
    /// Published peaks, which no kernel quite reaches.
    #[default]
    Theoretical,
    /// What good kernels have been measured to reach.
    Achievable,
}

impl JudgedBy {
    /// Both, in the order of a switch.
    pub const ALL: [Self; 2] = [Self::Theoretical, Self::Achievable];

    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Self::Theoretical => Self::Achievable,
            Self::Achievable => Self::Theoretical,
        }
    }

    /// The word on the switch.
    pub fn name(self) -> &'static str {
        match self {
            Self::Theoretical => "theoretical",
            Self::Achievable => "achievable",
        }
    }
}

/// How far a published number can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// Weak, disputed or unchecked.
    Low,
    /// One decent source, or derived from the vendor's facts.
    Medium,
    /// The vendor's own text, with an independent match or exact arithmetic.
    High,
}

impl Confidence {
    /// The word shown beside a number.
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// A number with where it comes from, and what it was before someone changed it here.
#[derive(Debug, Clone, PartialEq)]
pub struct Sourced<Q> {
    pub value: Q,
    pub basis: Basis,
    pub source: String,
    /// Of the published number; `None` where nobody said.
    pub confidence: Option<Confidence>,
    /// The product it was derived from here, as typed: `304 × 2048 × 2.1 GHz`.
    pub derivation: Option<String>,
    /// The published number that `value` replaced; a ghost on the chart until reset.
    pub original: Option<(Q, Basis)>,
}

impl<Q: Quantity> Sourced<Q> {
    /// A number as published.
    pub fn theoretical(value: Q, source: impl Into<String>) -> Self {
        Self {
            value,
            basis: Basis::Theoretical,
            source: source.into(),
            confidence: None,
            derivation: None,
            original: None,
        }
    }

    /// A number of the user's.
    pub fn own(value: Q) -> Self {
        Self {
            value,
            basis: Basis::Own,
            source: String::new(),
            confidence: None,
            derivation: None,
            original: None,
        }
    }

    /// A number measured somewhere.
    pub fn achievable(value: Q, source: impl Into<String>) -> Self {
        Self {
            basis: Basis::Achievable,
            ..Self::theoretical(value, source)
        }
    }

    /// Takes what a user typed: a number, or a product that is shown beside it.
    pub fn type_in(&mut self, text: &str) -> Result<(), ParseError> {
        match units::product(text, Q::UNIT) {
            Some(product) => {
                let value = Q::try_from(product?).map_err(|reason| ParseError::OutOfRange {
                    text: text.trim().to_owned(),
                    reason,
                })?;
                self.set_own(value);
                self.derivation = Some(text.trim().replace('*', "×"));
            }
            None => self.set_own(Q::parse(text)?),
        }
        Ok(())
    }

    /// Replaces the number by one of the user's, keeping the published one to go back to.
    pub fn set_own(&mut self, value: Q) {
        if value == self.value {
            return;
        }
        self.derivation = None;
        if self.original.is_some_and(|(original, _)| original == value) {
            self.reset();
            return;
        }
        if self.original.is_none() && self.basis != Basis::Own {
            self.original = Some((self.value, self.basis));
        }
        self.value = value;
        self.basis = Basis::Own;
    }

    /// Goes back to the published number, if one was replaced.
    pub fn reset(&mut self) {
        if let Some((value, basis)) = self.original.take() {
            self.derivation = None;
            self.value = value;
            self.basis = basis;
        }
    }
}

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
}

impl MemoryRoof {
    /// A bandwidth of which nothing measured is known.
    pub fn new(level: Level, bandwidth: Sourced<ByteRate>) -> Self {
        Self {
            level,
            bandwidth,
            achievable: None,
        }
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
        compute || memory
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

    /// The ridge point of a path and a level: compute roof ÷ memory roof, in FLOP/B.
    pub fn ridge(&self, path: Path, level: Level) -> Option<Intensity> {
        Some(self.roof_for(path)?.peak.value / self.memory_roof(level)?.bandwidth.value)
    }
}
