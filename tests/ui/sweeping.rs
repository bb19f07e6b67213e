//! Sweeps of two parameters as a heat map, and of one as a curve.
use crate::world::*;
use eframe::egui::{Key, Pos2, accesskit::Role, vec2};
use ridgepoint::files::presets;
use ridgepoint::model::llm::Serving;
use ridgepoint::model::session::Workload;
use ridgepoint::model::sweep::Sweep;
use ridgepoint::model::view::View;
use ridgepoint::model::workload::Kind;
use std::time::{Duration, Instant};

const MAP: &str = "Heat map: batch by context";

/// A language model on two GPUs, batch and context swept where asked for.
fn start(second: Option<&[f64]>) -> Start {
    let mut session = empty().document.session;
    for id in ["nvidia-h100-sxm", "amd-mi300x"] {
        session.add_gpu(presets::gpu(id).unwrap().unwrap().gpu, None);
    }
    let kind = Kind::LanguageModel(Serving::default());
    let kind = kind
        .with_each(&[("batch", 16.0), ("context", 2048.0)])
        .unwrap();
    session.add_workload(Workload::new("model", kind), None);
    let mut view = View::of(&session);
    view.second_sweep = second.map(|values| Sweep {
        parameter: "context".to_owned(),
        values: values.to_vec(),
    });
    let mut start = start_with(session, view);
    start.size = [1600.0, 1000.0];
    start
}

const CONTEXTS: [f64; 4] = [64.0, 2048.0, 8192.0, 32_768.0];

fn mapped() -> World {
    let mut world = start(Some(&CONTEXTS)).world();
    world.wait(|world| world.has(Role::Slider, MAP));
    world
}

/// The middle of a cell; batch goes over six values.
fn cell(world: &World, first: usize, second: usize) -> Pos2 {
    let area = world.all(Role::Slider, MAP)[0].rect();
    let size = vec2(area.width() / 6.0, area.height() / 4.0);
    let from_corner = vec2(first as f32 + 0.5, -(second as f32 + 0.5));
    area.left_bottom() + from_corner * size
}

fn values(world: &World) -> [f64; 2] {
    ["batch", "context"].map(|name| world.workload().kind.number(name).unwrap())
}

#[test]
fn choosing_a_second_parameter_shows_the_map() {
    let mut world = start(None).world();
    assert!(!world.has(Role::Slider, MAP));
    world.click(Role::ComboBox, "and");
    world.click_button("context");
    world.wait(|world| world.has(Role::Slider, MAP));
    assert!(world.has(Role::Tab, "Sweep: batch × context"));
    assert_eq!(world.steps(), 0, "what is shown is no edit");
    world.enter("Second values", "1k..4k x2");
    let second = world.document().view.second_sweep.clone().unwrap();
    assert_eq!(second.values, [1000.0, 2000.0, 4000.0]);
    world.click(Role::ComboBox, "and");
    world.click_button("no second");
    assert!(!world.has(Role::Slider, MAP));
}

#[test]
fn a_click_on_a_cell_changes_both_parameters_in_one_step() {
    let mut world = mapped();
    assert_eq!(values(&world), [16.0, 2048.0]);
    let at = cell(&world, 4, 2);
    world.click_at(at);
    assert_eq!(values(&world), [256.0, 8192.0]);
    assert_eq!(world.steps(), 1);
    world.press(CTRL, Key::Z);
    assert_eq!(values(&world), [16.0, 2048.0]);
}

#[test]
fn the_cell_under_the_pointer_is_told() {
    let mut world = mapped();
    world.expect("The workload as it is");
    world.expect("batch 16 · context 2048");
    let at = cell(&world, 5, 3);
    world.point(at);
    world.run();
    for text in [
        "batch 1024 · context 32,768",
        "does not fit",
        "Click: the workload takes it",
    ] {
        world.expect(text);
    }
    for text in ["regime flips", "memory-bound", "Per user"] {
        world.expect(text);
    }
}

#[test]
fn arrow_keys_go_from_cell_to_cell_and_enter_takes_one() {
    let mut world = mapped();
    world.focus(Role::Slider, MAP);
    world.press(NONE, Key::ArrowRight);
    world.press(NONE, Key::ArrowUp);
    world.expect("Enter: the workload takes it");
    assert_eq!(values(&world), [16.0, 2048.0], "not yet");
    let told = world.all(Role::Slider, MAP)[0].value().unwrap();
    assert!(told.starts_with("batch 64, context 8192: Time "), "{told}");
    world.press(NONE, Key::Enter);
    assert_eq!(values(&world), [64.0, 8192.0]);
    assert_eq!(world.steps(), 1);
}

#[test]
fn every_quantity_can_be_shown() {
    let mut world = mapped();
    for name in ["Tokens/s", "Per user", "Regime", "Speed against"] {
        world.click(Role::RadioButton, name);
        assert!(world.has(Role::Slider, MAP), "{name}");
    }
    world.wait(|world| world.sees("vs MI300X"));
    assert!(world.document().view.against.is_some());
    assert_eq!(world.steps(), 0);
}

#[test]
fn a_hundred_thousand_cells_do_not_block_the_window() {
    let many: Vec<f64> = (1..=250).map(|i| f64::from(i) * 16.0).collect();
    let mut start = start(Some(&many));
    start.document.view.sweep = Some(Sweep {
        parameter: "batch".to_owned(),
        values: (1..=400).map(f64::from).collect(),
    });
    let mut world = start.world();
    let mut slowest = Duration::ZERO;
    for _ in 0..20 {
        let began = Instant::now();
        world.frame(Vec::new());
        slowest = slowest.max(began.elapsed());
    }
    // Of a build without optimisation, on a machine that does other things: all cells take a minute there.
    assert!(slowest < Duration::from_secs(3), "{slowest:?}");
    assert!(world.sees("Computing…"), "it is under way");
    // Undo and edits work meanwhile; what is computed for the former session is dropped.
    world.click_button("Stop");
    world.expect("Stopped");
    world.run();
    world.expect("The map appears here when it is computed.");
}

#[test]
fn too_many_cells_are_refused() {
    let many: Vec<f64> = (1..=20_000).map(f64::from).collect();
    let world = start(Some(&many)).world();
    world.expect("a grid has at most 100,000 cells");
}

#[test]
fn one_parameter_can_be_drawn_as_a_curve() {
    let mut world = start(None).world();
    world.click(Role::RadioButton, "Plot");
    assert!(world.has(Role::Image, "Curve over batch"));
    for text in ["tokens/s of each user →", "tokens/s, all users ↑", "1024"] {
        world.expect(text);
    }
    assert!(world.document().view.show_curve);
    world.click(Role::RadioButton, "Table");
    world.expect("Tokens/s per user");
    assert!(
        world.sees("Operators by batch: compute-bound from "),
        "operators are told"
    );
    assert_eq!(world.steps(), 0);
}

#[test]
fn what_does_not_fit_is_marked_in_table_and_curve() {
    let mut start = start(None);
    // So tall that every row is in sight.
    start.size[1] = 1500.0;
    let mut world = start.world();
    world.expect("Memory");
    let told = |world: &World, text: &str| {
        let painted = world.painted();
        painted.iter().filter(|painted| *painted == text).count()
    };
    // 90 % of 80 GB less 16 GB of weights hold 208 sequences of 2048 tokens at 131,072 B each.
    assert_eq!(told(&world, "fits"), 4 + 1, "and in the inspector");
    assert!(told(&world, "does not fit") > 0);
    world.click(Role::RadioButton, "Plot");
    assert_eq!(told(&world, "does not fit"), 1, "in the legend");
    let curve = world.all(Role::Image, "Curve over batch")[0]
        .value()
        .unwrap();
    let last = curve.split("; ").last().unwrap();
    assert!(
        last.starts_with("batch 1024: ") && last.ends_with(", does not fit"),
        "{last}"
    );
    assert!(!curve.split("; ").next().unwrap().contains("does not fit"));
}

#[test]
fn turns_of_operators_are_on_the_trail_and_the_sentence_wraps() {
    let mut start = start(None);
    start.size = [1000.0, 900.0];
    let world = start.world();
    let turns = world.names(Role::Image);
    let said = "gate_up turns compute-bound from batch 322";
    assert!(turns.iter().any(|name| name.contains(said)), "{turns:?}");
    let painted = world.painted_at();
    let sentence = painted
        .iter()
        .find(|(_, text)| text.contains("Operators by batch"));
    assert!(!sentence.unwrap().1.contains('…'));
}
