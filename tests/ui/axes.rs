//! The axes: panning, zooming, fitting, locking, typing their limits; none of it is an edit.
use crate::world::*;
use eframe::egui::{Key, PointerButton, accesskit::Role, pos2, vec2};
use ridgepoint::model::view::Limits;

fn span(limits: Limits) -> [f64; 2] {
    [limits.x[1] - limits.x[0], limits.y[1] - limits.y[0]]
}

fn same(a: Limits, b: Limits) -> bool {
    let ends = |limits: Limits| [limits.x, limits.y].concat();
    let pairs = ends(a).into_iter().zip(ends(b));
    pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-3)
}

#[test]
fn dragging_the_background_pans_and_edits_nothing() {
    let mut world = world();
    let (before, session) = (world.limits(), world.session().clone());
    let mark = world.mark();
    let from = world.ground();
    world.drag(from, from + vec2(-70.0, 40.0), NONE);
    let moved = world.mark() - mark;
    assert!((moved - vec2(-70.0, 40.0)).length() < 4.0, "{moved:?}");
    let now = span(world.limits());
    assert!((now[0] - span(before)[0]).abs() < 1e-3, "it zoomed");
    assert_eq!(*world.session(), session);
    assert!(!world.document().is_dirty());
    assert_eq!(world.steps(), 0);
    world.press(NONE, Key::F);
    assert!(same(world.limits(), before));
    assert_eq!(world.document().view.limits, None);
}

#[test]
fn the_wheel_zooms_about_the_pointer() {
    for lines in [2.0, -2.0] {
        let mut world = world();
        let (before, mark) = (span(world.limits()), world.mark());
        world.wheel(mark, lines);
        let now = span(world.limits());
        assert_eq!(now[0] < before[0], lines > 0.0);
        let ratio = |span: [f64; 2]| span[0] / span[1];
        assert!((ratio(now) / ratio(before) - 1.0).abs() < 0.01);
        assert!(
            (world.mark() - mark).length() < 2.0,
            "not about the pointer"
        );
        assert!(!world.document().is_dirty());
        world.press(NONE, Key::F);
        assert!((span(world.limits())[0] - before[0]).abs() < 1e-3);
    }
}

#[test]
fn zooming_as_far_as_it_goes_in_or_out_ends() {
    for lines in [40.0, -40.0] {
        let mut world = world();
        let at = world.mark();
        for _ in 0..20 {
            world.wheel(at, lines);
        }
        let [across, up] = span(world.limits());
        assert!((0.04..=60.1).contains(&across), "{across}");
        assert!((0.04..=60.1).contains(&up), "{up}");
    }
}

#[test]
fn scrolling_a_side_panel_never_zooms_the_chart() {
    let mut world = world();
    let before = world.limits();
    for panel in [H100, DECODE] {
        let at = world.place(Role::ListItem, panel) + vec2(0.0, 200.0);
        let chart = world.ground();
        world.wheel(at, -3.0);
        assert_eq!(world.limits(), before);
        // A wheel that still turns while the hand drifts onto the chart.
        world.turn(at, -3.0);
        world.turn(at, -3.0);
        for _ in 0..4 {
            world.turn(chart, -3.0);
        }
        world.run();
        assert_eq!(world.limits(), before, "{panel}");
    }
    // Once the wheel has rested, the chart zooms again.
    for _ in 0..40 {
        world.frame(Vec::new());
    }
    let chart = world.ground();
    world.wheel(chart, -3.0);
    assert_ne!(world.limits(), before);
}

#[test]
fn a_double_click_on_the_chart_fits_it() {
    let mut world = world();
    let before = world.limits();
    let from = world.ground();
    world.drag(from, from + vec2(-90.0, -50.0), NONE);
    assert!(!same(world.limits(), before));
    // Where no tooltip and no second drag comes in between.
    for _ in 0..60 {
        world.frame(Vec::new());
    }
    world.grab(from);
    world.button(from, PointerButton::Primary, false);
    world.button(from, PointerButton::Primary, true);
    world.drop_at(from);
    assert!(same(world.limits(), before));
}

#[test]
fn a_right_drag_zooms_to_a_box() {
    let mut world = world();
    let before = span(world.limits());
    let from = world.ground();
    world.point(from);
    world.button(from, PointerButton::Secondary, true);
    world.pull(from, from - vec2(200.0, 120.0));
    world.button(from - vec2(200.0, 120.0), PointerButton::Secondary, false);
    world.run();
    let now = span(world.limits());
    assert!(now[0] < before[0] * 0.6 && now[1] < before[1] * 0.6);
    assert!(!world.document().is_dirty());
}

#[test]
fn locked_axes_neither_pan_nor_zoom_but_marks_still_drag() {
    let mut world = world();
    world.press(NONE, Key::L);
    let before = world.limits();
    let from = world.ground();
    world.drag(from, from + vec2(-90.0, -50.0), NONE);
    world.wheel(from, 3.0);
    assert_eq!(world.limits(), before);
    let mark = world.mark();
    world.drag(mark, mark + vec2(120.0, -120.0), NONE);
    assert!(world.batch() > 1.0);
    assert_eq!(world.limits(), before);
    world.click_button("Lock");
    world.drag(from, from + vec2(-90.0, -50.0), NONE);
    assert!(!same(world.limits(), before));
}

#[test]
fn axis_limits_can_be_typed() {
    let mut world = world();
    world.press(NONE, Key::A);
    world.enter("Intensity from", "0.01 FLOP/B");
    world.enter("Intensity to", "10000");
    world.type_into("Performance to", "100 PFLOP/s");
    world.click_button("Close");
    let limits = world.limits();
    let ends = [limits.x[0], limits.x[1], limits.y[1]];
    for (end, typed) in ends.into_iter().zip([-2.0, 4.0, 17.0]) {
        assert!((end - typed).abs() < 1e-3, "{ends:?}");
    }
    world.press(NONE, Key::A);
    for (text, reason) in [
        ("1e6", "must be below"),
        ("0", "no zero"),
        ("low", "number"),
    ] {
        world.enter("Intensity from", text);
        world.expect(reason);
    }
    assert_eq!(world.limits(), limits);
    world.click_button("Fit");
    assert_eq!(world.document().view.limits, None);
    assert!(!world.document().is_dirty());
}

#[test]
fn the_chart_does_not_jump_while_a_mark_is_dragged_out_of_it() {
    let mut world = world();
    let limits = world.limits();
    let from = world.mark();
    world.grab(from);
    let edge = pos2(world.chart().right() - 5.0, from.y);
    world.pull(from, edge);
    assert_eq!(world.limits(), limits);
    world.drop_at(edge);
    assert!(
        world.chart().contains(world.mark()),
        "what was dragged is lost"
    );
}

#[test]
fn hiding_panels_gives_the_chart_their_room() {
    let mut world = world();
    let before = world.chart();
    for key in [Key::F2, Key::F3, Key::F4] {
        world.press(NONE, key);
    }
    let now = world.chart();
    assert!(now.width() > before.width() + 500.0 && now.height() > before.height() + 150.0);
    assert!(!world.has(Role::TextInput, "Batch"));
    for key in [Key::F2, Key::F3, Key::F4] {
        world.press(NONE, key);
    }
    assert_eq!(world.chart(), before);
}
