//! The command line from outside: the program itself, its output, errors and exit codes.
use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const EXAMPLE: &str = "@8b-decode-on-h100";
const THREE: &str = "@compare-three-gpus";

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_ridgepoint"))
}

fn run(arguments: &[&str]) -> Output {
    program().args(arguments).output().unwrap()
}

/// The standard output of a run that succeeds and complains about nothing.
#[track_caller]
fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    let complaints = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {complaints}");
    assert_eq!(complaints, "", "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The standard error of a run that fails with this code and prints nothing.
#[track_caller]
fn refused(arguments: &[&str], code: i32) -> String {
    let output = run(arguments);
    let complaints = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        output.status.code(),
        Some(code),
        "{arguments:?}: {complaints}"
    );
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert!(!complaints.contains("panicked"), "{complaints}");
    complaints
}

#[track_caller]
fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(&[arguments, &["--format", "json"]].concat())).unwrap()
}

#[track_caller]
fn near(value: &Value, expected: f64) {
    let number = value.as_f64().unwrap();
    assert!(
        (number / expected - 1.0).abs() < 1e-4,
        "{number} is not {expected}"
    );
}

/// A file in a folder of its own, which lives as long as the returned guard.
fn file(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my session.ron");
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

#[test]
fn the_table_has_the_published_numbers() {
    let table = json(&["table", EXAMPLE]);
    let row = &table[0];
    let keys: Vec<_> = row
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let expected = "workload gpu path level work_flop traffic_bytes intensity_flop_per_byte \
        compute_roof_flop_per_s memory_roof_bytes_per_s ridge_flop_per_byte attainable_flop_per_s \
        regime limiter basis confidence runner_up time_s arithmetic_utilisation measured_time_s share_of_roof verdict \
        recoverable_s leaves_out warnings terms";
    assert_eq!(keys, expected.split_whitespace().collect::<Vec<_>>());
    assert_eq!(row["workload"], "8B decode step");
    assert_eq!(row["gpu"], "H100 (rounded)");
    assert_eq!(row["path"], "FP16 matrix");
    assert_eq!(row["level"], "DRAM");
    assert_eq!(row["work_flop"], 16e9);
    assert_eq!(row["traffic_bytes"], 16e9);
    assert_eq!(row["intensity_flop_per_byte"], 1.0);
    assert_eq!(row["compute_roof_flop_per_s"], 990e12);
    assert_eq!(row["memory_roof_bytes_per_s"], 3.35e12);
    near(&row["ridge_flop_per_byte"], 295.5224);
    near(&row["attainable_flop_per_s"], 3.35e12);
    assert_eq!(row["regime"], "memory-bound");
    assert_eq!(row["limiter"], "DRAM");
    assert_eq!(row["runner_up"], "FP16 matrix");
    near(&row["time_s"], 4.776119e-3);
    near(&row["arithmetic_utilisation"], 0.003383838);
    for unknown in [
        "measured_time_s",
        "share_of_roof",
        "verdict",
        "recoverable_s",
    ] {
        assert_eq!(row[unknown], Value::Null, "{unknown}");
    }
    assert_eq!(row["leaves_out"][0], "weights only, no KV cache");
    assert_eq!(row["warnings"], Value::Array(vec![]));
    let term = &row["terms"][0];
    let keys: Vec<_> = term
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let expected = "resource kind demand demand_unit rate rate_unit basis time_s";
    assert_eq!(keys, expected.split(' ').collect::<Vec<_>>());
    assert_eq!(term["resource"], "DRAM");
    assert_eq!(term["kind"], "memory");
    assert_eq!(
        (&term["demand"], &term["demand_unit"]),
        (&16e9.into(), &"B".into())
    );
    assert_eq!(
        (&term["rate"], &term["rate_unit"]),
        (&3.35e12.into(), &"B/s".into())
    );
    assert_eq!(term["basis"], "theoretical");
}

#[test]
fn the_table_has_a_row_per_workload_and_visible_gpu() {
    let table = json(&["table", THREE]);
    assert_eq!(table.as_array().unwrap().len(), 9);
    // 21 ms measured where the roofs allow 15.03 ms.
    near(&table[0]["measured_time_s"], 21e-3);
    near(&table[0]["share_of_roof"], 15.0327e-3 / 21e-3);
    near(&table[0]["recoverable_s"], 21e-3 - 15.0327e-3);
    assert_eq!(table[0]["verdict"], "good");
    // Three rounded GPUs, three ridges.
    near(&table[0]["ridge_flop_per_byte"], 295.5224);
    assert_eq!(table[1]["ridge_flop_per_byte"], 156.0);
    assert_eq!(table[2]["ridge_flop_per_byte"], 281.25);
    // No FP32 roof: judged by another path, which is said.
    assert_eq!(table[6]["path"], "FP16 matrix");
    let warning = table[6]["warnings"][0].as_str().unwrap();
    assert!(warning.contains("FP32 vector"), "{warning}");

    let text = printed(&["presets", "sessions"]);
    assert!(text.contains(THREE), "{text}");
    let one = json(&["table", THREE, "--gpu", "b200"]);
    assert_eq!(one.as_array().unwrap().len(), 3);
    assert_eq!(one[0]["gpu"], "B200 (rounded)");
}

#[test]
fn hidden_gpus_stay_out_unless_they_are_named() {
    let (_folder, path) = file(
        r#"(version: 1, gpus: [(name: "a"), (name: "b")],
            workloads: [(name: "w", kind: Raw(work: "1 TFLOP", traffic: "0 B"))],
            view: (hidden_gpus: ["b"]))"#,
    );
    let path = path.to_str().unwrap();
    let table = json(&["table", path]);
    assert_eq!(table.as_array().unwrap().len(), 1);
    // What cannot be placed is listed with the reason.
    assert_eq!(table[0]["gpu"], "a");
    assert_eq!(table[0]["work_flop"], 1e12);
    assert_eq!(table[0]["intensity_flop_per_byte"], Value::Null);
    assert_eq!(table[0]["time_s"], Value::Null);
    assert_eq!(table[0]["terms"], Value::Array(vec![]));
    let warning = table[0]["warnings"][0].as_str().unwrap();
    assert!(warning.contains("a has no compute roof"), "{warning}");
    assert_eq!(json(&["table", path, "--gpu", "b"])[0]["gpu"], "b");
    let added = json(&["table", path, "--gpu", "h100-rounded"]);
    assert_eq!(added[0]["regime"], "compute-bound");
}

#[test]
fn the_sweep_has_the_published_numbers() {
    let sweep = json(&["sweep", EXAMPLE]);
    let keys: Vec<_> = sweep
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(keys, ["parameter", "crossover", "first_whole", "rows"]);
    assert_eq!(sweep["parameter"], "batch");
    near(&sweep["crossover"], 295.5224);
    assert_eq!(sweep["first_whole"], 296.0);
    let published = [
        (1.0, "memory-bound", 4.776119e-3, 209.375, 209.375),
        (4.0, "memory-bound", 4.776119e-3, 837.5, 209.375),
        (16.0, "memory-bound", 4.776119e-3, 3350.0, 209.375),
        (64.0, "memory-bound", 4.776119e-3, 13_400.0, 209.375),
        (256.0, "memory-bound", 4.776119e-3, 53_600.0, 209.375),
        (1024.0, "compute-bound", 16.549e-3, 61_875.0, 60.4248),
    ];
    let rows = sweep["rows"].as_array().unwrap();
    assert_eq!(rows.len(), published.len());
    for (row, (value, regime, time, total, per_user)) in rows.iter().zip(published) {
        let keys: Vec<_> = row
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        let expected = "value intensity_flop_per_byte regime time_s items_per_s tokens_per_s_total \
            tokens_per_s_per_user";
        assert_eq!(keys, expected.split_whitespace().collect::<Vec<_>>());
        assert_eq!(row["value"], value);
        near(&row["intensity_flop_per_byte"], value);
        assert_eq!(row["regime"], regime);
        near(&row["time_s"], time);
        near(&row["tokens_per_s_total"], total);
        near(&row["tokens_per_s_per_user"], per_user);
        assert_eq!(row["items_per_s"], row["tokens_per_s_total"]);
    }
}

#[test]
fn sweeps_of_other_parameters_workloads_and_gpus() {
    let values = [
        "sweep",
        EXAMPLE,
        "--parameter",
        "batch",
        "--values",
        "1..4, 0, 1.5",
    ];
    let sweep = json(&values);
    let regimes: Vec<_> = (0..5).map(|row| &sweep["rows"][row]["regime"]).collect();
    assert_eq!(regimes[2], "memory-bound");
    assert_eq!((regimes[3], regimes[4]), (&Value::Null, &Value::Null));
    let text = printed(&values);
    assert!(text.contains("1.5 is not a whole number"), "{text}");

    let gemm = ["sweep", THREE, "--workload", "gemm", "--gpu", "MI300X"];
    let sweep = json(&gemm);
    assert_eq!(sweep["parameter"], "m");
    assert_eq!(sweep["rows"][0]["tokens_per_s_total"], Value::Null);
    assert!(sweep["rows"][0]["items_per_s"].as_f64().unwrap() > 0.0);

    let add = ["sweep", THREE, "--workload", "vector"];
    assert_eq!(json(&add)["crossover"], Value::Null);
    let csv = [
        "sweep",
        EXAMPLE,
        "--parameter",
        "bytes_per_parameter",
        "--values",
        "1,2",
        "--format",
        "csv",
    ];
    let csv = printed(&csv);
    assert!(
        csv.starts_with("value [B],intensity_flop_per_byte,"),
        "{csv}"
    );
    assert_eq!(csv.matches("\r\n").count(), 3);
}

#[test]
fn every_format_tells_the_same_rows() {
    let text = printed(&["table", EXAMPLE]);
    for told in [
        "4.776 ms",
        "295.5 FLOP/B",
        "0.34 %",
        "weights only, no KV cache",
        "full overlap",
    ] {
        assert!(text.contains(told), "{told}: {text}");
    }
    let markdown = printed(&["table", EXAMPLE, "--format", "markdown"]);
    assert!(markdown.contains("| 4.776 ms |"), "{markdown}");
    let csv = printed(&["table", EXAMPLE, "--format", "csv"]);
    let mut lines = csv.split("\r\n");
    assert!(
        lines
            .next()
            .unwrap()
            .starts_with("workload,gpu,path,level,work_flop,")
    );
    let row =
        "8B decode step,H100 (rounded),FP16 matrix,DRAM,16000000000,16000000000,1,990000000000000,";
    assert!(lines.next().unwrap().starts_with(row), "{csv}");
    assert_eq!(lines.next(), Some(""));
    // The locale of the machine changes no digit.
    let german = program()
        .args(["table", EXAMPLE, "--format", "csv"])
        .env("LC_ALL", "de_DE.UTF-8")
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(german.stdout).unwrap(), csv);
}

#[test]
fn check_tells_what_a_file_holds_or_where_it_is_wrong() {
    let summary = printed(&["check", EXAMPLE]);
    assert_eq!(
        summary,
        "@8b-decode-on-h100: \"8B decode on H100\", 1 GPU, 1 workload, 0 measurements\n"
    );
    let (_folder, path) = file("(version: 1,\n gpus: [(name: \"a\"), (name: \"a\")])");
    let path = path.to_str().unwrap();
    let complaint = refused(&["check", path], 1);
    assert!(
        complaint.starts_with(&format!("{path}:2:29: ")),
        "{complaint}"
    );
    assert_eq!(complaint.lines().count(), 1);

    // Odd is not wrong.
    let (_folder, path) = file(
        r#"(version: 1, colour: 1, gpus: [(name: "a", memory: [(level: DRAM, bandwidth: 2039)])])"#,
    );
    let output = run(&["check", path.to_str().unwrap()]);
    assert!(output.status.success());
    let complaints = String::from_utf8(output.stderr).unwrap();
    assert!(complaints.contains("colour is unknown"), "{complaints}");
    assert!(
        complaints.contains("outside 100 MB/s to 1 PB/s"),
        "{complaints}"
    );
}

#[test]
fn presets_list_what_is_built_in() {
    let gpus = json(&["presets", "gpus"]);
    let find = |name: &str| {
        let mut gpus = gpus.as_array().unwrap().iter();
        gpus.find(|gpu| gpu["name"] == name).unwrap()
    };
    assert_eq!(find("H100 (rounded)")["fp16_matrix_flop_per_s"], 990e12);
    assert_eq!(find("MI300X")["vendor"], "AMD");
    assert_eq!(find("RTX 4090")["memory_kind"], "GDDR6X");
    let all = json(&["presets"]);
    assert_eq!(all["gpus"], gpus);
    assert!(all["models"].as_array().unwrap().len() >= 18);
    assert_eq!(all["sessions"], json(&["presets", "sessions"]));
    for session in all["sessions"].as_array().unwrap() {
        printed(&["check", session["name"].as_str().unwrap()]);
    }
    assert!(printed(&["presets"]).contains("H200 SXM"));
}

#[test]
fn what_cannot_be_found_is_told_with_what_can() {
    let message = refused(&["table", "@9b"], 1);
    assert!(message.contains("8b-decode-on-h100"), "{message}");
    let message = refused(&["table", EXAMPLE, "--gpu", "MI900"], 1);
    assert!(message.contains("MI300X"), "{message}");
    let message = refused(&["sweep", EXAMPLE, "--workload", "prefill"], 1);
    assert!(message.contains("8B decode step"), "{message}");
    let message = refused(
        &["sweep", EXAMPLE, "--parameter", "batches", "--values", "1"],
        1,
    );
    assert!(message.contains("bytes_per_parameter, batch"), "{message}");
    let message = refused(&["check", "no/such file.ron"], 1);
    assert!(message.starts_with("no/such file.ron: "), "{message}");
}

#[test]
fn usage_errors_are_code_2() {
    for arguments in [
        &["table"][..],
        &["table", EXAMPLE, "--format", "xml"],
        &["table", EXAMPLE, "--colour"],
        &["sweep", EXAMPLE, "--values", "one"],
        &["sweep", EXAMPLE, "--parameter", "context"],
        &["presets", "cars"],
    ] {
        refused(arguments, 2);
    }
    assert!(printed(&["--help"]).contains("@NAME"));
    assert!(printed(&["--version"]).starts_with("ridgepoint "));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let mut child = program()
        .args(["presets", "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(output.stderr.is_empty());
}

#[test]
fn the_table_is_judged_by_the_basis_asked_for_and_says_how_sure_it_is() {
    let large = r#"(version: 1, gpus: [], workloads: [(name: "g", kind: Raw(work: "1 PFLOP", traffic: "1 GB", format: BF16))])"#;
    let (_folder, path) = file(large);
    let path = path.to_str().unwrap();
    let table = |basis: &[&str]| {
        let arguments = [&["table", path, "--gpu", "nvidia-h100-sxm"], basis].concat();
        json(&arguments)[0].clone()
    };
    let theoretical = table(&["--basis", "theoretical"]);
    assert_eq!(theoretical["compute_roof_flop_per_s"], 989.4e12);
    assert_eq!(theoretical["terms"][0]["basis"], "theoretical");
    assert_eq!(theoretical["confidence"], "high");
    assert_eq!(table(&[]), theoretical);
    let achievable = table(&["--basis", "achievable"]);
    assert_eq!(achievable["compute_roof_flop_per_s"], 794.5e12);
    assert_eq!(achievable["terms"][0]["basis"], "achievable");
    assert!(achievable["confidence"].is_string());
    // Nobody said how sure a rounded figure is.
    assert_eq!(json(&["table", EXAMPLE])[0]["confidence"], Value::Null);
    refused(&["table", EXAMPLE, "--basis", "own"], 2);
}

#[test]
fn two_parameters_give_a_row_for_each_pair() {
    let arguments = "--workload gemm --parameter m --values 64,4096 --parameter2 n --values2 64..1024 --against MI300X";
    let mut command = vec!["sweep", THREE];
    command.extend(arguments.split(' '));
    let grid = json(&command);
    assert_eq!(
        (&grid["parameter"], &grid["parameter2"]),
        (&serde_json::json!("m"), &serde_json::json!("n"))
    );
    let rows = grid["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 10);
    let alone = [
        "sweep",
        THREE,
        "--workload",
        "gemm",
        "--parameter",
        "m",
        "--values",
        "64,4096",
    ];
    let alone = json(&alone);
    for key in [
        "value",
        "regime",
        "time_s",
        "items_per_s",
        "intensity_flop_per_byte",
    ] {
        assert!(
            !alone["rows"][0][key].is_null() && !rows[0][key].is_null(),
            "{key}"
        );
    }
    assert_eq!(
        (rows[1]["value"].as_f64(), rows[1]["value2"].as_f64()),
        (Some(4096.0), Some(64.0))
    );
    assert!(rows[0]["ratio"].as_f64().unwrap() > 0.1);
    assert_eq!(rows[0]["fits"], Value::Null, "a GEMM has no capacity");

    let text = printed(&command);
    assert!(text.contains("so many times as fast as MI300X"), "{text}");
    assert!(text.contains("n ↓  m →") && text.contains('×'), "{text}");
    command.extend(["--show", "regime"]);
    assert!(printed(&command).contains("memory-bound"));
    command.extend(["--format", "csv"]);
    let csv = printed(&command);
    assert!(
        csv.starts_with("value,value2,intensity_flop_per_byte,regime,time_s,"),
        "{csv}"
    );
    assert_eq!(csv.matches("\r\n").count(), 11);
}

#[test]
fn two_parameters_that_cannot_be_are_told() {
    let both = ["--parameter2", "batch", "--values2", "1,2"];
    let mut command = vec!["sweep", EXAMPLE];
    command.extend(both);
    assert!(refused(&command, 1).contains("batch is both parameters"));
    command.extend(["--show", "ratio"]);
    refused(&["sweep", EXAMPLE, "--parameter2", "context"], 2);
    refused(&["sweep", EXAMPLE, "--against", "MI300X"], 2);
    let many = [
        "--values",
        "1..1000 +1",
        "--parameter2",
        "bytes_per_parameter",
        "--values2",
        "1..1000 +1",
    ];
    let mut command = vec!["sweep", EXAMPLE];
    command.extend(many);
    assert!(refused(&command, 1).contains("at most 100,000 cells"));
}

#[test]
fn the_chart_is_described_in_words() {
    let text = printed(&["describe", EXAMPLE]);
    for words in [
        "1 GPU and 1 workload",
        "H100 (rounded) (active). Compute roofs: FP16 matrix 990 TFLOP/s (ridge at 295.5 FLOP/B).",
        "1 FLOP/B at DRAM, left of the ridge; memory-bound, limited by DRAM; 3.35 TFLOP/s attainable; 4.776 ms.",
        "What would help, by throughput: Batch 64 sequences (×64.0)",
        "Would not: Half the arithmetic.",
        "Assumed: full overlap, launches hidden. Judged by theoretical roofs",
    ] {
        assert!(text.contains(words), "{words:?} is not in {text}");
    }
    let text = printed(&["describe", THREE]);
    assert!(text.contains(
        "Measured on H100 (rounded): 21 ms, 72 % of the theoretical roof: good (60–80 %)"
    ));
    assert!(
        text.contains("Fastest on B200 (rounded); ×2.39 as long on H100 (rounded)"),
        "{text}"
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("k.ron");
    let trace = "tests/data/profiles/kineto_h100.json.gz";
    let imported = run(&["import", trace, "-o", file.to_str().unwrap()]);
    assert!(imported.status.success());
    let mut session = std::fs::read_to_string(&file).unwrap();
    let last = session.rfind(')').unwrap();
    session.insert_str(
        last,
        "annotations: [Annotation(text: \"target\", role: \"good\", shape: Line(\"400 TFLOP/s\"))], views: [SavedView(title: \"One\", caption: \"of two\", view: View())],",
    );
    std::fs::write(&file, session).unwrap();
    let text = printed(&["describe", file.to_str().unwrap()]);
    for words in [
        "1 GPU and 0 workloads, with a profile of measured kernels",
        "Measured kernels of kineto_h100 on H100 SXM: 6 kernels hold 87 %",
        "16 kernels, together 309.4 µs",
        "flash_fwd_kernel: 37.41 µs",
        "reference line “target” at 400 TFLOP/s, good",
        "1 saved view:\n  1. One: of two",
    ] {
        assert!(text.contains(words), "{words:?} is not in {text}");
    }
    refused(&["describe", "nowhere.ron"], 1);
}
