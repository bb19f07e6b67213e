//! A cost on a GPU: terms, and everything that follows from them.
mod assumptions;
mod explain;
mod operator;
mod place;
mod term;

pub use assumptions::{
    Assumptions, Estimate, Launches, Overlap, REALISTIC_EFFICIENCY, REALISTIC_LAUNCH,
};
pub use operator::PlacedOperator;
use place::is_compute;
pub(super) use place::{pipe, roof_for};
pub use place::{place, place_all};
pub use term::{Regime, Resource, Term};

use crate::model::cost::{Level, Path};
use crate::model::quantity::{ByteRate, Bytes, FlopRate, Flops, Intensity, Seconds};
use crate::model::units::{self, Unit};

/// Why a cost cannot be placed on a GPU, and what to add.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Unplaced {
    #[error("{gpu} has no compute roof for {wanted}: add its peak")]
    NoComputeRoof { gpu: String, wanted: Path },
    #[error("{gpu} has no {level} bandwidth: add it")]
    NoMemoryRoof { gpu: String, level: &'static str },
    #[error("it asks neither work nor traffic, so it takes no time: give it one of them")]
    NothingAsked,
    #[error("its operators add up to no usable number: make it smaller")]
    TooLarge,
}

/// A cost on a GPU.
#[derive(Debug, Clone, PartialEq)]
pub struct Placement {
    /// The longest first: the limiter, then the runner-up. Of several operators, the one that decides most of the time.
    pub terms: Vec<Term>,
    /// The operators whose times add up to the whole; none where it is a single kernel.
    pub operators: Vec<PlacedOperator>,
    /// The time of the one-number model (all work, all traffic at once), where there are operators: never more than theirs.
    pub one_number_time: Option<Seconds>,
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
    /// The part of `roof_time` that goes into launching.
    pub launch_time: Seconds,
    /// Share of the roofs' rate that is assumed to be reached, 0–1.
    pub efficiency: f64,
    /// What is odd about this placement.
    pub warnings: Vec<String>,
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

    /// The predicted time: what the roofs allow ÷ the assumed efficiency; launching takes what it takes.
    pub fn time(&self) -> Seconds {
        let (all, launching) = (self.roof_time.get(), self.launch_time.get());
        let time = (all - launching) / self.efficiency + launching;
        Seconds::try_from(time).unwrap_or(self.roof_time)
    }

    /// The time in words: `predicted at 80 %` of the roofs, launches on top where they are added.
    pub fn time_formula_at_efficiency(&self) -> String {
        let share = units::percent(self.efficiency);
        let running = self.roof_time.get() - self.launch_time.get();
        let running = units::short(running, Unit::Second);
        if self.launch_time == Seconds::ZERO {
            format!("{running} ÷ {share} = {}", self.time())
        } else {
            let launching = self.launch_time;
            format!("{running} ÷ {share} + {launching} = {}", self.time())
        }
    }

    /// The efficiency at which the rate would be this one; above 1 where the roofs do not allow it.
    pub fn efficiency_for(&self, rate: FlopRate) -> f64 {
        let launching = self.launch_time.get();
        let running = self.work.get() / rate.get() - launching;
        // Launches alone take longer: no efficiency is enough.
        if running <= 0.0 {
            return f64::INFINITY;
        }
        (self.roof_time.get() - launching) / running
    }

    /// The time a resource decides, in s: all of it for the limiter of a single kernel, else the times of its operators.
    pub fn time_decided_by(&self, resource: Resource) -> f64 {
        if self.operators.is_empty() {
            let decides = self.limiter().resource == resource;
            return if decides { self.roof_time.get() } else { 0.0 };
        }
        let limited = self.operators.iter();
        let limited = limited.filter(|o| o.placement.limiter().resource == resource);
        limited.map(PlacedOperator::roof_time).sum()
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
        let alone = self.operators.is_empty()
            && self.roof_time == self.limiter().time
            && self.limiter().demand == self.work.get()
            && self.work.get() > 0.0;
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
