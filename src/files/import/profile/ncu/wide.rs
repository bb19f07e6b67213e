//! The wide table of Nsight Compute, `--page raw`: a row per launch, a column per metric, units in the first row.
use super::collect::{Collector, Effect};
use super::long::{Trouble, refused};
use super::metrics;
use super::table::Header;
use crate::files::import::profile::fields;

/// Reads rows once the units are known.
pub struct Wide {
    header: Header,
    /// What the columns of use do.
    effects: Option<Vec<(usize, Effect)>>,
}

impl Wide {
    pub fn new(header: Header) -> Self {
        Self {
            header,
            effects: None,
        }
    }

    /// Takes a row.
    pub fn row(&mut self, row: &[u8], collector: &mut Collector) -> Result<(), Trouble> {
        let mut slices = Vec::new();
        if !fields::split(row, self.header.separator, &mut slices) {
            return Err(Trouble::Stop(format!(
                "it has more than {} columns",
                fields::MOST_COLUMNS
            )));
        }
        let is_units = slices
            .get(self.header.id)
            .is_some_and(|id| fields::unquoted(id).is_empty());
        if self.effects.is_none() {
            self.effects = Some(self.effects_of(is_units.then_some(slices.as_slice()), collector));
        }
        if is_units {
            return Err(Trouble::Units);
        }
        if slices.len() != self.header.names.len() {
            let reason = format!(
                "it has {} fields instead of {}",
                slices.len(),
                self.header.names.len()
            );
            return Err(Trouble::Skip(reason));
        }
        let field = |at: Option<usize>| at.and_then(|at| fields::text(slices[at]));
        let Some(name) = field(Some(self.header.kernel)) else {
            return Err(Trouble::Stop(
                "the name of the kernel is not UTF-8 text: save or export the file as UTF-8"
                    .to_owned(),
            ));
        };
        let id = fields::unquoted(slices[self.header.id]);
        if !id.iter().all(u8::is_ascii_digit) {
            return Err(Trouble::Skip("it has no launch ID".to_owned()));
        }
        if name.is_empty() {
            return Err(Trouble::Skip("it has no kernel name".to_owned()));
        }
        let (block, grid) = (field(self.header.block), field(self.header.grid));
        collector.begin(
            &name,
            block.as_deref().unwrap_or(""),
            grid.as_deref().unwrap_or(""),
        );
        let mut trouble = Ok(());
        for (column, effect) in self.effects.iter().flatten() {
            let value = fields::unquoted(slices[*column]);
            match collector
                .take(*effect, &value)
                .map_err(|wrong| refused(wrong, &value, collector))
            {
                Err(Trouble::Skip(reason)) if trouble.is_ok() => {
                    let metric = &self.header.names[*column];
                    trouble = Err(Trouble::Skip(format!("{metric} is not used: {reason}")));
                }
                Err(stop @ Trouble::Stop(_)) => return Err(stop),
                _ => {}
            }
        }
        trouble
    }

    fn effects_of(
        &self,
        units: Option<&[&[u8]]>,
        collector: &mut Collector,
    ) -> Vec<(usize, Effect)> {
        let header = &self.header;
        let keys = [header.block, header.grid];
        let columns = header.names.iter().enumerate();
        let columns = columns.filter(|(at, _)| !keys.contains(&Some(*at)));
        let effects = columns.map(|(at, name)| {
            let unit = units.and_then(|units| fields::text(units.get(at)?));
            let unit = unit.unwrap_or_default();
            (at, collector.effect(metrics::meaning(name, &unit)))
        });
        effects
            .filter(|(_, effect)| *effect != Effect::Nothing)
            .collect()
    }
}
