//! Where regimes flip along a parameter: of the whole, and of every operator in the same pass.
use super::At;
use crate::model::cost::{Level, Operator};
use crate::model::placement::{Placement, Regime};
use crate::model::quantity::Intensity;
use std::borrow::Cow;

/// How finely the parameter is walked through.
const STEPS_PER_DECADE: i32 = 16;
/// How far past the largest value the flip of the whole is looked for, so that a short list still tells where it is.
const REACH: f64 = 1e6;
/// How far past the largest value operators are followed.
const OPERATORS_REACH: f64 = 100.0;

/// An operator that goes over to another regime.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    pub operator: Cow<'static, str>,
    /// The parameter's value from which on it is in `regime`.
    pub value: f64,
    pub regime: Regime,
    /// Where the whole then is, per level with traffic: its place along the intensities.
    pub whole: Vec<(Level, Intensity)>,
}

/// Where regimes flip.
#[derive(Default)]
pub(super) struct Flips {
    /// The smallest value at which the whole is in another regime than at the first.
    pub whole: Option<f64>,
    /// Of the operators, by value.
    pub turns: Vec<Turn>,
}

/// Walks from the smallest of `values` upward; a flip between two steps is then narrowed down.
pub(super) fn flips(values: &[f64], at: &At<'_>) -> Flips {
    let mut found = Flips::default();
    let positive = values.iter().copied().filter(|v| *v > 0.0);
    let start = positive.clone().fold(f64::INFINITY, f64::min);
    let largest = positive.fold(0.0, f64::max);
    if !start.is_finite() {
        return found;
    }
    let Some(first) = at.place(start) else {
        return found;
    };
    let (mut below, mut last) = (start, regimes(&first));
    for step in 1.. {
        let above = start * 10f64.powf(f64::from(step) / f64::from(STEPS_PER_DECADE));
        let follows = !last.is_empty() && above <= largest * OPERATORS_REACH;
        if above > largest * REACH || (found.whole.is_some() && !follows) {
            break;
        }
        let Some(now) = at.place(above) else { break };
        if found.whole.is_none() && now.regime() != first.regime() {
            let holds = |value| at.regime(value) == Some(first.regime());
            found.whole = Some(bisect(below, above, 0.0, holds));
        }
        if follows {
            let now = regimes(&now);
            found.turns.extend(turns(&last, &now, [below, above], at));
            last = now;
        }
        below = above;
    }
    found.turns.sort_by(|a, b| a.value.total_cmp(&b.value));
    found
}

/// From where on a workload is compute-bound; `None` is nowhere up to the largest value looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct ComputeBound {
    /// The whole of it, by its parameter.
    pub whole: Option<f64>,
    /// Where operators follow one another: the one with most work, whose turn comes even where the whole never turns.
    pub main: Option<(Cow<'static, str>, Option<f64>)>,
}

impl ComputeBound {
    /// The values of a count that are looked at.
    const RANGE: [f64; 2] = [1.0, 1e7];
    const STEPS_PER_DECADE: i32 = 4;

    /// Walks through the values of a count.
    pub(super) fn of(at: &At<'_>) -> Self {
        let whole = first_whole(|value| at.regime(value));
        let operators = at.workload.kind.family().operators().unwrap_or_default();
        let work = |index: &usize| {
            let Operator { count, cost, .. } = &operators[*index];
            count * cost.total_work().get()
        };
        let several = operators.len() > 1;
        let indices = (0..operators.len()).filter(|_| several);
        let main = indices.max_by(|a, b| work(a).total_cmp(&work(b)));
        let main = main.map(|index| {
            let from = first_whole(|value| at.operator_regime(index, value));
            (operators[index].name.clone(), from)
        });
        Self { whole, main }
    }
}

/// The first whole value that is compute-bound.
fn first_whole(regime: impl Fn(f64) -> Option<Regime>) -> Option<f64> {
    let waits = |value| regime(value) != Some(Regime::ComputeBound);
    let [mut below, last] = ComputeBound::RANGE;
    if !waits(below) {
        return Some(below);
    }
    let factor = 10f64.powf(f64::from(ComputeBound::STEPS_PER_DECADE).recip());
    while below < last {
        let above = below * factor;
        if !waits(above) {
            let turn = bisect(below, above, 1e-9, waits);
            // Exactly on the turn it may still wait.
            let whole = (turn * (1.0 - 1e-9)).ceil();
            return Some(if waits(whole) { whole + 1.0 } else { whole });
        }
        below = above;
    }
    None
}

type Regimes = Vec<(Cow<'static, str>, Regime)>;

fn regimes(placement: &Placement) -> Regimes {
    let operators = placement.operators.iter();
    operators
        .map(|o| (o.name.clone(), o.placement.regime()))
        .collect()
}

/// The operators that went over between two steps.
fn turns(before: &Regimes, after: &Regimes, [below, above]: [f64; 2], at: &At<'_>) -> Vec<Turn> {
    // To more digits than are shown.
    const ENOUGH: f64 = 1e-9;
    let pairs = before.iter().zip(after).enumerate();
    let turned = pairs.filter(|(_, (old, new))| old.0 == new.0 && old.1 != new.1);
    let turn = |(index, (old, new)): (usize, (&(Cow<'static, str>, Regime), _))| {
        let (operator, regime): (Cow<'static, str>, Regime) = Clone::clone(new);
        let holds = |value| at.operator_regime(index, value) == Some(old.1);
        let value = bisect(below, above, ENOUGH, holds);
        Turn {
            whole: at.place(value).map_or_else(Vec::new, |p| intensities(&p)),
            value,
            operator,
            regime,
        }
    };
    turned.map(turn).collect()
}

fn intensities(placement: &Placement) -> Vec<(Level, Intensity)> {
    let levels = placement.levels().into_iter();
    let at = |level| {
        let intensity = placement.work.per(placement.traffic_at(level))?;
        Some((level, intensity))
    };
    levels.filter_map(at).collect()
}

/// The smallest value at which `holds` no longer does, given that it holds at `low` and not at `high`; to a part of it.
fn bisect(mut low: f64, mut high: f64, enough: f64, holds: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..200 {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high || high - low <= enough * high {
            break;
        }
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}
