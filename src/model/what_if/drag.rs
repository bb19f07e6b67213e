//! The physics of dragging a point: which parameter moves, how far it can go, and what a place would need.
use crate::model::gpu::Gpu;
use crate::model::placement::Assumptions;
use crate::model::quantity::{Bytes, FlopRate, Intensity, Quantity};
use crate::model::session::Workload;
use crate::model::units;
use crate::model::workload::{Kind, Raw};

/// What stays the same when a point's intensity changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    Work,
    Traffic,
}

/// Where a predicted point is dragged to; `None` leaves that axis alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Target {
    pub intensity: Option<Intensity>,
    pub rate: Option<FlopRate>,
    /// How near to the roof counts as on it, in decades.
    pub snap: f64,
}

/// A dragged workload, and why it stopped short of the target.
#[derive(Debug, Clone, PartialEq)]
pub struct Dragged {
    pub workload: Workload,
    pub stopped: Option<String>,
}

/// Moves a predicted point: along x its drag parameter is solved for, or its traffic (or work) follows;
/// downwards the efficiency assumed on `gpu` follows, and it snaps to the roof from nearby.
pub fn drag(
    workload: &Workload,
    gpu: &Gpu,
    assumptions: Assumptions,
    target: Target,
    hold: Hold,
) -> Dragged {
    let mut dragged = Dragged {
        workload: workload.clone(),
        stopped: None,
    };
    if let Some(intensity) = target.intensity {
        match with_intensity(&workload.kind, intensity, hold) {
            Ok((kind, stopped)) => {
                dragged.workload.kind = kind;
                dragged.stopped = stopped;
            }
            Err(reason) => dragged.stopped = Some(reason),
        }
    }
    if let Some(rate) = target.rate
        && let Ok(placement) = dragged.workload.place_on(gpu, assumptions)
        && placement.attainable().is_some()
    {
        let efficiency = placement.efficiency_for(rate);
        let on_roof = efficiency.log10() > -target.snap;
        dragged
            .workload
            .set_efficiency(gpu.id, if on_roof { 1.0 } else { efficiency });
        if efficiency > 1.1 && dragged.stopped.is_none() {
            dragged.stopped = Some("no prediction lies above the roof".to_owned());
        }
    }
    dragged
}

/// `kind` with its intensity (at DRAM) brought to `wanted`, or as near as it goes, with the reason.
fn with_intensity(
    kind: &Kind,
    wanted: Intensity,
    hold: Hold,
) -> Result<(Kind, Option<String>), String> {
    match kind {
        Kind::Raw(raw) => raw_at(raw, wanted, hold).map(|raw| (Kind::Raw(raw), None)),
        Kind::Intensity(fixed) if hold == Hold::Traffic => {
            let mut moved = fixed.clone();
            let work = fixed.work.get() / fixed.intensity.get() * wanted.get();
            moved.intensity = wanted;
            moved.work = work
                .try_into()
                .map_err(|e: crate::model::quantity::OutOfRange| e.to_string())?;
            Ok((Kind::Intensity(moved), None))
        }
        kind => match kind.family().drag_parameter() {
            Some(parameter) => solve(kind, parameter, wanted),
            None => Err(fixed_sentence(kind)),
        },
    }
}

/// The next value up or down of the whole parameter that dragging solves for; `None` where there is none.
pub fn step(workload: &Workload, up: bool) -> Option<Dragged> {
    let parameter = workload.kind.family().drag_parameter()?;
    let value = workload.kind.number(parameter)?;
    if !goes_in_steps(&workload.kind, parameter) {
        return None;
    }
    let next = if up { value + 1.0 } else { value - 1.0 };
    let mut moved = workload.clone();
    moved.kind = workload.kind.with(parameter, next.max(1.0)).ok()?;
    Some(Dragged {
        workload: moved,
        stopped: None,
    })
}

/// Whether a parameter is moved in whole steps: a count, or a plain number that is whole now.
fn goes_in_steps(kind: &Kind, parameter: &str) -> bool {
    let unit = crate::model::sweep::parameter_unit(kind, parameter);
    let now = kind.number(parameter).unwrap_or(0.0);
    match unit {
        Ok(units::Unit::One) => true,
        Ok(units::Unit::Ratio) => now >= 1.0 && now.fract() == 0.0,
        _ => false,
    }
}

fn fixed_sentence(kind: &Kind) -> String {
    if let Kind::Formula(_) = kind {
        return "choose in the panel what dragging solves for".to_owned();
    }
    let cost = kind.family().cost().ok();
    let intensity = cost.and_then(|cost| cost.intensity_at(crate::model::cost::Level::Dram));
    match intensity {
        Some(intensity) => format!("this operation always has {intensity}: change it in the panel"),
        None => "without traffic there is no intensity to change".to_owned(),
    }
}

fn raw_at(raw: &Raw, wanted: Intensity, hold: Hold) -> Result<Raw, String> {
    let mut moved = raw.clone();
    let text = |error: crate::model::quantity::OutOfRange| error.to_string();
    match hold {
        Hold::Work => moved.traffic = (raw.work.get() / wanted.get()).try_into().map_err(text)?,
        Hold::Traffic => {
            moved.work = (raw.traffic.get() * wanted.get())
                .try_into()
                .map_err(text)?
        }
    }
    Ok(moved)
}

/// The largest value a drag gives a parameter.
const LARGEST_DRAGGED: f64 = 1e9;

/// The value of `parameter` that brings the intensity nearest to `wanted`; intensity grows or falls with it.
fn solve(
    kind: &Kind,
    parameter: &str,
    wanted: Intensity,
) -> Result<(Kind, Option<String>), String> {
    let unit = crate::model::sweep::parameter_unit(kind, parameter).map_err(|e| e.to_string())?;
    if unit == units::Unit::FlopPerByte {
        let moved = kind
            .with(parameter, wanted.get())
            .map_err(|e| e.to_string())?;
        return Ok((moved, None));
    }
    let intensity = |value: f64| intensity_at(kind, parameter, value);
    let label = parameter.replace('_', " ");
    let whole = goes_in_steps(kind, parameter);
    // A share stays one.
    let is_share = !whole && kind.number(parameter).is_some_and(|now| now < 1.0);
    let (mut low, mut high) = match is_share {
        true => (LARGEST_DRAGGED.recip(), 1.0),
        false => (1.0, LARGEST_DRAGGED),
    };
    let (lowest, highest) = intensity(low)
        .zip(intensity(high))
        .ok_or("its intensity cannot be computed")?;
    if lowest == highest {
        return Err(format!("{label} does not change the intensity"));
    }
    // Where intensity falls with it, all is the other way round.
    let sign = if highest > lowest { 1.0 } else { -1.0 };
    let reaches = |value: f64| (value - wanted.get()) * sign >= 0.0;
    let mut stopped = None;
    if reaches(lowest) {
        high = low;
        if (wanted.get() - lowest).abs() > lowest * 0.02 {
            let low = units::short(low, units::Unit::Ratio);
            stopped = Some(format!("{label} is {low}: it cannot go lower"));
        }
    } else if !reaches(highest) || highest == wanted.get() {
        let text = units::short(highest, Intensity::UNIT);
        let side = if sign > 0.0 { "above" } else { "below" };
        // The smallest value that is as good as the limit, not an absurd one.
        return solve(kind, parameter, nearly(highest, sign))
            .map(|(kind, _)| (kind, Some(format!("no {label} brings it {side} {text}"))));
    }
    for _ in 0..200 {
        let middle = (low * high).sqrt();
        if middle <= low || middle >= high {
            break;
        }
        match intensity(middle) {
            Some(value) if !reaches(value) => low = middle,
            _ => high = middle,
        }
    }
    let rounded = match whole {
        true => nearest_whole(high, wanted.get(), intensity),
        false => units::parse(&format!("{high:.3e}"), units::Unit::Ratio).unwrap_or(high),
    };
    let moved = kind.with(parameter, rounded).map_err(|e| e.to_string())?;
    Ok((moved, stopped))
}

/// The intensity at DRAM with another value of a parameter.
fn intensity_at(kind: &Kind, parameter: &str, value: f64) -> Option<f64> {
    let moved = kind.with_unrounded(parameter, value).ok()?;
    let cost = moved.family().cost().ok()?;
    Some(cost.intensity_at(crate::model::cost::Level::Dram)?.get())
}

fn nearly(limit: f64, sign: f64) -> Intensity {
    Intensity::try_from(limit * (1.0 - 0.01 * sign)).unwrap_or(Intensity::ONE)
}

/// Of the whole numbers around `value`, the one whose intensity is nearer to `wanted` in decades.
fn nearest_whole(value: f64, wanted: f64, intensity: impl Fn(f64) -> Option<f64>) -> f64 {
    let distance = |whole: f64| {
        let at = intensity(whole).unwrap_or(f64::INFINITY);
        (at / wanted).log10().abs()
    };
    let (below, above) = (value.floor().max(1.0), value.ceil().max(1.0));
    if distance(below) <= distance(above) {
        below
    } else {
        above
    }
}

/// What a point would need that lies where a measured one was dragged to: the same work, other bytes, another time.
///
/// Returns a raw workload with the traffic for `intensity` and the efficiency for `rate` on `gpu`.
pub fn variant(
    workload: &Workload,
    gpu: &Gpu,
    assumptions: Assumptions,
    intensity: Intensity,
    rate: FlopRate,
) -> Option<Workload> {
    let cost = workload.kind.family().cost().ok()?;
    let (path, work) = *cost.work.first()?;
    let raw = Raw {
        work,
        traffic: Bytes::try_from(work.get() / intensity.get()).ok()?,
        format: path.format,
        unit: path.unit,
        ..Raw::default()
    };
    let mut variant = Workload::new(format!("{} variant", workload.name), Kind::Raw(raw));
    let placement = variant.place_on(gpu, assumptions).ok()?;
    variant.set_efficiency(gpu.id, placement.efficiency_for(rate));
    Some(variant)
}
