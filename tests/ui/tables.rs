//! Tables of no profiler: their columns are mapped in the window, remembered, and mapped otherwise.
use crate::world::*;
use eframe::egui::{self, Key, accesskit::Role};
use ridgepoint::app::Dialogs;
use ridgepoint::model::cost::Level;
use std::path::{Path, PathBuf};

/// Headers that say nothing: 2 GFLOP and 100 MB in 5 ms.
const ODD: &str = "was;dauer_ms;arbeit;verkehr\nmatrix;5,0;2,0;100\nvektor;1,5;0,5;800\n";

fn picking(paths: &[&Path]) -> World {
    let mut start = empty();
    start.size = [1600.0, 1900.0];
    let paths: Vec<PathBuf> = paths.iter().rev().map(|path| path.to_path_buf()).collect();
    start.dialogs = Dialogs::Scripted(paths);
    start.world()
}

fn written(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// Chooses from a list that opens.
fn choose(world: &mut World, list: &str, option: &str) {
    world.click(Role::ComboBox, list);
    world.click_button(option);
}

fn unit(world: &mut World, column: &str, unit: &str) {
    world.type_into(&format!("Unit of {column}"), unit);
    world.run();
}

#[test]
fn a_table_with_odd_headers_is_mapped_once() {
    let folder = tempfile::tempdir().unwrap();
    let table = written(folder.path(), "eigene.csv", ODD);
    let newer = written(
        folder.path(),
        "neuere.csv",
        &ODD.replace("5,0;2,0", "4,0;2,0"),
    );
    let mut world = picking(&[&table, &newer]);
    world.press(CTRL_SHIFT, Key::I);
    world.wait(|world| world.sees("Which column of eigene.csv is what?"));
    assert!(world.session().profiles.is_empty());
    choose(&mut world, "What was is", "name");
    choose(&mut world, "What dauer_ms is", "time");
    assert_eq!(world.field("Unit of dauer_ms"), "ms", "as its header says");
    choose(&mut world, "What arbeit is", "work");
    unit(&mut world, "arbeit", "GFLOP");
    choose(&mut world, "What verkehr is", "traffic");
    unit(&mut world, "verkehr", "MB");
    // 2 GFLOP ÷ 100 MB, 2 GFLOP ÷ 5 ms, 100 MB ÷ 5 ms.
    for text in ["20 FLOP/B", "400 GFLOP/s", "20 GB/s"] {
        world.expect(text);
    }
    world.click_button("Import");
    world.wait(|world| world.session().profiles.len() == 1);
    let kernels = &world.session().profiles[0].kernels;
    assert_eq!(kernels.lines[0].timing.unwrap().sum, 5e-3);
    let traffic: Vec<_> = kernels
        .traffic(0)
        .map(|(level, bytes)| (level, bytes.get()))
        .collect();
    assert_eq!(traffic, [(Level::Dram, 100e6)]);
    // Which GPU it was is asked next.
    world.press(NONE, Key::Escape);
    // A table with these headers is not asked about again.
    world.press(CTRL_SHIFT, Key::I);
    world.wait(|world| world.session().profiles.len() == 2);
    assert_eq!(
        world.session().profiles[1].kernels.lines[0]
            .timing
            .unwrap()
            .sum,
        4e-3
    );
    world.press(NONE, Key::Escape);
    // It can be said otherwise.
    world.press(CTRL_SHIFT, Key::L);
    world.click_button("Change the columns…");
    world.wait(|world| world.sees("Which column of neuere.csv is what?"));
    unit(&mut world, "verkehr", "GB");
    world.click_button("Import");
    world.wait(|world| {
        let kernels = &world.session().profiles[1].kernels;
        kernels.traffic(0).any(|(_, bytes)| bytes.get() == 100e9)
    });
    assert_eq!(world.session().profiles.len(), 2, "in place of what it was");
}

#[test]
fn what_is_wrong_with_a_mapping_is_said_in_place_of_its_preview() {
    let folder = tempfile::tempdir().unwrap();
    let table = written(folder.path(), "eigene.csv", ODD);
    let mut world = picking(&[&table]);
    world.press(CTRL_SHIFT, Key::I);
    world.wait(|world| world.sees("Which column of eigene.csv is what?"));
    // The words and what says its unit are suggested.
    assert_eq!(world.field("Unit of dauer_ms"), "ms");
    choose(&mut world, "What was is", "not used");
    world.expect("Not yet: no column names the kernels.");
    choose(&mut world, "What was is", "name");
    unit(&mut world, "dauer_ms", "moons");
    world.expect("is no unit: write for example ms");
    world.press(NONE, Key::Escape);
    assert!(!world.sees("Which column"));
    assert!(world.session().profiles.is_empty());
}

/// Wrong by a thousand is never guessed: the choice says what a number of the file becomes.
#[test]
fn a_number_of_two_readings_is_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let text = "kernel;time_ms;flops;bytes\nsaxpy;1,234;2000000;12000000\n";
    let table = written(folder.path(), "open.csv", text);
    let mut world = picking(&[&table]);
    world.press(CTRL_SHIFT, Key::I);
    world.wait(|world| world.sees("Which column of open.csv is what?"));
    world.expect("may be 1234 or 1.234");
    world.press(NONE, Key::Enter);
    assert!(world.session().profiles.is_empty(), "not before it is said");
    choose(&mut world, "Decimal mark", "1.234,5: 1,234 is 1.234");
    // 2 MFLOP in 1.234 ms.
    world.expect("1.621 GFLOP/s");
    choose(&mut world, "Decimal mark", "1,234.5: 1,234 is 1234");
    world.expect("1.621 MFLOP/s");
    world.click_button("Import");
    world.wait(|world| !world.session().profiles.is_empty());
    let kernels = &world.session().profiles[0].kernels;
    assert_eq!(kernels.lines[0].timing.unwrap().sum, 1.234);
}

#[test]
fn usual_headers_are_guessed_and_enter_imports() {
    let folder = tempfile::tempdir().unwrap();
    let text = "kernel,time_ms,flops,bytes\nsaxpy,0.5,2e6,12e6\n";
    let table = written(folder.path(), "usual.csv", text);
    let mut world = picking(&[&table]);
    world.press(CTRL_SHIFT, Key::I);
    world.wait(|world| world.sees("Which column of usual.csv is what?"));
    world.expect("0.1667 FLOP/B");
    world.press(NONE, Key::Enter);
    world.wait(|world| !world.session().profiles.is_empty());
    // The GPU is searched for at once, and Enter takes the first that is found.
    world.text("h100 sxm");
    world.press(NONE, Key::Enter);
    assert_eq!(
        world.session().gpus[0].preset.as_deref(),
        Some("nvidia-h100-sxm")
    );
    assert_eq!(
        world.session().profiles[0].gpu,
        Some(world.session().gpus[0].id)
    );
}

#[test]
fn prose_is_no_table() {
    let folder = tempfile::tempdir().unwrap();
    let letter = written(
        folder.path(),
        "letter.txt",
        "Dear all, good news\nsee you, soon\n",
    );
    let mut world = picking(&[&letter]);
    world.press(CTRL_SHIFT, Key::I);
    world.wait(|world| world.sees("Not read:"));
}

#[test]
fn several_dropped_files_are_opened_one_after_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let table = written(
        folder.path(),
        "first.csv",
        "kernel,time_ms,flops,bytes\nsaxpy,0.5,2e6,12e6\n",
    );
    let other = written(
        folder.path(),
        "second.csv",
        "kernel,time_us,flops,bytes\ncopy,7,0,12e6\n",
    );
    let broken = written(folder.path(), "third.csv", "");
    let mut world = picking(&[]);
    world.drop_files(&[&table, &other, &broken]);
    world.wait(|world| world.sees("Which column of first.csv is what?"));
    world.press(NONE, Key::Enter);
    world.wait(|world| world.sees("Which GPU did these kernels run on?"));
    assert_eq!(world.session().profiles.len(), 1, "the second waits");
    world.press(NONE, Key::Escape);
    world.wait(|world| world.sees("Which column of second.csv is what?"));
    world.press(NONE, Key::Enter);
    world.wait(|world| world.sees("Which GPU did these kernels run on?"));
    world.press(NONE, Key::Escape);
    world.wait(|world| world.sees("the file is empty"));
    let names = world
        .session()
        .profiles
        .iter()
        .map(|profile| profile.name.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["first", "second"]);
}

#[test]
fn a_table_that_is_pasted_is_mapped_as_well() {
    let mut world = picking(&[]);
    let text = "kernel,time_ms,flops,bytes\nsaxpy,0.5,2e6,12e6\n".to_owned();
    world.frame(vec![egui::Event::Paste(text)]);
    world.wait(|world| world.sees("Which column of pasted text is what?"));
    world.click_button("Copy the mapping");
    assert!(world.copied[0].contains("time_ms"), "{:?}", world.copied);
    world.click_button("Import");
    world.wait(|world| !world.session().profiles.is_empty());
    assert_eq!(world.session().profiles[0].kernels.lines.len(), 1);
}
