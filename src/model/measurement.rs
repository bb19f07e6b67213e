//! An observed time beside its prediction: share of the roof, verdict, gap.
use super::gpu::{Basis, Gpu};
use super::placement::{Assumptions, Estimate, Placement, Unplaced, place_all};
use super::quantity::{ByteRate, FlopRate, ItemRate, OutOfRange, Quantity, Seconds};
use super::units::ParseError;
use super::workload::{CostError, Kind};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What was observed, as it was told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Observation {
    Time(Seconds),
    FlopRate(FlopRate),
    ByteRate(ByteRate),
    Items(ItemRate),
}

impl Observation {
    /// Reads `6.4 ms`, `2.5 TFLOP/s`, `2.5 TB/s` or `156 tokens/s`; a bare number is seconds.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let time = match Seconds::parse(text) {
            Ok(time) if time == Seconds::ZERO => Err(ParseError::OutOfRange {
                text: text.trim().to_owned(),
                reason: OutOfRange::Zero,
            }),
            other => other,
        };
        time.map(Self::Time)
            .or_else(|error| match error {
                ParseError::WrongUnit { .. } => FlopRate::parse(text).map(Self::FlopRate),
                error => Err(error),
            })
            .or_else(|error| match error {
                ParseError::WrongUnit { .. } => ByteRate::parse(text).map(Self::ByteRate),
                error => Err(error),
            })
            .or_else(|error| match error {
                ParseError::WrongUnit { .. } => ItemRate::parse(text).map(Self::Items),
                error => Err(error),
            })
            .map_err(|error| match error {
                ParseError::WrongUnit { found, .. } => ParseError::WrongUnit {
                    found,
                    expected: "a time such as \"6.4 ms\" or a rate in FLOP/s, B/s or tokens/s"
                        .into(),
                },
                error => error,
            })
    }

    /// The text that is read back to exactly this.
    pub fn exact(self) -> String {
        match self {
            Self::Time(time) => time.exact(),
            Self::FlopRate(rate) => rate.exact(),
            Self::ByteRate(rate) => rate.exact(),
            Self::Items(rate) => rate.exact(),
        }
    }
}

impl fmt::Display for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(time) => time.fmt(f),
            Self::FlopRate(rate) => rate.fmt(f),
            Self::ByteRate(rate) => rate.fmt(f),
            Self::Items(rate) => rate.fmt(f),
        }
    }
}

impl Serialize for Observation {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.exact())
    }
}

impl<'de> Deserialize<'de> for Observation {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

/// What was observed, and of which parameters: a later edit of the workload does not move it.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    pub observed: Observation,
    pub of: Kind,
}

/// How good a share of a roof is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    SomethingToFind,
    Room,
    Good,
    Excellent,
    AboveTheRoof,
}

impl Verdict {
    /// Judges `share` (1 is the roof) with the limits that belong to the roof's basis, half-open from below.
    pub fn of(share: f64, basis: Basis) -> Self {
        // A measurement exactly on the roof must not be above it by the last bit of a division.
        if share > 1.0 + 1e-9 {
            return Self::AboveTheRoof;
        }
        match basis {
            Basis::Theoretical | Basis::Own => match share {
                s if s < 0.10 => Self::SomethingToFind,
                s if s < 0.60 => Self::Room,
                s if s < 0.80 => Self::Good,
                _ => Self::Excellent,
            },
            Basis::Achievable => match share {
                s if s < 0.12 => Self::SomethingToFind,
                s if s < 0.75 => Self::Room,
                _ => Self::Excellent,
            },
        }
    }

    /// The word shown.
    pub fn name(self) -> &'static str {
        match self {
            Self::SomethingToFind => "something to find",
            Self::Room => "room",
            Self::Good => "good",
            Self::Excellent => "excellent",
            Self::AboveTheRoof => "above the roof",
        }
    }

    /// The limits within which it was given, printed with it.
    pub fn limits(self, basis: Basis) -> &'static str {
        match (self, basis) {
            (Self::SomethingToFind, Basis::Achievable) => "< 12 % of achievable",
            (Self::Room, Basis::Achievable) => "12–75 % of achievable",
            (Self::Good | Self::Excellent, Basis::Achievable) => "75–100 % of achievable",
            (Self::SomethingToFind, _) => "< 10 %",
            (Self::Room, _) => "10–60 %",
            (Self::Good, _) => "60–80 %",
            (Self::Excellent, _) => "80–100 %",
            (Self::AboveTheRoof, _) => "> 100 %",
        }
    }

    /// Why a measurement can be above the roof, the likeliest first.
    pub fn causes(self) -> &'static [&'static str] {
        match self {
            Self::AboveTheRoof => &[
                "the working set fits in a cache",
                "the peak is too low (boost clock, structured sparsity, another path or device)",
                "work or traffic is counted too high",
            ],
            _ => &[],
        }
    }
}

/// A step of the gap between the bound and what was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Rung {
    pub name: &'static str,
    /// Seconds this step adds; the unexplained one may be negative above the roof.
    pub adds: f64,
}

/// A measurement beside the placement of what was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Assessment {
    pub measured: Seconds,
    pub placement: Placement,
    /// Time the roofs allow ÷ measured time; 1 is the roof.
    pub share: f64,
    pub basis: Basis,
    /// The same by the other basis, where that is known too.
    pub other_share: Option<(Basis, f64)>,
    pub verdict: Verdict,
    /// Measured time − time the roofs allow, in seconds; negative above the roof.
    pub recoverable: f64,
    pub gap: Vec<Rung>,
}

/// Why a measurement cannot be judged.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Unassessed {
    #[error(transparent)]
    Cost(#[from] CostError),
    #[error(transparent)]
    Unplaced(#[from] Unplaced),
    #[error("a rate of {0} says no time, since nothing of that is done")]
    NoTime(Observation),
}

impl Measurement {
    /// The measured time: as observed, or the cost ÷ the observed rate.
    pub fn time(&self) -> Result<Seconds, Unassessed> {
        let family = self.of.family();
        let cost = family.cost()?;
        let traffic = cost.main_traffic();
        let time = match self.observed {
            Observation::Time(time) => time,
            Observation::FlopRate(rate) => cost.total_work() / rate,
            Observation::ByteRate(rate) => traffic / rate,
            Observation::Items(rate) => {
                Seconds::try_from(family.items().per_execution / rate.get())
                    .map_err(CostError::from)?
            }
        };
        if time.get() > 0.0 {
            Ok(time)
        } else {
            Err(Unassessed::NoTime(self.observed))
        }
    }

    /// Judges the measurement by the roofs of `gpu`.
    pub fn assess(&self, gpu: &Gpu, assumptions: Assumptions) -> Result<Assessment, Unassessed> {
        let measured = self.time()?;
        let operators = self.of.family().operators()?;
        // A measurement is held against what the roofs allow, never against an estimate.
        let assumptions = Assumptions {
            estimate: Estimate::Bound,
            ..assumptions
        };
        let placement = place_all(&operators, gpu, assumptions, 1.0)?;
        let share = placement.roof_time.get() / measured.get();
        let basis = placement.limiter().basis;
        let recoverable = measured.get() - placement.roof_time.get();
        let other = Assumptions {
            judged_by: assumptions.judged_by.other(),
            ..assumptions
        };
        let other = place_all(&operators, gpu, other, 1.0)?;
        let other_basis = other.limiter().basis;
        let other_share = other.roof_time.get() / measured.get();
        Ok(Assessment {
            other_share: (other_basis != basis).then_some((other_basis, other_share)),
            gap: gap(&placement, &other, measured, basis),
            measured,
            share,
            basis,
            verdict: Verdict::of(share, basis),
            recoverable,
            placement,
        })
    }
}

fn gap(placement: &Placement, other: &Placement, measured: Seconds, basis: Basis) -> Vec<Rung> {
    let is_launch =
        |term: &&super::placement::Term| term.resource == super::placement::Resource::Launch;
    let launches: f64 = placement
        .terms
        .iter()
        .filter(is_launch)
        .map(|term| term.time.get())
        .sum();
    // From the shorter bound, the theoretical one, to the achievable one where both are known.
    let both = other.limiter().basis != basis;
    let (theoretical, achievable) = match (both, basis) {
        (true, Basis::Achievable) => (other.roof_time, placement.roof_time),
        (true, _) => (placement.roof_time, other.roof_time),
        (false, _) => (placement.roof_time, placement.roof_time),
    };
    let first = match basis {
        Basis::Achievable if !both => "achievable bound",
        _ => "theoretical bound",
    };
    let mut rungs = vec![Rung {
        name: first,
        adds: theoretical.get(),
    }];
    if both {
        rungs.push(Rung {
            name: "to the achievable",
            adds: achievable.get() - theoretical.get(),
        });
    }
    let unexplained = measured.get() - achievable.get();
    // Launches that the bound does not hold yet can explain a part of the rest.
    let tails = (launches - placement.launch_time.get()).clamp(0.0, unexplained.max(0.0));
    if tails > 0.0 {
        rungs.push(Rung {
            name: "launches and tails",
            adds: tails,
        });
    }
    rungs.push(Rung {
        name: "unexplained",
        adds: unexplained - tails,
    });
    rungs
}
