//! Why a number cannot be the quantity it was meant for.

/// A number that cannot be the quantity it was meant for.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum OutOfRange {
    #[error("{0} is not a finite number")]
    NotFinite(f64),
    #[error("{0} is negative")]
    Negative(f64),
    #[error("it must be more than zero")]
    Zero,
    #[error("{0:e} is beyond any plausible size")]
    TooLarge(f64),
    #[error("{0} is more than {1}, the most it can be")]
    AboveMost(f64, f64),
    #[error("{0:e} is too small to be told from zero")]
    TooSmall(f64),
    #[error("{0} is not a whole number")]
    NotWhole(f64),
    #[error("it cannot be left out")]
    Missing,
}
