//! The marks of a scene: every workload on the active GPU, and on the others when comparing.
use super::*;
use crate::model::compare;
use crate::model::gpu::Gpu;
use crate::model::measurement::Assessment;
use crate::model::placement::{Assumptions, Placement};
use crate::model::quantity::FlopRate;
use crate::model::session::{Session, Workload};
use crate::model::units;
use crate::model::view::{Levels, View};

/// A workload's point before it is put on the chart.
struct Point<'a> {
    workload: &'a Workload,
    shape: usize,
    kind: MarkKind,
    placement: &'a Placement,
    rate: Option<FlopRate>,
    /// Of the roof: what a gutter shows.
    share: f64,
    detail: String,
    hover: String,
    selected: bool,
}

fn limit(placement: &Placement) -> f64 {
    let attainable = placement.attainable();
    attainable.map_or(f64::NEG_INFINITY, |rate| rate.get().log10())
}
impl Scene {
    /// The scene without these workloads, whose places are not to be seen yet.
    pub fn without(&self, workloads: &[WorkloadId], selected: Option<WorkloadId>) -> Self {
        let mut scene = self.clone();
        scene
            .marks
            .retain(|mark| !workloads.contains(&mark.workload));
        scene
            .gutter
            .retain(|mark| !workloads.contains(&mark.workload));
        if selected.is_some_and(|selected| workloads.contains(&selected)) {
            scene.operators.clear();
            (scene.one_number, scene.trail, scene.arrow) = (None, None, None);
        }
        scene
    }

    pub(super) fn add(
        &mut self,
        w: &Workload,
        gpu: &Gpu,
        assumptions: Assumptions,
        levels: Levels,
        selected: bool,
    ) {
        let shape = w.shape;
        match w.place_on(gpu, assumptions) {
            Ok(placement) => {
                let fits = w.kind.does_not_fit(gpu).is_none();
                self.add_prediction(w, shape, (&placement, fits), levels, selected);
            }
            Err(reason) => self.missing.push((w.id, reason.to_string())),
        }
        match w.assess_on(gpu, assumptions) {
            Some(Ok(assessment)) => self.add_measurement(w, shape, &assessment, levels, selected),
            Some(Err(reason)) => self.missing.push((w.id, reason.to_string())),
            None => {}
        }
    }

    fn add_prediction(
        &mut self,
        w: &Workload,
        shape: usize,
        (p, fits): (&Placement, bool),
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
        let detail = match fits {
            true => detail,
            false => format!("{detail} · does not fit"),
        };
        let point = Point {
            workload: w,
            shape,
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
        shape: usize,
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
            shape,
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
                shape: point.shape,
                name: point.workload.name.clone(),
                share: point.share,
                selected: point.selected,
                stale: false,
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
                shape: point.shape,
                name,
                detail: point.detail.clone(),
                at: [intensity.get().log10(), rate.get().log10()],
                limit: limit(p),
                regime: p.regime(),
                selected: point.selected,
                stale: false,
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

    /// Greys what is predicted of workloads that show the last good value.
    pub fn grey(&mut self, stale: &[WorkloadId]) {
        let is_stale = |id, kind| kind == MarkKind::Predicted && stale.contains(&id);
        for mark in &mut self.marks {
            mark.stale = is_stale(mark.workload, mark.kind);
            if mark.stale {
                mark.detail = format!("last good value · {}", mark.detail);
                mark.hover = format!(
                    "{}\nThe last good value: what is typed now has a mistake",
                    mark.hover
                );
            }
        }
        for mark in &mut self.gutter {
            mark.stale = is_stale(mark.workload, mark.kind);
        }
    }

    /// Marks of the other visible GPUs, and strips of which is faster where.
    pub(super) fn compare(&mut self, session: &Session, view: &View, active: &Gpu, path: Path) {
        let active_index = session.gpus.iter().position(|gpu| gpu.id == active.id);
        let others = session.gpus.iter().enumerate();
        let others = others.filter(|(_, gpu)| gpu.id != active.id && view.shows_gpu(gpu.id));
        for (gpu_index, gpu) in others {
            let by = session.assumptions.judged_by;
            let level = view.levels.main();
            let contest = compare::contest(active, gpu, path, level, by);
            let lacks = |of: &Gpu| match of.memory_roof(level) {
                None => format!("{} has no {} bandwidth", of.name, level.name()),
                Some(_) => format!("{} has no {path} roof", of.name),
            };
            let missing = match active.memory_roof(level) {
                None => lacks(active),
                Some(_) => lacks(gpu),
            };
            self.strips.push(Strip {
                name: gpu.name.clone(),
                index: gpu_index,
                active_index: active_index.unwrap_or(0),
                contest: contest.ok_or(missing),
            });
            for workload in &session.workloads {
                if !view.shows_workload(workload.id) {
                    continue;
                }
                let selected = view.selected == Some(workload.id);
                let mut alone = Scene::default();
                alone.add(workload, gpu, session.assumptions, view.levels, selected);
                self.marks.extend(alone.marks.into_iter().map(|mark| Mark {
                    name: format!("{} on {}", mark.name, gpu.name),
                    hover: format!("{} on {}\n{}", mark.name, gpu.name, mark.detail),
                    on_other: Some(gpu_index),
                    ..mark
                }));
            }
        }
    }
}
