//! What is assumed of every placement: overlap, launches, the basis, bound or estimate.
use crate::model::gpu::JudgedBy;
use crate::model::quantity::Seconds;
use serde::{Deserialize, Serialize};

/// Whether arithmetic and memory work at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Overlap {
    /// The longest term is the time: the least a perfect kernel takes.
    #[default]
    Full,
    /// The terms add up: the most that kernel takes.
    None,
}

impl Overlap {
    /// The words shown under the chart.
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full overlap",
            Self::None => "no overlap",
        }
    }
}

/// Whether launching a kernel takes time of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Launches {
    /// Behind the kernel before, unless launching takes longer than running.
    #[default]
    Hidden,
    /// Before every kernel.
    Added,
}

/// Whether a prediction is the bound of the roofs or an estimate of what kernels reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Estimate {
    /// What the roofs allow.
    #[default]
    Bound,
    /// The bound ÷ 0.8 with launches added, at 3 µs where the device does not say: within about 5 to 15 % of measured
    /// TensorRT-LLM steps on H100 and A100 (fallback constants of aiconfigurator 0.12.0).
    Realistic,
}

/// Share of the roofs a realistic estimate assumes where the workload gives none.
pub const REALISTIC_EFFICIENCY: f64 = 0.8;
/// What launching a kernel takes in a realistic estimate where the device does not say.
pub const REALISTIC_LAUNCH: Seconds = Seconds::constant(3e-6);

/// What a session assumes of every placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Assumptions {
    pub overlap: Overlap,
    pub launches: Launches,
    pub judged_by: JudgedBy,
    pub estimate: Estimate,
}

impl Assumptions {
    /// How launches are counted: a realistic estimate always adds them.
    pub fn launches_counted(self) -> Launches {
        match self.estimate {
            Estimate::Bound => self.launches,
            Estimate::Realistic => Launches::Added,
        }
    }

    /// The share of the roofs assumed to be reached where `given` says nothing, 0–1.
    pub fn efficiency(self, given: Option<f64>) -> f64 {
        given.unwrap_or(match self.estimate {
            Estimate::Bound => 1.0,
            Estimate::Realistic => REALISTIC_EFFICIENCY,
        })
    }
}
