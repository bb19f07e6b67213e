//! Profiles of version 1 of the session file: a line per kernel name and launch shape, and what is chosen of them.
use crate::model::cost::{Level, Path};
use crate::model::quantity::{Hertz, Seconds};
use crate::model::workload::Kind;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(rename = "Profile")]
pub(super) struct ProfileFile {
    pub name: String,
    /// The source file's own name, its format, and the hash of its bytes.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub format: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hash: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gpu: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<Hertz>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_clock: Option<Hertz>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_from: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What was counted is of one second of running: the file has rates and no times.
    #[serde(default, skip_serializing_if = "is_false")]
    pub per_second: bool,
    /// How long the device waited between kernels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<Seconds>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<FilterFile>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub grouped: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<AliasFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<KeyFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub isolated: Vec<KeyFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fills: Vec<FillFile>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<PairFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mappings: Vec<MappingFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counters: Vec<CounterFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub formulas: Vec<FormulaFile>,
    #[serde(default)]
    pub kernels: Vec<KernelFile>,
}

fn is_false(value: &bool) -> bool {
    !value
}

fn is_one(value: &u64) -> bool {
    *value == 1
}

fn one() -> u64 {
    1
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Counter")]
pub(super) struct CounterFile {
    pub name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
}

/// Either `work` or `traffic` says what it gives.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Formula")]
pub(super) struct FormulaFile {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work: Option<Path>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traffic: Option<Level>,
    pub terms: Vec<TermFile>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Term")]
pub(super) struct TermFile {
    pub times: f64,
    pub of: Vec<FactorFile>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Factor")]
pub(super) struct FactorFile {
    pub counter: String,
    #[serde(default, skip_serializing_if = "is_false")]
    pub minus: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    pub optional: bool,
}

/// All launches of a name and launch shape; median, shortest and longest are left out of a single launch.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Kernel")]
pub(super) struct KernelFile {
    pub name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub launch: String,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub count: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Seconds>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median: Option<Seconds>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortest: Option<Seconds>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest: Option<Seconds>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derived: Option<String>,
    /// A value per counter, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counted: Vec<Option<f64>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Filter")]
pub(super) struct FilterFile {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Path>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regime: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heaviest: Option<f64>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Alias")]
pub(super) struct AliasFile {
    pub of: String,
    pub name: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Line")]
pub(super) struct KeyFile {
    pub name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub launch: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Pair")]
pub(super) struct PairFile {
    pub before: KeyFile,
    pub after: KeyFile,
}

#[derive(Serialize, Deserialize)]
pub(super) enum SelectorFile {
    Line(KeyFile),
    Name(String),
    Pattern(String),
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Fill")]
pub(super) struct FillFile {
    pub of: SelectorFile,
    pub gives: GivesFile,
    #[serde(default, skip_serializing_if = "is_false")]
    pub replaces: bool,
}

#[derive(Serialize, Deserialize)]
pub(super) enum GivesFile {
    Work { path: Path, amount: String },
    Traffic { level: Level, amount: String },
    Time(String),
    Kind(Box<Kind>),
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Mapping")]
pub(super) struct MappingFile {
    pub workload: String,
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub executions: f64,
    pub groups: Vec<GroupFile>,
}

fn once() -> f64 {
    1.0
}

fn is_once(executions: &f64) -> bool {
    *executions == 1.0
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Group")]
pub(super) struct GroupFile {
    pub operators: Vec<String>,
    pub kernels: Vec<SelectorFile>,
}
