//! Very many marks: grids of cells about two pixels wide, from which painting, counting and hovering are answered alike.
//!
//! A grid belongs to a zoom, not to a place: its cells lie at multiples of a power of two of a decade. So it is built
//! once per doubling of the zoom, and panning only reads another part of it.
use crate::model::view::Limits;
use std::sync::Arc;

/// Above this many marks in view one mark per cell is drawn.
pub const MOST_SINGLE: usize = 20_000;
/// The narrowest a cell may be on the screen, in points; the widest is twice that.
const CELL: f64 = 1.5;
/// Grids that are kept: what zooming back and forth between two sizes needs, on both axes.
const KEPT: usize = 4;
/// Columns beyond which counting is no longer faster than comparing.
const MOST_BUCKETS: i64 = 1 << 20;

/// Points in powers of ten, and which of them matter most.
#[derive(Debug, PartialEq, Default)]
pub struct Points {
    at: Vec<[f32; 2]>,
    heaviest_first: Vec<u32>,
}

impl Points {
    /// Points that are finite (others are not kept in any grid), each with its weight.
    pub fn new(at: Vec<[f32; 2]>, weight: &[f32]) -> Self {
        let finite = |i: &u32| at[*i as usize].iter().all(|at| at.is_finite());
        let all = u32::try_from(at.len()).unwrap_or(u32::MAX);
        let mut heaviest_first: Vec<u32> = (0..all).filter(finite).collect();
        let weight = |i: &u32| weight.get(*i as usize).copied().unwrap_or(0.0);
        heaviest_first.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
        Self { at, heaviest_first }
    }

    /// Where a point lies, in powers of ten.
    pub fn at(&self, point: u32) -> [f64; 2] {
        self.at[point as usize].map(f64::from)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.heaviest_first.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.heaviest_first.is_empty()
    }

    /// The points from the heaviest to the lightest.
    pub fn heaviest_first(&self) -> &[u32] {
        &self.heaviest_first
    }
}

/// The grids of the points shown last.
#[derive(Default)]
pub struct Grids {
    points: Arc<Points>,
    /// The one used last at the end.
    grids: Vec<Grid>,
}

impl Grids {
    /// The grid whose cells are about two points of the screen wide where a decade is `per_decade` points long.
    pub fn for_zoom(&mut self, points: &Arc<Points>, per_decade: [f64; 2]) -> &Grid {
        if !Arc::ptr_eq(&self.points, points) {
            self.points = Arc::clone(points);
            self.grids.clear();
        }
        let halvings = per_decade.map(|length| (length / CELL).log2().floor().clamp(-8.0, 24.0));
        let halvings = halvings.map(|power| power as i32);
        let grid = match self.grids.iter().position(|grid| grid.halvings == halvings) {
            Some(at) => self.grids.remove(at),
            None => Grid::new(points, halvings),
        };
        if self.grids.len() == KEPT {
            self.grids.remove(0);
        }
        self.grids.push(grid);
        &self.grids[self.grids.len() - 1]
    }
}

/// Points sorted into square cells, row after row from the bottom, in each cell the heaviest first.
pub struct Grid {
    /// A cell is 2^−halvings of a decade wide and high.
    halvings: [i32; 2],
    points: Vec<u32>,
    /// Cells with something in them, and one behind the last.
    cells: Vec<Entry>,
    /// Rows with something in them, and one behind the last.
    rows: Vec<Entry>,
}

/// The column of a cell and its first point, or the height of a row and its first cell.
#[derive(Clone, Copy)]
struct Entry {
    at: i32,
    first: u32,
}

/// A cell with points in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell<'a> {
    /// Its lower left corner, in powers of ten.
    pub corner: [f64; 2],
    /// The points in it, the heaviest first.
    pub points: &'a [u32],
}

impl Grid {
    fn new(points: &Points, halvings: [i32; 2]) -> Self {
        let scale = halvings.map(|power| 2_f64.powi(power));
        let cell = |point: u32, axis: usize| {
            // Saturates: what is billions of cells away from 1 shares the last one.
            (f64::from(points.at[point as usize][axis]) * scale[axis]).floor() as i32
        };
        let mut sorted = points.heaviest_first.clone();
        for axis in 0..2 {
            sorted = sort_by_key(sorted, |point| cell(point, axis));
        }
        let (mut cells, mut rows) = (Vec::<Entry>::new(), Vec::<Entry>::new());
        for (index, point) in sorted.iter().enumerate() {
            let (column, row) = (cell(*point, 0), cell(*point, 1));
            let new_row = rows.last().is_none_or(|last| last.at != row);
            if new_row {
                rows.push(Entry {
                    at: row,
                    first: cells.len() as u32,
                });
            }
            if new_row || cells.last().is_none_or(|last| last.at != column) {
                cells.push(Entry {
                    at: column,
                    first: index as u32,
                });
            }
        }
        rows.push(Entry {
            at: i32::MAX,
            first: cells.len() as u32,
        });
        cells.push(Entry {
            at: i32::MAX,
            first: sorted.len() as u32,
        });
        Self {
            halvings,
            points: sorted,
            cells,
            rows,
        }
    }

    /// The width and height of a cell, in decades.
    pub fn cell_size(&self) -> [f64; 2] {
        self.halvings.map(|power| 2_f64.powi(-power))
    }

    /// How many points lie in the cells that `limits` touch.
    pub fn count(&self, limits: Limits) -> usize {
        let count = |row: &[Entry]| match row {
            [first, .., behind] => (behind.first - first.first) as usize,
            _ => 0,
        };
        self.rows_in(limits).map(|(_, row)| count(row)).sum()
    }

    /// The cells that `limits` touch, row after row from the bottom, from left to right.
    pub fn cells(&self, limits: Limits) -> impl Iterator<Item = Cell<'_>> {
        let [width, height] = self.cell_size();
        self.rows_in(limits).flat_map(move |(row, cells)| {
            cells.windows(2).map(move |pair| Cell {
                corner: [f64::from(pair[0].at) * width, f64::from(row) * height],
                points: &self.points[pair[0].first as usize..pair[1].first as usize],
            })
        })
    }

    /// Each row that `limits` touch: its height and its cells in view, with the one behind them.
    fn rows_in(&self, limits: Limits) -> impl Iterator<Item = (i32, &[Entry])> {
        let index = |at: f64, axis: usize| (at / self.cell_size()[axis]).floor() as i32;
        let [left, right] = limits.x.map(|x| index(x, 0));
        let [bottom, top] = limits.y.map(|y| index(y, 1));
        let rows = &self.rows[..self.rows.len() - 1];
        let first = rows.partition_point(|row| row.at < bottom);
        let behind = rows.partition_point(|row| row.at <= top);
        (first..behind.max(first)).map(move |at| {
            let (from, to) = (
                self.rows[at].first as usize,
                self.rows[at + 1].first as usize,
            );
            let row = &self.cells[from..to];
            let first = row.partition_point(|cell| cell.at < left);
            let behind = row.partition_point(|cell| cell.at <= right).max(first);
            (self.rows[at].at, &self.cells[from + first..=from + behind])
        })
    }
}

/// Sorts without changing the order of what is equal; by counting, where keys are near each other.
fn sort_by_key(mut points: Vec<u32>, key: impl Fn(u32) -> i32) -> Vec<u32> {
    let keys = || points.iter().map(|point| i64::from(key(*point)));
    let (Some(least), Some(most)) = (keys().min(), keys().max()) else {
        return points;
    };
    if most - least >= MOST_BUCKETS {
        points.sort_by_key(|point| key(*point));
        return points;
    }
    let bucket = |point: u32| (i64::from(key(point)) - least) as usize;
    let mut next = vec![0_u32; (most - least) as usize + 2];
    for point in &points {
        next[bucket(*point) + 1] += 1;
    }
    for at in 1..next.len() {
        next[at] += next[at - 1];
    }
    let mut sorted = vec![0; points.len()];
    for point in points {
        let place = &mut next[bucket(point)];
        sorted[*place as usize] = point;
        *place += 1;
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cloud without order: multiples of two irrational numbers.
    fn cloud(count: u32) -> (Vec<[f32; 2]>, Vec<f32>) {
        let part = |i: u32, step: f64| (f64::from(i) * step).fract() as f32;
        let at = (0..count).map(|i| {
            [
                part(i, 0.754_877_666) * 6.0 - 2.0,
                part(i, 0.569_840_291) * 5.0 + 9.0,
            ]
        });
        (
            at.collect(),
            (0..count).map(|i| part(i, 0.618_033_989)).collect(),
        )
    }

    #[test]
    fn a_view_has_exactly_the_points_in_its_cells() {
        let (at, weight) = cloud(5000);
        let points = Arc::new(Points::new(at.clone(), &weight));
        let mut grids = Grids::default();
        // Edges on multiples of a cell, so that cells and view agree.
        let limits = Limits {
            x: [-1.0, 1.5 - 1e-9],
            y: [10.0, 12.5 - 1e-9],
        };
        let grid = grids.for_zoom(&points, [200.0, 150.0]);
        let inside = |p: &&[f32; 2]| p[0] >= -1.0 && p[0] < 1.5 && p[1] >= 10.0 && p[1] < 12.5;
        let expected = at.iter().filter(inside).count();
        assert!(expected > 1000);
        assert_eq!(grid.count(limits), expected);
        let mut seen = 0;
        for cell in grid.cells(limits) {
            seen += cell.points.len();
            for pair in cell.points.windows(2) {
                assert!(weight[pair[0] as usize] >= weight[pair[1] as usize]);
            }
            for point in cell.points {
                let within = |axis: usize| {
                    let from_corner = points.at(*point)[axis] - cell.corner[axis];
                    (0.0..grid.cell_size()[axis]).contains(&from_corner)
                };
                assert!(within(0) && within(1));
            }
        }
        assert_eq!(seen, expected);
    }

    #[test]
    fn cells_are_about_two_points_wide_at_every_zoom() {
        let points = Arc::new(Points::new(vec![[0.0, 0.0]], &[1.0]));
        let mut grids = Grids::default();
        for per_decade in [20.0, 83.0, 240.0, 20_000.0] {
            let grid = grids.for_zoom(&points, [per_decade, per_decade * 0.7]);
            for (size, per_decade) in grid
                .cell_size()
                .into_iter()
                .zip([per_decade, per_decade * 0.7])
            {
                assert!((1.5..3.0).contains(&(size * per_decade)), "{per_decade}");
            }
        }
    }

    #[test]
    fn extremes_and_what_is_not_finite_do_no_harm() {
        let at = vec![
            [f32::NAN, 0.0],
            [f32::INFINITY, 0.0],
            [-300.0, 300.0],
            [300.0, -300.0],
            [1.0, 1.0],
        ];
        let points = Arc::new(Points::new(at, &[]));
        assert_eq!(points.len(), 3);
        let mut grids = Grids::default();
        let everything = Limits {
            x: [-400.0, 400.0],
            y: [-400.0, 400.0],
        };
        for per_decade in [1e-9, 30.0, 1e12] {
            assert_eq!(
                grids.for_zoom(&points, [per_decade; 2]).count(everything),
                3
            );
        }
        let nothing = Arc::new(Points::default());
        assert_eq!(grids.for_zoom(&nothing, [30.0; 2]).count(everything), 0);
    }
}
