//! The arrow that draws the argument of a view: what a sweep or a fix does to the selected workload.
use super::Arrow;
use crate::model::cost::Level;
use crate::model::gpu::Gpu;
use crate::model::placement::{Assumptions, Placement};
use crate::model::saved_view::Argument;
use crate::model::session::{Session, Workload};
use crate::model::sweep::{self, RowOutcome, Sweep};
use crate::model::units;
use crate::model::view::View;
use crate::model::what_if;

/// Changes below this share are none, for a room.
const SAME: f64 = 0.005;

/// The arrow of a view's argument; `None` where there is nothing to show.
pub fn argument(session: &Session, view: &View, argument: &Argument) -> Option<Arrow> {
    if view.normalised {
        return None;
    }
    let gpu = view.active.and_then(|id| session.gpu(id))?;
    let workload = view.selected.and_then(|id| session.workload(id))?;
    let (level, assumptions) = (view.levels.main(), session.assumptions);
    match argument {
        Argument::None => None,
        Argument::Sweep if view.show_trail => {
            of_sweep(&view.sweep_for(workload), workload, gpu, assumptions, level)
        }
        Argument::Sweep => None,
        Argument::Fix(name) => {
            let before = workload.place_on(gpu, assumptions).ok()?;
            let fixes = what_if::fixes(workload, gpu, assumptions);
            let fix = fixes.into_iter().find(|fix| fix.name == *name)?;
            let items = workload.kind.family().items().name;
            let factor = units::factor(fix.throughput_factor);
            let text = format!("{}: {factor} {items}s/s", fix.name);
            arrow(&before, &fix.after, level, text)
        }
    }
}

/// The arrow from one placement to another, where both have an intensity at a level.
pub fn arrow(from: &Placement, to: &Placement, level: Level, text: String) -> Option<Arrow> {
    Some(Arrow {
        from: point(from, level)?,
        to: point(to, level)?,
        text,
    })
}

fn point(placement: &Placement, level: Level) -> Option<[f64; 2]> {
    let intensity = placement.work.per(placement.traffic_at(level));
    let intensity = intensity.filter(|intensity| intensity.get() > 0.0)?;
    Some([intensity.get().log10(), placement.rate()?.get().log10()])
}

fn of_sweep(
    sweep: &Sweep,
    workload: &Workload,
    gpu: &Gpu,
    assumptions: Assumptions,
    level: Level,
) -> Option<Arrow> {
    let rows = sweep::rows(sweep, workload, gpu, assumptions);
    let placed: Vec<_> = rows
        .iter()
        .filter_map(|row| row.outcome.as_ref().ok())
        .collect();
    let (first, rest) = placed.split_first()?;
    // As far as it is free; where nothing is, to the end.
    let free = rest
        .iter()
        .take_while(|row| is_same(row.placement.time().get() / first.placement.time().get()));
    let last = free.last().or(rest.last())?;
    arrow(&first.placement, &last.placement, level, says(first, last)?)
}

fn is_same(factor: f64) -> bool {
    (factor - 1.0).abs() < SAME
}

/// `×64.0 tokens/s, same step`.
fn says(first: &RowOutcome, last: &RowOutcome) -> Option<String> {
    let time = last.placement.time().get() / first.placement.time().get();
    let rate = last.items_per_second()? / first.items_per_second()?;
    let step = match is_same(time) {
        true => "same step".to_owned(),
        false => format!("step {}", units::factor(time)),
    };
    let alone = first.items.per_execution == last.items.per_execution;
    Some(match alone {
        true => step.replace("step", "time"),
        false => format!("{} {}s/s, {step}", units::factor(rate), first.items.name),
    })
}
