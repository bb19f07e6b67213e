//! How a roof follows from what a device is built of: the factors of a product, and what is known of each.
mod known;

use super::cost::{Level, Path};
use super::gpu::{ComputeRoof, Gpu, MemoryRoof, Sourced};
use super::quantity::{ByteRate, Count, FlopRate, Quantity};
use super::units::{self, ParseError, Unit};

/// A roof that can be derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    Compute(Path),
    Memory(Level),
}

impl Target {
    /// The roof's name: `BF16 matrix peak`, `L2 bandwidth`.
    pub fn name(self) -> String {
        match self {
            Self::Compute(path) => format!("{path} peak"),
            Self::Memory(level) => format!("{} bandwidth", level.name()),
        }
    }
}

/// What a factor counts, which decides how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counts {
    Things,
    Bytes,
    Bits,
    Clock,
    Rate,
}

/// One factor of a product, as text that may still be edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Factor {
    pub name: &'static str,
    pub counts: Counts,
    pub text: String,
    /// Where the text is from, or what to write.
    pub note: String,
}

impl Factor {
    /// The factor as it stands in the product, or what is to be written instead.
    fn written(&self) -> Result<String, String> {
        let text = self.text.trim();
        let (unit, suffix, example) = match self.counts {
            Counts::Things => (Unit::One, "", "a number such as 2048"),
            Counts::Bytes => (Unit::Byte, " B", "bytes such as 128 B"),
            Counts::Bits => (Unit::Byte, " bit", "a width such as 5120 bit"),
            Counts::Clock => (Unit::Hertz, "", "a clock such as 2.1 GHz"),
            Counts::Rate => (Unit::BytePerSecond, "", "a rate such as 25 GB/s"),
        };
        if text.is_empty() {
            return Err(format!("{} is not known: write {example}", self.name));
        }
        // A bare number is in the factor's own unit.
        let bare = text.ends_with(|c: char| c.is_ascii_digit());
        let text = match bare {
            true => format!("{text}{suffix}"),
            false => text.to_owned(),
        };
        let name = self.name;
        let value = units::parse(&text, unit).map_err(|error| match error {
            ParseError::NoNumber { .. } | ParseError::WrongUnit { .. } => {
                format!("{name}: {text:?} cannot be read: write {example}")
            }
            error => format!("{name}: {error}"),
        })?;
        if value <= 0.0 {
            return Err(format!("{} must be more than zero", self.name));
        }
        if self.counts == Counts::Clock && value < 1e6 {
            return Err(format!("{}: write {example}, with its unit", self.name));
        }
        Ok(text)
    }

    /// The value, where the text is one.
    fn value(&self) -> Option<f64> {
        let unit = match self.counts {
            Counts::Things => Unit::One,
            Counts::Bytes | Counts::Bits => Unit::Byte,
            Counts::Clock => Unit::Hertz,
            Counts::Rate => Unit::BytePerSecond,
        };
        units::parse(&self.written().ok()?, unit).ok()
    }
}

/// A roof as a product of factors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Product {
    pub target: Target,
    pub factors: Vec<Factor>,
}

impl Product {
    /// The product a roof of this device would be, filled with what the device knows.
    pub fn of(gpu: &Gpu, target: Target) -> Self {
        let factors = known::factors(gpu, target);
        let mut product = Self { target, factors };
        if let Some(before) = product.derivation(gpu) {
            product.fill(&before);
        }
        product
    }

    /// What the roof was derived from before.
    fn derivation(&self, gpu: &Gpu) -> Option<String> {
        match self.target {
            Target::Compute(path) => gpu.compute_roof(path)?.peak.derivation.clone(),
            Target::Memory(level) => gpu.memory_roof(level)?.bandwidth.derivation.clone(),
        }
    }

    /// Takes the factors of a product typed before, if it has as many.
    fn fill(&mut self, product: &str) {
        let texts: Vec<&str> = product.split('×').map(str::trim).collect();
        if texts.len() == self.factors.len() {
            for (factor, text) in self.factors.iter_mut().zip(texts) {
                text.clone_into(&mut factor.text);
                factor.note = "as derived before".to_owned();
            }
        }
    }

    /// `304 × 2048 × 2.1 GHz`, or which factor is missing or unreadable.
    pub fn text(&self) -> Result<String, String> {
        let written: Result<Vec<_>, _> = self.factors.iter().map(Factor::written).collect();
        Ok(written?.join(" × "))
    }

    /// What it comes to, for reading.
    pub fn result(&self) -> Result<String, String> {
        let text = self.text()?;
        match self.target {
            Target::Compute(_) => rate::<FlopRate>(&text).map(|number| number.value.to_string()),
            Target::Memory(_) => rate::<ByteRate>(&text).map(|number| number.value.to_string()),
        }
    }

    /// Makes it the device's number; the published one stays beside it to go back to.
    pub fn apply(&self, gpu: &mut Gpu) -> Result<(), String> {
        let text = self.text()?;
        match self.target {
            Target::Compute(path) => {
                let derived = rate::<FlopRate>(&text)?;
                match gpu.compute_roof_mut(path) {
                    Some(roof) => derive(&mut roof.peak, derived),
                    None => gpu.compute.push(ComputeRoof::new(path, derived)),
                }
            }
            Target::Memory(level) => {
                let derived = rate::<ByteRate>(&text)?;
                let roof = match gpu.memory.iter().position(|roof| roof.level == level) {
                    Some(at) => &mut gpu.memory[at],
                    None => gpu.add_memory_roof(level, derived.clone()),
                };
                derive(&mut roof.bandwidth, derived);
                if level.is_link() {
                    let links = self.factors.first().and_then(Factor::value);
                    roof.links = links.and_then(|count| Count::try_from(count).ok());
                }
            }
        }
        Ok(())
    }
}

fn rate<Q: Quantity>(product: &str) -> Result<Sourced<Q>, String> {
    Sourced::derived(product).map_err(|error| error.to_string())
}

fn derive<Q: Quantity>(number: &mut Sourced<Q>, derived: Sourced<Q>) {
    number.set_own(derived.value);
    number.derivation = derived.derivation;
}

impl Gpu {
    /// Adds a memory roof at its place in the hierarchy.
    pub fn add_memory_roof(
        &mut self,
        level: Level,
        bandwidth: Sourced<ByteRate>,
    ) -> &mut MemoryRoof {
        let place = |level: Level| Level::ALL.iter().position(|known| *known == level);
        let after = |roof: &MemoryRoof| place(roof.level) > place(level);
        let at = self
            .memory
            .iter()
            .position(after)
            .unwrap_or(self.memory.len());
        self.memory.insert(at, MemoryRoof::new(level, bandwidth));
        &mut self.memory[at]
    }

    /// Caches whose size is known and whose bandwidth is not.
    pub fn caches_without_bandwidth(&self) -> impl Iterator<Item = Level> {
        let caches = [Level::Llc, Level::L2, Level::L1].into_iter();
        caches.filter(|level| {
            self.parts.cache_text(*level).is_some() && self.memory_roof(*level).is_none()
        })
    }
}
