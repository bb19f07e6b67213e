//! Version 1 of the session file, as it is written: names instead of ids, quantities as text with units.
use crate::model::cost::{Level, Path};
use crate::model::gpu::{Basis, ComputeRoof, Gpu, MemoryRoof, Sourced};
use crate::model::ids::{GpuId, WorkloadId};
use crate::model::measurement::Observation;
use crate::model::placement::{Launches, Overlap};
use crate::model::quantity::{ByteRate, Bytes, FlopRate, Quantity, Seconds};
use crate::model::session::{Session, Workload};
use crate::model::sweep::{Sweep, parameter_unit};
use crate::model::view::View;
use crate::model::workload::Kind;
use serde::{Deserialize, Serialize};

/// The version these structs are.
pub(super) const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(rename = "Session")]
pub(super) struct SessionFile {
    pub version: u32,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub notes: String,
    #[serde(default)]
    pub overlap: Overlap,
    #[serde(default)]
    pub launches: Launches,
    #[serde(default)]
    pub gpus: Vec<GpuFile>,
    #[serde(default)]
    pub workloads: Vec<WorkloadFile>,
    #[serde(default)]
    pub view: Option<ViewFile>,
}

/// A GPU, in a session, in a preset or as copied text.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Gpu")]
pub(in crate::files) struct GpuFile {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capacity: Option<Bytes>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launch_overhead: Option<Seconds>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub notes: String,
    #[serde(default)]
    pub compute: Vec<ComputeFile>,
    #[serde(default)]
    pub memory: Vec<MemoryFile>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Compute")]
pub(in crate::files) struct ComputeFile {
    pub path: Path,
    pub peak: FlopRate,
    #[serde(default = "own")]
    pub basis: Basis,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<OriginalFile<FlopRate>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Memory")]
pub(in crate::files) struct MemoryFile {
    pub level: Level,
    pub bandwidth: ByteRate,
    #[serde(default = "own")]
    pub basis: Basis,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<OriginalFile<ByteRate>>,
}

/// A number someone typed without saying where it is from is their own.
fn own() -> Basis {
    Basis::Own
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Original")]
pub(in crate::files) struct OriginalFile<Q> {
    pub value: Q,
    pub basis: Basis,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Workload")]
pub(super) struct WorkloadFile {
    pub name: String,
    pub kind: Kind,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub efficiency: Vec<EfficiencyFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measured: Vec<MeasuredFile>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Efficiency")]
pub(super) struct EfficiencyFile {
    pub gpu: String,
    pub share: f64,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Measured")]
pub(super) struct MeasuredFile {
    pub gpu: String,
    pub observed: Observation,
    /// What was measured, where the workload has been edited since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<Kind>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "View")]
pub(super) struct ViewFile {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selected: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden_gpus: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden_workloads: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<LimitsFile>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub locked: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sweep: Option<SweepFile>,
    #[serde(default = "yes")]
    pub show_trail: bool,
}

fn is_false(value: &bool) -> bool {
    !value
}

fn yes() -> bool {
    true
}

/// The visible range, as powers of ten.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Limits")]
pub(super) struct LimitsFile {
    pub x: (f64, f64),
    pub y: (f64, f64),
}

/// The sweep of the selected workload; values are text, in the parameter's unit.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Sweep")]
pub(super) struct SweepFile {
    pub parameter: String,
    pub values: String,
}

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
            gpus: session.gpus.iter().map(GpuFile::of).collect(),
            workloads: session
                .workloads
                .iter()
                .map(|workload| WorkloadFile::of(session, workload))
                .collect(),
            view: Some(ViewFile::of(session, &view)),
        }
    }
}

impl GpuFile {
    /// The file's form of a GPU.
    pub fn of(gpu: &Gpu) -> Self {
        Self {
            name: gpu.name.trim().to_owned(),
            preset: gpu.preset.clone(),
            capacity: gpu.capacity,
            launch_overhead: gpu.launch_overhead,
            notes: lines(&gpu.notes),
            compute: gpu.compute.iter().map(ComputeFile::of).collect(),
            memory: gpu.memory.iter().map(MemoryFile::of).collect(),
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
            original: OriginalFile::of(&roof.peak),
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
            original: OriginalFile::of(&roof.bandwidth),
        }
    }
}

impl<Q: Quantity> OriginalFile<Q> {
    fn of(number: &Sourced<Q>) -> Option<Self> {
        number.original.map(|(value, basis)| Self { value, basis })
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
        let selected = view.selected.and_then(|id| session.workload(id));
        Self {
            active: view.active.as_ref().and_then(gpu),
            selected: view.selected.as_ref().and_then(workload),
            hidden_gpus: view.hidden_gpus.iter().filter_map(gpu).collect(),
            hidden_workloads: view.hidden_workloads.iter().filter_map(workload).collect(),
            limits: view.limits.map(|limits| LimitsFile {
                x: limits.x.into(),
                y: limits.y.into(),
            }),
            locked: view.locked,
            sweep: view
                .sweep
                .as_ref()
                .zip(selected)
                .and_then(|(sweep, workload)| SweepFile::of(sweep, &workload.kind)),
            show_trail: view.show_trail,
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
