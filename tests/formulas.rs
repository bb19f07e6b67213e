//! Formulas of the user's own from outside: files, sweeps, drags and undo names.
use ridgepoint::files::presets;
use ridgepoint::files::session_file::{read, write};
use ridgepoint::model::change;
use ridgepoint::model::quantity::Intensity;
use ridgepoint::model::session::{Session, Workload};
use ridgepoint::model::sweep::{self, Sweep};
use ridgepoint::model::units::Unit;
use ridgepoint::model::view::View;
use ridgepoint::model::what_if::{self, Hold, Target};
use ridgepoint::model::workload::{Formula, Kind};

/// A session with one formula on the built-in GPU.
fn session_with(kind: Kind) -> (Session, View) {
    let (_, loaded) = presets::find_session("@8b-decode-on-h100").unwrap();
    let mut session = loaded.session;
    session.workloads.clear();
    session.add_workload(Workload::new("Mine", kind), None);
    let view = View::of(&session);
    (session, view)
}

fn example() -> Kind {
    Kind::Formula(Formula::default())
}

fn formula(kind: &mut Kind) -> &mut Formula {
    match kind {
        Kind::Formula(formula) => formula,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_file_reads_like_what_was_typed() {
    let mut kind = example().with_text("traffic_l2", "8*M*N + 0.5").unwrap();
    kind = kind.with("bytes", 0.5625).unwrap().with("M", 1e18).unwrap();
    formula(&mut kind).set_drag(Some("N")).unwrap();
    let (session, view) = session_with(kind);
    let text = write(&session, &view);
    let expected = r#"            kind: Formula(
                parameters: {"M": 1e18, "N": 4096, "K": 4096, "bytes": 0.5625},
                work: "2*M*N*K",
                traffic: "(M*K + K*N + M*N)*bytes",
                traffic_l2: "8*M*N + 0.5",
                format: FP16,
                unit: Matrix,
                drag: "N",
            ),
"#;
    assert!(text.contains(expected), "{text}");
    let loaded = read(&text).unwrap();
    assert_eq!(loaded.session.workloads[0].kind, session.workloads[0].kind);
    assert_eq!(write(&loaded.session, &loaded.view), text);
}

#[test]
fn a_file_may_be_written_in_another_order_and_with_units() {
    let text = r#"(version: 1, workloads: [(name: "w", kind: Formula((
        traffic: "n*bytes", work: "n", traffic_l1: None,
        parameters: {"n": "4k", "bytes": 2e0},
    )))])"#;
    let loaded = read(text).unwrap();
    let kind = &loaded.session.workloads[0].kind;
    assert_eq!(kind.number("n"), Some(4000.0));
    assert_eq!(kind.text("traffic").unwrap(), "n*bytes");
    assert_eq!(kind.text("traffic_l1").unwrap(), "");
}

#[test]
fn a_wrong_formula_in_a_file_is_told_with_its_place() {
    const GOOD: &str = r#"(version: 1, workloads: [
    (name: "w", kind: Formula(
        parameters: {
            "M": 4096,
            "bytes": 2,
        },
        work: "2*M",
        traffic: "M*bytes",
        drag: "M",
    )),
])"#;
    assert!(read(GOOD).is_ok());
    let cases = [
        (
            "\"2*M\"",
            "\"2*X\"",
            (7, 15),
            "there is no name \"X\": write one of M, bytes (column 3)",
        ),
        ("\"2*M\"", "\"2*(M\"", (7, 15), "(column 3)"),
        ("\"2*M\"", "\"\"", (7, 15), "nothing is written"),
        ("\"2*M\"", "17", (7, 15), "Expected string"),
        ("\"M*bytes\"", "\"M*\"", (8, 18), "the formula ends after *"),
        (
            "\"M*bytes\"",
            "\"bytes/(M-4096)\"",
            (8, 18),
            "it divides by zero",
        ),
        ("\"M*bytes\"", "\"0-M\"", (8, 18), "-4096 is negative"),
        ("4096", "1e59", (7, 15), ""),
        ("4096", "-1", (4, 18), "-1 is negative"),
        ("4096", "\"many\"", (4, 18), "does not begin with a number"),
        (
            "\"bytes\": 2",
            "\"M\": 2",
            (5, 18),
            "there is a parameter M already",
        ),
        ("\"bytes\": 2", "\"min\": 2", (5, 20), "min is a function"),
        (
            "\"bytes\": 2",
            "\"a b\": 2",
            (5, 20),
            "\"a b\" cannot be a name",
        ),
        (
            "drag: \"M\"",
            "drag: \"N\"",
            (2, 23),
            "N is unknown: it must be one of the parameters",
        ),
        (
            "        work: \"2*M\",\n",
            "",
            (2, 23),
            "missing field named `work`",
        ),
        (
            "work: \"2*M\",",
            "work: \"2*M\", work: \"M\",",
            (7, 22),
            "duplicate field named `work`",
        ),
    ];
    for (old, new, place, says) in cases {
        let text = GOOD.replace(old, new);
        if says.is_empty() {
            // Large numbers alone are no error.
            assert!(read(&text).is_ok(), "{new}");
            continue;
        }
        let error = read(&text).expect_err(new);
        assert!(error.message.contains(says), "{new}: {error}");
        assert_eq!((error.line, error.column), place, "{new}: {error}");
    }
}

#[test]
fn any_own_parameter_can_be_swept() {
    let (session, _) = session_with(example());
    let values = Sweep::parse_values("1..1024", Unit::Ratio).unwrap();
    assert_eq!(values.len(), 11);
    let sweep = Sweep {
        parameter: "M".to_owned(),
        values,
    };
    let (workload, gpu) = (&session.workloads[0], &session.gpus[0]);
    let result = sweep::run(&sweep, workload, gpu, session.assumptions).unwrap();
    assert!(result.rows.iter().all(|row| row.outcome.is_ok()));
    // 2·M·N·K over 2·(M·K + K·N + M·N) is the ridge of 295.52 where M is 345.3.
    let flips = result.crossover.unwrap();
    assert!((345.0..346.0).contains(&flips), "{flips}");
    let own = Sweep::default_for(&workload.kind);
    assert_eq!(own.parameter, "M");
    assert_eq!(own.values[..3], [256.0, 1024.0, 4096.0]);
    let without = Kind::Formula(Formula::new(&[], "1e12", "1e9").unwrap());
    let error = sweep::run(
        &Sweep::default_for(&without),
        &Workload::new("w", without),
        gpu,
        session.assumptions,
    );
    let error = error.unwrap_err().to_string();
    assert!(error.ends_with("it has none"), "{error}");
}

/// The value of a parameter after a drag to an intensity, and why it stopped.
fn dragged(kind: &Kind, parameter: &str, intensity: f64) -> (f64, Option<String>) {
    let (session, _) = session_with(kind.clone());
    let target = Target {
        intensity: Some(Intensity::try_from(intensity).unwrap()),
        rate: None,
        snap: 0.0,
    };
    let gpu = &session.gpus[0];
    let dragged = what_if::drag(
        &session.workloads[0],
        gpu,
        session.assumptions,
        target,
        Hold::Work,
    );
    let value = dragged.workload.kind.number(parameter).unwrap();
    (value, dragged.stopped)
}

#[test]
fn dragging_solves_for_the_parameter_chosen() {
    let mut kind = example();
    let (value, stopped) = dragged(&kind, "M", 10.0);
    let sentence = "choose in the panel what dragging solves for";
    assert_eq!((value, stopped.as_deref()), (4096.0, Some(sentence)));
    // Intensity grows with M, which stays whole.
    formula(&mut kind).set_drag(Some("M")).unwrap();
    assert_eq!(dragged(&kind, "M", 10.0), (10.0, None));
    assert_eq!(
        dragged(&kind, "M", 0.1),
        (1.0, Some("M is 1: it cannot go lower".to_owned()))
    );
    let (_, stopped) = dragged(&kind, "M", 1e6);
    assert_eq!(stopped.unwrap(), "no M brings it above 2,048 FLOP/B");
    // It falls with the bytes.
    formula(&mut kind).set_drag(Some("bytes")).unwrap();
    let (bytes, stopped) = dragged(&kind, "bytes", 341.3);
    assert_eq!((bytes, stopped), (8.0, None));
    let (bytes, stopped) = dragged(&kind, "bytes", 1e5);
    assert_eq!(bytes, 1.0);
    assert_eq!(stopped.unwrap(), "bytes is 1: it cannot go lower");
    // A share is solved for as a share.
    let share = kind.with("bytes", 0.5).unwrap();
    assert_eq!(dragged(&share, "bytes", 1e4), (0.2731, None));
    let without = kind.with_text("traffic", "M*N").unwrap();
    let (_, stopped) = dragged(&without, "bytes", 1.0);
    assert_eq!(stopped.unwrap(), "bytes does not change the intensity");
}

#[test]
fn steps_have_names() {
    let (before, _) = session_with(example());
    let named = |change: &dyn Fn(&mut Kind)| {
        let mut after = before.clone();
        change(&mut after.workloads[0].kind);
        change::describe(&before, &after)
    };
    let text = |kind: &mut Kind| *kind = kind.with_text("work", "M").unwrap();
    assert_eq!(named(&text), "change work of Mine");
    let number = |kind: &mut Kind| *kind = kind.with("K", 1.0).unwrap();
    assert_eq!(named(&number), "change K of Mine");
    let add = |kind: &mut Kind| formula(kind).add_parameter().unwrap();
    assert_eq!(named(&add), "add x to Mine");
    let rename = |kind: &mut Kind| formula(kind).rename_parameter(0, "rows").unwrap();
    assert_eq!(named(&rename), "rename M of Mine");
}

#[test]
fn the_command_line_sweeps_an_own_parameter_by_its_name() {
    let (session, view) = session_with(example());
    let file = tempfile::Builder::new().suffix(".ron").tempfile().unwrap();
    std::fs::write(file.path(), write(&session, &view)).unwrap();
    let sweep = |parameter: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_ridgepoint"));
        command.arg("sweep").arg(file.path());
        command.args([
            "--parameter",
            parameter,
            "--values",
            "1..1024",
            "--format",
            "csv",
        ]);
        command.output().unwrap()
    };
    let swept = sweep("M");
    assert!(swept.status.success(), "{swept:?}");
    let rows = String::from_utf8(swept.stdout).unwrap();
    assert_eq!(rows.lines().count(), 1 + 11, "{rows}");
    let refused = String::from_utf8(sweep("L").stderr).unwrap();
    assert!(
        refused.contains("no numeric parameter \"L\": it has M, N, K, bytes"),
        "{refused}"
    );
}
