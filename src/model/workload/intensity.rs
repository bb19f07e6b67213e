//! Intensity: a point at an arithmetic intensity, with its work.
use super::raw::{default_format, default_unit};
use super::{CostError, Family, Parameter};
use crate::model::cost::{ComputeUnit, Cost, Path};
use crate::model::format::NumberFormat;
use crate::model::quantity::{Bytes, Flops, Intensity, OutOfRange};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Work at an arithmetic intensity; the traffic follows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FixedIntensity {
    pub intensity: Intensity,
    pub work: Flops,
    #[serde(default = "default_format")]
    pub format: NumberFormat,
    #[serde(default = "default_unit")]
    pub unit: ComputeUnit,
}

impl Default for FixedIntensity {
    fn default() -> Self {
        Self {
            intensity: Intensity::ONE,
            work: Flops::constant(1e12),
            format: default_format(),
            unit: default_unit(),
        }
    }
}

impl Family for FixedIntensity {
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            Parameter::number(
                "intensity",
                "Intensity",
                "Work ÷ DRAM traffic",
                &mut self.intensity,
            ),
            Parameter::number(
                "work",
                "Work",
                "Operations of one execution; a fused multiply-add is two",
                &mut self.work,
            ),
            Parameter::format(
                "format",
                "Number format",
                "The format the work is done in",
                &mut self.format,
            ),
            Parameter::unit("unit", "Unit", "What executes the work", &mut self.unit),
        ]
    }

    fn cost(&self) -> Result<Cost, CostError> {
        if self.intensity.get() == 0.0 {
            return Err(OutOfRange::Zero.into());
        }
        let path = Path {
            format: self.format,
            unit: self.unit,
            accumulator: None,
            sparse: false,
        };
        let traffic = Bytes::try_from(self.work.get() / self.intensity.get())?;
        Ok(Cost::kernel(path, self.work, traffic))
    }

    fn formula(&self) -> Vec<String> {
        let traffic = self
            .cost()
            .map(|cost| cost.traffic_at(crate::model::cost::Level::Dram));
        let traffic = traffic.map(|t| t.to_string()).unwrap_or_default();
        vec![
            format!("work = {}", self.work),
            format!("traffic = {} ÷ {} = {traffic}", self.work, self.intensity),
        ]
    }

    fn leaves_out(&self) -> Vec<Cow<'static, str>> {
        vec![]
    }

    fn drag_parameter(&self) -> Option<&str> {
        Some("intensity")
    }

    fn default_sweep(&self) -> (&str, Vec<f64>) {
        (
            "intensity",
            (-1..=4).map(|decade| 10f64.powi(decade)).collect(),
        )
    }
}
