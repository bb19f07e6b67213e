//! Conditions: what must hold for a step of a lesson to be done, and how that is said.
use super::Situation;
use crate::model::gpu::Gpu;
use crate::model::measurement::{Assessment, Verdict};
use crate::model::placement::{Placement, Regime};
use crate::model::session::Workload;
use crate::model::sweep::{parameter_unit, value_text};
use crate::model::units::{self, Unit};
use serde::{Deserialize, Serialize};

/// What must hold; names are those of the lesson's session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Condition {
    /// A numeric parameter has reached a value.
    AtLeast {
        workload: String,
        parameter: String,
        value: f64,
    },
    /// A numeric parameter is no larger than a value.
    AtMost {
        workload: String,
        parameter: String,
        value: f64,
    },
    MemoryBound(String),
    ComputeBound(String),
    /// No part of the roof is assumed away: the mark lies on it.
    OnRoof(String),
    /// A workload is drawn.
    OnChart(String),
    /// A workload is the selected one.
    Selected(String),
    /// A GPU is the active one.
    Active(String),
    /// The arrow of a fix that begins so is on the chart.
    FixShown(String),
    /// A GPU's memory bandwidth is this many times what was published.
    BandwidthTimes {
        gpu: String,
        factor: f64,
    },
    /// Every number of a GPU is the published one.
    AsPublished(String),
    /// Something was measured of a workload on the active GPU.
    Measured(String),
    /// What was measured is judged so.
    Judged {
        workload: String,
        verdict: String,
    },
    /// A workload was added to those of the lesson.
    Added,
    /// No GPU is hidden.
    GpusShown,
}

impl Condition {
    /// Whether it holds.
    pub fn holds(&self, now: &Situation<'_>) -> bool {
        match self {
            Self::AtLeast {
                workload,
                parameter,
                value,
            } => now
                .number(workload, parameter)
                .is_some_and(|number| number >= *value),
            Self::AtMost {
                workload,
                parameter,
                value,
            } => now
                .number(workload, parameter)
                .is_some_and(|number| number <= *value),
            Self::MemoryBound(name) => now.regime(name) == Some(Regime::MemoryBound),
            Self::ComputeBound(name) => now.regime(name) == Some(Regime::ComputeBound),
            Self::OnRoof(name) => {
                let efficiency = now.placement(name).map(|placement| placement.efficiency);
                efficiency.is_some_and(|efficiency| efficiency >= 1.0)
            }
            Self::OnChart(name) => {
                let id = now.names.workload(name);
                id.is_some_and(|id| now.view.shows_workload(id))
            }
            Self::Selected(name) => {
                let id = now.names.workload(name);
                id.is_some() && now.view.selected == id
            }
            Self::Active(name) => {
                let id = now.names.gpu(name);
                id.is_some() && now.view.active == id
            }
            Self::FixShown(start) => now.shown_fix.is_some_and(|fix| fix.starts_with(start)),
            Self::BandwidthTimes { gpu, factor } => now.gpu(gpu).is_some_and(|gpu| {
                let roof = gpu.memory.first().map(|roof| &roof.bandwidth);
                let was = published_bandwidth(gpu);
                // A drag does not end on a round number.
                roof.zip(was)
                    .is_some_and(|(roof, was)| roof.value.get() >= was * factor * 0.995)
            }),
            Self::AsPublished(name) => now.gpu(name).is_some_and(|gpu| !gpu.differs(None)),
            Self::Measured(name) => now.assessment(name).is_some(),
            Self::Judged { workload, verdict } => {
                let assessment = now.assessment(workload);
                assessment.is_some_and(|assessment| assessment.verdict.name() == verdict)
            }
            Self::Added => {
                let known = |workload: &Workload| {
                    now.names.workloads.iter().any(|(_, id)| *id == workload.id)
                };
                !now.session.workloads.iter().all(known)
            }
            Self::GpusShown => now.view.hidden_gpus.is_empty(),
        }
    }

    /// What is to be reached, in words; the session says in which unit.
    pub fn words(&self, now: &Situation<'_>) -> String {
        let value_of = |workload: &str, parameter: &str, value: f64| {
            let kind = now.workload(workload).map(|workload| &workload.kind);
            let unit = kind.and_then(|kind| parameter_unit(kind, parameter).ok());
            unit.map_or_else(|| value.to_string(), |unit| value_text(value, unit))
        };
        match self {
            Self::AtLeast {
                workload,
                parameter,
                value,
            } => {
                let value = value_of(workload, parameter, *value);
                format!(
                    "{} of {workload} at least {value}",
                    parameter.replace('_', " ")
                )
            }
            Self::AtMost {
                workload,
                parameter,
                value,
            } => {
                let value = value_of(workload, parameter, *value);
                format!(
                    "{} of {workload} at most {value}",
                    parameter.replace('_', " ")
                )
            }
            Self::MemoryBound(name) => format!("{name} is memory-bound"),
            Self::ComputeBound(name) => format!("{name} is compute-bound"),
            Self::OnRoof(name) => {
                format!("{name} lies on its roof")
            }
            Self::OnChart(name) => format!("{name} is on the chart"),
            Self::Selected(name) => format!("{name} is selected"),
            Self::Active(name) => format!("{name} is the active GPU"),
            Self::FixShown(start) => format!("the pointer is on “{start}” under What would help"),
            Self::BandwidthTimes { gpu, factor } => {
                let published = now.gpu(gpu).and_then(published_bandwidth);
                let wanted = published.map_or_else(
                    || format!("{} what was published", units::factor(*factor)),
                    |was| units::short(was * factor, Unit::BytePerSecond),
                );
                format!("DRAM of {gpu} is {wanted} or more")
            }
            Self::AsPublished(name) => format!("{name} has its published numbers"),
            Self::Measured(name) => format!("{name} has a measured time"),
            Self::Judged { workload, verdict } => format!("{workload} is judged “{verdict}”"),
            Self::Added => "a variant is in the list of workloads".to_owned(),
            Self::GpusShown => "all GPUs are on the chart".to_owned(),
        }
    }

    /// The names it uses that a lesson's session must have: of workloads, then of GPUs.
    pub fn names(&self) -> [Option<&str>; 2] {
        match self {
            Self::AtLeast { workload, .. }
            | Self::AtMost { workload, .. }
            | Self::Judged { workload, .. } => [Some(workload), None],
            Self::MemoryBound(name)
            | Self::ComputeBound(name)
            | Self::OnRoof(name)
            | Self::OnChart(name)
            | Self::Selected(name)
            | Self::Measured(name) => [Some(name), None],
            Self::Active(gpu) | Self::AsPublished(gpu) | Self::BandwidthTimes { gpu, .. } => {
                [None, Some(gpu)]
            }
            Self::FixShown(_) | Self::Added | Self::GpusShown => [None, None],
        }
    }

    /// Whether a verdict it waits for is one there is.
    pub fn is_possible(&self) -> bool {
        let verdicts = [
            Verdict::SomethingToFind,
            Verdict::Room,
            Verdict::Good,
            Verdict::Excellent,
            Verdict::AboveTheRoof,
        ];
        match self {
            Self::Judged { verdict, .. } => verdicts.iter().any(|v| v.name() == verdict),
            _ => true,
        }
    }
}

/// Of its first memory roof, in bytes per second.
fn published_bandwidth(gpu: &Gpu) -> Option<f64> {
    let roof = &gpu.memory.first()?.bandwidth;
    let was = roof.original.as_ref().map_or(roof.value, |was| was.value);
    Some(was.get())
}

impl<'a> Situation<'a> {
    pub(super) fn workload(&self, name: &str) -> Option<&'a Workload> {
        self.session.workload(self.names.workload(name)?)
    }

    pub(super) fn gpu(&self, name: &str) -> Option<&'a Gpu> {
        self.session.gpu(self.names.gpu(name)?)
    }

    pub(super) fn active(&self) -> Option<&'a Gpu> {
        self.session.gpu(self.view.active?)
    }

    fn number(&self, workload: &str, parameter: &str) -> Option<f64> {
        self.workload(workload)?.kind.number(parameter)
    }

    fn regime(&self, workload: &str) -> Option<Regime> {
        Some(self.placement(workload)?.regime())
    }

    fn placement(&self, workload: &str) -> Option<Placement> {
        let workload = self.workload(workload)?;
        workload
            .place_on(self.active()?, self.session.assumptions)
            .ok()
    }

    pub(super) fn assessment(&self, workload: &str) -> Option<Assessment> {
        let workload = self.workload(workload)?;
        workload
            .assess_on(self.active()?, self.session.assumptions)?
            .ok()
    }
}
