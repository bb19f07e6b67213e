//! Numbers unlike those published of the same device: sparse peaks taken for dense ones, both directions of a link.
use super::{Doubt, near};
use crate::model::cost::{ComputeUnit, Level, Path};
use crate::model::gpu::{Basis, ComputeRoof, Gpu, MemoryRoof};
use crate::model::published::Published;
use crate::model::quantity::FlopRate;

/// Published figures are rounded differently.
const ROUNDING: f64 = 0.03;

/// From how many times the published figure on one is doubted, rounding and clocks of single cards aside.
const ABOVE: f64 = 1.1;

/// How near a figure comes to that of a device nobody named, to be taken for it.
const EXACT: f64 = 0.003;

impl Gpu {
    /// Numbers that are others than those published of the same device, in a way that has a usual reason.
    pub(super) fn unlike_published(&self, published: &Published) -> Vec<Doubt> {
        let peaks = self.dense_roofs().filter_map(|roof| {
            let text = (self.sparse_of_named(published, roof))
                .or_else(|| self.twice_the_original(roof))
                .or_else(|| self.sparse_of_unnamed(published, roof))
                .or_else(|| self.own_sparse(roof))
                .or_else(|| self.above_published(published, roof))?;
            Some(Doubt::peak(roof.path, text))
        });
        let dram = self.dram_above_published(published);
        let links = self.memory.iter().filter(|roof| roof.level.is_link());
        let links = links.filter_map(|roof| {
            let text = self.both_directions(published, roof)?;
            Some(Doubt::bandwidth(roof.level, text))
        });
        peaks.chain(links).chain(dram).collect()
    }

    /// A peak that is the sparse figure of the device it is said to be of.
    fn sparse_of_named(&self, published: &Published, roof: &ComputeRoof) -> Option<String> {
        let (path, value) = (roof.path, roof.peak.value);
        let known = published.peaks(self, path);
        let dense = |peak: f64| near(value.get(), peak, ROUNDING);
        if known.iter().any(|(_, of)| dense(of.peak.value.get())) {
            return None;
        }
        let is_sparse = |device: &Gpu| {
            let sparse = device.compute_roof(path.with_sparsity());
            sparse.is_some_and(|sparse| dense(sparse.peak.value.get()))
        };
        let sparse = known.iter().find(|(device, _)| is_sparse(device));
        let sparse = sparse.map(|(device, of)| is_the_sparse(path, value, device, of.peak.value));
        let doubled = || {
            let (device, of) = known
                .iter()
                .find(|(_, of)| dense(2.0 * of.peak.value.get()))?;
            Some(twice(path, value, of.peak.value, &device.name))
        };
        sparse.or_else(doubled)
    }

    /// A peak typed here that is twice the one it replaced.
    fn twice_the_original(&self, roof: &ComputeRoof) -> Option<String> {
        let (path, value, peak) = (roof.path, roof.peak.value, roof.peak.published()?);
        let doubled = near(value.get(), 2.0 * peak.get(), ROUNDING);
        doubled.then(|| twice(path, value, peak, "figure"))
    }

    /// A peak beside a bandwidth that, together, are a known device's, only that the peak is its sparse one.
    fn sparse_of_unnamed(&self, published: &Published, roof: &ComputeRoof) -> Option<String> {
        let (path, value) = (roof.path, roof.peak.value);
        if path.unit != ComputeUnit::Matrix || !published.peaks(self, path).is_empty() {
            return None;
        }
        let has = |device: &Gpu, path: Path| {
            let peak = device.compute_roof(path)?.peak.value;
            near(value.get(), peak.get(), EXACT).then_some(())
        };
        if published
            .of_bandwidth(self)
            .any(|device| has(device, path).is_some())
        {
            return None;
        }
        published.of_bandwidth(self).find_map(|device| {
            has(device, path.with_sparsity())?;
            let dense = device.compute_roof(path)?.peak.value;
            Some(is_the_sparse(path, value, device, dense))
        })
    }

    /// A dense peak that is no lower than the sparse one beside it.
    fn own_sparse(&self, roof: &ComputeRoof) -> Option<String> {
        let sparse = self.compute_roof(roof.path.with_sparsity())?.peak.value;
        let (path, value) = (roof.path, roof.peak.value);
        (value.get() > sparse.get() * (1.0 - ROUNDING)).then(|| {
            format!("{path}: {value} is no lower than the peak with structured sparsity, {sparse}: are the two the same figure?")
        })
    }

    /// A peak above every one published of the device: of another product, or sparse in part.
    fn above_published(&self, published: &Published, roof: &ComputeRoof) -> Option<String> {
        let (path, peak) = (roof.path, &roof.peak);
        let known = published.peaks(self, path).into_iter();
        let most = known.max_by(|a, b| a.1.peak.value.get().total_cmp(&b.1.peak.value.get()));
        let (device, of) = most.filter(|_| peak.basis != Basis::Achievable)?;
        let (value, most) = (peak.value, of.peak.value);
        (value.get() > ABOVE * most.get()).then(|| {
            let name = &device.name;
            format!(
                "{path}: {value} is above the {most} published of the {name}, dense: is it of another device, or a figure with structured sparsity?"
            )
        })
    }

    /// The same of the memory.
    fn dram_above_published(&self, published: &Published) -> Option<Doubt> {
        let own = &self.memory_roof(Level::Dram)?.bandwidth;
        let known = published.bandwidths(self, Level::Dram).into_iter();
        let rate = |of: &MemoryRoof| of.bandwidth.value.get();
        let most = known.max_by(|a, b| rate(a.1).total_cmp(&rate(b.1)));
        let (device, of) = most.filter(|_| own.basis != Basis::Achievable)?;
        let (value, most) = (own.value, of.bandwidth.value);
        (value.get() > ABOVE * most.get()).then(|| {
            let name = &device.name;
            let text =
                format!("DRAM: {value} is above the {most} published of the {name}: is it of another device?");
            Doubt::bandwidth(Level::Dram, text)
        })
    }

    /// Peaks that may be sparse, for no other reason than that they are the sparse ones of some device.
    pub(super) fn perhaps_sparse(&self, published: &Published) -> Vec<Doubt> {
        let told = |roof: &ComputeRoof| {
            let text = self.sparse_of_another(published, roof)?;
            Some(Doubt::peak(roof.path, text))
        };
        self.dense_roofs().filter_map(told).collect()
    }

    /// A peak of a device nobody knows that is to the digit the sparse one of a known device, and no device's dense one.
    fn sparse_of_another(&self, published: &Published, roof: &ComputeRoof) -> Option<String> {
        let (path, peak) = (roof.path, &roof.peak);
        let unknown = published.peaks(self, path).is_empty() && peak.basis != Basis::Achievable;
        if path.unit != ComputeUnit::Matrix || !unknown {
            return None;
        }
        let has = |device: &Gpu, path: Path, share: f64| {
            let known = device.compute_roof(path).map(|roof| roof.peak.value.get());
            known.is_some_and(|known| near(peak.value.get(), known, share))
        };
        if published
            .devices()
            .any(|device| has(device, path, ROUNDING))
        {
            return None;
        }
        let mut devices = published.devices();
        let device = devices.find(|device| has(device, path.with_sparsity(), EXACT))?;
        let (value, name) = (peak.value, &device.name);
        Some(format!(
            "{path}: {value} is also the figure of the {name} with structured sparsity: is it dense?"
        ))
    }

    /// A link at twice what is published per direction.
    fn both_directions(&self, published: &Published, roof: &MemoryRoof) -> Option<String> {
        let (level, value) = (roof.level, roof.bandwidth.value);
        let known = published.bandwidths(self, level);
        let is = |rate: f64| near(value.get(), rate, ROUNDING);
        if known.iter().any(|(_, of)| is(of.bandwidth.value.get())) {
            return None;
        }
        let doubled = known
            .into_iter()
            .find(|(_, of)| is(2.0 * of.bandwidth.value.get()));
        let (device, of) = doubled?;
        let (level, one) = (level.name(), of.bandwidth.value);
        Some(format!(
            "{level}: {value} is twice the {one} of the {}: are both directions added up? One is {one}",
            device.name
        ))
    }
}

fn is_the_sparse(path: Path, value: FlopRate, device: &Gpu, dense: FlopRate) -> String {
    let name = &device.name;
    format!(
        "{path}: {value} is the figure with structured sparsity of the {name}; dense work reaches at most {dense}"
    )
}

fn twice(path: Path, value: FlopRate, dense: FlopRate, whose: &str) -> String {
    let whose = match whose {
        "figure" => String::new(),
        name => format!(" of the {name}"),
    };
    format!(
        "{path}: {value} is twice the published {dense}{whose}: is it the figure with structured sparsity? Dense is {dense}"
    )
}
