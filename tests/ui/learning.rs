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
    world.expect("The questions were skipped.");
    assert!(world.chart().height() > 100.0);
    // What was changed was changed for the lesson: going on to the next asks nothing.
    world.app_mut().document.session.title = "Another".to_owned();
    world.run();
    world.click_button("Next lesson: Fixes from the wrong row (6 min)");
    world.run();
    world.expect("Two rows of advice");
}

#[test]
fn what_is_done_before_it_is_predicted_is_not_told() {
    let mut world = world();
    world.click_button("Help");
    world.click_button("Lessons");
    world.click_button("Ovens or flour (5 min)");
    world.run();
    world.click_button("Next");
    world.click(Role::ListItem, "Adding two lists");
    world.click_button("Next");
    world.click(Role::ListItem, "Matrix product");
    let secret = "Predict first, in the lesson: the answer stands here then.";
    world.expect(secret);
    world.click(Role::RadioButton, "The road (memory)");
    world.expect("× not so");
    assert!(!world.sees(secret));
}

#[test]
fn a_lesson_fits_windows_of_every_scale() {
    for scale in [1.5, 2.0, 3.0] {
        let mut start = built_in();
        start.size = [1280.0 / scale, 800.0 / scale];
        let mut world = start.world();
        world.app_mut().begin_lesson("lesson-1-ovens-or-flour");
        world.run();
        let place = world.place(Role::Button, "Next");
        assert!(place.x > 0.0 && place.x < world.size().x, "{scale}");
        world.click_button("Next");
        world.expect("Little baking for each sack");
    }
}

#[test]
fn the_hint_leads_to_the_first_lesson() {
    let mut world = world();
    world.app_mut().settings.hints = true;
    world.run();
    let name = world.name_of(Role::Link, "New to rooflines?");
    world.click(Role::Link, &name);
    world.run();
    world.expect("A bakery");
}

#[test]
fn one_lesson_leads_to_the_next() {
    let mut world = world();
    world.click_button("Help");
    world.click_button("Lessons");
    world.click_button("Why batching works, and until when (10 min)");
    world.run();
    for _ in 0..10 {
        let names = ["Next", "Skip"];
        let name = names.into_iter().find(|name| world.has(Role::Button, name));
        world.click_button(name.unwrap());
    }
    // To the next one, without a question about what was tried in this one.
    world.press(NONE, Key::O);
    assert!(world.document().is_dirty());
    world.click_button("Next lesson: Fixes from the wrong row (6 min)");
    world.run();
    world.expect("Two rows of advice");
    assert_eq!(world.workload().name, "Decode step");
}

#[test]
fn words_are_searched() {
    let mut world = world();
    world.press(NONE, Key::F8);
    assert_eq!(world.focused().as_deref(), Some("Search words"));
    world.type_into("Search words", "ranking");
    world.run();
    world.expect("It is a ceiling, not a ranking of chips");
    // It stays beside what is read.
    world.click(Role::ListItem, "8B decode step");
    assert!(world.has(Role::TextInput, "Search words"));
    world.type_into("Search words", "GiB");
    world.run();
    world.expect("GB and GiB");
    assert!(!world.sees("launches"));
    world.press(NONE, Key::Escape);
    assert!(!world.has(Role::TextInput, "Search words"));
}

#[test]
fn what_a_lesson_asks_is_not_told_before_and_its_words_tell_what_they_mean() {
    let mut world = world();
    world.click_button("Help");
    world.click_button("Lessons");
    world.click_button("Ovens or flour (5 min)");
    world.run();
    let at = world.painted_at();
    let told = at
        .iter()
        .find(|(_, text)| text.starts_with("A GPU is a bakery"));
    let corner = told.expect("the first step").0;
    assert!(world.sees("compute"), "the regimes are told in the list");
    // On its way along the first line the pointer comes over FLOP/s, and rests there.
    let found = (0..12).any(|step| {
        world.point(corner + eframe::egui::vec2(160.0 + 20.0 * step as f32, 9.0));
        (0..45).for_each(|_| world.frame(Vec::new()));
        world.sees("Operations per second")
    });
    assert!(found);
    world.click_button("Next");
    world.click(Role::ListItem, "Adding two lists");
    world.click_button("Next");
    world.expect("predict, at the right");
    assert!(!world.painted().iter().any(|text| text == "compute"));
    world.click(Role::RadioButton, "The ovens (arithmetic)");
    assert!(world.painted().iter().any(|text| text == "compute"));
}

/// Where a workload lies is not to be seen while a lesson asks for it.
#[test]
fn a_mark_that_would_tell_what_is_asked_is_veiled() {
    let mut world = world();
    world.click_button("Help");
    world.click_button("Lessons");
    world.click_button("Ovens or flour (5 min)");
    world.run();
    world.click_button("Next");
    world.click(Role::ListItem, "Adding two lists");
    let marks = |world: &World| {
        let names = world.names(Role::Slider);
        names.iter().any(|name| name.starts_with("Matrix product"))
    };
    assert!(marks(&world));
    world.click_button("Next");
    assert!(!marks(&world), "it is to be predicted what limits it");
    let framing = world.limits();
    world.click(Role::RadioButton, "The ovens (arithmetic)");
    world.run();
    assert!(marks(&world));
    assert_eq!(world.limits(), framing, "nothing jumps");
}

#[test]
fn regimes_and_assumptions_tell_on_hover_what_they_mean() {
    let mut world = world();
    for (painted, meaning) in [
        ("memory-bound", "Moving the bytes takes longest"),
        ("dense peaks", "All numbers are computed with, zeros too."),
    ] {
        let texts = world.painted_at();
        let (at, _) = texts
            .iter()
            .filter(|(at, _)| world.chart().expand(60.0).contains(*at))
            .find(|(_, text)| text.starts_with(painted))
            .expect("it is painted");
        world.point(*at + eframe::egui::vec2(8.0, 6.0));
        for _ in 0..60 {
            world.frame(Vec::new());
        }
        assert!(world.painted().join("\n").contains(meaning), "{painted}");
    }
}

/// Where there is not room for every panel, the one asked for is shown in place of another.
#[test]
fn a_panel_that_is_asked_for_is_shown_in_the_smallest_window() {
    let mut start = built_in();
    start.size = [640.0, 400.0];
    let mut world = start.world();
    let gpus = |world: &World| world.sees("Compute roofs, dense peaks");
    let workloads = |world: &World| world.sees("Decode step, simple");
    let none = eframe::egui::Modifiers::NONE;
    assert!(!gpus(&world) && workloads(&world));
    let chart = world.chart();
    assert!(chart.width() > 300.0 && chart.height() > 200.0, "{chart:?}");
    world.press(none, Key::F2);
    world.run();
    assert!(gpus(&world) && !workloads(&world));
    world.press(none, Key::F3);
    world.run();
    assert!(!gpus(&world) && workloads(&world));
    world.press(none, Key::F3);
    world.run();
    assert!(!workloads(&world));
}
