//! The command line with language models: reading configs, operators, presets.
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_ridgepoint"));
    program.args(arguments).output().unwrap()
}

#[track_caller]
fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {complaints}");
    String::from_utf8(output.stdout).unwrap()
}

fn data(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/models");
    folder.join(name).display().to_string()
}

fn session(folder: &tempfile::TempDir) -> PathBuf {
    folder.path().join("s.ron")
}

#[test]
fn a_config_becomes_a_session_whose_operators_add_up() {
    let folder = tempfile::tempdir().unwrap();
    let out = session(&folder);
    let out = out.to_str().unwrap();
    let config = data("qwen3-8b.json");
    printed(&[
        "import",
        &config,
        "--gpu",
        "h100 sxm",
        "--batch",
        "64",
        "--context",
        "4k",
        "-o",
        out,
    ]);
    let operators = printed(&["operators", out, "--format", "json"]);
    let operators: Vec<Value> = serde_json::from_str(&operators).unwrap();
    let sum = |key: &str| -> f64 { operators.iter().map(|o| o[key].as_f64().unwrap()).sum() };
    assert!((sum("share") - 1.0).abs() < 1e-12);
    let table: Vec<Value> =
        serde_json::from_str(&printed(&["table", out, "--format", "json"])).unwrap();
    let time = table[0]["time_s"].as_f64().unwrap();
    assert!((sum("time_s") / time - 1.0).abs() < 1e-12);
    // AI 20.9 at batch 64 and a context of 4096: weights, cache and the matrix work.
    let intensity = table[0]["intensity_flop_per_byte"].as_f64().unwrap();
    assert!((intensity - 20.9).abs() < 0.4, "{intensity}");
    let keys: Vec<&String> = operators[0].as_object().unwrap().keys().collect();
    let expected = [
        "name",
        "count",
        "path",
        "work_flop",
        "traffic_bytes",
        "intensity_flop_per_byte",
        "limiter",
        "time_s",
        "share",
    ];
    assert_eq!(keys, expected);
}

#[test]
fn what_is_no_config_is_told_so_where_json_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    for (text, expected) in [
        (
            "[]",
            "this is no config.json of a model: it has none of model_type",
        ),
        ("{\"model_type\": \"llama\", \"hidden", "the JSON is broken"),
        ("", "the file is empty"),
    ] {
        let path = folder.path().join("config.json");
        std::fs::write(&path, text).unwrap();
        let output = run(&["import", path.to_str().unwrap(), "--format", "json"]);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(complaint.contains(expected), "{text:?}: {complaint}");
        assert_eq!(output.status.code(), Some(1), "{text:?}");
    }
}

#[test]
fn counts_are_integers() {
    let told = printed(&["import", &data("qwen3-8b.json"), "--format", "json"]);
    assert!(told.contains("\"parameters_total\": 8190735360,"), "{told}");
    assert!(told.contains("\"kv_bytes_per_token\": 147456,"), "{told}");
    let operators = printed(&["operators", "@serve-llama-3-1", "--format", "json"]);
    assert!(operators.contains("\"count\": 32,"), "{operators}");
    assert!(
        operators.contains("\"traffic_bytes\": 8388608,"),
        "{operators}"
    );
}

#[test]
fn what_was_made_of_a_config_is_told_as_json() {
    let told = printed(&[
        "import",
        &data("qwen3-8b.json"),
        "--format",
        "json",
        "--context",
        "4096",
    ]);
    let told: Value = serde_json::from_str(&told).unwrap();
    let number = |key: &str| told[key].as_f64().unwrap();
    assert_eq!(number("parameters_total"), 8_190_735_360.0);
    assert_eq!(number("kv_bytes_per_token"), 147_456.0);
    assert_eq!(number("kv_read_bytes"), 4096.0 * 147_456.0);
    assert!(
        told["assumptions"].is_array() && told["ignored"].is_array() && told["warnings"].is_array()
    );
}

#[test]
fn a_separate_quantisation_halves_the_weights() {
    let weights = |more: &[&str]| {
        let config = data("llama-3.1-70b.json");
        let told = printed(&[&["import", &config, "--format", "json"], more].concat());
        let told: Value = serde_json::from_str(&told).unwrap();
        told["weight_bytes"].as_f64().unwrap()
    };
    let (wide, narrow) = (
        weights(&[]),
        weights(&["--quant", &data("fp8_hf_quant_config.json")]),
    );
    assert!((0.5..0.53).contains(&(narrow / wide)), "{narrow} of {wide}");
}

#[test]
fn a_broken_config_names_the_fields_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("config.json");
    std::fs::write(&config, r#"{"model_type": "llama", "hidden_size": -1}"#).unwrap();
    let out = session(&folder);
    let output = run(&[
        "import",
        config.to_str().unwrap(),
        "-o",
        out.to_str().unwrap(),
    ]);
    let complaints = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    for field in ["hidden_size", "vocab_size", "num_hidden_layers"] {
        assert!(complaints.contains(field), "{complaints}");
    }
    assert!(!out.exists());
}

/// Nobody can be asked here, so what is missing is told with the arguments that give it.
#[test]
fn a_field_that_is_missing_is_given_as_an_argument() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("config.json");
    let text = r#"{"model_type": "llama", "num_hidden_layers": 32, "num_attention_heads": 32,
        "num_key_value_heads": 8, "hidden_size": -1, "intermediate_size": 14336}"#;
    std::fs::write(&config, text).unwrap();
    let config = config.to_str().unwrap();
    let refused = run(&["import", config, "--format", "json"]);
    assert_eq!(refused.status.code(), Some(1));
    let said = String::from_utf8(refused.stderr).unwrap();
    for part in [
        "vocab_size is missing",
        "--set vocab_size=VALUE --set hidden_size=VALUE",
    ] {
        assert!(said.contains(part), "{said}");
    }
    // Llama 3.1 8B, whose config this is.
    let told = printed(&[
        "import",
        config,
        "--set",
        "vocab_size=128256",
        "--set",
        "hidden_size=4096",
        "--format",
        "json",
    ]);
    assert!(told.contains("\"parameters_total\": 8030261248"), "{told}");
    let wrong = run(&["import", config, "--set", "vocab_size", "--format", "json"]);
    assert_eq!(wrong.status.code(), Some(2));
}
