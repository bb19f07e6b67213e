//! Lessons and words, as a learner meets them.
use crate::world::*;
use eframe::egui::{Key, accesskit::Role};

#[test]
fn the_first_lesson_is_begun_from_the_menu_and_notices_what_is_done() {
    let mut world = world();
    world.click_button("Help");
    world.click_button("Lessons");
    world.click_button("Ovens or flour (5 min)");
    world.run();
    world.expect("A bakery");
    world.click_button("Next");
    world.expect("○ to do: Adding two lists is selected");
    assert!(world.has(Role::Button, "Skip") && !world.has(Role::Button, "Next"));
    world.click(Role::ListItem, "Adding two lists");
    world.expect("● done: Adding two lists is selected");
    world.expect("0.1667 FLOP/B");
    world.click_button("Next");
    world.click(Role::RadioButton, "The ovens (arithmetic)");
    world.expect("● right");
    world.click(Role::ListItem, "Matrix product");
    world.expect("● done: Matrix product is selected");
    world.click_button("Back");
    world.click_button("Restart");
    world.expect("A bakery");
    assert_eq!(world.workload().name, "Decode step");
    world.click_button("Leave the lesson");
    assert!(!world.sees("A bakery"));
}

#[test]
fn a_lesson_can_be_skipped_through_to_its_end_in_a_low_window() {
    let mut start = built_in();
    start.size = [900.0, 560.0];
    let mut world = start.world();
    world.click_button("Help");
    world.click_button("Lessons");
    world.click_button("Why batching works, and until when (10 min)");
    world.run();
    for _ in 0..10 {
        let name = if world.has(Role::Button, "Next") {
            "Next"
        } else {
            "Skip"
        };
        world.click_button(name);
    }
    world.expect("0 of 3 questions were answered right");
    assert!(world.chart().height() > 100.0);
}

#[test]
fn words_are_searched() {
    let mut world = world();
    world.press(NONE, Key::F8);
    world.expect("It is a ceiling, not a ranking of chips");
    world.type_into("Search words", "GiB");
    world.run();
    world.expect("GB and GiB");
    assert!(!world.sees("launches"));
    world.press(NONE, Key::Escape);
    assert!(!world.has(Role::TextInput, "Search words"));
}
