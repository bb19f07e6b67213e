//! Version 1 of what a session file says is shown: the current view, saved views, annotations.
use serde::{Deserialize, Serialize};

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
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden_profiles: Vec<String>,
    /// By their place in the list of annotations, from 1: their texts need not differ.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden_annotations: Vec<usize>,
    /// The profile that the table lists, where it is not the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// The kernel that panels tell of, by its place in that profile, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel: Option<usize>,
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

/// A framing with a title and a caption.
#[derive(Serialize, Deserialize)]
#[serde(rename = "SavedView")]
pub(super) struct SavedViewFile {
    pub title: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub caption: String,
    /// `none`, or the name of a fix; without it the sweep is the argument.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arrow: Option<String>,
    pub view: ViewFile,
}

/// A note, an arrow, a region or a reference line; which of them, its fields say.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Annotation")]
pub(super) struct AnnotationFile {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    pub shape: ShapeFile,
}

/// Places are powers of ten of intensity and rate.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Shape")]
pub(super) enum ShapeFile {
    Note(AnchorFile),
    Arrow {
        from: AnchorFile,
        to: AnchorFile,
    },
    Region {
        from: (f64, f64),
        to: (f64, f64),
    },
    /// `50 items/s`, `400 TFLOP/s`, `2 TB/s` or `100 FLOP/B`.
    Line(String),
}

/// A place, or a workload's mark and how many decades away from it.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Anchor")]
pub(super) enum AnchorFile {
    At(f64, f64),
    Mark { workload: String, off: (f64, f64) },
}
