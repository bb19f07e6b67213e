//! The roofs of a GPU, looked up once for all kernels of a profile: what [`place`] says of a kernel, without allocating.
//!
//! [`place`]: crate::model::placement::place
use super::clocks::Scale;
use super::{Kernels, Target};
use crate::model::cost::{ComputeUnit, Level, Path};
use crate::model::format::NumberFormat;
use crate::model::gpu::{Basis, Gpu, JudgedBy};
use crate::model::placement::{Assumptions, Overlap, Resource, pipe, roof_for};
use crate::model::quantity::{Bytes, Flops};

/// The paths and levels that occur in a profile: a place each in [`Amounts`].
#[derive(Debug, Clone, Default)]
pub(super) struct Slots {
    pub paths: Vec<Path>,
    pub levels: Vec<Level>,
    /// Of each formula of the kernels, the place its value goes to.
    of_formulas: Vec<usize>,
}

impl Slots {
    /// Of the formulas of kernels.
    pub fn of(kernels: &Kernels) -> Self {
        let mut slots = Self::default();
        for formula in &kernels.formulas {
            let slot = match formula.target {
                Target::Work(path) => slots.path(path),
                Target::Traffic(level) => slots.level(level),
            };
            slots.of_formulas.push(slot);
        }
        slots
    }

    /// The place of a path, made where there is none.
    pub fn path(&mut self, path: Path) -> usize {
        place_in(&mut self.paths, path)
    }

    /// The place of a level, made where there is none.
    pub fn level(&mut self, level: Level) -> usize {
        place_in(&mut self.levels, level)
    }
}

fn place_in<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    let at = list.iter().position(|other| *other == item);
    at.unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    })
}

/// What all launches of a line asked, per slot; NaN is unknown.
#[derive(Debug, Clone, Default)]
pub(super) struct Amounts {
    pub work: Vec<f64>,
    pub traffic: Vec<f64>,
}

impl Amounts {
    /// Nothing known.
    pub fn new(slots: &Slots) -> Self {
        Self {
            work: vec![f64::NAN; slots.paths.len()],
            traffic: vec![f64::NAN; slots.levels.len()],
        }
    }

    /// What the formulas of a line give.
    pub fn count(&mut self, slots: &Slots, kernels: &Kernels, line: usize) {
        self.work.fill(f64::NAN);
        self.traffic.fill(f64::NAN);
        for (formula, slot) in kernels.formulas.iter().zip(&slots.of_formulas) {
            let Some(value) = formula.value(&kernels.counters, line) else {
                continue;
            };
            let (sum, valid) = match formula.target {
                Target::Work(_) => (&mut self.work[*slot], Flops::try_from(value).is_ok()),
                Target::Traffic(_) => (&mut self.traffic[*slot], Bytes::try_from(value).is_ok()),
            };
            if valid {
                *sum = if sum.is_nan() { value } else { *sum + value };
            }
        }
    }

    /// Multiplies everything.
    pub fn multiply(&mut self, by: f64) {
        let all = self.work.iter_mut().chain(&mut self.traffic);
        all.for_each(|amount| *amount *= by);
    }

    /// All work; special functions are apart where there is other work. NaN where none is known.
    pub fn total_work(&self, slots: &Slots) -> f64 {
        let (mut special, mut others) = (f64::NAN, f64::NAN);
        for (path, work) in slots.paths.iter().zip(&self.work) {
            let sum = match path.unit {
                ComputeUnit::SpecialFunction => &mut special,
                _ => &mut others,
            };
            if !work.is_nan() {
                *sum = if sum.is_nan() { *work } else { *sum + *work };
            }
        }
        if others > 0.0 || special.is_nan() {
            others
        } else {
            special
        }
    }

    /// The level points lie at, and its traffic: the memory where that is known, else the cache nearest to it.
    pub fn main_traffic(&self, slots: &Slots) -> Option<(Level, f64)> {
        let known = slots.levels.iter().zip(&self.traffic);
        let known = known.filter(|(_, traffic)| !traffic.is_nan());
        let main = known.min_by_key(|(level, _)| **level)?;
        Some((*main.0, *main.1))
    }
}

/// Why nothing is known of the time the roofs allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unjudged {
    /// The GPU has no roof that could do this work.
    NoComputeRoof(Path),
    /// The GPU has no bandwidth of this level.
    NoMemoryRoof(Level),
    /// No work and no traffic.
    NothingAsked,
}

/// What the roofs allow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bound {
    /// In s.
    pub time: f64,
    pub limiter: Resource,
    pub basis: Basis,
    /// The path of the work that takes longest.
    pub path: Option<Path>,
    /// The path that work is of, where the GPU lacks it.
    pub wanted: Option<Path>,
}

/// A pipe that work of a path goes through.
#[derive(Debug, Clone, Copy)]
struct Pipe {
    path: Path,
    rate: f64,
    basis: Basis,
}

/// The rates of every slot, by one basis.
#[derive(Debug, Clone)]
pub(super) struct Rates {
    /// Distinct pipes.
    pipes: Vec<Pipe>,
    /// Of each path, its place in `pipes`.
    of_paths: Vec<Option<usize>>,
    /// Of each level.
    of_levels: Vec<Option<(f64, Basis)>>,
    overlap: Overlap,
}

impl Rates {
    /// The rates of `gpu` by the basis of `assumptions`.
    pub fn of(slots: &Slots, gpu: &Gpu, assumptions: Assumptions) -> Self {
        let by = assumptions.judged_by;
        let mut pipes: Vec<Pipe> = Vec::new();
        let of_paths = slots.paths.iter().map(|wanted| {
            let roof = roof_for(*wanted, gpu)?;
            let roof = pipe(*wanted, roof, gpu);
            let (path, judged) = (roof.path, roof.judged(by));
            let (rate, basis) = (judged.value, judged.basis);
            let at = pipes.iter().position(|pipe| pipe.path == path);
            Some(at.unwrap_or_else(|| {
                let rate = rate.get();
                pipes.push(Pipe { path, rate, basis });
                pipes.len() - 1
            }))
        });
        let of_paths = of_paths.collect();
        Self {
            of_levels: slots.levels.iter().map(|l| memory(gpu, *l, by)).collect(),
            of_paths,
            pipes,
            overlap: assumptions.overlap,
        }
    }

    /// The time these rates, at a clock, allow for `amounts`; `times` is room for the time of each pipe.
    pub fn bound(
        &self,
        slots: &Slots,
        amounts: &Amounts,
        scale: Scale,
        times: &mut Vec<f64>,
    ) -> Result<Bound, Unjudged> {
        times.clear();
        times.resize(self.pipes.len(), f64::NAN);
        self.compute(slots, amounts, scale, times)?;
        let memory = self.memory(slots, amounts, scale)?;
        let main = self.main(times);
        let longest = self.longest(times);
        let mut time = match self.overlap {
            Overlap::Full => self.of_units(times),
            Overlap::None => times.iter().filter(|t| !t.is_nan()).sum(),
        };
        let mut limiter = longest.map(|at| {
            let pipe = self.pipes[at];
            (times[at], Resource::Compute(pipe.path), pipe.basis)
        });
        for (level, of_level, basis) in memory {
            match self.overlap {
                Overlap::Full => time = time.max(of_level),
                Overlap::None => time += of_level,
            }
            if limiter.is_none_or(|(longest, ..)| of_level > longest) {
                limiter = Some((of_level, Resource::Memory(level), basis));
            }
        }
        let Some((longest, limiter, basis)) = limiter else {
            return Err(Unjudged::NothingAsked);
        };
        if longest == 0.0 {
            return Err(Unjudged::NothingAsked);
        }
        let path = main.map(|at| self.pipes[at].path);
        let wanted = main.and_then(|at| self.wanted(slots, amounts, at));
        if let (Some(wanted), Some(path)) = (wanted, path) {
            // Another format's rate says nothing of a wider one, and of a narrower one only that the memory decides.
            let wider = wanted.format.bits() > path.format.bits();
            if wider || limiter == Resource::Compute(path) {
                return Err(Unjudged::NoComputeRoof(wanted));
            }
        }
        Ok(Bound {
            time,
            limiter,
            basis,
            path,
            wanted,
        })
    }

    /// The path of most work that goes through a pipe in place of the one it is of.
    fn wanted(&self, slots: &Slots, amounts: &Amounts, pipe: usize) -> Option<Path> {
        let through = |at: &usize| self.of_paths[*at] == Some(pipe) && amounts.work[*at] > 0.0;
        let main = (0..slots.paths.len()).filter(through);
        let main = main.max_by(|a, b| amounts.work[*a].total_cmp(&amounts.work[*b]))?;
        let (wanted, judged) = (slots.paths[main], self.pipes[pipe].path);
        // Another accumulator or structured sparsity is no other arithmetic; nor are plain formats on a unit that
        // most devices do not have for them.
        let plain = [NumberFormat::FP32, NumberFormat::FP64].contains(&wanted.format);
        let other = wanted.format != judged.format || (wanted.unit != judged.unit && !plain);
        other.then_some(wanted)
    }

    /// The time of each pipe.
    fn compute(
        &self,
        slots: &Slots,
        amounts: &Amounts,
        scale: Scale,
        times: &mut [f64],
    ) -> Result<(), Unjudged> {
        for (at, work) in amounts.work.iter().enumerate() {
            if work.is_nan() {
                continue;
            }
            let wanted = slots.paths[at];
            match self.of_paths[at] {
                Some(pipe) => {
                    let time = &mut times[pipe];
                    *time = if time.is_nan() { *work } else { *time + *work };
                }
                None if *work == 0.0 => {}
                None if wanted.unit == ComputeUnit::SpecialFunction
                    && amounts.total_work(slots) != *work => {}
                None => return Err(Unjudged::NoComputeRoof(wanted)),
            }
        }
        for (time, pipe) in times.iter_mut().zip(&self.pipes) {
            *time /= pipe.rate * scale.of_unit(pipe.path.unit);
        }
        Ok(())
    }

    /// Level, time and basis of each level with a bandwidth.
    fn memory<'a>(
        &'a self,
        slots: &'a Slots,
        amounts: &'a Amounts,
        scale: Scale,
    ) -> Result<impl Iterator<Item = (Level, f64, Basis)> + 'a, Unjudged> {
        let all = || {
            let levels = slots.levels.iter().zip(&amounts.traffic);
            let levels = levels.zip(&self.of_levels);
            levels.filter(|((_, traffic), _)| !traffic.is_nan())
        };
        let memory = all().any(|((level, traffic), _)| *level == Level::Dram && *traffic > 0.0);
        for ((level, traffic), rate) in all() {
            // A cache only adds to what the memory says.
            let needed = *traffic > 0.0 && !(level.is_cache() && memory);
            if rate.is_none() && needed {
                return Err(Unjudged::NoMemoryRoof(*level));
            }
        }
        Ok(all().filter_map(move |((level, traffic), rate)| {
            let (rate, basis) = (*rate)?;
            Some((*level, traffic / (rate * scale.of_level(*level)), basis))
        }))
    }

    /// The longest pipe.
    fn longest(&self, times: &[f64]) -> Option<usize> {
        longest_of(times, |_| true)
    }

    /// The longest pipe of other than special functions, else the longest.
    fn main(&self, times: &[f64]) -> Option<usize> {
        let others = |at: usize| self.pipes[at].path.unit != ComputeUnit::SpecialFunction;
        longest_of(times, others).or_else(|| self.longest(times))
    }

    /// The longest time of a kind of unit, whose formats share a pipe.
    fn of_units(&self, times: &[f64]) -> f64 {
        let of_unit = |unit: ComputeUnit| -> f64 {
            let pipes = self.pipes.iter().zip(times);
            let of_unit = pipes.filter(|(pipe, time)| pipe.path.unit == unit && !time.is_nan());
            of_unit.map(|(_, time)| *time).sum()
        };
        ComputeUnit::ALL
            .map(of_unit)
            .into_iter()
            .fold(0.0, f64::max)
    }
}

fn longest_of(times: &[f64], wanted: impl Fn(usize) -> bool) -> Option<usize> {
    let mut longest: Option<usize> = None;
    for (at, time) in times.iter().enumerate() {
        if !time.is_nan() && wanted(at) && longest.is_none_or(|l| *time > times[l]) {
            longest = Some(at);
        }
    }
    longest
}

fn memory(gpu: &Gpu, level: Level, by: JudgedBy) -> Option<(f64, Basis)> {
    let judged = gpu.memory_roof(level)?.judged(by);
    Some((judged.value.get(), judged.basis))
}
