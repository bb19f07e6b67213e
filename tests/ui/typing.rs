//! Fields: what is typed is committed by Enter, Tab or a click elsewhere, and refused with its reason.
use crate::world::*;
use eframe::egui::{self, Key, accesskit::Role};

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
fn a_click_anywhere_else_commits_a_batch_as_one_named_step() {
    for elsewhere in ["ground", "panel", "field", "row", "mark"] {
        let mut world = world();
        world.type_into("Batch", "16");
        let at = match elsewhere {
            "ground" => world.ground(),
            "panel" => world.place(Role::TextInput, "Batch") - egui::vec2(180.0, 0.0),
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

#[test]
fn typing_and_the_drag_that_commits_it_are_two_steps() {
    let mut world = world();
    world.type_into("Batch", "16");
    let from = world.mark();
    world.drag(from, from + egui::vec2(60.0, 0.0), NONE);
    assert!(world.batch() > 1.0);
    world.press(CTRL, Key::Z);
    assert_eq!(world.batch(), 16.0, "undoing the drag took the typing too");
    world.press(CTRL, Key::Z);
    assert_eq!(world.batch(), 1.0);
}

#[test]
fn escape_in_a_drag_leaves_what_was_typed_before_it() {
    let mut world = world();
    world.type_into("Batch", "16");
    let from = world.mark();
    world.grab(from);
    world.pull(from, from + egui::vec2(90.0, 0.0));
    assert!(world.batch() != 16.0);
    world.key_down(NONE, Key::Escape);
    world.key_up(NONE, Key::Escape);
    world.drop_at(from);
    assert_eq!(world.batch(), 16.0);
}

#[test]
fn escape_takes_a_draft_back() {
    let mut world = world();
    world.type_into("Batch", "16");
    world.press(NONE, Key::Escape);
    assert_eq!(world.batch(), 1.0);
    assert_eq!(world.field("Batch"), "1");
    assert_eq!(world.steps(), 0);
    world.type_into("Workload name", "GEMM");
    world.press(NONE, Key::Escape);
    assert_eq!(world.workload().name, DECODE);
}

#[test]
fn passing_through_fields_changes_no_number() {
    let mut world = world();
    world.enter("DRAM", "3.3512345678901234 TB/s");
    let before = world.session().clone();
    world.click(Role::TextInput, "GPU name");
    for _ in 0..40 {
        world.press(NONE, Key::Tab);
    }
    assert_eq!(*world.session(), before);
    // Out of whichever field that was: in one, Ctrl+Z is the field's own.
    world.press(NONE, Key::Escape);
    assert_eq!(world.steps(), 1);
}

#[test]
fn a_field_shows_every_digit_while_it_is_edited() {
    let mut world = world();
    world.enter("DRAM", "3.3512345 TB/s");
    assert_eq!(world.field("DRAM"), "3.351 TB/s");
    world.click(Role::TextInput, "DRAM");
    assert_eq!(world.field("DRAM"), "3.3512345 TB/s");
}

#[test]
fn an_invalid_entry_says_why_and_changes_nothing() {
    let peak = "FP16 matrix";
    let cases = [
        ("Batch", "fast", "\"fast\" does not begin with a number"),
        ("Batch", "1.5", "1.5 is not a whole number"),
        ("Batch", "-4", "-4 is negative"),
        ("Batch", "0", "it must be more than zero"),
        ("Batch", "", "nothing was written"),
        (peak, "fast", "\"fast\" does not begin with a number"),
        (peak, "3 TB/s", "\"TB/s\" is not a unit of this field"),
        (peak, "1,234 TFLOP/s", "may mean 1234 or 1.234"),
        (peak, "5 mFLOP/s", "write \"M\" for mega"),
        (peak, "0", "it must be more than zero"),
        (peak, "1e999", "cannot be used"),
        ("DRAM", "3 Tb/s", "may mean bits"),
        (
            "Assumed share of roof",
            "120 %",
            "no prediction lies above the roof",
        ),
        ("Measured", "soon", "\"soon\" does not begin with a number"),
        ("Measured", "0 s", "it must be more than zero"),
        ("Workload name", "  ", "cannot be empty"),
        ("Sweep values", "1, x", "\"x\" does not begin with a number"),
    ];
    for (field, text, reason) in cases {
        let mut world = world();
        let before = (world.session().clone(), world.document().view.clone());
        world.enter(field, text);
        let after = (world.session().clone(), world.document().view.clone());
        assert_eq!(before, after, "{field}: {text}");
        world.expect(reason);
        // The text stays to be put right; Esc gives up on it.
        assert_eq!(world.field(field), text);
        world.click(Role::TextInput, field);
        world.press(NONE, Key::Escape);
        assert!(!world.sees(reason), "{field}: {text}: the reason stays");
        assert_eq!(world.steps(), 0);
    }
}

#[test]
fn a_peak_is_typed_with_or_without_unit_and_prefix() {
    let cases = [
        ("312 TFLOP/s", 312e12),
        ("312T", 312e12),
        ("3.12e14", 3.12e14),
        ("0,312 PFLOP/s", 0.312e15),
        ("312 tflops", 312e12),
        ("2 250 TFLOP/s", 2250e12),
    ];
    for (text, value) in cases {
        let mut world = world();
        world.enter("FP16 matrix", text);
        assert_eq!(world.roofs()[0], value, "{text}");
        assert_eq!(world.undo_name(), format!("edit peak of {H100}"));
    }
}

#[test]
fn optional_fields_can_be_filled_and_cleared() {
    let mut world = world();
    let fields = [
        ("KV bytes per token", "131072"),
        ("Context", "1024"),
        ("Memory capacity", "80 GB"),
        ("Launch overhead", "4 µs"),
        ("Measured", "6.4 ms"),
    ];
    let before = world.session().clone();
    for (field, text) in fields {
        world.enter(field, text);
        assert_ne!(world.field(field), "", "{field}");
    }
    assert_eq!(world.steps(), fields.len());
    for (field, _) in fields {
        world.enter(field, "");
    }
    assert_eq!(*world.session(), before);
}

#[test]
fn a_taken_name_is_refused_and_a_free_one_kept() {
    let mut world = world();
    world.press(CTRL, Key::D);
    world.enter("Workload name", DECODE);
    world.expect("is taken");
    assert_ne!(world.workload().name, DECODE);
    world.enter("Workload name", "Prefill");
    assert_eq!(world.workload().name, "Prefill");
    assert!(world.has(Role::ListItem, "Prefill"));
    world.press(CTRL_SHIFT, Key::D);
    world.enter("GPU name", H100);
    world.expect("is taken");
    world.enter("GPU name", "Mine");
    assert!(world.has(Role::ListItem, "Mine"));
    assert!(world.undo_name().starts_with("rename"));
}

#[test]
fn single_keys_are_text_while_typing_and_commands_otherwise() {
    let mut world = world();
    let limits = world.limits();
    world.type_into("Workload name", "a");
    for key in [Key::F, Key::L, Key::G, Key::Delete, Key::O] {
        world.press(NONE, key);
    }
    assert_eq!(world.session().workloads.len(), 1);
    assert!(!world.document().view.locked);
    assert_eq!(world.limits(), limits);
    world.press(NONE, Key::Escape);
    world.press(NONE, Key::L);
    assert!(world.document().view.locked);
}

#[test]
fn title_and_notes_are_one_step_each() {
    let mut world = world();
    world.click(Role::Tab, "Title and notes");
    world.type_into("Title", "Why decoding is slow");
    let at = world.ground();
    world.click_at(at);
    assert_eq!(world.session().title, "Why decoding is slow");
    assert_eq!(world.undo_name(), "edit title");
    world.click(Role::MultilineTextInput, "Notes");
    world.text("weights only");
    world.click_at(at);
    assert_eq!(world.session().notes, "weights only");
    assert_eq!(world.undo_name(), "edit notes");
    assert_eq!(world.steps(), 2);
}

#[test]
fn undo_in_a_field_is_the_fields_own() {
    let mut world = world();
    world.enter("Batch", "16");
    world.type_into("Batch", "32");
    world.press(CTRL, Key::Z);
    assert_eq!(world.batch(), 16.0);
    world.press(NONE, Key::Escape);
    assert_eq!(world.batch(), 16.0);
}
