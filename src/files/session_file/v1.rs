//! Version 1 of the session file, as it is written: names instead of ids, quantities as text with units.
use super::v1_gpu::GpuFile;
use crate::model::gpu::JudgedBy;
use crate::model::measurement::Observation;
use crate::model::placement::{Estimate, Launches, Overlap};
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
    #[serde(default, skip_serializing_if = "is_theoretical")]
    pub judged_by: JudgedBy,
    #[serde(default, skip_serializing_if = "is_bound")]
    pub estimate: Estimate,
    #[serde(default)]
    pub gpus: Vec<GpuFile>,
    #[serde(default)]
    pub workloads: Vec<WorkloadFile>,
    #[serde(default)]
    pub view: Option<ViewFile>,
}

fn is_bound(estimate: &Estimate) -> bool {
    *estimate == Estimate::Bound
}

fn is_theoretical(by: &JudgedBy) -> bool {
    *by == JudgedBy::Theoretical
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_sweep: Option<SweepFile>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heat_map: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub show_curve: bool,
    #[serde(default = "yes")]
    pub show_trail: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    pub compare: bool,
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub show_operators: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub levels: Option<String>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub normalised: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    pub show_sparse: bool,
}

fn is_false(value: &bool) -> bool {
    !value
}

fn is_true(value: &bool) -> bool {
    *value
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
