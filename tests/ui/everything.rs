//! Whatever is open, however large the window: nothing panics, and at rest nothing is drawn.
use crate::world::*;
use eframe::egui::{Event, Key, accesskit::Role, vec2};
use ridgepoint::files::settings::{Settings, Theme};
use ridgepoint::model::gpu::Gpu;
use ridgepoint::model::session::{Session, Workload};
use ridgepoint::model::view::View;
use ridgepoint::model::workload::Kind;
use ridgepoint::ui::command::{COMMANDS, Command};
use std::time::Duration;

fn three_gpus() -> Start {
    let found = ridgepoint::files::presets::find_session("@compare-three-gpus");
    let (_, loaded) = found.unwrap();
    start_with(loaded.session, loaded.view)
}

/// A kind by its title with some numbers changed.
fn kind(title: &str, numbers: &[(&str, f64)]) -> Kind {
    let kind = Kind::examples().into_iter().find(|k| k.title() == title);
    numbers.iter().fold(kind.unwrap(), |kind, (name, value)| {
        kind.with(name, *value).unwrap()
    })
}

fn at_intensity(intensity: f64) -> Kind {
    kind("Intensity and work", &[("intensity", intensity)])
}

#[test]
fn every_command_works_on_every_session_by_keys_and_by_menu() {
    for start in [empty, built_in, three_gpus] {
        for entry in &COMMANDS {
            let mut world = start().world();
            let keys = entry.shortcut.unwrap();
            let modifiers = if keys.modifiers.command {
                keys.modifiers.plus(CTRL)
            } else {
                keys.modifiers
            };
            match entry.command {
                Command::Copy => world.frame(vec![Event::Copy]),
                Command::Paste => world.frame(vec![Event::Paste("hello".to_owned())]),
                _ => world.press(modifiers, keys.logical_key),
            }
            world.run();
            world.press(NONE, Key::Escape);
            assert_eq!(world.closed, entry.command == Command::Quit);

            let mut world = start().world();
            world.menu(entry.menu.name(), entry.name);
            world.press(NONE, Key::Escape);
            world.press(CTRL, Key::Z);
            world.run();
        }
    }
}

#[test]
fn every_shortcut_is_shown_beside_its_command() {
    let mut world = world();
    for entry in &COMMANDS {
        world.click_button(entry.menu.name());
        let name = world.name_of(Role::Button, entry.name);
        let key = entry.shortcut.unwrap().logical_key;
        let shown = [key.name(), key.symbol_or_name()];
        assert!(
            shown.iter().any(|key| name.ends_with(key)),
            "{name}: {key:?}"
        );
        world.press(NONE, Key::Escape);
    }
}

#[test]
fn at_rest_no_frame_is_asked_for() {
    for start in [empty, built_in, three_gpus] {
        let mut world = start().world();
        assert_eq!(world.delay(), Duration::MAX);
        world.run();
        assert_eq!(world.delay(), Duration::MAX);
    }
    let mut world = world();
    let from = world.mark();
    world.drag(from, from + vec2(50.0, 20.0), NONE);
    assert_eq!(world.delay(), Duration::MAX, "after a drag");
    world.enter("Batch", "64");
    let away = world.ground();
    world.click_at(away);
    // A tooltip may be waited for under the pointer; once it is there, nothing is.
    world.frame(vec![Event::PointerGone]);
    world.run();
    assert_eq!(world.delay(), Duration::MAX, "after typing");
    world.press(NONE, Key::F1);
    assert_eq!(world.delay(), Duration::MAX, "with a dialog open");
}

#[test]
fn every_size_of_window_shows_the_chart_in_light_and_dark() {
    for size in [[900.0, 560.0], [1280.0, 800.0], [2560.0, 1440.0]] {
        for theme in [Theme::Light, Theme::Dark] {
            let settings = Settings {
                theme,
                ..Settings::default()
            };
            let mut world = Start {
                size,
                settings,
                ..three_gpus()
            }
            .world();
            let window = eframe::egui::Rect::from_min_size(Default::default(), size.into());
            let chart = world.chart();
            assert!(window.contains_rect(chart), "{size:?}: {chart:?}");
            assert!(chart.width() > 180.0 && chart.height() > 100.0, "{chart:?}");
            let rows = |name: &str| world.all(Role::ListItem, name)[0].rect();
            let mark = world.workload().name.clone();
            let middle = rows(H100).right()..=rows(&mark).left();
            assert!(middle.contains(&chart.left()) && middle.contains(&chart.right()));
            // In the narrowest window the menu has what the bar has no room for.
            let bar: &[&str] = match size {
                [900.0, _] => &["Fit", "Sweep", "Compare"],
                _ => &["Fit", "Lock", "Axes…", "Sweep", "Compare"],
            };
            for name in bar {
                let button = world.all(Role::Button, name)[0].rect();
                let seen = middle.contains(&button.left()) && middle.contains(&button.right());
                assert!(seen && button.bottom() < chart.top(), "{size:?}: {name}");
            }
            for name in ["File", "Edit", "View", "Help"] {
                let button = world.all(Role::Button, name)[0].rect();
                assert!(window.contains_rect(button), "{size:?}: {name}");
            }
            assert!(chart.contains(world.handle(&mark)), "{size:?}");
            for tab in ["Workloads on GPUs", "Title and notes"] {
                world.click(Role::Tab, tab);
            }
            for key in [Key::F1, Key::A] {
                world.press(NONE, key);
                world.press(NONE, Key::Escape);
            }
            for key in [Key::F2, Key::F3, Key::F4] {
                world.press(NONE, key);
                assert!(window.contains_rect(world.chart()));
            }
        }
    }
}

#[test]
fn the_theme_can_be_switched() {
    let mut world = world();
    world.click_button("Switch to light");
    assert_eq!(world.app().settings.theme, Theme::Light);
    assert!(world.has(Role::Button, "Switch to dark"));
    world.press(CTRL, Key::T);
    assert_eq!(world.app().settings.theme, Theme::Dark);
    assert!(!world.document().is_dirty());
}

#[test]
fn a_new_session_says_what_to_do_and_can_be_filled() {
    let mut world = world();
    world.press(CTRL, Key::N);
    world.expect("No GPU yet: add one from the presets, or an empty one.");
    world.expect("No workload yet: add one to see where it lies.");
    assert!(world.chart().width() > 300.0);
    for tab in ["Sweep", "Workloads on GPUs", "Title and notes", "Sweep"] {
        world.click(Role::Tab, tab);
    }
    let at = world.ground();
    world.drag(at, at - vec2(30.0, 30.0), NONE);
    world.wheel(at, 3.0);
    world.press(NONE, Key::F);
    // A workload without a GPU is listed, though it cannot be placed.
    let add = world.all(Role::Button, "Add…").last().unwrap().rect();
    world.click_at(add.center());
    world.click_button("Dense linear algebra");
    world.click_button("GEMM");
    assert!(world.has(Role::ListItem, "GEMM"));
    world.click_button("Add…");
    world.text(H100);
    world.press(NONE, Key::Enter);
    assert!(world.chart().contains(world.handle("GEMM")));
    assert_eq!(world.steps(), 2);
    world.press(CTRL, Key::Z);
    world.press(CTRL, Key::Z);
    assert!(world.session().gpus.is_empty() && world.session().workloads.is_empty());
}

#[test]
fn forty_workloads_in_one_decade_each_have_a_mark_and_a_row() {
    let mut start = built_in();
    let session = &mut start.document.session;
    for i in 0..40 {
        let kind = at_intensity(10f64.powf(1.0 + f64::from(i) / 40.0));
        session.add_workload(Workload::new(format!("Kernel {i:02}"), kind), None);
    }
    let (session, view) = (session.clone(), start.document.view.clone());
    let mut world = start_with(session, view).world();
    for i in [0, 17, 39] {
        let name = format!("Kernel {i:02}");
        let at = world.reach(Role::ListItem, &name);
        world.click_at(at);
        assert_eq!(world.workload().name, name);
        let mark = world.handle(&name);
        let session = world.session().clone();
        // The selected one lies on top of its neighbours.
        world.drag(mark, mark + vec2(0.0, 50.0), NONE);
        let changed = |w: &&Workload| session.workload(w.id) != Some(*w);
        let moved: Vec<_> = world.session().workloads.iter().filter(changed).collect();
        assert_eq!(moved.len(), 1);
        assert_eq!(moved[0].name, name);
    }
    world.click(Role::Tab, "Workloads on GPUs");
}

#[test]
fn extreme_intensities_are_drawn_and_dragged() {
    let mut start = built_in();
    let session = &mut start.document.session;
    for intensity in [1e-3, 1e9] {
        let name = format!("At {intensity:e}");
        session.add_workload(Workload::new(name, at_intensity(intensity)), None);
    }
    let (session, view) = (session.clone(), start.document.view.clone());
    let mut world = start_with(session, view).world();
    for name in ["At 1e-3", "At 1e9"] {
        let at = world.handle(name);
        assert!(world.chart().contains(at), "{name}");
        for by in [vec2(-2000.0, 0.0), vec2(2000.0, 900.0), vec2(0.0, -900.0)] {
            let at = world.handle(name);
            world.drag(at, at + by, NONE);
            world.press(CTRL, Key::Z);
            world.press(NONE, Key::F);
        }
    }
}

#[test]
fn extreme_numbers_are_doubted_or_refused_but_never_panic() {
    let cases = [
        ("DRAM", "1e60"),
        ("DRAM", "1e-60"),
        ("DRAM", "1e307"),
        ("FP16 matrix", "1e60"),
        ("FP16 matrix", "1e-30"),
        ("Batch", "1e15"),
        ("Batch", "1e60"),
        ("Batch", "1e300"),
        ("Parameters", "1e300"),
        ("Bytes per parameter", "1e-300"),
        ("Context", "1e30"),
        ("Measured", "1e-30 s"),
        ("Measured", "1e30 s"),
        ("Measured", "1e60 FLOP/s"),
        ("Launch overhead", "1e30 s"),
        ("Sweep values", "1..1e300 x10"),
        ("Sweep values", "0.000001..1 x1.000001"),
        ("Assumed share of roof", "0.0000000001 %"),
    ];
    for (field, text) in cases {
        let mut world = world();
        world.enter("KV bytes per token", "131072");
        world.enter(field, text);
        for key in [Key::F, Key::O, Key::O, Key::T] {
            world.press(NONE, key);
        }
        let at = world.ground();
        world.drag(at, at - vec2(50.0, 50.0), NONE);
        world.wheel(at, 3.0);
        world.click(Role::Tab, "Workloads on GPUs");
        assert!(world.chart().is_finite());
    }
    let mut world = world();
    world.enter("DRAM", "1e60");
    world.expect("is a prefix missing or doubled?");
}

#[test]
fn kinds_without_work_or_roofs_without_numbers_are_listed() {
    // So many as the list shows without scrolling.
    for kinds in Kind::examples().chunks(8) {
        let mut session = Session::empty("Odd");
        session.add_gpu(Gpu::empty("Nothing known"), None);
        let mut view = View::of(&session);
        for example in kinds {
            session.add_workload(Workload::new(example.title(), example.clone()), None);
        }
        view.repair(&session);
        let mut start = start_with(session, view);
        // As tall as the longest editor with the answer below it.
        start.size[1] = 1800.0;
        let mut world = start.world();
        for example in kinds {
            world.click(Role::ListItem, example.title());
            world.expect("Not placed: ");
        }
        world.click(Role::Tab, "Workloads on GPUs");
        world.click(Role::Tab, "Title and notes");
    }
}
