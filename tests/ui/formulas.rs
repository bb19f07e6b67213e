//! Formulas of the user's own: typed, refused at a column with the last good value kept, and parameters of any name.
use crate::world::*;
use eframe::egui::{Key, accesskit::Role};
use ridgepoint::document::Document;
use ridgepoint::model::session::Workload;
use ridgepoint::model::sweep::Sweep;
use ridgepoint::model::workload::{Formula, Kind};

const MINE: &str = "Formula of your own";
const LAST: &str = "last good value";

/// The window on the built-in session with a formula in it, which is selected.
fn formula() -> World {
    let mut start = built_in();
    let (mut session, mut view) = (start.document.session, start.document.view);
    let example = Workload::new(MINE, Kind::Formula(Formula::default()));
    view.select(Some(session.add_workload(example, None)));
    start.document = Document::new(session, view, None);
    start.world()
}

fn text(world: &World, name: &str) -> String {
    world.workload().kind.text(name).unwrap()
}

fn own(world: &World) -> Vec<(String, f64)> {
    let Kind::Formula(formula) = &world.workload().kind else {
        panic!("{:?}", world.workload().kind);
    };
    let own = formula.own_parameters().iter();
    own.map(|own| (own.name().to_owned(), own.value().get()))
        .collect()
}

#[test]
fn a_formula_is_shown_with_its_parameters_and_numbers() {
    let mut world = formula();
    assert_eq!(world.field("Work"), "2*M*N*K");
    assert_eq!(world.field("Traffic"), "(M*K + K*N + M*N)*bytes");
    assert_eq!(world.field("M"), "4096");
    world.reach(Role::TextInput, "Traffic");
    for (typed, value) in [
        ("4k", 4000.0),
        ("2^13", 8192.0),
        ("0.5", 0.5),
        ("12.5 %", 0.125),
    ] {
        world.enter("bytes", typed);
        assert_eq!(own(&world)[3], ("bytes".to_owned(), value));
    }
    assert_eq!(world.undo_name(), format!("change bytes of {MINE}"));
    world.enter("M", "many");
    world.expect("\"many\" does not begin with a number");
    world.enter("M", "1e59");
    world.expect("work: this gives no amount: 3.35");
    assert_eq!(own(&world)[0].1, 4096.0);
}

#[test]
fn a_mistake_keeps_the_last_good_value_until_it_is_put_right() {
    let mut world = formula();
    let before = world.session().clone();
    let (mark, steps) = (world.mark_of(MINE), world.steps());
    world.enter("Work", "2*M*N*byte*X");
    world.expect("Column 7: there is no name \"byte\": write bytes, or one of M, N, K");
    assert_eq!(*world.session(), before);
    assert_eq!(world.mark_of(MINE), mark);
    world.expect(&format!("{LAST} · "));
    world.expect("Last good value: what is typed above has a mistake");
    // The message follows what is typed, and the text what is clicked; nothing of it is saved.
    world.press(NONE, Key::End);
    world.press(NONE, Key::Backspace);
    world.press(NONE, Key::Backspace);
    world.expect("Column 7");
    let at = world.ground();
    world.click_at(at);
    assert_eq!(world.field("Work"), "2*M*N*byte");
    world.expect(LAST);
    assert_eq!(*world.session(), before);
    world.enter("Work", "2*M*N*bytes");
    assert_eq!(text(&world, "work"), "2*M*N*bytes");
    assert!(!world.sees(LAST) && !world.sees("Column"));
    assert_eq!(world.undo_name(), format!("change work of {MINE}"));
    assert_eq!(world.steps(), steps + 1);
    assert!(world.mark_of(MINE) != mark);
}

#[test]
fn esc_or_a_button_takes_a_mistake_back() {
    for by_key in [true, false] {
        let mut world = formula();
        let before = world.session().clone();
        world.enter("Traffic", "M*(N");
        world.expect("Column 3");
        world.expect(LAST);
        match by_key {
            true => world.press(NONE, Key::Escape),
            false => world.click_button("Take it back"),
        }
        assert!(!world.sees(LAST) && !world.sees("Column"));
        assert_eq!(world.field("Traffic"), "(M*K + K*N + M*N)*bytes");
        assert_eq!(*world.session(), before);
    }
}

#[test]
fn a_mistake_stays_while_another_workload_is_selected() {
    let mut world = formula();
    world.enter("Work", "2*M*");
    world.click(Role::ListItem, DECODE);
    // Not selected, its name on the chart and in the list says it.
    world.expect(&format!("{MINE}, {LAST}"));
    assert!(!world.sees("Last good value"));
    world.click(Role::ListItem, MINE);
    assert_eq!(world.field("Work"), "2*M*");
    world.expect("Column 5: the formula ends after *");
    // Leaving it is asked about, though all else is saved.
    world.press(CTRL, Key::N);
    world.expect("Leave what is typed?");
    world.expect(&format!("What is typed for “{MINE}” has a mistake"));
    assert!(!world.has(Role::Button, "Save"));
    world.click_button("Cancel");
    assert_eq!(world.field("Work"), "2*M*");
    world.press(CTRL, Key::N);
    world.click_button("Discard what is typed");
    assert!(!world.sees(LAST));
}

#[test]
fn a_heat_map_of_a_mistake_is_the_last_good_one_and_says_so() {
    const STALE: &str = "Last good value: what is typed has a mistake and is not in force.";
    let mut start = built_in();
    let (mut session, mut view) = (start.document.session, start.document.view);
    let example = Workload::new(MINE, Kind::Formula(Formula::default()));
    view.select(Some(session.add_workload(example, None)));
    view.second_sweep = Some(Sweep {
        parameter: "N".to_owned(),
        values: vec![1024.0, 4096.0],
    });
    start.document = Document::new(session, view, None);
    let mut world = start.world();
    world.press(NONE, Key::S);
    let map = |world: &World| world.has(Role::Slider, "Heat map: M by N");
    world.wait(map);
    assert!(!world.sees(STALE));
    world.enter("Work", "2*M*");
    world.expect(STALE);
    assert!(map(&world), "what was right stays");
    world.enter("Work", "4*M*N*K");
    assert!(!world.sees(STALE));
}

#[test]
fn closing_with_a_mistake_asks_and_saving_tells_what_was_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.ron");
    let mut start = built_in();
    let (mut session, mut view) = (start.document.session, start.document.view);
    let example = Workload::new(MINE, Kind::Formula(Formula::default()));
    view.select(Some(session.add_workload(example, None)));
    start.document = Document::new(session, view, Some(path.clone()));
    let mut world = start.world();
    world.enter("Work", "M*");
    world.press(CTRL, Key::S);
    world.wait(|world| path.exists() && world.sees("Saved "));
    world.expect(&format!(
        "What is typed for {MINE} has a mistake: its last good value was saved."
    ));
    let saved = std::fs::read_to_string(&path).unwrap();
    assert!(saved.contains("2*M*N*K"), "{saved}");
    world.close();
    assert!(!world.closed);
    world.expect("Leave what is typed?");
    world.press(NONE, Key::Enter);
    assert!(!world.closed, "Enter must not lose it");
    world.click_button("Discard what is typed");
    assert!(world.closed);
}

#[test]
fn one_save_is_enough_to_close_with_a_mistake() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.ron");
    let mut start = built_in();
    start.dialogs = ridgepoint::app::Dialogs::Scripted(vec![path.clone()]);
    let (mut session, mut view) = (start.document.session, start.document.view);
    let example = Workload::new(MINE, Kind::Formula(Formula::default()));
    view.select(Some(session.add_workload(example, None)));
    start.document = Document::new(session, view, None);
    let mut world = start.world();
    world.enter("M", "1024");
    world.enter("Work", "M*");
    world.close();
    world.expect("Save your changes first?");
    world.click_button("Save");
    world.wait(|world| world.closed);
    assert!(std::fs::read_to_string(&path).unwrap().contains("1024"));
}

#[test]
fn the_tables_of_a_mistake_say_that_they_are_of_the_last_good_value() {
    let mut world = formula();
    let said = "Last good value: what is typed has a mistake and is not in force.";
    assert!(!world.sees(said));
    world.enter("Work", "2*M*");
    world.expect(said);
    world.press(NONE, Key::Escape);
    assert!(!world.sees(said));
}

#[test]
fn undo_takes_a_mistake_back_first_and_only_then_a_step() {
    for typing in [true, false] {
        let mut world = formula();
        world.enter("Work", "M*N");
        world.enter("Work", "M*");
        if !typing {
            let at = world.ground();
            world.click_at(at);
        }
        world.expect(LAST);
        world.press(CTRL, Key::Z);
        assert_eq!(world.field("Work"), "M*N", "{typing}");
        assert_eq!(text(&world, "work"), "M*N");
        assert!(!world.sees(LAST));
        world.press(CTRL, Key::Z);
        assert_eq!(world.field("Work"), "2*M*N*K", "{typing}");
    }
}

#[test]
fn undo_of_another_workload_leaves_a_mistake_alone() {
    let mut world = formula();
    world.enter("Work", "M*");
    world.click(Role::ListItem, DECODE);
    world.enter("Batch", "16");
    world.press(CTRL, Key::Z);
    assert_eq!(world.batch(), 1.0);
    world.click(Role::ListItem, MINE);
    assert_eq!(world.field("Work"), "M*");
}

#[test]
fn parameters_are_added_renamed_and_removed() {
    let mut world = formula();
    let before = world.steps();
    world.click_button("Add parameter");
    assert_eq!(own(&world)[4], ("x".to_owned(), 1.0));
    // Its name has the keyboard.
    world.press(CTRL, Key::A);
    world.text("layers");
    world.press(NONE, Key::Enter);
    assert_eq!(own(&world)[4], ("layers".to_owned(), 1.0));
    assert_eq!(world.undo_name(), format!("add layers to {MINE}"));
    assert_eq!(world.steps(), before + 1);
    world.expect("layers is not used");
    world.enter("Name of M", "rows");
    assert_eq!(text(&world, "work"), "2*rows*N*K");
    assert_eq!(world.undo_name(), format!("rename M of {MINE}"));
    world.click_button("Remove layers");
    assert_eq!(own(&world).len(), 4);
    assert_eq!(world.undo_name(), format!("remove layers of {MINE}"));
    world.click_button("Remove rows");
    world.expect("rows is used in work and traffic: take it out there first");
    assert_eq!(own(&world).len(), 4);
    for _ in 0..3 {
        world.press(CTRL, Key::Z);
    }
    let example = Kind::Formula(Formula::default());
    assert_eq!(world.workload().kind, example);
}

#[test]
fn names_that_cannot_be_are_refused() {
    let mut world = formula();
    for (name, reason) in [
        ("min", "min is a function: choose another name"),
        ("N", "there is a parameter N already"),
        ("work", "work is the name of a field"),
        ("a b", "\"a b\" cannot be a name"),
    ] {
        world.enter("Name of M", name);
        world.expect(reason);
        assert_eq!(own(&world)[0].0, "M");
        assert_eq!(world.field("Name of M"), name);
    }
}

#[test]
fn a_mistake_is_right_once_its_name_exists() {
    let mut world = formula();
    world.enter("Work", "2*M*N*K*layers");
    world.expect("there is no name \"layers\"");
    world.click_button("Add parameter");
    world.press(CTRL, Key::A);
    world.text("layers");
    world.press(NONE, Key::Enter);
    assert_eq!(text(&world, "work"), "2*M*N*K*layers");
    assert!(!world.sees(LAST));
    // A renaming keeps what is still wrong.
    world.enter("Traffic", "M*what");
    world.enter("Name of M", "rows");
    assert_eq!(world.field("Traffic"), "M*what");
    world.expect("Column 1: there is no name \"M\"");
}

#[test]
fn own_parameters_are_swept_and_dragged() {
    let mut world = formula();
    world.enter("Sweep values", "1..1024");
    let sweep = world.document().view.sweep.clone().unwrap();
    assert_eq!((sweep.parameter.as_str(), sweep.values.len()), ("M", 11));
    world.expect("Flips at 345");
    let mark = world.mark_of(MINE);
    world.drag(mark, mark - eframe::egui::vec2(80.0, 0.0), NONE);
    assert_eq!(own(&world)[0].1, 4096.0);
    world.click(Role::ComboBox, "Drag solves for");
    let all = world.all(Role::Button, "M");
    let at = all.first().expect("M can be chosen").rect().center();
    world.click_at(at);
    world.run();
    let mark = world.mark_of(MINE);
    world.drag(mark, mark - eframe::egui::vec2(80.0, 0.0), NONE);
    let rows = own(&world)[0].1;
    assert!(rows < 4096.0 && rows.fract() == 0.0, "{rows}");
    assert_eq!(world.undo_name(), format!("change M of {MINE}"));
}

#[test]
fn a_long_formula_wraps_and_its_caches_are_folded_away() {
    let mut world = formula();
    let height = |world: &World| world.all(Role::TextInput, "Work")[0].rect().height();
    let one_row = height(&world);
    world.enter(
        "Work",
        "2*M*N*K + 2*M*N*K + 2*M*N*K + 2*M*N*K + 2*M*N*K + 2*M*N*K",
    );
    assert!(height(&world) > 1.5 * one_row);
    assert!(!world.has(Role::TextInput, "Traffic at L2"));
    world.click(Role::DisclosureTriangle, "Traffic at the caches");
    world.enter("Traffic at L2", "8*M*N");
    assert_eq!(text(&world, "traffic_l2"), "8*M*N");
    world.enter("Traffic at L2", "");
    assert_eq!(text(&world, "traffic_l2"), "");
    assert!(!world.sees("Column"));
}
