//! For keyboards and screen readers: names, order, rings, sizes, words.
use crate::world::*;
use eframe::egui::{Key, Modifiers, Rect, accesskit::Role};
use ridgepoint::files::settings::{Settings, Theme};
use ridgepoint::report;

fn three_gpus() -> Start {
    let found = ridgepoint::files::presets::find_session("@compare-three-gpus");
    let (_, loaded) = found.unwrap();
    start_with(loaded.session, loaded.view)
}

#[test]
fn nothing_that_can_be_used_is_without_a_name() {
    for start in [empty, built_in, three_gpus] {
        let mut world = start().world();
        for tab in [
            "Sweep",
            "Operators",
            "Workloads on GPUs",
            "Compare GPUs",
            "Views",
            "Kernels",
            "Title and notes",
        ] {
            let name = world.name_of(Role::Tab, tab);
            world.click(Role::Tab, &name);
            assert_eq!(world.unnamed(), Vec::<String>::new(), "{tab}");
        }
        for menu in ["File", "Edit", "View", "Kernels", "Present", "Help"] {
            world.click_button(menu);
            assert_eq!(world.unnamed(), Vec::<String>::new(), "{menu}");
            world.press(NONE, Key::Escape);
        }
        for keys in [
            (CTRL, Key::G),
            (CTRL, Key::M),
            (CTRL, Key::K),
            (NONE, Key::F1),
            (NONE, Key::A),
        ] {
            world.press(keys.0, keys.1);
            assert_eq!(world.unnamed(), Vec::<String>::new(), "{keys:?}");
            world.press(NONE, Key::Escape);
        }
    }
}

#[test]
fn views_words_lessons_kernels_and_presentations_are_named_too() {
    let named = |world: &World, what: &str| {
        assert_eq!(world.unnamed(), Vec::<String>::new(), "{what}");
    };
    let mut world = built_in().world();
    for (keys, what) in [
        ((NONE, Key::F8), "words"),
        ((NONE, Key::V), "a saved view"),
        ((SHIFT, Key::N), "a note"),
        ((SHIFT, Key::A), "an arrow"),
        ((SHIFT, Key::R), "a region"),
        ((SHIFT, Key::L), "a line"),
    ] {
        world.press(keys.0, keys.1);
        named(&world, what);
        world.press(NONE, Key::Escape);
    }
    world.without_toasts();
    world.press(NONE, Key::R);
    named(&world, "a played sweep");
    world.click_button("End the sweep");
    world.press(NONE, Key::F5);
    named(&world, "a presentation");
    for (key, what) in [(Key::O, "the overview"), (Key::B, "the black screen")] {
        world.press(NONE, key);
        named(&world, what);
        world.press(NONE, key);
    }
    world.press(NONE, Key::Escape);
    let mut world = built_in().world();
    world.click_button("Help");
    world.click_button("Lessons");
    named(&world, "the menu of lessons");
    world.click_button("Ovens or flour (5 min)");
    world.run();
    for step in 0..9 {
        named(&world, &format!("place {step} of a lesson"));
        let next = ["Next", "Skip"];
        if let Some(name) = next.into_iter().find(|name| world.has(Role::Button, name)) {
            world.click_button(name);
        }
    }
}

#[test]
fn tab_goes_through_everything_in_order_and_comes_round() {
    let mut world = world();
    let mut names = Vec::new();
    for _ in 0..400 {
        world.press(NONE, Key::Tab);
        let name = world.focused().unwrap_or_default();
        if names.first() == Some(&name) && names.len() > 40 {
            break;
        }
        names.push(name);
    }
    assert!(names.len() < 400, "Tab does not come round: {names:?}");
    let at = |name: &str| {
        let at = names.iter().position(|n| n.starts_with(name));
        at.unwrap_or_else(|| panic!("Tab does not reach {name:?}: {names:#?}"))
    };
    let order = [
        "File",
        "Help",
        H100,
        "FP16 matrix",
        "DRAM",
        DECODE,
        "Batch",
        "Measured",
        "Sweep values",
        "Fit",
    ];
    for pair in order.windows(2) {
        assert!(
            at(pair[0]) < at(pair[1]),
            "{} before {}: {names:#?}",
            pair[0],
            pair[1]
        );
    }
}

#[test]
fn what_has_the_keyboard_has_a_ring_and_is_in_sight() {
    let mut world = world();
    let window = Rect::from_min_size(Default::default(), world.size());
    let mut without: Vec<String> = Vec::new();
    for _ in 0..100 {
        world.press(NONE, Key::Tab);
        world.run();
        let (name, place) = world.focused_place().expect("Tab leads somewhere");
        assert!(
            window.intersects(place),
            "{name} is out of sight at {place:?}"
        );
        if !world.has_ring(place) {
            without.push(name);
        }
    }
    assert!(without.is_empty(), "without a ring: {without:#?}");
}

#[test]
fn everything_can_be_drawn_larger_and_that_is_remembered() {
    let mut world = world();
    let zoom = |world: &World| world.app().settings.zoom;
    world.press(CTRL, Key::Plus);
    world.press(CTRL, Key::Equals);
    assert_eq!(zoom(&world), 1.5);
    assert_eq!(world.zoom(), 1.5);
    world.press(CTRL, Key::Minus);
    assert_eq!(zoom(&world), 1.25);
    world.press(CTRL, Key::Num0);
    assert_eq!((zoom(&world), world.zoom()), (1.0, 1.0));
    for _ in 0..20 {
        world.press(CTRL, Key::Plus);
    }
    assert_eq!(zoom(&world), 4.0, "the largest");
    // What is remembered is in force from the first frame on.
    let settings = Settings {
        zoom: 2.0,
        ..Settings::default()
    };
    let world = Start {
        settings,
        ..built_in()
    }
    .world();
    assert_eq!(world.zoom(), 2.0);
}

/// The keys that open dialogs.
const DIALOGS: [(Modifiers, Key); 6] = [
    (NONE, Key::F1),
    (CTRL, Key::K),
    (CTRL, Key::G),
    (CTRL, Key::M),
    (NONE, Key::A),
    (SHIFT, Key::F1),
];

#[test]
fn at_150_percent_of_1280_by_800_nothing_is_cut_and_at_300_the_chart_is_left() {
    for (size, least) in [
        ([1280.0 / 1.5, 800.0 / 1.5], 180.0),
        ([1280.0 / 3.0, 800.0 / 3.0], 180.0),
    ] {
        let mut world = Start {
            size,
            ..three_gpus()
        }
        .world();
        let window = Rect::from_min_size(Default::default(), size.into());
        let chart = world.chart();
        assert!(
            window.contains_rect(chart) && chart.width() > least,
            "{size:?}: {chart:?}"
        );
        for menu in ["File", "Edit", "View", "Help"] {
            assert!(window.contains_rect(world.all(Role::Button, menu)[0].rect()));
        }
        // At 300 % dialogs scroll and wrap, but a window of 427 points is too narrow for some.
        let dialogs: &[_] = if size[0] < 800.0 { &[] } else { &DIALOGS };
        for (modifiers, key) in dialogs.iter().copied() {
            world.press(modifiers, key);
            for button in ["Cancel", "Close", "Apply"] {
                for node in world.all(Role::Button, button) {
                    assert!(
                        window.contains_rect(node.rect()),
                        "{size:?} {key:?}: {button} {:?}",
                        node.rect()
                    );
                }
            }
            world.press(NONE, Key::Escape);
        }
    }
}

#[test]
fn panels_close_are_remembered_and_reset() {
    let mut world = world();
    let before = world.chart();
    let edge = eframe::egui::pos2(before.left() - 40.0, 450.0);
    let splitter = world.all_of(Role::Splitter);
    assert_eq!(splitter.len(), 3, "{edge:?}: {splitter:?}");
    let left = splitter
        .iter()
        .min_by(|a, b| a.left().total_cmp(&b.left()))
        .unwrap()
        .center();
    world.drag(left, left - eframe::egui::vec2(60.0, 0.0), NONE);
    let width = world
        .app()
        .settings
        .panels
        .left_width
        .expect("the width is kept");
    assert!(world.chart().width() > before.width() + 40.0);
    assert!((200.0..260.0).contains(&width), "{width}");
    world.press(NONE, Key::F3);
    assert!(!world.app().settings.panels.right);
    // In another run it is as it was left.
    let settings = world.app().settings.clone();
    let again = Start {
        settings,
        ..built_in()
    }
    .world();
    assert!((again.chart().left() - world.chart().left()).abs() < 2.0);
    assert!((again.chart().right() - world.chart().right()).abs() < 2.0);
    world.press(SHIFT, Key::F4);
    world.run();
    assert_eq!(world.app().settings.panels, Settings::default().panels);
    assert!(
        (world.chart().left() - before.left()).abs() < 2.0,
        "{:?}",
        world.chart()
    );
    assert!((world.chart().right() - before.right()).abs() < 2.0);
    assert!(!world.document().is_dirty());
}

#[test]
fn the_chart_is_described_in_the_words_of_the_command_line() {
    let mut world = three_gpus().world();
    let (session, view) = (world.session().clone(), world.document().view.clone());
    let words = report::describe::write(&session, &view, usize::MAX);
    assert_eq!(world.chart_description(), words);
    world.press(NONE, Key::O);
    assert_ne!(world.chart_description(), words, "it follows an edit");
}

#[test]
fn high_contrast_is_switched_in_light_and_in_dark() {
    let mut world = world();
    world.press(CTRL_SHIFT, Key::T);
    assert!(world.app().settings.contrast);
    let dark = world.ink();
    assert_eq!(dark, eframe::egui::Color32::WHITE);
    world.press(CTRL, Key::T);
    assert_eq!(world.app().settings.theme, Theme::Light);
    assert_eq!(world.ink(), eframe::egui::Color32::BLACK);
    world.menu("View", "High contrast");
    assert!(!world.app().settings.contrast);
    assert_ne!(world.ink(), eframe::egui::Color32::BLACK);
}

#[test]
fn hints_are_closed_for_good_until_they_are_asked_for() {
    let mut world = world();
    world.expect("Drag marks and roofs");
    world.click_button("Close hints");
    assert!(!world.sees("Drag marks and roofs"));
    let settings = world.app().settings.clone();
    let again = Start {
        settings,
        ..built_in()
    }
    .world();
    assert!(!again.sees("Drag marks and roofs"));
    world.menu("Help", "Show hints");
    world.expect("Drag marks and roofs");
    assert!(!world.document().is_dirty());
}

#[test]
fn wherever_a_list_is_empty_it_says_what_to_do() {
    let mut world = empty().world();
    world.expect("A chart begins with a GPU");
    for (tab, text) in [
        ("Sweep", "Nothing to sweep yet: add a GPU"),
        (
            "Operators",
            "Nothing to show the operators of yet: add a GPU",
        ),
        ("Workloads on GPUs", "Nothing to list yet: add a GPU"),
        ("Compare GPUs", "Nothing to compare yet: add a GPU"),
    ] {
        world.click(Role::Tab, tab);
        world.expect(text);
    }
    // The button does what the text says.
    let add = world.name_of(Role::Button, "Add a GPU… (");
    world.click_button(&add);
    world.text("zzzz");
    world.run();
    world.expect("No built-in device has that in its name: try fewer letters");
    world.press(CTRL, Key::A);
    world.text("h100");
    world.run();
    world.press(NONE, Key::Enter);
    world.run();
    assert_eq!(world.session().gpus.len(), 1);
    world.expect("Now something to run");
    world.expect("Nothing to compare yet: add a workload");
}

#[test]
fn the_about_box_names_version_fonts_and_every_library() {
    let mut world = world();
    world.press(SHIFT, Key::F1);
    world.expect(env!("CARGO_PKG_VERSION"));
    world.expect("MIT or Apache-2.0");
    world.expect("SIL Open Font License");
    let listed = include_str!("../../assets/licences.txt").lines().count();
    world.expect(&format!("{listed} libraries"));
    world.click(Role::DisclosureTriangle, "Libraries and their licences");
    world.expect("accesskit");
}
