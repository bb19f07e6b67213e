//! How a roof follows from what a device is built of: the factors of a product, and what is known of each.
use super::cost::{Level, Path};
use super::gpu::{Basis, ComputeRoof, Gpu, MemoryRoof, Sourced};
use super::quantity::{ByteRate, Count, FlopRate, Hertz, Quantity};
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
    fn new(name: &'static str, counts: Counts, known: Known) -> Self {
        let Known { text, note } = known;
        Self {
            name,
            counts,
            text,
            note,
        }
    }

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

/// What is known of a factor: its text, empty where nothing is, and where that is from.
struct Known {
    text: String,
    note: String,
}

impl Known {
    fn nothing(note: &str) -> Self {
        Self::text("", note)
    }

    fn text(text: &str, note: &str) -> Self {
        Self {
            text: text.to_owned(),
            note: note.to_owned(),
        }
    }

    fn sourced<Q: Quantity>(number: Option<&Sourced<Q>>, otherwise: &str) -> Self {
        let Some(number) = number else {
            return Self::nothing(otherwise);
        };
        let note = match number.source.as_str() {
            "" => number.basis.name().to_owned(),
            source => format!("{}, {source}", number.basis.name()),
        };
        Self::text(&number.value.exact(), &note)
    }
}

impl Product {
    /// The product a roof of this device would be, filled with what the device knows.
    pub fn of(gpu: &Gpu, target: Target) -> Self {
        let factors = match target {
            Target::Compute(path) => compute(gpu, path),
            Target::Memory(Level::Dram) => dram(),
            Target::Memory(Level::L1) => l1(gpu),
            Target::Memory(level @ (Level::L2 | Level::Llc)) => cache(gpu, level),
            Target::Memory(level) => link(gpu, level),
        };
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

const UNITS: &str = "Compute units";
const CLOCK: &str = "Clock";
const UNITS_NOTE: &str = "SMs, CUs or cores of the device";
const CLOCK_NOTE: &str = "the clock the figure is meant at";

fn compute(gpu: &Gpu, path: Path) -> Vec<Factor> {
    let peak = gpu
        .compute_roof(path)
        .and_then(|roof| published(&roof.peak));
    let (per_clock, clock) = per_unit_and_clock(gpu, peak, "the published peak");
    let per_clock = per_clock
        .unwrap_or_else(|| Known::nothing("of one unit, a fused multiply-add counted as two"));
    vec![
        Factor::new(
            UNITS,
            Counts::Things,
            Known::sourced(gpu.parts.units.as_ref(), UNITS_NOTE),
        ),
        Factor::new("FLOP per clock", Counts::Things, per_clock),
        Factor::new(CLOCK, Counts::Clock, clock),
    ]
}

fn l1(gpu: &Gpu) -> Vec<Factor> {
    let rate = gpu
        .memory_roof(Level::L1)
        .and_then(|roof| published(&roof.bandwidth));
    let (per_clock, clock) = per_unit_and_clock(gpu, rate, "the published bandwidth");
    // What the derived figures built in use; within 4 % of measurements on A100, V100, H100 PCIe and MI300X.
    let per_clock = per_clock.unwrap_or_else(|| {
        Known::nothing("of one unit: 128 B in an SM of V100, A100 and H100, 64 B in a CU of CDNA 3")
    });
    vec![
        Factor::new(
            UNITS,
            Counts::Things,
            Known::sourced(gpu.parts.units.as_ref(), UNITS_NOTE),
        ),
        Factor::new("Bytes per clock", Counts::Bytes, per_clock),
        Factor::new(CLOCK, Counts::Clock, clock),
    ]
}

/// Caches that all units share: of slices, whose number is rarely published.
fn cache(gpu: &Gpu, level: Level) -> Vec<Factor> {
    let clock = gpu.parts.clock.as_ref();
    let rate = gpu
        .memory_roof(level)
        .and_then(|roof| published(&roof.bandwidth));
    let per_clock = rate.zip(clock).map(|(rate, clock)| {
        let (text, _) = round(rate / clock.value.get());
        Known::text(&text, "follows from the published bandwidth")
    });
    let per_clock = per_clock.unwrap_or_else(|| {
        Known::nothing("of one slice, or of all: 2048 B on V100, 5120 B on A100")
    });
    vec![
        Factor::new(
            "Slices",
            Counts::Things,
            Known::text("1", "1 if the bytes per clock are those of the whole cache"),
        ),
        Factor::new("Bytes per clock", Counts::Bytes, per_clock),
        Factor::new(CLOCK, Counts::Clock, Known::sourced(clock, CLOCK_NOTE)),
    ]
}

fn dram() -> Vec<Factor> {
    vec![
        Factor::new(
            "Bus width",
            Counts::Bits,
            Known::nothing("of all stacks or chips together, in bits"),
        ),
        Factor::new(
            "Memory clock",
            Counts::Clock,
            Known::nothing("half of what is quoted in Gbit/s per pin, at double rate"),
        ),
        Factor::new(
            "Transfers per clock",
            Counts::Things,
            Known::text("2", "double data rate"),
        ),
    ]
}

fn link(gpu: &Gpu, level: Level) -> Vec<Factor> {
    let roof = gpu.memory_roof(level);
    let links = roof.and_then(|roof| roof.links);
    let rate = roof.and_then(|roof| published(&roof.bandwidth));
    let (count, each) = match (links, rate) {
        (Some(links), Some(rate)) => {
            let each = ByteRate::try_from(rate / links.get());
            let each = each.map_or(String::new(), Quantity::exact);
            (
                Known::text(&links.exact(), "known of this device"),
                Known::text(&each, "follows from the published bandwidth"),
            )
        }
        _ => (
            Known::nothing("lanes, links or ports that are used together"),
            Known::nothing("of one of them, per direction: half of a figure for both ways"),
        ),
    };
    vec![
        Factor::new("Links", Counts::Things, count),
        Factor::new("Each, per direction", Counts::Rate, each),
    ]
}

/// The number that somebody published, whatever stands there now.
fn published<Q: Quantity>(number: &Sourced<Q>) -> Option<f64> {
    let now = (number.value, number.basis);
    let (value, basis) = number.original.unwrap_or(now);
    (basis == Basis::Theoretical).then(|| value.get())
}

/// What one unit does per clock to reach a published rate, and the clock at which that comes out whole.
fn per_unit_and_clock(gpu: &Gpu, rate: Option<f64>, whose: &str) -> (Option<Known>, Known) {
    let parts = &gpu.parts;
    let clocks = [parts.clock.as_ref(), parts.matrix_clock.as_ref()];
    let usual = Known::sourced(clocks[0], CLOCK_NOTE);
    let Some((rate, units)) = rate.zip(parts.units.as_ref()) else {
        return (None, usual);
    };
    let per = |clock: &Sourced<Hertz>| rate / (units.value.get() * clock.value.get());
    let fits = clocks
        .into_iter()
        .flatten()
        .find(|clock| round(per(clock)).1);
    let Some(clock) = fits.or(clocks[0]) else {
        return (None, usual);
    };
    let (text, whole) = round(per(clock));
    let mut note = format!("follows from {whose}");
    if !whole {
        // Boost is not always the clock that a peak is published at.
        let power = 2f64.powf(per(clock).log2().round());
        let at = rate / (units.value.get() * power);
        let near = (0.85..=1.15).contains(&(at / clock.value.get()));
        if near && let Ok(at) = Hertz::try_from(at) {
            note += &format!("; {} would mean {at}", units::number(power));
        }
    }
    let clock = Known::sourced(Some(clock), CLOCK_NOTE);
    (Some(Known { text, note }), clock)
}

/// A number per clock as text, and whether it is the power of two it was meant to be: published figures are rounded.
fn round(value: f64) -> (String, bool) {
    let power = 2f64.powf(value.log2().round());
    if (value / power - 1.0).abs() <= 0.005 {
        return (format!("{power}"), true);
    }
    let decimals = if value >= 100.0 { 0 } else { 2 };
    (format!("{value:.decimals$}"), false)
}
