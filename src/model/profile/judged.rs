//! A kernel beside the roofs: what it took, what they allow, and what is missing to say more.
use super::judge::Unjudged;
use crate::model::cost::{Level, Path};
use crate::model::gpu::Basis;
use crate::model::measurement::Verdict;
use crate::model::placement::{Regime, Resource};

/// What a kernel lacks for a place on the chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Missing {
    pub work: bool,
    pub traffic: bool,
    pub time: bool,
}

impl Missing {
    /// Whether it lacks nothing.
    pub fn is_nothing(self) -> bool {
        self == Self::default()
    }

    /// `work`, `traffic`, `time`, those that are missing.
    pub fn names(self) -> Vec<&'static str> {
        let all = [
            (self.work, "work"),
            (self.traffic, "traffic"),
            (self.time, "time"),
        ];
        let missing = all.into_iter().filter(|(missing, _)| *missing);
        missing.map(|(_, name)| name).collect()
    }
}

/// Where a kernel is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// A mark on the chart.
    Placed,
    /// Without work: in the gutter beside the chart, at its share of bandwidth.
    ZeroWork,
    /// In the list only.
    NotPlaced,
}

/// A line of a profile, judged; times and amounts are of all its launches together.
#[derive(Debug, Clone, Copy)]
pub struct Judged {
    /// Which line of the profile's kernels.
    pub line: u32,
    pub missing: Missing,
    /// The level of `traffic`: the memory where that was counted, else the cache nearest to it.
    pub level: Level,
    /// The path it is judged by, of the work that takes longest.
    pub path: Option<Path>,
    /// The path of that work, where the GPU lacks it and another one's roof judges it.
    pub wanted: Option<Path>,
    /// What sets the time the roofs allow.
    pub limiter: Option<Resource>,
    /// How the limiting roof is known.
    pub basis: Basis,
    /// Why the roofs say nothing.
    pub unjudged: Option<Unjudged>,
    /// Whether a number of it was given here in place of one that was counted or missing.
    pub given: Given,
    /// Whether only its rates are known: amounts are of seconds that nobody measured.
    pub per_second: bool,
    // NaN where not known, and none leaves this file.
    pub(super) time: f64,
    pub(super) bound: f64,
    pub(super) nominal: f64,
    pub(super) clock_ratio: f64,
    pub(super) work: f64,
    pub(super) traffic: f64,
}

/// Which numbers were given here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Given {
    pub work: bool,
    pub traffic: bool,
    pub time: bool,
}

fn known(value: f64) -> Option<f64> {
    (!value.is_nan()).then_some(value)
}

fn ratio(of: f64, by: f64) -> Option<f64> {
    let ratio = of / by;
    ratio.is_finite().then_some(ratio)
}

impl Judged {
    /// Measured, in s.
    pub fn time(&self) -> Option<f64> {
        known(self.time).filter(|_| !self.per_second)
    }

    /// What the judged roofs allow, in s, at the clocks of the run where those are known.
    pub fn bound(&self) -> Option<f64> {
        known(self.bound).filter(|_| !self.per_second)
    }

    /// What the judged roofs allow at their nominal clocks, in s.
    pub fn nominal_bound(&self) -> Option<f64> {
        known(self.nominal).filter(|_| !self.per_second)
    }

    /// The clock it ran at ÷ the nominal one, where roofs are scaled by it.
    pub fn clock_ratio(&self) -> Option<f64> {
        known(self.clock_ratio)
    }

    /// In FLOP; zero for a copy.
    pub fn work(&self) -> Option<f64> {
        known(self.work)
    }

    /// At `level`, in B.
    pub fn traffic(&self) -> Option<f64> {
        known(self.traffic)
    }

    /// Measured time − the time the judged roofs allow, in s; negative above the roof.
    pub fn recoverable(&self) -> Option<f64> {
        known(self.time - self.bound).filter(|_| !self.per_second)
    }

    /// The time the roofs allow ÷ the measured one: 1 is the roof, and above it is above.
    pub fn share(&self) -> Option<f64> {
        ratio(self.bound, self.time)
    }

    /// The same by the roofs at nominal clocks.
    pub fn nominal_share(&self) -> Option<f64> {
        ratio(self.nominal, self.time)
    }

    /// Work ÷ traffic at `level`, in FLOP/B; `None` without traffic.
    pub fn intensity(&self) -> Option<f64> {
        ratio(self.work, self.traffic)
    }

    /// Work ÷ time, in FLOP/s; zero for a copy.
    pub fn flop_rate(&self) -> Option<f64> {
        ratio(self.work, self.time)
    }

    /// Traffic at `level` ÷ time, in B/s.
    pub fn byte_rate(&self) -> Option<f64> {
        ratio(self.traffic, self.time)
    }

    /// The kind of what limits it.
    pub fn regime(&self) -> Option<Regime> {
        self.limiter.map(Resource::regime)
    }

    /// Whether it was faster than its roofs allow.
    pub fn is_above(&self) -> bool {
        self.verdict() == Some(Verdict::AboveTheRoof)
    }

    /// How good its share is, with the limits of the roof's basis.
    pub fn verdict(&self) -> Option<Verdict> {
        Some(Verdict::of(self.share()?, self.basis))
    }

    /// Where it is shown: never at the logarithm of zero, and never dropped.
    pub fn standing(&self) -> Standing {
        let positive = |value: f64| value > 0.0;
        match (positive(self.traffic), positive(self.time)) {
            (true, true) if positive(self.work) => Standing::Placed,
            (true, true) if self.work == 0.0 => Standing::ZeroWork,
            _ => Standing::NotPlaced,
        }
    }

    /// Whether it has a mark on the chart.
    pub fn placed(&self) -> bool {
        self.standing() == Standing::Placed
    }

    /// Why it has no mark on the chart, a few words each: `no work`, `no traffic`, `no time`, `zero FLOP`.
    pub fn reasons(&self) -> Vec<&'static str> {
        let no = [
            (self.missing.work, "no work"),
            (self.missing.traffic, "no traffic"),
            (self.missing.time && !self.per_second, "no time"),
            (self.work == 0.0, "zero FLOP"),
            (self.traffic == 0.0, "zero bytes"),
        ];
        let no = no.into_iter().filter(|(is, _)| *is);
        no.map(|(_, reason)| reason).collect()
    }

    /// The sum of kernels: times follow one another, so they add, and so do work and traffic. `None` of none.
    ///
    /// What one of them lacks the sum lacks. A rate of it is sum ÷ sum, never a mean of rates.
    pub fn sum(of: impl IntoIterator<Item = Self>) -> Option<Self> {
        let mut of = of.into_iter();
        let mut sum = of.next()?;
        let mut longest = sum.bound;
        for one in of {
            sum.missing = Missing {
                work: sum.missing.work || one.missing.work,
                traffic: sum.missing.traffic || one.missing.traffic || one.level != sum.level,
                time: sum.missing.time || one.missing.time,
            };
            sum.given = Given {
                work: sum.given.work || one.given.work,
                traffic: sum.given.traffic || one.given.traffic,
                time: sum.given.time || one.given.time,
            };
            // Rates of different kernels add up to nothing without their times.
            if sum.per_second || one.per_second {
                sum.time = f64::NAN;
            }
            sum.per_second |= one.per_second;
            sum.time += one.time;
            sum.bound += one.bound;
            sum.nominal += one.nominal;
            if sum.clock_ratio != one.clock_ratio {
                sum.clock_ratio = f64::NAN;
            }
            sum.work += one.work;
            sum.traffic += if one.level == sum.level {
                one.traffic
            } else {
                f64::NAN
            };
            sum.unjudged = sum.unjudged.or(one.unjudged);
            // What limits most of the time stands for all.
            if one.bound > longest || longest.is_nan() {
                longest = one.bound;
                (sum.limiter, sum.path, sum.basis) = (one.limiter, one.path, one.basis);
                sum.wanted = one.wanted;
            }
        }
        Some(sum)
    }
}
