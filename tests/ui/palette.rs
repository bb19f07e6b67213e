//! The palette: everything by a few letters, by keys alone.
use crate::world::*;
use eframe::egui::{Event, Key, accesskit::Role};
use ridgepoint::ui::command::{COMMANDS, Command};
use std::time::Duration;

/// Opens the palette and types; what is found, from the top.
fn find(world: &mut World, query: &str) -> Vec<String> {
    world.press(CTRL, Key::K);
    if !query.is_empty() {
        world.text(query);
        world.run();
    }
    world.names(Role::ListBoxOption)
}

fn choose(world: &mut World, query: &str) {
    find(world, query);
    world.press(NONE, Key::Enter);
    world.run();
}

#[test]
fn every_command_is_found_by_its_name() {
    let mut world = world();
    find(&mut world, "");
    for entry in COMMANDS.iter().filter(|e| e.command != Command::Palette) {
        world.press(CTRL, Key::A);
        world.text(entry.name);
        world.run();
        let found = world.names(Role::ListBoxOption);
        let first = found.first().map(String::as_str).unwrap_or_default();
        assert!(first.starts_with(entry.name), "{}: {found:?}", entry.name);
        let keys = entry.shortcut.unwrap().logical_key;
        let shown = [keys.name(), keys.symbol_or_name()];
        let painted = world.painted();
        assert!(
            painted
                .iter()
                .any(|text| shown.iter().any(|key| text.ends_with(key))),
            "the keys of {} are not shown",
            entry.name
        );
    }
    world.press(NONE, Key::Escape);
    assert!(world.app().state.dialog.is_none());
}

#[test]
fn presets_kinds_and_what_is_in_the_session_are_found_and_taken_by_enter() {
    let mut world = world();
    choose(&mut world, "mi300x");
    assert_eq!(world.session().gpus.len(), 2);
    assert!(world.session().gpus[1].name.contains("MI300X"));
    choose(&mut world, "fft");
    assert_eq!(world.workload().kind.title(), "FFT");
    choose(&mut world, "llama 3.1 8b");
    assert_eq!(world.workload().kind.title(), "Language model");
    choose(&mut world, DECODE);
    assert_eq!(world.workload().name, DECODE);
    choose(&mut world, H100);
    let active = world.document().view.active.unwrap();
    assert_eq!(world.session().gpu(active).unwrap().name, H100);
    // By words that are not in the name: an architecture, a vendor.
    let found = find(&mut world, "google 2024");
    assert!(found.iter().any(|name| name.contains("TPU")), "{found:?}");
    world.press(NONE, Key::Escape);
    // An example asks first, since there are changes.
    choose(&mut world, "compare three");
    world.expect("Save your changes first?");
}

#[test]
fn arrow_keys_move_and_come_round() {
    let mut world = world();
    let all = find(&mut world, "");
    assert!(all.len() > 150, "everything is offered without a query");
    let chosen = |world: &World| world.document().view.show_trail;
    let before = chosen(&world);
    let steps = all
        .iter()
        .position(|name| name.starts_with("Sweep on the chart"));
    for _ in 0..steps.unwrap() + all.len() {
        world.key_down(NONE, Key::ArrowDown);
    }
    world.key_up(NONE, Key::ArrowDown);
    world.press(NONE, Key::Enter);
    assert_eq!(chosen(&world), !before);
}

#[test]
fn what_was_used_last_comes_first() {
    let mut world = world();
    for name in ["Normalise axes", "Fit"] {
        choose(&mut world, name);
    }
    let found = find(&mut world, "");
    assert!(found[0].starts_with("Fit"), "{:?}", &found[..3]);
    assert!(found[1].starts_with("Normalise axes"), "{:?}", &found[..3]);
    assert_eq!(world.app().settings.used.len(), 2);
}

#[test]
fn what_cannot_be_done_now_says_why_and_stays_open() {
    let mut world = empty().world();
    let found = find(&mut world, "remove gpu");
    assert_eq!(found[0], "Remove GPU: not now, there is no GPU yet");
    world.expect("not now: there is no GPU yet");
    world.press(NONE, Key::Enter);
    assert!(world.app().state.dialog.is_some());
    assert_eq!(world.app().settings.used.len(), 0);
}

#[test]
fn nothing_found_says_what_to_try() {
    let mut world = world();
    assert!(find(&mut world, "qqqqq").is_empty());
    world.expect("Nothing is called that");
    world.press(NONE, Key::Enter);
    assert!(world.app().state.dialog.is_some());
    // The same keys close what they opened.
    world.press(CTRL, Key::K);
    assert!(world.app().state.dialog.is_none());
}

#[test]
fn a_half_typed_number_is_committed_before_the_palette_opens() {
    let mut world = world();
    world.type_into("Batch", "64");
    choose(&mut world, "fit");
    assert_eq!(world.batch(), 64.0);
}

#[test]
fn at_rest_the_palette_asks_for_no_frame_open_or_closed_again() {
    let mut world = world();
    find(&mut world, "");
    // The caret of a text field blinks; nothing else moves.
    assert!(world.delay() > Duration::from_millis(100));
    world.press(NONE, Key::Escape);
    world.frame(vec![Event::PointerGone]);
    world.run();
    assert_eq!(world.delay(), Duration::MAX);
}

#[test]
fn the_sheet_of_keys_is_complete_and_searched() {
    let mut start = built_in();
    start.size[1] = 2600.0;
    let mut world = start.world();
    world.press(NONE, Key::F1);
    for query in ["ctrl+k", "redo", "arrow keys", "zzz"] {
        world.press(CTRL, Key::A);
        world.text(query);
        world.run();
        let expected = match query {
            "ctrl+k" => "Find a command…",
            "redo" => "Ctrl+Shift+Z, Ctrl+Y",
            "arrow keys" => "Tab, then arrow keys",
            _ => "No key, command or gesture has that in its name",
        };
        world.expect(expected);
        assert!(!world.sees("Save by path…"), "{query}");
    }
    for entry in &COMMANDS {
        world.press(CTRL, Key::A);
        world.text(entry.name);
        world.run();
        let found = world.painted().iter().any(|text| text == entry.tooltip);
        assert!(found, "{}", entry.name);
    }
}
