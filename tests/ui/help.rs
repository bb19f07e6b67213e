//! What helps to decide: the sweep, the fixes, the switch of overlap, and copies as text.
use crate::world::*;
use eframe::egui::{Event, Key, accesskit::Role};
use ridgepoint::files::session_file;
use ridgepoint::model::placement::Overlap;

#[test]
fn sweep_values_are_typed_as_a_list_or_a_range() {
    let mut world = world();
    world.expect("Flips at 295.5");
    let cases = [
        ("1, 8, 300", vec![1.0, 8.0, 300.0]),
        ("1..1024 x4", vec![1.0, 4.0, 16.0, 64.0, 256.0, 1024.0]),
        ("100..400 +100", vec![100.0, 200.0, 300.0, 400.0]),
    ];
    for (text, values) in cases {
        world.enter("Sweep values", text);
        let sweep = world.document().view.sweep.clone().unwrap();
        assert_eq!(sweep.values, values, "{text}");
    }
    // 300 and 400 are beyond the ridge, 100 and 200 are not.
    let said = |world: &World, word: &str| world.painted().iter().filter(|t| *t == word).count();
    assert!(said(&world, "memory-bound") >= 2 && said(&world, "compute-bound") >= 2);
    assert!(!world.document().is_dirty(), "a sweep is a view");
}

#[test]
fn another_parameter_can_be_swept() {
    let mut world = world();
    world.click(Role::ComboBox, "Parameter");
    world.click_button("bytes per parameter");
    let sweep = world.document().view.sweep.clone().unwrap();
    assert_eq!(sweep.parameter, "bytes_per_parameter");
    assert!(world.has(Role::Tab, "Sweep: bytes per parameter"));
}

#[test]
fn the_sweep_on_the_chart_can_be_switched_off() {
    let mut world = world();
    let values = |world: &World| world.painted().iter().filter(|t| *t == "1024").count();
    let before = values(&world);
    world.press(NONE, Key::T);
    assert!(values(&world) < before);
    world.click_button("Sweep");
    assert_eq!(values(&world), before);
}

/// The full name of the button of a fix.
fn fix(world: &World, start: &str) -> String {
    world.name_of(Role::Button, start)
}

#[test]
fn a_fix_under_the_pointer_is_shown_and_a_click_keeps_it_as_a_variant() {
    let mut world = world();
    let before = world.session().clone();
    let name = fix(&world, "8-bit weights");
    assert_eq!(name, "8-bit weights: 2.388 ms · ×2.00");
    let at = world.reach(Role::Button, &name);
    world.point(at);
    world.run();
    world.expect("×2.00 8-bit weights");
    assert_eq!(*world.session(), before, "looking is no edit");
    world.click_at(at);
    let variant = "8B decode step, 8-bit weights";
    assert_eq!(world.workload().name, variant);
    assert_eq!(
        world.workload().kind.number("bytes_per_parameter"),
        Some(1.0)
    );
    assert_eq!(world.session().workloads[0], before.workloads[0]);
    assert_eq!(world.steps(), 1);
}

#[test]
fn a_fix_of_the_gpu_adds_a_gpu() {
    let mut world = world();
    let name = fix(&world, "Twice the bandwidth");
    world.click_button(&name);
    let active = world.document().view.active.unwrap();
    let gpu = world.session().gpu(active).unwrap();
    assert_eq!(gpu.name, "H100 (rounded) variant");
    assert_eq!(gpu.memory[0].bandwidth.value.get(), 6.7e12);
    assert_eq!(world.session().gpus.len(), 2);
}

#[test]
fn fixes_of_the_other_regime_say_that_they_do_nothing() {
    let world = world();
    assert!(fix(&world, "Twice the peak").ends_with("×1.00: does nothing here"));
}

#[test]
fn the_overlap_switch_is_an_edit_that_can_be_undone() {
    let mut start = built_in();
    start.size = [1800.0, 900.0];
    let mut world = start.world();
    let none = Overlap::None.name();
    world.click(Role::RadioButton, none);
    assert_eq!(world.session().assumptions.overlap, Overlap::None);
    assert_eq!(world.undo_name(), "change assumptions");
    assert!(world.document().is_dirty());
    world.expect("4.792 ms");
    world.press(CTRL, Key::Z);
    world.expect("4.776 ms");
    world.press(NONE, Key::O);
    assert_eq!(world.session().assumptions.overlap, Overlap::None);
}

#[test]
fn a_copied_workload_can_be_pasted_here_and_into_a_message() {
    let mut world = world();
    world.enter("Batch", "64");
    world.frame(vec![Event::Copy]);
    world.run();
    let text = world.copied.pop().unwrap();
    let read = session_file::workload_from_text(&text).unwrap();
    assert_eq!(
        (&read.name, &read.kind),
        (&world.workload().name, &world.workload().kind)
    );
    world.frame(vec![Event::Paste(text)]);
    world.run();
    assert_eq!(world.session().workloads.len(), 2);
    assert_eq!(world.workload().kind, read.kind);
    assert_eq!(world.undo_name(), "add 8B decode step 2");
}

#[test]
fn a_copied_gpu_can_be_pasted() {
    let mut world = world();
    world.click(Role::ListItem, H100);
    world.frame(vec![Event::Copy]);
    world.run();
    let text = world.copied.pop().unwrap();
    assert!(text.contains("3.35 TB/s"), "{text}");
    world.frame(vec![Event::Paste(text.clone())]);
    world.run();
    let [old, new] = &world.session().gpus[..] else {
        panic!("not two");
    };
    assert_eq!(new.name, "H100 (rounded) 2");
    assert_eq!((&old.compute, &old.memory), (&new.compute, &new.memory));
    world.press(CTRL_SHIFT, Key::C);
    assert!(world.copied.pop().unwrap().contains("H100 (rounded) 2"));
}

#[test]
fn text_that_is_neither_is_refused_with_its_reason() {
    let mut world = world();
    let before = world.session().clone();
    for text in ["", "hello", "Gpu(name: 3)", "Workload(name: \"x\")"] {
        world.frame(vec![Event::Paste(text.to_owned())]);
        world.run();
        assert_eq!(*world.session(), before, "{text}");
    }
    world.expect("The clipboard holds neither a GPU nor a workload");
}

#[test]
fn pasting_into_a_field_is_the_fields() {
    let mut world = world();
    world.type_into("Batch", "");
    world.frame(vec![Event::Paste("256".to_owned())]);
    world.press(NONE, Key::Enter);
    assert_eq!(world.batch(), 256.0);
    assert_eq!(world.session().workloads.len(), 1);
    assert!(!world.sees("neither a GPU nor a workload"));
}
