//! The comparison of GPUs: a table sorted by a click on a column's name.
use crate::world::*;
use eframe::egui::{Key, accesskit::Role, vec2};
use ridgepoint::files::presets;
use ridgepoint::model::gpu::Gpu;

/// Three devices, and one of which nothing is known.
fn compared() -> World {
    let mut start = built_in();
    let session = &mut start.document.session;
    for id in ["amd-mi300x", "nvidia-t4"] {
        session.add_gpu(presets::gpu(id).unwrap().unwrap().gpu, None);
    }
    session.add_gpu(Gpu::empty("Bare"), None);
    let (session, view) = (session.clone(), start.document.view.clone());
    let mut start = start_with(session, view);
    start.size = [1800.0, 1100.0];
    let mut world = start.world();
    world.press(NONE, Key::C);
    world.click(Role::Tab, "Compare GPUs");
    world
}

/// The GPUs of the table from top to bottom.
fn rows(world: &World) -> Vec<String> {
    let names = [H100, "MI300X", "T4", "Bare"];
    let table = world.place(Role::Tab, "Compare GPUs").y;
    let mut found = world.painted_at();
    found.retain(|(at, text)| at.y > table && names.contains(&text.as_str()));
    found.sort_by(|a, b| a.0.y.total_cmp(&b.0.y));
    found.into_iter().map(|(_, name)| name).collect()
}

#[test]
fn a_click_on_a_column_sorts_by_it_and_a_second_one_turns_the_order_round() {
    let mut world = compared();
    assert_eq!(
        rows(&world),
        [H100, "MI300X", "T4", "Bare"],
        "as they are listed"
    );
    let largest_first = [
        ("Peak", ["MI300X", H100, "T4", "Bare"]),
        ("Bandwidth", ["MI300X", H100, "T4", "Bare"]),
        ("Ridge", [H100, "MI300X", "T4", "Bare"]),
        ("Time", ["T4", H100, "MI300X", "Bare"]),
        ("Speed", ["MI300X", H100, "T4", "Bare"]),
    ];
    for (column, order) in largest_first {
        let name = format!("Sort by {column}");
        world.click(Role::ColumnHeader, &name);
        assert_eq!(rows(&world), order, "{column}");
        world.click(Role::ColumnHeader, &name);
        // What has no number stays at the end.
        let [a, b, c, none] = order;
        assert_eq!(rows(&world), [c, b, a, none], "{column}, turned round");
    }
    // Words begin with the first of the alphabet.
    world.click(Role::ColumnHeader, "Sort by GPU");
    assert_eq!(rows(&world), ["Bare", H100, "MI300X", "T4"]);
    world.click(Role::ColumnHeader, "Sort by GPU");
    assert_eq!(rows(&world), ["T4", "MI300X", H100, "Bare"]);
    for column in ["Path", "Decides"] {
        world.click(Role::ColumnHeader, &format!("Sort by {column}"));
        assert_eq!(rows(&world).len(), 4);
    }
    assert_eq!(world.steps(), 0, "sorting is no edit");
}

#[test]
fn a_column_is_sorted_by_keyboard_and_a_row_makes_its_gpu_the_active_one() {
    let mut world = compared();
    world.focus(Role::ColumnHeader, "Sort by Bandwidth");
    world.press(NONE, Key::Enter);
    assert_eq!(rows(&world), ["MI300X", H100, "T4", "Bare"]);
    let table = world.place(Role::Tab, "Compare GPUs").y;
    let mut texts = world.painted_at().into_iter();
    let cell = texts.find(|(at, text)| at.y > table && text == "MI300X");
    let at = cell.unwrap().0 + vec2(5.0, 5.0);
    world.click_at(at);
    let active = world.document().view.active.unwrap();
    assert_eq!(world.session().gpu(active).unwrap().name, "MI300X");
}

/// A decode step that reads weights of 2 B alone has as many FLOP per byte as sequences: it turns where the batch
/// reaches the ridge, 990 ÷ 3.35, 1307.4 ÷ 5.3 and 65 ÷ 0.32.
#[test]
fn it_says_from_which_batch_each_gpu_is_compute_bound() {
    let mut world = compared();
    world.expect("Compute-bound from batch");
    for batch in ["296", "247", "204"] {
        world.expect(batch);
    }
    world.click(Role::ColumnHeader, "Sort by Compute-bound from batch");
    assert_eq!(rows(&world), [H100, "MI300X", "T4", "Bare"]);
    world.click(Role::ColumnHeader, "Sort by Compute-bound from batch");
    assert_eq!(rows(&world), ["T4", "MI300X", H100, "Bare"]);
}

/// A figure that is known on another basis than the one that was asked for is not set beside the others silently.
#[test]
fn it_says_where_a_figure_is_known_on_another_basis() {
    let mut world = compared();
    assert!(!world.sees("65 TFLOP/s, theoretical"));
    world.click_button("Choose MI300X");
    world.press(NONE, Key::B);
    world.expect("65 TFLOP/s, theoretical");
}
