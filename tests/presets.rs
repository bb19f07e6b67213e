//! What is built in holds the published numbers.
use ridgepoint::files::presets;
use ridgepoint::model::cost::{Level, Path};
use ridgepoint::model::format::NumberFormat;

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
    let path = Path::matrix(NumberFormat::FP16);
    for (id, name, peak, bandwidth) in [
        ("h100-rounded", "H100 (rounded)", 990e12, 3.35e12),
        ("a100-rounded", "A100 (rounded)", 312e12, 2.0e12),
        ("b200-rounded", "B200 (rounded)", 2250e12, 8e12),
    ] {
        let gpu = presets::gpu(id).unwrap().unwrap().gpu;
        assert_eq!(gpu.name, name);
        assert_eq!(gpu.compute_roof(path).unwrap().peak.value.get(), peak);
        let dram = gpu.memory_roof(Level::Dram).unwrap();
        assert_eq!(dram.bandwidth.value.get(), bandwidth);
        assert_eq!(gpu.preset.as_deref(), Some(id));
    }
}

#[test]
fn sku_presets_hold_the_published_numbers() {
    // Name, dense FP16 and FP8 matrix peaks with FP32 accumulation in TFLOP/s, DRAM in GB/s, capacity in GB.
    let published = [
        ("H100 SXM", 989.4, Some(1978.8), 3350.0, 80.0),
        ("H200 SXM", 989.4, Some(1978.8), 4800.0, 141.0),
        ("A100 SXM 80GB", 312.0, None, 2039.0, 80.0),
        ("B200 (HGX)", 2250.0, Some(4500.0), 7700.0, 180.0),
        ("MI300X", 1307.4, Some(2614.9), 5300.0, 192.0),
        ("RTX 4090", 165.2, Some(330.3), 1008.0, 24.0),
    ];
    let near = |value: f64, expected: f64| assert!((value / expected - 1.0).abs() < 1e-12);
    for (name, fp16, fp8, dram, capacity) in published {
        let gpu = presets::find_gpu(name).unwrap().gpu;
        let peak = |format| Some(gpu.compute_roof(Path::matrix(format))?.peak.value.get());
        near(peak(NumberFormat::FP16).unwrap(), fp16 * 1e12);
        assert_eq!(peak(NumberFormat::FP8).is_some(), fp8.is_some(), "{name}");
        if let Some(fp8) = fp8 {
            near(peak(NumberFormat::FP8).unwrap(), fp8 * 1e12);
        }
        let bandwidth = &gpu.memory_roof(Level::Dram).unwrap().bandwidth;
        near(bandwidth.value.get(), dram * 1e9);
        near(gpu.capacity.unwrap().get(), capacity * 1e9);
    }
}
