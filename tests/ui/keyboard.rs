//! The main job without a mouse: a GPU, a workload, a number, a sweep, a measurement, a file.
use crate::world::*;
use eframe::egui::Key;
use ridgepoint::files::session_file;

/// Presses Tab until what is called so has the keyboard.
#[track_caller]
fn tab_to(world: &mut World, name: &str) {
    for _ in 0..300 {
        world.press(NONE, Key::Tab);
        if world.focused().as_deref() == Some(name) {
            return;
        }
    }
    panic!("Tab does not lead to {name:?}");
}

/// Types over what a field holds and commits it.
fn type_over(world: &mut World, field: &str, text: &str) {
    tab_to(world, field);
    world.press(CTRL, Key::A);
    world.text(text);
    world.press(NONE, Key::Enter);
}

fn find(world: &mut World, query: &str) {
    world.press(CTRL, Key::K);
    world.text(query);
    world.run();
    world.press(NONE, Key::Enter);
    world.run();
}

#[test]
fn the_main_job_is_done_by_keyboard_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.ron");
    let mut start = empty();
    start.settings.native_dialogs = false;
    let mut world = start.world();

    // A GPU by its picker, a workload by the palette.
    world.press(CTRL, Key::G);
    world.text("h100 sxm");
    world.run();
    world.press(NONE, Key::Enter);
    world.run();
    let gpu = world.session().gpus[0].id;
    assert!(world.session().gpus[0].name.contains("H100"));
    find(&mut world, "gemm");
    assert_eq!(world.workload().kind.title(), "GEMM");

    // A number, on either side.
    type_over(&mut world, "M", "2^13");
    assert_eq!(world.workload().kind.number("m"), Some(8192.0));
    type_over(&mut world, "DRAM", "3,35 TB/s");
    let bandwidth = world.session().gpus[0]
        .memory
        .iter()
        .map(|roof| roof.bandwidth.value.get());
    assert!(bandwidth.into_iter().any(|bandwidth| bandwidth == 3.35e12));

    // The chart: a mark moved by keys.
    let before = world.session().clone();
    world.press(NONE, Key::Escape);
    world.press(NONE, Key::F6);
    world.key_down(NONE, Key::ArrowLeft);
    world.key_up(NONE, Key::ArrowLeft);
    world.run();
    assert_ne!(*world.session(), before);
    world.press(CTRL, Key::Z);
    assert_eq!(*world.session(), before);

    // A sweep, what was measured, and where it is kept.
    type_over(&mut world, "Sweep values", "1024, 4096, 16384");
    let sweep = world.document().view.sweep.clone().unwrap();
    assert_eq!(sweep.values, [1024.0, 4096.0, 16384.0]);
    type_over(&mut world, "Measured", "1 ms");
    assert!(world.workload().measurement_on(gpu).is_some());
    world.press(CTRL_SHIFT, Key::P);
    world.press(CTRL, Key::A);
    world.text(path.to_str().unwrap());
    world.press(NONE, Key::Enter);
    world.wait(|_| path.exists());
    world.wait(|world| !world.document().is_dirty());
    let read = session_file::open(&path).unwrap();
    assert_eq!(read.session.workloads[0].kind, world.workload().kind);
    assert_eq!(read.session.gpus[0].name, world.session().gpus[0].name);
}
