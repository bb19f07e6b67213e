//! Measured kernels: imported, listed, told of, filled, filtered, saved and opened again.
use crate::world::*;
use eframe::egui::{Key, accesskit::Role};
use ridgepoint::model::profile::Judged;
use ridgepoint::model::units;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Kernels of a made-up run on an H100: name, ns, bytes read, FFMA instructions; none where it was not counted.
type Row<'a> = (&'a str, u64, u64, Option<u64>);

const RUN: [Row<'static>; 4] = [
    ("saxpy", 100_000, 201_326_592, Some(16_777_216)),
    (
        "gemm_f32_128x128",
        2_000_000,
        67_108_864,
        Some(34_359_738_368),
    ),
    ("copy_kernel", 80_000, 134_217_728, Some(0)),
    ("mystery", 500_000, 33_554_432, None),
];

/// Nsight Compute's CSV of them.
fn ncu(rows: &[Row<'_>]) -> String {
    let mut text = String::from(
        "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid Size\",\
         \"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n",
    );
    for (id, (name, time, bytes, fma)) in rows.iter().enumerate() {
        let mut metrics = vec![
            (
                "device__attribute_display_name",
                "",
                "NVIDIA H100 80GB HBM3".to_owned(),
            ),
            ("gpu__time_duration.sum", "ns", time.to_string()),
            ("dram__bytes_read.sum", "byte", bytes.to_string()),
            ("dram__bytes_write.sum", "byte", "0".to_owned()),
        ];
        if let Some(fma) = fma {
            for (operation, count) in [("ffma", *fma), ("fadd", 0), ("fmul", 0)] {
                let name = match operation {
                    "ffma" => "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
                    "fadd" => "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
                    _ => "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
                };
                metrics.push((name, "inst", count.to_string()));
            }
        }
        for (metric, unit, value) in metrics {
            writeln!(
                text,
                "\"{id}\",\"1\",\"a.out\",\"SECRET-HOST\",\"{name}\",\"1\",\"7\",\"(256, 1, 1)\",\"(64, 1, 1)\",\"0\",\"9.0\",\
                 \"Command line profiler metrics\",\"{metric}\",\"{unit}\",\"{value}\""
            )
            .unwrap();
        }
    }
    text
}

fn written(folder: &Path, name: &str, rows: &[Row<'_>]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, ncu(rows)).unwrap();
    path
}

/// A tall window in which a file of kernels was imported, from an empty session.
fn imported(path: &Path) -> World {
    importing(&[path])
}

/// The same with several files, one after the other.
fn importing(paths: &[&Path]) -> World {
    let mut start = empty();
    start.size = [1600.0, 1900.0];
    let picked: Vec<_> = paths.iter().rev().map(|path| path.to_path_buf()).collect();
    start.dialogs = ridgepoint::app::Dialogs::Scripted(picked);
    let mut world = start.world();
    for count in 1..=paths.len() {
        world.press(CTRL_SHIFT, Key::I);
        world.wait(|world| world.session().profiles.len() == count);
    }
    world
}

fn judged(world: &World, name: &str) -> Judged {
    let analyses = ridgepoint::model::profile::Analyses::of(world.session());
    let analysed = analyses.nth(0).unwrap();
    let lines = &analysed.profile.kernels.lines;
    let line = lines
        .iter()
        .position(|kernel| &*kernel.name == name)
        .unwrap();
    analysed.analysis.lines[line]
}

#[test]
fn a_file_of_kernels_becomes_a_table_a_chart_and_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let world = imported(&written(folder.path(), "run.csv", &RUN));
    // The GPU the file names came from the catalogue.
    assert_eq!(
        world.session().gpus[0].preset.as_deref(),
        Some("nvidia-h100-sxm")
    );
    let gemm = judged(&world, "gemm_f32_128x128");
    // 68.72 GFLOP at 66.9 TFLOP/s take 1.027 ms of the 2 ms measured.
    assert!((gemm.recoverable().unwrap() - (2e-3 - 68_719_476_736.0 / 66.9e12)).abs() < 1e-9);
    world.expect("2 ms");
    let to_win = units::short(gemm.recoverable().unwrap(), units::Unit::Second);
    world.expect(&format!("{to_win} to win"));
    world.expect("DRAM bytes = dram__bytes_read.sum + dram__bytes_write.sum");
    // The one sentence, the kernel without work beside the chart, the one that lacks work in the list.
    world.expect("2 kernels hold 95 %");
    world.expect("no work");
    let beside = world.name_of(Role::Button, "copy_kernel, no work");
    assert!(beside.contains("% of the bandwidth"), "{beside}");
    for name in ["saxpy", "gemm_f32_128x128", "copy_kernel", "mystery"] {
        assert!(
            world.has(Role::Row, name),
            "{name}: {:?}",
            world.names(Role::Row)
        );
    }
}

#[test]
fn undo_takes_an_import_back_in_one_step() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = imported(&written(folder.path(), "run.csv", &RUN));
    assert_eq!(world.undo_name(), "import run");
    world.press(CTRL, Key::Z);
    assert!(world.session().profiles.is_empty());
    assert!(world.session().gpus.is_empty(), "its GPU came with it");
    world.press(CTRL_SHIFT, Key::Z);
    assert_eq!(world.session().profiles[0].kernels.lines.len(), 4);
}

#[test]
fn what_is_missing_is_given_and_outlives_saving() {
    let folder = tempfile::tempdir().unwrap();
    let file = written(folder.path(), "run.csv", &RUN);
    let session = folder.path().join("session.ron");
    let mut world = importing(&[&file]);
    world.click(Role::Row, "mystery");
    assert!(!judged(&world, "mystery").placed());
    world.enter("Work per launch", "2*threads");
    // 64 blocks of 256 threads.
    assert_eq!(judged(&world, "mystery").work(), Some(2.0 * 64.0 * 256.0));
    assert!(judged(&world, "mystery").placed());
    world.enter("Unprofiled time", "250 us");
    assert_eq!(judged(&world, "mystery").time(), Some(250e-6));
    world.expect("Profiled time");
    world.enter("Own name", "what is it");
    assert!(world.has(Role::Row, "what is it"));
    world.press(CTRL_SHIFT, Key::P);
    world.enter("Path", &session.display().to_string());
    world.wait(|world| !world.document().is_dirty());
    let text = std::fs::read_to_string(&session).unwrap();
    assert!(!text.contains("SECRET-HOST") && !text.contains("a.out"));
    let loaded = ridgepoint::files::session_file::read(&text).unwrap();
    let again = start_with(loaded.session, loaded.view).world();
    let mystery = judged(&again, "mystery");
    assert_eq!(
        (mystery.time(), mystery.work()),
        (Some(250e-6), Some(32_768.0))
    );
    // A session of nothing but kernels begins with their table.
    assert!(again.has(Role::Row, "what is it"));
}

#[test]
fn a_number_that_is_none_is_refused_where_it_was_typed() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = imported(&written(folder.path(), "run.csv", &RUN));
    world.click(Role::Row, "mystery");
    world.enter("Traffic per launch", "lots");
    assert!(world.session().profiles[0].choices.fills.is_empty());
    assert_eq!(world.field("Traffic per launch"), "lots");
    world.press(NONE, Key::Escape);
    world.enter("GEMM shape", "4096 x 4096");
    world.expect("write M, N and K");
}

#[test]
fn filters_isolate_hide_and_search_what_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = imported(&written(folder.path(), "run.csv", &RUN));
    world.press(CTRL, Key::F);
    world.text("saxpy|copy");
    world.run();
    // 39.94 µs and 39.9 µs to win.
    assert_eq!(world.names(Role::Row), ["copy_kernel", "saxpy"]);
    world.press(NONE, Key::Escape);
    world.click_button("Show all");
    assert_eq!(world.names(Role::Row).len(), 4);
    world.click(Role::Row, "saxpy");
    world.press(NONE, Key::I);
    assert_eq!(world.names(Role::Row), ["saxpy"]);
    world.press(NONE, Key::I);
    world.press(NONE, Key::X);
    assert!(!world.has(Role::Row, "saxpy"));
    world.press(SHIFT, Key::X);
    assert!(world.has(Role::Row, "saxpy"));
    // From the one with most to win to the next.
    world.press(NONE, Key::K);
    let kernel = world.document().view.kernel.unwrap();
    assert_eq!(
        &*world.session().profiles[0].kernels.lines[kernel.line as usize].name,
        "gemm_f32_128x128"
    );
    world.press(SHIFT, Key::C);
    assert_eq!(world.copied, ["gemm_f32_128x128"]);
}

#[test]
fn headers_sort() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = imported(&written(folder.path(), "run.csv", &RUN));
    assert_eq!(world.names(Role::Row)[0], "gemm_f32_128x128");
    world.click(Role::ColumnHeader, "Sort by Kernel");
    assert_eq!(
        world.names(Role::Row),
        ["copy_kernel", "gemm_f32_128x128", "mystery", "saxpy"]
    );
    world.click(Role::ColumnHeader, "Sort by Traffic");
    assert_eq!(world.names(Role::Row)[0], "saxpy");
}

#[test]
fn reading_a_newer_file_keeps_what_was_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let file = written(folder.path(), "run.csv", &RUN);
    let mut start = empty();
    start.size = [1600.0, 1900.0];
    start.dialogs = ridgepoint::app::Dialogs::Scripted(vec![file.clone(), file.clone()]);
    let mut world = start.world();
    world.press(CTRL_SHIFT, Key::I);
    world.wait(|world| !world.session().profiles.is_empty());
    world.click(Role::Row, "mystery");
    world.enter("Work per launch", "1 GFLOP");
    let newer = [("mystery", 400_000, 33_554_432, None), RUN[0]];
    written(folder.path(), "run.csv", &newer);
    world.press(CTRL_SHIFT, Key::I);
    world.wait(|world| world.session().profiles[0].kernels.lines.len() == 2);
    assert_eq!(world.session().profiles.len(), 1);
    assert_eq!(judged(&world, "mystery").work(), Some(1e9));
    assert_eq!(world.undo_name(), "import run again");
}

#[test]
fn a_file_that_is_no_profile_is_told_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.csv");
    std::fs::write(&path, b"\x00\x01\x02binary").unwrap();
    let mut start = built_in();
    start.dialogs = ridgepoint::app::Dialogs::Scripted(vec![path]);
    let mut world = start.world();
    let before = world.session().clone();
    world.press(CTRL_SHIFT, Key::I);
    world.wait(|world| world.sees("Not read:"));
    assert!(world.sees("broken.csv"));
    assert_eq!(*world.session(), before);
}

#[test]
fn adding_kernels_asks_nothing_about_unsaved_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path(), "run.csv", &RUN);
    let mut start = built_in();
    start.dialogs = ridgepoint::app::Dialogs::Scripted(vec![path]);
    let mut world = start.world();
    world.enter("Batch", "16");
    world.press(CTRL, Key::O);
    world.wait(|world| !world.session().profiles.is_empty());
    assert!(!world.sees("Save your changes first?"));
    assert_eq!(world.batch(), 16.0);
}

#[test]
fn two_runs_are_compared_kernel_by_kernel() {
    let folder = tempfile::tempdir().unwrap();
    let before = written(folder.path(), "before.csv", &RUN);
    let faster = [
        (
            "gemm_f32_128x128",
            1_250_000,
            67_108_864,
            Some(34_359_738_368),
        ),
        ("saxpy", 125_000, 201_326_592, Some(16_777_216)),
        ("new_kernel", 10_000, 1_048_576, Some(0)),
    ];
    let after = written(folder.path(), "after.csv", &faster);
    let mut world = importing(&[&before, &after]);
    let ids: Vec<_> = world.session().profiles.iter().map(|p| p.id).collect();
    // As the choices above the table do.
    let app = world.app_mut();
    app.document.view.profile = Some(ids[0]);
    app.document
        .session
        .profile_mut(ids[0])
        .unwrap()
        .choices
        .against = Some(ids[1]);
    world.run();
    world.click(Role::RadioButton, "gained and lost");
    world.expect("before → after: 2.1 ms → 1.375 ms in 2 pairs, ×1.53");
    world.expect("750 µs gained, 25 µs lost · 2 only before, 1 only after");
    world.expect("×1.60");
    world.expect("×1.60 gemm_f32_128x128");
    world.expect("only after");
}

#[test]
fn the_recipe_and_the_summary_can_be_read_any_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = imported(&written(folder.path(), "run.csv", &RUN));
    world.press(CTRL_SHIFT, Key::L);
    world.expect("How run.csv was read");
    world
        .expect("4 launches of 4 kernels: 2 placed, 1 without work beside the chart, 1 not placed");
    world.expect("1 without work");
    world.click_button("Close");
    world.press(CTRL_SHIFT, Key::R);
    world.expect("gpu__time_duration.sum");
    world.click(Role::RadioButton, "PyTorch profiler");
    world.expect("export_chrome_trace");
}
