//! Raw: work and traffic as the user knows them.
use super::{CostError, Family, Parameter};
use crate::model::cost::{ComputeUnit, Cost, Level, Path};
use crate::model::format::NumberFormat;
use crate::model::quantity::{Bytes, Flops};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Work and DRAM traffic of one execution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Raw {
    pub work: Flops,
    pub traffic: Bytes,
    /// Traffic at the caches, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traffic_llc: Option<Bytes>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traffic_l2: Option<Bytes>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traffic_l1: Option<Bytes>,
    #[serde(default = "default_format")]
    pub format: NumberFormat,
    #[serde(default = "default_unit")]
    pub unit: ComputeUnit,
}

pub(super) fn default_format() -> NumberFormat {
    NumberFormat::FP16
}

pub(super) fn default_unit() -> ComputeUnit {
    ComputeUnit::Matrix
}

impl Default for Raw {
    fn default() -> Self {
        Self {
            work: Flops::constant(1e12),
            traffic: Bytes::constant(10e9),
            traffic_llc: None,
            traffic_l2: None,
            traffic_l1: None,
            format: default_format(),
            unit: default_unit(),
        }
    }
}

fn cache<'a>(
    name: &'static str,
    label: &'static str,
    slot: &'a mut Option<Bytes>,
) -> Parameter<'a> {
    Parameter::number(
        name,
        label,
        "Bytes one execution moves through this level, where that is known",
        slot,
    )
}

impl Family for Raw {
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            Parameter::number(
                "work",
                "Work",
                "Operations of one execution; a fused multiply-add is two",
                &mut self.work,
            ),
            Parameter::number(
                "traffic",
                "Traffic",
                "Bytes one execution reads and writes at DRAM",
                &mut self.traffic,
            ),
            cache("traffic_llc", "Traffic at LLC", &mut self.traffic_llc),
            cache("traffic_l2", "Traffic at L2", &mut self.traffic_l2),
            cache("traffic_l1", "Traffic at L1", &mut self.traffic_l1),
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
        let path = Path {
            format: self.format,
            unit: self.unit,
            accumulator: None,
            sparse: false,
        };
        let mut cost = Cost::kernel(path, self.work, self.traffic);
        let caches = [
            (Level::Llc, self.traffic_llc),
            (Level::L2, self.traffic_l2),
            (Level::L1, self.traffic_l1),
        ];
        let known = caches
            .into_iter()
            .filter_map(|(level, traffic)| Some((level, traffic?)));
        cost.traffic.extend(known);
        Ok(cost)
    }

    fn formula(&self) -> Vec<String> {
        vec![
            format!("work = {}", self.work),
            format!("traffic = {}", self.traffic),
        ]
    }

    fn leaves_out(&self) -> Vec<Cow<'static, str>> {
        vec![]
    }

    fn default_sweep(&self) -> (&str, Vec<f64>) {
        let traffic = self.traffic.get().max(1.0);
        // Round numbers around the present one.
        let traffic = format!("{traffic:.1e}").parse().unwrap_or(traffic);
        (
            "traffic",
            (-3..=3).map(|step| traffic * 4f64.powi(step)).collect(),
        )
    }
}
