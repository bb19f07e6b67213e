//! Derives a scene from a session and a view.
use super::*;
use crate::chart::framing::Extent;
use crate::model::compare;
use crate::model::format::NumberFormat;
use crate::model::gpu::{Gpu, JudgedBy};
use crate::model::measurement::Assessment;
use crate::model::placement::{Assumptions, Overlap, Placement, sparse_peak};
use crate::model::quantity::FlopRate;
use crate::model::session::{Session, Workload};
use crate::model::sweep::{self, Sweep};
use crate::model::units;
use crate::model::view::{Levels, View};

/// Derives the scene.
pub fn build(session: &Session, view: &View) -> Scene {
    let Some(active) = view.active.and_then(|id| session.gpu(id)) else {
        return Scene {
            assumptions: "Add a GPU to see its roofs".to_owned(),
            ..Scene::default()
        };
    };
    let selected = view.selected.and_then(|id| session.workload(id));
    let path = main_path(selected, active, session.assumptions);
    let level = view.levels.main();
    let by = session.assumptions.judged_by;
    let visible = session.gpus.iter().enumerate();
    let visible = visible.filter(|(_, gpu)| view.shows_gpu(gpu.id));
    let roofs: Vec<_> = visible
        .filter_map(|(index, gpu)| roof(gpu, index, gpu.id == active.id, path, level, by))
        .collect();
    let mut scene = Scene {
        assumptions: assumptions_text(session, active, path, view.levels),
        roofs,
        ..Scene::default()
    };
    if session.assumptions.overlap == Overlap::None {
        let of_active = scene.roofs.iter().find(|roof| roof.active);
        scene.serial = of_active.map(|roof| [roof.peak, roof.bandwidth]);
    }
    for (index, workload) in session.workloads.iter().enumerate() {
        if view.shows_workload(workload.id) {
            let is_selected = view.selected == Some(workload.id);
            scene.add(
                workload,
                index,
                active,
                session.assumptions,
                view.levels,
                is_selected,
            );
        }
    }
    if view.compare {
        scene.compare(session, view, active, path);
    }
    if view.levels == Levels::All {
        scene.slopes = slopes(session, active, path);
    }
    scene.other_paths = other_paths(session, view, active, path);
    // The selected mark last, so that it lies on top of what it covers.
    scene.marks.sort_by_key(|mark| {
        (
            mark.on_other.is_none(),
            mark.selected,
            mark.kind == MarkKind::Measured,
        )
    });
    if let Some(workload) = selected.filter(|w| view.show_trail && view.shows_workload(w.id)) {
        scene.trail = trail(
            &view.sweep_for(workload),
            workload,
            active,
            session.assumptions,
            level,
        );
    }
    if view.normalised {
        scene.normalise();
    }
    scene
}

/// The path whose roofs are drawn: the selected workload's, else the device's first.
pub fn main_path(selected: Option<&Workload>, active: &Gpu, assumptions: Assumptions) -> Path {
    let placed = selected.and_then(|w| w.place_on(active, assumptions).ok());
    let of_workload = placed.map(|placement| placement.path);
    let first = active.compute.first().map(|roof| roof.path);
    let fallback = Path::matrix(NumberFormat::FP16);
    of_workload.or(first).unwrap_or(fallback).dense()
}

fn roof(
    gpu: &Gpu,
    index: usize,
    active: bool,
    path: Path,
    level: Level,
    by: JudgedBy,
) -> Option<Roof> {
    let compute = gpu.roof_for(path)?;
    let memory = gpu.memory_roof(level)?;
    let (peak, bandwidth) = (compute.judged(by), memory.judged(by));
    let sparse = path
        .sparse
        .then(|| sparse_peak(gpu, compute.path, peak.value))
        .flatten();
    let height = sparse.unwrap_or(peak.value);
    let original = (peak.original.is_some() || bandwidth.original.is_some()).then(|| {
        let peak = peak.original.map_or(peak.value, |(value, _)| value);
        let bandwidth = bandwidth
            .original
            .map_or(bandwidth.value, |(value, _)| value);
        [peak.get().log10(), bandwidth.get().log10()]
    });
    let other = (compute.judged(by.other()), memory.judged(by.other()));
    let differs = active && (other.0.value, other.1.value) != (peak.value, bandwidth.value);
    let other_basis = differs.then(|| OtherBasis {
        peak: other.0.value.get().log10(),
        bandwidth: other.1.value.get().log10(),
        name: format!(
            "{} {} · {}",
            by.other().name(),
            other.0.value,
            other.1.value
        ),
    });
    Some(Roof {
        gpu: gpu.id,
        index,
        active,
        name: gpu.name.clone(),
        path: match sparse {
            Some(_) => compute.path.with_sparsity(),
            None => compute.path,
        },
        level: memory.level,
        peak: height.get().log10(),
        bandwidth: bandwidth.value.get().log10(),
        peak_text: height.to_string(),
        bandwidth_text: bandwidth.value.to_string(),
        ridge_text: units::number((height / bandwidth.value).get()),
        original,
        other_basis,
    })
}

/// The slopes of the active GPU's memory levels but the main one.
fn slopes(session: &Session, active: &Gpu, path: Path) -> Vec<Slope> {
    let by = session.assumptions.judged_by;
    let index = session
        .gpus
        .iter()
        .position(|gpu| gpu.id == active.id)
        .unwrap_or(0);
    let Some(peak) = active.roof_for(path).map(|roof| roof.judged(by).value) else {
        return Vec::new();
    };
    let levels = active
        .memory
        .iter()
        .filter(|roof| roof.level != Level::Dram && !roof.level.is_link());
    levels
        .map(|roof| {
            let bandwidth = roof.judged(by).value;
            Slope {
                index,
                bandwidth: bandwidth.get().log10(),
                peak: peak.get().log10(),
                text: format!("{} {bandwidth}", roof.level.name()),
            }
        })
        .collect()
}

fn other_paths(session: &Session, view: &View, active: &Gpu, main: Path) -> Vec<Roof> {
    let mut roofs: Vec<Roof> = Vec::new();
    let index = session.gpus.iter().position(|gpu| gpu.id == active.id);
    for workload in session
        .workloads
        .iter()
        .filter(|w| view.shows_workload(w.id))
    {
        let Ok(placement) = workload.place_on(active, session.assumptions) else {
            continue;
        };
        let known = placement.path == main || roofs.iter().any(|r| r.path == placement.path);
        if !known {
            let by = session.assumptions.judged_by;
            roofs.extend(roof(
                active,
                index.unwrap_or(0),
                true,
                placement.path,
                view.levels.main(),
                by,
            ));
        }
    }
    let has_sparse = roofs.iter().any(|roof| roof.path.sparse);
    if view.show_sparse && !has_sparse && active.sparse_factor(main).is_some() {
        let by = session.assumptions.judged_by;
        let path = main.with_sparsity();
        roofs.extend(roof(
            active,
            index.unwrap_or(0),
            true,
            path,
            view.levels.main(),
            by,
        ));
    }
    roofs
}

fn assumptions_text(session: &Session, active: &Gpu, path: Path, levels: Levels) -> String {
    let compute = active.roof_for(path);
    let memory = active.memory_roof(levels.main());
    let by = session.assumptions.judged_by;
    let bases = [
        compute.map(|roof| roof.judged(by).basis),
        memory.map(|roof| roof.judged(by).basis),
    ];
    let basis = match bases {
        [Some(a), Some(b)] if a == b => a.name().to_owned(),
        [Some(a), Some(b)] => format!("{} peak, {} bandwidth", a.name(), b.name()),
        [Some(basis), None] | [None, Some(basis)] => basis.name().to_owned(),
        [None, None] => "no roofs yet".to_owned(),
    };
    let used = compute.map_or(path, |roof| roof.path);
    let overlap = session.assumptions.overlap.name();
    let launches = match (session.assumptions.launches, active.launch_overhead) {
        (_, None) => "",
        (crate::model::placement::Launches::Added, _) => " · launches added",
        (crate::model::placement::Launches::Hidden, _) => " · launches hidden",
    };
    format!(
        "dense peaks · {basis} · {overlap}{launches} · {used} on {} · {}",
        match levels {
            Levels::All => "all levels",
            only => only.name(),
        },
        active.name
    )
}

/// A workload's point before it is put on the chart.
struct Point<'a> {
    workload: &'a Workload,
    index: usize,
    kind: MarkKind,
    placement: &'a Placement,
    rate: Option<FlopRate>,
    /// Of the roof: what a gutter shows.
    share: f64,
    detail: String,
    hover: String,
    selected: bool,
}

impl Scene {
    fn add(
        &mut self,
        w: &Workload,
        index: usize,
        gpu: &Gpu,
        assumptions: Assumptions,
        levels: Levels,
        selected: bool,
    ) {
        match w.place_on(gpu, assumptions) {
            Ok(placement) => self.add_prediction(w, index, &placement, levels, selected),
            Err(reason) => self.missing.push((w.id, reason.to_string())),
        }
        match w.assess_on(gpu, assumptions) {
            Some(Ok(assessment)) => self.add_measurement(w, index, &assessment, levels, selected),
            Some(Err(reason)) => self.missing.push((w.id, reason.to_string())),
            None => {}
        }
    }

    fn add_prediction(
        &mut self,
        w: &Workload,
        index: usize,
        p: &Placement,
        levels: Levels,
        selected: bool,
    ) {
        let hover = format!(
            "{}\n{} · {}\n{}",
            w.name,
            p.time(),
            p.regime().name(),
            w.kind.family().formula().join("\n")
        );
        let detail = if p.efficiency < 1.0 {
            let share = units::percent(p.efficiency);
            format!("{} at {share} of its roof", p.time())
        } else {
            let rate = p
                .rate()
                .map_or_else(String::new, |rate| format!(" · {rate}"));
            format!("{}{rate}", p.time())
        };
        let point = Point {
            workload: w,
            index,
            kind: MarkKind::Predicted,
            placement: p,
            rate: p.rate(),
            share: p.efficiency,
            detail,
            hover,
            selected,
        };
        self.place(point, levels);
    }

    fn add_measurement(
        &mut self,
        w: &Workload,
        index: usize,
        a: &Assessment,
        levels: Levels,
        selected: bool,
    ) {
        let share = units::percent(a.share);
        let detail = format!("measured {} · {share} of its roof", a.measured);
        let hover = format!(
            "{}\n{detail}\n{} ({})",
            w.name,
            a.verdict.name(),
            a.verdict.limits(a.basis)
        );
        let point = Point {
            workload: w,
            index,
            kind: MarkKind::Measured,
            placement: &a.placement,
            rate: a.placement.work.over(a.measured),
            share: a.share,
            detail,
            hover,
            selected,
        };
        self.place(point, levels);
    }

    /// Puts a point at the levels shown: in the gutter without work, on the chart where it has an intensity.
    fn place(&mut self, point: Point<'_>, levels: Levels) {
        let p = point.placement;
        let Some(rate) = point.rate else {
            self.gutter.push(GutterMark {
                workload: point.workload.id,
                kind: point.kind,
                index: point.index,
                name: point.workload.name.clone(),
                share: point.share,
                selected: point.selected,
                hover: point.hover,
            });
            return;
        };
        let shown = match levels {
            Levels::Only(level) => vec![level],
            Levels::All => p.levels(),
        };
        let mut placed = false;
        for (order, level) in shown.into_iter().enumerate() {
            let Some(intensity) = p.work.per(p.traffic_at(level)).filter(|i| i.get() > 0.0) else {
                continue;
            };
            placed = true;
            let secondary = order > 0;
            let name = match secondary {
                true => level.name().to_owned(),
                false => point.workload.name.clone(),
            };
            let peak = p.compute_roof.map_or(0.0, |peak| peak.get().log10());
            let ridge = p.ridge_at(level).map_or(0.0, |ridge| ridge.get().log10());
            self.marks.push(Mark {
                workload: point.workload.id,
                kind: point.kind,
                index: point.index,
                name,
                detail: point.detail.clone(),
                at: [intensity.get().log10(), rate.get().log10()],
                limit: limit(p),
                regime: p.regime(),
                selected: point.selected,
                on_other: None,
                level,
                secondary,
                own: [ridge, peak],
                hover: format!("{}\nat {}: {intensity}", point.hover, level.name()),
            });
        }
        if !placed {
            let reason = match levels {
                Levels::Only(level) if level != Level::Dram => {
                    format!("no traffic is known at {}", level.name())
                }
                _ => "without traffic it has no intensity: give it traffic".to_owned(),
            };
            self.missing.push((point.workload.id, reason));
        }
    }

    /// Marks of the other visible GPUs, and strips of which is faster where.
    fn compare(&mut self, session: &Session, view: &View, active: &Gpu, path: Path) {
        let active_index = session.gpus.iter().position(|gpu| gpu.id == active.id);
        let others = session.gpus.iter().enumerate();
        let others = others.filter(|(_, gpu)| gpu.id != active.id && view.shows_gpu(gpu.id));
        for (gpu_index, gpu) in others {
            let by = session.assumptions.judged_by;
            if let Some(contest) = compare::contest(active, gpu, path, by) {
                self.strips.push(Strip {
                    name: gpu.name.clone(),
                    index: gpu_index,
                    active_index: active_index.unwrap_or(0),
                    bandwidth_ratio: contest.bandwidth_ratio,
                    peak_ratio: contest.peak_ratio,
                    crossover: contest.crossover.map(f64::log10),
                    crossover_text: contest.crossover.map(units::number).unwrap_or_default(),
                });
            }
            for (index, workload) in session.workloads.iter().enumerate() {
                if !view.shows_workload(workload.id) {
                    continue;
                }
                let selected = view.selected == Some(workload.id);
                let mut alone = Scene::default();
                alone.add(
                    workload,
                    index,
                    gpu,
                    session.assumptions,
                    view.levels,
                    selected,
                );
                self.marks.extend(alone.marks.into_iter().map(|mark| Mark {
                    name: format!("{} on {}", mark.name, gpu.name),
                    hover: format!("{} on {}\n{}", mark.name, gpu.name, mark.detail),
                    on_other: Some(gpu_index),
                    ..mark
                }));
            }
        }
    }

    /// Turns the axes to intensity ÷ ridge and share of the own compute roof: every roof becomes the same one.
    fn normalise(&mut self) {
        self.normalised = true;
        let main = self.active_roof().map(|roof| [roof.ridge(), roof.peak]);
        self.roofs.retain(|roof| roof.active);
        for roof in &mut self.roofs {
            "own roof".clone_into(&mut roof.name);
            (roof.peak, roof.bandwidth) = (0.0, 0.0);
            (roof.original, roof.other_basis) = (None, None);
            "= 1".clone_into(&mut roof.peak_text);
            "own bandwidth".clone_into(&mut roof.bandwidth_text);
            "1".clone_into(&mut roof.ridge_text);
        }
        self.other_paths.clear();
        self.slopes.clear();
        self.strips.clear();
        self.serial = self.serial.map(|_| [0.0, 0.0]);
        for mark in &mut self.marks {
            let [ridge, peak] = mark.own;
            mark.at = [mark.at[0] - ridge, mark.at[1] - peak];
            mark.limit -= peak;
        }
        if let (Some(trail), Some([ridge, peak])) = (&mut self.trail, main) {
            for point in &mut trail.points {
                *point = [point[0] - ridge, point[1] - peak];
            }
            for (x, _) in &mut trail.values {
                *x -= ridge;
            }
        }
        self.assumptions = format!(
            "normalised by each point's own roofs · {}",
            self.assumptions
        );
    }

    /// What a fit must hold: ridges, a piece of each slope, and every mark.
    pub fn extent(&self) -> Extent {
        let mut extent = Extent::NOTHING;
        for roof in &self.roofs {
            extent.include([roof.ridge(), roof.peak]);
            extent.include([roof.ridge() - 2.5, roof.peak - 2.5]);
        }
        for mark in &self.marks {
            extent.include(mark.at);
        }
        for slope in &self.slopes {
            extent.include([slope.peak - slope.bandwidth, slope.peak]);
        }
        for point in self.trail.iter().flat_map(|trail| &trail.points) {
            extent.include(*point);
        }
        extent
    }

    /// The active GPU's roof.
    pub fn active_roof(&self) -> Option<&Roof> {
        self.roofs.iter().find(|roof| roof.active)
    }
}

fn limit(placement: &Placement) -> f64 {
    let attainable = placement.attainable();
    attainable.map_or(f64::NEG_INFINITY, |rate| rate.get().log10())
}

fn trail(
    sweep: &Sweep,
    w: &Workload,
    gpu: &Gpu,
    assumptions: Assumptions,
    level: Level,
) -> Option<Trail> {
    let result = sweep::run(sweep, w, gpu, assumptions).ok()?;
    let mut points = Vec::new();
    let mut values = Vec::new();
    for row in &result.rows {
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
            values.push((x, sweep::value_text(row.value, result.unit)));
        }
    }
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let moves = points.first()?[0] < points.last()?[0] - 0.01;
    moves.then(|| Trail {
        parameter: result.parameter.replace('_', " "),
        points: with_corners(points, gpu, w, assumptions, level),
        values,
    })
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
