//! Unsaved changes: asked about on every way out, and kept, saved or discarded as answered.
use crate::world::*;
use eframe::egui::Key;
use ridgepoint::app::Dialogs;
use ridgepoint::document::Document;
use ridgepoint::files::session_file;
use std::fs;
use std::path::Path;

const QUESTION: &str = "Save your changes first?";

/// The built-in session, open from a file that `path` names.
fn from_file(path: &Path, dialogs: Dialogs) -> World {
    let mut start = built_in();
    let Document { session, view, .. } = start.document;
    fs::write(path, session_file::write(&session, &view)).unwrap();
    start.document = Document::new(session, view, Some(path.to_owned()));
    start.dialogs = dialogs;
    start.world()
}

fn saved_batch(path: &Path) -> Option<f64> {
    let loaded = session_file::read(&fs::read_to_string(path).unwrap()).unwrap();
    loaded.session.workloads[0].kind.number("batch")
}

/// The ways out of a session.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Close,
    Quit,
    New,
    Open,
    Example,
}

impl Way {
    const ALL: [Self; 5] = [
        Self::Close,
        Self::Quit,
        Self::New,
        Self::Open,
        Self::Example,
    ];

    fn take(self, world: &mut World) {
        match self {
            Self::Close => world.close(),
            Self::Quit => world.press(CTRL, Key::Q),
            Self::New => world.press(CTRL, Key::N),
            // What is in the file decides whether there is anything to ask.
            Self::Open => {
                world.press(CTRL, Key::O);
                world.wait(|world| world.sees(QUESTION) || Self::Open.is_done(world));
            }
            Self::Example => {
                world.click_button("File");
                let name = world.name_of(eframe::egui::accesskit::Role::Button, "Open example");
                world.click_button(&name);
                world.click_button("@compare-three-gpus");
            }
        }
    }

    fn is_done(self, world: &World) -> bool {
        match self {
            Self::Close | Self::Quit => world.closed,
            Self::New => world.session().gpus.is_empty(),
            Self::Open => world.session().title == "Another",
            Self::Example => world.session().gpus.len() == 3,
        }
    }
}

/// A window with a file and another file to open.
fn ready(folder: &Path) -> World {
    let other = folder.join("other.ron");
    fs::write(&other, "Session(version: 1, title: \"Another\")").unwrap();
    from_file(&folder.join("a.ron"), Dialogs::Scripted(vec![other; 3]))
}

#[test]
fn without_changes_nothing_is_asked() {
    for way in Way::ALL {
        let folder = tempfile::tempdir().unwrap();
        let mut world = ready(folder.path());
        way.take(&mut world);
        assert!(!world.sees(QUESTION), "{way:?}");
        world.wait(|world| way.is_done(world));
    }
}

#[test]
fn cancel_keeps_everything_and_asks_again_next_time() {
    for way in Way::ALL {
        let folder = tempfile::tempdir().unwrap();
        let mut world = ready(folder.path());
        world.enter("Batch", "16");
        for answer in ["Cancel", "Esc", "Cancel"] {
            way.take(&mut world);
            world.expect(QUESTION);
            match answer {
                "Esc" => world.press(NONE, Key::Escape),
                _ => world.click_button("Cancel"),
            }
            assert!(!world.sees(QUESTION), "{way:?}");
            assert_eq!(world.batch(), 16.0);
            assert!(world.document().is_dirty() && !world.closed);
        }
        assert_eq!(saved_batch(&folder.path().join("a.ron")), Some(1.0));
    }
}

#[test]
fn discard_goes_on_and_leaves_the_file() {
    for way in Way::ALL {
        let folder = tempfile::tempdir().unwrap();
        let mut world = ready(folder.path());
        world.enter("Batch", "16");
        way.take(&mut world);
        assert!(!way.is_done(&world), "{way:?} did not wait for the answer");
        world.click_button("Discard changes");
        world.wait(|world| way.is_done(world));
        assert!(!world.sees(QUESTION));
        assert_eq!(saved_batch(&folder.path().join("a.ron")), Some(1.0));
    }
}

#[test]
fn save_saves_and_then_goes_on() {
    for way in Way::ALL {
        let folder = tempfile::tempdir().unwrap();
        let mut world = ready(folder.path());
        world.enter("Batch", "16");
        way.take(&mut world);
        world.click_button("Save");
        world.wait(|world| way.is_done(world));
        assert_eq!(
            saved_batch(&folder.path().join("a.ron")),
            Some(16.0),
            "{way:?}"
        );
    }
}

#[test]
fn enter_in_the_question_saves() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = ready(folder.path());
    world.enter("Batch", "16");
    world.close();
    world.press(NONE, Key::Enter);
    world.wait(|world| world.closed);
    assert_eq!(saved_batch(&folder.path().join("a.ron")), Some(16.0));
}

#[test]
fn a_session_without_a_file_is_saved_where_asked_before_closing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.ron");
    let mut world = world_picking(vec![path.clone()]);
    world.enter("Batch", "16");
    world.close();
    world.click_button("Save");
    world.wait(|world| world.closed);
    assert_eq!(saved_batch(&path), Some(16.0));
}

#[test]
fn giving_up_on_a_name_keeps_the_window_open_for_good() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.ron");
    let mut world = Start {
        dialogs: Dialogs::BuiltIn,
        ..built_in()
    }
    .world();
    world.enter("Batch", "16");
    world.close();
    world.click_button("Save");
    world.wait(|world| world.sees("Save the session"));
    world.click_button("Cancel");
    // A save asked for later is no longer a step on the way out.
    world.press(CTRL_SHIFT, Key::P);
    world.enter("Path", &path.display().to_string());
    world.wait(|world| !world.document().is_dirty());
    assert!(!world.closed);
}

#[test]
fn a_save_that_fails_keeps_the_window_open() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    let mut world = from_file(&inner.join("a.ron"), Dialogs::BuiltIn);
    fs::remove_dir_all(&inner).unwrap();
    world.enter("Batch", "16");
    world.close();
    world.click_button("Save");
    world.wait(|world| world.sees("Not saved: "));
    assert!(!world.closed);
    assert_eq!(world.batch(), 16.0);
    world.close();
    world.expect(QUESTION);
}

#[test]
fn half_typed_text_counts_as_a_change() {
    let folder = tempfile::tempdir().unwrap();
    for way in [Way::Close, Way::Quit, Way::New, Way::Open] {
        let mut world = ready(folder.path());
        world.type_into("Batch", "16");
        way.take(&mut world);
        assert!(!way.is_done(&world), "{way:?}");
        assert_eq!(world.batch(), 16.0, "{way:?}");
        world.expect(QUESTION);
    }
}

#[test]
fn closing_while_an_untouched_field_has_the_keyboard_asks_nothing() {
    let mut world = world();
    world.click(eframe::egui::accesskit::Role::TextInput, "Batch");
    world.close();
    assert!(world.closed);
}

#[test]
fn a_minimised_window_asks_before_it_closes() {
    let mut world = world();
    world.enter("Batch", "16");
    world.close_minimised(3);
    assert!(!world.closed);
    world.run();
    world.expect(QUESTION);
    world.click_button("Discard changes");
    assert!(world.closed);
}

#[test]
fn a_minimised_window_keeps_half_typed_text() {
    let mut world = world();
    world.type_into("Batch", "16");
    world.close_minimised(3);
    assert!(!world.closed, "what was typed is lost");
    world.run();
    assert_eq!(world.batch(), 16.0);
    world.expect(QUESTION);
    assert!(!world.closed);
}

#[test]
fn a_minimised_window_without_changes_closes() {
    let mut world = world();
    world.close_minimised(1);
    assert!(world.closed);
}

#[test]
fn one_answer_is_enough_to_open_by_a_typed_path() {
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("other.ron");
    for key in [CTRL, CTRL_SHIFT] {
        drop(ready(folder.path()));
        let mut world = from_file(&folder.path().join("a.ron"), Dialogs::BuiltIn);
        world.enter("Batch", "16");
        world.press(key, Key::O);
        world.wait(|world| world.sees("Open a session"));
        world.enter("Path", &other.display().to_string());
        world.wait(|world| world.sees(QUESTION));
        world.click_button("Discard changes");
        world.wait(|world| Way::Open.is_done(world));
    }
}

#[test]
fn what_is_shown_is_no_change() {
    let mut world = world();
    world.press(NONE, Key::T);
    world.press(NONE, Key::L);
    world.press(CTRL, Key::T);
    world.close();
    assert!(world.closed);
}

#[test]
fn an_undone_change_is_no_change() {
    let mut world = world();
    world.enter("Batch", "16");
    world.press(CTRL, Key::Z);
    world.close();
    assert!(world.closed);
}

#[test]
fn what_is_typed_in_the_frame_of_a_shortcut_is_not_lost() {
    let mut world = world();
    world.type_into("Batch", "1");
    // A slow frame can hold the last digit and the shortcut together.
    let quit = eframe::egui::Event::Key {
        key: Key::Q,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: CTRL,
    };
    world.frame(vec![eframe::egui::Event::Text("6".to_owned()), quit]);
    world.run();
    assert_eq!(world.batch(), 16.0);
    assert!(!world.closed);
    world.expect(QUESTION);
}
