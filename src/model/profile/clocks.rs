//! A GPU at the clock of a run: compute, L1 and L2 roofs follow it, the memory does not.
use super::Kernels;
use crate::model::cost::{ComputeUnit, Level};
use crate::model::gpu::Gpu;
use crate::model::quantity::{Hertz, Quantity};
use crate::model::sourced::Sourced;

/// The counter that tells a kernel's own clock: the cycles of the compute units while it ran, over its time.
pub const CYCLES: &str = "cycles of the compute clock";

impl Kernels {
    /// The clock a line's launches ran at, in Hz, their mean over time; `None` where it was not counted.
    pub fn clock(&self, line: usize) -> Option<f64> {
        self.clock_in(line, self.counters.column(CYCLES)?)
    }

    /// The same where the column of cycles was looked up.
    pub(super) fn clock_in(&self, line: usize, column: usize) -> Option<f64> {
        let cycles = self.counters.get(line, column)?;
        let line = &self.lines[line];
        let seconds = match self.per_second {
            true => line.count as f64,
            false => line.timing?.sum,
        };
        let clock = cycles / seconds;
        (clock.is_finite() && clock > 0.0).then_some(clock)
    }
}

/// The nominal clocks of a GPU, in Hz.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Nominal {
    clock: f64,
    /// Of the matrix units, where they have one of their own.
    matrix: Option<f64>,
}

impl Nominal {
    /// Those of `gpu`, where they are known.
    pub fn of(gpu: &Gpu) -> Option<Self> {
        let of = |clock: &Option<Sourced<Hertz>>| clock.as_ref().map(|clock| clock.value.get());
        Some(Self {
            clock: of(&gpu.parts.clock)?,
            matrix: of(&gpu.parts.matrix_clock),
        })
    }

    /// By how much roofs differ at a clock in Hz; `None` where that cannot be one.
    pub fn scale(self, clock: f64) -> Option<Scale> {
        let over = |nominal: f64| {
            let ratio = clock / nominal;
            // A clock a hundred times off is a wrong unit, and no reason to move a roof.
            (0.01..=100.0).contains(&ratio).then_some(ratio)
        };
        let of_vector = over(self.clock)?;
        Some(Scale {
            clock: of_vector,
            matrix: self.matrix.and_then(over).unwrap_or(of_vector),
        })
    }
}

/// By how much roofs differ at a clock from what they are at their nominal one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    /// Of vector units and caches.
    pub clock: f64,
    /// Of the matrix units, which may have a clock of their own.
    matrix: f64,
}

impl Scale {
    /// Roofs as they are.
    pub const NOMINAL: Self = Self {
        clock: 1.0,
        matrix: 1.0,
    };

    /// Of the rate of a unit.
    pub fn of_unit(self, unit: ComputeUnit) -> f64 {
        match unit {
            ComputeUnit::Matrix => self.matrix,
            _ => self.clock,
        }
    }

    /// Of the bandwidth of a level.
    pub fn of_level(self, level: Level) -> f64 {
        match level {
            Level::L1 | Level::L2 => self.clock,
            _ => 1.0,
        }
    }
}

/// `gpu` with its compute, L1 and L2 roofs scaled to a clock in Hz, and that clock ÷ the nominal one; `None` where that
/// is not known, or the same.
pub fn at_clock(gpu: &Gpu, clock: f64) -> Option<(Gpu, f64)> {
    let scale = Nominal::of(gpu)?.scale(clock)?;
    if scale == Scale::NOMINAL {
        return None;
    }
    let mut scaled = gpu.clone();
    for roof in &mut scaled.compute {
        let ratio = scale.of_unit(roof.path.unit);
        multiply(&mut roof.peak, ratio);
        roof.achievable.iter_mut().for_each(|a| multiply(a, ratio));
    }
    for roof in &mut scaled.memory {
        let ratio = scale.of_level(roof.level);
        multiply(&mut roof.bandwidth, ratio);
        roof.achievable.iter_mut().for_each(|a| multiply(a, ratio));
    }
    Some((scaled, scale.clock))
}

fn multiply<Q: Quantity>(number: &mut Sourced<Q>, ratio: f64) {
    if let Ok(value) = Q::try_from(number.value.get() * ratio) {
        number.value = value;
    }
}
