//! A GPU of version 1 of the session file, as it is written: in a session, a preset, or alone.
use crate::model::cache_size::CacheSize;
use crate::model::cost::{Level, Path};
use crate::model::gpu::{Basis, Confidence, Scope};
use crate::model::quantity::{ByteRate, Bytes, Count, FlopRate, Hertz, Seconds};
use serde::{Deserialize, Serialize};

/// A GPU, in a session, in a preset or as copied text.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Gpu")]
pub(in crate::files) struct GpuFile {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capacity: Option<Bytes>,
    /// One factor for all formats, as earlier files had it: read, and no longer written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sparsity: Option<Count>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launch_overhead: Option<Seconds>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub notes: String,
    #[serde(default)]
    pub compute: Vec<ComputeFile>,
    #[serde(default)]
    pub memory: Vec<MemoryFile>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<PartsFile>,
}

/// What a GPU is built of.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename = "Parts")]
pub(in crate::files) struct PartsFile {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub units: Option<FactFile<Count>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<FactFile<Hertz>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matrix_clock: Option<FactFile<Hertz>>,
    /// In bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bus: Option<FactFile<Count>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub l1_per_unit: Option<FactFile<CacheSize>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub l2: Option<FactFile<CacheSize>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub llc: Option<FactFile<CacheSize>>,
}

/// A number that is no roof, with its source.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Fact", bound(deserialize = "Q: Deserialize<'de>"))]
pub(in crate::files) struct FactFile<Q> {
    pub value: Q,
    #[serde(default = "own")]
    pub basis: Basis,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derived: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<OriginalFile<Q>>,
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
    pub confidence: Option<Confidence>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derived: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<OriginalFile<FlopRate>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub achievable: Option<AchievableFile<FlopRate>>,
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
    pub confidence: Option<Confidence>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derived: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<OriginalFile<ByteRate>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub achievable: Option<AchievableFile<ByteRate>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub links: Option<Count>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub links_per_peer: Option<Count>,
}

/// A number someone typed without saying where it is from is their own.
fn own() -> Basis {
    Basis::Own
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Original", bound(deserialize = "Q: Deserialize<'de>"))]
pub(in crate::files) struct OriginalFile<Q> {
    pub value: Q,
    pub basis: Basis,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
}

/// What good kernels were measured to reach.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Achievable", bound(deserialize = "Q: Deserialize<'de>"))]
pub(in crate::files) struct AchievableFile<Q> {
    pub value: Q,
    #[serde(default = "achievable")]
    pub basis: Basis,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derived: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<OriginalFile<Q>>,
}

fn achievable() -> Basis {
    Basis::Achievable
}
