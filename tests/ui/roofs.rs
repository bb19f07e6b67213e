//! The slope, the flat and the ridge of a GPU: dragging them makes its numbers one's own, and reset brings them back.
use crate::world::*;
use eframe::egui::{Key, vec2};
use ridgepoint::model::gpu::Basis;

fn decade(world: &World) -> f32 {
    let limits = world.limits();
    world.chart().width() / (limits.x[1] - limits.x[0]) as f32
}

const BOTH: [f64; 2] = [990e12, 3.35e12];

fn close(now: f64, expected: f64) -> bool {
    (now / expected).log10().abs() < 0.02
}

#[test]
fn dragging_the_flat_changes_the_peak_and_keeps_the_original() {
    let mut world = world();
    let from = world.handle("H100 (rounded): peak");
    let up = decade(&world) * 0.3;
    world.drag(from, from - vec2(0.0, up), NONE);
    let [peak, bandwidth] = world.roofs();
    assert!(close(peak, 990e12 * 2.0), "{peak}");
    assert_eq!(bandwidth, 3.35e12);
    let number = &world.session().gpus[0].compute[0].peak;
    assert_eq!(number.basis, Basis::Own);
    let original = number.original.as_ref().unwrap();
    assert_eq!(
        (original.value.get(), original.basis),
        (990e12, Basis::Theoretical)
    );
    assert!(number.source.is_empty() && original.source.contains("commonly quoted"));
    assert_eq!(world.undo_name(), format!("edit peak of {H100}"));
    assert_eq!(world.steps(), 1);
    world.click_button("Reset FP16 matrix");
    assert_eq!(world.roofs(), BOTH);
    let number = &world.session().gpus[0].compute[0].peak;
    assert_eq!(
        (number.basis, number.published()),
        (Basis::Theoretical, None)
    );
    assert!(!world.document().is_dirty());
}

#[test]
fn dragging_the_slope_changes_the_bandwidth_and_keeps_the_original() {
    let mut world = world();
    let from = world.handle("H100 (rounded): bandwidth");
    let up = decade(&world) * 0.3;
    let limits = world.limits();
    world.drag(from, from - vec2(0.0, up), NONE);
    let [peak, bandwidth] = world.roofs();
    assert_eq!(peak, 990e12);
    assert!(close(bandwidth, 3.35e12 * 2.0), "{bandwidth}");
    let number = &world.session().gpus[0].memory[0].bandwidth;
    assert_eq!(number.basis, Basis::Own);
    assert_eq!(number.published().unwrap().get(), 3.35e12);
    assert_eq!(world.undo_name(), format!("edit bandwidth of {H100}"));
    assert_eq!(world.steps(), 1);
    assert_eq!(world.document().view.limits, None, "the chart panned");
    assert_eq!(world.limits().x, limits.x);
    world.click_button("Reset DRAM");
    assert_eq!(world.roofs(), BOTH);
    assert!(!world.document().is_dirty());
}

#[test]
fn dragging_the_ridge_changes_both() {
    let mut world = world();
    let from = world.handle("H100 (rounded): ridge");
    let by = decade(&world) * 0.5;
    world.drag(from, from + vec2(-by, by), NONE);
    let [peak, bandwidth] = world.roofs();
    assert!(close(peak, 990e12 / 10f64.sqrt()), "{peak}");
    assert!(close(bandwidth, 3.35e12), "{bandwidth}");
    assert_eq!(world.steps(), 1);
    world.press(CTRL, Key::Z);
    assert_eq!(world.roofs(), BOTH);
    // Along x alone the flat stays and the slope moves.
    world.drag(from, from + vec2(-by, 3.0), SHIFT);
    let [peak, bandwidth] = world.roofs();
    assert!(close(peak, 990e12), "{peak}");
    assert!(close(bandwidth, 3.35e12 * 10f64.sqrt()), "{bandwidth}");
}

#[test]
fn a_card_follows_a_roof_and_says_what_it_was() {
    let mut world = world();
    let from = world.handle("H100 (rounded): peak");
    world.grab(from);
    world.pull(from, from - vec2(0.0, 40.0));
    world.expect("was 990 TFLOP/s");
    world.drop_at(from - vec2(0.0, 40.0));
}

#[test]
fn ctrl_takes_roofs_to_round_values() {
    let mut world = world();
    let from = world.handle("H100 (rounded): peak");
    let up = decade(&world) * 0.32;
    world.drag(from, from - vec2(0.0, up), CTRL);
    assert_eq!(world.roofs()[0], 2e15);
    let from = world.handle("H100 (rounded): bandwidth");
    world.drag(from, from - vec2(0.0, decade(&world) * 0.1), CTRL);
    assert_eq!(world.roofs()[1], 4e12);
}

#[test]
fn escape_in_a_drag_of_a_roof_restores_it() {
    for part in ["bandwidth", "peak", "ridge"] {
        let mut world = world();
        let before = world.session().clone();
        let from = world.handle(&format!("H100 (rounded): {part}"));
        world.grab(from);
        world.pull(from, from + vec2(-30.0, -40.0));
        assert_ne!(*world.session(), before, "{part}");
        world.key_down(NONE, Key::Escape);
        world.key_up(NONE, Key::Escape);
        world.drop_at(from);
        assert_eq!(*world.session(), before, "{part}");
        assert_eq!(world.steps(), 0);
    }
}

#[test]
fn arrow_keys_move_a_focused_roof() {
    let by = [(NONE, 0.01), (SHIFT, 0.001), (CTRL, 0.1)];
    for (modifiers, step) in by {
        for (part, key, signs) in [
            ("peak", Key::ArrowUp, [1.0, 0.0]),
            ("bandwidth", Key::ArrowUp, [0.0, 1.0]),
            ("bandwidth", Key::ArrowRight, [0.0, -1.0]),
            ("ridge", Key::ArrowRight, [0.0, -1.0]),
            ("ridge", Key::ArrowUp, [1.0, 1.0]),
        ] {
            let mut world = world();
            world.focus_handle(&format!("H100 (rounded): {part}"));
            world.press(modifiers, key);
            let roofs = world.roofs();
            for i in 0..2 {
                let moved = (roofs[i] / BOTH[i]).log10();
                let expected = step * signs[i];
                assert!(
                    (moved - expected).abs() < 0.0003,
                    "{part} {key:?} {step}: {moved} instead of {expected}"
                );
            }
        }
    }
}

#[test]
fn holding_an_arrow_key_on_a_roof_is_one_step() {
    for part in ["bandwidth", "peak", "ridge"] {
        let mut world = world();
        world.focus_handle(&format!("H100 (rounded): {part}"));
        for _ in 0..10 {
            world.key_down(NONE, Key::ArrowUp);
        }
        world.key_up(NONE, Key::ArrowUp);
        world.run();
        let moved = (world.roofs()[0] * world.roofs()[1] / BOTH[0] / BOTH[1]).log10();
        assert!(moved > 0.09, "{part}: {moved}");
        assert_eq!(world.steps(), 1, "{part}");
    }
}

#[test]
fn typing_the_original_number_again_is_a_reset() {
    let mut world = world();
    world.enter("DRAM", "4 TB/s");
    assert_eq!(
        world.session().gpus[0].memory[0].bandwidth.basis,
        Basis::Own
    );
    world.enter("DRAM", "3.35 TB/s");
    let number = &world.session().gpus[0].memory[0].bandwidth;
    assert_eq!(
        (number.basis, number.published()),
        (Basis::Theoretical, None)
    );
}
