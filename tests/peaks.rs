//! Which roof is it? The questions people ask most of peaks and bandwidths, each with its right answer.
use ridgepoint::files::presets::{self, GpuPreset};
use ridgepoint::model::cost::{Level, Path};
use ridgepoint::model::gpu::{ComputeRoof, Gpu, MemoryRoof, Sourced};
use ridgepoint::model::measurement::{Assessment, Measurement, Observation, Verdict};
use ridgepoint::model::placement::Assumptions;
use ridgepoint::model::published::Published;
use ridgepoint::model::quantity::{ByteRate, Bytes, FlopRate, Flops, Quantity};
use ridgepoint::model::workload::{Kind, Raw};

fn gpu(id: &str) -> Gpu {
    presets::gpu(id).unwrap().unwrap().gpu
}

fn path(path: &str) -> Path {
    path.parse().unwrap()
}

fn peak(gpu: &Gpu, of: &str) -> f64 {
    gpu.compute_roof(path(of)).unwrap().peak.value.get()
}

fn dram(gpu: &Gpu) -> f64 {
    gpu.memory_roof(Level::Dram).unwrap().bandwidth.value.get()
}

/// What is odd about the numbers themselves.
fn doubts_of(gpu: &Gpu) -> Vec<String> {
    let doubts = gpu.doubts(&Published::default());
    doubts.iter().map(ToString::to_string).collect()
}

/// A compute-bound kernel of this path, seen to run at this rate.
#[track_caller]
fn seen(gpu: &Gpu, of: &str, rate: &str) -> Assessment {
    let path = path(of);
    let kernel = Measurement {
        observed: Observation::FlopRate(FlopRate::parse(rate).unwrap()),
        of: Kind::Raw(Raw {
            work: Flops::try_from(1e15).unwrap(),
            traffic: Bytes::try_from(1e9).unwrap(),
            format: path.format,
            unit: path.unit,
            ..Raw::default()
        }),
    };
    let assessment = kernel.assess(gpu, Assumptions::default()).unwrap();
    let placement = &assessment.placement;
    assert_eq!((placement.path, &placement.warnings[..]), (path, &[][..]));
    assessment
}

/// The share as people read it, in percent with one digit.
fn share(assessment: &Assessment) -> f64 {
    (assessment.share * 1000.0).round() / 10.0
}

fn own(compute: &[(&str, &str)], bandwidth: &str) -> Gpu {
    let mut gpu = Gpu::empty("own");
    for (of, peak) in compute {
        let peak = Sourced::own(FlopRate::parse(peak).unwrap());
        gpu.compute.push(ComputeRoof::new(path(of), peak));
    }
    let bandwidth = Sourced::own(ByteRate::parse(bandwidth).unwrap());
    gpu.memory.push(MemoryRoof::new(Level::Dram, bandwidth));
    gpu
}

#[test]
fn p01_a_dense_kernel_is_judged_by_the_dense_peak() {
    let seen = seen(&gpu("nvidia-h100-sxm"), "BF16 matrix", "480 TFLOP/s");
    assert_eq!(share(&seen), 48.5);
    assert_eq!(seen.verdict, Verdict::Room);
    // The figure with structured sparsity is no dense roof of any H100.
    for preset in presets::all_gpus().iter().filter(|p| p.matches("h100")) {
        assert!(peak(&preset.gpu, "FP16 matrix") < 1000e12, "{}", preset.id);
    }
}

#[test]
fn p02_above_the_roof_is_said_not_clamped() {
    let on_a100 = seen(&gpu("nvidia-a100-sxm-80gb"), "BF16 matrix", "324.5 TFLOP/s");
    assert_eq!(share(&on_a100), 104.0);
    assert_eq!(on_a100.verdict, Verdict::AboveTheRoof);
    assert!(on_a100.recoverable < 0.0);
    let causes = on_a100.verdict.causes().join("; ");
    assert!(causes.contains("another path or device"), "{causes}");
    let on_h100 = seen(&gpu("nvidia-h100-sxm"), "BF16 matrix", "324.5 TFLOP/s");
    assert_eq!(share(&on_h100), 32.8);
}

#[test]
fn p04_h100_is_several_products() {
    let all = presets::all_gpus();
    let found: Vec<&GpuPreset> = all.iter().filter(|p| p.matches("H100")).collect();
    for (name, bf16, bytes) in [
        ("H100 SXM", 989.4e12, 3.35e12),
        ("H100 PCIe", 756.5e12, 2.0e12),
        ("H100 NVL", 835.5e12, 3.938e12),
    ] {
        let preset = found.iter().find(|preset| preset.gpu.name == name).unwrap();
        assert_eq!(peak(&preset.gpu, "BF16 matrix"), bf16);
        assert_eq!(dram(&preset.gpu), bytes);
        let roof = preset.gpu.compute_roof(path("BF16 matrix")).unwrap();
        assert!(roof.peak.source.contains("dense"), "{}", roof.peak.source);
    }
}

#[test]
fn p05_bandwidth_follows_from_bus_and_clock() {
    let mut gpu = gpu("nvidia-b200-hgx");
    let published = dram(&gpu);
    let roof = gpu.memory.iter_mut().find(|r| r.level == Level::Dram);
    let bandwidth = &mut roof.unwrap().bandwidth;
    bandwidth.type_in("7680 bit * 3996 MHz * 2").unwrap();
    assert_eq!(bandwidth.value.get(), 7.67232e12);
    let shown = bandwidth.derivation.as_deref();
    assert_eq!(shown, Some("7680 bit × 3996 MHz × 2"));
    // The published figure stays beside it, to go back to.
    let original = bandwidth.published().unwrap();
    assert_eq!(original.get(), published);
    bandwidth.reset();
    assert_eq!((bandwidth.value.get(), dram(&gpu)), (published, published));
}

#[test]
fn p07_a_peak_follows_from_units_and_clock() {
    let mut gpu = gpu("amd-mi300x");
    let fp16 = path("FP16 matrix");
    let roof = gpu.compute.iter_mut().find(|roof| roof.path == fp16);
    let peak = &mut roof.unwrap().peak;
    let published = peak.value.get();
    peak.type_in("304 × 2048 × 2.1 GHz").unwrap();
    assert_eq!(peak.value.get(), 1307.4432e12);
    assert_eq!(peak.derivation.as_deref(), Some("304 × 2048 × 2.1 GHz"));
    assert!((published / peak.value.get() - 1.0).abs() < 1e-4);
}

#[test]
fn p09_a_die_is_not_the_package() {
    let (die, package) = (gpu("amd-mi250x-one-gcd"), gpu("amd-mi250x-package"));
    assert_eq!(die.name, "MI250X (one GCD)");
    assert_eq!(package.name, "MI250X (package, 2 GCD)");
    assert_eq!(share(&seen(&die, "FP16 matrix", "150 TFLOP/s")), 78.3);
    assert_eq!(share(&seen(&package, "FP16 matrix", "150 TFLOP/s")), 39.2);
    assert_eq!(dram(&package), 2.0 * dram(&die));
}

#[test]
fn p10_accumulators_have_roofs_of_their_own() {
    let gpu = gpu("nvidia-rtx-4090");
    let seen = seen(&gpu, "FP16 matrix", "150 TFLOP/s");
    assert_eq!(share(&seen), 90.8);
    assert_eq!(seen.verdict, Verdict::Excellent);
    assert_eq!(peak(&gpu, "FP16 matrix"), 165.2e12);
    assert_eq!(peak(&gpu, "FP16 matrix, FP16 accumulate"), 330.3e12);
}

#[test]
fn p11_tf32_is_neither_fp32_nor_bf16() {
    let gpu = gpu("nvidia-a100-sxm-80gb");
    assert_eq!(share(&seen(&gpu, "TF32 matrix", "120 TFLOP/s")), 76.9);
    assert_eq!(peak(&gpu, "FP32 vector"), 19.5e12);
    assert_eq!(peak(&gpu, "BF16 matrix"), 312e12);
    assert_eq!(peak(&gpu, "INT8 matrix"), 624e12);
}

#[test]
fn p12_a_clock_above_nominal_is_said_and_no_number_is_refused() {
    let gpu = own(&[("FP32 vector", "13.45 TFLOP/s")], "616 GB/s");
    let seen = seen(&gpu, "FP32 vector", "15.9 TFLOP/s");
    assert_eq!(share(&seen), 118.2);
    assert_eq!(seen.verdict, Verdict::AboveTheRoof);
    let causes = seen.verdict.causes().join("; ");
    assert!(causes.contains("boost clock"), "{causes}");
    for text in ["inf", "nan", "-nan", "inf GFLOP/s", "NaN TFLOP/s", "1e999"] {
        assert!(FlopRate::parse(text).is_err(), "{text}");
        assert!(Observation::parse(text).is_err(), "{text}");
    }
}

#[test]
fn u02_binary_prefixes_are_read_as_written() {
    assert_eq!(
        ByteRate::parse("2000 GiB/s").unwrap().get(),
        2_147_483_648_000.0
    );
    let moved = Bytes::parse("71.0078 MiB").unwrap().get();
    assert!((moved / 74_457_088.0 - 1.0).abs() < 1e-6, "{moved}");
}

#[test]
fn u03_a_bandwidth_without_its_prefix_is_doubted() {
    let fp16 = [("FP16 matrix", "312 TFLOP/s")];
    for (gpu, expected) in [
        (own(&fp16, "2039"), 1.53e11),
        (own(&[("FP16 matrix", "312 GFLOP/s")], "2039 GB/s"), 0.153),
    ] {
        let ridge = gpu.ridge(path("FP16 matrix"), Level::Dram).unwrap().get();
        assert!((ridge / expected - 1.0).abs() < 1e-3, "{ridge}");
        let doubts = doubts_of(&gpu).join("; ");
        assert!(doubts.contains("prefix"), "{doubts}");
    }
    let gpu = own(&fp16, "2039 GB/s");
    let ridge = gpu.ridge(path("FP16 matrix"), Level::Dram).unwrap().get();
    assert_eq!((ridge * 10.0).round(), 1530.0);
    assert_eq!(doubts_of(&gpu), Vec::<String>::new());
}

#[test]
fn u04_a_peak_beyond_any_device_is_doubted_and_kept() {
    let gpu = own(&[("FP8 matrix", "200 PFLOP/s")], "8 TB/s");
    assert_eq!(peak(&gpu, "FP8 matrix"), 200e15);
    let doubts = doubts_of(&gpu).join("; ");
    assert!(
        doubts.contains("outside 10 GFLOP/s to 100 PFLOP/s"),
        "{doubts}"
    );
}
