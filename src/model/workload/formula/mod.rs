//! A formula of your own: named parameters, and expressions for the work and the traffic of each memory level.
mod edit;
mod file;
mod text;

pub use edit::OwnError;
pub use text::Part;

use super::raw::{default_format, default_unit};
use super::{Alternative, CostError, Family, Kind, Parameter, TextError};
use crate::model::cost::{ComputeUnit, Cost, Path};
use crate::model::format::NumberFormat;
use crate::model::placement::Regime;
use crate::model::quantity::{Bytes, Flops, Ratio};
use crate::model::units::{self, Unit};
use std::borrow::Cow;
use std::sync::Arc;
use text::{ExpressionSlot, Target, Text};

/// Work and traffic as the user's own formulas give them.
#[derive(Debug, Clone, PartialEq)]
pub struct Formula {
    parameters: Vec<OwnParameter>,
    work: Text,
    traffic: Text,
    /// Traffic at LLC, L2 and L1, where it is given.
    caches: [Option<Text>; 3],
    format: NumberFormat,
    unit: ComputeUnit,
    /// The parameter that dragging solves for.
    drag: Option<String>,
}

/// A parameter that the user has named.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnParameter {
    name: String,
    value: Ratio,
}

impl OwnParameter {
    /// The name that formulas use.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number it stands for.
    pub fn value(&self) -> Ratio {
        self.value
    }
}

impl Default for Formula {
    /// A product of two matrices, each moved once.
    fn default() -> Self {
        let side = Ratio::constant(4096.0);
        let numbers = [
            ("M", side),
            ("N", side),
            ("K", side),
            ("bytes", Ratio::constant(2.0)),
        ];
        let formula = Self::new(&numbers, "2*M*N*K", "(M*K + K*N + M*N)*bytes");
        formula.expect("the example has names and formulas that are known to be right")
    }
}

impl Formula {
    /// A formula of these parameters, with work and DRAM traffic.
    pub fn new(
        parameters: &[(&str, Ratio)],
        work: &str,
        traffic: &str,
    ) -> Result<Self, FormulaError> {
        let mut own = Vec::new();
        for (name, value) in parameters {
            edit::add(&mut own, name, *value)?;
        }
        let names: Vec<&str> = own.iter().map(OwnParameter::name).collect();
        let read = |text| Text::read(text, &names).map_err(FormulaError::Text);
        let (work, traffic) = (read(work)?, read(traffic)?);
        Ok(Self {
            parameters: own,
            work,
            traffic,
            caches: [None, None, None],
            format: default_format(),
            unit: default_unit(),
            drag: None,
        })
    }

    /// The user's own parameters, in their order.
    pub fn own_parameters(&self) -> &[OwnParameter] {
        &self.parameters
    }

    fn names(&self) -> Vec<&str> {
        self.parameters.iter().map(OwnParameter::name).collect()
    }

    fn values(&self) -> Vec<f64> {
        self.parameters.iter().map(|own| own.value.get()).collect()
    }

    /// The formula of a part, if it is given.
    fn text(&self, part: Part) -> Option<&Text> {
        match part {
            Part::Work => Some(&self.work),
            Part::Dram => Some(&self.traffic),
            Part::Llc => self.caches[0].as_ref(),
            Part::L2 => self.caches[1].as_ref(),
            Part::L1 => self.caches[2].as_ref(),
        }
    }

    /// Each part that is given, with its formula.
    fn given(&self) -> impl Iterator<Item = (Part, &Text)> {
        let parts = Part::ALL.into_iter();
        parts.filter_map(|part| Some((part, self.text(part)?)))
    }

    /// The parts in which a parameter occurs.
    pub fn uses_of(&self, name: &str) -> Vec<Part> {
        let using = self.given().filter(|(_, text)| text.uses(name));
        using.map(|(part, _)| part).collect()
    }

    /// The same with its arithmetic on another path.
    pub fn on_path(&self, path: Path) -> Self {
        Self {
            format: path.format,
            unit: path.unit,
            ..self.clone()
        }
    }

    /// The same with half of what one formula gives, written as `(…)/2`.
    fn with_half(&self, part: Part) -> Option<Self> {
        let text = format!("({})/2", self.text(part)?.as_written());
        let mut halved = self.clone();
        halved.set_text(part, &text).ok()?;
        Some(halved)
    }

    fn path(&self) -> Path {
        Path {
            format: self.format,
            unit: self.unit,
            accumulator: None,
            sparse: false,
        }
    }
}

/// Why parameters and texts are no formula.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FormulaError {
    #[error(transparent)]
    Own(#[from] OwnError),
    #[error("{}", .0.message)]
    Text(TextError),
}

/// What every own parameter means.
const OWN: &str = "Your own parameter; formulas use it by this name";

impl Family for Formula {
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let values: Arc<[f64]> = self.values().into();
        let mut names = Vec::new();
        let mut parameters = Vec::new();
        for OwnParameter { name, value } in &mut self.parameters {
            let name: &str = name;
            names.push(name);
            parameters.push(Parameter::number(name, name, OWN, value));
        }
        let names: Arc<[&str]> = names.into();
        let [llc, l2, l1] = &mut self.caches;
        let texts = [
            (Part::Work, Target::Required(&mut self.work)),
            (Part::Dram, Target::Required(&mut self.traffic)),
            (Part::Llc, Target::Optional(llc)),
            (Part::L2, Target::Optional(l2)),
            (Part::L1, Target::Optional(l1)),
        ];
        for (part, target) in texts {
            let (names, values) = (names.clone(), values.clone());
            let slot = ExpressionSlot::new(names, values, target);
            parameters.push(Parameter::text(
                part.name(),
                part.label(),
                part.hint(),
                slot,
            ));
        }
        parameters.push(Parameter::format(
            "format",
            "Number format",
            "The format the work is done in",
            &mut self.format,
        ));
        let unit = "What executes the work";
        parameters.push(Parameter::unit("unit", "Unit", unit, &mut self.unit));
        parameters
    }

    fn cost(&self) -> Result<Cost, CostError> {
        let values = self.values();
        let value = |part: Part, text: &Text| {
            let value = text.value(&values);
            value.map_err(|error| part.no_quantity(error.to_string()))
        };
        let bytes = |part: Part, text: &Text| {
            let bytes = Bytes::try_from(value(part, text)?);
            bytes.map_err(|error| part.no_quantity(text::no_quantity(&error)))
        };
        let work = Flops::try_from(value(Part::Work, &self.work)?)
            .map_err(|error| Part::Work.no_quantity(text::no_quantity(&error)))?;
        let traffic = bytes(Part::Dram, &self.traffic)?;
        let mut cost = Cost::kernel(self.path(), work, traffic);
        for (part, text) in self.given() {
            if let Some(level) = part.cache() {
                cost = cost.with_traffic(level, bytes(part, text)?);
            }
        }
        Ok(cost)
    }

    fn formula(&self) -> Vec<String> {
        let values = self.values();
        let lines = self.given().map(|(part, text)| {
            let numbers = text.with_numbers(&values);
            let unit = match part {
                Part::Work => Unit::Flop,
                _ => Unit::Byte,
            };
            let result = text.value(&values);
            let result = result.map_or("no number".to_owned(), |v| units::short(v, unit));
            format!("{} = {numbers} = {result}", part.name())
        });
        lines.collect()
    }

    fn leaves_out(&self) -> Vec<Cow<'static, str>> {
        let unused = self
            .parameters
            .iter()
            .filter(|own| self.uses_of(&own.name).is_empty());
        let unused = unused.map(|own| format!("{} is not used", own.name).into());
        std::iter::once("what the formulas do not count".into())
            .chain(unused)
            .collect()
    }

    fn drag_parameter(&self) -> Option<&str> {
        self.drag.as_deref()
    }

    fn alternatives(&self) -> Vec<Alternative> {
        let halves = [
            (Part::Dram, Regime::MemoryBound, "Fuse: half the traffic"),
            (Part::Work, Regime::ComputeBound, "Half the work"),
        ];
        let halved = |(part, row, name): (Part, Regime, &str)| {
            let halved = Kind::Formula(self.with_half(part)?);
            Some((name.to_owned(), row, halved))
        };
        halves.into_iter().filter_map(halved).collect()
    }

    fn default_sweep(&self) -> (&str, Vec<f64>) {
        let dragged = |own: &&OwnParameter| Some(&own.name) == self.drag.as_ref();
        let own = self.parameters.iter().find(dragged);
        let Some(own) = own.or(self.parameters.first()) else {
            return ("", Vec::new());
        };
        // Around the present value; what is whole stays whole.
        let now = own.value.get();
        let from = if now >= 16.0 { now / 16.0 } else { now };
        let from = if from == 0.0 { 1.0 } else { from };
        let values = (0..6).map(|step| from * 4f64.powi(step));
        let whole = |value: f64| if now >= 16.0 { value.round() } else { value };
        (&own.name, values.map(whole).collect())
    }
}

#[cfg(test)]
mod tests;
