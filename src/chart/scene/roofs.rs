//! The roofs of a scene: slopes and flats of every GPU shown, other levels, other paths.
use super::*;
use crate::model::cost::ComputeUnit;
use crate::model::format::NumberFormat;
use crate::model::gpu::{Gpu, JudgedBy};
use crate::model::placement::Assumptions;
use crate::model::profile::at_clock;
use crate::model::session::{Session, Workload};
use crate::model::units;
use crate::model::view::View;

/// The path whose roofs are drawn: the selected workload's, else the device's first.
pub fn main_path(selected: Option<&Workload>, active: &Gpu, assumptions: Assumptions) -> Path {
    let placed = selected.and_then(|w| w.place_on(active, assumptions).ok());
    let of_workload = placed.map(|placement| placement.path);
    let first = active.dense_roofs().next().map(|roof| roof.path);
    let fallback = Path::matrix(NumberFormat::FP16);
    of_workload.or(first).unwrap_or(fallback)
}

pub(super) fn roof(
    gpu: &Gpu,
    index: usize,
    active: bool,
    path: Path,
    level: Level,
    by: JudgedBy,
) -> Option<Roof> {
    let compute = gpu.judging_roof(path)?;
    let memory = gpu.memory_roof(level)?;
    let (peak, bandwidth) = (compute.judged(by), memory.judged(by));
    let original = (peak.original.is_some() || bandwidth.original.is_some()).then(|| {
        let peak = peak.published().unwrap_or(peak.value);
        let bandwidth = bandwidth.published().unwrap_or(bandwidth.value);
        [peak.get().log10(), bandwidth.get().log10()]
    });
    let other = (compute.judged(by.other()), memory.judged(by.other()));
    let differs = active && (other.0.value, other.1.value) != (peak.value, bandwidth.value);
    let other_basis = differs.then(|| OtherBasis {
        peak: other.0.value.get().log10(),
        bandwidth: other.1.value.get().log10(),
        name: {
            // A figure that is known on one basis only is none of the other.
            let peak = (other.0.value != peak.value).then(|| other.0.value.to_string());
            let memory = (other.1.value != bandwidth.value).then(|| other.1.value.to_string());
            let known: Vec<_> = peak.into_iter().chain(memory).collect();
            format!("{} {}", by.other().name(), known.join(" · "))
        },
    });
    Some(Roof {
        gpu: gpu.id,
        index,
        active,
        name: gpu.name.clone(),
        path: compute.path,
        level: memory.level,
        peak: peak.value.get().log10(),
        bandwidth: bandwidth.value.get().log10(),
        peak_text: peak.told(by),
        bandwidth_text: bandwidth.told(by),
        ridge_text: units::number((peak.value / bandwidth.value).get()),
        original,
        other_basis,
        at_run: None,
    })
}

/// The active GPU at the clock of a run, that clock ÷ the nominal one, and whose clock it is.
pub(super) struct Run {
    gpu: Gpu,
    ratio: f64,
    whose: &'static str,
}

/// The active GPU as the profile in view was run: at the clock of the selected kernel, else at the mean one.
pub(super) fn at_run(session: &Session, view: &View, active: &Gpu) -> Option<Run> {
    let profile = session.profile(view.profile?)?;
    if profile.gpu != Some(active.id) || !view.shows_profile(profile.id) {
        return None;
    }
    let selected = view.kernel.filter(|kernel| kernel.profile == profile.id);
    let own = selected.and_then(|kernel| profile.kernels.clock(kernel.line as usize));
    let whose = match own {
        Some(_) => "as the selected kernel ran",
        None => "as run",
    };
    let (gpu, ratio) = at_clock(active, own.or(profile.clocks.compute)?)?;
    Some(Run { gpu, ratio, whose })
}

impl Roof {
    /// Adds what it is at the clock of a run, where that makes it another one.
    pub(super) fn with_run(mut self, run: Option<&Run>, by: JudgedBy) -> Self {
        let scaled = run.filter(|_| self.active).and_then(|run| {
            let roof = roof(&run.gpu, self.index, true, self.path, self.level, by)?;
            Some((roof, run))
        });
        self.at_run = scaled
            .filter(|(roof, _)| roof.peak != self.peak)
            .map(|(roof, run)| OtherBasis {
                peak: roof.peak,
                bandwidth: roof.bandwidth,
                name: format!(
                    "at {} of the clock, {}: {}",
                    units::percent(run.ratio),
                    run.whose,
                    roof.peak_text
                ),
            });
        self
    }
}

/// The slopes of the active GPU's memory levels but the main one.
pub(super) fn slopes(session: &Session, active: &Gpu, path: Path) -> Vec<Slope> {
    let by = session.assumptions.judged_by;
    let index = session
        .gpus
        .iter()
        .position(|gpu| gpu.id == active.id)
        .unwrap_or(0);
    let Some(peak) = active.judging_roof(path).map(|roof| roof.judged(by).value) else {
        return Vec::new();
    };
    let levels = active
        .memory
        .iter()
        .filter(|roof| roof.level != Level::Dram);
    levels
        .map(|roof| {
            let bandwidth = roof.judged(by);
            let told = bandwidth.told(by);
            Slope {
                gpu: active.id,
                level: roof.level,
                index,
                bandwidth: bandwidth.value.get().log10(),
                peak: peak.get().log10(),
                text: match roof.level.is_link() {
                    true => format!("{} {told} per direction", roof.level.name()),
                    false => format!("{} {told}", roof.level.name()),
                },
            }
        })
        .collect()
}

/// More roofs than this of kernels would cover each other.
const MOST_OF_KERNELS: usize = 3;

/// An operator with a smaller part of the time gets no roof of its own.
const LEAST_SHARE: f64 = 0.01;

/// The matrix paths that the operators of the selected workload are judged by: FP8 products beside 16-bit attention.
fn paths_of_operators(session: &Session, view: &View, active: &Gpu) -> Vec<Path> {
    let selected = view.selected.and_then(|id| session.workload(id));
    let shown = selected.filter(|w| view.show_operators && view.shows_workload(w.id));
    let placed = shown.and_then(|w| w.place_on(active, session.assumptions).ok());
    let Some(placement) = placed else {
        return Vec::new();
    };
    let least = LEAST_SHARE * placement.roof_time.get();
    let operators = placement.operators.iter();
    let long = operators.filter(|operator| operator.roof_time() >= least);
    let paths = long.map(|operator| operator.placement.path);
    paths
        .filter(|path| path.unit == ComputeUnit::Matrix)
        .collect()
}

/// The compute roofs that shown workloads, operators and kernels are judged by, but the main one.
pub(super) fn other_paths(
    session: &Session,
    view: &View,
    active: &Gpu,
    main: Path,
    of_kernels: &[Path],
) -> Vec<Roof> {
    let mut roofs: Vec<Roof> = Vec::new();
    let index = session.gpus.iter().position(|gpu| gpu.id == active.id);
    let shown = session.workloads.iter();
    let shown = shown.filter(|w| view.shows_workload(w.id));
    let of_workloads = shown.filter_map(|workload| {
        let placement = workload.place_on(active, session.assumptions);
        Some(placement.ok()?.path)
    });
    let of_kernels = of_kernels.iter().take(MOST_OF_KERNELS).copied();
    let of_operators = paths_of_operators(session, view, active).into_iter();
    for path in of_workloads.chain(of_operators).chain(of_kernels) {
        let known = path == main || roofs.iter().any(|r| r.path == path);
        if !known {
            let by = session.assumptions.judged_by;
            roofs.extend(roof(
                active,
                index.unwrap_or(0),
                true,
                path,
                view.levels.main(),
                by,
            ));
        }
    }
    // The line of dense work beside the sparse one, and the other way round where it is asked for.
    let beside = match main.sparse {
        true => Some(main.dense()),
        false => Some(main.with_sparsity())
            .filter(|_| view.show_sparse && active.sparse_roof(main).is_some()),
    };
    let by = session.assumptions.judged_by;
    let index = index.unwrap_or(0);
    let level = view.levels.main();
    if let Some(roof) = beside.and_then(|path| roof(active, index, true, path, level, by))
        && !roofs.iter().any(|other| other.path == roof.path)
    {
        roofs.push(roof);
    }
    roofs
}
