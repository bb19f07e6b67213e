//! Measured kernels on the command line: imported, listed, compared, joined, and what to collect.
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub fn run(arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_ridgepoint");
    Command::new(program).args(arguments).output().unwrap()
}

#[track_caller]
pub fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {complaints}");
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
pub fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(arguments)).unwrap()
}

pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    pub fn file(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/profiles")
        .join(name)
}

/// Two kernels of Nsight Compute on a device of this name, at the base clock or not.
pub fn ncu(device: &str, gemm_ns: f64) -> String {
    let head = r#""ID","Kernel Name","Stream","Block Size","Grid Size","device__attribute_display_name","gpu__time_duration.sum","dram__bytes_read.sum","dram__bytes_write.sum","smsp__sass_thread_inst_executed_op_ffma_pred_on.sum""#;
    let units = r#""","","","","","","ns","byte","byte","inst""#;
    let row = |id: u32, name: &str, grid: u32, time: f64, bytes: f64, fma: f64| {
        format!(
            r#""{id}","{name}","7","(256, 1, 1)","({grid}, 1, 1)","{device}","{time}","{bytes}","0","{fma}""#
        )
    };
    let rows = [
        row(0, "gemm(float*)", 1024, gemm_ns, 1e8, 68_719_476_736.0),
        row(1, "copy(float*)", 64, 1e5, 2e8, 0.0),
    ];
    format!("==PROF== Connected\n{head}\n{units}\n{}\n", rows.join("\n"))
}

#[test]
fn a_profile_becomes_a_session_and_json_with_every_key() {
    let folder = Folder::new();
    let file = folder.file("run.csv", &ncu("NVIDIA H100 80GB HBM3", 3e6));
    let session = folder.path("run.ron");
    let read = json(&["import", &file, "-o", &session, "--format", "json"]);
    assert_eq!(read["gpu"], "H100 SXM");
    assert!(read["format"].as_str().unwrap().contains("Nsight Compute"));
    let gemm = &read["kernels"][0];
    assert_eq!(gemm["name"], "gemm(float*)");
    assert_eq!(gemm["work_flop"], 2.0 * 68_719_476_736.0);
    assert_eq!(gemm["traffic_bytes"]["DRAM"], 1e8);
    assert!(gemm["traffic_bytes"]["L2"].is_null() && gemm["traffic_bytes"]["L1"].is_null());
    assert_eq!(gemm["time_s"], 3e-3);
    let close = |value: &Value, expected: f64| {
        let value = value.as_f64().unwrap();
        assert!((value / expected - 1.0).abs() < 1e-12, "{value} {expected}");
    };
    close(&gemm["intensity_flop_per_byte"], 1_374.389_534_72);
    close(&gemm["flop_per_s"], 137_438_953_472.0 / 3e-3);
    close(&gemm["bytes_per_s"], 1e8 / 3e-3);
    assert_eq!(
        (&gemm["placed"], &gemm["byte_source"]),
        (&true.into(), &"counter".into())
    );
    assert_eq!(gemm["missing"], Value::Array(vec![]));
    let copy = &read["kernels"][1];
    assert_eq!(
        (&copy["placed"], &copy["work_flop"]),
        (&false.into(), &0.0.into())
    );
    assert!(copy["warnings"][0].as_str().unwrap().contains("zero FLOP"));
    assert!(read["skipped"].is_array() && read["warnings"].is_array());

    let checked = printed(&["check", &session]);
    assert!(checked.contains("1 profile, 2 kernels"), "{checked}");
    let told = printed(&["kernels", &session]);
    assert!(
        told.contains("hold") && told.contains("recoverable"),
        "{told}"
    );
    assert!(told.contains("judged by H100 SXM"), "{told}");
    assert!(!printed(&["table", &session]).is_empty());
}

/// Times, clocks of single kernels, and rates without times.
#[test]
fn the_table_of_kernels_is_read_back_to_the_same_points() {
    let folder = Folder::new();
    let row = |kernel: &str, metric: &str, unit: &str, value: &str| {
        format!(
            "\"{}\",\"{kernel}\",\"7\",\"(1, 1, 1)\",\"(9, 1, 1)\",\"{metric}\",\"{unit}\",\"{value}\"\n",
            kernel.len()
        )
    };
    let mut clocks = "\"ID\",\"Kernel Name\",\"Stream\",\"Block Size\",\"Grid Size\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n".to_owned();
    for (kernel, clock) in [("k", "0.9"), ("kk", "1.8")] {
        clocks += &row(kernel, "gpu__time_duration.sum", "us", "10");
        clocks += &row(kernel, "dram__bytes_read.sum", "Mbyte", "3");
        clocks += &row(kernel, "dram__bytes_write.sum", "Mbyte", "2");
        clocks += &row(kernel, "smsp__cycles_elapsed.avg.per_second", "Ghz", clock);
    }
    let rates = "0 2432 blocks 0 its 0.250 Fl/B 3759 GB/s 940 GF/s 1255 Mhz 572 W\n\
                 0 2432 blocks 400 its 100.250 Fl/B 425 GB/s 42558 GF/s 1144 Mhz 398 W\n";
    let trace = data("kineto_h100.json.gz");
    let files = [
        trace.to_str().unwrap().to_owned(),
        folder.file("clocks.csv", &clocks),
        folder.file("rates.txt", rates),
    ];
    let gpu = ["--gpu", "H100 SXM"];
    for file in files {
        let (once, again) = (folder.path("once.ron"), folder.path("again.ron"));
        printed(&["import", &file, gpu[0], gpu[1], "-o", &once]);
        let table = printed(&["kernels", &once, "--format", "csv"]);
        let written = folder.file("kernels.csv", &table);
        printed(&["import", &written, gpu[0], gpu[1], "-o", &again]);
        assert_eq!(printed(&["kernels", &again, "--format", "csv"]), table);
        let told = printed(&["kernels", &once, "--format", "json"]);
        let told: serde_json::Value = serde_json::from_str(&told).unwrap();
        let kernels = told["kernels"].as_array().unwrap();
        let clock = |line: usize| kernels[line]["clock_hz"].as_f64().unwrap().round();
        match file.rsplit('/').next().unwrap() {
            "clocks.csv" => {
                let mut found = [clock(0), clock(1)];
                found.sort_by(f64::total_cmp);
                assert_eq!(found, [0.9e9, 1.8e9]);
            }
            "rates.txt" => {
                assert!(
                    kernels
                        .iter()
                        .all(|k| k["time_s"].is_null() && k["placed"] == true)
                );
                assert_eq!(kernels[0]["missing"], serde_json::json!(["time"]));
            }
            _ => {}
        }
    }
}

/// Cycles ÷ time of a name's launches, through the session and the table and back: 2 GHz for 1 ms and 1 GHz for 3 ms
/// are 1.25 GHz.
#[test]
fn each_kernel_keeps_its_own_clock() {
    let folder = Folder::new();
    let mut text =
        String::from("\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n");
    let launches = [
        ("two", 1_000_000, 2_000_000_000_u64),
        ("two", 3_000_000, 1_000_000_000),
        ("one", 1_000_000, 1_500_000_000),
    ];
    for (id, (name, time, clock)) in launches.iter().enumerate() {
        for (metric, unit, value) in [
            ("gpu__time_duration.sum", "ns", *time),
            ("smsp__cycles_elapsed.avg.per_second", "hz", *clock),
            ("dram__bytes.sum", "byte", 1_000_000),
            (
                "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
                "inst",
                1_000_000,
            ),
            (
                "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
                "inst",
                1_000_000,
            ),
            (
                "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
                "inst",
                1_000_000,
            ),
        ] {
            text += &format!("\"{id}\",\"{name}\",\"{metric}\",\"{unit}\",\"{value}\"\n");
        }
    }
    let file = folder.file("clocks.csv", &text);
    let (session, again) = (folder.path("clocks.ron"), folder.path("again.ron"));
    printed(&["import", &file, "--gpu", "H100 SXM", "-o", &session]);
    let json: Value =
        serde_json::from_str(&printed(&["kernels", &session, "--format", "json"])).unwrap();
    let clocks = format!("{json}");
    assert!(
        clocks.contains("1250000000") && clocks.contains("1500000000"),
        "{clocks}"
    );
    let table = printed(&["kernels", &session, "--format", "csv"]);
    let file = folder.file("kernels.csv", &table);
    printed(&["import", &file, "--gpu", "H100 SXM", "-o", &again]);
    assert_eq!(printed(&["kernels", &again, "--format", "csv"]), table);
}

/// A profile that failed quotes the profiler; one whose kernels lack something names the metric.
#[test]
fn a_file_without_kernels_fails_with_the_profilers_own_words() {
    let folder = Folder::new();
    let error = "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission";
    let file = folder.file(
        "failed.csv",
        &format!("==PROF== Connected to process 1\n{error}\n"),
    );
    let output = run(&["import", &file, "-o", &folder.path("x.ron")]);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains(error), "{told}");
    assert!(!Path::new(&folder.path("x.ron")).exists());
    let unknown = folder.file("unknown.txt", "nothing of use\n");
    let output = run(&["import", &unknown, "-o", &folder.path("x.ron")]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_newer_file_keeps_what_was_chosen() {
    let folder = Folder::new();
    let file = folder.file("run.csv", &ncu("NVIDIA H100 80GB HBM3", 3e6));
    let session = folder.path("run.ron");
    printed(&["import", &file, "-o", &session]);
    printed(&["kernels", &session, "--name", "gemm", "-o", &session]);
    folder.file("run.csv", &ncu("NVIDIA H100 80GB HBM3", 2e6));
    printed(&["import", &file, "--onto", &session, "-o", &session]);
    let told = json(&["kernels", &session, "--format", "json"]);
    let kernels = told["kernels"].as_array().unwrap();
    assert_eq!(kernels.len(), 1);
    assert_eq!(kernels[0]["time_s"], 2e-3);
    assert_eq!(
        printed(&["check", &session]).matches("1 profile").count(),
        1
    );
}

#[test]
fn several_files_are_compared_and_joined() {
    let folder = Folder::new();
    let device = "NVIDIA H100 80GB HBM3";
    let before = folder.file("before.csv", &ncu(device, 3e6));
    let after = folder.file("after.csv", &ncu(device, 2e6));
    let session = folder.path("both.ron");
    let read = json(&[
        "import", &before, &after, "-o", &session, "--format", "json",
    ]);
    assert_eq!(read.as_array().unwrap().len(), 2);
    let pairs = json(&[
        "kernels",
        &session,
        "--profile",
        "before",
        "--against",
        "after",
        "--format",
        "json",
    ]);
    let gemm = &pairs["pairs"][0];
    assert_eq!(gemm["kernel"], "gemm(float*)");
    assert!((gemm["ratio"].as_f64().unwrap() - 1.5).abs() < 1e-12);
    assert!((gemm["gained_s"].as_f64().unwrap() - 1e-3).abs() < 1e-15);
    let told = printed(&["kernels", &session, "--against", "after"]);
    assert!(
        told.contains("2 pairs took 3.1 ms and take 2.1 ms"),
        "{told}"
    );

    // Beside a prediction: the session gets a workload, and keeps the mapping.
    let text = fs::read_to_string(&session).unwrap();
    let workload = "workloads: [\n        Workload(name: \"step\", kind: Decode(parameters: \"8 G\", bytes_per_parameter: 2, batch: 1)),\n    ],";
    let text = text.replace("workloads: [],", workload);
    fs::write(&session, text).unwrap();
    let joined = json(&[
        "kernels",
        &session,
        "--join",
        "step",
        "--match",
        "gemm=step",
        "-o",
        &session,
        "--format",
        "json",
    ]);
    let group = &joined["groups"][0];
    assert_eq!(group["operators"][0], "step");
    assert_eq!(group["measured_s"], 3e-3);
    // 16 GB at 3.35 TB/s.
    assert!((group["predicted_s"].as_f64().unwrap() - 16e9 / 3.35e12).abs() < 1e-9);
    assert_eq!(joined["unmatched_kernels"][0], "copy(float*)");
    let again = json(&["kernels", &session, "--join", "step", "--format", "json"]);
    assert_eq!(again, joined);
    let slip = run(&[
        "kernels",
        &session,
        "--join",
        "step",
        "--match",
        "gemm=stop",
    ]);
    assert_eq!(slip.status.code(), Some(1));
    let said = String::from_utf8_lossy(&slip.stderr);
    assert!(
        said.contains("step has no operator \"stop\": name one of step"),
        "{said}"
    );
}

#[test]
fn the_gpu_of_the_file_judges_it_and_differences_are_told() {
    let folder = Folder::new();
    let unknown = folder.file("unknown.csv", &ncu("NVIDIA GeForce RTX 5070", 3e6));
    let output = run(&["import", &unknown, "--format", "json"]);
    let read: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(read["gpu"].is_null());
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("no built-in GPU is called")
    );
    let named = json(&["import", &unknown, "--gpu", "RTX 5090", "--format", "json"]);
    assert_eq!(named["gpu"], "RTX 5090");

    // Bus 7680 bit × 3,996 MHz × 2 is 7,672 GB/s, whatever the catalogue says of a B200.
    let table = r#""ID","Kernel Name","Stream","device__attribute_display_name","device__attribute_memory_clock_rate","device__attribute_global_memory_bus_width","gpu__time_duration.sum","dram__bytes_read.sum","dram__bytes_write.sum"
"","","","","","","ns","byte","byte"
"0","k","7","NVIDIA B200","3996000","7680","1000","1000000","0"
"#;
    let file = folder.file("b200.csv", table);
    let session = folder.path("b200.ron");
    let told = |more: &[&str]| {
        let mut arguments = vec!["import", &file, "-o", &session];
        arguments.extend(more);
        String::from_utf8(run(&arguments).stderr).unwrap()
    };
    let kept = told(&[]);
    assert!(
        kept.contains("7.672 TB/s by the attributes") && kept.contains("the catalogue's is kept"),
        "{kept}"
    );
    let taken = told(&["--attributes"]);
    assert!(taken.contains("the file's is taken"), "{taken}");
    assert!(
        fs::read_to_string(&session)
            .unwrap()
            .contains("bandwidth: \"7.67232 TB/s\", basis: own")
    );
}

/// A trace with everything that must not get out of it.
#[test]
fn secrets_of_a_trace_stay_in_it() {
    let folder = Folder::new();
    let secret = "SECRET123";
    let trace = format!(
        r#"{{"schemaVersion": 1, "hostname": "{secret}-host", "env": {{"API_KEY": "{secret}", "HOME": "/home/{secret}"}},
        "deviceProperties": [{{"id": 0, "name": "NVIDIA H100 80GB HBM3", "uuid": "{secret}"}}], "trace_id": "{secret}",
        "metadata": {{"argv": "/home/{secret}/train.py --token {secret}"}},
        "traceEvents": [
        {{"ph": "M", "name": "process_name", "pid": 1, "args": {{"name": "/home/{secret}/python"}}}},
        {{"ph": "X", "cat": "kernel", "name": "k(float*)", "pid": 0, "tid": 7, "ts": 1.0, "dur": 5.0,
          "args": {{"External id": 1, "device": 0, "stream": 7, "user": "{secret}", "grid": [1,1,1], "block": [32,1,1]}}}}
        ], "traceName": "/home/{secret}/trace.json"}}"#
    );
    let file = folder.file("trace.json", &trace);
    let session = folder.path("trace.ron");
    let output = run(&["import", &file, "-o", &session, "--format", "json"]);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let said = [output.stdout, output.stderr, fs::read(&session).unwrap()].concat();
    let said = String::from_utf8(said).unwrap();
    assert!(said.contains("k(float*)"), "{said}");
    assert!(!said.contains(secret), "{said}");
    let kept = fs::read_to_string(&session).unwrap();
    assert!(!kept.contains(folder.0.path().to_str().unwrap()), "{kept}");
}

#[test]
fn a_pipe_and_a_mapping_are_read() {
    use std::io::Write as _;
    let folder = Folder::new();
    let program = env!("CARGO_BIN_EXE_ridgepoint");
    let mut child = Command::new(program)
        .args(["import", "-", "--format", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(ncu("NVIDIA H100 PCIe", 3e6).as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let read: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(read["gpu"], "H100 PCIe");

    let table = folder.file("own.csv", "what,how long,how much\nfirst,2,3\n");
    let map = folder.file(
        "map.ron",
        r#"(name: ["what"], time: (column: "how long", unit: "ms"), traffic: [(column: "how much", unit: "MB", level: DRAM)])"#,
    );
    let read = json(&["import", &table, "--map", &map, "--format", "json"]);
    assert_eq!(read["kernels"][0]["time_s"], 2e-3);
    assert_eq!(read["kernels"][0]["traffic_bytes"]["DRAM"], 3e6);
}

#[test]
fn recipes_name_command_and_metrics() {
    let ncu = printed(&["recipe", "ncu", "--gpu", "H100 SXM"]);
    assert!(ncu.contains("ncu --csv --page raw"), "{ncu}");
    assert!(ncu.contains("gpu__time_duration.sum") && ncu.contains("dram__bytes_read.sum"));
    assert!(printed(&["recipe", "torch"]).contains("record_shapes=True"));
    let wrong = run(&["recipe", "ncu", "--gpu", "MI300X"]);
    assert_eq!(wrong.status.code(), Some(2));
}

/// The readings of a V100 in the oldest layout: the file has a share of the peak, the device the bus it is of.
#[test]
fn a_share_of_the_peak_becomes_traffic_by_the_bus_of_the_device() {
    let folder = Folder::new();
    let mut text = "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Kernel Time\",\"Context\",\"Stream\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n".to_owned();
    for (metric, unit, value) in [
        ("Memory Frequency", "cycle/second", "768683274.02"),
        ("SOL FB", "%", "46.47"),
        ("Duration", "nsecond", "8992"),
    ] {
        text += &format!(
            "\"0\",\"1\",\"app\",\"host.example\",\"k\",\"2020-Feb-19 10:00:00\",\"1\",\"7\",\"GPU Speed Of Light\",\"{metric}\",\"{unit}\",\"{value}\"\n"
        );
    }
    let file = folder.file("old.csv", &text);
    let of = |gpu: &str| {
        let told = printed(&["import", &file, "--gpu", gpu, "--format", "json"]);
        serde_json::from_str::<serde_json::Value>(&told).unwrap()
    };
    let with_bus = of("V100 SXM2");
    let kernel = &with_bus["kernels"][0];
    let bytes = kernel["traffic_bytes"]["DRAM"].as_f64().unwrap();
    assert!((bytes / 3.29e6 - 1.0).abs() < 1e-3, "{bytes}");
    let rate = kernel["bytes_per_s"].as_f64().unwrap();
    assert!((rate / 365.8e9 - 1.0).abs() < 1e-3, "{rate}");
    let without = of("H100 SXM");
    assert!(without["kernels"][0]["traffic_bytes"]["DRAM"].is_null());
    assert!(
        without["warnings"]
            .to_string()
            .contains("name a GPU that has a memory bus")
    );
    let session = folder.path("old.ron");
    let told = run(&["import", &file, "--gpu", "V100 SXM2", "-o", &session]);
    let [out, err] = [told.stdout, told.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(out.contains("derived: share of the peak"), "{out}");
    assert!(!err.contains("how wide the bus is"), "{err}");
}

/// Where nothing tells which mark is the decimal one, whoever knows says so.
#[test]
fn the_command_line_says_how_numbers_are_written() {
    let folder = Folder::new();
    let file = folder.file(
        "own.csv",
        "name,time (ms),dram (MB)\nk,\"1,234\",\"5,678\"\n",
    );
    let refused = run(&["import", &file, "--format", "json"]);
    assert_eq!(refused.status.code(), Some(1));
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.contains("may be 1234 or 1.234"), "{said}");
    for (mark, time) in [("point", 1.234), ("comma", 1.234e-3)] {
        let told = printed(&["import", &file, "--decimal", mark, "--format", "json"]);
        let told: serde_json::Value = serde_json::from_str(&told).unwrap();
        assert_eq!(told["kernels"][0]["time_s"].as_f64(), Some(time));
    }
}

/// A file of devices where kernels are expected, and a table nobody knows, are told as what they are.
#[test]
fn what_holds_no_kernels_is_told_as_what_it_is() {
    let folder = Folder::new();
    let peaks = data("user_peaks.csv");
    let (peaks, session) = (peaks.to_str().unwrap(), folder.path("s.ron"));
    let said = |arguments: &[&str]| {
        let output = run(&[&["import"], arguments, &["-o", &session]].concat());
        assert!(!output.status.success(), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    for more in [["--gpu", "H100 SXM"], ["--decimal", "point"]] {
        let told = said(&[&[peaks], more.as_slice()].concat());
        assert!(
            told.contains("this file holds devices and no kernels"),
            "{told}"
        );
        assert!(told.contains("--onto"), "{told}");
    }
    let odd = folder.file("odd.csv", "was;dauer\nmatrix;5,0\n");
    let told = said(&[&odd]);
    assert!(
        told.contains("this is a table whose columns are not known"),
        "{told}"
    );
    assert!(told.contains("--map"), "{told}");
}
