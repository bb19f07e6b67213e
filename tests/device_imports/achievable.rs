//! Measured figures beside published ones: judged apart, not doubted as peaks are, put beside a GPU's peaks.
use crate::*;
use ridgepoint::files::presets;
use ridgepoint::model::achievable::described;
use ridgepoint::model::gpu::JudgedBy;
use ridgepoint::model::measurement::{Measurement, Observation};
use ridgepoint::model::placement::Assumptions;
use ridgepoint::model::quantity::{Bytes, FlopRate, Flops};
use ridgepoint::model::workload::{Kind, Raw};

/// P06: the micro-benchmark issues two instructions at once, the data sheet counts one.
#[test]
fn measured_above_declared_is_shown_without_complaint() {
    let text = r#"{"empirical": {"gflops": {"data": [["FP64 GFLOPs", 81000]]}, "gbytes": {"data": [["HBM", 3800]]}},
        "spec": {"gflops": {"data": [["FP64 GFLOPs", 61300]]}, "gbytes": {"data": [["HBM", 5300]]}}}"#;
    let gpu = imported(text, "mi300a.json").gpus.remove(0);
    let roof = gpu.compute_roof(path("FP64 vector")).unwrap();
    let judged = JudgedBy::ALL.map(|by| roof.judged(by));
    assert_eq!(judged.map(|rate| rate.value.get()), [61.3e12, 81e12]);
    let bases = judged.map(|rate| rate.basis);
    assert_eq!(bases, [Basis::Theoretical, Basis::Achievable]);
    let dram = gpu.memory_roof(Level::Dram).unwrap();
    assert_eq!(dram.achievable.as_ref().unwrap().value.get(), 3.8e12);
    assert_eq!(doubts_of(&gpu), Vec::<String>::new());
    let catalogue = presets::find_gpu("MI300A").unwrap().gpu;
    assert_eq!(peak(&catalogue, "FP64 vector"), Some(61.3e12));
}

/// P08: a tuned kernel above the measured roof, held to both.
#[test]
fn shares_of_measured_and_of_published_roofs_are_told_apart() {
    let measured = imported(ROOFLINE, "roofline.csv").gpus.remove(0);
    let mut gpu = presets::find_gpu("amd-mi250x-one-gcd").unwrap().gpu;
    let fp32 = path("FP32 vector");
    let roof = gpu
        .compute
        .iter_mut()
        .find(|roof| roof.path == fp32)
        .unwrap();
    roof.achievable = Some(measured.compute_roof(fp32).unwrap().peak.clone());
    let kernel = Measurement {
        observed: Observation::FlopRate(FlopRate::try_from(22e12).unwrap()),
        of: Kind::Raw(Raw {
            work: Flops::try_from(1e12).unwrap(),
            traffic: Bytes::try_from(1e9).unwrap(),
            format: fp32.format,
            unit: fp32.unit,
            ..Raw::default()
        }),
    };
    let shares = JudgedBy::ALL.map(|judged_by| {
        let assumptions = Assumptions {
            judged_by,
            ..Assumptions::default()
        };
        let judged = kernel.assess(&gpu, assumptions).unwrap();
        let (other, share) = judged.other_share.unwrap();
        [(judged.basis, judged.share), (other, share)]
            .map(|(basis, share)| (basis, (share * 100.0).round()))
    });
    let (published, best) = ((Basis::Theoretical, 92.0), (Basis::Achievable, 105.0));
    assert_eq!(shares, [[published, best], [best, published]]);
}

/// Their ratio is 1.80, which no peaks have and measured rates may have.
#[test]
fn measured_rates_of_fp8_and_bf16_are_not_doubted_as_peaks() {
    let mut gpu = imported(ARCH, "arch_mi300x.json").gpus.remove(0);
    let ratio = peak(&gpu, "FP8 matrix").unwrap() / peak(&gpu, "BF16 matrix").unwrap();
    assert_eq!((ratio * 100.0).round(), 180.0);
    assert_eq!(doubts_of(&gpu), Vec::<String>::new());
    // As peaks they would be.
    for roof in &mut gpu.compute {
        roof.peak.basis = Basis::Theoretical;
    }
    says(&doubts_of(&gpu), "FP8 is 1.80 times BF16");
}

#[test]
fn figures_go_beside_the_peaks_of_a_catalogue_device() {
    let import = imported(ARCH, "arch_mi300x.json");
    let mut gpu = presets::find_gpu("MI300X").unwrap().gpu;
    let before = gpu.clone();
    let device = described(&gpu, &import.gpus).unwrap();
    let merged = gpu.take_achievable(device);
    assert_eq!(merged.unmatched, ["FP16 vector", "BF16 vector"]);
    assert_eq!(merged.taken.len(), 7);
    // Figures of high confidence stay, and are told.
    let kept = ["BF16 matrix 668.4 TFLOP/s (high)", "DRAM 4 TB/s (high)"];
    assert_eq!(merged.kept, kept);
    assert!(
        merged
            .told(&gpu, device, 1)
            .contains("remove a figure first")
    );
    gpu.compute_roof_mut(path("BF16 matrix"))
        .unwrap()
        .achievable = None;
    let merged = gpu.take_achievable(device);
    assert_eq!(merged.taken, ["BF16 matrix"]);
    assert_eq!(merged.not_measured, Vec::<String>::new());
    for (now, before) in gpu.compute.iter().zip(&before.compute) {
        assert_eq!(now.peak, before.peak);
    }
    let roof = gpu.compute_roof(path("BF16 matrix")).unwrap();
    assert_eq!(roof.judged(JudgedBy::Theoretical).value.get(), 1307.4e12);
    let reached = roof.judged(JudgedBy::Achievable);
    assert_eq!(reached.value.get(), 708e12);
    let source = "TraceLens architecture (JSON), arch_mi300x.json";
    assert_eq!(
        (reached.basis, reached.source.as_str()),
        (Basis::Achievable, source)
    );
}

#[test]
fn the_device_of_the_same_name_is_taken_else_the_first() {
    let import = imported(BLIS, "hardware_config.json");
    let named = |name: &str| described(&Gpu::empty(name), &import.gpus).map(|gpu| gpu.name.clone());
    assert_eq!(named("a100-sxm").as_deref(), Some("A100-SXM"));
    assert_eq!(named("H100 SXM").as_deref(), Some("H100"));
    assert_eq!(named("MI300X").as_deref(), Some("H100"));
    // What is declared there is no measurement.
    let mut gpu = presets::find_gpu("nvidia-h100-sxm").unwrap().gpu;
    let before = gpu.clone();
    let merged = gpu.take_achievable(&import.gpus[0]);
    assert_eq!(gpu, before);
    let told = merged.told(&gpu, &import.gpus[0], 2);
    assert_eq!(
        told,
        "H100 SXM is unchanged (the file's H100, one of 2 devices); not measured, so not used: \
         BF16 matrix, FP16 matrix, DRAM."
    );
}
