//! Roofs derived from what a device is built of: prefilled with what is known, and applied as a product that is shown.
use ridgepoint::files::{presets, session_file};
use ridgepoint::model::cost::{Level, Path};
use ridgepoint::model::derive::{Product, Target};
use ridgepoint::model::gpu::{Basis, Gpu, Sourced};
use ridgepoint::model::quantity::{ByteRate, FlopRate};

fn gpu(id: &str) -> Gpu {
    presets::gpu(id).unwrap().unwrap().gpu
}

fn peak(of: &str) -> Target {
    let path: Path = of.parse().unwrap();
    Target::Compute(path)
}

fn texts(product: &Product) -> Vec<&str> {
    product.factors.iter().map(|f| f.text.as_str()).collect()
}

fn filled(gpu: &Gpu, target: Target, texts: &[&str]) -> Product {
    let mut product = Product::of(gpu, target);
    assert_eq!(product.factors.len(), texts.len());
    for (factor, text) in product.factors.iter_mut().zip(texts) {
        (*text).clone_into(&mut factor.text);
    }
    product
}

#[test]
fn a_peak_is_prefilled_with_units_flop_per_clock_and_clock() {
    let mi300x = gpu("amd-mi300x");
    let product = Product::of(&mi300x, peak("FP16 matrix"));
    assert_eq!(texts(&product), ["304", "2048", "2.1 GHz"]);
    assert_eq!(product.text().unwrap(), "304 × 2048 × 2.1 GHz");
    assert_eq!(product.result().unwrap(), "1.307 PFLOP/s");
    let vector = Product::of(&mi300x, peak("FP64 vector"));
    assert_eq!(texts(&vector), ["304", "128", "2.1 GHz"]);
    // Of an H100 the matrix peaks are at another clock than the others.
    let h100 = gpu("nvidia-h100-sxm");
    let product = Product::of(&h100, peak("BF16 matrix"));
    assert_eq!(texts(&product), ["132", "4096", "1.83 GHz"]);
    let product = Product::of(&h100, peak("FP32 vector"));
    assert_eq!(texts(&product), ["132", "256", "1.98 GHz"]);
}

/// Boost is not the clock of the published peak of a B200: the number is not whole, and why is said.
#[test]
fn a_peak_of_another_clock_says_which_clock_would_fit() {
    let product = Product::of(&gpu("nvidia-b200-hgx"), peak("BF16 matrix"));
    assert_eq!(texts(&product), ["148", "7737", "1.965 GHz"]);
    let note = &product.factors[1].note;
    assert!(note.ends_with("8,192 would mean 1.856 GHz"), "{note}");
}

#[test]
fn every_preset_derives_its_own_peaks() {
    let mut derived = 0;
    for preset in presets::all_gpus() {
        for roof in &preset.gpu.compute {
            let product = Product::of(&preset.gpu, Target::Compute(roof.path));
            let Ok(text) = product.text() else { continue };
            let again = Sourced::<FlopRate>::derived(&text).unwrap().value;
            let ratio = again.get() / roof.peak.value.get();
            let id = preset.id;
            assert!((ratio - 1.0).abs() < 0.006, "{id}: {text} {}", roof.path);
            derived += 1;
        }
    }
    assert!(derived > 300, "{derived}");
}

#[test]
fn a_derived_number_is_ones_own_and_shows_its_product() {
    let mut mi300x = gpu("amd-mi300x");
    let product = filled(&mi300x, peak("FP16 matrix"), &["304", "2048", "1.4 GHz"]);
    product.apply(&mut mi300x).unwrap();
    let roof = mi300x.compute_roof("FP16 matrix".parse().unwrap()).unwrap();
    assert_eq!(roof.peak.value.get(), 304.0 * 2048.0 * 1.4e9);
    assert_eq!(roof.peak.basis, Basis::Own);
    assert_eq!(
        roof.peak.derivation.as_deref(),
        Some("304 × 2048 × 1.4 GHz")
    );
    assert_eq!(roof.peak.published().unwrap().get(), 1307.4e12);
    // What was typed comes back, and the published number too.
    let again = Product::of(&mi300x, peak("FP16 matrix"));
    assert_eq!(texts(&again), ["304", "2048", "1.4 GHz"]);
    let text = session_file::gpu_text(&mi300x);
    assert_eq!(session_file::gpu_from_text(&text).unwrap(), {
        let preset = mi300x.preset.clone();
        Gpu {
            preset,
            ..mi300x.clone()
        }
    });
    mi300x.reset(None);
    assert!(!mi300x.differs(None));
}

#[test]
fn a_cache_without_a_published_bandwidth_is_offered_and_gets_a_roof_at_its_place() {
    let mut card = gpu("nvidia-h100-pcie");
    let offered = |gpu: &Gpu| gpu.caches_without_bandwidth().collect::<Vec<_>>();
    assert_eq!(offered(&gpu("amd-mi300x")), []);
    let t4 = gpu("nvidia-t4");
    assert_eq!(offered(&t4), [Level::L2]);
    let l1 = Level::L1;
    card.memory.retain(|roof| roof.level != l1);
    assert_eq!(offered(&card), [l1]);
    let mut product = Product::of(&card, Target::Memory(l1));
    assert_eq!(texts(&product), ["114", "", "1.755 GHz"]);
    let missing = product.text().unwrap_err();
    assert_eq!(
        missing,
        "Bytes per clock is not known: write bytes such as 128 B"
    );
    "128".clone_into(&mut product.factors[1].text);
    assert_eq!(product.text().unwrap(), "114 × 128 B × 1.755 GHz");
    product.apply(&mut card).unwrap();
    let levels: Vec<_> = card.memory.iter().map(|roof| roof.level).collect();
    let expected = [
        Level::Dram,
        Level::L2,
        l1,
        Level::HostLink,
        Level::ScaleUpLink,
    ];
    assert_eq!(levels, expected);
    let roof = card.memory_roof(l1).unwrap();
    assert_eq!(roof.bandwidth.value.get(), 114.0 * 128.0 * 1.755e9);
    assert_eq!(
        (roof.bandwidth.basis, roof.bandwidth.published()),
        (Basis::Own, None)
    );
}

#[test]
fn caches_dram_and_links_have_products_of_their_own() {
    let a100 = gpu("nvidia-a100-sxm-80gb");
    let product = Product::of(&a100, Target::Memory(Level::L2));
    assert_eq!(texts(&product), ["1", "5120", "1.41 GHz"]);
    let product = filled(
        &a100,
        Target::Memory(Level::Dram),
        &["5120", "1593 MHz", "2"],
    );
    assert_eq!(product.text().unwrap(), "5120 bit × 1593 MHz × 2");
    assert_eq!(product.result().unwrap(), "2.039 TB/s");
    let mut mi300x = gpu("amd-mi300x");
    let product = Product::of(&mi300x, Target::Memory(Level::ScaleUpLink));
    assert_eq!(texts(&product), ["7", "64 GB/s"]);
    let link = Target::Memory(Level::ScaleUpLink);
    filled(&mi300x, link, &["4", "64 GB/s"])
        .apply(&mut mi300x)
        .unwrap();
    let roof = mi300x.memory_roof(Level::ScaleUpLink).unwrap();
    let rate = ByteRate::constant(256e9);
    assert_eq!(
        (roof.bandwidth.value, roof.links.unwrap().get()),
        (rate, 4.0)
    );
}

#[test]
fn what_is_no_factor_is_refused_with_what_to_write() {
    let mi300x = gpu("amd-mi300x");
    for (texts, reason) in [
        (
            ["304", "2048", "2.1"],
            "Clock: write a clock such as 2.1 GHz, with its unit",
        ),
        (
            ["0", "2048", "2.1 GHz"],
            "Compute units must be more than zero",
        ),
        (
            ["304", "fast", "2.1 GHz"],
            "FLOP per clock: \"fast\" cannot be read: write a number such as 2048",
        ),
        (
            ["304", "2048", ""],
            "Clock is not known: write a clock such as 2.1 GHz",
        ),
        (["1e60", "1e60", "2 GHz"], "cannot be used"),
    ] {
        let product = filled(&mi300x, peak("FP16 matrix"), &texts);
        let error = product.result().unwrap_err();
        assert!(error.contains(reason), "{error}");
        let mut same = mi300x.clone();
        assert!(product.apply(&mut same).is_err());
        assert_eq!(same, mi300x);
    }
}

#[test]
fn a_link_says_what_its_bandwidth_is_of() {
    let scope = |id: &str, level| gpu(id).memory_roof(level).unwrap().scope_of_link();
    let mi300x = scope("amd-mi300x", Level::ScaleUpLink).unwrap();
    let expected = "per direction, aggregate over 7 links of 64 GB/s; to one peer 1 link, 64 GB/s";
    assert_eq!(mi300x, expected);
    let h100 = scope("nvidia-h100-sxm", Level::ScaleUpLink).unwrap();
    assert_eq!(h100, "per direction, aggregate over 18 links of 25 GB/s");
    let host = scope("amd-mi300x", Level::HostLink).unwrap();
    assert_eq!(host, "per direction, all lanes or links together");
    assert_eq!(scope("amd-mi300x", Level::Dram), None);
}
