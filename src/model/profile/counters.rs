//! What a profiler counted: a column per counter, a value per line, some of them missing.

/// A column of a profiler's table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counter {
    /// The profiler's own name, such as `dram__bytes_read.sum`.
    pub name: String,
    /// The unit values are in here, after prefixes were taken off: `B`, `FLOP`, `sector`; empty for a plain count.
    pub unit: String,
}

/// A table of counters; every value is finite and not negative, or missing.
#[derive(Debug, Clone, Default)]
pub struct Counters {
    columns: Vec<Counter>,
    /// Line after line; NaN stands for a missing value and never leaves this file.
    values: Vec<f64>,
}

/// Missing values are equal to each other.
impl PartialEq for Counters {
    fn eq(&self, other: &Self) -> bool {
        let same = |(a, b): (&f64, &f64)| a == b || (a.is_nan() && b.is_nan());
        self.columns == other.columns
            && self.values.len() == other.values.len()
            && self.values.iter().zip(&other.values).all(same)
    }
}

impl Counters {
    /// A table of these columns, without lines.
    pub fn new(columns: Vec<Counter>) -> Self {
        Self {
            columns,
            values: Vec::new(),
        }
    }

    /// What was counted.
    pub fn columns(&self) -> &[Counter] {
        &self.columns
    }

    /// The column of this name.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// Lines in the table.
    pub fn len(&self) -> usize {
        self.values
            .len()
            .checked_div(self.columns.len())
            .unwrap_or(0)
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// A value; `None` where it is missing, or there is no such line or column.
    pub fn get(&self, line: usize, column: usize) -> Option<f64> {
        if column >= self.columns.len() {
            return None;
        }
        let value = *self.values.get(line * self.columns.len() + column)?;
        (!value.is_nan()).then_some(value)
    }

    /// Adds a column in which nothing is known yet; says which.
    pub fn add_column(&mut self, column: Counter) -> usize {
        let (lines, width) = (self.len(), self.columns.len());
        self.columns.push(column);
        let mut values = Vec::with_capacity(lines * (width + 1));
        for line in 0..lines {
            values.extend_from_slice(&self.values[line * width..(line + 1) * width]);
            values.push(f64::NAN);
        }
        self.values = values;
        width
    }

    /// Adds a line on which nothing is known yet; says which.
    pub fn add_line(&mut self) -> usize {
        let line = self.len();
        self.values.extend(self.columns.iter().map(|_| f64::NAN));
        line
    }

    /// Adds a launch's value to a line's sum; what is negative, or makes it too large for a number, is refused.
    pub fn add(&mut self, line: usize, column: usize, value: f64) -> bool {
        if !value.is_finite() || value < 0.0 || column >= self.columns.len() {
            return false;
        }
        match self.values.get_mut(line * self.columns.len() + column) {
            Some(sum) if sum.is_nan() => *sum = value,
            Some(sum) if (*sum + value).is_finite() => *sum += value,
            Some(_) | None => return false,
        }
        true
    }
}
