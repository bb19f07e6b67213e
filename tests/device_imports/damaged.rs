//! What is wrong in a file: skipped and told, or refused in one line, never fatal.
use crate::*;
use ridgepoint::files::import::ImportError;

#[test]
fn a_figure_of_no_use_is_skipped_and_told_and_the_rest_is_kept() {
    let text = r#"{"name": " My\n GPU ", "mem_bw_gbps": NaN, "memory_gb": "many", "clock": 1,
        "max_achievable_tflops": {"matrix_fp16": -654, "matrix_bf16": 708, "matrix_fp8": null, "matrix_int8": 0,
        "vector_fp32": "81", "vector_fp64": Infinity, "matrix_fp3": 1}}"#;
    let import = imported(text, "a.json");
    let gpu = &import.gpus[0];
    assert_eq!(gpu.name, "My GPU");
    assert_eq!((gpu.compute.len(), gpu.memory.len()), (1, 0));
    assert_eq!(peak(gpu, "BF16 matrix"), Some(708e12));
    assert_eq!(gpu.capacity, None);
    for part in [
        "My GPU: mem_bw_gbps is skipped: there is no number",
        "memory_gb is skipped: \"\\\"many\\\"\" is not a number",
        "matrix_fp16 is skipped: -654 is negative",
        "matrix_int8 is skipped: it must be more than zero",
        "vector_fp64 is skipped: there is no number",
        "not used: clock, matrix_fp3",
    ] {
        says(&import.ignored, part);
    }
    let text =
        "device,HBMBw,L2Bw,L1Bw,FP32Flops,FP64Flops\n0,1000,nan,-3,12 k\n\n1,2000,3000,inf,1e3,1";
    let import = imported(text, "roofline.csv");
    assert_eq!(import.gpus.len(), 2);
    assert_eq!(bandwidth(&import.gpus[0], Level::Dram), Some(1e12));
    assert_eq!(
        (import.gpus[0].compute.len(), import.gpus[0].memory.len()),
        (0, 1)
    );
    assert_eq!(peak(&import.gpus[1], "FP32 vector"), Some(1e12));
    for part in [
        "device 0: L2Bw is skipped: NaN is not a finite number",
        "device 0: L1Bw is skipped: -3 is negative",
        "device 0: FP32Flops is skipped: \"12 k\" is not a number",
        "device 0: FP64Flops is skipped: there is no number",
        "device 1: L1Bw is skipped: inf is not a finite number",
    ] {
        says(&import.ignored, part);
    }
    let text = r#"{"empirical": {"gflops": {"data": [["FP64 GFLOPs", 1], ["FP64 GFLOPs", 2], ["QP", 3], 4]},
        "gbytes": {"data": [["LDS", 5], ["L2"], ["HBM", "6"]]}}}"#;
    let import = imported(text, "ert.json");
    assert_eq!(peak(&import.gpus[0], "FP64 vector"), Some(1e9));
    for part in [
        "there is a FP64 vector roof already",
        "\"QP\" is skipped: it names no number format",
        "entry 4 of gflops",
        "\"LDS\" is skipped: it names no memory level",
        "entry 2 of gbytes",
        "there is no memory roof",
    ] {
        says(&import.ignored, part);
    }
}

#[test]
fn what_is_no_device_is_refused_with_what_is_read() {
    let formats = "the formats are a device exported here (RON), TraceLens architecture (JSON), BLIS hardware config (JSON), \
        ERT roofline (JSON), rocprofiler-compute roofline (CSV) and table of peaks (CSV)";
    for text in [
        "",
        "\u{feff}",
        "hello",
        "{}",
        "[]",
        "[1, 2]",
        "device,name\n0,a",
        "Kernel,Time\na,1",
        r#"{"hidden_size": 4096}"#,
        r#"{"max_achievable_tflops": 3}"#,
        r#"{"empirical": []}"#,
    ] {
        let error = refused(text);
        assert!(
            error.starts_with("a.txt: ") && error.ends_with(formats),
            "{error}"
        );
    }
    let error = refused("{\"name\": \"a\",\n \"mem_bw_gbps\": }");
    assert!(error.contains("line 2 column 17"), "{error}");
    let error = refused(r#"{"A": {"TFlopsPeak": null}}"#);
    assert!(error.contains("A: TFlopsPeak is skipped"), "{error}");
    refused("device,HBMBw\n");
}

/// A file that is cut or damaged anywhere is read or refused, with no panic.
#[test]
fn broken_files_are_refused_not_fatal() {
    for text in [ARCH, BLIS, SKYLAKE, A64FX, ROOFLINE] {
        for (at, _) in text.char_indices() {
            let _ = import::devices(&text[..at], "cut");
        }
        for at in (0..text.len()).step_by(3) {
            for byte in *b"\"{-,\n9" {
                let mut bytes = text.as_bytes().to_vec();
                bytes[at] = byte;
                let _ = import::devices(&String::from_utf8_lossy(&bytes), "damaged");
            }
        }
    }
    let error = import::read(&b"{\n\xe9}"[..], "a").unwrap_err();
    assert!(matches!(error, ImportError::NotText { line: 2, .. }));
}

#[test]
fn no_file_gives_devices_without_end() {
    let rows: String = (0..1000).map(|n| format!("{n},{}\n", n + 1)).collect();
    let import = imported(&format!("device,HBMBw\n{rows}"), "roofline.csv");
    assert_eq!(import.gpus.len(), 64);
    says(&import.ignored, "only the first 64 devices");
}
