//! Changing a formula: its own parameters added, renamed and removed, and its texts.
use super::text::{self, Text};
use super::{Formula, OwnParameter, Part};
use crate::model::expression;
use crate::model::quantity::Ratio;
use crate::model::workload::{CostError, Family as _, TextError};

/// The most parameters a formula has.
pub const MOST: usize = 64;

/// The most letters a name has.
const LONGEST: usize = 40;

/// Why a parameter cannot be named, added or removed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OwnError {
    #[error("{0:?} cannot be a name: write a letter or _, then letters, digits or _")]
    NoName(String),
    #[error("a name has at most {LONGEST} letters: shorten it")]
    TooLong,
    #[error("{0} is a function: choose another name")]
    Function(String),
    #[error("{0} is the name of a field: choose another name")]
    Field(String),
    #[error("there is a parameter {0} already: choose another name")]
    Taken(String),
    #[error("a formula has at most {MOST} parameters: put some together")]
    TooMany,
    #[error("{name} is used in {places}: take it out there first")]
    Used { name: String, places: String },
    #[error("{name} is unknown: it must be one of the parameters")]
    Unknown { name: String },
    #[error("{place} cannot be written with it: {reason}")]
    Text { place: &'static str, reason: String },
}

/// The names that mean something else in files and on the command line.
fn is_field(name: &str) -> bool {
    let parts = Part::ALL.iter().map(|part| part.name());
    parts.chain(["format", "unit"]).any(|field| field == name)
}

/// Adds a parameter to a list, if its name can be one.
pub(super) fn add(own: &mut Vec<OwnParameter>, name: &str, value: Ratio) -> Result<(), OwnError> {
    if own.len() >= MOST {
        return Err(OwnError::TooMany);
    }
    let name = free_name(own, None, name)?;
    own.push(OwnParameter { name, value });
    Ok(())
}

/// The name, if the parameter at `index` (or a new one) can have it.
fn free_name(own: &[OwnParameter], index: Option<usize>, name: &str) -> Result<String, OwnError> {
    let name = name.trim();
    if name.len() > LONGEST {
        return Err(OwnError::TooLong);
    }
    let name = name.to_owned();
    if !expression::is_name(&name) {
        return Err(OwnError::NoName(name));
    }
    if expression::functions().any(|function| function == name) {
        return Err(OwnError::Function(name));
    }
    if is_field(&name) {
        return Err(OwnError::Field(name));
    }
    let mut others = own.iter().enumerate().filter(|(i, _)| Some(*i) != index);
    if others.any(|(_, own)| own.name == name) {
        return Err(OwnError::Taken(name));
    }
    Ok(name)
}

impl Formula {
    /// Adds a parameter that is 1 under a name nobody has: `x`, `x2`, …
    pub fn add_parameter(&mut self) -> Result<(), OwnError> {
        let taken = |name: &str| self.parameters.iter().any(|own| own.name == name);
        let more = (2..).map(|number| format!("x{number}"));
        let mut names = std::iter::once("x".to_owned()).chain(more);
        let name = names.find(|name| !taken(name)).unwrap_or_default();
        add(&mut self.parameters, &name, Ratio::constant(1.0))
    }

    /// The same with another number for the parameter at `index`; refused where a formula gives no amount for it.
    pub fn with_value(&self, index: usize, value: Ratio) -> Result<Self, CostError> {
        let mut changed = self.clone();
        if let Some(own) = changed.parameters.get_mut(index) {
            own.value = value;
        }
        changed.cost()?;
        Ok(changed)
    }

    /// Renames the parameter at `index`, in the formulas too.
    pub fn rename_parameter(&mut self, index: usize, name: &str) -> Result<(), OwnError> {
        let new = free_name(&self.parameters, Some(index), name)?;
        let Some(own) = self.parameters.get(index) else {
            return Ok(());
        };
        let old = own.name.clone();
        let mut renamed = self.clone();
        renamed.parameters[index].name.clone_from(&new);
        renamed.read_again(|text| text.renamed(&old, &new))?;
        if renamed.drag.as_ref() == Some(&old) {
            renamed.drag = Some(new);
        }
        *self = renamed;
        Ok(())
    }

    /// Removes the parameter at `index`, unless a formula uses it.
    pub fn remove_parameter(&mut self, index: usize) -> Result<(), OwnError> {
        let Some(own) = self.parameters.get(index) else {
            return Ok(());
        };
        let name = own.name.clone();
        let places: Vec<_> = self
            .uses_of(&name)
            .into_iter()
            .map(|part| part.in_sentence())
            .collect();
        if !places.is_empty() {
            let places = places.join(" and ");
            return Err(OwnError::Used { name, places });
        }
        let mut without = self.clone();
        without.parameters.remove(index);
        // The names behind it have other places now.
        without.read_again(|text| text.as_written().to_owned())?;
        without.drag = without.drag.filter(|dragged| *dragged != name);
        *self = without;
        Ok(())
    }

    /// Chooses the parameter that dragging solves for.
    pub fn set_drag(&mut self, name: Option<&str>) -> Result<(), OwnError> {
        if let Some(name) = name
            && !self.names().contains(&name)
        {
            let name = name.to_owned();
            return Err(OwnError::Unknown { name });
        }
        self.drag = name.map(str::to_owned);
        Ok(())
    }

    /// Replaces the formula of a part by one that gives an amount.
    pub(super) fn set_text(&mut self, part: Part, text: &str) -> Result<(), TextError> {
        let read = text::checked(text, &self.names(), &self.values())?;
        self.put(part, read);
        Ok(())
    }

    pub(super) fn put(&mut self, part: Part, text: Text) {
        match part {
            Part::Work => self.work = text,
            Part::Dram => self.traffic = text,
            Part::Llc => self.caches[0] = Some(text),
            Part::L2 => self.caches[1] = Some(text),
            Part::L1 => self.caches[2] = Some(text),
        }
    }

    /// Reads each formula again, from what `written` makes of it, with the names of now.
    fn read_again(&mut self, written: impl Fn(&Text) -> String) -> Result<(), OwnError> {
        for part in Part::ALL {
            let Some(text) = self.text(part) else {
                continue;
            };
            let read = Text::read(&written(text), &self.names());
            let read = read.map_err(|error| OwnError::Text {
                place: part.label(),
                reason: error.message,
            })?;
            self.put(part, read);
        }
        Ok(())
    }
}
