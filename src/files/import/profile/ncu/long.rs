//! The long table of Nsight Compute: a row per metric of a launch.
use super::collect::{Collector, Effect};
use super::metrics;
use super::table::Header;
use crate::files::import::profile::fields;
use crate::files::import::profile::number::Wrong;
use std::collections::{HashMap, HashSet};

/// The most metrics a file may have; the whole of what can be counted is a few thousand.
const MOST_METRICS: usize = 1 << 16;

/// Why a row was not used, or the file cannot be read.
pub enum Trouble {
    Skip(String),
    /// It is no row of a launch.
    Units,
    Stop(String),
}

/// Reads rows, most of which begin as the row before and go on as a row of the launch before.
pub struct Long {
    header: Header,
    /// How rows of the launch at hand begin, and the hash of that.
    start: Vec<u8>,
    hash: u64,
    /// What metrics look like in a row, up to their value, in the order of the launch before.
    expected: Vec<(Box<[u8]>, Effect)>,
    /// Which of `expected` comes next.
    next: usize,
    effects: HashMap<Box<[u8]>, Effect>,
    /// Launches that are over.
    over: HashSet<u64>,
    /// Whether the launch at hand was over before.
    again: bool,
}

impl Long {
    pub fn new(header: Header) -> Self {
        Self {
            header,
            start: Vec::new(),
            hash: 0,
            expected: Vec::new(),
            next: 0,
            effects: HashMap::new(),
            over: HashSet::new(),
            again: false,
        }
    }

    /// Takes a row.
    #[inline]
    pub fn row(&mut self, row: &[u8], collector: &mut Collector) -> Result<(), Trouble> {
        let tail = match row.strip_prefix(self.start.as_slice()) {
            Some(tail) if !self.start.is_empty() => tail,
            _ => {
                self.launch(row, collector)?;
                &row[self.start.len()..]
            }
        };
        if self.again {
            return Err(Trouble::Skip(
                "this launch had other rows before those of another one: sort the rows by ID"
                    .to_owned(),
            ));
        }
        let expected = self.expected.get(self.next);
        if let Some((key, effect)) = expected
            && let Some(value) = tail.strip_prefix(&**key)
        {
            let effect = *effect;
            self.next += 1;
            return take(collector, effect, value, self.header.separator);
        }
        self.metric(tail, collector)
    }

    /// Begins a launch with a row that begins differently.
    fn launch(&mut self, row: &[u8], collector: &mut Collector) -> Result<(), Trouble> {
        let header = &self.header;
        let metric = header.metric.expect("the table is long");
        let mut slices = Vec::with_capacity(header.names.len() + 1);
        fields::split(row, header.separator, &mut slices);
        if slices.len() <= metric.value {
            let reason = format!(
                "it has {} fields instead of {}",
                slices.len(),
                header.names.len()
            );
            return Err(Trouble::Skip(reason));
        }
        let length = slices[metric.first].as_ptr() as usize - row.as_ptr() as usize;
        let field = |at: Option<usize>| at.and_then(|at| fields::text(slices[at]));
        let Some(name) = field(Some(header.kernel)) else {
            return Err(Trouble::Stop(
                "the name of the kernel is not UTF-8 text: save or export the file as UTF-8"
                    .to_owned(),
            ));
        };
        let id = fields::unquoted(slices[header.id]);
        if id.is_empty() || !id.iter().all(u8::is_ascii_digit) {
            return Err(Trouble::Skip("it has no launch ID".to_owned()));
        }
        if name.is_empty() {
            return Err(Trouble::Skip("it has no kernel name".to_owned()));
        }
        if !self.start.is_empty() {
            self.over.insert(self.hash);
        }
        self.start.clear();
        self.start.extend_from_slice(&row[..length]);
        self.next = 0;
        self.hash = xxhash_rust::xxh3::xxh3_64(&self.start);
        self.again = self.over.contains(&self.hash);
        if !self.again {
            let (block, grid) = (field(header.block), field(header.grid));
            collector.begin(
                &name,
                block.as_deref().unwrap_or(""),
                grid.as_deref().unwrap_or(""),
            );
        }
        Ok(())
    }

    /// Takes a metric that is not the one the launch before had in this place.
    fn metric(&mut self, tail: &[u8], collector: &mut Collector) -> Result<(), Trouble> {
        let metric = self.header.metric.expect("the table is long");
        let separator = self.header.separator;
        let mut slices = Vec::new();
        fields::split(tail, separator, &mut slices);
        let at = |column: usize| slices.get(column - metric.first).copied();
        let (Some(name), Some(unit), Some(value)) =
            (at(metric.name), at(metric.unit), at(metric.value))
        else {
            return Err(Trouble::Skip("the row is cut off".to_owned()));
        };
        let length = value.as_ptr() as usize - tail.as_ptr() as usize;
        let key = &tail[..length];
        let effect = match self.effects.get(key) {
            Some(effect) => *effect,
            None if self.effects.len() == MOST_METRICS => {
                return Err(Trouble::Stop(format!(
                    "it has more than {MOST_METRICS} metrics, as no profile has"
                )));
            }
            None => {
                let name = fields::text(name).unwrap_or_default();
                let unit = fields::text(unit).unwrap_or_default();
                let effect = collector.effect(metrics::meaning(&name, &unit));
                self.effects.insert(key.into(), effect);
                effect
            }
        };
        // The next launch most likely has the same metrics in the same order.
        if let Some(place) = self.expected.get_mut(self.next) {
            *place = (key.into(), effect);
        } else if self.expected.len() < MOST_METRICS {
            self.expected.push((key.into(), effect));
        }
        self.next += 1;
        take(collector, effect, &tail[length..], separator)
    }
}

/// Takes the value that a row goes on with.
#[inline]
fn take(
    collector: &mut Collector,
    effect: Effect,
    rest: &[u8],
    separator: u8,
) -> Result<(), Trouble> {
    if effect == Effect::Nothing {
        return Ok(());
    }
    let quoted = rest
        .strip_prefix(b"\"")
        .and_then(|inner| Some(&inner[..memchr::memchr(b'"', inner)?]));
    let value = match quoted {
        Some(value) => value,
        None => &rest[..memchr::memchr(separator, rest).unwrap_or(rest.len())],
    };
    collector
        .take(effect, value)
        .map_err(|wrong| refused(wrong, value, collector))
}

/// What to say of a value that is no number.
pub fn refused(wrong: Wrong, value: &[u8], collector: &Collector) -> Trouble {
    let value = String::from_utf8_lossy(&value[..value.len().min(40)]).into_owned();
    match wrong {
        Wrong::NoNumber => Trouble::Skip(format!("{value:?} is no number")),
        Wrong::OtherDecimal => Trouble::Stop(format!(
            "{value:?} contradicts the numbers before, which are written like {}: export the file again with LC_ALL=C",
            collector.decimal.example()
        )),
    }
}
