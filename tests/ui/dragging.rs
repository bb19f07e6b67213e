//! Predicted marks: dragging them with the pointer and moving them with arrow keys.
use crate::world::*;
use eframe::egui::{Key, Pos2, vec2};
use ridgepoint::model::workload::{Kind, Raw};

/// A raw workload at 1 FLOP/B instead of the decode step.
fn raw_world() -> World {
    let mut start = built_in();
    let session = &mut start.document.session;
    let raw = Raw {
        work: 16e9.try_into().unwrap(),
        traffic: 16e9.try_into().unwrap(),
        ..Raw::default()
    };
    session.workloads[0].kind = Kind::Raw(raw);
    start_with(session.clone(), start.document.view.clone()).world()
}

fn raw(world: &World) -> [f64; 2] {
    let Kind::Raw(raw) = &world.workload().kind else {
        panic!("not raw");
    };
    [raw.work.get(), raw.traffic.get()]
}

fn efficiency(world: &World) -> f64 {
    world.workload().efficiency_on(world.session().gpus[0].id)
}

/// Points on the screen that a decade is wide.
fn decade(world: &World) -> f32 {
    let limits = world.limits();
    world.chart().width() / (limits.x[1] - limits.x[0]) as f32
}

fn grab_and_pull(world: &mut World, by: eframe::egui::Vec2) -> Pos2 {
    let from = world.mark();
    world.grab(from);
    world.pull(from, from + by);
    from + by
}

#[test]
fn dragging_a_mark_right_raises_the_batch_as_one_step() {
    let mut world = world();
    let from = world.mark();
    let limits = world.limits();
    let right = decade(&world);
    world.drag(from, from + vec2(right, -right), NONE);
    assert!((9.0..=11.0).contains(&world.batch()), "{}", world.batch());
    assert_eq!(efficiency(&world), 1.0, "it snaps to the roof");
    assert_eq!(world.undo_name(), format!("change batch of {DECODE}"));
    assert_eq!(world.steps(), 1);
    assert_eq!(world.limits(), limits, "the chart panned");
    assert_eq!(world.document().view.limits, None);
    let landed = world.mark();
    assert!((landed.x - from.x - right).abs() < right * 0.04);
    assert_eq!(world.field("Batch"), world.batch().to_string());
    world.press(CTRL, Key::Z);
    assert_eq!(world.batch(), 1.0);
    assert!(!world.document().is_dirty());
}

#[test]
fn a_card_follows_the_drag_and_says_where_it_is() {
    let mut world = world();
    let right = decade(&world);
    let at = grab_and_pull(&mut world, vec2(right, 0.0));
    for text in [
        "FLOP/B · ",
        " over 16 GB",
        "memory-bound",
        "Assumed share of roof",
    ] {
        world.expect(text);
    }
    assert!(world.document().undo_name().is_some());
    world.drop_at(at);
    assert!(!world.sees(" over 16 GB"));
}

#[test]
fn dragging_a_mark_down_changes_the_assumed_efficiency() {
    let mut world = world();
    let from = world.mark();
    let half_a_decade = decade(&world) / 2.0;
    world.drag(from, from + vec2(0.0, half_a_decade), NONE);
    assert!((efficiency(&world) - 0.1_f64.sqrt()).abs() < 0.02);
    assert_eq!(world.batch(), 1.0);
    assert_eq!(world.undo_name(), format!("efficiency of {DECODE}"));
    let from = world.mark();
    world.drag(from, from - vec2(0.0, decade(&world)), NONE);
    assert_eq!(efficiency(&world), 1.0);
}

#[test]
fn a_drag_stops_where_the_kind_cannot_go_and_says_why() {
    let mut world = world();
    let left = decade(&world) * 0.5;
    let at = grab_and_pull(&mut world, vec2(-left, 0.0));
    world.expect("batch is 1: it cannot go lower");
    world.drop_at(at);
    assert_eq!(world.batch(), 1.0);
    assert_eq!(world.mark().x.round(), (at.x + left).round());
    let at = grab_and_pull(&mut world, vec2(0.0, -80.0));
    world.expect("no prediction lies above the roof");
    world.drop_at(at);
    assert!(!world.document().is_dirty());
}

#[test]
fn shift_locks_the_axis_moved_less() {
    let mut world = world();
    let from = world.mark();
    world.drag(from, from + vec2(100.0, 60.0), SHIFT);
    assert!(world.batch() > 1.0);
    assert_eq!(efficiency(&world), 1.0);
    world.press(CTRL, Key::Z);
    world.drag(from, from + vec2(60.0, 100.0), SHIFT);
    assert_eq!(world.batch(), 1.0);
    assert!(efficiency(&world) < 0.9);
}

#[test]
fn ctrl_goes_to_round_values() {
    let mut world = raw_world();
    let from = world.mark();
    let right = decade(&world) * 0.32;
    world.drag(from, from + vec2(right, 0.0), CTRL.plus(SHIFT));
    let [work, traffic] = raw(&world);
    assert_eq!(work, 16e9);
    assert_eq!(traffic, 8e9, "2 FLOP/B is the nearest round intensity");
}

#[test]
fn a_raw_mark_keeps_its_work_and_with_alt_its_traffic() {
    let mut world = raw_world();
    let from = world.mark();
    let right = decade(&world);
    world.drag(from, from + vec2(right, -right), NONE);
    let [work, traffic] = raw(&world);
    assert_eq!(work, 16e9);
    assert!((traffic / 1.6e9 - 1.0).abs() < 0.03, "{traffic}");
    world.press(CTRL, Key::Z);
    world.drag(from, from + vec2(right, -right), ALT);
    let [work, traffic] = raw(&world);
    assert_eq!(traffic, 16e9);
    assert!((work / 160e9 - 1.0).abs() < 0.03, "{work}");
}

#[test]
fn escape_in_a_drag_restores_what_was() {
    let mut world = world();
    let before = world.session().clone();
    let at = grab_and_pull(&mut world, vec2(120.0, 30.0));
    assert_ne!(*world.session(), before);
    world.key_down(NONE, Key::Escape);
    world.key_up(NONE, Key::Escape);
    assert_eq!(*world.session(), before);
    // The hand is still down, and moving it on does nothing more.
    world.pull(at, at + vec2(50.0, 0.0));
    world.drop_at(at);
    assert_eq!(*world.session(), before);
    assert_eq!(world.steps(), 0);
    assert!(!world.sees(" over 16 GB"), "the card stays");
}

#[test]
fn arrow_keys_move_a_focused_mark_by_a_hundredth_of_a_decade() {
    let cases = [(NONE, 0.01), (SHIFT, 0.001), (CTRL, 0.1)];
    for (modifiers, step) in cases {
        let mut world = raw_world();
        world.focus_handle(DECODE);
        world.press(modifiers, Key::ArrowRight);
        let [work, traffic] = raw(&world);
        let moved = (work / traffic).log10();
        assert!((moved - step).abs() < step * 0.2, "{step}: {moved}");
        world.press(modifiers, Key::ArrowLeft);
        world.press(modifiers, Key::ArrowDown);
        let moved = -efficiency(&world).log10();
        // Keys are finer than a hand: they do not snap to the roof.
        assert!((moved - step).abs() < step * 0.2, "{step}: {moved}");
    }
}

#[test]
fn holding_an_arrow_key_is_one_step() {
    let mut world = world();
    world.focus_handle(DECODE);
    for _ in 0..12 {
        world.key_down(CTRL, Key::ArrowRight);
    }
    world.key_up(CTRL, Key::ArrowRight);
    world.run();
    assert!(world.batch() > 12.0, "{}", world.batch());
    assert_eq!(world.steps(), 1);
    world.press(CTRL, Key::ArrowRight);
    assert_eq!(world.steps(), 2);
}

#[test]
fn an_arrow_key_always_moves_a_whole_parameter() {
    let mut world = world();
    world.focus_handle(DECODE);
    world.press(NONE, Key::ArrowRight);
    assert_eq!(world.batch(), 2.0);
    world.press(NONE, Key::ArrowLeft);
    world.press(NONE, Key::ArrowLeft);
    assert_eq!(world.batch(), 1.0);
}

#[test]
fn a_mark_keeps_the_focus_while_arrow_keys_move_it() {
    let mut world = world();
    world.focus_handle(DECODE);
    let from = world.mark();
    for _ in 0..5 {
        world.press(CTRL, Key::ArrowRight);
        world.press(CTRL, Key::ArrowUp);
    }
    assert!(world.mark().x > from.x + 20.0);
}

#[test]
fn marks_and_roofs_are_reached_by_tab_alone() {
    let mut world = world();
    let mut reached = Vec::new();
    for _ in 0..200 {
        world.press(NONE, Key::Tab);
        reached.extend(world.focused());
    }
    for handle in [DECODE, "H100 (rounded): ridge", "H100 (rounded): peak"] {
        let found = reached.iter().any(|name| name.starts_with(handle));
        assert!(found, "{handle} is not among {reached:#?}");
    }
}

#[test]
fn a_drag_to_and_fro_is_one_step() {
    let mut world = world();
    let from = world.mark();
    world.grab(from);
    for way in [60.0, -20.0, 150.0, 90.0] {
        world.pull(world.mark(), from + vec2(way, 0.0));
    }
    world.drop_at(from + vec2(90.0, 0.0));
    assert_eq!(world.steps(), 1);
}
