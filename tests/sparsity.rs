//! Structured sparsity: which peaks have it, and a sparse peak that is taken for a dense one wherever it comes from.
use ridgepoint::files::{presets, session_file};
use ridgepoint::model::cost::{ComputeUnit, Level, Path};
use ridgepoint::model::gpu::{ComputeRoof, Gpu, MemoryRoof, Sourced};
use ridgepoint::model::plausibility::About;
use ridgepoint::model::quantity::{ByteRate, FlopRate, Quantity};
use std::process::Command;

/// What is known of structured sparsity: the factor of each device, and what notes say of single formats.
const TABLE: &str = include_str!("data/sparsity.csv");

/// What the table says of a device: the factor and the note beside it; nothing where it has no row.
fn told(device: &str) -> Option<(f64, &'static str)> {
    TABLE.lines().find_map(|line| {
        let rest = line.trim_start_matches('"').strip_prefix(device)?;
        let rest = rest
            .trim_start_matches('"')
            .strip_prefix(",sparse_factor,")?;
        let (factor, note) = rest.split_once(',')?;
        Some((factor.parse().ok()?, note.trim_matches('"')))
    })
}

/// The sparse peak the table gives for a path of a device.
fn expected(id: &str, path: Path, dense: f64, told: Option<(f64, &str)>) -> Option<f64> {
    let format = path.format.name();
    match (id, format) {
        // Their notes: 14 dense and 18 sparse, 15 dense and 20 sparse.
        ("nvidia-b300-hgx", "FP4") => return Some(18e15),
        ("nvidia-gb300", "FP4") => return Some(20e15),
        _ => {}
    }
    let (factor, note) = told?;
    if factor <= 1.0 {
        return None;
    }
    if note.contains("doubles tensor rates (not FP64)") {
        return (format != "FP64").then_some(2.0 * dense);
    }
    if let Some(formats) = note.strip_prefix("sparse 2563e12 for ") {
        let formats = formats.split(':').next()?;
        return formats.split('/').any(|of| of == format).then_some(2563e12);
    }
    // "doubles FP16/BF16/FP8/INT8 only", "4:2 sparsity doubles TF32/FP16/BF16/FP8/INT8", "2x for FP8/FP16; …".
    let list = note.split([' ', ';']).find(|word| word.contains('/'))?;
    let like = match (id, format) {
        // Both 16-bit formats share a column, and the note of INT8 says 307 sparse.
        ("nvidia-b300-hgx", "BF16" | "INT8") => "FP16",
        (_, format) => format,
    };
    list.split('/').any(|of| of == like).then_some(2.0 * dense)
}

#[test]
fn presets_have_the_sparse_peaks_of_the_table_and_no_others() {
    let (mut with, mut without) = (0, 0);
    for preset in presets::all_gpus() {
        let (id, gpu) = (preset.id, &preset.gpu);
        let told = told(&format!("{} {}", preset.vendor, gpu.name));
        for roof in gpu.dense_roofs() {
            let path = roof.path;
            let expected = match path.unit {
                ComputeUnit::Matrix => expected(id, path, roof.peak.value.get(), told),
                _ => None,
            };
            let sparse = gpu.compute_roof(path.with_sparsity());
            let sparse = sparse.map(|roof| roof.peak.value.get());
            match (sparse, expected) {
                (Some(sparse), Some(expected)) => {
                    assert!((sparse / expected - 1.0).abs() < 1e-9, "{id}: {path}");
                    with += 1;
                }
                (None, None) => without += 1,
                other => panic!("{id}: {path}: {other:?}"),
            }
        }
        let alone = |roof: &&ComputeRoof| gpu.compute_roof(roof.path.dense()).is_none();
        assert_eq!(gpu.compute.iter().find(alone), None, "{id}");
    }
    assert!(with > 140 && without > 140, "{with} {without}");
}

/// What the window's panel and `check` say of the peaks.
fn doubts(gpu: &Gpu) -> Vec<String> {
    let doubts = gpu.doubts(&presets::published()).into_iter();
    let peaks = doubts.filter(|doubt| matches!(doubt.about, About::Peak(_)));
    peaks.map(|doubt| doubt.text).collect()
}

fn described(name: &str, preset: Option<&str>, peaks: &[(&str, f64)], bandwidth: f64) -> Gpu {
    let mut gpu = Gpu::empty(name);
    gpu.preset = preset.map(str::to_owned);
    for (path, peak) in peaks {
        let peak = Sourced::theoretical(FlopRate::try_from(*peak).unwrap(), "data sheet");
        let path = path.parse().unwrap();
        gpu.compute.push(ComputeRoof::new(path, peak));
    }
    let bandwidth = Sourced::theoretical(ByteRate::try_from(bandwidth).unwrap(), "data sheet");
    gpu.memory.push(MemoryRoof::new(Level::Dram, bandwidth));
    gpu
}

const SHEET: [(&str, f64); 2] = [("BF16 matrix", 1979e12), ("FP16 matrix", 1979e12)];

#[test]
fn the_figure_of_a_data_sheet_is_doubted_by_preset_by_name_and_by_itself() {
    for (name, preset) in [
        ("H100", None),
        ("NVIDIA H100 80GB HBM3", None),
        ("my node", Some("nvidia-h100-sxm")),
        ("H100 (rounded)", Some("h100-rounded")),
        ("device 0", None),
    ] {
        let doubts = doubts(&described(name, preset, &SHEET, 3.35e12));
        assert_eq!(doubts.len(), 2, "{name}: {doubts:?}");
        let said = doubts[0].contains("structured sparsity") && doubts[0].contains("989.4");
        let rounded = doubts[0].contains("990 TFLOP/s") || doubts[0].contains("989.4");
        assert!(said || rounded, "{name}: {}", doubts[0]);
    }
}

/// A mix-up of products, or of half a sparse figure: above what is published, whatever it is.
#[test]
fn a_figure_above_the_published_one_is_doubted() {
    let sxm = Some("nvidia-h100-sxm");
    for (preset, peak, bandwidth) in [
        (sxm, 1671e12, 3.35e12),
        (sxm, 1300e12, 3.35e12),
        (None, 1300e12, 2e12),
    ] {
        let gpu = described("H100", preset, &[("BF16 matrix", peak)], bandwidth);
        let said = doubts(&gpu).join("\n");
        assert!(
            said.contains("is above the 989.4 TFLOP/s published") || said.contains("990"),
            "{peak}: {said}"
        );
    }
    let said = doubts(&described("X1", None, &[("BF16 matrix", 1979e12)], 2.9e12)).join("\n");
    assert!(
        said.contains("with structured sparsity: is it dense?"),
        "{said}"
    );
    let gpu = described("H100 PCIe", None, &[("BF16 matrix", 756e12)], 3.35e12);
    let said = gpu.doubts(&presets::published());
    assert!(
        said[0].text.contains("is above the 2 TB/s published"),
        "{said:?}"
    );
    // What was measured may be above: dual issue, a boost clock.
    let mut gpu = described("H100", sxm, &[("BF16 matrix", 1300e12)], 3.35e12);
    gpu.compute[0].peak = Sourced::achievable(FlopRate::try_from(1300e12).unwrap(), "measured");
    assert_eq!(doubts(&gpu), [""; 0]);
}

#[test]
fn right_figures_under_the_same_names_are_not_doubted() {
    let sxm = [("BF16 matrix", 989.4e12), ("FP8 matrix", 1978.9e12)];
    for (name, peaks, bandwidth) in [
        ("H100", &sxm[..], 3.35e12),
        ("H100 PCIe", &[("BF16 matrix", 756e12)], 2e12),
        ("H100", &[("BF16 matrix", 835.5e12)], 3.9e12),
        (
            "A100",
            &[("TF32 matrix", 156e12), ("BF16 matrix", 312e12)],
            2.039e12,
        ),
        (
            "MI100",
            &[("FP16 matrix", 184.6e12), ("BF16 matrix", 92.3e12)],
            1.2288e12,
        ),
        ("device 0", &[("FP8 matrix", 1978.9e12)], 3.35e12),
    ] {
        let gpu = described(name, None, peaks, bandwidth);
        assert_eq!(doubts(&gpu), [""; 0], "{name}");
    }
}

#[test]
fn peaks_that_fit_no_device_are_doubted_without_a_name() {
    let tf32 = [("TF32 matrix", 990e12), ("BF16 matrix", 660e12)];
    let said = doubts(&described("x", None, &tf32, 3e12)).join("\n");
    assert!(said.contains("TF32 at 990 TFLOP/s is above BF16"), "{said}");
    let twice = [("FP16 matrix", 660e12), ("BF16 matrix", 330e12)];
    let said = doubts(&described("x", None, &twice, 3e12)).join("\n");
    assert!(said.contains("a factor of two apart"), "{said}");
    let same = [("BF16 matrix", 660e12), ("BF16 matrix, sparse", 660e12)];
    let said = doubts(&described("x", None, &same, 3e12)).join("\n");
    assert!(
        said.contains("no lower than the peak with structured sparsity"),
        "{said}"
    );
}

#[test]
fn both_directions_of_a_link_are_doubted() {
    let mut gpu = presets::find_gpu("nvidia-h100-sxm").unwrap().gpu;
    let link = gpu.memory_roof_mut(Level::ScaleUpLink).unwrap();
    link.bandwidth.value = ByteRate::parse("900 GB/s").unwrap();
    let said = gpu.doubts(&presets::published());
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].text.contains("both directions"), "{}", said[0]);
}

/// A session as someone else's tool or hand writes it: the peaks are taken for published ones.
const SESSION: &str = r#"Session(version: 1, gpus: [Gpu(name: "H100", compute: [
    Compute(path: "BF16 matrix", peak: "1979 TFLOP/s", basis: theoretical, source: "data sheet"),
    Compute(path: "FP16 matrix", peak: "1979 TFLOP/s", basis: theoretical, source: "data sheet"),
], memory: [Memory(level: DRAM, bandwidth: "3.35 TB/s", basis: theoretical, source: "data sheet")])],
workloads: [Workload(name: "a kernel", kind: Gemm(m: 8192, n: 8192, k: 8192, a: BF16, b: BF16, c: BF16))])"#;

fn run(arguments: &[&str]) -> (String, String) {
    let program = env!("CARGO_BIN_EXE_ridgepoint");
    let output = Command::new(program).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let (out, complaints) = (text(output.stdout), text(output.stderr));
    assert!(output.status.success(), "{complaints}");
    (out, complaints)
}

#[test]
fn check_table_and_import_say_it() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let session = write("s.ron", SESSION);
    let sentence = "the figure with structured sparsity of the H100 SXM; dense work reaches at most 989.4 TFLOP/s";
    let (_, said) = run(&["check", &session]);
    assert_eq!(said.matches(sentence).count(), 2, "{said}");
    let (table, _) = run(&["table", &session]);
    assert!(table.contains("judged by a doubtful roof"), "{table}");
    assert!(table.contains(sentence), "{table}");
    let hardware = write(
        "hardware_config.json",
        r#"{"H100": {"TFlopsPeak": 1979.0, "BwPeakTBs": 3.35, "MemoryGiB": 80}}"#,
    );
    let output = folder.path().join("o.ron");
    let (_, said) = run(&["import", &hardware, "-o", output.to_str().unwrap()]);
    assert_eq!(said.matches(sentence).count(), 2, "{said}");
}

#[test]
fn one_factor_of_an_earlier_file_becomes_a_roof_of_each_format_that_has_it() {
    let text = r#"Gpu(name: "card", sparsity: 2, compute: [
        Compute(path: "FP64 matrix", peak: "60 TFLOP/s"), Compute(path: "FP16 matrix", peak: "1 PFLOP/s"),
        Compute(path: "FP4 matrix", peak: "4 PFLOP/s"), Compute(path: "FP32 vector", peak: "60 TFLOP/s")])"#;
    let gpu = session_file::gpu_from_text(text).unwrap();
    let sparse = gpu.compute.iter().filter(|roof| roof.path.sparse);
    let sparse: Vec<_> = sparse
        .map(|roof| (roof.path.to_string(), roof.peak.value.get()))
        .collect();
    assert_eq!(sparse, [("FP16 matrix, sparse".to_owned(), 2e15)]);
    let again = session_file::gpu_from_text(&session_file::gpu_text(&gpu)).unwrap();
    assert_eq!(again, gpu);
}
