//! An operator where it is placed.
use super::Placement;
use std::borrow::Cow;

/// An operator of a workload on a GPU.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedOperator {
    pub name: Cow<'static, str>,
    /// How often it runs in one execution of the workload.
    pub count: f64,
    /// One run of it.
    pub placement: Placement,
}

impl PlacedOperator {
    /// What the roofs allow all its runs, in s.
    pub fn roof_time(&self) -> f64 {
        self.count * self.placement.roof_time.get()
    }

    /// The path of its work, as the device has it; `none` without work.
    pub fn path_name(&self) -> String {
        if self.placement.work.get() > 0.0 {
            self.placement.path.to_string()
        } else {
            "none".to_owned()
        }
    }

    /// The predicted time of all its runs, in s.
    pub fn time(&self) -> f64 {
        self.count * self.placement.time().get()
    }
}
