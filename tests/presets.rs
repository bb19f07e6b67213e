//! What is built in holds the published numbers, says where each is from, and makes sense as a whole.
use ridgepoint::files::presets::{self, GpuPreset};
use ridgepoint::model::cost::{ComputeUnit, Level, Path};
use ridgepoint::model::format::NumberFormat;
use ridgepoint::model::gpu::{Basis, ComputeRoof, Gpu, Sourced};
use ridgepoint::model::placement::{Assumptions, Resource, place_all};
use ridgepoint::model::quantity::{FlopRate, Quantity};
use ridgepoint::model::session::Session;
use ridgepoint::model::workload::{AttentionPrefill, Kind};
use std::collections::BTreeSet;

/// The figures of devices that the vendor's text and an independent source agree on, in SI units.
const TABLE: &str = include_str!("data/hardware.csv");

/// Devices whose figures look odd and are right, with the reason.
const ODD: [(&str, &str); 0] = [];

/// Figures as people quote them, which are to stay as they are: the peak at FP16 matrix and the DRAM bandwidth.
const ROUNDED: [(&str, &str, f64, f64); 3] = [
    ("h100-rounded", "H100 (rounded)", 990e12, 3.35e12),
    ("a100-rounded", "A100 (rounded)", 312e12, 2.0e12),
    ("b200-rounded", "B200 (rounded)", 2250e12, 8e12),
];

fn gpu(id: &str) -> Gpu {
    presets::gpu(id).unwrap().unwrap().gpu
}

/// The presets that are not rounded figures.
fn devices() -> impl Iterator<Item = GpuPreset> {
    let is_rounded = |id| ROUNDED.iter().any(|(rounded, ..)| *rounded == id);
    let all = presets::all_gpus().into_iter();
    all.filter(move |preset| !is_rounded(preset.id))
}

fn peak(gpu: &Gpu, path: &str) -> Option<f64> {
    let path: Path = path.parse().unwrap();
    Some(gpu.compute_roof(path)?.peak.value.get())
}

fn bandwidth(gpu: &Gpu, level: Level) -> Option<f64> {
    Some(gpu.memory_roof(level)?.bandwidth.value.get())
}

fn near(value: f64, expected: f64, tolerance: f64) -> bool {
    (value / expected - 1.0).abs() <= tolerance
}

#[test]
fn built_in_sessions_hold_the_published_numbers() {
    let (_, loaded) = presets::find_session("@8b-decode-on-h100").unwrap();
    let session = loaded.session;
    assert_eq!(session.title, "8B decode on H100");
    assert_eq!(session.workloads[0].name, "8B decode step");
    let kind = &session.workloads[0].kind;
    assert_eq!(kind.number("parameters"), Some(8e9));
    assert_eq!(kind.number("bytes_per_parameter"), Some(2.0));
    assert_eq!(kind.number("batch"), Some(1.0));
    assert_eq!((session.gpus.len(), session.workloads.len()), (1, 1));
}

#[test]
fn rounded_figures_stay_as_people_quote_them() {
    for (id, name, flops, bytes) in ROUNDED {
        let gpu = gpu(id);
        assert_eq!(gpu.name, name);
        assert_eq!(gpu.preset.as_deref(), Some(id));
        assert_eq!(peak(&gpu, "FP16 matrix"), Some(flops));
        assert_eq!(bandwidth(&gpu, Level::Dram), Some(bytes));
        assert_eq!((gpu.compute.len(), gpu.memory.len()), (1, 1));
        assert!(gpu.compute[0].achievable.is_none() && gpu.memory[0].achievable.is_none());
    }
}

#[test]
fn every_file_can_be_read_and_every_device_is_there_once() {
    let all = presets::all_gpus();
    assert_eq!(all.len(), presets::gpus().len());
    assert_eq!(devices().count(), 59);
    let ids: BTreeSet<_> = all.iter().map(|preset| preset.id).collect();
    let names: BTreeSet<_> = all.iter().map(|preset| &preset.gpu.name).collect();
    assert_eq!((ids.len(), names.len()), (all.len(), all.len()));
    for preset in &all {
        let year = preset.year.unwrap();
        assert!((2016..=2025).contains(&year), "{}: {year}", preset.id);
        assert!(!preset.memory_kind.is_empty(), "{}", preset.id);
    }
}

#[test]
fn every_number_has_a_source_and_a_confidence() {
    #[track_caller]
    fn check<Q: Quantity>(id: &str, number: &Sourced<Q>, basis: Option<Basis>) {
        let source = &number.source;
        assert!(!source.is_empty(), "{id}");
        assert!(source.chars().count() <= 120, "{id}: {source}");
        assert!(number.confidence.is_some(), "{id}: {source}");
        assert!(number.original.is_none() && number.basis != Basis::Own);
        assert!(basis.is_none_or(|basis| number.basis == basis), "{id}");
    }
    for preset in devices() {
        for roof in &preset.gpu.compute {
            check(preset.id, &roof.peak, Some(Basis::Theoretical));
            let achievable = roof.achievable.iter();
            achievable.for_each(|number| check(preset.id, number, Some(Basis::Achievable)));
        }
        for roof in &preset.gpu.memory {
            let published = roof.achievable.as_ref().map(|_| Basis::Theoretical);
            check(preset.id, &roof.bandwidth, published);
            let achievable = roof.achievable.iter();
            achievable.for_each(|number| check(preset.id, number, Some(Basis::Achievable)));
            let source = &roof.bandwidth.source;
            let says = source.ends_with("per direction") || source.contains("per direction, ");
            assert!(!roof.level.is_link() || says, "{}: {source}", preset.id);
        }
        let (id, parts) = (preset.id, &preset.gpu.parts);
        let published = Some(Basis::Theoretical);
        parts.units.iter().for_each(|n| check(id, n, published));
        let clocks = [&parts.clock, &parts.matrix_clock];
        let caches = [&parts.l1, &parts.l2, &parts.llc];
        clocks
            .into_iter()
            .flatten()
            .for_each(|n| check(id, n, published));
        caches
            .into_iter()
            .flatten()
            .for_each(|n| check(id, n, published));
    }
}

#[test]
fn every_device_is_plausible_or_explained() {
    let published = presets::published();
    for preset in presets::all_gpus() {
        let odd = ODD.iter().find(|(id, _)| *id == preset.id);
        let doubts = preset.gpu.doubts(&published);
        assert_eq!(
            doubts.is_empty(),
            odd.is_none(),
            "{}: {doubts:?}",
            preset.id
        );
    }
}

/// What a preset holds for a quantity of the table, with how near it has to be.
fn held(preset: &GpuPreset, quantity: &str) -> Option<(f64, f64)> {
    let gpu = &preset.gpu;
    let memory = |level| gpu.memory.iter().find(|roof| roof.level == level);
    let exactly = |value: f64| Some((value, 0.0));
    if let Some(path) = quantity.strip_prefix("peak_") {
        let path = path.replace("_fp16acc", ", FP16 accumulate");
        return exactly(peak(gpu, &path.replace('_', " "))?);
    }
    if let Some((level, which)) = quantity.split_once("_bandwidth_") {
        let level = [Level::L1, Level::L2, Level::Llc]
            .into_iter()
            .find(|known| known.name().eq_ignore_ascii_case(level))?;
        let roof = memory(level)?;
        let known = [Some(&roof.bandwidth), roof.achievable.as_ref()];
        let basis = match which {
            "measured" => Basis::Achievable,
            _ => Basis::Theoretical,
        };
        let number = known.into_iter().flatten().find(|n| n.basis == basis)?;
        return exactly(number.value.get());
    }
    if let Some(measured) = quantity.strip_prefix("measured_") {
        let measured_of = measured.trim_end_matches("_fraction");
        let (reached, published) = match measured_of.strip_suffix("_matmul") {
            Some(format) => {
                let roof = gpu.compute_roof(Path::matrix(format.parse().ok()?))?;
                (roof.achievable.as_ref()?.value.get(), roof.peak.value.get())
            }
            None => {
                let roof = memory(Level::Dram)?;
                let published = roof.bandwidth.value.get();
                (roof.achievable.as_ref()?.value.get(), published)
            }
        };
        // Shares are of peaks that others round differently.
        let share = Some((reached / published, 0.03));
        return exactly(reached)
            .filter(|_| measured_of == measured)
            .or(share);
    }
    match quantity {
        "mem_bandwidth" => exactly(bandwidth(gpu, Level::Dram)?),
        "mem_capacity_label" => exactly(gpu.capacity?.get()),
        "pcie_per_direction" | "link_cpu_per_direction" => {
            exactly(bandwidth(gpu, Level::HostLink)?)
        }
        "sm_count" => exactly(gpu.parts.units.as_ref()?.value.get()),
        "boost_clock" => exactly(gpu.parts.clock.as_ref()?.value.get()),
        "tensor_clock" => exactly(gpu.parts.matrix_clock.as_ref()?.value.get()),
        "l1_smem_per_sm" => exactly(gpu.parts.l1.as_ref()?.value.get()),
        "l2_size" => exactly(gpu.parts.l2.as_ref()?.value.get()),
        "llc_size" => exactly(gpu.parts.llc.as_ref()?.value.get()),
        "link_scaleup_per_direction" => exactly(bandwidth(gpu, Level::ScaleUpLink)?),
        _ => None,
    }
}

#[test]
fn presets_equal_the_table() {
    let all = presets::all_gpus();
    let mut devices = BTreeSet::new();
    for line in TABLE.lines().skip(1) {
        let fields: Vec<_> = line.rsplitn(4, ',').collect();
        let [_unit, value, quantity, device] = fields.try_into().expect(line);
        let device = device.trim_matches('"');
        let name = |preset: &GpuPreset| match preset.gpu.name.strip_suffix(" (rounded)") {
            Some(name) => format!("Rounded: {name}"),
            None => format!("{} {}", preset.vendor, preset.gpu.name),
        };
        let preset = all.iter().find(|p| name(p) == device).expect(line);
        devices.insert(device);
        match quantity {
            "vendor" => assert_eq!(preset.vendor, value, "{line}"),
            "mem_type" => assert_eq!(preset.memory_kind, value, "{line}"),
            _ => {
                let (held, tolerance) = held(preset, quantity).expect(line);
                let value: f64 = value.parse().expect(line);
                assert!(near(held, value, tolerance), "{line}: {held}");
            }
        }
    }
    assert_eq!(devices.len(), all.len());
}

#[test]
fn numbers_of_a_device_fit_each_other() {
    for preset in devices() {
        let (id, gpu) = (preset.id, &preset.gpu);
        for roof in &gpu.compute {
            let Path { format, unit, .. } = roof.path;
            let reached = roof.achievable.as_ref().map(|number| number.value.get());
            assert!(reached.is_none_or(|r| r < roof.peak.value.get()), "{id}");
            let vector = gpu.compute_roof(Path::vector(format));
            let slower = vector.is_some_and(|vector| roof.peak.value < vector.peak.value);
            assert!(
                unit != ComputeUnit::Matrix || !slower,
                "{id}: {}",
                roof.path
            );
        }
        let dram = gpu.memory_roof(Level::Dram).unwrap();
        for roof in &gpu.memory {
            let reached = roof.achievable.as_ref().map(|number| number.value.get());
            let published = roof.bandwidth.value.get();
            assert!(reached.is_none_or(|reached| reached < published), "{id}");
            if matches!(roof.level, Level::Llc | Level::L2 | Level::L1) {
                assert!(roof.bandwidth.value > dram.bandwidth.value, "{id}");
            }
        }
        let ratio = |a: &str, b: &str| Some(peak(gpu, a)? / peak(gpu, b)?);
        let check = |what: Option<f64>, usual: &[f64]| {
            let fits = |ratio| usual.iter().any(|usual| near(ratio, *usual, 0.03));
            assert!(what.is_none_or(fits), "{id}: {what:?}, not {usual:?}");
        };
        check(ratio("FP8 matrix", "BF16 matrix"), &[1.0, 2.0]);
        // The matrix unit of CDNA has BF16 at half rate, Gaudi 3 has FP16 at little more than a quarter.
        match id {
            "amd-mi100" => check(ratio("BF16 matrix", "FP16 matrix"), &[0.5]),
            "intel-gaudi-3" => check(ratio("BF16 matrix", "FP16 matrix"), &[1678.0 / 459.0]),
            _ => check(ratio("BF16 matrix", "FP16 matrix"), &[1.0]),
        }
        check(ratio("FP16 matrix", "TF32 matrix"), &[1.0, 2.0]);
        check(ratio("FP16 matrix, FP16 accumulate", "FP16 matrix"), &[2.0]);
        check(ratio("FP8 matrix, FP16 accumulate", "FP8 matrix"), &[2.0]);
    }
}

#[test]
fn one_name_for_several_products_lists_them_apart() {
    let found = |wanted: &str| -> Vec<_> {
        let all = presets::all_gpus().into_iter();
        all.filter(|preset| preset.matches(wanted))
            .map(|preset| preset.gpu.name)
            .collect()
    };
    let h100 = [
        "H100 (rounded)",
        "GH200 144GB",
        "GH200 96GB",
        "H100 NVL",
        "H100 PCIe",
        "H100 SXM",
    ];
    assert_eq!(found("h100"), h100);
    assert_eq!(found("H100  pcie"), ["H100 PCIe"]);
    assert_eq!(found("amd 2020 hbm2"), ["MI100"]);
    assert_eq!(found("blackwell ultra"), ["B300 (HGX)", "GB300 (per GPU)"]);
    let bf16 = |id| peak(&gpu(id), "BF16 matrix");
    assert_eq!(bf16("nvidia-h100-sxm"), Some(989.4e12));
    assert_eq!(bf16("nvidia-h100-pcie"), Some(756.5e12));
    assert_eq!(bf16("nvidia-h100-nvl"), Some(835.5e12));
}

#[test]
fn dies_accumulators_and_products_are_told_apart() {
    // What software sees of an MI250X is one of two dies; the data sheet gives both together.
    let (package, die) = (gpu("amd-mi250x-package"), gpu("amd-mi250x-one-gcd"));
    for roof in &die.compute {
        let both = package.compute_roof(roof.path).unwrap().peak.value.get();
        assert!(
            near(both, 2.0 * roof.peak.value.get(), 0.002),
            "{}",
            roof.path
        );
    }
    let rtx = gpu("nvidia-rtx-4090");
    assert_eq!(peak(&rtx, "FP16 matrix"), Some(165.2e12));
    let fast = peak(&rtx, "FP16 matrix, FP16 accumulate");
    assert_eq!(fast, Some(330.3e12));
    // Compute units × FLOP per clock × clock.
    let mi300x = peak(&gpu("amd-mi300x"), "FP16 matrix").unwrap();
    assert!(near(mi300x, 304.0 * 2048.0 * 2.1e9, 1e-4));
    // A device without a format has no roof of it.
    let a100 = gpu("nvidia-a100-sxm-80gb");
    assert!(a100.compute_roof(Path::matrix(NumberFormat::FP8)).is_none());
}

/// 16 per clock and SM at the clock of the matrix peaks; FlashAttention-3 gives about 3.9e12 per second for an H100 SXM.
#[test]
fn exponentials_have_a_roof_of_their_own_where_their_rate_is_known() {
    let special = |id| Some(gpu(id).compute_roof(Path::SPECIAL)?.peak.value.get());
    assert!(near(special("nvidia-h100-sxm").unwrap(), 3.9e12, 0.015));
    let expected = [
        ("nvidia-v100-sxm2", 80.0 * 16.0 * 1.53e9),
        ("nvidia-a100-sxm-80gb", 108.0 * 16.0 * 1.41e9),
        ("nvidia-l4", 58.0 * 16.0 * 2.04e9),
    ];
    for (id, rate) in expected {
        assert!(near(special(id).unwrap(), rate, 1e-9), "{id}");
    }
    for unknown in ["nvidia-b200-hgx", "nvidia-b300-hgx", "amd-mi300x"] {
        assert_eq!(special(unknown), None, "{unknown}");
    }
    let flash = Kind::AttentionPrefill(AttentionPrefill::default());
    let mut session = Session::empty("");
    let id = session.add_gpu(gpu("nvidia-h100-sxm"), None);
    let cost = flash.family().operators().unwrap();
    let placed = place_all(&cost, session.gpu(id).unwrap(), Assumptions::default(), 1.0).unwrap();
    let own = Resource::Compute(Path::SPECIAL);
    assert!(placed.terms.iter().any(|term| term.resource == own));
    let special = |warning: &String| warning.contains("special");
    assert!(!placed.warnings.iter().any(special), "{placed:?}");
}

#[test]
fn a_reset_brings_back_all_that_is_published_and_keeps_what_was_added() {
    let published = presets::published();
    let original = gpu("nvidia-h100-sxm");
    let mut changed = original.clone();
    changed.capacity = None;
    changed.parts.l2 = None;
    changed.compute.retain(|roof| !roof.path.sparse);
    changed.memory.remove(0);
    let bf16 = changed.compute_roof_mut(Path::matrix(NumberFormat::BF16));
    let bf16 = bf16.unwrap();
    bf16.peak.set_own(rate("1979 TFLOP/s"));
    bf16.achievable = Some(Sourced::achievable(rate("700 TFLOP/s"), "a file"));
    // Nobody vouches for what was typed.
    assert_eq!(
        (bf16.peak.source.as_str(), bf16.peak.confidence),
        ("", None)
    );
    assert_eq!(bf16.peak.origin(), "own · typed here");
    let preset = published.preset_of(&changed);
    assert!(changed.differs(preset) && !original.differs(preset));
    let own = ComputeRoof::new(
        Path::matrix(NumberFormat::FP4),
        Sourced::own(rate("4 PFLOP/s")),
    );
    changed.compute.push(own.clone());
    changed.reset(preset);
    assert_eq!(changed.compute.pop(), Some(own));
    assert_eq!(changed, original);
}

fn rate(text: &str) -> FlopRate {
    FlopRate::parse(text).unwrap()
}
