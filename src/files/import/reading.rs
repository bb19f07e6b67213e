//! A device file being read: figures become roofs, and what cannot be used is told.
use super::file::DeviceFile;
use super::{ImportError, Imported};
use crate::model::cost::{Level, Path};
use crate::model::gpu::{Basis, ComputeRoof, Gpu, MemoryRoof, Sourced};
use crate::model::quantity::{Bytes, FlopRate, Quantity};
use std::collections::HashSet;

/// The most devices that are taken from one file.
const MOST_DEVICES: usize = 64;

/// The most sentences of a kind that are kept, and names in one of them: nobody reads more.
const MOST_SENTENCES: usize = 100;
const MOST_NAMES: usize = 20;

/// The most characters of a name or a label that are told.
const LONGEST: usize = 60;

/// A figure as it stands in a file.
pub(super) struct Figure<'a> {
    /// What the file calls it, for messages.
    pub label: &'a str,
    /// The number as it is written.
    pub text: &'a str,
    /// The unit the number is in, which the format fixes.
    pub unit: &'static str,
    pub basis: Basis,
}

/// What has been read of a file so far.
pub(super) struct Reading {
    format: &'static str,
    source: String,
    gpus: Vec<Gpu>,
    read: Vec<String>,
    ignored: Vec<String>,
}

impl Reading {
    pub fn new(format: &'static str, file: &DeviceFile<'_>) -> Self {
        Self {
            format,
            source: format!("{format}, {}", file.name),
            gpus: Vec::new(),
            read: Vec::new(),
            ignored: Vec::new(),
        }
    }

    /// Tells, once, how something was read.
    pub fn tell(&mut self, sentence: impl Into<String>) {
        push_once(&mut self.read, sentence.into());
    }

    /// Tells, once, that something is not used.
    pub fn ignore(&mut self, sentence: impl Into<String>) {
        push_once(&mut self.ignored, sentence.into());
    }

    /// Tells which fields are not used, if any.
    pub fn ignore_fields(&mut self, mut names: Vec<&str>) {
        let mut seen = HashSet::new();
        names.retain(|name| seen.insert(*name));
        if names.is_empty() {
            return;
        }
        let more = match names.len().saturating_sub(MOST_NAMES) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let told: Vec<_> = names.iter().take(MOST_NAMES).map(|n| short(n)).collect();
        self.ignore(format!("not used: {}{more}", told.join(", ")));
    }

    /// Tells which name two columns of a table have, if any; the first of them is read.
    pub fn ignore_twins<'n>(&mut self, columns: impl Iterator<Item = &'n str>) {
        let mut seen = HashSet::new();
        for name in columns.filter(|name| !name.is_empty()) {
            if !seen.insert(name.to_ascii_lowercase()) {
                let name = short(name);
                self.ignore(format!(
                    "two columns are called {name:?}: only the first is read"
                ));
            }
        }
    }

    /// Makes a figure a compute roof, or the other basis of one that is there.
    pub fn compute(&mut self, gpu: &mut Gpu, path: Path, figure: &Figure<'_>) {
        let Some(number) = self.sourced::<FlopRate>(gpu, figure) else {
            return;
        };
        let known = gpu.compute.iter_mut().find(|roof| roof.path == path);
        let taken = match known {
            None => {
                gpu.compute.push(ComputeRoof::new(path, number));
                true
            }
            Some(roof) => join(&roof.peak, &mut roof.achievable, number),
        };
        if !taken {
            self.twice(gpu, figure, &path.to_string());
        }
    }

    /// Makes a figure a memory roof, or the other basis of one that is there.
    pub fn memory(&mut self, gpu: &mut Gpu, level: Level, figure: &Figure<'_>) {
        let Some(number) = self.sourced(gpu, figure) else {
            return;
        };
        let known = gpu.memory.iter_mut().find(|roof| roof.level == level);
        let taken = match known {
            None => {
                gpu.memory.push(MemoryRoof::new(level, number));
                true
            }
            Some(roof) => join(&roof.bandwidth, &mut roof.achievable, number),
        };
        if !taken {
            self.twice(gpu, figure, level.name());
        }
    }

    /// Makes a figure the capacity.
    pub fn capacity(&mut self, gpu: &mut Gpu, figure: &Figure<'_>) {
        let capacity = self.sourced::<Bytes>(gpu, figure);
        gpu.capacity = capacity.map(|number| number.value);
    }

    fn twice(&mut self, gpu: &Gpu, figure: &Figure<'_>, roof: &str) {
        self.ignore(format!(
            "{}: {} is skipped, since there is a {roof} roof already",
            gpu.name,
            short(figure.label)
        ));
    }

    /// The number with where it comes from; one that cannot be used is told.
    fn sourced<Q: Quantity>(&mut self, gpu: &Gpu, figure: &Figure<'_>) -> Option<Sourced<Q>> {
        match number(figure.text, figure.unit) {
            Ok(value) => Some(Sourced {
                basis: figure.basis,
                ..Sourced::theoretical(value, self.source.clone())
            }),
            Err(reason) => {
                let label = short(figure.label);
                self.ignore(format!("{}: {label} is skipped: {reason}", gpu.name));
                None
            }
        }
    }

    /// Keeps a device that has a roof.
    pub fn add(&mut self, mut gpu: Gpu) {
        if gpu.compute.is_empty() && gpu.memory.is_empty() {
            self.ignore(format!("{} is left out: no roof of it is known", gpu.name));
        } else if self.gpus.len() == MOST_DEVICES {
            self.ignore(format!(
                "only the first {MOST_DEVICES} devices of the file are read"
            ));
        } else {
            gpu.memory.sort_by_key(|roof| roof.level);
            self.gpus.push(gpu);
        }
    }

    /// What came of it; the devices note how their figures were read.
    pub fn finish(mut self, name: &str) -> Result<Imported, ImportError> {
        if self.gpus.is_empty() {
            return Err(ImportError::Nothing {
                file: name.to_owned(),
                format: self.format,
                first: self.ignored.into_iter().next(),
            });
        }
        for gpu in &mut self.gpus {
            gpu.notes = self.read.join("\n");
        }
        Ok(Imported {
            gpus: self.gpus,
            read: self.read,
            ignored: self.ignored,
        })
    }
}

/// Keeps a sentence that is not there yet, as long as there are not too many.
fn push_once(sentences: &mut Vec<String>, sentence: String) {
    if sentences.len() > MOST_SENTENCES || sentences.contains(&sentence) {
        return;
    }
    sentences.push(match sentences.len() {
        MOST_SENTENCES => "and more like these".to_owned(),
        _ => sentence,
    });
}

/// A name or label on one line, cut where it is longer than anybody reads.
pub(super) fn short(text: &str) -> String {
    let line = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut short: String = line.take(LONGEST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// Takes a measured figure beside a declared one; whether it could be taken.
fn join<Q>(declared: &Sourced<Q>, achievable: &mut Option<Sourced<Q>>, number: Sourced<Q>) -> bool {
    let fits = declared.basis == Basis::Theoretical
        && number.basis == Basis::Achievable
        && achievable.is_none();
    if fits {
        *achievable = Some(number);
    }
    fits
}

/// The number that is written in this unit, exactly: a unit is appended to the text, not multiplied with.
fn number<Q: Quantity>(text: &str, unit: &str) -> Result<Q, String> {
    let text = text.trim();
    let value: f64 = text.parse().map_err(|_| match text {
        "" | "null" => "there is no number".to_owned(),
        text => {
            format!("{:?} is not a number", short(text))
        }
    })?;
    Q::try_from(value).map_err(|reason| reason.to_string())?;
    Q::parse(&format!("{text} {unit}")).map_err(|reason| reason.to_string())
}

/// A device's name on one line, else the name of the file it is in.
pub(super) fn named(name: &str, file: &DeviceFile<'_>) -> Gpu {
    let words: Vec<_> = name.split_whitespace().take(LONGEST).collect();
    match short(&words.join(" ")) {
        name if name.is_empty() => Gpu::empty(short(file.stem())),
        name => Gpu::empty(name),
    }
}
