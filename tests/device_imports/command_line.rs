//! `ridgepoint import` from outside.
use crate::*;
use ridgepoint::files::session_file;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

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

#[test]
fn the_command_line_puts_figures_beside_peaks() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (input, output) = (at("s.ron"), at("out.ron"));
    let mut gpu = ridgepoint::files::presets::find_gpu("MI300X").unwrap().gpu;
    gpu.compute_roof_mut(path("BF16 matrix"))
        .unwrap()
        .achievable = None;
    let mut session = ridgepoint::model::session::Session::empty("Mine");
    session.add_gpu(gpu, None);
    session.add_gpu(Gpu::empty("Bare"), None);
    let view = ridgepoint::model::view::View::of(&session);
    std::fs::write(&input, session_file::write(&session, &view)).unwrap();
    let arguments = [
        "import", "-", "--onto", &input, "--gpu", "mi300x", "-o", &output,
    ];
    let done = run(&arguments, ARCH);
    let told = String::from_utf8(done.stderr).unwrap();
    assert!(done.status.success(), "{told}");
    assert!(
        told.contains("MI300X has achievable figures now: "),
        "{told}"
    );
    assert!(
        told.contains("kept, being better known: DRAM 4 TB/s (high)"),
        "{told}"
    );
    let text = std::fs::read_to_string(&output).unwrap();
    let loaded = session_file::read(&text).unwrap().session;
    assert_eq!((loaded.title.as_str(), loaded.gpus.len()), ("Mine", 2));
    let roof = loaded.gpus[0].compute_roof(path("BF16 matrix")).unwrap();
    assert_eq!(roof.peak.value.get(), 1307.4e12);
    assert_eq!(roof.achievable.as_ref().unwrap().value.get(), 708e12);
    // Where nothing fits, nothing is written.
    std::fs::remove_file(&output).unwrap();
    for (gpu, reason) in [("Bare", "Bare is unchanged"), ("no such", "has no GPU")] {
        let arguments = ["import", "-", "--onto", &input, "--gpu", gpu, "-o", &output];
        let done = run(&arguments, ARCH);
        let told = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(1), "{told}");
        assert!(told.contains(reason), "{told}");
        assert!(!std::path::Path::new(&output).exists());
    }
    let alone = ["import", "-", "--gpu", "MI300X", "-o", &output];
    assert_eq!(run(&alone, ARCH).status.code(), Some(2));
}

#[test]
fn a_device_that_was_exported_comes_back_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("out.ron");
    let mut gpu = ridgepoint::files::presets::find_gpu("MI300X").unwrap().gpu;
    gpu.compute[0]
        .peak
        .type_in("=304 × 128 × 2 GHz".trim_start_matches('='))
        .unwrap();
    let text = session_file::gpu_text(&gpu);
    let done = run(&["import", "-", "-o", output.to_str().unwrap()], &text);
    assert!(done.status.success() && done.stderr.is_empty());
    let written = std::fs::read_to_string(&output).unwrap();
    let read = session_file::read(&written).unwrap().session.gpus.remove(0);
    assert_eq!(Gpu { id: gpu.id, ..read }, gpu);
    // A broken one says where.
    let broken = text.replacen("name: \"MI300X\"", "name: 3", 1);
    let done = run(&["import", "-", "-o", output.to_str().unwrap()], &broken);
    let told = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(1), "{told}");
    assert!(told.contains("standard input:2:"), "{told}");
}
