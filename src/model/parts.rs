//! What a device is built of: compute units, clocks, the bus and caches, each with its source; roofs can be derived from them.
use super::cache_size::CacheSize;
use super::cost::Level;
use super::quantity::{Count, Hertz};
use super::sourced::Sourced;

/// Compute units, clocks, the bus and caches, as far as they are known.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Parts {
    /// What the vendor counts: SMs, CUs, Xe cores, TensorCores.
    pub units: Option<Sourced<Count>>,
    /// The clock that published peaks are usually of: the boost clock.
    pub clock: Option<Sourced<Hertz>>,
    /// The clock that reproduces the matrix peaks, where that is another one.
    pub matrix_clock: Option<Sourced<Hertz>>,
    /// How wide the memory's bus is, in bits.
    pub memory_bus: Option<Sourced<Count>>,
    /// The L1 cache or shared memory of one compute unit.
    pub l1: Option<Sourced<CacheSize>>,
    pub l2: Option<Sourced<CacheSize>>,
    pub llc: Option<Sourced<CacheSize>>,
}

impl Parts {
    /// The size of a cache of the whole device; an L1 is that of one unit times their number.
    pub fn cache_of_all(&self, level: Level) -> Option<f64> {
        match level {
            Level::L1 => {
                let units = self.units.as_ref()?.value.get();
                Some(self.l1.as_ref()?.value.get() * units)
            }
            Level::L2 => Some(self.l2.as_ref()?.value.get()),
            Level::Llc => Some(self.llc.as_ref()?.value.get()),
            _ => None,
        }
    }

    /// The size of a cache as it is quoted: `50 MiB`, `256 KiB per unit`.
    pub fn cache_text(&self, level: Level) -> Option<String> {
        match level {
            Level::L1 => Some(format!("{} per unit", self.l1.as_ref()?.value)),
            Level::L2 => Some(self.l2.as_ref()?.value.to_string()),
            Level::Llc => Some(self.llc.as_ref()?.value.to_string()),
            _ => None,
        }
    }

    /// Goes back to every published number.
    pub fn reset(&mut self) {
        let counts = [&mut self.units, &mut self.memory_bus];
        counts.into_iter().flatten().for_each(Sourced::reset);
        let clocks = [&mut self.clock, &mut self.matrix_clock];
        clocks.into_iter().flatten().for_each(Sourced::reset);
        let caches = [&mut self.l1, &mut self.l2, &mut self.llc];
        caches.into_iter().flatten().for_each(Sourced::reset);
    }

    /// Everything that is published of the device; what only this one has stays.
    pub(super) fn take_back(&mut self, published: &Self) {
        back(&mut self.units, &published.units);
        back(&mut self.clock, &published.clock);
        back(&mut self.matrix_clock, &published.matrix_clock);
        back(&mut self.memory_bus, &published.memory_bus);
        back(&mut self.l1, &published.l1);
        back(&mut self.l2, &published.l2);
        back(&mut self.llc, &published.llc);
    }
}

/// What is published, where something is.
fn back<Q: Clone>(number: &mut Option<Sourced<Q>>, published: &Option<Sourced<Q>>) {
    if published.is_some() {
        number.clone_from(published);
    }
}
