//! From the model to the file's structs: ids become names, and what is not shown is left out.
use super::v1::{EfficiencyFile, MeasuredFile, SessionFile, VERSION, WorkloadFile};
use super::v1_gpu::{
    AchievableFile, ComputeFile, FactFile, GpuFile, MemoryFile, OriginalFile, PartsFile,
};
use super::v1_profile::ProfileFile;
use super::v1_shown::{AnnotationFile, LimitsFile, SavedViewFile, SweepFile, ViewFile};
use crate::model::gpu::{ComputeRoof, Gpu, MemoryRoof, Sourced};
use crate::model::ids::{AnnotationId, GpuId, ProfileId, WorkloadId};
use crate::model::parts::Parts;
use crate::model::quantity::Quantity;
use crate::model::saved_view::{Argument, SavedView};
use crate::model::session::{Session, Workload};
use crate::model::sweep::grid::Shown;
use crate::model::sweep::{Sweep, parameter_unit};
use crate::model::view::{Levels, View};
use crate::model::workload::Kind;

impl SessionFile {
    /// The file of a session as it is shown.
    pub fn of(session: &Session, view: &View) -> Self {
        let mut view = view.clone();
        view.repair(session);
        Self {
            version: VERSION,
            title: session.title.clone(),
            notes: lines(&session.notes),
            overlap: session.assumptions.overlap,
            launches: session.assumptions.launches,
            judged_by: session.assumptions.judged_by,
            estimate: session.assumptions.estimate,
            gpus: session.gpus.iter().map(GpuFile::of).collect(),
            workloads: session
                .workloads
                .iter()
                .map(|workload| WorkloadFile::of(session, workload))
                .collect(),
            annotations: session
                .annotations
                .iter()
                .map(|annotation| AnnotationFile::of(session, annotation))
                .collect(),
            profiles: session
                .profiles
                .iter()
                .map(|profile| ProfileFile::of(session, profile))
                .collect(),
            view: Some(ViewFile::of(session, &view)),
            views: session
                .views
                .iter()
                .map(|view| SavedViewFile::of(session, view))
                .collect(),
        }
    }
}

impl GpuFile {
    /// The file's form of a GPU.
    pub fn of(gpu: &Gpu) -> Self {
        Self {
            name: gpu.name.trim().to_owned(),
            preset: gpu.preset.clone(),
            scope: gpu.scope,
            capacity: gpu.capacity,
            sparsity: None,
            launch_overhead: gpu.launch_overhead,
            notes: lines(&gpu.notes),
            compute: gpu.compute.iter().map(ComputeFile::of).collect(),
            memory: gpu.memory.iter().map(MemoryFile::of).collect(),
            parts: PartsFile::of(&gpu.parts),
        }
    }
}

impl PartsFile {
    /// `None` for a device of which nothing is known.
    fn of(parts: &Parts) -> Option<Self> {
        let known = *parts != Parts::default();
        known.then(|| Self {
            units: parts.units.as_ref().map(FactFile::of),
            clock: parts.clock.as_ref().map(FactFile::of),
            matrix_clock: parts.matrix_clock.as_ref().map(FactFile::of),
            memory_bus: parts.memory_bus.as_ref().map(FactFile::of),
            l1_per_unit: parts.l1.as_ref().map(FactFile::of),
            l2: parts.l2.as_ref().map(FactFile::of),
            llc: parts.llc.as_ref().map(FactFile::of),
        })
    }
}

impl<Q: Quantity> FactFile<Q> {
    fn of(number: &Sourced<Q>) -> Self {
        Self {
            value: number.value,
            basis: number.basis,
            source: lines(&number.source),
            confidence: number.confidence,
            derived: number.derivation.clone(),
            original: OriginalFile::of(number),
        }
    }
}

impl ComputeFile {
    fn of(roof: &ComputeRoof) -> Self {
        Self {
            path: roof.path,
            peak: roof.peak.value,
            basis: roof.peak.basis,
            source: lines(&roof.peak.source),
            confidence: roof.peak.confidence,
            derived: roof.peak.derivation.clone(),
            original: OriginalFile::of(&roof.peak),
            achievable: roof.achievable.as_ref().map(AchievableFile::of),
        }
    }
}

impl MemoryFile {
    fn of(roof: &MemoryRoof) -> Self {
        Self {
            level: roof.level,
            bandwidth: roof.bandwidth.value,
            basis: roof.bandwidth.basis,
            source: lines(&roof.bandwidth.source),
            confidence: roof.bandwidth.confidence,
            derived: roof.bandwidth.derivation.clone(),
            original: OriginalFile::of(&roof.bandwidth),
            achievable: roof.achievable.as_ref().map(AchievableFile::of),
            links: roof.links,
            links_per_peer: roof.links_per_peer,
        }
    }
}

impl<Q: Quantity> OriginalFile<Q> {
    fn of(number: &Sourced<Q>) -> Option<Self> {
        let original = number.original.as_ref()?;
        Some(Self {
            value: original.value,
            basis: original.basis,
            source: lines(&original.source),
            confidence: original.confidence,
        })
    }
}

impl<Q: Quantity> AchievableFile<Q> {
    fn of(number: &Sourced<Q>) -> Self {
        Self {
            value: number.value,
            basis: number.basis,
            source: lines(&number.source),
            confidence: number.confidence,
            derived: number.derivation.clone(),
            original: OriginalFile::of(number),
        }
    }
}

impl WorkloadFile {
    fn of(session: &Session, workload: &Workload) -> Self {
        let efficiency = workload.efficiency.iter().filter_map(|(id, share)| {
            Some(EfficiencyFile {
                gpu: gpu_name(session, *id)?,
                share: *share,
            })
        });
        let measured = workload.measurements.iter().filter_map(|(id, measured)| {
            Some(MeasuredFile {
                gpu: gpu_name(session, *id)?,
                observed: measured.observed,
                of: (measured.of != workload.kind).then(|| measured.of.clone()),
            })
        });
        Self {
            efficiency: efficiency.collect(),
            measured: measured.collect(),
            ..Self::alone(workload)
        }
    }

    /// The workload without what depends on GPUs.
    pub fn alone(workload: &Workload) -> Self {
        Self {
            name: workload.name.trim().to_owned(),
            kind: workload.kind.clone(),
            efficiency: Vec::new(),
            measured: Vec::new(),
        }
    }
}

impl ViewFile {
    fn of(session: &Session, view: &View) -> Self {
        let gpu = |id: &GpuId| gpu_name(session, *id);
        let workload = |id: &WorkloadId| {
            session
                .workload(*id)
                .map(|workload| workload.name.trim().to_owned())
        };
        let profile = |id: &ProfileId| {
            session
                .profile(*id)
                .map(|profile| profile.name.trim().to_owned())
        };
        let annotation = |id: &AnnotationId| {
            let mut all = session.annotations.iter();
            all.position(|one| one.id == *id).map(|index| index + 1)
        };
        let first = session.profiles.first().map(|profile| profile.id);
        let kernel = view
            .kernel
            .filter(|kernel| view.profile == Some(kernel.profile));
        let selected = view.selected.and_then(|id| session.workload(id));
        let sweep = |sweep: &Option<Sweep>| SweepFile::of(sweep.as_ref()?, &selected?.kind);
        Self {
            active: view.active.as_ref().and_then(gpu),
            selected: view.selected.as_ref().and_then(workload),
            hidden_gpus: view.hidden_gpus.iter().filter_map(gpu).collect(),
            hidden_workloads: view.hidden_workloads.iter().filter_map(workload).collect(),
            hidden_profiles: view.hidden_profiles.iter().filter_map(profile).collect(),
            hidden_annotations: view
                .hidden_annotations
                .iter()
                .filter_map(annotation)
                .collect(),
            profile: view
                .profile
                .filter(|id| Some(*id) != first)
                .as_ref()
                .and_then(profile),
            kernel: kernel.map(|kernel| kernel.line as usize + 1),
            limits: view.limits.map(|limits| LimitsFile {
                x: limits.x.into(),
                y: limits.y.into(),
            }),
            locked: view.locked,
            sweep: sweep(&view.sweep),
            second_sweep: sweep(&view.second_sweep),
            heat_map: (view.heat_map != Shown::default()).then(|| view.heat_map.name().to_owned()),
            against: view.against.as_ref().and_then(gpu),
            show_curve: view.show_curve,
            show_trail: view.show_trail,
            compare: view.compare,
            levels: (view.levels != Levels::default()).then(|| view.levels.name().to_owned()),
            normalised: view.normalised,
            show_operators: view.show_operators,
            show_sparse: view.show_sparse,
        }
    }
}

impl SavedViewFile {
    fn of(session: &Session, saved: &SavedView) -> Self {
        let mut view = saved.view.clone();
        view.repair(session);
        Self {
            title: saved.title.trim().to_owned(),
            caption: lines(&saved.caption),
            arrow: (saved.argument != Argument::default())
                .then(|| saved.argument.name().to_owned()),
            view: ViewFile::of(session, &view),
        }
    }
}

impl SweepFile {
    /// `None` for a sweep over what this kind does not have: it shows nothing.
    fn of(sweep: &Sweep, kind: &Kind) -> Option<Self> {
        let unit = parameter_unit(kind, &sweep.parameter).ok()?;
        Some(Self {
            parameter: sweep.parameter.clone(),
            values: sweep.values_text(unit),
        })
    }
}

fn gpu_name(session: &Session, id: GpuId) -> Option<String> {
    session.gpu(id).map(|gpu| gpu.name.trim().to_owned())
}

/// Text with one kind of line end, whatever system it was typed or pasted on.
fn lines(text: &str) -> String {
    text.replace("\r\n", "\n")
}
