//! Version 1 of the session file, as it is written: names instead of ids, quantities as text with units.
use super::v1_gpu::GpuFile;
use super::v1_profile::ProfileFile;
use super::v1_shown::{AnnotationFile, SavedViewFile, ViewFile};
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
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub annotations: Vec<AnnotationFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub profiles: Vec<ProfileFile>,
    #[serde(default)]
    pub view: Option<ViewFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub views: Vec<SavedViewFile>,
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
