//! A GPU at the clock of a run: compute, L1 and L2 roofs follow it, the memory does not.
use super::Clocks;
use crate::model::cost::{ComputeUnit, Level};
use crate::model::gpu::Gpu;
use crate::model::quantity::{Hertz, Quantity};
use crate::model::sourced::Sourced;

impl Clocks {
    /// The run's clock ÷ the one a roof is of, where both are known.
    fn ratio(self, nominal: Option<&Sourced<Hertz>>) -> Option<f64> {
        let ratio = self.compute? / nominal?.value.get();
        // A clock a hundred times off is a wrong unit, and no reason to move a roof.
        (0.01..=100.0).contains(&ratio).then_some(ratio)
    }

    /// The run's clock ÷ the nominal one of `gpu`, where both are known.
    pub fn of_nominal(self, gpu: &Gpu) -> Option<f64> {
        self.ratio(gpu.parts.clock.as_ref())
    }

    /// `gpu` with its compute, L1 and L2 roofs scaled to the clock of the run; `None` where a clock is not known or
    /// is the nominal one.
    pub fn applied_to(self, gpu: &Gpu) -> Option<Gpu> {
        let ratio = self.of_nominal(gpu)?;
        let of_matrix = self.ratio(gpu.parts.matrix_clock.as_ref()).unwrap_or(ratio);
        if ratio == 1.0 && of_matrix == 1.0 {
            return None;
        }
        let mut scaled = gpu.clone();
        for roof in &mut scaled.compute {
            let ratio = match roof.path.unit {
                ComputeUnit::Matrix => of_matrix,
                _ => ratio,
            };
            scale(&mut roof.peak, ratio);
            roof.achievable.iter_mut().for_each(|a| scale(a, ratio));
        }
        let caches = scaled.memory.iter_mut();
        for roof in caches.filter(|roof| matches!(roof.level, Level::L1 | Level::L2)) {
            scale(&mut roof.bandwidth, ratio);
            roof.achievable.iter_mut().for_each(|a| scale(a, ratio));
        }
        Some(scaled)
    }
}

fn scale<Q: Quantity>(number: &mut Sourced<Q>, ratio: f64) {
    if let Ok(value) = Q::try_from(number.value.get() * ratio) {
        number.value = value;
    }
}
