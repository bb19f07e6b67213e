//! What is odd about the numbers of a GPU, with a suggestion each; nothing is refused.
use super::cost::{ComputeUnit, Level, Path};
use super::format::NumberFormat;
use super::gpu::{Basis, ComputeRoof, Gpu};
use super::quantity::{FlopRate, Quantity};
use super::units;

impl Gpu {
    /// What is odd about the numbers, each with a suggestion; nothing is refused.
    ///
    /// Peaks of 1e10–1e17 FLOP/s and bandwidths of 1e8–1e15 B/s are taken for plausible, and so is FP8 at
    /// once or twice BF16 within 3 %.
    pub fn doubts(&self) -> Vec<String> {
        let mut doubts = Vec::new();
        for roof in &self.compute {
            let (path, peak) = (roof.path, roof.peak.value);
            if !(1e10..=1e17).contains(&peak.get()) {
                doubts.push(format!(
                    "{path}: {peak} is outside 10 GFLOP/s to 100 PFLOP/s; is a prefix missing or doubled?"
                ));
            }
        }
        for roof in &self.memory {
            let (level, bandwidth) = (roof.level.name(), roof.bandwidth.value);
            if !(1e8..=1e15).contains(&bandwidth.get()) {
                doubts.push(format!(
                    "{level}: {bandwidth} is outside 100 MB/s to 1 PB/s; is a prefix missing or doubled?"
                ));
            }
        }
        doubts.extend(self.sparse_for_dense());
        doubts.extend(self.twice_the_published());
        doubts.extend(self.sixteen_bits_differ());
        doubts.extend(self.matrix_below_vector());
        doubts.extend(self.odd_ridge());
        doubts.extend(self.cache_below_dram());
        doubts.extend(self.binary_capacity());
        doubts
    }

    /// A peak typed here that is twice the published dense one, as data sheets print it "with sparsity".
    fn twice_the_published(&self) -> Vec<String> {
        let doubled = self.compute.iter().filter_map(|roof| {
            let (published, _) = roof.peak.original?;
            let ratio = roof.peak.value.get() / published.get();
            let doubt = format!(
                "{}: {} is twice the published {published}: is it the figure with structured sparsity? Dense is {published}",
                roof.path, roof.peak.value
            );
            ((ratio / 2.0 - 1.0).abs() <= 0.03).then_some(doubt)
        });
        doubled.collect()
    }

    /// FP16 and BF16 of one matrix unit a factor of two apart, one of them typed here: likely a sparse figure.
    ///
    /// Published ones may be: the MI100 has half the rate in BF16.
    fn sixteen_bits_differ(&self) -> Option<String> {
        let peak = |format| Some(&self.compute_roof(Path::matrix(format))?.peak);
        let (fp16, bf16) = (peak(NumberFormat::FP16)?, peak(NumberFormat::BF16)?);
        if fp16.basis != Basis::Own && bf16.basis != Basis::Own {
            return None;
        }
        let (fp16, bf16) = (fp16.value, bf16.value);
        let ratio = fp16.get() / bf16.get();
        let doubled = [0.5, 2.0]
            .iter()
            .any(|double| (ratio / double - 1.0).abs() <= 0.03);
        doubled.then(|| {
            format!(
                "FP16 at {fp16} and BF16 at {bf16} are a factor of two apart: is the larger one the figure with structured sparsity?"
            )
        })
    }

    /// A matrix unit that is slower than the vector unit in the same format.
    fn matrix_below_vector(&self) -> Vec<String> {
        let slower = |roof: &&ComputeRoof| {
            let vector = self.compute_roof(Path::vector(roof.path.format));
            roof.path.unit == ComputeUnit::Matrix
                && vector.is_some_and(|v| v.peak.value > roof.peak.value)
        };
        let roofs = self.compute.iter().filter(slower);
        roofs
            .map(|roof| {
                let (path, format) = (roof.path, roof.path.format);
                format!(
                    "{path} is below {format} vector: are the two exchanged, or a prefix missing?"
                )
            })
            .collect()
    }

    /// A ridge of 16-bit matrix work on DRAM that no known device has.
    fn odd_ridge(&self) -> Option<String> {
        let formats = [NumberFormat::BF16, NumberFormat::FP16];
        let roof = formats
            .into_iter()
            .find_map(|f| self.compute_roof(Path::matrix(f)))?;
        let bandwidth = self.memory_roof(Level::Dram)?.bandwidth.value;
        let ridge = roof.peak.value / bandwidth;
        let usual = (20.0..=2000.0).contains(&ridge.get());
        (!usual).then(|| {
            format!(
                "the ridge of {} on DRAM is {ridge}, usually 20 to 2,000: has the peak or the bandwidth the wrong prefix?",
                roof.path
            )
        })
    }

    /// A capacity of whole GiB, where vendors' labels are decimal.
    fn binary_capacity(&self) -> Option<String> {
        let bytes = self.capacity?.get();
        let gib = bytes / 2f64.powi(30);
        let binary = gib >= 1.0 && gib.fract() == 0.0 && bytes % 1e9 != 0.0;
        binary.then(|| {
            format!(
                "a capacity of {gib} GiB is {} B: vendors label it {gib} GB, which is decimal",
                units::number(bytes)
            )
        })
    }

    /// A cache that is slower than the memory behind it.
    fn cache_below_dram(&self) -> Vec<String> {
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
                format!(
                    "{level} at {} is slower than DRAM at {dram}: is it per unit, not of all?",
                    roof.bandwidth.value
                )
            })
            .collect()
    }

    /// Peaks of FP8 and BF16 in a ratio that no device has.
    ///
    /// It is a law of peaks: measured rates have any ratio, and none of them says that a figure is sparse.
    fn sparse_for_dense(&self) -> Option<String> {
        let peak = |format| {
            let peak = &self.compute_roof(Path::matrix(format))?.peak;
            (peak.basis != Basis::Achievable).then_some(peak.value)
        };
        let (fp8, bf16) = (peak(NumberFormat::FP8)?, peak(NumberFormat::BF16)?);
        let ratio = fp8.get() / bf16.get();
        let usual = [1.0, 2.0]
            .iter()
            .any(|usual| (ratio / usual - 1.0).abs() <= 0.03);
        (!usual).then(|| {
            format!(
                "FP8 is {ratio:.2} times BF16, usually 1 or 2: is one of them the figure with structured sparsity? \
                 Dense, FP8 would be {} from BF16",
                units_of_double(bf16)
            )
        })
    }
}

fn units_of_double(rate: FlopRate) -> String {
    units::short(rate.get() * 2.0, FlopRate::UNIT)
}
