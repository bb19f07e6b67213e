//! Stencil: every point of a 3-D grid from its neighbours, 7 or 27 points, out of place.
use super::common::{Writes, bytes, flops, fp64, is_default, is_one, one};
use super::{Alternative, CostError, Family, Items, Kind, Parameter, choices};
use crate::model::cost::{Cost, Level, Path};
use crate::model::format::NumberFormat;
use crate::model::placement::Regime;
use crate::model::quantity::Count;
use crate::model::units;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// One or more time steps over a grid.
///
/// FLOP per point: 7 points 8 with two coefficients, 13 with seven; 27 points 30 with four by distance, 53 with 27
/// (Williams et al. 2009, XLA). A point is read once where the planes around it stay in cache, and written once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stencil {
    pub nx: Count,
    pub ny: Count,
    pub nz: Count,
    #[serde(default, skip_serializing_if = "is_default")]
    pub points: Points,
    #[serde(default, skip_serializing_if = "is_default")]
    pub coefficients: Coefficients,
    #[serde(default, skip_serializing_if = "is_default")]
    pub reuse: Reuse,
    #[serde(default, skip_serializing_if = "is_default")]
    pub writes: Writes,
    /// Time steps done while a block is on chip.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub steps: Count,
    #[serde(default = "fp64")]
    pub format: NumberFormat,
}

/// How many points a point is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Points {
    #[default]
    Seven,
    TwentySeven,
}

choices! { Points { Seven => "7", TwentySeven => "27" } }

impl Points {
    fn count(self) -> f64 {
        match self {
            Self::Seven => 7.0,
            Self::TwentySeven => 27.0,
        }
    }
}

/// What the points are multiplied with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Coefficients {
    /// One for all points at the same distance: two of 7 points, four of 27.
    #[default]
    ByDistance,
    /// One for each point, the same all over the grid.
    Each,
    /// One for each point of the stencil and of the grid, read from memory.
    Variable,
}

choices! {
    Coefficients {
        ByDistance => "by distance",
        Each => "one a point",
        Variable => "variable, from memory",
    }
}

/// What of the grid stays in cache until it is needed again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Reuse {
    /// Three planes: each point is read once.
    #[default]
    Planes,
    /// Rows, but not planes: a point is read for the plane above, its own and the one below.
    Rows,
    /// Nothing: every neighbour is read from memory.
    None,
}

choices! { Reuse { Planes => "three planes", Rows => "rows only", None => "nothing" } }

impl Default for Stencil {
    fn default() -> Self {
        let side = Count::constant(512.0);
        Self {
            nx: side,
            ny: side,
            nz: side,
            points: Points::Seven,
            coefficients: Coefficients::ByDistance,
            reuse: Reuse::Planes,
            writes: Writes::Plain,
            steps: Count::ONE,
            format: fp64(),
        }
    }
}

impl Stencil {
    fn flop_per_point(&self) -> f64 {
        match (self.points, self.coefficients) {
            (Points::Seven, Coefficients::ByDistance) => 8.0,
            (Points::TwentySeven, Coefficients::ByDistance) => 30.0,
            // A product for each point and the sums between them.
            (points, _) => 2.0 * points.count() - 1.0,
        }
    }

    /// Elements read and written for a point of the grid.
    fn moves(&self) -> (f64, f64) {
        let points = match self.reuse {
            Reuse::Planes => 1.0,
            Reuse::Rows => 3.0,
            Reuse::None => self.points.count(),
        };
        let coefficients = match self.coefficients {
            Coefficients::Variable => self.points.count(),
            Coefficients::ByDistance | Coefficients::Each => 0.0,
        };
        (points + coefficients, self.writes.factor())
    }

    fn grid(&self) -> f64 {
        self.nx.get() * self.ny.get() * self.nz.get()
    }
}

impl Family for Stencil {
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let size = "Points of the grid along this axis";
        vec![
            Parameter::number("nx", "Nx", size, &mut self.nx),
            Parameter::number("ny", "Ny", size, &mut self.ny),
            Parameter::number("nz", "Nz", size, &mut self.nz),
            Parameter::choice(
                "points",
                "Points",
                "7: the faces' neighbours; 27: all of the cube",
                &mut self.points,
            ),
            Parameter::choice(
                "coefficients",
                "Coefficients",
                "What the points are multiplied with",
                &mut self.coefficients,
            ),
            Parameter::choice(
                "reuse",
                "Stays in cache",
                "Three planes of Nx·Ny points must fit for each point to be read once",
                &mut self.reuse,
            ),
            Parameter::choice(
                "writes",
                "Result is",
                "Whether a cache reads lines before they are written, as on CPUs",
                &mut self.writes,
            ),
            Parameter::number(
                "steps",
                "Steps per pass",
                "Time steps done while a block is on chip (temporal blocking)",
                &mut self.steps,
            )
            .within(1.0, 16.0),
            Parameter::format(
                "format",
                "Number format",
                "Format of the grid and of the arithmetic",
                &mut self.format,
            ),
        ]
    }

    fn cost(&self) -> Result<Cost, CostError> {
        let (read, written) = self.moves();
        let work = self.flop_per_point() * self.grid() * self.steps.get();
        let traffic = (read + written) * self.grid() * self.format.bytes();
        Ok(Cost::kernel(
            Path::vector(self.format),
            flops(work)?,
            bytes(traffic)?,
        ))
    }

    fn formula(&self) -> Vec<String> {
        let Ok(cost) = self.cost() else {
            return vec![];
        };
        let grid = format!("{}·{}·{}", self.nx, self.ny, self.nz);
        let steps = super::common::times(self.steps);
        let (read, written) = self.moves();
        vec![
            format!(
                "work = {} × {grid}{steps} = {}",
                self.flop_per_point(),
                cost.total_work()
            ),
            format!(
                "traffic = ({read} + {written}) × {grid} × {} B = {}",
                units::number(self.format.bytes()),
                cost.traffic_at(Level::Dram)
            ),
        ]
    }

    fn leaves_out(&self) -> Vec<Cow<'static, str>> {
        let planes = 3.0 * self.nx.get() * self.ny.get() * self.format.bytes();
        let mut left_out: Vec<Cow<'static, str>> = vec!["no halo around the grid".into()];
        if self.reuse == Reuse::Planes {
            let planes = super::common::in_bytes(planes);
            left_out.push(format!("three planes of {planes} together stay in cache").into());
        }
        if self.steps != Count::ONE {
            left_out.push("blocks overlap nowhere: nothing is computed twice".into());
        }
        left_out
    }

    fn items(&self) -> Items {
        Items {
            name: "point",
            per_execution: self.grid() * self.steps.get(),
            users: 1.0,
        }
    }

    fn drag_parameter(&self) -> Option<&str> {
        Some("steps")
    }

    fn alternatives(&self) -> Vec<Alternative> {
        let mut alternatives = Vec::new();
        let mut offer = |name: String, changed: Self| {
            alternatives.push((name, Regime::MemoryBound, Kind::Stencil(changed)));
        };
        if self.reuse != Reuse::Planes {
            let reuse = Reuse::Planes;
            let blocked = Self {
                reuse,
                ..self.clone()
            };
            offer(
                "Block so that three planes stay in cache".to_owned(),
                blocked,
            );
        }
        if let Ok(steps) = Count::try_from(self.steps.get() * 4.0) {
            let blocked = Self {
                steps,
                ..self.clone()
            };
            offer(format!("{steps} time steps per pass"), blocked);
        }
        if self.format == NumberFormat::FP64 {
            let format = NumberFormat::FP32;
            offer(
                "In FP32".to_owned(),
                Self {
                    format,
                    ..self.clone()
                },
            );
        }
        alternatives
    }

    fn default_sweep(&self) -> (&str, Vec<f64>) {
        ("steps", [1.0, 2.0, 4.0, 8.0, 16.0].to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seven_points_do_half_an_operation_per_byte_and_a_third_with_write_allocate() {
        let intensity = |writes| {
            let stencil = Stencil {
                writes,
                ..Stencil::default()
            };
            stencil
                .cost()
                .unwrap()
                .intensity_at(Level::Dram)
                .unwrap()
                .get()
        };
        assert_eq!(intensity(Writes::Plain), 0.5);
        assert_eq!(intensity(Writes::Allocate), 1.0 / 3.0);
    }

    #[test]
    fn coefficients_cost_work_and_variable_ones_traffic() {
        let per_point = |points, coefficients| {
            let stencil = Stencil {
                points,
                coefficients,
                ..Stencil::default()
            };
            let cost = stencil.cost().unwrap();
            let grid = 512f64.powi(3);
            (
                cost.total_work().get() / grid,
                cost.traffic_at(Level::Dram).get() / grid,
            )
        };
        assert_eq!(per_point(Points::Seven, Coefficients::Each), (13.0, 16.0));
        assert_eq!(
            per_point(Points::TwentySeven, Coefficients::ByDistance),
            (30.0, 16.0)
        );
        assert_eq!(
            per_point(Points::TwentySeven, Coefficients::Variable),
            (53.0, 29.0 * 8.0)
        );
    }
}
