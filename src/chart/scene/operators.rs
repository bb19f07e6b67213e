//! The operators of the selected workload as points of their own, and the one-number model beside them.
use crate::model::placement::{PlacedOperator, Placement, Regime};
use crate::model::units;

/// One operator of the selected workload on the active GPU.
#[derive(Debug, Clone, PartialEq)]
pub struct OperatorMark {
    pub name: String,
    /// Intensity and rate, in powers of ten.
    pub at: [f64; 2],
    /// Its part of the time of the whole, 0–1.
    pub share: f64,
    pub regime: Regime,
    /// Ridge point and compute roof it is judged by.
    pub own: [f64; 2],
    pub hover: String,
}

/// The one-number model: all work and all traffic at once.
#[derive(Debug, Clone, PartialEq)]
pub struct OneNumber {
    pub at: [f64; 2],
    pub own: [f64; 2],
    pub text: String,
}

/// The operators that have a place on the chart, the longest first; those without work have none.
pub(super) fn marks(placement: &Placement) -> Vec<OperatorMark> {
    let whole = placement.time().get();
    let mut marks: Vec<_> = placement
        .operators
        .iter()
        .filter_map(|operator| mark(operator, whole))
        .collect();
    marks.sort_by(|a, b| b.share.total_cmp(&a.share));
    marks
}

fn mark(operator: &PlacedOperator, whole: f64) -> Option<OperatorMark> {
    let p = &operator.placement;
    let intensity = p.intensity().filter(|intensity| intensity.get() > 0.0)?;
    let share = operator.time() / whole;
    let hover = format!(
        "{} × {}\n{} of the time · {}\n{} at {intensity}, judged by {}",
        units::count(operator.count),
        operator.name,
        units::percent(share),
        p.regime().name(),
        p.time(),
        p.path,
    );
    Some(OperatorMark {
        name: operator.name.to_string(),
        at: [intensity.get().log10(), p.rate()?.get().log10()],
        share,
        regime: p.regime(),
        own: own(p),
        hover,
    })
}

fn own(p: &Placement) -> [f64; 2] {
    let log = |value: Option<f64>| value.map_or(0.0, f64::log10);
    [
        log(p.ridge().map(|ridge| ridge.get())),
        log(p.compute_roof.map(|peak| peak.get())),
    ]
}

/// Where the one-number model puts the whole, which is never lower than its operators put it.
pub(super) fn one_number(placement: &Placement) -> Option<OneNumber> {
    let time = placement.one_number_time?;
    let intensity = placement.intensity().filter(|i| i.get() > 0.0)?;
    let rate = placement.work.over(time)?;
    // Where both models agree there is nothing to tell.
    if placement.roof_time.get() < 1.02 * time.get() {
        return None;
    }
    Some(OneNumber {
        at: [intensity.get().log10(), rate.get().log10()],
        own: own(placement),
        text: format!("one number: {time}"),
    })
}
