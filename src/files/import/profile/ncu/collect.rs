//! Launches of an Nsight Compute file being added up, whichever way round its table lies.
use super::metrics::{Attribute, How, MATRIX_USED, Meaning, SHARE, SHARE_PER_BIT, StrangeUnit};
use crate::files::import::profile::number::{self, Decimal, Wrong};
use crate::model::profile::{Builder, CYCLES, Counter, Launch};
use regex::Regex;
use std::collections::HashMap;
use std::sync::LazyLock;

/// A column of counters, and how its values come about.
pub struct Column {
    /// The counter's own name.
    pub base: String,
    pub how: How,
    /// Whether it counts what the vector unit did.
    is_vector: bool,
    /// Whether it counts what the matrix unit did.
    is_matrix: bool,
}

/// What a metric does to the launch at hand, found once per metric.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Effect {
    Nothing,
    Time(f64),
    Cycles(f64),
    ComputeClock(f64),
    MemoryClock(f64),
    Column(usize, f64),
    MatrixUsed,
    Share,
    L2HitRate,
    Attribute(Attribute),
    Block,
    Grid,
}

/// A mean weighed by time, and its extremes.
#[derive(Debug, Clone, Copy)]
pub struct Mean {
    sum: f64,
    weight: f64,
    pub least: f64,
    pub most: f64,
}

impl Mean {
    const NONE: Self = Self {
        sum: 0.0,
        weight: 0.0,
        least: f64::INFINITY,
        most: 0.0,
    };

    fn add(&mut self, value: f64, weight: f64) {
        self.sum += value * weight;
        self.weight += weight;
        self.least = self.least.min(value);
        self.most = self.most.max(value);
    }

    pub fn value(&self) -> Option<f64> {
        (self.weight > 0.0).then(|| self.sum / self.weight)
    }
}

/// What is known of the launch at hand.
#[derive(Default)]
struct Current {
    name: String,
    block: String,
    grid: String,
    time: Option<f64>,
    cycles: Option<f64>,
    compute_clock: Option<f64>,
    memory_clock: Option<f64>,
    share: Option<f64>,
    matrix: bool,
    /// Per column; NaN where there is no value.
    values: Vec<f64>,
}

/// Everything that was read so far.
pub struct Collector {
    pub builder: Builder,
    pub columns: Vec<Column>,
    found: HashMap<(String, How), usize>,
    /// The column of `CYCLES`.
    cycles: Option<usize>,
    current: Current,
    shape: String,
    pub decimal: Decimal,
    pub compute_clock: Mean,
    pub memory_clock: Mean,
    pub attributes: Vec<(Attribute, String)>,
    pub launches: u64,
    pub with_time: u64,
    /// Launches whose matrix work is not told, and one of their kernels.
    pub matrix_unknown: u64,
    pub matrix_kernel: Option<String>,
    /// The highest L2 hit rate, in %.
    pub l2_hit_rate: f64,
    /// A launch with its share of the DRAM peak, its memory clock in Hz, and its time in s.
    pub share: Option<(f64, Option<f64>, Option<f64>)>,
    /// Metrics whose units are not known.
    pub strange: Vec<StrangeUnit>,
}

/// As many metrics of strange units are told; a file of more is broken otherwise.
const MOST_STRANGE: usize = 8;

impl Collector {
    pub fn new(decimal: Decimal) -> Self {
        Self {
            builder: Builder::new(Vec::new()),
            columns: Vec::new(),
            found: HashMap::new(),
            cycles: None,
            current: Current::default(),
            shape: String::new(),
            decimal,
            compute_clock: Mean::NONE,
            memory_clock: Mean::NONE,
            attributes: Vec::new(),
            launches: 0,
            with_time: 0,
            matrix_unknown: 0,
            matrix_kernel: None,
            l2_hit_rate: 0.0,
            share: None,
            strange: Vec::new(),
        }
    }

    /// What a metric will do, making room for it.
    pub fn effect(&mut self, meaning: Meaning) -> Effect {
        match meaning {
            Meaning::Nothing => Effect::Nothing,
            Meaning::Time(factor) => Effect::Time(factor),
            Meaning::Cycles(factor) => Effect::Cycles(factor),
            Meaning::ComputeClock(factor) => Effect::ComputeClock(factor),
            Meaning::MemoryClock(factor) => Effect::MemoryClock(factor),
            Meaning::Counter(base, how, factor) => Effect::Column(self.column(base, how), factor),
            Meaning::MatrixUsed => Effect::MatrixUsed,
            Meaning::ShareOfDram => Effect::Share,
            Meaning::L2HitRate => Effect::L2HitRate,
            Meaning::Attribute(attribute) => Effect::Attribute(attribute),
            Meaning::Block => Effect::Block,
            Meaning::Grid => Effect::Grid,
            Meaning::StrangeUnit(strange) => {
                if !self.strange.contains(&strange) && self.strange.len() < MOST_STRANGE {
                    self.strange.push(strange);
                }
                Effect::Nothing
            }
        }
    }

    fn column(&mut self, base: String, how: How) -> usize {
        let key = (base, how);
        if let Some(column) = self.found.get(&key) {
            return *column;
        }
        let name = match how {
            How::Counted => key.0.clone(),
            How::PerSecond => format!("{}.per_second × time", key.0),
            How::PerCycle => format!("{}.per_cycle_elapsed × cycles", key.0),
        };
        let unit = match (key.0.contains("bytes") && key.0 != SHARE_PER_BIT) || key.0 == SHARE {
            true => "B",
            false => "",
        };
        let column = self.builder.column(Counter {
            name,
            unit: unit.to_owned(),
        });
        self.columns.push(Column {
            is_vector: key.0.contains("sass_thread_inst"),
            is_matrix: key.0.starts_with("sm__ops_path_tensor"),
            base: key.0.clone(),
            how,
        });
        self.found.insert(key, column);
        column
    }

    /// Ends the launch at hand, and begins another.
    pub fn begin(&mut self, name: &str, block: &str, grid: &str) {
        self.end();
        let current = &mut self.current;
        current.name.clear();
        current.name.push_str(name);
        block.clone_into(&mut current.block);
        grid.clone_into(&mut current.grid);
        self.launches += 1;
    }

    /// Takes a value of the launch at hand.
    #[inline]
    pub fn take(&mut self, effect: Effect, text: &[u8]) -> Result<(), Wrong> {
        match effect {
            Effect::Nothing => return Ok(()),
            Effect::Attribute(attribute) => {
                self.attribute(attribute, text);
                return Ok(());
            }
            Effect::Block | Effect::Grid => {
                let text = String::from_utf8_lossy(&text[..text.len().min(64)]).into_owned();
                match effect {
                    Effect::Block => self.current.block = text,
                    _ => self.current.grid = text,
                }
                return Ok(());
            }
            _ => {}
        }
        let Some(value) = number::parse(text, self.decimal)? else {
            return Ok(());
        };
        let current = &mut self.current;
        match effect {
            Effect::Column(column, factor) => {
                if current.values.len() <= column {
                    current.values.resize(column + 1, f64::NAN);
                }
                current.values[column] = scaled(value, factor);
            }
            Effect::Time(factor) => current.time = Some(scaled(value, factor)),
            Effect::Cycles(factor) => current.cycles = Some(scaled(value, factor)),
            Effect::ComputeClock(factor) => current.compute_clock = Some(scaled(value, factor)),
            Effect::MemoryClock(factor) => current.memory_clock = Some(scaled(value, factor)),
            Effect::MatrixUsed => current.matrix |= value > 0.0,
            Effect::Share => current.share = Some(value / 100.0),
            Effect::L2HitRate => self.l2_hit_rate = self.l2_hit_rate.max(value),
            Effect::Nothing | Effect::Attribute(_) | Effect::Block | Effect::Grid => {}
        }
        Ok(())
    }

    fn attribute(&mut self, attribute: Attribute, text: &[u8]) {
        let known = self.attributes.iter().any(|(known, _)| *known == attribute);
        if let (false, Ok(text)) = (known, str::from_utf8(text)) {
            let text = text.chars().take(80).collect();
            self.attributes.push((attribute, text));
        }
    }

    /// An attribute as a number.
    pub fn attribute_value(&self, attribute: Attribute) -> Option<f64> {
        let found = self
            .attributes
            .iter()
            .find(|(known, _)| *known == attribute);
        let value = number::parse(found?.1.as_bytes(), self.decimal).ok()??;
        (value > 0.0).then_some(value)
    }

    /// Values that cannot be: negative counts, times of zero.
    pub fn refused(&self) -> u64 {
        self.builder.refused()
    }

    /// Adds the launch at hand to its kernel.
    pub fn end(&mut self) {
        if self.current.name.is_empty() {
            return;
        }
        if self.current.share.is_some() {
            self.share();
        }
        let current = &mut self.current;
        if let (None, Some(cycles), Some(clock)) =
            (current.time, current.cycles, current.compute_clock)
        {
            current.time = (clock > 0.0).then(|| cycles / clock);
        }
        let weight = current.time.unwrap_or(1.0);
        for (clock, mean) in [
            (current.compute_clock, &mut self.compute_clock),
            (current.memory_clock, &mut self.memory_clock),
        ] {
            if let Some(clock) = clock.filter(|clock| *clock > 0.0) {
                mean.add(clock, weight);
            }
        }
        let cycles = match (current.cycles, current.compute_clock, current.time) {
            (Some(cycles), ..) => Some(cycles),
            (None, Some(clock), Some(time)) => Some(clock * time),
            _ => None,
        };
        if let (Some(clock), Some(time)) = (current.compute_clock, current.time) {
            self.own_clock(clock * time);
        }
        let current = &mut self.current;
        let mut counts_matrix = false;
        for (column, value) in self.columns.iter().zip(&mut current.values) {
            match column.how {
                How::Counted => {}
                How::PerSecond => *value *= current.time.unwrap_or(f64::NAN),
                How::PerCycle => *value *= cycles.unwrap_or(f64::NAN),
            }
            counts_matrix |= column.is_matrix && !value.is_nan();
        }
        let vector = self.columns.iter().zip(&current.values);
        let mut vector = vector.filter(|(column, value)| column.is_vector && !value.is_nan());
        // Zero from the vector unit alone is no zero of a kernel that is named after the matrix unit.
        let mut is_named = || vector.next().is_some() && OF_MATRIX.is_match(&current.name);
        let unknown = !counts_matrix && (current.matrix || is_named());
        if unknown {
            self.matrix_unknown += 1;
            self.matrix_kernel
                .get_or_insert_with(|| current.name.clone());
            // What the vector unit did is only a part of the work, and would pass for all of it.
            for (column, value) in self.columns.iter().zip(&mut current.values) {
                if column.is_vector {
                    *value = f64::NAN;
                }
            }
        }
        self.shape.clear();
        shape(&mut self.shape, "grid ", &current.grid);
        shape(&mut self.shape, "block ", &current.block);
        let launch = Launch {
            name: &current.name,
            shape: &self.shape,
            time: current.time,
            derivation: unknown.then_some(MATRIX_USED),
        };
        self.with_time += u64::from(current.time.is_some());
        let values = current.values.iter();
        self.builder.add(
            launch,
            values.map(|value| (!value.is_nan()).then_some(*value)),
        );
        current.name.clear();
        current.values.fill(f64::NAN);
        current.time = None;
        current.cycles = None;
        current.compute_clock = None;
        current.memory_clock = None;
        current.share = None;
        current.matrix = false;
    }

    /// Counts the cycles a launch took.
    fn own_clock(&mut self, cycles: f64) {
        let column = match self.cycles {
            Some(column) => column,
            None => self.column(CYCLES.to_owned(), How::Counted),
        };
        self.cycles = Some(column);
        if self.current.values.len() <= column {
            self.current.values.resize(column + 1, f64::NAN);
        }
        self.current.values[column] = cycles;
    }

    /// Traffic from a share of the peak, where the bus is known: the memory moves data twice a cycle.
    fn share(&mut self) {
        let (Some(share), clock) = (self.current.share, self.current.memory_clock) else {
            return;
        };
        let time = self.current.time;
        self.share.get_or_insert((share, clock, time));
        let bus = self.attribute_value(Attribute::BusBits);
        if let (Some(clock), Some(time)) = (clock, time) {
            let (name, bits) = match bus {
                Some(bits) => (SHARE, bits),
                None => (SHARE_PER_BIT, 1.0),
            };
            let column = self.column(name.to_owned(), How::Counted);
            if self.current.values.len() <= column {
                self.current.values.resize(column + 1, f64::NAN);
            }
            self.current.values[column] = share * 2.0 * clock * bits / 8.0 * time;
        }
    }
}

/// Parts of names of kernels that use the matrix unit.
static OF_MATRIX: LazyLock<Regex> = LazyLock::new(|| {
    let parts = "mma|tensorop|cutlass|flash|fmha|attention|s16816|s1688";
    Regex::new(parts).expect("a sound pattern")
});

/// Multiplies; by nanoseconds and the like as a division, which is rounded once.
fn scaled(value: f64, factor: f64) -> f64 {
    match factor < 1.0 {
        true => value / (1.0 / factor).round(),
        false => value * factor,
    }
}

/// Adds a part of a launch shape: `(256, 1, 1)` becomes `block 256×1×1`.
fn shape(out: &mut String, word: &str, sizes: &str) {
    let mut first = true;
    for size in sizes.split(|c: char| !c.is_ascii_digit()) {
        if size.is_empty() {
            continue;
        }
        match (first, out.is_empty()) {
            (true, true) => out.push_str(word),
            (true, false) => {
                out.push_str(", ");
                out.push_str(word);
            }
            (false, _) => out.push('×'),
        }
        out.push_str(size);
        first = false;
    }
}
