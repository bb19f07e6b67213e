//! Intensity: a point at an arithmetic intensity, with its work.
use super::raw::{default_format, default_unit};
use super::{Family, Parameter, Slot};
use crate::model::cost::{ComputeUnit, Cost, Path};
use crate::model::format::NumberFormat;
use crate::model::quantity::{Bytes, Flops, Intensity, OutOfRange};
use serde::{Deserialize, Serialize};

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
            Parameter {
                name: "intensity",
                label: "Intensity",
                hint: "Work ÷ DRAM traffic",
                slot: Slot::Number(&mut self.intensity),
            },
            Parameter {
                name: "work",
                label: "Work",
                hint: "Operations of one execution; a fused multiply-add is two",
                slot: Slot::Number(&mut self.work),
            },
            Parameter {
                name: "format",
                label: "Number format",
                hint: "The format the work is done in",
                slot: Slot::Format(&mut self.format),
            },
            Parameter {
                name: "unit",
                label: "Unit",
                hint: "What executes the work",
                slot: Slot::Unit(&mut self.unit),
            },
        ]
    }

    fn cost(&self) -> Result<Cost, OutOfRange> {
        if self.intensity.get() == 0.0 {
            return Err(OutOfRange::Zero);
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

    fn leaves_out(&self) -> Vec<&'static str> {
        vec![]
    }

    fn drag_parameter(&self) -> Option<&'static str> {
        Some("intensity")
    }

    fn default_sweep(&self) -> (&'static str, Vec<f64>) {
        (
            "intensity",
            (-1..=4).map(|decade| 10f64.powi(decade)).collect(),
        )
    }
}
