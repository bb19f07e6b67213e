//! N-body: every body pulls at every other, all pairs.
use super::common::{bytes, flops, fp32, is_default};
use super::{CostError, Family, Items, Parameter, choices};
use crate::model::cost::{Cost, Level, Path};
use crate::model::format::NumberFormat;
use crate::model::quantity::Count;
use crate::model::units;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What a body is and what comes out: place and mass, acceleration and potential.
const NUMBERS: f64 = 4.0;

/// One evaluation of all forces.
///
/// 20 FLOP for each pair, the reciprocal square root as some of them (GPU Gems 3, chapter 31), or 17 and a square
/// root apart (as XLA counts). Bodies move once at DRAM; with tiles of p bodies, N²/p of them at L2.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NBody {
    pub bodies: Count,
    #[serde(default, skip_serializing_if = "is_default")]
    pub roots: Roots,
    /// Bodies that a thread block loads at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tile: Option<Count>,
    #[serde(default = "fp32")]
    pub format: NumberFormat,
}

/// How the reciprocal square root of a pair is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Roots {
    /// In the 20 FLOP of a pair.
    #[default]
    AsFlop,
    /// Work of the special-function unit, a term of its own.
    Apart,
}

choices! { Roots { AsFlop => "in 20 FLOP a pair", Apart => "apart, 17 FLOP a pair" } }

impl Default for NBody {
    fn default() -> Self {
        Self {
            bodies: Count::constant(65536.0),
            roots: Roots::AsFlop,
            tile: None,
            format: fp32(),
        }
    }
}

impl NBody {
    fn flop_per_pair(&self) -> f64 {
        match self.roots {
            Roots::AsFlop => 20.0,
            Roots::Apart => 17.0,
        }
    }
}

impl Family for NBody {
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            Parameter::number(
                "bodies",
                "Bodies",
                "All pairs of them are computed",
                &mut self.bodies,
            ),
            Parameter::choice(
                "roots",
                "Square roots",
                "20 FLOP a pair with the root as some of them, or the root as special-function work",
                &mut self.roots,
            ),
            Parameter::number(
                "tile",
                "Tile",
                "Bodies a thread block loads at once; gives the traffic at L2",
                &mut self.tile,
            )
            .within(32.0, 1024.0),
            Parameter::format(
                "format",
                "Number format",
                "Of the bodies and of the arithmetic",
                &mut self.format,
            ),
        ]
    }

    fn cost(&self) -> Result<Cost, CostError> {
        let n = self.bodies.get();
        let body = NUMBERS * self.format.bytes();
        let work = flops(self.flop_per_pair() * n * n)?;
        let mut cost = Cost::kernel(Path::vector(self.format), work, bytes(2.0 * n * body)?);
        if self.roots == Roots::Apart {
            cost = cost.with_work(Path::SPECIAL, flops(n * n)?);
        }
        if let Some(tile) = self.tile {
            let loaded = n * (n / tile.get()).ceil() + n;
            cost = cost.with_traffic(Level::L2, bytes(loaded * body)?);
        }
        Ok(cost)
    }

    fn formula(&self) -> Vec<String> {
        let Ok(cost) = self.cost() else {
            return vec![];
        };
        let n = self.bodies;
        let body = units::number(NUMBERS * self.format.bytes());
        let mut lines = vec![
            format!(
                "work = {} × {n}² = {}",
                self.flop_per_pair(),
                cost.total_work()
            ),
            format!(
                "traffic = 2 × {n} × {body} B = {}",
                cost.traffic_at(Level::Dram)
            ),
        ];
        if let Some(tile) = self.tile {
            let traffic = cost.traffic_at(Level::L2);
            lines.push(format!(
                "traffic at L2 = {n} × (⌈{n} ÷ {tile}⌉ + 1) × {body} B = {traffic}"
            ));
        }
        if self.roots == Roots::Apart {
            let roots = units::count(cost.special_work().get());
            lines.push(format!("square roots = {n}² = {roots}"));
        }
        lines
    }

    fn leaves_out(&self) -> Vec<Cow<'static, str>> {
        vec!["each pair is computed from both sides".into()]
    }

    fn items(&self) -> Items {
        Items {
            name: "pair",
            per_execution: self.bodies.get() * self.bodies.get(),
            users: 1.0,
        }
    }

    fn drag_parameter(&self) -> Option<&str> {
        Some("bodies")
    }

    fn default_sweep(&self) -> (&str, Vec<f64>) {
        (
            "bodies",
            [256.0, 1024.0, 4096.0, 16384.0, 65536.0, 262144.0].to_vec(),
        )
    }
}
