//! The axes of a heat map: cells of equal size, whatever lies between their values.
use egui::{Pos2, Rect, pos2};

/// A stretch of one axis that is painted alike: a cell, or a point where cells are smaller than that.
#[derive(Clone, Copy)]
pub(super) struct Band {
    pub index: usize,
    pub from: f32,
    pub to: f32,
}

/// One axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axis {
    from: f32,
    to: f32,
    cells: usize,
}

impl Axis {
    fn new(from: f32, to: f32, cells: usize) -> Self {
        Self { from, to, cells }
    }

    /// Where the n-th cell begins, on a whole point so that no seam shows.
    fn edge(&self, index: usize) -> f32 {
        let part = index as f32 / self.cells.max(1) as f32;
        (self.from + (self.to - self.from) * part).round()
    }

    /// How large a cell is.
    pub fn step(&self) -> f32 {
        (self.to - self.from).abs() / self.cells.max(1) as f32
    }

    /// The middle of a place between cells: 0 is the middle of the first.
    pub fn middle(&self, place: f64) -> f32 {
        let part = (place as f32 + 0.5) / self.cells.max(1) as f32;
        self.from + (self.to - self.from) * part
    }

    /// Both ends of the n-th cell.
    pub fn ends(&self, index: usize) -> [f32; 2] {
        [self.edge(index), self.edge(index + 1)]
    }

    fn index_at(&self, at: f32) -> Option<usize> {
        let part = (at - self.from) / (self.to - self.from);
        let index = (part * self.cells as f32).floor();
        (index >= 0.0 && index < self.cells as f32).then_some(index as usize)
    }

    /// What is painted: every cell, or one for each point of the screen.
    pub fn bands(&self) -> Vec<Band> {
        if self.step() >= 1.0 {
            let band = |index| {
                let [from, to] = self.ends(index);
                Band { index, from, to }
            };
            return (0..self.cells).map(band).collect();
        }
        let points = (self.to - self.from).abs() as usize;
        let sign = (self.to - self.from).signum();
        let band = |point: usize| {
            let from = self.from + sign * point as f32;
            let index = self.index_at(from + sign * 0.5)?;
            Some(Band {
                index,
                from,
                to: from + sign,
            })
        };
        (0..points).filter_map(band).collect()
    }
}

/// Both axes: the first parameter to the right, the second upward.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axes {
    pub x: Axis,
    pub y: Axis,
}

impl Axes {
    pub fn new(area: Rect, [columns, rows]: [usize; 2]) -> Self {
        Self {
            x: Axis::new(area.left().round(), area.right().round(), columns),
            y: Axis::new(area.bottom().round(), area.top().round(), rows),
        }
    }

    /// The whole of the map.
    pub fn area(&self) -> Rect {
        Rect::from_two_pos(pos2(self.x.from, self.y.from), pos2(self.x.to, self.y.to))
    }

    /// The cell under a place.
    pub fn cell_at(&self, at: Pos2) -> Option<[usize; 2]> {
        Some([self.x.index_at(at.x)?, self.y.index_at(at.y)?])
    }

    /// The n-th cell of a row.
    pub fn rect(&self, [first, second]: [usize; 2]) -> Rect {
        let ([left, right], [low, high]) = (self.x.ends(first), self.y.ends(second));
        Rect::from_two_pos(pos2(left, low), pos2(right, high))
    }
}

/// Where a value lies among others: `Ok` at one of them, `Err` between two; `None` outside.
pub(super) fn place_of(value: f64, values: &[f64]) -> Option<Result<usize, f64>> {
    let same = |other: &f64| (other / value - 1.0).abs() < 1e-9 || *other == value;
    if let Some(index) = values.iter().position(same) {
        return Some(Ok(index));
    }
    let between = |pair: &[f64]| pair[0] < value && value < pair[1];
    let index = values.windows(2).position(between)?;
    let (low, high) = (values[index], values[index + 1]);
    let part = match low > 0.0 {
        true => (value / low).ln() / (high / low).ln(),
        false => (value - low) / (high - low),
    };
    Some(Err(index as f64 + part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_of_a_map_is_in_the_cell_that_is_painted_there() {
        let area = Rect::from_min_max(pos2(10.0, 20.0), pos2(311.0, 133.0));
        for size in [[3, 4], [1, 1], [500, 90], [40, 900]] {
            let axes = Axes::new(area, size);
            for column in axes.x.bands() {
                for row in axes.y.bands() {
                    let at = pos2((column.from + column.to) / 2.0, (row.from + row.to) / 2.0);
                    assert_eq!(
                        axes.cell_at(at),
                        Some([column.index, row.index]),
                        "{size:?}"
                    );
                }
            }
            assert_eq!(axes.cell_at(pos2(9.0, 50.0)), None);
        }
        // Upward is more.
        let axes = Axes::new(area, [2, 2]);
        assert!(axes.rect([0, 1]).bottom() <= axes.rect([0, 0]).top() + 0.1);
    }

    #[test]
    fn a_value_between_others_lies_by_its_logarithm() {
        let values = [1.0, 100.0, 10_000.0];
        assert_eq!(place_of(100.0, &values), Some(Ok(1)));
        let Some(Err(place)) = place_of(10.0, &values) else {
            panic!("10 is between 1 and 100");
        };
        assert!((place - 0.5).abs() < 1e-12);
        assert_eq!(place_of(0.5, &values), None);
    }
}
