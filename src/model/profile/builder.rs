//! Adds launches up into a line per name and launch shape, in the order they first came.
use super::counters::{Counter, Counters};
use super::formula::Formula;
use super::timing::Timing;
use super::{Kernel, Kernels};
use std::collections::HashMap;
use std::sync::Arc;

/// One launch of a kernel, as a file tells it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Launch<'a> {
    pub name: &'a str,
    /// The launch shape; empty where it is not known.
    pub shape: &'a str,
    /// In s.
    pub time: Option<f64>,
    /// How work or traffic was derived, where that is peculiar to the kernel.
    pub derivation: Option<&'a str>,
}

/// Lines under construction.
#[derive(Default)]
pub struct Builder {
    columns: usize,
    /// By name, then by launch shape, so that looking up takes no memory.
    index: HashMap<Arc<str>, HashMap<Arc<str>, usize>>,
    lines: Vec<Line>,
    counters: Counters,
    /// Per cell of `counters`: launches that had a value.
    had: Vec<u32>,
    refused: u64,
}

/// The longest time that is taken for one, in s: thirty years.
const LONGEST: f64 = 1e9;

struct Line {
    name: Arc<str>,
    launch: Arc<str>,
    derivation: Option<Arc<str>>,
    count: u64,
    times: Vec<f64>,
}

impl Builder {
    /// Nothing yet, of these counters.
    pub fn new(columns: Vec<Counter>) -> Self {
        Self {
            columns: columns.len(),
            index: HashMap::new(),
            lines: Vec::new(),
            counters: Counters::new(columns),
            had: Vec::new(),
            refused: 0,
        }
    }

    /// Adds a column of which no launch so far had a value; says which.
    ///
    /// It costs as much as there are lines: a reader meets its columns in the first of them.
    pub fn column(&mut self, counter: Counter) -> usize {
        let width = self.columns;
        let mut had = Vec::with_capacity(self.lines.len() * (width + 1));
        for line in 0..self.lines.len() {
            had.extend_from_slice(&self.had[line * width..(line + 1) * width]);
            had.push(0);
        }
        self.had = had;
        self.columns += 1;
        if width > 0 {
            return self.counters.add_column(counter);
        }
        // A table without columns does not know how many lines it has.
        self.counters = Counters::new(vec![counter]);
        for _ in &self.lines {
            self.counters.add_line();
        }
        0
    }

    /// Adds a launch with the value of each column, `None` where it has none; says which line it went to.
    ///
    /// What is negative or not finite counts as missing.
    pub fn add(
        &mut self,
        launch: Launch<'_>,
        values: impl IntoIterator<Item = Option<f64>>,
    ) -> usize {
        let line = self.line_of(&launch);
        let entry = &mut self.lines[line];
        entry.count += 1;
        let time = launch.time.filter(|time| *time > 0.0 && *time <= LONGEST);
        self.refused += u64::from(launch.time.is_some() && time.is_none());
        entry.times.extend(time);
        for (column, value) in values.into_iter().enumerate().take(self.columns) {
            let Some(value) = value else { continue };
            if self.counters.add(line, column, value) {
                self.had[line * self.columns + column] += 1;
            } else {
                self.refused += 1;
            }
        }
        line
    }

    /// How many values were given that are none: negative, not finite, or no time.
    pub fn refused(&self) -> u64 {
        self.refused
    }

    fn line_of(&mut self, launch: &Launch<'_>) -> usize {
        let shapes = match self.index.get_mut(launch.name) {
            Some(shapes) => shapes,
            None => self.index.entry(Arc::from(launch.name)).or_default(),
        };
        if let Some(line) = shapes.get(launch.shape) {
            return *line;
        }
        let line = self.lines.len();
        let shape: Arc<str> = Arc::from(launch.shape);
        shapes.insert(Arc::clone(&shape), line);
        let name = self.index.get_key_value(launch.name);
        let name = name.map_or_else(|| Arc::from(launch.name), |(name, _)| Arc::clone(name));
        self.lines.push(Line {
            name,
            launch: shape,
            derivation: launch.derivation.map(Arc::from),
            count: 0,
            times: Vec::new(),
        });
        self.had.extend((0..self.columns).map(|_| 0));
        self.counters.add_line();
        line
    }

    /// The kernels. A counter that only some launches of a line had is missing on that line, since its sum would be
    /// too small; so is the time. Says how many lines lost something that way.
    pub fn finish(self, formulas: Vec<Formula>) -> (Kernels, usize) {
        let mut counters = Counters::new(self.counters.columns().to_vec());
        let mut partial = 0;
        let mut lines = Vec::with_capacity(self.lines.len());
        for (at, mut line) in self.lines.into_iter().enumerate() {
            counters.add_line();
            let mut lost = !line.times.is_empty() && line.times.len() as u64 != line.count;
            if lost {
                line.times.clear();
            }
            for column in 0..self.columns {
                let had = u64::from(self.had[at * self.columns + column]);
                match self.counters.get(at, column) {
                    Some(sum) if had == line.count => {
                        counters.add(at, column, sum);
                    }
                    Some(_) => lost = true,
                    None => {}
                }
            }
            partial += usize::from(lost);
            lines.push(Kernel {
                name: line.name,
                launch: line.launch,
                count: line.count,
                timing: Timing::of(&mut line.times),
                derivation: line.derivation,
            });
        }
        let kernels = Kernels {
            lines,
            counters,
            formulas,
            per_second: false,
            waiting: None,
        };
        (kernels, partial)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launches_of_one_shape_add_up() {
        let mut builder = Builder::new(vec![Counter {
            name: "bytes".to_owned(),
            unit: "B".to_owned(),
        }]);
        let launch = |shape, time| Launch {
            name: "copy",
            shape,
            time: Some(time),
            derivation: None,
        };
        builder.add(launch("grid 1", 1e-6), [Some(10.0)]);
        builder.add(launch("grid 1", 3e-6), [Some(20.0)]);
        builder.add(launch("grid 2", 1e-6), [Some(5.0)]);
        builder.add(launch("grid 2", 1e-6), [None]);
        let (kernels, partial) = builder.finish(Vec::new());
        assert_eq!(kernels.lines.len(), 2);
        assert_eq!(kernels.lines[0].count, 2);
        assert_eq!(kernels.lines[0].timing.unwrap().sum, 4e-6);
        assert_eq!(kernels.counters.get(0, 0), Some(30.0));
        // Half of the launches were counted: their sum would be wrong.
        assert_eq!((kernels.counters.get(1, 0), partial), (None, 1));
    }

    #[test]
    fn what_cannot_be_is_missing_and_counted() {
        let mut builder = Builder::new(vec![Counter {
            name: "bytes".to_owned(),
            unit: "B".to_owned(),
        }]);
        let launch = |time| Launch {
            name: "copy",
            time: Some(time),
            ..Launch::default()
        };
        builder.add(launch(-5.0), [Some(-3.0)]);
        builder.add(launch(1e300), [Some(1.0)]);
        assert_eq!(builder.refused(), 3);
        let (kernels, _) = builder.finish(Vec::new());
        assert_eq!(kernels.lines[0].timing, None);
    }
}
