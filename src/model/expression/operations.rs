//! What a formula does to one number and to two.

/// What is done to one number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Unary {
    Negate,
    Ceil,
    Floor,
    Round,
    Sqrt,
    Log2,
    Ln,
    Log10,
    Exp,
    Abs,
}

/// What is done to two numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Min,
    Max,
}

impl Unary {
    pub(super) fn apply(self, x: f64) -> f64 {
        match self {
            Self::Negate => -x,
            Self::Ceil => x.ceil(),
            Self::Floor => x.floor(),
            Self::Round => x.round(),
            Self::Sqrt => x.sqrt(),
            Self::Log2 => x.log2(),
            Self::Ln => x.ln(),
            Self::Log10 => x.log10(),
            Self::Exp => x.exp(),
            Self::Abs => x.abs(),
        }
    }
}

impl Binary {
    pub(super) fn apply(self, x: f64, y: f64) -> f64 {
        match self {
            Self::Add => x + y,
            Self::Subtract => x - y,
            Self::Multiply => x * y,
            Self::Divide => x / y,
            Self::Power => x.powf(y),
            Self::Min => x.min(y),
            Self::Max => x.max(y),
        }
    }

    /// The sign between the two numbers, for messages; the two functions have a comma, and always give a number.
    pub(super) fn sign(self) -> char {
        match self {
            Self::Add => '+',
            Self::Subtract => '-',
            Self::Multiply => '*',
            Self::Divide => '/',
            Self::Power => '^',
            Self::Min | Self::Max => ',',
        }
    }
}
