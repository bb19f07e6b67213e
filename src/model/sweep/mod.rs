//! A parameter over a range of values: a row each, and where the regime flips.
mod cell;
mod flips;
pub mod grid;
mod values;

pub use flips::{ComputeBound, Turn};
pub use values::ValuesError;

use super::gpu::Gpu;
use super::llm;
use super::placement::{Assumptions, Placement, Regime, place};
use super::session::{NotPlaced, Workload};
use super::units::{self, Unit};
use super::workload::{Items, Kind, ParameterError};

/// Which parameter goes over which values.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    pub parameter: String,
    pub values: Vec<f64>,
}

/// The most values a sweep can have.
pub const MOST_VALUES: usize = 10_000;

impl Sweep {
    /// The sweep a kind starts with.
    pub fn default_for(kind: &Kind) -> Self {
        let (parameter, values) = kind.family().default_sweep();
        Self {
            parameter: parameter.to_owned(),
            values,
        }
    }
}

/// One value of a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub value: f64,
    pub outcome: Result<RowOutcome, String>,
}

/// What a value leads to.
#[derive(Debug, Clone, PartialEq)]
pub struct RowOutcome {
    pub placement: Placement,
    pub items: Items,
    /// Whether the GPU's memory holds it; `None` where that is not known.
    pub fits: Option<bool>,
    /// Whether it is beyond what the model was made for.
    pub is_beyond: bool,
}

impl RowOutcome {
    /// What a workload leads to as it is.
    pub fn of(workload: &Workload, gpu: &Gpu, assumptions: Assumptions) -> Result<Self, NotPlaced> {
        outcome(workload.kind.clone(), workload, gpu, assumptions)
    }

    /// Items per second, of all users together.
    pub fn items_per_second(&self) -> Option<f64> {
        let time = self.placement.time().get();
        (time > 0.0).then(|| self.items.per_execution / time)
    }

    /// Items per second that each user sees.
    pub fn items_per_second_per_user(&self) -> Option<f64> {
        Some(self.items_per_second()? / self.items.users)
    }
}

/// A sweep, computed.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepResult {
    pub parameter: String,
    pub unit: Unit,
    pub rows: Vec<Row>,
    /// The first real value, from the first of the list upward, at which the regime flips.
    pub crossover: Option<f64>,
    /// The first whole value of the new regime.
    pub first_whole: Option<f64>,
    /// What the crossover itself leads to.
    pub at_crossover: Option<RowOutcome>,
    /// Where single operators go over to another regime, by value; looked for up to a hundred times the largest value.
    pub turns: Vec<Turn>,
}

impl SweepResult {
    /// From which value on an operator has turned: of counts the first whole one.
    pub fn turn_value(&self, turn: &Turn) -> String {
        match self.unit {
            Unit::One => units::number(turn.value.ceil()),
            unit => units::short(turn.value, unit),
        }
    }

    /// Where operators turn, in a sentence without its end: by the regime they turn to, the first to turn first.
    pub fn turns_text(&self) -> Option<String> {
        let mut groups: Vec<(Regime, Vec<String>)> = Vec::new();
        for turn in &self.turns {
            let text = format!("{} {}", turn.operator, self.turn_value(turn));
            match groups.iter_mut().find(|(regime, _)| *regime == turn.regime) {
                Some((_, texts)) => texts.push(text),
                None => groups.push((turn.regime, vec![text])),
            }
        }
        let group = |(regime, texts): &(Regime, Vec<String>)| {
            format!("{} from {}", regime.name(), texts.join(", "))
        };
        let groups: Vec<_> = groups.iter().map(group).collect();
        let parameter = self.parameter.replace('_', " ");
        let text = format!("Operators by {parameter}: {}", groups.join("; "));
        (!groups.is_empty()).then_some(text)
    }
}

/// Places `workload` on `gpu` for every value of the sweep.
pub fn run(
    sweep: &Sweep,
    workload: &Workload,
    gpu: &Gpu,
    assumptions: Assumptions,
) -> Result<SweepResult, ParameterError> {
    let unit = parameter_unit(&workload.kind, &sweep.parameter)?;
    let rows = rows(sweep, workload, gpu, assumptions);
    let at = At {
        parameter: &sweep.parameter,
        workload,
        gpu,
        assumptions,
    };
    let flips = flips::flips(&sweep.values, &at);
    let crossover = flips.whole;
    let first_whole = crossover.map(|value| {
        let whole = value.ceil();
        // Exactly on the flip the old regime may still hold.
        if at.regime(whole) == at.regime(value * (1.0 + 1e-9)) {
            whole
        } else {
            whole + 1.0
        }
    });
    Ok(SweepResult {
        parameter: sweep.parameter.clone(),
        unit,
        rows,
        at_crossover: crossover.and_then(|value| at.outcome(value)),
        crossover,
        first_whole,
        turns: flips.turns,
    })
}

/// From which value of a count on a workload is compute-bound on a GPU.
pub fn compute_bound_from(
    parameter: &str,
    workload: &Workload,
    gpu: &Gpu,
    assumptions: Assumptions,
) -> ComputeBound {
    ComputeBound::of(&At {
        parameter,
        workload,
        gpu,
        assumptions,
    })
}

/// The rows alone, without looking for flips.
pub fn rows(sweep: &Sweep, workload: &Workload, gpu: &Gpu, assumptions: Assumptions) -> Vec<Row> {
    let rows = sweep.values.iter().map(|value| Row {
        value: *value,
        outcome: row(sweep, workload, gpu, assumptions, *value),
    });
    rows.collect()
}

/// A workload at any real value of a parameter.
struct At<'a> {
    parameter: &'a str,
    workload: &'a Workload,
    gpu: &'a Gpu,
    assumptions: Assumptions,
}

impl At<'_> {
    fn outcome(&self, value: f64) -> Option<RowOutcome> {
        let kind = self
            .workload
            .kind
            .with_unrounded(self.parameter, value)
            .ok()?;
        outcome(kind, self.workload, self.gpu, self.assumptions).ok()
    }

    fn place(&self, value: f64) -> Option<Placement> {
        Some(self.outcome(value)?.placement)
    }

    fn regime(&self, value: f64) -> Option<Regime> {
        Some(self.place(value)?.regime())
    }

    /// The regime of one operator, without placing the others.
    fn operator_regime(&self, index: usize, value: f64) -> Option<Regime> {
        let kind = self
            .workload
            .kind
            .with_unrounded(self.parameter, value)
            .ok()?;
        let operators = kind.family().operators().ok()?;
        let efficiency = self
            .workload
            .assumed_efficiency(self.gpu.id, self.assumptions);
        let cost = &operators.get(index)?.cost;
        let placed = place(cost, self.gpu, self.assumptions, efficiency);
        Some(placed.ok()?.regime())
    }
}

/// The unit of a kind's numeric parameter.
pub fn parameter_unit(kind: &Kind, name: &str) -> Result<Unit, ParameterError> {
    let mut copy = kind.clone();
    let unit = copy
        .family_mut()
        .parameters()
        .into_iter()
        .find(|parameter| parameter.name == name)
        .and_then(|parameter| match parameter.slot {
            super::workload::Slot::Number(slot) => Some(slot.unit()),
            _ => None,
        });
    unit.ok_or_else(|| ParameterError::Unknown {
        name: name.to_owned(),
        kind: kind.title(),
        known: kind.known_parameters(),
    })
}

fn row(
    sweep: &Sweep,
    workload: &Workload,
    gpu: &Gpu,
    assumptions: Assumptions,
    value: f64,
) -> Result<RowOutcome, String> {
    let kind = workload.kind.with(&sweep.parameter, value);
    let kind = kind.map_err(|error| error.to_string())?;
    outcome(kind, workload, gpu, assumptions).map_err(|error| error.to_string())
}

/// What a workload leads to as another kind.
fn outcome(
    kind: Kind,
    workload: &Workload,
    gpu: &Gpu,
    assumptions: Assumptions,
) -> Result<RowOutcome, NotPlaced> {
    let (items, fits) = (kind.family().items(), fits(&kind, gpu));
    let is_beyond = !kind.family().doubts().is_empty();
    let at_value = Workload {
        kind,
        ..workload.clone()
    };
    Ok(RowOutcome {
        placement: at_value.place_on(gpu, assumptions)?,
        items,
        fits,
        is_beyond,
    })
}

/// Whether a GPU's memory holds what is run; `None` where either does not say how much that is.
fn fits(kind: &Kind, gpu: &Gpu) -> Option<bool> {
    match kind {
        Kind::LanguageModel(serving) => Some(llm::fits(serving, gpu.capacity?)),
        _ => None,
    }
}

/// The parameter's value for reading, in its unit.
pub fn value_text(value: f64, unit: Unit) -> String {
    match unit {
        Unit::One => units::count(value),
        // Four digits are not enough for a number that may be whole, and enough for one that has many.
        Unit::Ratio => match units::exact(value, unit) {
            exact if exact.len() <= 9 => exact,
            _ => units::short(value, unit),
        },
        unit => units::short(value, unit),
    }
}
