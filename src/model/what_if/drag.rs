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
    let unit = crate::model::sweep::parameter_unit(&workload.kind, parameter).ok()?;
    if unit != units::Unit::One {
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

fn fixed_sentence(kind: &Kind) -> String {
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

/// The value of `parameter` that brings the intensity nearest to `wanted`; intensity grows with it.
fn solve(
    kind: &Kind,
    parameter: &str,
    wanted: Intensity,
) -> Result<(Kind, Option<String>), String> {
    let whole =
        crate::model::sweep::parameter_unit(kind, parameter).is_ok_and(|u| u == units::Unit::One);
    let intensity = |value: f64| {
        let cost = kind
            .with_unrounded(parameter, value)
            .ok()?
            .family()
            .cost()
            .ok()?;
        Some(cost.intensity_at(crate::model::cost::Level::Dram)?.get())
    };
    if !whole {
        let moved = kind
            .with(parameter, wanted.get())
            .map_err(|e| e.to_string())?;
        return Ok((moved, None));
    }
    let label = parameter.replace('_', " ");
    let (mut low, mut high) = (1.0, LARGEST_DRAGGED);
    let (lowest, highest) = (intensity(low), intensity(high));
    let (lowest, highest) = lowest
        .zip(highest)
        .ok_or("its intensity cannot be computed")?;
    let mut stopped = None;
    if wanted.get() <= lowest {
        high = low;
        if wanted.get() < lowest * 0.98 {
            stopped = Some(format!("{label} is 1: it cannot go lower"));
        }
    } else if wanted.get() >= highest {
        let text = units::short(highest, Intensity::UNIT);
        // The smallest value that is as good as the limit, not an absurd one.
        return solve(kind, parameter, nearly(highest))
            .map(|(kind, _)| (kind, Some(format!("no {label} brings it above {text}"))));
    }
    for _ in 0..200 {
        let middle = (low * high).sqrt();
        if middle <= low || middle >= high {
            break;
        }
        match intensity(middle) {
            Some(value) if value < wanted.get() => low = middle,
            _ => high = middle,
        }
    }
    let rounded = nearest_whole(high, wanted.get(), intensity);
    let moved = kind.with(parameter, rounded).map_err(|e| e.to_string())?;
    Ok((moved, stopped))
}

fn nearly(limit: f64) -> Intensity {
    Intensity::try_from(limit * 0.99).unwrap_or(Intensity::ONE)
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
