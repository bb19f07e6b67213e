//! The gap between what the roofs allow and what was measured, as a ladder in seconds.
use crate::model::measurement::Rung;

/// From the theoretical bound to the measured time, which the steps add up to, and the waiting beside it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Ladder {
    /// What the theoretical roofs allow.
    pub theoretical: f64,
    /// From there to what the achievable roofs allow; zero where those are not known.
    pub achievable: f64,
    /// At most what launching takes: it and the last, partly filled wave of blocks explain so much of the rest.
    pub launches: f64,
    /// What is left; negative above the roof.
    pub unexplained: f64,
    /// What the device waited between kernels, beside their measured time; zero of a single kernel.
    pub waiting: f64,
}

impl Ladder {
    /// Of a measured time and two bounds, in s; `launching` is what launching takes at most.
    pub fn of(measured: f64, theoretical: f64, achievable: f64, launching: f64) -> Self {
        let rest = measured - achievable;
        let launches = launching.clamp(0.0, rest.max(0.0));
        Self {
            theoretical,
            achievable: achievable - theoretical,
            launches,
            unexplained: rest - launches,
            waiting: 0.0,
        }
    }

    /// The measured time of the kernels.
    pub fn measured(&self) -> f64 {
        self.theoretical + self.achievable + self.launches + self.unexplained
    }

    /// The steps that are there, in words.
    pub fn rungs(&self) -> Vec<Rung> {
        let steps = [
            ("theoretical bound", self.theoretical, true),
            ("to the achievable", self.achievable, false),
            ("launches and tails", self.launches, false),
            ("unexplained", self.unexplained, true),
            ("waiting between kernels", self.waiting, false),
        ];
        let there = steps
            .into_iter()
            .filter(|(_, adds, always)| *always || *adds != 0.0);
        there.map(|(name, adds, _)| Rung { name, adds }).collect()
    }
}

impl std::ops::AddAssign for Ladder {
    fn add_assign(&mut self, other: Self) {
        self.theoretical += other.theoretical;
        self.achievable += other.achievable;
        self.launches += other.launches;
        self.unexplained += other.unexplained;
        self.waiting += other.waiting;
    }
}
