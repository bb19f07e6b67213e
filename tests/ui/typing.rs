//! Fields: what is typed is committed by Enter, Tab or a click elsewhere, and refused with its reason.
use crate::world::*;
use eframe::egui::{Key, accesskit::Role};

#[test]
fn enter_commits_a_batch_as_one_named_step() {
    let mut world = world();
    world.type_into("Batch", "16");
    assert_eq!(world.batch(), 1.0, "half-typed text is committed");
    world.press(NONE, Key::Enter);
    assert_eq!(world.batch(), 16.0);
    assert_eq!(world.undo_name(), format!("change batch of {DECODE}"));
    assert_eq!(world.steps(), 1);
    world.press(CTRL, Key::Z);
    assert_eq!(world.batch(), 1.0);
    assert!(!world.document().is_dirty());
}

#[test]
fn tab_commits_a_batch_as_one_named_step() {
    let mut world = world();
    world.type_into("Batch", "16");
    world.press(NONE, Key::Tab);
    assert_eq!(world.batch(), 16.0);
    world.press(NONE, Key::Escape);
    assert_eq!(world.undo_name(), format!("change batch of {DECODE}"));
    assert_eq!(world.steps(), 1);
}

#[test]
fn a_click_elsewhere_commits_a_batch_as_one_named_step() {
    for elsewhere in ["ground", "panel", "field", "row", "mark"] {
        let mut world = world();
        world.type_into("Batch", "16");
        let at = match elsewhere {
            "ground" => world.ground(),
            "panel" => world.place(Role::TextInput, "Batch") - eframe::egui::vec2(180.0, 0.0),
            "field" => world.place(Role::TextInput, "Context"),
            "row" => world.place(Role::ListItem, H100),
            _ => world.mark(),
        };
        world.click_at(at);
        assert_eq!(world.batch(), 16.0, "{elsewhere}");
        world.press(NONE, Key::Escape);
        assert_eq!(world.undo_name(), format!("change batch of {DECODE}"));
        assert_eq!(world.steps(), 1, "{elsewhere}");
    }
}
