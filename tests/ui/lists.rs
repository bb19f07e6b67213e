//! The lists of GPUs and workloads: add, copy, remove, reorder, hide, choose.
use crate::world::*;
use eframe::egui::{Key, accesskit::Role, vec2};
use ridgepoint::files::presets;
use ridgepoint::model::workload::Kind;

fn gpus(world: &World) -> Vec<String> {
    let gpus = world.session().gpus.iter();
    gpus.map(|gpu| gpu.name.clone()).collect()
}

fn workloads(world: &World) -> Vec<String> {
    let workloads = world.session().workloads.iter();
    workloads.map(|workload| workload.name.clone()).collect()
}

fn active(world: &World) -> String {
    let active = world.document().view.active.unwrap();
    world.session().gpu(active).unwrap().name.clone()
}

/// The "Add…" of the workloads, which is the one to the right.
fn add_workload(world: &mut World, kind: &Kind) {
    let at = world.all(Role::Button, "Add…").last().unwrap().rect();
    world.click_at(at.center());
    world.click_button(kind.category());
    world.click_button(kind.title());
}

#[test]
fn every_preset_can_be_found_and_added() {
    let mut world = world();
    for preset in presets::all_gpus() {
        world.press(CTRL, Key::G);
        world.text(preset.id);
        world.press(NONE, Key::Enter);
        let name = preset.gpu.name.as_str();
        let added = world.document().view.active.unwrap();
        let added = world.session().gpu(added).unwrap();
        assert!(added.name.starts_with(name), "{}", added.name);
        assert_eq!(added.preset.as_deref(), Some(preset.id));
        assert_eq!(added.compute, preset.gpu.compute);
        assert_eq!(world.undo_name(), format!("add {}", added.name));
    }
    let all = presets::all_gpus().len();
    assert_eq!(world.session().gpus.len(), 1 + all);
}

#[test]
fn an_empty_gpu_gets_its_roofs_by_hand() {
    let mut world = empty().world();
    world.click_button("Add…");
    world.click_button("An empty GPU");
    world.expect("Add the DRAM bandwidth with +");
    world.click_button("Add compute roof");
    world.click_button("matrix");
    world.click_button("FP16");
    world.press(NONE, Key::Escape);
    world.click_button("Add memory roof");
    world.click_button("DRAM");
    world.enter("FP16 matrix", "100 TFLOP/s");
    world.enter("DRAM", "1 TB/s");
    assert_eq!(world.roofs(), [1e14, 1e12]);
    let at = world.handle("New GPU: ridge");
    assert!(world.chart().contains(at));
    world.click_button("Remove FP16 matrix");
    assert!(world.session().gpus[0].compute.is_empty());
    world.press(CTRL, Key::Z);
    assert_eq!(world.roofs(), [1e14, 1e12]);
}

#[test]
fn every_kind_of_workload_can_be_added_from_the_menu() {
    let mut world = world();
    for kind in Kind::examples() {
        add_workload(&mut world, &kind);
        assert_eq!(world.workload().kind, kind);
        assert!(world.has(Role::ListItem, kind.title()));
    }
    assert_eq!(world.steps(), Kind::examples().len());
}

#[test]
fn a_workload_is_duplicated_moved_and_removed_by_keys() {
    let mut world = world();
    world.press(CTRL, Key::D);
    let copy = "8B decode step 2";
    assert_eq!(workloads(&world), [DECODE, copy]);
    assert_eq!(world.workload().name, copy);
    assert_eq!(world.undo_name(), format!("add {copy}"));
    world.press(ALT, Key::ArrowUp);
    assert_eq!(workloads(&world), [copy, DECODE]);
    assert_eq!(world.undo_name(), "reorder workloads");
    world.press(ALT, Key::ArrowDown);
    assert_eq!(workloads(&world), [DECODE, copy]);
    world.press(NONE, Key::W);
    assert_eq!(world.workload().name, DECODE);
    world.press(NONE, Key::Delete);
    assert_eq!(workloads(&world), [copy]);
    assert_eq!(world.undo_name(), format!("remove {DECODE}"));
    assert_eq!(world.workload().name, copy);
    world.press(CTRL, Key::Z);
    assert_eq!(workloads(&world), [DECODE, copy]);
}

#[test]
fn a_gpu_is_duplicated_moved_and_removed_by_keys() {
    let mut world = world();
    world.press(CTRL_SHIFT, Key::D);
    let copy = "H100 (rounded) 2";
    assert_eq!(gpus(&world), [H100, copy]);
    assert_eq!(active(&world), copy);
    world.press(ALT.plus(SHIFT), Key::ArrowUp);
    assert_eq!(gpus(&world), [copy, H100]);
    assert_eq!(world.undo_name(), "reorder GPUs");
    world.press(ALT.plus(SHIFT), Key::ArrowDown);
    world.press(NONE, Key::G);
    assert_eq!(active(&world), H100);
    world.press(SHIFT, Key::Delete);
    assert_eq!(gpus(&world), [copy]);
    assert_eq!(world.undo_name(), format!("remove {H100}"));
    world.press(CTRL, Key::Z);
    assert_eq!(gpus(&world), [H100, copy]);
}

#[test]
fn a_workloads_row_menu_does_the_same_by_mouse() {
    let mut world = world();
    let choose = |world: &mut World, row: &str, command: &str| {
        let at = world.place(Role::ListItem, row);
        world.right_click_at(at);
        world.click_button(command);
    };
    let copy = "8B decode step 2";
    choose(&mut world, DECODE, "Duplicate");
    assert_eq!(workloads(&world), [DECODE, copy]);
    choose(&mut world, DECODE, "Move down");
    assert_eq!(workloads(&world), [copy, DECODE]);
    choose(&mut world, DECODE, "Move up");
    choose(&mut world, copy, "Hide");
    let id = world.session().workloads[1].id;
    assert!(!world.document().view.shows_workload(id));
    assert!(
        !world.has(Role::Slider, copy),
        "a hidden workload has a mark"
    );
    choose(&mut world, copy, "Show");
    assert!(world.document().view.shows_workload(id));
    choose(&mut world, copy, "Remove");
    assert_eq!(workloads(&world), [DECODE]);
}

#[test]
fn a_gpus_row_menu_does_the_same_by_mouse() {
    let mut world = world();
    let choose = |world: &mut World, row: &str, command: &str| {
        let at = world.place(Role::ListItem, row);
        world.right_click_at(at);
        world.click_button(command);
    };
    let copy = "H100 (rounded) 2";
    choose(&mut world, H100, "Duplicate");
    assert_eq!(gpus(&world), [H100, copy]);
    choose(&mut world, H100, "Make active");
    assert_eq!(active(&world), H100);
    choose(&mut world, H100, "Move down");
    assert_eq!(gpus(&world), [copy, H100]);
    choose(&mut world, H100, "Move up");
    choose(&mut world, copy, "Hide");
    assert!(!world.sees(&format!("{copy}: ridge")));
    let id = world.session().gpus[1].id;
    assert!(!world.document().view.shows_gpu(id));
    choose(&mut world, copy, "Show");
    assert!(world.document().view.shows_gpu(id));
    choose(&mut world, copy, "Remove");
    assert_eq!(gpus(&world), [H100]);
}

#[test]
fn hiding_the_active_gpu_does_not_hide_it_later() {
    let mut world = world();
    world.press(CTRL_SHIFT, Key::D);
    let row = "H100 (rounded) 2";
    let at = world.place(Role::ListItem, row);
    world.right_click_at(at);
    let offered = world.has(Role::Button, "Hide");
    if offered {
        world.click_button("Hide");
    }
    let shown = world.handle(&format!("{row}: ridge"));
    assert!(world.chart().contains(shown));
    world.press(NONE, Key::Escape);
    world.press(NONE, Key::G);
    let id = world.session().gpus[1].id;
    assert!(
        world.document().view.shows_gpu(id),
        "what could not be hidden is hidden later"
    );
}

#[test]
fn a_click_on_a_row_chooses_it_and_on_its_word_shows_or_hides_it() {
    let mut world = world();
    world.press(CTRL_SHIFT, Key::D);
    let at = world.place(Role::ListItem, H100);
    let id = world.session().gpus[0].id;
    let row = world.all(Role::ListItem, H100)[0].rect();
    let word = row.right_center() - vec2(20.0, 0.0);
    world.click_at(word);
    assert!(!world.document().view.shows_gpu(id));
    assert_eq!(active(&world), "H100 (rounded) 2");
    world.click_at(word);
    assert!(world.document().view.shows_gpu(id));
    world.click_at(at);
    assert_eq!(active(&world), H100);
    world.press(CTRL, Key::D);
    world.click(Role::ListItem, DECODE);
    assert_eq!(world.workload().name, DECODE);
    // What is shown is no edit.
    assert_eq!(world.steps(), 2);
}

#[test]
fn a_click_on_a_mark_selects_its_workload() {
    let mut world = world();
    world.press(CTRL, Key::D);
    world.enter("Batch", "64");
    world.click(Role::Slider, DECODE);
    assert_eq!(world.workload().name, DECODE);
    assert_eq!(world.field("Workload name"), DECODE);
}

#[test]
fn the_edit_menu_names_what_undo_and_redo_do() {
    let mut world = world();
    assert_eq!(world.menu_names("Edit", "Undo"), ["Undo Ctrl+Z"]);
    world.enter("Batch", "16");
    let name = format!("change batch of {DECODE}");
    let undo = format!("Undo: {name} Ctrl+Z");
    assert_eq!(world.menu_names("Edit", "Undo"), [undo]);
    world.menu("Edit", &format!("Undo: {name}"));
    assert_eq!(world.batch(), 1.0);
    let redo = format!("Redo: {name} Ctrl+Shift+Z");
    assert_eq!(world.menu_names("Edit", "Redo"), [redo]);
    world.menu("Edit", &format!("Redo: {name}"));
    assert_eq!(world.batch(), 16.0);
    world.press(CTRL, Key::Z);
    world.press(CTRL, Key::Y);
    assert_eq!(world.batch(), 16.0);
}
