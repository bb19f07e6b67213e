//! Texts with places for numbers: `{time of decode}`, `{time of decode at batch 64}`, `{ridge of decode on A100}`.
use super::Situation;
use crate::model::cost::Level;
use crate::model::gpu::Gpu;
use crate::model::session::Workload;
use crate::model::sweep::{self, RowOutcome, Sweep};
use crate::model::units;
use crate::model::what_if;

/// Why a place in a text stays empty.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{{{0}}} says nothing here")]
pub struct TemplateError(String);

/// Puts the numbers of a situation into a text.
pub(super) fn fill(text: &str, now: &Situation<'_>) -> Result<String, TemplateError> {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let (place, after) = after
            .split_once('}')
            .ok_or_else(|| TemplateError(after.to_owned()))?;
        let number = number(place, now).ok_or_else(|| TemplateError(place.to_owned()))?;
        filled.push_str(&number);
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}

/// A place taken apart: what is wanted of which workload, at which value, on which GPU.
struct Place<'a> {
    key: &'a str,
    workload: Workload,
    gpu: &'a Gpu,
}

fn number(place: &str, now: &Situation<'_>) -> Option<String> {
    let (key, of) = place.split_once(" of ")?;
    let (of, gpu) = match of.split_once(" on ") {
        Some((of, gpu)) => (of, now.gpu(gpu)?),
        None => (of, now.active()?),
    };
    let (name, at) = match of.split_once(" at ") {
        Some((name, at)) => (name, Some(at)),
        None => (of, None),
    };
    let mut workload = now.workload(name)?.clone();
    if let Some(at) = at {
        let (parameter, value) = at.rsplit_once(' ')?;
        let value = value.parse().ok()?;
        workload.kind = workload.kind.with(parameter, value).ok()?;
    }
    let place = Place { key, workload, gpu };
    of_name(&place, name, now)
        .or_else(|| of_placement(&place, now))
        .or_else(|| of_fix(&place, now))
}

/// What needs more than the placement: parameters, measurements, sweeps, other GPUs.
fn of_name(place: &Place<'_>, name: &str, now: &Situation<'_>) -> Option<String> {
    let (workload, gpu) = (&place.workload, place.gpu);
    let assumptions = now.session.assumptions;
    match place.key {
        "measured" => Some(now.assessment(name)?.measured.to_string()),
        "share" => Some(units::percent(now.assessment(name)?.share)),
        "verdict" => Some(now.assessment(name)?.verdict.name().to_owned()),
        "causes" => Some(now.assessment(name)?.verdict.causes().join("; ")),
        "recoverable" => {
            let seconds = now.assessment(name)?.recoverable;
            Some(units::short(seconds, units::Unit::Second))
        }
        "flip" => {
            let sweep = Sweep::default_for(&workload.kind);
            let result = sweep::run(&sweep, workload, gpu, assumptions).ok()?;
            Some(
                result
                    .first_whole
                    .map_or_else(|| "no value".to_owned(), units::count),
            )
        }
        "highest ridge" => {
            let ridge = |gpu: &Gpu| Some(workload.place_on(gpu, assumptions).ok()?.ridge()?.get());
            let ridges = now
                .session
                .gpus
                .iter()
                .filter_map(|gpu| Some((ridge(gpu)?, gpu)));
            let highest = ridges.max_by(|(a, _), (b, _)| a.total_cmp(b));
            Some(highest?.1.name.clone())
        }
        "capacity" => Some(gpu.capacity?.to_string()),
        "device" => Some(gpu.name.clone()),
        key => {
            let unit = sweep::parameter_unit(&workload.kind, key).ok()?;
            Some(sweep::value_text(workload.kind.number(key)?, unit))
        }
    }
}

/// What is read off the placement.
fn of_placement(place: &Place<'_>, now: &Situation<'_>) -> Option<String> {
    let assumptions = now.session.assumptions;
    let outcome = RowOutcome::of(&place.workload, place.gpu, assumptions).ok()?;
    let p = &outcome.placement;
    Some(match place.key {
        "work" => p.work.to_string(),
        "traffic" => p.traffic.to_string(),
        "intensity" => p.intensity()?.to_string(),
        "ridge" => p.ridge()?.to_string(),
        "to ridge" => units::factor(p.ridge()?.get() / p.intensity()?.get()),
        "time" => p.time().to_string(),
        "rate" => p.rate()?.to_string(),
        "peak" => p.compute_roof?.to_string(),
        "bandwidth" => place
            .gpu
            .memory_roof(Level::Dram)?
            .bandwidth
            .value
            .to_string(),
        "regime" => p.regime().name().to_owned(),
        "advice" => p.regime().advice().to_owned(),
        "limiter" => p.limiter().resource.name(),
        "limiter time" => p.limiter().time.to_string(),
        "runner-up" => p.runner_up()?.resource.name(),
        "runner-up time" => p.runner_up()?.time.to_string(),
        "utilisation" => units::percent(p.arithmetic_utilisation()?),
        "items" => units::number(outcome.items_per_second()?),
        "items each" => units::number(outcome.items_per_second_per_user()?),
        "operators" => p.operators.len().to_string(),
        "one number" => p.one_number_time?.to_string(),
        "optimism" => units::percent(1.0 - p.one_number_time?.get() / p.roof_time.get()),
        _ => return None,
    })
}

/// `gain by 8-bit weights`, `speed-up by Twice the peak`: throughput and time of a fix that begins so.
fn of_fix(place: &Place<'_>, now: &Situation<'_>) -> Option<String> {
    let (key, start) = place.key.split_once(" by ")?;
    let fixes = what_if::fixes(&place.workload, place.gpu, now.session.assumptions);
    let fix = fixes.iter().find(|fix| fix.name.starts_with(start))?;
    match key {
        "gain" => Some(units::factor(fix.throughput_factor)),
        "speed-up" => Some(units::factor(fix.time_factor)),
        _ => None,
    }
}
