//! A workload on a GPU as the table tells it: placed or not, measured or not.
use super::grid::Cell;
use crate::model::cost::{Cost, Level};
use crate::model::gpu::{Basis, Confidence, Gpu, JudgedBy, Sourced};
use crate::model::measurement::{Assessment, Unassessed};
use crate::model::placement::{Assumptions, Placement, Resource, Term};
use crate::model::plausibility::Doubt;
use crate::model::session::{NotPlaced, Workload};
use crate::model::units;
use serde_json::json;

/// A workload on a GPU; kept with the reason where it cannot be placed.
pub(super) struct Row<'a> {
    pub workload: &'a Workload,
    pub gpu: &'a Gpu,
    judged_by: JudgedBy,
    /// What is odd about the numbers of the GPU.
    doubts: &'a [Doubt],
    cost: Option<Cost>,
    placed: Result<Placement, NotPlaced>,
    assessed: Option<Result<Assessment, Unassessed>>,
}

impl<'a> Row<'a> {
    pub fn new(
        workload: &'a Workload,
        gpu: &'a Gpu,
        assumptions: Assumptions,
        doubts: &'a [Doubt],
    ) -> Self {
        Self {
            workload,
            gpu,
            judged_by: assumptions.judged_by,
            doubts,
            cost: workload.kind.family().cost().ok(),
            placed: workload.place_on(gpu, assumptions),
            assessed: workload.assess_on(gpu, assumptions),
        }
    }

    pub fn placement(&self) -> Option<&Placement> {
        self.placed.as_ref().ok()
    }

    pub fn assessment(&self) -> Option<&Assessment> {
        self.assessed.as_ref()?.as_ref().ok()
    }

    pub fn work(&self) -> Option<f64> {
        Some(self.cost.as_ref()?.total_work().get())
    }

    pub fn level(&self) -> Level {
        self.placement().map_or(Level::Dram, |placed| placed.level)
    }

    pub fn traffic(&self) -> Option<f64> {
        Some(self.cost.as_ref()?.traffic_at(self.level()).get())
    }

    pub fn intensity(&self) -> Option<f64> {
        Some(self.cost.as_ref()?.intensity_at(self.level())?.get())
    }

    /// The measured time, also where the measurement cannot be judged.
    pub fn measured(&self) -> Option<f64> {
        let measurement = self.workload.measurement_on(self.gpu.id)?;
        Some(measurement.time().ok()?.get())
    }

    pub fn regime(&self) -> Cell {
        let Some(placed) = self.placement() else {
            return Cell::Unknown;
        };
        let name = placed.regime().name();
        let ridge = if placed.at_the_ridge() {
            ", at the ridge"
        } else {
            ""
        };
        Cell::Both {
            data: name.into(),
            text: format!("{name}{ridge}"),
        }
    }

    /// How far the limiting roof's figure can be trusted; `None` where nobody said, or it was typed here.
    pub fn confidence(&self) -> Option<Confidence> {
        fn published<Q>(figure: &Sourced<Q>) -> Option<Confidence> {
            figure.confidence.filter(|_| figure.basis != Basis::Own)
        }
        let by = self.judged_by;
        match self.placement()?.limiter().resource {
            Resource::Compute(path) => published(self.gpu.compute_roof(path)?.judged(by)),
            Resource::Memory(level) => published(self.gpu.memory_roof(level)?.judged(by)),
            Resource::Launch => None,
        }
    }

    pub fn verdict(&self) -> Cell {
        let Some(assessment) = self.assessment() else {
            return Cell::Unknown;
        };
        let name = assessment.verdict.name();
        let limits = assessment.verdict.limits(assessment.basis);
        Cell::Both {
            data: name.into(),
            text: format!("{name} ({limits})"),
        }
    }

    pub fn terms(&self) -> Cell {
        let terms = self.placement().map_or(&[][..], |placed| &placed.terms);
        Cell::Both {
            data: terms.iter().map(term).collect(),
            text: terms
                .iter()
                .map(|term| {
                    let name = term.resource.name();
                    format!("{name}: {} = {}", term.quotient(), term.time)
                })
                .collect::<Vec<_>>()
                .join("; "),
        }
    }

    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = match &self.placed {
            Ok(placed) => placed.warnings.clone(),
            Err(reason) => vec![format!("not placed: {reason}")],
        };
        if let Some(placed) = self.placement() {
            let doubts = self.doubts.iter();
            let doubts = doubts.filter(|doubt| doubt.about.concerns(placed));
            warnings.extend(doubts.map(|doubt| format!("judged by a doubtful roof: {doubt}")));
        }
        let placed = self.placed.as_ref();
        if let Ok(efficiency) = placed.map(|placed| placed.efficiency)
            && efficiency < 1.0
        {
            let share = units::percent(efficiency);
            warnings.push(format!(
                "the time assumes that {share} of the roof is reached"
            ));
        }
        if let Some(measurement) = self.workload.measurement_on(self.gpu.id)
            && measurement.of != self.workload.kind
        {
            warnings.push("measured with other parameters than the workload has now".to_owned());
        }
        match &self.assessed {
            Some(Err(reason)) => warnings.push(format!("the measurement is not judged: {reason}")),
            Some(Ok(assessment)) => {
                let causes = assessment.verdict.causes();
                if !causes.is_empty() {
                    let causes = causes.join("; or ");
                    warnings.push(format!("measured above the roof, likely because {causes}"));
                }
            }
            None => {}
        }
        warnings
    }

    pub fn leaves_out(&self) -> Vec<String> {
        let left_out = self.workload.kind.family().leaves_out();
        left_out.into_iter().map(Into::into).collect()
    }
}

fn term(term: &Term) -> serde_json::Value {
    let kind = match term.resource {
        Resource::Compute(_) => "compute",
        Resource::Memory(level) if level.is_link() => "link",
        Resource::Memory(_) => "memory",
        Resource::Launch => "launch",
    };
    json!({
        "resource": term.resource.name(),
        "kind": kind,
        "demand": term.demand,
        "demand_unit": term.demand_unit(),
        "rate": term.rate,
        "rate_unit": format!("{}/s", term.demand_unit()),
        "basis": term.basis.name(),
        "time_s": term.time.get(),
    })
}
