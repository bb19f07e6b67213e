//! From a number on the chart to where it is from, and a ceiling that is not what it is taken for.
use crate::world::*;
use eframe::egui::{self, Color32, Key, accesskit::Role};
use ridgepoint::chart::style::Style;
use ridgepoint::files::{presets, session_file};
use ridgepoint::model::derive::Target;
use ridgepoint::model::gpu::{Gpu, JudgedBy};
use ridgepoint::model::session::Session;
use ridgepoint::model::view::View;

fn with(ids: &[&str]) -> Start {
    let mut session = Session::empty("Devices");
    for id in ids {
        session.add_gpu(presets::gpu(id).unwrap().unwrap().gpu, None);
    }
    let view = View::of(&session);
    let mut start = start_with(session, view);
    start.size = [1800.0, 1200.0];
    start
}

#[test]
fn a_click_on_a_roof_shows_its_row_with_the_source() {
    let mut world = with(&["nvidia-h100-sxm", "amd-mi300x"]).world();
    let source = "theoretical · high confidence · NVIDIA H100 product page";
    let dram = "bus arithmetic gives 3.36 TB/s";
    assert!(!world.sees(dram));
    let slope = world.handle("H100 SXM: bandwidth");
    world.point(slope);
    // A tooltip waits until the pointer rests.
    for _ in 0..60 {
        world.frame(Vec::new());
    }
    // The pointer over it tells, a click leads there.
    world.expect(dram);
    world.click_at(slope);
    world.point(world.ground());
    world.run();
    world.expect(source);
    world.expect(dram);
    // A roof of another GPU makes it the active one.
    let flat = world.handle("MI300X: peak");
    world.click_at(flat);
    world.run();
    let active = world.document().view.active.unwrap();
    assert_eq!(world.session().gpu(active).unwrap().name, "MI300X");
    let trace = world.app().state.trace.unwrap();
    assert!(trace.gpu == active && trace.shown);
    assert!(matches!(trace.target, Target::Compute(_)));
    assert!(!world.sees(dram));
    // Clicking the ground puts it away.
    world.click_at(world.ground());
    assert_eq!(world.app().state.trace, None);
}

#[test]
fn a_click_on_a_label_leads_to_its_number() {
    let mut world = with(&["nvidia-h100-sxm"]).world();
    let painted = world.painted_at();
    let label = |(_, text): &&(egui::Pos2, String)| text.starts_with("H100 SXM · ");
    let (at, _) = painted.iter().find(label).unwrap();
    world.click_at(*at + egui::vec2(20.0, 6.0));
    world.run();
    let trace = world.app().state.trace.unwrap();
    assert!(matches!(trace.target, Target::Compute(_)), "{trace:?}");
}

#[test]
fn a_sparse_peak_taken_for_a_dense_one_is_said_wherever_it_is_seen() {
    let text = r#"Gpu(name: "H100", compute: [Compute(path: "FP16 matrix", peak: "1979 TFLOP/s",
        basis: theoretical, source: "data sheet")], memory: [Memory(level: DRAM, bandwidth: "3.35 TB/s")])"#;
    let gpu: Gpu = session_file::gpu_from_text(text).unwrap();
    let (_, loaded) = presets::find_session("@8b-decode-on-h100").unwrap();
    let mut session = loaded.session;
    let old = session.gpus[0].id;
    let id = session.add_gpu(gpu, None);
    session.remove_gpu(old);
    let mut view = loaded.view;
    view.active = Some(id);
    let mut start = start_with(session, view);
    start.size[1] = 1800.0;
    let world = start.world();
    // In the panel, beside the result, and on the roof itself.
    world.expect(
        "FP16 matrix: 1.979 PFLOP/s is the figure with structured sparsity of the H100 SXM",
    );
    world.expect("Judged by a doubtful roof. FP16 matrix: 1.979 PFLOP/s");
    world.expect("1.979 PFLOP/s, doubtful");
}

#[test]
fn judged_by_achievable_a_roof_without_such_a_figure_says_theoretical() {
    let mut start = with(&["nvidia-h100-sxm"]);
    let (mut session, view) = (start.document.session.clone(), start.document.view.clone());
    session.assumptions.judged_by = JudgedBy::Achievable;
    session.gpus[0].compute.retain(|roof| {
        let path = roof.path.to_string();
        path == "FP16 matrix" || path == "BF16 matrix"
    });
    session.gpus[0].compute.reverse();
    start.document = ridgepoint::document::Document::new(session, view, None);
    let world = start.world();
    world.expect("FP16 matrix 989.4 TFLOP/s (theoretical)");
    world.expect("Ridge points on DRAM, achievable");
    world.expect("FP16 matrix (theoretical peak)");
    // 794.5 ÷ 3.015, as measured.
    world.expect("263.5 FLOP/B");
}

/// Whether a ring is painted around anything in this frame.
fn ring(world: &World) -> bool {
    let accent = Style::of(egui::Theme::Dark).accent;
    let is_ring = |shape: &egui::Shape| match shape {
        egui::Shape::Rect(rect) => {
            rect.stroke.color == accent
                && rect.stroke.width == 2.0
                && rect.fill == Color32::TRANSPARENT
        }
        _ => false,
    };
    let shapes = &world.painted_shapes();
    shapes.iter().any(is_ring)
}

#[test]
fn tab_goes_from_a_number_to_what_acts_on_it_with_a_ring_around_it() {
    let mut world = with(&["nvidia-h100-sxm"]).world();
    world.click(Role::TextInput, "BF16 matrix");
    assert!(!ring(&world));
    for name in ["Derive BF16 matrix", "Remove BF16 matrix"] {
        world.press(NONE, Key::Tab);
        assert_eq!(world.focused().as_deref(), Some(name));
        assert!(ring(&world), "{name}");
    }
    world.press(NONE, Key::Tab);
    let next = world.focused().unwrap();
    assert!(next.starts_with("BF16 matrix achievable"), "{next}");
    let before = world.session().gpus[0].compute.len();
    world.focus(Role::Button, "Remove BF16 matrix");
    world.press(NONE, Key::Space);
    assert_eq!(world.session().gpus[0].compute.len(), before - 1);
}

#[test]
fn a_field_takes_a_product_that_begins_with_an_equals_sign() {
    let mut world = with(&["amd-mi300x"]).world();
    world.enter("FP16 matrix", "=304*2048*2.0 GHz");
    let path = "FP16 matrix".parse().unwrap();
    let peak = &world.session().gpus[0].compute_roof(path).unwrap().peak;
    assert_eq!(peak.value.get(), 304.0 * 2048.0 * 2e9);
    assert_eq!(peak.derivation.as_deref(), Some("304×2048×2.0 GHz"));
    assert!(peak.source.is_empty() && peak.original.is_some());
}

#[test]
fn the_picker_is_driven_by_arrow_keys_and_a_bare_name_means_the_module() {
    let mut world = empty().world();
    let pick = |world: &mut World, down: usize| {
        world.press(CTRL, Key::G);
        world.text("h100");
        world.run();
        for _ in 0..down {
            world.press(NONE, Key::ArrowDown);
        }
        world.press(NONE, Key::Enter);
        world.session().gpus.last().unwrap().name.clone()
    };
    assert_eq!(pick(&mut world, 0), "H100 SXM");
    assert_eq!(pick(&mut world, 1), "H100 NVL");
    assert_eq!(world.session().gpus.len(), 2);
}

#[test]
fn the_bar_has_the_same_switches_for_every_gpu() {
    let places = |ids: &[&str]| {
        let world = with(ids).world();
        ["DRAM", "L2", "achievable", "no overlap"].map(|name| world.place(Role::RadioButton, name))
    };
    let one = places(&["h100-rounded"]);
    assert_eq!(one, places(&["nvidia-h100-sxm"]));
    assert_eq!(one, places(&["amd-epyc-9654", "amd-mi300x"]));
}
