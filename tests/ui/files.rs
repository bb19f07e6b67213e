//! Files: saving, opening, exporting.
use crate::world::*;
use eframe::egui::{Event, Key, accesskit::Role};
use ridgepoint::app::Dialogs;
use ridgepoint::document::Document;
use ridgepoint::files::session_file;
use std::fs;
use std::path::Path;

pub fn read(path: &Path) -> session_file::Loaded {
    session_file::read(&fs::read_to_string(path).unwrap()).unwrap()
}

/// The built-in session as a file in a folder, open in a window whose dialogs are the built-in ones.
pub fn opened(path: &Path) -> World {
    let mut start = built_in();
    let Document { session, view, .. } = start.document;
    fs::write(path, session_file::write(&session, &view)).unwrap();
    start.document = Document::new(session, view, Some(path.to_owned()));
    start.dialogs = Dialogs::BuiltIn;
    start.world()
}

#[test]
fn half_typed_text_is_committed_before_it_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ron");
    let mut world = opened(&path);
    world.type_into("Batch", "16");
    world.press(CTRL, Key::S);
    world.wait(|world| !world.document().is_dirty() && world.batch() == 16.0);
    assert_eq!(
        read(&path).session.workloads[0].kind.number("batch"),
        Some(16.0)
    );
    assert_eq!(world.undo_name(), format!("change batch of {DECODE}"));
}

#[test]
fn save_as_writes_a_file_that_reads_back_equal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ron");
    let mut world = world_picking(vec![path.clone()]);
    world.enter("Batch", "16");
    world.enter("DRAM", "3 TB/s");
    world.enter("Measured", "7 ms");
    assert!(world.document().is_dirty());
    world.press(CTRL_SHIFT, Key::S);
    world.wait(|world| !world.document().is_dirty());
    let loaded = read(&path);
    assert_eq!(loaded.session, *world.session());
    assert_eq!(loaded.view, world.document().view);
    assert!(loaded.warnings.is_empty());
    assert_eq!(world.document().path.as_deref(), Some(path.as_path()));
    world.expect(&format!("Saved {}", path.display()));
    // From then on Ctrl+S needs no question, and saving again changes no byte.
    let before = fs::read(&path).unwrap();
    world.press(CTRL, Key::S);
    world.wait(|world| !world.sees("Saving…"));
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_cancelled_file_dialog_changes_nothing() {
    let mut world = world_picking(Vec::new());
    world.enter("Batch", "16");
    for (modifiers, key) in [(CTRL, Key::S), (CTRL_SHIFT, Key::S), (CTRL, Key::E)] {
        world.press(modifiers, key);
        world.wait(|world| !world.sees("Waiting for the file dialog…"));
        assert!(world.document().is_dirty() && world.document().path.is_none());
    }
}

#[test]
fn a_failed_save_says_why_and_the_changes_stay_unsaved() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    let path = inner.join("a.ron");
    let mut world = opened(&path);
    fs::remove_dir_all(&inner).unwrap();
    world.enter("Batch", "16");
    world.press(CTRL, Key::S);
    world.wait(|world| world.sees("Not saved: "));
    world.expect("cannot be written");
    assert!(world.document().is_dirty());
    assert_eq!(world.batch(), 16.0);
    // It stays until it is closed.
    for _ in 0..600 {
        world.frame(Vec::new());
    }
    world.expect("Not saved: ");
    world.click_button("Close notice");
    assert!(!world.sees("Not saved: "));
}

#[cfg(unix)]
#[test]
fn a_read_only_file_is_left_as_it_is() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ron");
    let mut world = opened(&path);
    let before = fs::read(&path).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    world.enter("Batch", "16");
    world.press(CTRL, Key::S);
    world.wait(|world| world.sees("it is read-only; save under another name"));
    assert!(world.document().is_dirty());
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn an_edit_made_while_a_save_runs_stays_unsaved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ron");
    let mut world = opened(&path);
    world.enter("Batch", "16");
    // Both in one frame: the copy is added when the save has taken what it writes.
    world.hold(CTRL);
    let down = |key| Event::Key {
        key,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: CTRL,
    };
    world.frame(vec![down(Key::S), down(Key::D)]);
    world.hold(NONE);
    world.wait(|world| world.sees("Saved "));
    assert_eq!(world.session().workloads.len(), 2);
    assert_eq!(read(&path).session.workloads.len(), 1);
    assert!(world.document().is_dirty());
    world.press(CTRL, Key::S);
    world.wait(|world| !world.document().is_dirty());
    assert_eq!(read(&path).session.workloads.len(), 2);
}

#[test]
fn an_opened_file_is_shown_and_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.ron");
    drop(opened(&path));
    let mut world = Start {
        dialogs: Dialogs::Scripted(vec![path.clone()]),
        ..empty()
    }
    .world();
    world.press(CTRL, Key::O);
    world.wait(|world| world.document().path.is_some());
    assert_eq!(world.batch(), 1.0);
    assert!(!world.document().is_dirty());
    assert_eq!(world.steps(), 0, "undo goes back behind the opening");
    world.press(CTRL, Key::N);
    assert!(world.session().workloads.is_empty());
    world.click_button("File");
    let name = world.name_of(Role::Button, "Open recent");
    world.click_button(&name);
    world.click_button("b.ron");
    world.wait(|world| world.document().path.is_some());
    assert_eq!(world.batch(), 1.0);
}

#[test]
fn an_example_opens_from_the_menu() {
    let mut world = empty().world();
    world.click_button("File");
    let name = world.name_of(Role::Button, "Open example");
    world.click_button(&name);
    world.click_button("@8b-decode-on-h100");
    assert_eq!(world.session().title, "8B decode on H100");
    assert!(!world.document().is_dirty());
}

#[test]
fn a_file_that_cannot_be_read_leaves_the_open_session() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.ron");
    fs::write(&path, "Session(\n    version: 1,\n    title: 3,\n)").unwrap();
    for bad in [path, folder.path().join("missing.ron")] {
        let mut world = world_picking(vec![bad]);
        world.press(CTRL, Key::O);
        world.wait(|world| world.sees("Not opened: "));
        assert_eq!(world.batch(), 1.0);
        assert!(world.document().path.is_none());
    }
}

#[test]
fn a_figure_is_exported_as_svg_and_as_png() {
    let folder = tempfile::tempdir().unwrap();
    for (name, start) in [("a.svg", &b"<svg"[..]), ("a.png", &b"\x89PNG"[..])] {
        let path = folder.path().join(name);
        let mut world = world_picking(vec![path.clone()]);
        world.press(CTRL, Key::E);
        world.wait(|world| world.sees("Exported "));
        let bytes = fs::read(&path).unwrap();
        let at = bytes.windows(start.len()).position(|w| w == start);
        assert!(at.is_some_and(|at| at < 200), "{name}");
        assert!(!world.document().is_dirty());
    }
}
