//! `ridgepoint presets gpus` from outside: what it promises to other programs.
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn run(settings: &Path, arguments: &[&str]) -> Output {
    // Whoever runs the tests may have devices of their own.
    let mut program = Command::new(env!("CARGO_BIN_EXE_ridgepoint"));
    program.env("XDG_CONFIG_HOME", settings);
    program.args(arguments).output().unwrap()
}

fn gpus_with(settings: &Path) -> Vec<Value> {
    let output = run(settings, &["presets", "gpus", "--format", "json"]);
    assert!(output.status.success());
    let list: Value = serde_json::from_slice(&output.stdout).unwrap();
    list.as_array().unwrap().clone()
}

fn gpus() -> Vec<Value> {
    gpus_with(tempfile::tempdir().unwrap().path())
}

fn keys(value: &Value) -> Vec<&str> {
    let object = value.as_object().unwrap();
    object.keys().map(String::as_str).collect()
}

fn list<'a>(gpu: &'a Value, key: &str) -> &'a [Value] {
    gpu[key].as_array().unwrap()
}

#[test]
fn every_roof_is_told_with_basis_source_and_confidence() {
    let gpus = gpus();
    assert_eq!(gpus.len(), 62);
    for gpu in &gpus {
        for key in ["id", "name", "vendor"] {
            assert!(gpu[key].is_string(), "{gpu}");
        }
        assert!(gpu["year"].is_u64(), "{gpu}");
        for roof in list(gpu, "compute") {
            let expected = "format unit accumulator sparse basis flop_per_s source confidence";
            assert_eq!(keys(roof).join(" "), expected);
            let units = ["vector", "matrix", "special"];
            assert!(units.contains(&roof["unit"].as_str().unwrap()));
            // Structured sparsity is a peak of matrix units alone, and never measured here.
            if roof["sparse"] == true {
                assert_eq!([&roof["unit"], &roof["basis"]], ["matrix", "theoretical"]);
            }
            assert!(roof["flop_per_s"].is_f64() && roof["source"].is_string());
        }
        for roof in list(gpu, "memory") {
            let expected = "level bytes_per_s capacity_bytes basis source confidence";
            assert_eq!(keys(roof).join(" "), expected);
            let parts = &gpu["parts"];
            let known = match roof["level"].as_str().unwrap() {
                "DRAM" => !gpu["capacity_bytes"].is_null(),
                "LLC" => parts["llc_bytes"].is_object(),
                "L2" => parts["l2_bytes"].is_object(),
                "L1" => parts["l1_bytes_per_unit"].is_object() && parts["units"].is_object(),
                _ => false,
            };
            assert_eq!(roof["capacity_bytes"].is_f64(), known, "{gpu}");
        }
    }
}

#[test]
fn a_roof_known_in_several_ways_has_an_entry_for_each() {
    let gpus = gpus();
    let find = |name: &str| gpus.iter().find(|gpu| gpu["name"] == name).unwrap();
    let h100 = find("H100 SXM");
    let bf16 = list(h100, "compute").iter();
    let bf16: Vec<_> = bf16.filter(|roof| roof["format"] == "BF16").collect();
    let rates: Vec<_> = bf16.iter().map(|roof| &roof["flop_per_s"]).collect();
    assert_eq!(rates, [989.4e12, 794.5e12, 1978.8e12]);
    let sparse: Vec<_> = bf16.iter().map(|roof| &roof["sparse"]).collect();
    assert_eq!(sparse, [false, false, true]);
    let bases: Vec<_> = bf16.iter().map(|roof| &roof["basis"]).collect();
    assert_eq!(bases, ["theoretical", "achievable", "theoretical"]);
    assert_eq!(bf16[0]["confidence"], "high");
    assert_eq!(bf16[0]["accumulator"], Value::Null);
    let dram = &list(h100, "memory")[0];
    assert_eq!(dram["bytes_per_s"], 3.35e12);
    assert_eq!(dram["capacity_bytes"], 80e9);
    let rtx = list(find("RTX 4090"), "compute").iter();
    let fp16 = rtx.filter(|roof| roof["format"] == "FP16" && roof["sparse"] == false);
    let accumulators: Vec<_> = fp16.map(|roof| &roof["accumulator"]).collect();
    assert_eq!(accumulators, [&Value::Null, &Value::from("FP16")]);
    // What has no source to be trusted by has no confidence.
    let rounded = &list(find("H100 (rounded)"), "compute")[0];
    assert_eq!(rounded["flop_per_s"], 990e12);
    assert_eq!(rounded["confidence"], Value::Null);
}

/// Devices of the settings' folder are known by name; a broken one is told and hides no other.
#[cfg(target_os = "linux")]
#[test]
fn own_devices_are_listed_and_found_by_name() {
    let settings = tempfile::tempdir().unwrap();
    let folder = settings.path().join("ridgepoint/gpus");
    std::fs::create_dir_all(&folder).unwrap();
    let card = |name: &str| {
        format!(
            "Gpu(name: \"{name}\", compute: [Compute(path: \"FP16 matrix\", peak: \"100 TFLOP/s\")], \
             memory: [Memory(level: DRAM, bandwidth: \"1 TB/s\")])"
        )
    };
    std::fs::write(folder.join("a.ron"), card("My card")).unwrap();
    std::fs::write(folder.join("b.ron"), card("H100 SXM")).unwrap();
    std::fs::write(folder.join("c.ron"), "Gpu(name: 3").unwrap();
    let all = gpus_with(settings.path());
    let own: Vec<_> = all
        .iter()
        .filter(|gpu| gpu["vendor"] == "your own")
        .collect();
    assert_eq!([&own[0]["name"], &own[1]["name"]], ["My card", "H100 SXM"]);
    let table = |gpu: &str| {
        let output = run(
            settings.path(),
            &[
                "table",
                "@8b-decode-on-h100",
                "--gpu",
                gpu,
                "--format",
                "csv",
            ],
        );
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{told}");
        (String::from_utf8(output.stdout).unwrap(), told)
    };
    let (rows, told) = table("my card");
    assert!(
        rows.contains("My card") && told.contains("c.ron:1:11"),
        "{rows}{told}"
    );
    let output = run(
        settings.path(),
        &["table", "@8b-decode-on-h100", "--gpu", "my kard"],
    );
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        told.contains("no built-in or own GPU") && told.contains("My card"),
        "{told}"
    );
    let model = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/models/qwen3-8b.json"
    );
    let written = settings.path().join("s.ron");
    let written = written.to_str().unwrap();
    let output = run(
        settings.path(),
        &["import", model, "--gpu", "h100 sxm", "-o", written],
    );
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("H100 SXM is your own device here"), "{told}");
}
