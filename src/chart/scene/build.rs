//! Derives a scene from a session and a view.
use super::roofs::{at_run, main_path, other_paths, roof, slopes};
use super::trail::trail;
use super::*;
use crate::chart::framing::Extent;
use crate::model::annotation::Ruled;
use crate::model::gpu::{Gpu, JudgedBy};
use crate::model::pairing::{Side, pair};
use crate::model::placement::{Estimate, Overlap, REALISTIC_EFFICIENCY, REALISTIC_LAUNCH};
use crate::model::plausibility::{About, Doubt};
use crate::model::profile::{Analysed, Analyses};
use crate::model::session::Session;
use crate::model::sweep::{self, SweepResult};
use crate::model::view::{Levels, View};

/// Derives the scene.
pub fn build(session: &Session, view: &View) -> Scene {
    let selected = view.selected.and_then(|id| session.workload(id));
    let active = view.active.and_then(|id| session.gpu(id));
    let sweep = selected.zip(active).filter(|_| view.show_trail);
    let sweep = sweep.and_then(|(workload, gpu)| {
        let sweep = view.sweep_for(workload);
        sweep::run(&sweep, workload, gpu, session.assumptions).ok()
    });
    let by = session.assumptions.judged_by;
    let analyses = Analyses::of(session);
    let mut kernels = KernelLayer::of(&analyses, view, by);
    kernels.moves = compared(&analyses, view, by);
    build_with(session, view, sweep.as_ref(), kernels)
}

fn side(analysed: &Analysed) -> Side<'_> {
    Side {
        profile: &analysed.profile,
        analysis: &analysed.analysis,
    }
}

/// Arrows from the kernels of the profile in view to those of the one it is compared with.
fn compared(analyses: &Analyses, view: &View, by: JudgedBy) -> Vec<Move> {
    let before = view.profile.and_then(|id| analyses.get(id));
    let after = before.and_then(|before| analyses.get(before.profile.choices.against?));
    let Some((before, after)) = before.zip(after) else {
        return Vec::new();
    };
    if ![before, after]
        .iter()
        .all(|side| view.shows_profile(side.profile.id))
    {
        return Vec::new();
    }
    let pairing = pair(side(before), side(after), &before.profile.choices.pairs);
    moves(before, after, &pairing.pairs, view, by)
}

/// Derives the scene, where the sweep of the selected workload on the active GPU is known and kernels are laid out.
pub fn build_with(
    session: &Session,
    view: &View,
    sweep: Option<&SweepResult>,
    kernels: KernelLayer,
) -> Scene {
    let Some(active) = view.active.and_then(|id| session.gpu(id)) else {
        return Scene {
            assumptions: "Add a GPU to see its roofs".to_owned(),
            kernels,
            ..Scene::default()
        };
    };
    let selected = view.selected.and_then(|id| session.workload(id));
    // Of the kernel told of; without workloads, of the kernels with most to win.
    let of_kernels = kernels.paths.first().filter(|_| selected.is_none());
    let of_kernel = kernels.path.or(of_kernels.copied());
    let of_kernel = of_kernel.filter(|path| active.roof_for(*path).is_some());
    let path = of_kernel.unwrap_or_else(|| main_path(selected, active, session.assumptions));
    let level = view.levels.main();
    let by = session.assumptions.judged_by;
    let run = at_run(session, view, active);
    let visible = session.gpus.iter().enumerate();
    let visible = visible.filter(|(_, gpu)| view.shows_gpu(gpu.id));
    let roofs: Vec<_> = visible
        .filter_map(|(index, gpu)| roof(gpu, index, gpu.id == active.id, path, level, by))
        .map(|roof| roof.with_run(run.as_ref(), by))
        .collect();
    let legend = legend(session, view);
    let mut scene = Scene {
        assumptions: assumptions_text(session, active, path, view.levels) + &legend,
        roofs,
        kernels,
        ..Scene::default()
    };
    if session.assumptions.overlap == Overlap::None {
        let of_active = scene.roofs.iter().find(|roof| roof.active);
        scene.serial = of_active.map(|roof| [roof.peak, roof.bandwidth]);
    }
    for workload in &session.workloads {
        if view.shows_workload(workload.id) {
            let is_selected = view.selected == Some(workload.id);
            scene.add(
                workload,
                active,
                session.assumptions,
                view.levels,
                is_selected,
            );
        }
    }
    if let Some(workload) = selected.filter(|w| view.show_operators && view.shows_workload(w.id))
        && let Ok(placement) = workload.place_on(active, session.assumptions)
    {
        scene.operators = operators::marks(&placement);
        scene.one_number = operators::one_number(&placement);
    }
    if view.compare {
        scene.compare(session, view, active, path);
    }
    if view.levels == Levels::All {
        scene.slopes = slopes(session, active, path);
    }
    scene.other_paths = other_paths(session, view, active, path, &scene.kernels.paths);
    // The selected mark last, so that it lies on top of what it covers.
    scene.marks.sort_by_key(|mark| {
        (
            mark.on_other.is_none(),
            mark.selected,
            mark.kind == MarkKind::Measured,
        )
    });
    if let Some(workload) = selected.filter(|w| view.show_trail && view.shows_workload(w.id)) {
        scene.trail =
            sweep.and_then(|sweep| trail(sweep, workload, active, session.assumptions, level));
    }
    if view.normalised {
        scene.normalise();
    } else {
        scene.annotate(session, view, selected);
    }
    scene
}

/// Which marks are whose, where kernels of several profiles are shown.
fn legend(session: &Session, view: &View) -> String {
    const SHAPES: [&str; 2] = ["circles", "diamonds"];
    let profiles = session.profiles.iter().enumerate();
    let shown = profiles.filter(|(_, profile)| view.shows_profile(profile.id));
    let told = shown.map(|(at, profile)| {
        format!(
            " · {} {}",
            SHAPES.get(at).unwrap_or(&"other shapes"),
            profile.name
        )
    });
    let told: Vec<_> = told.collect();
    match told.len() {
        0 | 1 => String::new(),
        _ => told.concat(),
    }
}

fn assumptions_text(session: &Session, active: &Gpu, path: Path, levels: Levels) -> String {
    let compute = active.judging_roof(path);
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
    let launches = match session.assumptions.estimate {
        Estimate::Bound => launches.to_owned(),
        Estimate::Realistic => {
            let launch = active.launch_overhead.unwrap_or(REALISTIC_LAUNCH);
            format!(" · estimate: bound ÷ {REALISTIC_EFFICIENCY} + {launch} per launch")
        }
    };
    let peaks = match used.sparse {
        true => "peaks with structured sparsity",
        false => "dense peaks",
    };
    format!(
        "{peaks} · {basis} · {overlap}{launches} · {used} on {} · {}",
        match levels {
            Levels::All => "all levels",
            only => only.name(),
        },
        match active.scope {
            Some(scope) => format!("{}, {}", active.name, scope.name()),
            None => active.name.clone(),
        }
    )
}
impl Scene {
    /// Turns the axes to intensity ÷ ridge and share of the own compute roof: every roof becomes the same one.
    fn normalise(&mut self) {
        self.normalised = true;
        let main = self.active_roof().map(|roof| [roof.ridge(), roof.peak]);
        self.roofs.retain(|roof| roof.active);
        for roof in &mut self.roofs {
            "own roof".clone_into(&mut roof.name);
            (roof.peak, roof.bandwidth) = (0.0, 0.0);
            (roof.original, roof.other_basis, roof.at_run) = (None, None, None);
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
        for operator in &mut self.operators {
            let [ridge, peak] = operator.own;
            operator.at = [operator.at[0] - ridge, operator.at[1] - peak];
        }
        if let Some(one) = &mut self.one_number {
            one.at = [one.at[0] - one.own[0], one.at[1] - one.own[1]];
        }
        if let (Some(trail), Some([ridge, peak])) = (&mut self.trail, main) {
            for point in &mut trail.points {
                *point = [point[0] - ridge, point[1] - peak];
            }
            for (x, _) in trail.values.iter_mut().chain(&mut trail.turns) {
                *x -= ridge;
            }
        }
        self.assumptions = format!(
            "normalised by each point's own roofs · {}",
            self.assumptions
        );
    }

    /// Marks the peaks of a GPU that are likely not what they are taken for.
    pub fn doubt(&mut self, gpu: GpuId, doubts: &[Doubt]) {
        if self.normalised {
            return;
        }
        let roofs = self.roofs.iter_mut().chain(&mut self.other_paths);
        for roof in roofs.filter(|roof| roof.gpu == gpu) {
            let about = |doubt: &Doubt| doubt.about == About::Peak(roof.path);
            if doubts.iter().any(about) {
                roof.peak_text += ", doubtful";
                if roof.active
                    && let Some(rest) = self.assumptions.strip_prefix("dense peaks")
                {
                    self.assumptions = format!("a doubtful peak{rest}");
                }
            }
        }
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
        // Operators that take hardly any time may lie outside.
        for operator in self.operators.iter().filter(|o| o.share >= 0.002) {
            extent.include(operator.at);
        }
        for corner in self.kernels.extent.iter().flatten() {
            extent.include(*corner);
        }
        for slope in &self.slopes {
            extent.include([slope.peak - slope.bandwidth, slope.peak]);
        }
        for note in &self.notes {
            match note.shape {
                NoteShape::Text(at) => extent.include(at),
                NoteShape::Arrow(from, to) | NoteShape::Region(from, to) => {
                    extent.include(from);
                    extent.include(to);
                }
                NoteShape::Line(Ruled::Level(y)) => extent.include_level(y),
                NoteShape::Line(_) => {}
            }
        }
        for point in self.trail.iter().flat_map(|trail| &trail.points) {
            extent.include(*point);
        }
        extent
    }

    /// How strongly a thing is drawn, 0–1: all of it, but what is no part of the cast when presenting.
    pub fn strength(&self, cast: bool) -> f32 {
        let shown = cast || !self.presenting || !self.strips.is_empty();
        if shown { 1.0 } else { 0.4 }
    }

    /// The same for measured kernels: the cast is the kernel told of, or all of them where no workload is.
    pub fn kernel_strength(&self) -> f32 {
        let other = self.kernels.selected.is_some() || self.marks.iter().any(|mark| mark.selected);
        self.strength(!other)
    }

    /// The active GPU's roof.
    pub fn active_roof(&self) -> Option<&Roof> {
        self.roofs.iter().find(|roof| roof.active)
    }
}
