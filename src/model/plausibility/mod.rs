//! What is odd about the numbers of a GPU, with a suggestion each; nothing is refused.
mod against_published;
mod sparse;

use super::cost::{ComputeUnit, Level, Path};
use super::format::NumberFormat;
use super::gpu::{ComputeRoof, Gpu};
use super::placement::{Placement, Resource};
use super::published::Published;
use super::units;
use std::fmt;

/// What a doubt is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    Peak(Path),
    Bandwidth(Level),
    Capacity,
}

/// Something odd about a number, with a suggestion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubt {
    pub about: About,
    pub text: String,
}

impl Doubt {
    fn peak(path: Path, text: String) -> Self {
        let about = About::Peak(path);
        Self { about, text }
    }

    fn bandwidth(level: Level, text: String) -> Self {
        let about = About::Bandwidth(level);
        Self { about, text }
    }
}

impl About {
    /// Whether a placement asks for the number this is about.
    pub fn concerns(self, placement: &Placement) -> bool {
        let asked = |resource| placement.terms.iter().any(|term| term.resource == resource);
        match self {
            Self::Peak(path) => asked(Resource::Compute(path)),
            Self::Bandwidth(level) => asked(Resource::Memory(level)),
            Self::Capacity => false,
        }
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Whether two numbers are the same within this share.
fn near(one: f64, other: f64, share: f64) -> bool {
    (one / other - 1.0).abs() <= share
}

impl Gpu {
    /// What is odd about the numbers, each with a suggestion; nothing is refused.
    ///
    /// Peaks of 1e10–1e17 FLOP/s, bandwidths of 1e8–1e15 B/s and capacities of 1e8–1e14 B are taken for plausible, and
    /// so is FP8 at once or twice BF16 within 3 %. What has the name of a published device is compared with its figures.
    pub fn doubts(&self, published: &Published) -> Vec<Doubt> {
        let mut doubts = self.out_of_range();
        doubts.extend(self.unlike_published(published));
        doubts.extend(self.sparse_for_dense(published));
        doubts.extend(self.matrix_below_vector());
        doubts.extend(self.odd_ridge());
        doubts.extend(self.cache_below_dram());
        doubts.extend(self.binary_capacity());
        doubts.extend(self.perhaps_sparse(published));
        // One reason to look at a number is enough.
        let mut told: Vec<Doubt> = Vec::new();
        for doubt in doubts {
            if !told.iter().any(|other| other.about == doubt.about) {
                told.push(doubt);
            }
        }
        told
    }

    /// Numbers that no device has.
    fn out_of_range(&self) -> Vec<Doubt> {
        let mut doubts = Vec::new();
        for roof in &self.compute {
            let (path, peak) = (roof.path, roof.peak.value);
            if !(1e10..=1e17).contains(&peak.get()) {
                let text = format!(
                    "{path}: {peak} is outside 10 GFLOP/s to 100 PFLOP/s; is a prefix missing or doubled?"
                );
                doubts.push(Doubt::peak(path, text));
            }
        }
        for roof in &self.memory {
            let (level, bandwidth) = (roof.level.name(), roof.bandwidth.value);
            if !(1e8..=1e15).contains(&bandwidth.get()) {
                let text = format!(
                    "{level}: {bandwidth} is outside 100 MB/s to 1 PB/s; is a prefix missing or doubled?"
                );
                doubts.push(Doubt::bandwidth(roof.level, text));
            }
        }
        if let Some(capacity) = self.capacity
            && !(1e8..=1e14).contains(&capacity.get())
        {
            let text = format!(
                "a capacity of {capacity} is outside 100 MB to 100 TB; is a prefix missing or doubled?"
            );
            let about = About::Capacity;
            doubts.push(Doubt { about, text });
        }
        doubts
    }

    /// A matrix unit that is slower than the vector unit in the same format.
    fn matrix_below_vector(&self) -> Vec<Doubt> {
        let slower = |roof: &&ComputeRoof| {
            let vector = self.compute_roof(Path::vector(roof.path.format));
            roof.path.unit == ComputeUnit::Matrix
                && vector.is_some_and(|v| v.peak.value > roof.peak.value)
        };
        let roofs = self.compute.iter().filter(slower);
        roofs
            .map(|roof| {
                let (path, format) = (roof.path, roof.path.format);
                let text = format!(
                    "{path} is below {format} vector: are the two exchanged, or a prefix missing?"
                );
                Doubt::peak(path, text)
            })
            .collect()
    }

    /// A ridge of 16-bit matrix work on DRAM that no known device has.
    fn odd_ridge(&self) -> Option<Doubt> {
        let formats = [NumberFormat::BF16, NumberFormat::FP16];
        let roof = formats
            .into_iter()
            .find_map(|f| self.compute_roof(Path::matrix(f)))?;
        let bandwidth = self.memory_roof(Level::Dram)?.bandwidth.value;
        let ridge = roof.peak.value / bandwidth;
        let usual = (20.0..=2000.0).contains(&ridge.get());
        (!usual).then(|| {
            let text = format!(
                "the ridge of {} on DRAM is {ridge}, usually 20 to 2,000: has the peak or the bandwidth the wrong prefix?",
                roof.path
            );
            Doubt::peak(roof.path, text)
        })
    }

    /// A capacity of whole GiB, where vendors' labels are decimal.
    fn binary_capacity(&self) -> Option<Doubt> {
        let bytes = self.capacity?.get();
        let gib = bytes / 2f64.powi(30);
        let binary = gib >= 1.0 && gib.fract() == 0.0 && bytes % 1e9 != 0.0;
        binary.then(|| {
            let text = format!(
                "a capacity of {gib} GiB is {} B: vendors label it {gib} GB, which is decimal",
                units::number(bytes)
            );
            let about = About::Capacity;
            Doubt { about, text }
        })
    }

    /// A cache that is slower than the memory behind it.
    fn cache_below_dram(&self) -> Vec<Doubt> {
        let Some(dram) = self
            .memory_roof(Level::Dram)
            .map(|roof| roof.bandwidth.value)
        else {
            return Vec::new();
        };
        let caches = [Level::Llc, Level::L2, Level::L1];
        let roofs = caches
            .into_iter()
            .filter_map(|level| self.memory_roof(level));
        let slower = roofs.filter(|roof| roof.bandwidth.value < dram);
        slower
            .map(|roof| {
                let level = roof.level.name();
                let text = format!(
                    "{level} at {} is slower than DRAM at {dram}: is it per unit, not of all?",
                    roof.bandwidth.value
                );
                Doubt::bandwidth(roof.level, text)
            })
            .collect()
    }
}
