//! Kernels from tables that give work, traffic and time outright, each under the name its column has.
use crate::model::profile::{
    Builder, CYCLES, Counter, Factor, Formula, Kernels, Launch, Target, TermOfFormula, Timing,
};

/// What is told of rows without times.
pub const RATES: &str = "there are rates and no times: how much of a roof a point reaches is known, what there is to win is not";

/// A quantity of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Value<'a> {
    pub target: Target,
    /// What the file calls it.
    pub name: &'a str,
    /// What it is counted in, such as `B` or `transaction`.
    pub unit: &'a str,
    /// How much FLOP or B one of it is.
    pub each: f64,
    pub value: Option<f64>,
}

/// A row of a table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row<'a> {
    pub name: &'a str,
    pub shape: &'a str,
    /// Of all its launches, in s.
    pub time: Option<f64>,
    /// Launches it stands for.
    pub launches: f64,
    /// What the device ran at, in Hz.
    pub clock: Option<f64>,
}

/// Rows being added up.
#[derive(Default)]
pub struct Points {
    builder: Builder,
    /// What each column of the builder gives, `None` for cycles; its name, and what one of it is.
    columns: Vec<(Option<Target>, String, f64)>,
    /// Launches beyond one per row, per line.
    more: Vec<f64>,
    values: Vec<Option<f64>>,
    /// Whether rows have rates alone, so that their values are of one second.
    per_second: bool,
}

impl Points {
    /// Of rows that have rates alone: their values are of one second, and they have no times.
    pub fn per_second() -> Self {
        Self {
            per_second: true,
            ..Self::default()
        }
    }

    /// Adds a row.
    pub fn add(&mut self, row: &Row<'_>, values: &[Value<'_>]) {
        self.values.clear();
        for value in values {
            let column = self.column(value);
            if self.values.len() <= column {
                self.values.resize(column + 1, None);
            }
            self.values[column] = value.value;
        }
        if let Some(clock) = row.clock {
            let column = self.cycles();
            if self.values.len() <= column {
                self.values.resize(column + 1, None);
            }
            let seconds = match self.per_second {
                true => Some(1.0),
                false => row.time,
            };
            self.values[column] = seconds.map(|seconds| clock * seconds);
        }
        let launch = Launch {
            name: row.name,
            shape: row.shape,
            time: row.time,
            derivation: None,
        };
        let line = self.builder.add(launch, self.values.iter().copied());
        if self.more.len() <= line {
            self.more.resize(line + 1, 0.0);
        }
        self.more[line] += row.launches - 1.0;
    }

    fn cycles(&mut self) -> usize {
        let known = self.columns.iter().position(|(of, ..)| of.is_none());
        known.unwrap_or_else(|| {
            self.columns.push((None, CYCLES.to_owned(), 1.0));
            self.builder.column(Counter {
                name: CYCLES.to_owned(),
                unit: String::new(),
            })
        })
    }

    fn column(&mut self, value: &Value<'_>) -> usize {
        let known = self.columns.iter();
        let mut known = known.map(|(target, name, _)| (*target, name.as_str()));
        if let Some(column) = known.position(|known| known == (Some(value.target), value.name)) {
            return column;
        }
        self.columns
            .push((Some(value.target), value.name.to_owned(), value.each));
        // One column can give traffic at several levels: each is a counter of its own.
        let mut known = self.columns.iter().rev().skip(1);
        let name = match known.any(|(_, name, _)| *name == value.name) {
            true => format!("{}, for {}", value.name, value.target.name()),
            false => value.name.to_owned(),
        };
        self.builder.column(Counter {
            name,
            unit: value.unit.to_owned(),
        })
    }

    /// The kernels, and how many lines lost a value that only some of their rows had.
    pub fn finish(self) -> (Kernels, usize) {
        let mut formulas: Vec<Formula> = Vec::new();
        for (column, (target, _, each)) in self.columns.iter().enumerate() {
            let Some(target) = target else { continue };
            let term = TermOfFormula {
                coefficient: *each,
                factors: vec![Factor::of(column)],
            };
            match formulas
                .iter_mut()
                .find(|formula| formula.target == *target)
            {
                Some(formula) => formula.terms.push(term),
                None => formulas.push(Formula {
                    target: *target,
                    terms: vec![term],
                    note: String::new(),
                }),
            }
        }
        let (mut kernels, partial) = self.builder.finish(formulas);
        kernels.per_second = self.per_second;
        for (kernel, more) in kernels.lines.iter_mut().zip(&self.more) {
            // What a row says of many launches is their sum; their spread it does not say.
            if *more > 0.0 && kernel.count == 1 {
                kernel.count += *more as u64;
                let mean = kernel
                    .timing
                    .and_then(|timing| Timing::once(timing.sum / (1.0 + more)));
                kernel.timing = kernel.timing.zip(mean).map(|(all, mean)| Timing {
                    sum: all.sum,
                    ..mean
                });
            }
        }
        (kernels, partial)
    }
}
