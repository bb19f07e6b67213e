//! The devices whose figures are published: what a description of one of them is compared with.
use super::cost::{Level, Path};
use super::gpu::{ComputeRoof, Gpu, MemoryRoof};

/// Devices with published figures, as they are built in.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Published(Vec<Gpu>);

impl Published {
    /// These devices.
    pub fn new(devices: Vec<Gpu>) -> Self {
        Self(devices)
    }

    /// All of them.
    pub(super) fn devices(&self) -> impl Iterator<Item = &Gpu> {
        self.0.iter()
    }

    /// The device that `gpu` was copied from.
    pub fn preset_of(&self, gpu: &Gpu) -> Option<&Gpu> {
        let preset = gpu.preset.as_ref()?;
        self.0
            .iter()
            .find(|device| device.preset.as_ref() == Some(preset))
    }

    /// The roofs of `path` on the device that `gpu` was copied from, else on those of its name.
    ///
    /// "H100" names four products: each of them counts.
    pub(super) fn peaks(&self, gpu: &Gpu, path: Path) -> Vec<(&Gpu, &ComputeRoof)> {
        self.roofs(gpu, |device| device.compute_roof(path))
    }

    /// The same of a memory level.
    pub(super) fn bandwidths(&self, gpu: &Gpu, level: Level) -> Vec<(&Gpu, &MemoryRoof)> {
        self.roofs(gpu, |device| device.memory_roof(level))
    }

    /// Every device of this DRAM bandwidth within 1 %, whatever the description is called.
    pub(super) fn of_bandwidth(&self, gpu: &Gpu) -> impl Iterator<Item = &Gpu> {
        let dram = |gpu: &Gpu| Some(gpu.memory_roof(Level::Dram)?.bandwidth.value.get());
        let wanted = dram(gpu);
        let same = move |device: &&Gpu| {
            let ratio = dram(device).zip(wanted).map(|(one, other)| one / other);
            ratio.is_some_and(|ratio| (ratio - 1.0).abs() <= 0.01)
        };
        self.0.iter().filter(same)
    }

    fn roofs<'a, R>(
        &'a self,
        gpu: &Gpu,
        roof: impl Fn(&'a Gpu) -> Option<&'a R>,
    ) -> Vec<(&'a Gpu, &'a R)> {
        let of = |device: &'a Gpu| Some((device, roof(device)?));
        let copied = self.preset_of(gpu).and_then(of);
        match copied {
            Some(roof) => vec![roof],
            None => self.named(&gpu.name).into_iter().filter_map(of).collect(),
        }
    }

    /// The devices that a name can mean: those of its model with the most words in common.
    fn named(&self, name: &str) -> Vec<&Gpu> {
        let wanted = words(name);
        let shared = |device: &Gpu| {
            let own = words(&device.name);
            let model = model_word(&own)?;
            let named = wanted.iter().any(|word| is_word(word, model));
            let count = || own.iter().filter(|word| wanted.contains(word)).count();
            named.then(count)
        };
        let found = self.0.iter().filter_map(|gpu| Some((shared(gpu)?, gpu)));
        let found: Vec<_> = found.collect();
        let most = found.iter().map(|(count, _)| *count).max();
        let found = found.into_iter().filter(|(count, _)| Some(*count) == most);
        found.map(|(_, gpu)| gpu).collect()
    }
}

fn words(name: &str) -> Vec<String> {
    let name = name.to_lowercase();
    let words = name.split(|c: char| !c.is_alphanumeric());
    words
        // It says how a figure is written, not whose it is.
        .filter(|word| !word.is_empty() && *word != "rounded")
        .map(str::to_owned)
        .collect()
}

/// The word that names the model: `h100` of "H100 SXM", `4090` of "RTX 4090"; else the first.
fn model_word(words: &[String]) -> Option<&str> {
    let is_model = |word: &&String| {
        let digits = word.chars().filter(char::is_ascii_digit).count();
        let size = word.ends_with("gb") || word.len() < 2;
        digits > 0 && !size && (digits < word.len() || digits > 3)
    };
    let model = words.iter().find(is_model).or(words.first());
    model.map(String::as_str)
}

/// Whether a word is a model's, also where the series is written to its number: "RTX4090".
fn is_word(word: &str, model: &str) -> bool {
    let number = model.chars().all(|c| c.is_ascii_digit());
    let series = |rest: &str| !rest.ends_with(|c: char| c.is_ascii_digit());
    word == model || (number && word.strip_suffix(model).is_some_and(series))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Vec<String> {
        let all = [
            "H100 (rounded)",
            "H100 PCIe",
            "H100 SXM",
            "GH200 96GB",
            "A10",
            "A100 SXM 40GB",
            "A100 SXM 80GB",
            "RTX 4090",
            "Gaudi 2",
            "Gaudi 3",
        ];
        let devices = Published::new(all.map(Gpu::empty).into());
        let found = devices.named(name).into_iter();
        found.map(|gpu| gpu.name.clone()).collect()
    }

    #[test]
    fn a_name_means_the_products_of_its_model() {
        assert_eq!(named("H100"), ["H100 (rounded)", "H100 PCIe", "H100 SXM"]);
        assert_eq!(named("NVIDIA H100-SXM 2"), ["H100 SXM"]);
        assert_eq!(named("a100-80gb"), ["A100 SXM 80GB"]);
        assert_eq!(named("GeForce RTX4090"), ["RTX 4090"]);
        assert_eq!(named("Gaudi 3"), ["Gaudi 3"]);
        assert_eq!(named("A10G"), [""; 0]);
        assert_eq!(named("my card"), [""; 0]);
    }
}
