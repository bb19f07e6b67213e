//! Devices from the files of other programs: right figures in right units, and nothing lost without a word.
//!
//! The files in `data/import` have the shape and the figures of published ones: TraceLens, inference-sim,
//! roofline_python and rocprofiler-compute; what their metadata say of machines is left out.
use ridgepoint::files::import::{self, ImportError, Imported};
use ridgepoint::files::{presets, session_file};
use ridgepoint::model::cost::{Level, Path};
use ridgepoint::model::gpu::{Basis, Gpu, JudgedBy};
use ridgepoint::model::measurement::{Measurement, Observation};
use ridgepoint::model::placement::Assumptions;
use ridgepoint::model::quantity::{Bytes, FlopRate, Flops};
use ridgepoint::model::workload::{Kind, Raw};
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

const ARCH: &str = include_str!("data/import/arch_mi300x.json");
const BLIS: &str = include_str!("data/import/hardware_config.json");
const SKYLAKE: &str = include_str!("data/import/ert_skylake.json");
const A64FX: &str = include_str!("data/import/ert_a64fx.json");
const ROOFLINE: &str = include_str!("data/import/roofline_mi200.csv");

#[track_caller]
fn imported(text: &str, name: &str) -> Imported {
    import::devices(text, name).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn refused(text: &str) -> String {
    let error = import::devices(text, "a.txt").unwrap_err().to_string();
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

fn path(path: &str) -> Path {
    path.parse().unwrap()
}

fn peak(gpu: &Gpu, of: &str) -> Option<f64> {
    Some(gpu.compute_roof(path(of))?.peak.value.get())
}

fn bandwidth(gpu: &Gpu, level: Level) -> Option<f64> {
    Some(gpu.memory_roof(level)?.bandwidth.value.get())
}

#[track_caller]
fn ridge(gpu: &Gpu, of: &str, expected: f64) {
    let ridge = gpu.ridge(path(of), Level::Dram).unwrap().get();
    assert!((ridge / expected - 1.0).abs() < 5e-4, "{ridge}");
}

/// Every figure is known on this basis, from this source.
#[track_caller]
fn known(gpu: &Gpu, basis: Basis, source: &str) {
    for roof in &gpu.compute {
        assert_eq!(
            (roof.peak.basis, roof.peak.source.as_str()),
            (basis, source)
        );
    }
    for roof in &gpu.memory {
        let bandwidth = &roof.bandwidth;
        assert_eq!(
            (bandwidth.basis, bandwidth.source.as_str()),
            (basis, source)
        );
    }
}

#[track_caller]
fn says(sentences: &[String], part: &str) {
    let found = sentences.iter().any(|sentence| sentence.contains(part));
    assert!(found, "{part:?} is not in {sentences:?}");
}

#[test]
fn tracelens_rates_are_achievable() {
    let import = imported(ARCH, "/home/somebody/arch_mi300x.json");
    let [gpu] = &import.gpus[..] else {
        panic!("{import:?}")
    };
    assert_eq!(gpu.name, "MI300X");
    assert_eq!(gpu.capacity.unwrap().get(), 192e9);
    assert_eq!(bandwidth(gpu, Level::Dram), Some(5.3e12));
    let paths = ["BF16 matrix", "FP8 matrix", "INT8 matrix", "FP64 vector"];
    let peaks = paths.map(|path| peak(gpu, path).unwrap());
    assert_eq!(peaks, [708e12, 1273e12, 2600e12, 40e12]);
    assert_eq!((gpu.compute.len(), gpu.memory.len()), (10, 1));
    known(
        gpu,
        Basis::Achievable,
        "TraceLens architecture (JSON), arch_mi300x.json",
    );
    says(&import.read, "GB/s (1e9 B/s)");
    assert_eq!(import.ignored, Vec::<String>::new());
}

#[test]
fn blis_peaks_are_declared() {
    let import = imported(BLIS, "hardware_config.json");
    let names: Vec<_> = import.gpus.iter().map(|gpu| gpu.name.as_str()).collect();
    assert_eq!(names, ["H100", "A100-SXM"]);
    for (gpu, peak_of, bytes) in [
        (&import.gpus[0], 989.5e12, 3.35e12),
        (&import.gpus[1], 312e12, 2.039e12),
    ] {
        assert_eq!(peak(gpu, "BF16 matrix"), Some(peak_of));
        assert_eq!(peak(gpu, "FP16 matrix"), Some(peak_of));
        assert_eq!(bandwidth(gpu, Level::Dram), Some(bytes));
        assert_eq!(gpu.capacity, None);
        known(
            gpu,
            Basis::Theoretical,
            "BLIS hardware config (JSON), hardware_config.json",
        );
    }
    says(&import.read, "dense peak of BF16 and FP16 matrix");
    let [ignored] = &import.ignored[..] else {
        panic!("{:?}", import.ignored)
    };
    assert!(ignored.starts_with("not used: BwEffConstant, TOverheadMicros, "));
    // Later versions say more.
    let later = r#"{"A": {"TFlopsPeak": 312, "TFlopsFP8": 0, "BwPeakTBs": 2, "MemoryGiB": 80},
        "B": {"TFlopsPeak": 989.5, "TFlopsFP8": 1979, "MemoryGiB": 80}}"#;
    let import = imported(later, "a.json");
    assert_eq!(peak(&import.gpus[0], "FP8 matrix"), None);
    assert_eq!(peak(&import.gpus[1], "FP8 matrix"), Some(1979e12));
    assert_eq!(import.gpus[0].capacity.unwrap().get(), 85_899_345_920.0);
    assert_eq!(
        import.ignored,
        ["B has no BwPeakTBs, so there is no DRAM roof"]
    );
}

#[test]
fn ert_levels_come_in_any_order() {
    let import = imported(SKYLAKE, "ert_skylake.json");
    let gpu = &import.gpus[0];
    assert_eq!(gpu.name, "ert_skylake");
    assert_eq!(peak(gpu, "FP64 vector"), Some(2772.78e9));
    let levels = [Level::L1, Level::L2, Level::Dram];
    let rates = levels.map(|level| bandwidth(gpu, level).unwrap());
    assert_eq!(rates, [8259.44e9, 3120.85e9, 200.3e9]);
    ridge(gpu, "FP64 vector", 13.84);
    known(
        gpu,
        Basis::Achievable,
        "ERT roofline (JSON), ert_skylake.json",
    );

    let import = imported(A64FX, "ert_a64fx.json");
    let gpu = &import.gpus[0];
    assert_eq!(peak(gpu, "FP64 vector"), Some(2761.3e9));
    let rates = levels.map(|level| bandwidth(gpu, level).unwrap());
    assert_eq!(rates, [5802.6e9, 2597.6e9, 840.6e9]);
    ridge(gpu, "FP64 vector", 3.285);
    says(&import.read, "\"STREAM HBM\" is read as DRAM");
    says(&import.ignored, "metadata");
}

#[test]
fn what_describes_a_machine_stays_behind() {
    for text in [SKYLAKE, A64FX] {
        let import = imported(text, "/home/somebody/run/ert.json");
        let all = format!("{import:?}");
        for word in ["host", "192.0", "somebody", "Results"] {
            assert!(!all.contains(word), "{word}: {all}");
        }
    }
    let import = imported("device,HBMBw\nnode17.example,1000\n", "roofline.csv");
    assert_eq!(import.gpus[0].name, "roofline, device 0");
}

#[test]
fn every_row_of_a_roofline_csv_is_a_device() {
    let import = imported(ROOFLINE, "roofline.csv");
    let names: Vec<_> = import.gpus.iter().map(|gpu| gpu.name.as_str()).collect();
    let expected = [0, 1, 2, 3].map(|number| format!("roofline, device {number}"));
    assert_eq!(names, expected);
    let gpu = &import.gpus[0];
    let levels = [Level::Dram, Level::L2, Level::L1];
    let rates = levels.map(|level| bandwidth(gpu, level).unwrap());
    assert_eq!(rates, [1389.1462e9, 5017.5005e9, 9228.3779e9]);
    assert_eq!(peak(gpu, "FP32 vector"), Some(20946.693e9));
    assert_eq!(peak(gpu, "FP64 vector"), Some(20272.535e9));
    assert_eq!(peak(gpu, "FP16 matrix"), Some(164933.34e9));
    assert_eq!(peak(gpu, "INT8 matrix"), Some(166403.12e9));
    assert_eq!((gpu.compute.len(), gpu.memory.len()), (7, 3));
    ridge(gpu, "FP64 vector", 14.59);
    ridge(gpu, "FP16 matrix", 118.7);
    let two = &import.gpus[2];
    assert_eq!(bandwidth(two, Level::Dram), Some(1388.6648e9));
    known(
        two,
        Basis::Achievable,
        "rocprofiler-compute roofline (CSV), roofline.csv",
    );
    assert_eq!(
        import.ignored,
        [
            "not used: the Low and High columns, the spread of the runs",
            "not used: LDSBw"
        ]
    );
}

/// The roofline without some columns.
fn without(columns: &[&str]) -> String {
    let rows: Vec<Vec<&str>> = ROOFLINE.lines().map(|l| l.split(',').collect()).collect();
    let kept = |at: usize| !columns.contains(&rows[0][at]);
    let rows = rows.iter().map(|row| {
        let cells = row.iter().enumerate().filter(|(at, _)| kept(*at));
        cells.map(|(_, cell)| *cell).collect::<Vec<_>>().join(",")
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// B10: partly disabled dies have no L1 columns.
#[test]
fn a_missing_column_is_a_missing_roof_that_is_told() {
    let text = without(&["L1Bw", "L1BwLow", "L1BwHigh"]);
    let import = imported(&text, "roofline.csv");
    assert_eq!(import.gpus.len(), 4);
    for gpu in &import.gpus {
        assert_eq!(bandwidth(gpu, Level::L1), None);
        assert_eq!((gpu.compute.len(), gpu.memory.len()), (7, 2));
    }
    says(
        &import.ignored,
        "there is no column L1Bw, so there is no L1 roof",
    );
    let import = imported("device,L2Bw\r\n1,5000\r\n", "roofline.csv");
    assert_eq!(bandwidth(&import.gpus[0], Level::L2), Some(5e12));
    says(
        &import.ignored,
        "there is no column HBMBw, so there is no DRAM roof",
    );
    says(
        &import.ignored,
        "MFMAI8Ops, so there is no INT8 matrix roof",
    );
}

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
    assert_eq!(gpu.doubts(), Vec::<String>::new());
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
    let formats = "the formats are TraceLens architecture (JSON), BLIS hardware config (JSON), \
        ERT roofline (JSON) and rocprofiler-compute roofline (CSV)";
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
    let error = import::read(&b"\xff\xfe\x00"[..], "a").unwrap_err();
    assert!(matches!(error, ImportError::NotText { .. }));
}

#[test]
fn no_file_gives_devices_without_end() {
    let rows: String = (0..1000).map(|n| format!("{n},{}\n", n + 1)).collect();
    let import = imported(&format!("device,HBMBw\n{rows}"), "roofline.csv");
    assert_eq!(import.gpus.len(), 64);
    says(&import.ignored, "only the first 64 devices");
}

fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ridgepoint"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may have stopped before it has read.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

#[test]
fn the_command_line_makes_a_session_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("s.ron");
    let output = output.to_str().unwrap();
    std::fs::write(output, "replaced").unwrap();
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/import/arch_mi300x.json"
    );
    let done = run(&["import", file, "-o", output], "");
    let told = String::from_utf8(done.stderr).unwrap();
    assert!(done.status.success() && done.stdout.is_empty(), "{told}");
    assert!(told.contains("achievable, not as peaks"), "{told}");
    let text = std::fs::read_to_string(output).unwrap();
    assert!(!text.contains("tests/"), "{text}");
    let loaded = session_file::read(&text).unwrap();
    assert_eq!(loaded.session.title, "arch_mi300x");
    assert_eq!(loaded.view.active, Some(loaded.session.gpus[0].id));
    assert_eq!(peak(&loaded.session.gpus[0], "BF16 matrix"), Some(708e12));
    known(
        &loaded.session.gpus[0],
        Basis::Achievable,
        "TraceLens architecture (JSON), arch_mi300x.json",
    );
    assert_eq!(session_file::write(&loaded.session, &loaded.view), text);
    assert!(run(&["check", output], "").status.success());

    let done = run(&["import", "-", "-o", output], ROOFLINE);
    let told = String::from_utf8(done.stderr).unwrap();
    assert!(done.status.success(), "{told}");
    assert!(told.contains("standard input: not used: LDSBw"), "{told}");
    let text = std::fs::read_to_string(output).unwrap();
    let session = session_file::read(&text).unwrap().session;
    assert_eq!(session.gpus.len(), 4);
    assert_eq!(session.gpus[3].name, "standard input, device 3");
}

#[test]
fn the_command_line_refuses_in_one_line_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("s.ron");
    let output = output.to_str().unwrap();
    let no_file = folder.path().join("no file");
    for (file, input) in [("-", "hello"), (no_file.to_str().unwrap(), "")] {
        let done = run(&["import", file, "-o", output], input);
        let told = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(1), "{told}");
        assert_eq!(told.lines().count(), 1, "{told}");
        assert!(!std::path::Path::new(output).exists());
    }
    std::fs::write(output, ARCH).unwrap();
    let done = run(&["import", output, "-o", output], "");
    assert_eq!(done.status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(output).unwrap(), ARCH);
    assert_eq!(run(&["import", output], "").status.code(), Some(2));
}
