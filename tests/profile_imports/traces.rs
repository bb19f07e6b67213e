//! Traces of PyTorch: times as recorded, work and traffic from shapes, and not a word of their metadata.
//!
//! The traces in `data/profiles` are tests of TraceLens (MIT), without their metadata; events here are synthetic.
use super::*;
use ridgepoint::model::profile::short_name;
use std::fmt::Write as _;

const H100: &[u8] = include_bytes!("../data/profiles/kineto_h100.json.gz");
const H100_TRIMMED: &[u8] = include_bytes!("../data/profiles/kineto_h100_trimmed.json");
const MI210: &[u8] = include_bytes!("../data/profiles/kineto_mi210.json.gz");

#[test]
fn a_small_model_on_an_h100_waits_for_launches() {
    let profile = read(H100, "trace.json.gz");
    assert_eq!(profile.source.format, "PyTorch trace (JSON)");
    let is_copy = |name: &str| name.starts_with("Mem");
    let kernels = profile
        .kernels
        .lines
        .iter()
        .filter(|line| !is_copy(&line.name));
    let kernels: Vec<_> = kernels.collect();
    assert_eq!(kernels.iter().map(|line| line.count).sum::<u64>(), 60);
    let busy: f64 = kernels.iter().map(|line| line.timing.unwrap().sum).sum();
    near(busy, 307.197e-6, 1e-6);
    assert!(
        profile.notes[0]
            .starts_with("60 kernels took 307.2 µs, 1 copy or fill 2.24 µs, in a span of"),
        "{:?}",
        profile.notes
    );
    let said = profile.warnings.join("\n");
    assert!(
        said.contains("launch-bound") && said.contains("3.908 ms"),
        "{said}"
    );
    // 3,908 µs less kernels and the copy.
    near(profile.kernels.waiting.unwrap(), 3598.6e-6, 1e-3);
    let gpu = profile.device.as_ref().unwrap();
    assert_eq!(gpu.name, "NVIDIA H100 80GB HBM3");
    assert_eq!(gpu.parts.units.as_ref().unwrap().value.get(), 132.0);
    assert_eq!(gpu.capacity.unwrap().get(), 85_018_279_936.0);
}

#[test]
fn a_product_has_the_work_of_its_shapes() {
    let profile = read(H100, "trace.json.gz");
    let addmm = line(&profile, "aten::addmm 512, 141×512, 512×512");
    let kernel = &profile.kernels.lines[addmm];
    assert_eq!(kernel.count, 17);
    assert_eq!(
        work(&profile, addmm, "BF16 matrix"),
        Some(17.0 * 73_924_608.0)
    );
    assert_eq!(
        traffic(&profile, addmm, Level::Dram),
        Some(17.0 * 814_080.0)
    );
    assert_eq!(
        kernel.derivation.as_deref(),
        Some("2·141·512·512 of aten::addmm")
    );
    // The launch of 5.824 µs: 12.69 TFLOP/s, 139.8 GB/s, 90.8 FLOP/B.
    let timing = kernel.timing.unwrap();
    assert!(timing.shortest < 5.824e-6 && 5.824e-6 < timing.longest);
    near(73_924_608.0 / 5.824e-6, 12.69e12, 1e-3);
    near(timing.median, 5.792e-6, 1e-6);
    let intensity = profile
        .kernels
        .cost(addmm)
        .intensity_at(Level::Dram)
        .unwrap();
    near(intensity.get(), 90.8, 1e-3);
}

#[test]
fn every_kernel_of_the_model_is_understood() {
    let profile = read(H100, "trace.json.gz");
    // Fused attention: 4·1·8·141·141·64 FLOP.
    let attention = line(&profile, "flash_fwd_kernel");
    assert_eq!(
        work(&profile, attention, "BF16 matrix"),
        Some(4.0 * 40_716_288.0)
    );
    assert_eq!(
        traffic(&profile, attention, Level::Dram),
        Some(4.0 * 4.0 * 2.0 * 141.0 * 512.0)
    );
    // x + y: an addition each, two reads and a write of two bytes.
    let add = line(&profile, "aten::add 1×141×512, 1×141×512");
    assert_eq!(work(&profile, add, "FP32 vector"), Some(9.0 * 72_192.0));
    assert_eq!(
        traffic(&profile, add, Level::Dram),
        Some(9.0 * 6.0 * 72_192.0)
    );
    let norm = line(&profile, "aten::native_layer_norm");
    assert_eq!(
        work(&profile, norm, "FP32 vector"),
        Some(10.0 * 7.0 * 72_192.0)
    );
    let looked_up = line(&profile, "aten::index_select 30522×512");
    assert_eq!(work(&profile, looked_up, "FP32 vector"), Some(0.0));
    assert_eq!(
        traffic(&profile, looked_up, Level::Dram),
        Some(2.0 * 141.0 * 1024.0 + 141.0 * 8.0)
    );
    // The reduction of truth values is the one kernel of which no formula is known.
    let said = profile.warnings.join("\n");
    assert!(
        said.contains("without work and traffic: 1 of 60 kernels"),
        "{said}"
    );
}

#[test]
fn plain_and_packed_traces_read_alike() {
    let packed = read(H100, "trace.json.gz");
    let plain = read(H100_TRIMMED, "trace.json");
    assert_eq!(packed.kernels, plain.kernels);
    assert_ne!(packed.source.hash, plain.source.hash);
}

#[test]
fn a_trace_without_operators_has_times_only() {
    let profile = read(MI210, "gpu_only_trace.json.gz");
    let lines = &profile.kernels.lines;
    assert_eq!(lines.iter().map(|line| line.count).sum::<u64>(), 562);
    let busy: f64 = lines.iter().map(|line| line.timing.unwrap().sum).sum();
    near(busy, 5_343.422e-6, 1e-6);
    for line in 0..lines.len() {
        assert_eq!(
            profile.kernels.work(line).count() + profile.kernels.traffic(line).count(),
            0
        );
    }
    let said = profile.warnings.join("\n");
    assert!(said.contains("record_shapes=True"), "{said}");
    assert_eq!(profile.device.unwrap().name, "AMD Instinct MI210");
}

#[test]
fn names_of_real_kernels_are_short_and_tell_apart() {
    for (bytes, distinct) in [(H100, 10), (MI210, 35)] {
        let profile = read(bytes, "trace.json.gz");
        let names = profile
            .kernels
            .lines
            .iter()
            .map(|line| short_name(&line.name));
        let names: std::collections::BTreeSet<_> = names.collect();
        for name in &names {
            assert!(name.chars().count() <= 64 && !name.contains("::"), "{name}");
            assert!(!name.contains("void ") && !name.contains('('), "{name}");
        }
        assert!(names.len() >= distinct, "{names:#?}");
    }
}

/// A trace of these events.
fn trace(events: &[String]) -> Vec<u8> {
    format!("{{\"traceEvents\": [{}]}}", events.join(",\n")).into_bytes()
}

fn kernel(name: &str, external: u64, dur: f64) -> String {
    format!(
        r#"{{"ph":"X","cat":"kernel","name":"{name}","ts":{external},"dur":{dur},"args":{{"External id":{external},"correlation":{external},"grid":[1,1,1],"block":[32,1,1]}}}}"#
    )
}

fn operator(name: &str, external: u64, dims: &str, types: &[&str], concrete: &[&str]) -> String {
    let list = |texts: &[&str]| {
        texts
            .iter()
            .map(|text| format!("\"{text}\""))
            .collect::<Vec<_>>()
            .join(",")
    };
    format!(
        r#"{{"ph":"X","cat":"cpu_op","name":"{name}","ts":1,"dur":9,"args":{{"External id":{external},"Input Dims":{dims},"Input type":[{}],"Concrete Inputs":[{}]}}}}"#,
        list(types),
        list(concrete)
    )
}

/// What a single kernel of an operator asks for: on a path, in FLOP, and in B.
#[track_caller]
fn asks(
    kernel_name: &str,
    name: &str,
    dims: &str,
    types: &[&str],
    concrete: &[&str],
) -> (String, f64, f64) {
    let events = [
        kernel(kernel_name, 5, 2.0),
        operator(name, 5, dims, types, concrete),
    ];
    let profile = read(&trace(&events), "a.json");
    let (path, flop) = profile.kernels.work(0).next().expect(name);
    (
        path.to_string(),
        flop.get(),
        traffic(&profile, 0, Level::Dram).unwrap(),
    )
}

#[test]
fn products_of_every_kind() {
    let half = ["c10::Half"; 3];
    let (path, flop, bytes) = asks("k", "aten::bmm", "[[4,8,16],[4,16,2]]", &half[..2], &[]);
    assert_eq!(
        (path.as_str(), flop),
        ("FP16 matrix", 2.0 * 4.0 * 8.0 * 16.0 * 2.0)
    );
    assert_eq!(bytes, 2.0 * (512.0 + 128.0 + 64.0));
    let (_, flop, bytes) = asks(
        "k",
        "aten::baddbmm",
        "[[4,8,2],[4,8,16],[4,16,2]]",
        &half,
        &[],
    );
    assert_eq!((flop, bytes), (2048.0, 2.0 * (64.0 + 512.0 + 128.0 + 64.0)));
    let (_, flop, bytes) = asks("k", "aten::linear", "[[2,3,16],[5,16],[5]]", &half, &[]);
    assert_eq!(
        (flop, bytes),
        (2.0 * 6.0 * 16.0 * 5.0, 2.0 * (96.0 + 80.0 + 5.0 + 30.0))
    );
    let float = ["float", "float"];
    for (kernel, expected) in [
        ("ampere_sgemm_128x64_tn", "FP32 vector"),
        ("cutlass_80_tensorop_s1688gemm_128x128", "TF32 matrix"),
        ("gemv2T_kernel_val", "FP32 vector"),
    ] {
        let (path, flop, _) = asks(kernel, "aten::mm", "[[4,8],[8,2]]", &float, &[]);
        assert_eq!((path.as_str(), flop), (expected, 128.0));
    }
    let fp8 = ["c10::Float8_e4m3fn", "c10::Float8_e4m3fn", "float", "float"];
    let (path, flop, bytes) = asks("k", "aten::_scaled_mm", "[[4,8],[8,2],[],[]]", &fp8, &[]);
    assert_eq!(
        (path.as_str(), flop, bytes),
        ("FP8 matrix", 128.0, 32.0 + 16.0 + 2.0 * 8.0)
    );
}

#[test]
fn operators_that_move_memory() {
    let f32 = ["float", "float", "Scalar"];
    // Broadcast: 4×6 from 4×1 and 6, an addition each.
    let (path, flop, bytes) = asks("k", "aten::add", "[[4,1],[6],[]]", &f32, &["", "", "1"]);
    assert_eq!(
        (path.as_str(), flop, bytes),
        ("FP32 vector", 24.0, 4.0 * (4.0 + 6.0 + 24.0))
    );
    let (path, flop, _) = asks("k", "aten::mul_", "[[10],[10]]", &["double", "double"], &[]);
    assert_eq!((path.as_str(), flop), ("FP64 vector", 10.0));
    // Whole numbers and truth values are no FLOP.
    let (_, flop, bytes) = asks("k", "aten::eq", "[[10],[]]", &["long int", "Scalar"], &[]);
    assert_eq!((flop, bytes), (0.0, 80.0 + 10.0));
    let (_, flop, bytes) = asks(
        "k",
        "aten::copy_",
        "[[10],[10]]",
        &["c10::Half", "float"],
        &[],
    );
    assert_eq!((flop, bytes), (0.0, 20.0 + 40.0));
    let (_, flop, bytes) = asks("k", "aten::fill_", "[[10],[]]", &["float", "Scalar"], &[]);
    assert_eq!((flop, bytes), (0.0, 40.0));
    // Softmax of half precision into FP32: 5 FLOP an element.
    let softmax = ["c10::Half", "Scalar", "Scalar"];
    let (_, flop, bytes) = asks(
        "k",
        "aten::_softmax",
        "[[4,8],[],[]]",
        &softmax,
        &["", "1", "True"],
    );
    assert_eq!((flop, bytes), (5.0 * 32.0, 2.0 * 32.0 + 4.0 * 32.0));
    let sum = ["float", "ScalarList", "Scalar", ""];
    let over = |dims| {
        asks(
            "k",
            "aten::sum",
            "[[4,8],[],[],[]]",
            &sum,
            &["", dims, "False", ""],
        )
    };
    assert_eq!((over("[0]").1, over("[0]").2), (32.0, 4.0 * (32.0 + 8.0)));
    assert_eq!(over("[-1]").2, 4.0 * (32.0 + 4.0));
    assert_eq!(over("[]").2, 4.0 * (32.0 + 1.0));
}

#[test]
fn a_trace_without_kernels_says_how_to_get_them() {
    let said = refused(
        br#"{"traceEvents": [{"ph":"X","cat":"cpu_op","name":"aten::mm"}]}"#,
        "a.json",
    );
    assert!(
        said.contains("it holds no kernels") && said.contains("ProfilerActivity.CUDA"),
        "{said}"
    );
}

#[test]
fn a_convolution_counts_its_output_times_its_kernel() {
    // ResNet-50's first: 3 to 64 channels, 7×7, stride 2, padding 3: 224² to 112².
    let concrete = ["", "", "[3, 3]", "[2, 2]", "[1, 1]", "1", "True"];
    let types = [
        "float",
        "float",
        "ScalarList",
        "ScalarList",
        "ScalarList",
        "Scalar",
        "Scalar",
    ];
    let dims = "[[1,3,224,224],[64,3,7,7],[],[],[],[],[]]";
    let (_, flop, bytes) = asks("k", "aten::cudnn_convolution", dims, &types, &concrete);
    assert_eq!(flop, 2.0 * 64.0 * 112.0 * 112.0 * 3.0 * 49.0);
    assert_eq!(bytes, 4.0 * (150_528.0 + 9_408.0 + 802_816.0));
}

#[test]
fn attention_says_whether_it_is_causal() {
    // 32 heads, 4096 × 4096, 128 each: 2.749e11 in full, 1.374e11 causal.
    let shape = "[1,32,4096,128]";
    let dims = format!("[{shape},{shape},{shape},[],[],[]]");
    let types = [
        "c10::BFloat16",
        "c10::BFloat16",
        "c10::BFloat16",
        "Scalar",
        "Scalar",
        "Scalar",
    ];
    let name = "aten::_scaled_dot_product_flash_attention";
    let (path, full, bytes) = asks(
        "k",
        name,
        &dims,
        &types,
        &["", "", "", "0.", "False", "False"],
    );
    assert_eq!(path, "BF16 matrix");
    near(full, 2.749e11, 1e-3);
    assert_eq!(bytes, 4.0 * 2.0 * 32.0 * 4096.0 * 128.0);
    let (_, causal, _) = asks(
        "k",
        name,
        &dims,
        &types,
        &["", "", "", "0.", "True", "False"],
    );
    assert_eq!(causal, full / 2.0);
}

#[test]
fn the_order_of_events_does_not_matter() {
    let mut events = vec![
        operator(
            "aten::mm",
            5,
            "[[4,8],[8,2]]",
            &["c10::Half", "c10::Half"],
            &[],
        ),
        kernel("gemm", 5, 2.0),
        operator("aten::neg", 6, "[[100]]", &["float"], &[]),
        kernel("negate", 6, 3.0),
    ];
    let forward = read(&trace(&events), "a.json");
    events.reverse();
    let backward = read(&trace(&events), "a.json");
    for (name, path, flop) in [
        ("gemm", "FP16 matrix", 128.0),
        ("negate", "FP32 vector", 100.0),
    ] {
        for profile in [&forward, &backward] {
            assert_eq!(work(profile, line(profile, name), path), Some(flop));
        }
    }
    // A list of events without anything around it is a trace, too.
    let list = format!("[{}]", events.join(","));
    assert_eq!(read(list.as_bytes(), "a.json").kernels, backward.kernels);
}

#[test]
fn an_operator_of_several_kernels_is_counted_once() {
    let mm = operator(
        "aten::mm",
        5,
        "[[4,8],[8,2]]",
        &["c10::Half", "c10::Half"],
        &[],
    );
    let events = [kernel("gemm", 5, 9.0), kernel("splitk_reduce", 5, 2.0), mm];
    let profile = read(&trace(&events), "a.json");
    assert_eq!(
        work(&profile, line(&profile, "gemm"), "FP16 matrix"),
        Some(128.0)
    );
    let helper = line(&profile, "splitk");
    assert_eq!(profile.kernels.work(helper).count(), 0);
    assert!(
        profile
            .warnings
            .join("\n")
            .contains("the work of 1 operator is given")
    );
}

#[test]
fn a_kernel_finds_its_operator_through_the_call_that_launched_it() {
    let call = r#"{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","ts":1,"dur":1,"args":{"External id":5,"correlation":99}}"#;
    let kernel =
        r#"{"ph":"X","cat":"kernel","name":"gemm","ts":2,"dur":2,"args":{"correlation":99}}"#;
    let mm = operator(
        "aten::mm",
        5,
        "[[4,8],[8,2]]",
        &["c10::Half", "c10::Half"],
        &[],
    );
    let profile = read(&trace(&[kernel.to_owned(), call.to_owned(), mm]), "a.json");
    assert_eq!(work(&profile, 0, "FP16 matrix"), Some(128.0));
}

#[test]
fn the_count_of_the_profiler_stands_in_for_a_formula() {
    let event = r#"{"ph":"X","cat":"cpu_op","name":"my::op","ts":1,"dur":9,"args":{"External id":5,"Input Dims":[[4]],"Input type":["double"],"flops":1234}}"#;
    let profile = read(&trace(&[kernel("k", 5, 1.0), event.to_owned()]), "a.json");
    assert_eq!(work(&profile, 0, "FP64 vector"), Some(1234.0));
    assert_eq!(traffic(&profile, 0, Level::Dram), None);
    let derivation = profile.kernels.lines[0].derivation.as_deref();
    assert_eq!(derivation, Some("the profiler's count for my::op"));
}

#[test]
fn copies_move_bytes_over_their_link() {
    let copy = |name: &str, bytes: u32| {
        format!(
            r#"{{"ph":"X","cat":"gpu_memcpy","name":"{name}","ts":1,"dur":4,"args":{{"bytes":{bytes}}}}}"#
        )
    };
    let events = [
        copy("Memcpy HtoD (Pageable -> Device)", 1000),
        copy("Memcpy DtoD (Device -> Device)", 500),
        kernel("k", 7, 1.0),
    ];
    let profile = read(&trace(&events), "a.json");
    assert_eq!(
        traffic(&profile, line(&profile, "HtoD"), Level::HostLink),
        Some(1000.0)
    );
    assert_eq!(
        traffic(&profile, line(&profile, "DtoD"), Level::Dram),
        Some(1000.0)
    );
}

/// What a published trace once carried: an environment with a token, a host and paths.
#[test]
fn nothing_of_the_metadata_is_kept() {
    let mut text = String::from_utf8(H100_TRIMMED.to_vec()).unwrap();
    let planted = r#"{"API_KEY":"SECRET123","host":"build-7.example","env":{"TOKEN":"SECRET123","HOME":"/home/someone"},"#;
    text = text.replacen('{', planted, 1);
    let name = r#""name": "NVIDIA H100 80GB HBM3","#;
    text = text.replace(
        name,
        &format!(r#"{name} "uuid": "SECRET123", "pciBus": "build-7.example","#),
    );
    let mut event = String::new();
    write!(
        event,
        r#"{{"ph":"M","name":"process_name","args":{{"name":"/home/someone/SECRET123"}}}},
        {{"ph":"X","cat":"kernel","name":"k","ts":1,"dur":"x","args":{{"env":"SECRET123","API_KEY":"SECRET123"}}}},
        {{"ph":"X","cat":"user_annotation","name":"SECRET123 build-7.example","ts":1,"dur":2}},"#
    )
    .unwrap();
    text = text.replacen(
        r#""traceEvents": ["#,
        &format!(r#""traceEvents": [{event}"#),
        1,
    );
    let profile = read(text.as_bytes(), "/home/someone/SECRET123/trace.json");
    let said = everything(&profile);
    for secret in ["SECRET123", "API_KEY", "build-7", "someone", "TOKEN"] {
        assert!(!said.contains(secret), "{secret} was kept: {said}");
    }
    assert_eq!(
        profile
            .kernels
            .lines
            .iter()
            .map(|line| line.count)
            .sum::<u64>(),
        62
    );
}
