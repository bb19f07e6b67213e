//! The built-in GPU a device is, by the name its driver gives: `NVIDIA A100-SXM4-80GB`, `AMD Instinct MI300X`.
use super::{GpuPreset, all_gpus};

/// Words that say whose device it is and not which.
const BRANDS: [&str; 12] = [
    "nvidia",
    "geforce",
    "tesla",
    "quadro",
    "amd",
    "instinct",
    "radeon",
    "graphics",
    "gpu",
    "generation",
    "oam",
    "hgx",
];

/// What a built-in GPU is told by.
struct Described {
    /// Its own words, and those alone that make the model.
    words: Vec<String>,
    /// The kind of memory, and its size as `80gb`.
    hints: Vec<String>,
}

/// The built-in GPU called so by its driver; `None` if there is none, or several could be meant.
///
/// The model must be the same; form factor, memory size and memory kind decide between several.
pub fn of_device(name: &str) -> Option<GpuPreset> {
    let device = words(name);
    let mut best: Vec<(usize, GpuPreset)> = Vec::new();
    for preset in all_gpus() {
        let Some(score) = score(&device, &preset) else {
            continue;
        };
        match best.first() {
            Some((least, _)) if *least > score => {}
            Some((least, _)) if *least == score => best.push((score, preset)),
            _ => best = vec![(score, preset)],
        }
    }
    match best.len() {
        1 => best.pop().map(|(_, preset)| preset),
        _ => None,
    }
}

/// How much of what is told of a preset the device's name says; `None` where it is another model.
fn score(device: &[String], preset: &GpuPreset) -> Option<usize> {
    // Rounded teaching figures are nobody's device.
    if preset.id.ends_with("-rounded") || preset.id.ends_with("-package") {
        return None;
    }
    let Described { words, hints } = described(preset);
    let has = |word: &String| device.contains(word);
    // The first word with a digit is the model: H100, MI300X, 4090; words such as PRO belong to it.
    let model = words
        .iter()
        .position(|word| word.contains(|c: char| c.is_ascii_digit()))?;
    if !words[..=model].iter().all(has) {
        return None;
    }
    // The name says another form or size than this one's.
    let forms = [
        "sxm", "pcie", "nvl", "super", "ti", "ada", "pro", "xtx", "laptop", "mobile", "max",
    ];
    let says = |word: &&String| forms.contains(&word.as_str()) || is_size(word);
    let known = |word: &String| words.contains(word) || hints.contains(word);
    if device.iter().filter(says).any(|word| !known(word)) {
        return None;
    }
    let told = words.iter().chain(&hints).filter(|word| has(word));
    Some(told.count())
}

fn is_size(word: &str) -> bool {
    word.strip_suffix("gb")
        .is_some_and(|size| size.parse::<u32>().is_ok())
}

fn described(preset: &GpuPreset) -> Described {
    let plain = preset.gpu.name.split('(').next().unwrap_or_default();
    let mut hints = words(&preset.memory_kind);
    let capacity = preset.gpu.capacity.map(|bytes| bytes.get() / 1e9);
    hints.extend(capacity.map(|size| format!("{size:.0}gb")));
    Described {
        words: words(plain),
        hints,
    }
}

/// The words of a name in small letters, without brands; `SXM4` and `SXM2` are the same form.
fn words(name: &str) -> Vec<String> {
    let name = name.to_lowercase();
    let words = name.split(|c: char| !c.is_ascii_alphanumeric());
    let words = words.filter(|word| !word.is_empty() && !BRANDS.contains(word));
    let words = words.map(|word| match word {
        word if word.starts_with("sxm") => "sxm",
        word => word,
    });
    words.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_known_by_the_names_drivers_give() {
        let id = |name: &str| of_device(name).map(|preset| preset.id);
        for (name, expected) in [
            ("NVIDIA H100 80GB HBM3", "nvidia-h100-sxm"),
            ("NVIDIA H100 PCIe", "nvidia-h100-pcie"),
            ("NVIDIA H100 NVL", "nvidia-h100-nvl"),
            ("NVIDIA A100-SXM4-80GB", "nvidia-a100-sxm-80gb"),
            ("NVIDIA A100-PCIE-40GB", "nvidia-a100-pcie-40gb"),
            ("Tesla V100-SXM2-32GB", "nvidia-v100-sxm2"),
            ("Tesla T4", "nvidia-t4"),
            ("NVIDIA B200", "nvidia-b200-hgx"),
            ("NVIDIA GeForce RTX 4090", "nvidia-rtx-4090"),
            ("NVIDIA RTX 6000 Ada Generation", "nvidia-rtx-6000-ada"),
            ("AMD Instinct MI300X", "amd-mi300x"),
            ("AMD Instinct MI210", "amd-mi210"),
            ("AMD Instinct MI250X", "amd-mi250x-one-gcd"),
        ] {
            assert_eq!(id(name), Some(expected), "{name}");
        }
        for name in [
            "NVIDIA GeForce RTX 5070",
            "NVIDIA GeForce RTX 4090 Laptop GPU",
            "NVIDIA A100",
            "",
            "MI200",
        ] {
            assert_eq!(id(name), None, "{name}");
        }
    }
}
