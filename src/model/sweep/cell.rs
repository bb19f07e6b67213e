//! What a grid keeps of each pair of values, and what of it a heat map can show.
use super::RowOutcome;
use crate::model::placement::{Placement, Regime};
use crate::model::quantity::{Intensity, Seconds};
use crate::model::workload::Items;

/// What of a grid is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shown {
    #[default]
    Time,
    ItemsPerSecond,
    PerUser,
    Regime,
    /// How many times as fast as on another GPU.
    Ratio,
}

impl Shown {
    /// Everything that can be shown.
    pub const ALL: [Self; 5] = [
        Self::Time,
        Self::ItemsPerSecond,
        Self::PerUser,
        Self::Regime,
        Self::Ratio,
    ];

    /// The word in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::ItemsPerSecond => "items_per_s",
            Self::PerUser => "per_user",
            Self::Regime => "regime",
            Self::Ratio => "ratio",
        }
    }

    /// The choice of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|shown| shown.name() == name)
    }
}

/// One pair of values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    pub time: Seconds,
    pub intensity: Option<Intensity>,
    pub regime: Regime,
    pub items: Items,
    /// Time on the other GPU ÷ time here; `None` where none was named or it cannot run there.
    pub ratio: Option<f64>,
    /// Whether the memory holds it; `None` where that is not known.
    pub fits: Option<bool>,
}

impl Cell {
    pub(super) fn of(placement: &Placement, items: Items) -> Self {
        Self {
            time: placement.time(),
            intensity: placement.intensity(),
            regime: placement.regime(),
            items,
            ratio: None,
            fits: None,
        }
    }

    /// What a one-parameter sweep says of the same.
    pub fn of_row(outcome: &RowOutcome) -> Self {
        Self {
            fits: outcome.fits,
            ..Self::of(&outcome.placement, outcome.items)
        }
    }

    /// Items per second, of all users together.
    pub fn items_per_second(&self) -> Option<f64> {
        let time = self.time.get();
        (time > 0.0).then(|| self.items.per_execution / time)
    }

    /// Items per second that each user sees.
    pub fn items_per_second_per_user(&self) -> Option<f64> {
        Some(self.items_per_second()? / self.items.users)
    }

    /// What is shown, where it is a number.
    pub fn number(&self, shown: Shown) -> Option<f64> {
        match shown {
            Shown::Time => Some(self.time.get()),
            Shown::ItemsPerSecond => self.items_per_second(),
            Shown::PerUser => self.items_per_second_per_user(),
            Shown::Regime => None,
            Shown::Ratio => self.ratio,
        }
    }
}
