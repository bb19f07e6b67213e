//! Session files that are wrong, old, foreign or sloppy: each is told with its place, or read all the same.
use proptest::prelude::*;
use ridgepoint::files::atomic;
use ridgepoint::files::session_file::{self, read};
use ridgepoint::model::gpu::Basis;

/// A file with one of everything, each on a line of its own.
const GOOD: &str = r#"#![enable(implicit_some)]
#![enable(unwrap_variant_newtypes)]
Session(
    version: 1,
    title: "T",
    gpus: [
        Gpu(
            name: "H100",
            capacity: "80 GB",
            compute: [
                Compute(path: "FP16 matrix", peak: "990 TFLOP/s", basis: theoretical),
                Compute(path: "FP32 vector", peak: 67e12),
            ],
            memory: [
                Memory(level: DRAM, bandwidth: "3.35 TB/s", basis: theoretical),
                Memory(level: L2, bandwidth: "5.5 TB/s", basis: achievable),
            ],
        ),
        Gpu(name: "A100"),
    ],
    workloads: [
        Workload(
            name: "decode",
            kind: Decode(
                parameters: "8 G",
                bytes_per_parameter: "2 B",
                batch: 1,
            ),
            efficiency: [
                Efficiency(gpu: "H100", share: 0.8),
            ],
            measured: [
                Measured(gpu: "H100", observed: "6.4 ms"),
            ],
        ),
        Workload(
            name: "point",
            kind: Intensity(intensity: "2 FLOP/B", work: "1 TFLOP"),
        ),
    ],
    view: View(
        active: "H100",
        selected: "decode",
        hidden_gpus: ["A100"],
        hidden_workloads: ["point"],
        limits: Limits(
            x: (-2.0, 5.0),
            y: (9.0, 16.0),
        ),
        sweep: Sweep(
            parameter: "batch",
            values: "1, 4, 16",
        ),
    ),
)
"#;

/// What to replace, by what, and what is said then; `‸` is the place where.
const WRONG: &[(&str, &str, &str)] = &[
    // The file as a whole.
    (
        "version: 1",
        "version: ‸7",
        "made by a newer Ridgepoint (version 7); this one reads up to 1",
    ),
    ("version: 1", "version: ‸0", "write `version: 1`"),
    ("version: 1", "version: ‸\"x\"", "write `version: 1`"),
    (
        "Session(\n    version: 1,\n",
        "‸Session(\n",
        "it has no version",
    ),
    // Syntax.
    (
        "title: \"T\",\n    gpus",
        "title: \"T\"\n    ‸gpus",
        "Expected comma",
    ),
    ("title: \"T\",", "title: ‸T,", "Expected string"),
    (
        "Gpu(name: \"A100\"),\n    ],",
        "Gpu(name: \"A100\"),\n    ‸)",
        "Expected",
    ),
    ("    ),\n)\n", "    ),\n‸", "Unexpected end of RON"),
    ("    ),\n)\n", "    ),\n) ‸x\n", "trailing"),
    ("implicit_some", "‸implicit_none", "implicit_none"),
    (
        "Gpu(name: \"A100\")",
        "‸Cpu(name: \"A100\")",
        "Expected struct `Gpu` but found `Cpu`",
    ),
    (
        "basis: achievable",
        "basis: ‸measured",
        "`theoretical`, `achievable`, or `own`",
    ),
    ("level: L2", "level: ‸L9", "`L9`"),
    ("kind: Decode(", "kind: ‸Encode(", "`Encode`"),
    (
        "Memory(level: L2, ",
        "‸Memory(",
        "missing field named `level`",
    ),
    (
        "name: \"A100\"",
        "name: \"A100\", ‸name: \"B\"",
        "duplicate field named `name`",
    ),
    (
        "kind: Intensity(intensity: \"2 FLOP/B\", ",
        "kind: ‸Intensity(",
        "missing field named `intensity`",
    ),
    // Quantities.
    (
        "\"990 TFLOP/s\"",
        "‸\"990 parsecs\"",
        "\"parsecs\" is not a unit",
    ),
    ("\"990 TFLOP/s\"", "‸\"0 TFLOP/s\"", "more than zero"),
    ("\"990 TFLOP/s\"", "‸\"-990 TFLOP/s\"", "negative"),
    ("\"990 TFLOP/s\"", "‸r#\"990 \"T\"#", "is not a unit"),
    ("67e12", "‸NaN", "NaN is not a finite number"),
    ("67e12", "‸inf", "inf is not a finite number"),
    ("67e12", "‸1e400", "inf is not a finite number"),
    ("67e12", "‸-1", "-1 is negative"),
    ("\"80 GB\"", "‸\"80 TB/s\"", "is not a unit"),
    ("\"3.35 TB/s\"", "‸\"3,350 GB/s\"", "may mean 3350 or 3.350"),
    (
        "batch: 1,",
        "batch: ‸1.5,",
        "batch: 1.5 is not a whole number",
    ),
    (
        "batch: 1,",
        "batch: ‸\"-3\",",
        "batch: \"-3\" cannot be used: -3 is negative",
    ),
    ("\"FP16 matrix\"", "‸\"FP16 matrox\"", "is not a path"),
    (
        "\"FP16 matrix\"",
        "‸\"FP17 matrix\"",
        "is not a number format",
    ),
    ("\"6.4 ms\"", "‸\"6.4 miles\"", "a time such as \"6.4 ms\""),
    ("\"6.4 ms\"", "‸\"0 s\"", "more than zero"),
    // What the model does not allow.
    ("\"FP32 vector\"", "‸\"FP16 matrix\"", "has a roof already"),
    ("level: L2", "level: ‸DRAM", "has a roof already"),
    ("share: 0.8", "share: ‸0.0", "from 0.000001 to 1"),
    ("share: 0.8", "share: ‸1.5", "from 0.000001 to 1"),
    ("share: 0.8", "share: ‸NaN", "from 0.000001 to 1"),
    (
        "Intensity(intensity: \"2 FLOP/B\"",
        "‸Intensity(intensity: \"0 FLOP/B\"",
        "multiply to no usable number",
    ),
    ("x: (-2.0, 5.0)", "x: ‸(5.0, -2.0)", "from 5 to -2"),
    ("y: (9.0, 16.0)", "y: ‸(9.0, inf)", "from 9 to inf"),
    ("y: (9.0, 16.0)", "y: ‸(NaN, 16.0)", "from NaN to 16"),
    (
        "parameter: \"batch\"",
        "parameter: ‸\"butch\"",
        "no numeric parameter \"butch\"",
    ),
    (
        "\"1, 4, 16\"",
        "‸\"1, x, 16\"",
        "does not begin with a number",
    ),
    ("\"1, 4, 16\"", "‸\"1, 1e999\"", "not a finite number"),
    // Names.
    (
        "name: \"A100\"",
        "name: ‸\"H100\"",
        "the name of an earlier GPU",
    ),
    (
        "name: \"A100\"",
        "name: ‸\" H100 \"",
        "the name of an earlier GPU",
    ),
    ("name: \"A100\"", "name: ‸\" \"", "needs a name"),
    (
        "name: \"point\"",
        "name: ‸\"decode\"",
        "the name of an earlier workload",
    ),
    (
        "Efficiency(gpu: \"H100\"",
        "Efficiency(gpu: ‸\"h\"",
        "no GPU named \"h\"",
    ),
    (
        "Measured(gpu: \"H100\"",
        "Measured(gpu: ‸\"h\"",
        "no GPU named \"h\"",
    ),
    (
        "active: \"H100\"",
        "active: ‸\"decode\"",
        "no GPU named \"decode\"",
    ),
    (
        "selected: \"decode\"",
        "selected: ‸\"H100\"",
        "no workload named \"H100\"",
    ),
    (
        "hidden_gpus: [\"A100\"]",
        "hidden_gpus: [\"A100\", ‸\"é\"]",
        "no GPU named \"é\"",
    ),
    (
        "[\"point\"]",
        "[ /* é \"x\" */ ‸\"é\"]",
        "no workload named \"é\"",
    ),
];

#[test]
fn the_good_file_is_good() {
    let loaded = read(GOOD).unwrap();
    assert_eq!(loaded.warnings, Vec::<String>::new());
    assert!(!loaded.has_comments);
    let gpu = &loaded.session.gpus[0];
    // A number without a basis is the user's own.
    assert_eq!(gpu.compute[1].peak.basis, Basis::Own);
    assert_eq!(loaded.session.workloads[0].efficiency_on(gpu.id), 0.8);
    assert_eq!(loaded.view.active, Some(gpu.id));
    assert!(!loaded.view.shows_gpu(loaded.session.gpus[1].id));
    assert_eq!(loaded.view.sweep.unwrap().values, [1.0, 4.0, 16.0]);
}

#[test]
fn wrong_files_are_told_with_their_place() {
    for (old, new, says) in WRONG {
        assert_eq!(GOOD.matches(old).count(), 1, "{old}");
        let marked = GOOD.replace(old, new);
        let before = &marked[..marked.find('‸').unwrap()];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
        let text = marked.replace('‸', "");
        // With the line ends and the mark that other editors write, places are the same.
        for text in [
            text.clone(),
            text.replace('\n', "\r\n"),
            format!("\u{feff}{text}"),
        ] {
            let error = read(&text).expect_err(new);
            assert_eq!((error.line, error.column), (line, column), "{new}: {error}");
            assert!(error.message.contains(says), "{new}: {error}");
        }
    }
}

#[test]
fn other_files_are_refused() {
    for text in [
        "",
        "{}",
        "[]",
        "1",
        "\"x\"",
        "{\"version\": 1}",
        "Session",
        "()",
        "\0\0\0",
    ] {
        let error = read(text).expect_err(text);
        assert_eq!(error.line, 1, "{text:?}: {error}");
    }
    let error = read(&" ".repeat(session_file::MOST_BYTES + 1)).unwrap_err();
    assert!(error.message.contains("256 MiB"), "{error}");
    for deep in ["[", "(", "(a:", "{1:", "Some("] {
        assert!(read(&format!("(version: 1, x: {}", deep.repeat(50_000))).is_err());
        assert!(read(&deep.repeat(50_000)).is_err());
    }
}

#[test]
fn files_that_cannot_be_opened_say_why() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ä.ron");
    let error = session_file::open(&path).unwrap_err().to_string();
    assert!(error.starts_with(path.to_str().unwrap()), "{error}");
    atomic::write(&path, b"(version: 1,\n title: \"\xff\")").unwrap();
    let error = session_file::open(&path).unwrap_err().to_string();
    assert!(error.contains("ä.ron:2:10: this is not UTF-8"), "{error}");
    atomic::write(&path, GOOD.as_bytes()).unwrap();
    assert_eq!(session_file::open(&path).unwrap(), read(GOOD).unwrap());
    assert!(session_file::open(folder.path()).is_err());
}

#[test]
fn what_a_save_would_lose_is_told() {
    let text = GOOD
        .replace("title:", "colour: \"red\", title:")
        .replace("batch: 1,", "batch: 1, // one\n temperature: [1, (2, 3)],");
    let loaded = read(&text).unwrap();
    assert!(loaded.has_comments);
    assert_eq!(
        loaded.warnings,
        [
            "colour is unknown and will be lost on save (line 5)",
            "workloads.0.kind.temperature is unknown and will be lost on save (line 28)",
        ]
    );
    let many: String = (0..100).map(|n| format!("f{n}: 1, ")).collect();
    let text = GOOD.replace("title:", &format!("{many}title:"));
    let warnings = read(&text).unwrap().warnings;
    assert_eq!(warnings.len(), 21);
    assert!(warnings[20].starts_with("80 more fields"));
}

#[test]
fn headers_may_be_left_out_and_kinds_written_both_ways() {
    let bare: String = GOOD
        .lines()
        .skip(2)
        .map(|line| format!("{line}\n"))
        .collect();
    let expected = read(GOOD).unwrap();
    assert_eq!(read(&bare).unwrap(), expected);
    let plain = bare
        .replace("kind: Decode(", "kind: Decode((")
        .replace("batch: 1,\n            ),", "batch: 1,\n            )),")
        .replace(
            "kind: Intensity(intensity: \"2 FLOP/B\", work: \"1 TFLOP\")",
            "kind: Intensity((intensity: 2, work: 1e12))",
        )
        .replace("capacity: \"80 GB\"", "capacity: Some(\"80 GB\")");
    for header in ["", "#![enable(implicit_some)]\n"] {
        assert_eq!(read(&format!("{header}{plain}")).unwrap(), expected);
    }
}

proptest! {
    #[test]
    fn a_file_cut_or_scribbled_in_is_told_or_read_but_never_a_panic(at in 0..GOOD.trim_end().len(), scribble in "\\PC{0,8}|[\"\\\\\n\t/*()r#\\[\\]']{0,5}") {
        let cut = read(&GOOD[..at]);
        prop_assert!(cut.is_err());
        let _ = read(&format!("{}{scribble}{}", &GOOD[..at], &GOOD[at..]));
    }
}
