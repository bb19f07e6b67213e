//! The built-in path dialog, where the system offers none.
use crate::files::{opened, read};
use crate::world::*;
use eframe::egui::{Key, accesskit::Role};
use ridgepoint::app::Dialogs;
use ridgepoint::ui::state::Dialog;
use std::fs;

fn without_dialogs() -> World {
    Start {
        dialogs: Dialogs::BuiltIn,
        ..built_in()
    }
    .world()
}

fn asks_path(world: &World) -> bool {
    matches!(world.app().state.dialog, Some(Dialog::Path(_)))
}

#[test]
fn without_a_system_dialog_a_path_is_typed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("typed");
    let mut world = without_dialogs();
    world.enter("Batch", "16");
    world.press(CTRL, Key::S);
    world.wait(asks_path);
    world.expect("Save the session");
    world.enter("Path", "  ");
    world.expect("Type a path first.");
    let missing = folder.path().join("no/such/a.ron");
    world.enter("Path", &missing.display().to_string());
    world.expect("There is no folder");
    assert!(asks_path(&world));
    world.enter("Path", &path.display().to_string());
    world.wait(|world| !world.document().is_dirty());
    assert!(!asks_path(&world));
    assert_eq!(
        read(&folder.path().join("typed.ron")).session,
        *world.session()
    );
}

#[test]
fn the_path_dialog_asks_before_it_replaces_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ron");
    fs::write(&path, "precious").unwrap();
    let mut world = without_dialogs();
    world.press(CTRL_SHIFT, Key::P);
    world.enter("Path", &path.display().to_string());
    world.expect("This file exists. Press again to replace it.");
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    world.click_button("Cancel");
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    world.press(CTRL_SHIFT, Key::P);
    world.enter("Path", &path.display().to_string());
    // Another name is another question.
    world.enter("Path", &format!("{}x", path.display()));
    world.wait(|world| world.document().path.is_some());
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    world.press(CTRL_SHIFT, Key::P);
    world.enter("Path", &path.display().to_string());
    world.click_button("Replace it");
    world.wait(|world| world.document().path.as_deref() == Some(path.as_path()));
    assert_eq!(read(&path).session, *world.session());
}

#[test]
fn the_path_dialog_completes_names() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("sessions")).unwrap();
    let path = folder.path().join("sessions/decode.ron");
    drop(opened(&path));
    fs::write(folder.path().join("sessions/decode.exe"), "").unwrap();
    let mut world = Start {
        dialogs: Dialogs::BuiltIn,
        ..empty()
    }
    .world();
    world.press(CTRL_SHIFT, Key::O);
    let start = format!("{}/ses", folder.path().display());
    world.type_into("Path", &start);
    world.run();
    world.click_button("sessions/");
    assert!(!world.has(Role::Button, "decode.exe"));
    world.click_button("decode.ron");
    assert_eq!(world.field("Path"), path.display().to_string());
    world.click_button("Open");
    world.wait(|world| world.document().path.is_some());
    assert_eq!(world.batch(), 1.0);
}

#[test]
fn the_path_dialog_says_that_there_is_no_such_file() {
    let mut world = without_dialogs();
    world.press(CTRL_SHIFT, Key::O);
    world.enter("Path", "/no/such.ron");
    world.expect("There is no file at /no/such.ron.");
    world.press(NONE, Key::Escape);
    assert!(!asks_path(&world));
    assert_eq!(world.batch(), 1.0);
}

#[test]
fn a_figure_needs_a_name_that_says_its_kind() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = without_dialogs();
    world.press(CTRL, Key::E);
    world.wait(asks_path);
    let path = folder.path().join("a.jpg");
    world.enter("Path", &path.display().to_string());
    world.expect("End the name in .svg or .png.");
    let path = folder.path().join("a.svg");
    world.enter("Path", &path.display().to_string());
    world.wait(|world| world.sees("Exported "));
    assert!(path.is_file());
}
