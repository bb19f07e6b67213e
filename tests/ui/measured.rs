//! Measurements: typed as people have them, drawn where they were measured, never moved by hand.
use crate::world::*;
use eframe::egui::{Key, vec2};
use ridgepoint::model::workload::Kind;

const MEASURED: &str = "8B decode step, measured";

fn measured_time(world: &World) -> f64 {
    let gpu = world.session().gpus[0].id;
    let measurement = world.workload().measurement_on(gpu).unwrap();
    measurement.time().unwrap().get()
}

fn measured_world() -> World {
    let mut world = world();
    world.enter("Measured", "6.4 ms");
    world
}

/// Drags the measured mark to where a prediction could lie, and lets it go.
fn pull_ghost(world: &mut World) {
    let from = world.handle(MEASURED);
    world.drag(from, from + vec2(60.0, -40.0), NONE);
    assert!(world.app().state.chart.ghost.is_some());
}

#[test]
fn a_measured_time_is_judged_beside_the_prediction() {
    let world = {
        let mut world = measured_world();
        assert_eq!(world.undo_name(), format!("measurement of {DECODE}"));
        assert_eq!(world.steps(), 1);
        world
    };
    assert_eq!(measured_time(&world), 6.4e-3);
    for text in [
        "6.4 ms",
        "75 % of theoretical · good (60–80 %)",
        "unexplained",
        "4.776 ms",
    ] {
        world.expect(text);
    }
    assert!(world.handle(MEASURED).y > world.mark().y);
}

#[test]
fn a_measured_rate_is_as_good_as_a_time() {
    let cases = [
        ("156 tokens/s", 1.0 / 156.0),
        ("2.5 TB/s", 16e9 / 2.5e12),
        ("2.5 TFLOP/s", 16e9 / 2.5e12),
        ("0.0064", 6.4e-3),
        ("6400 µs", 6.4e-3),
    ];
    for (text, time) in cases {
        let mut world = world();
        world.enter("Measured", text);
        let measured = measured_time(&world);
        assert!((measured / time - 1.0).abs() < 1e-12, "{text}: {measured}");
        world.handle(MEASURED);
    }
}

#[test]
fn a_measurement_above_the_roof_is_drawn_there_and_explained() {
    let mut world = world();
    world.enter("Measured", "2 ms");
    assert!(world.handle(MEASURED).y < world.mark().y - 20.0);
    world.expect("above the roof");
    // The causes are further down the panel.
    world.wheel(eframe::egui::pos2(1300.0, 700.0), -6.0);
    world.expect("the working set fits in a cache");
}

#[test]
fn a_measured_mark_never_moves_when_dragged() {
    let mut world = measured_world();
    let (session, before) = (world.session().clone(), world.handle(MEASURED));
    let from = before;
    world.grab(from);
    world.pull(from, from + vec2(60.0, -60.0));
    for text in ["needs ", " of traffic", "Enter keeps it as a variant"] {
        world.expect(text);
    }
    world.drop_at(from + vec2(60.0, -60.0));
    assert_eq!(*world.session(), session);
    assert_eq!(world.handle(MEASURED), before);
    assert_eq!(world.steps(), 1, "only the measurement");
}

#[test]
fn enter_keeps_the_pulled_out_point_as_a_variant() {
    let mut world = measured_world();
    pull_ghost(&mut world);
    let ghost = world.app().state.chart.ghost.clone().unwrap();
    world.press(NONE, Key::Enter);
    let names: Vec<_> = world.session().workloads.iter().map(|w| &w.name).collect();
    assert_eq!(names, [DECODE, "8B decode step variant"]);
    assert!(matches!(world.workload().kind, Kind::Raw(_)));
    assert_eq!(world.undo_name(), "add 8B decode step variant");
    let session = world.session();
    let placed = world
        .workload()
        .place_on(&session.gpus[0], session.assumptions);
    let placed = placed.unwrap();
    let near = |a: f64, b: f64| (a / b - 1.0).abs() < 0.01;
    assert!(near(
        placed.intensity().unwrap().get(),
        ghost.intensity.get()
    ));
    assert!(near(placed.rate().unwrap().get(), ghost.rate.get()));
    world.handle("8B decode step variant");
    assert!(world.app().state.chart.ghost.is_none());
}

#[test]
fn escape_drops_the_pulled_out_point() {
    let mut world = measured_world();
    let before = world.session().clone();
    pull_ghost(&mut world);
    world.press(NONE, Key::Escape);
    assert!(world.app().state.chart.ghost.is_none());
    world.press(NONE, Key::Enter);
    assert_eq!(*world.session(), before);
}

#[test]
fn arrow_keys_pull_out_a_point_too() {
    let mut world = measured_world();
    let before = world.session().clone();
    world.focus_handle(MEASURED);
    for _ in 0..3 {
        world.press(CTRL, Key::ArrowRight);
    }
    assert_eq!(*world.session(), before);
    let ghost = world.app().state.chart.ghost.clone();
    let moved = ghost
        .expect("no point was pulled out")
        .intensity
        .get()
        .log10();
    assert!((moved - 0.3).abs() < 0.01, "{moved}");
    world.press(NONE, Key::Enter);
    assert_eq!(world.session().workloads.len(), 2);
}

#[test]
fn enter_in_a_dialog_is_no_answer_to_a_pulled_out_point() {
    let mut world = measured_world();
    pull_ghost(&mut world);
    world.press(CTRL, Key::N);
    world.expect("Save your changes first?");
    world.press(NONE, Key::Enter);
    assert_eq!(world.session().workloads.len(), 1);
}

#[test]
fn a_measurement_stays_when_the_parameters_change() {
    let mut world = measured_world();
    let before = world.handle(MEASURED);
    world.enter("Batch", "4");
    assert_eq!(world.handle(MEASURED), before);
    world.expect("Measured with other parameters than those above.");
    world.click_button("It was measured with these");
    assert!(world.handle(MEASURED).x > before.x + 10.0);
    assert_eq!(measured_time(&world), 6.4e-3);
    assert_eq!(world.steps(), 3);
}
