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
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let moves = values.first()?.0 < values.last()?.0 - 0.01;
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
///
/// Only where both lie on the roofs of this level: what another level limits passes below its ridge.
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
    let mut out: Vec<[f64; 2]> = Vec::with_capacity(points.len() + 1);
    for point in points {
        if out
            .last()
            .is_some_and(|last| goes_over(*last, corner, point))
        {
            out.push(corner);
        }
        out.push(point);
    }
    out
}

/// Whether two points lie on either side of a roof's corner, and both on the roof.
fn goes_over(one: [f64; 2], corner: [f64; 2], other: [f64; 2]) -> bool {
    const NEAR: f64 = 0.01;
    let (left, right) = match one[0] < other[0] {
        true => (one, other),
        false => (other, one),
    };
    let slope = corner[1] - corner[0];
    left[0] < corner[0] - 1e-9
        && right[0] > corner[0] + 1e-9
        && (left[1] - left[0] - slope).abs() < NEAR
        && (right[1] - corner[1]).abs() < NEAR
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trail_goes_over_the_ridge_only_where_it_lies_on_the_roofs() {
        let corner = [2.0, 14.0];
        let (slope, flat) = ([1.0, 13.0], [3.0, 14.0]);
        assert!(goes_over(slope, corner, flat) && goes_over(flat, corner, slope));
        // A cache limits: its points lie below, and no peak stands between them.
        assert!(!goes_over([1.0, 12.5], corner, [3.0, 13.5]));
        assert!(!goes_over(slope, corner, [1.5, 13.5]));
    }
}
