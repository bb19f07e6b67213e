//! The trail of a sweep through a scene.
use super::*;
use crate::model::gpu::Gpu;
use crate::model::placement::{Assumptions, Overlap};
use crate::model::session::Workload;
use crate::model::sweep::{self, SweepResult, Turn};

pub(super) fn trail(
    sweep: &SweepResult,
    w: &Workload,
    gpu: &Gpu,
    assumptions: Assumptions,
    level: Level,
) -> Option<Trail> {
    let mut points = Vec::new();
    let mut values = Vec::new();
    for row in &sweep.rows {
        let Ok(outcome) = &row.outcome else { continue };
        let p = &outcome.placement;
        if let Some((intensity, rate)) = p
            .work
            .per(p.traffic_at(level))
            .filter(|i| i.get() > 0.0)
            .zip(p.attainable())
        {
            let x = intensity.get().log10();
            points.push([x, rate.get().log10()]);
            values.push((x, sweep::value_text(row.value, sweep.unit)));
        }
    }
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let moves = points.first()?[0] < points.last()?[0] - 0.01;
    moves.then(|| Trail {
        parameter: sweep.parameter.replace('_', " "),
        points: with_corners(points, gpu, w, assumptions, level),
        values,
        turns: turns(sweep, level),
    })
}

/// Where operators go over to another regime, by the place of the whole along the intensities of a level.
fn turns(sweep: &SweepResult, level: Level) -> Vec<(f64, String)> {
    let parameter = sweep.parameter.replace('_', " ");
    let turn = |turn: &Turn| {
        let (_, intensity) = turn.whole.iter().find(|(at, _)| *at == level)?;
        let said = format!(
            "{} turns {} from {parameter} {}",
            turn.operator,
            turn.regime.name(),
            sweep.turn_value(turn)
        );
        (intensity.get() > 0.0).then(|| (intensity.get().log10(), said))
    };
    sweep.turns.iter().filter_map(turn).collect()
}

/// The trail bends where the regime flips; between two values on either side it goes over the ridge.
fn with_corners(
    points: Vec<[f64; 2]>,
    gpu: &Gpu,
    w: &Workload,
    assumptions: Assumptions,
    level: Level,
) -> Vec<[f64; 2]> {
    let ridge = w.place_on(gpu, assumptions).ok();
    let corner = ridge.and_then(|p| {
        Some([
            p.ridge_at(level)?.get().log10(),
            p.compute_roof?.get().log10(),
        ])
    });
    let Some(corner) = corner.filter(|_| assumptions.overlap == Overlap::Full) else {
        return points;
    };
    let mut out = Vec::with_capacity(points.len() + 1);
    for point in points {
        if let Some(last) = out.last().copied()
            && last_is_before(last, corner, point)
        {
            out.push(corner);
        }
        out.push(point);
    }
    out
}

fn last_is_before(last: [f64; 2], corner: [f64; 2], next: [f64; 2]) -> bool {
    last[0] < corner[0] - 1e-9 && next[0] > corner[0] + 1e-9
}
