//! Two parameters over their values: a cell for each pair, with what a heat map can show.
pub use super::cell::{Cell, Shown};

use super::{Sweep, fits, parameter_unit};
use crate::model::gpu::Gpu;
use crate::model::placement::{Assumptions, place_all};
use crate::model::session::{NotPlaced, Workload};
use crate::model::units::Unit;
use crate::model::workload::{Items, Kind, ParameterError};

/// The most cells a grid can have.
pub const MOST_CELLS: usize = 100_000;

/// Two parameters, each over its values.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    /// Along the rows: the values of a row.
    pub first: Sweep,
    /// One value a row.
    pub second: Sweep,
}

/// Why a grid cannot be computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GridError {
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    #[error("{0} is both parameters: a grid goes over two different ones")]
    Same(String),
    #[error("{first} × {second} values are too many: a grid has at most 100,000 cells")]
    TooMany { first: usize, second: usize },
}

/// All that a grid's cells follow from.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    grid: Grid,
    workload: Workload,
    gpu: Gpu,
    against: Option<Gpu>,
    assumptions: Assumptions,
}

impl Task {
    /// A workload over a grid on `gpu`, and how many times as fast it is there as on `against`.
    pub fn new(
        grid: Grid,
        workload: &Workload,
        gpu: &Gpu,
        against: Option<&Gpu>,
        assumptions: Assumptions,
    ) -> Result<Self, GridError> {
        for sweep in [&grid.first, &grid.second] {
            parameter_unit(&workload.kind, &sweep.parameter)?;
        }
        if grid.first.parameter == grid.second.parameter {
            return Err(GridError::Same(grid.first.parameter));
        }
        let (first, second) = (grid.first.values.len(), grid.second.values.len());
        if first.saturating_mul(second) > MOST_CELLS {
            return Err(GridError::TooMany { first, second });
        }
        Ok(Self {
            workload: neutral(workload, &grid),
            grid,
            gpu: gpu.clone(),
            against: against.cloned(),
            assumptions,
        })
    }

    /// The two parameters and their values.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The name of the GPU.
    pub fn gpu(&self) -> &str {
        &self.gpu.name
    }

    /// The name of the GPU compared with.
    pub fn against(&self) -> Option<&str> {
        Some(&self.against.as_ref()?.name)
    }

    /// How many cells there are along a row, and how many rows.
    pub fn size(&self) -> [usize; 2] {
        [self.grid.first.values.len(), self.grid.second.values.len()]
    }

    fn cell(&self, index: usize) -> Result<Cell, String> {
        let columns = self.grid.first.values.len();
        let (first, second) = (&self.grid.first, &self.grid.second);
        let kind = self.workload.kind.with_each(&[
            (&first.parameter, first.values[index % columns]),
            (&second.parameter, second.values[index / columns]),
        ]);
        let kind = kind.map_err(|error| error.to_string())?;
        self.place(&kind).map_err(|error| error.to_string())
    }

    fn place(&self, kind: &Kind) -> Result<Cell, NotPlaced> {
        let operators = kind.family().operators()?;
        let on = |gpu: &Gpu| {
            let efficiency = self.workload.assumed_efficiency(gpu.id, self.assumptions);
            place_all(&operators, gpu, self.assumptions, efficiency)
        };
        let placement = on(&self.gpu)?;
        // What cannot run on the other GPU has no ratio, but still has its time here.
        let other = self.against.as_ref().and_then(|gpu| on(gpu).ok());
        let fits = fits(kind, &self.gpu);
        let ratio = other.map(|other| other.time().get() / placement.time().get());
        Ok(Cell {
            ratio,
            fits,
            ..Cell::of(&placement, kind.family().items())
        })
    }
}

/// The workload without what a cell does not depend on, so that a change of that computes nothing again.
fn neutral(workload: &Workload, grid: &Grid) -> Workload {
    let values = [&grid.first, &grid.second].map(|sweep| {
        let value = sweep.values.first().copied();
        (sweep.parameter.as_str(), value.unwrap_or(1.0))
    });
    let kind = workload.kind.with_each(&values);
    Workload {
        kind: kind.unwrap_or_else(|_| workload.kind.clone()),
        measurements: Vec::new(),
        name: String::new(),
        shape: 0,
        ..workload.clone()
    }
}

/// A grid, computed.
#[derive(Debug, Clone, PartialEq)]
pub struct GridResult {
    pub task: Task,
    /// The units of the two parameters.
    pub units: [Unit; 2],
    /// Row after row; a pair that leads nowhere keeps its place, with the reason.
    pub cells: Vec<Result<Cell, String>>,
}

impl GridResult {
    /// The cell of the n-th first and the n-th second value.
    pub fn cell(&self, first: usize, second: usize) -> Option<&Result<Cell, String>> {
        let columns = self.task.grid.first.values.len();
        let inside = first < columns;
        inside.then(|| self.cells.get(second * columns + first))?
    }

    /// What an execution yields, as far as any cell says.
    pub fn items(&self) -> Option<Items> {
        self.cells
            .iter()
            .find_map(|cell| Some(cell.as_ref().ok()?.items))
    }
}

/// A grid being computed, in steps of as many cells as there is time for.
#[derive(Debug, Clone)]
pub struct Work {
    task: Task,
    cells: Vec<Result<Cell, String>>,
}

impl Work {
    /// Nothing computed yet.
    pub fn new(task: Task) -> Self {
        let [columns, rows] = task.size();
        Self {
            cells: Vec::with_capacity(columns * rows),
            task,
        }
    }

    /// Computes up to so many cells; returns how many of all there are now.
    pub fn step(&mut self, most: usize) -> usize {
        let until = (self.cells.len() + most).min(self.all());
        while self.cells.len() < until {
            let cell = self.task.cell(self.cells.len());
            self.cells.push(cell);
        }
        until
    }

    /// How many cells there are in all.
    pub fn all(&self) -> usize {
        self.task.size().iter().product()
    }

    /// Whether every cell is computed.
    pub fn is_done(&self) -> bool {
        self.cells.len() == self.all()
    }

    /// The result; `None` where cells are missing.
    pub fn finish(self) -> Option<GridResult> {
        self.is_done().then(|| self.result())
    }

    fn result(self) -> GridResult {
        let unit = |sweep: &Sweep| {
            parameter_unit(&self.task.workload.kind, &sweep.parameter).unwrap_or(Unit::One)
        };
        GridResult {
            units: [unit(&self.task.grid.first), unit(&self.task.grid.second)],
            task: self.task,
            cells: self.cells,
        }
    }
}

/// Computes a whole grid.
pub fn run(task: Task) -> GridResult {
    let mut work = Work::new(task);
    work.step(MOST_CELLS);
    work.result()
}
