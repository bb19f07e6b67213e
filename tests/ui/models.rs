//! Language models: picked, opened from a config, seen inside, estimated.
use crate::world::*;
use eframe::egui::{Key, Modifiers, accesskit::Role};
use ridgepoint::app::Dialogs;
use ridgepoint::model::format::NumberFormat;
use ridgepoint::model::llm::Serving;
use ridgepoint::model::workload::Kind;
use std::path::PathBuf;

fn served(world: &World) -> &Serving {
    let id = world.document().view.selected.unwrap();
    match &world.session().workload(id).unwrap().kind {
        Kind::LanguageModel(serving) => serving,
        other => panic!("{} is selected", other.title()),
    }
}

/// A model picked from the built-in ones.
fn with_model(query: &str) -> World {
    let mut start = built_in();
    // So tall that the answer below the editor is in sight.
    start.size[1] = 1800.0;
    let mut world = start.world();
    world.press(CTRL, Key::M);
    world.run();
    world.expect("Add a language model");
    world.text(query);
    world.press(Modifiers::NONE, Key::Enter);
    world.run();
    world
}

#[test]
fn a_model_is_picked_by_name_and_is_one_step_to_undo() {
    let before = world().session().workloads.len();
    let mut world = with_model("llama 3.1 70b");
    assert_eq!(served(&world).model.name, "Llama 3.1 70B");
    assert_eq!(world.session().workloads.len(), before + 1);
    world.expect("Serving");
    world.expect("First token, one prompt alone");
    // The default GPU does not say how much memory it has; then nothing is made up.
    assert!(!world.sees("Room for the cache"));
    world.enter("Memory capacity", "1 TB");
    // 900 GB less 141.1 GB of weights and a little for activations; 327,680 B a token.
    world.expect("for each of 1; 4096 tokens take 1.342 GB.");
    world.press(CTRL, Key::Z);
    world.press(CTRL, Key::Z);
    world.run();
    assert_eq!(world.session().workloads.len(), before);
}

#[test]
fn its_operators_are_in_a_table_and_on_the_chart() {
    let mut world = with_model("llama 3.1 8b");
    world.click(Role::Tab, "Operators");
    world.run();
    for name in ["qkv", "attention", "gate_up", "down", "lm_head"] {
        world.expect(name);
    }
    world.expect("Share");
    assert!(world.document().view.show_operators);
    let discs = |world: &World| {
        let painted = world.painted();
        painted.iter().filter(|text| *text == "gate_up").count()
    };
    let with = discs(&world);
    world.press(Modifiers::NONE, Key::P);
    world.run();
    assert!(!world.document().view.show_operators);
    assert_eq!(discs(&world), with - 1, "only the table names it now");
}

#[test]
fn a_realistic_estimate_is_longer_and_says_what_it_is() {
    let mut world = with_model("llama 3.1 8b");
    assert!(
        !world
            .painted()
            .iter()
            .any(|text| text.contains("estimate:"))
    );
    world.press(Modifiers::NONE, Key::E);
    world.run();
    let said = world.painted();
    assert!(
        said.iter()
            .any(|text| text.contains("estimate: bound ÷ 0.8 + 3 µs per launch"))
    );
    assert_eq!(world.undo_name(), "change assumptions");
}

#[test]
fn formats_are_under_a_heading_that_opens() {
    let mut world = with_model("llama 3.1 8b");
    assert!(!world.sees("Weights per scale"));
    world.click(Role::DisclosureTriangle, "Formats: BF16");
    world.run();
    world.run();
    world.expect("Weights per scale");
}

#[test]
fn a_config_is_added_with_what_was_made_of_it_and_its_quantisation_later() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("config.json");
    let quantisation = folder.path().join("other").join("hf_quant_config.json");
    std::fs::create_dir(quantisation.parent().unwrap()).unwrap();
    let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/models");
    std::fs::copy(data.join("llama-3.1-70b.json"), &config).unwrap();
    std::fs::copy(data.join("fp8_hf_quant_config.json"), &quantisation).unwrap();
    let mut world = world_picking(vec![config, quantisation]);
    world.press(CTRL, Key::O);
    world.wait(|world| world.sees("was read"));
    world.expect("Read");
    assert_eq!(served(&world).formats.weights, NumberFormat::BF16);
    world.press(Modifiers::NONE, Key::Escape);
    world.run();
    assert!(!world.sees("was read"));
    // It is added to the session, which is unsaved: nothing is lost, so nothing is asked.
    world.press(CTRL, Key::O);
    world.wait(|world| served(world).formats.weights == NumberFormat::FP8);
    assert_eq!(served(&world).formats.kv, NumberFormat::FP8);
}

#[test]
fn a_price_and_a_power_become_dollars_and_joules() {
    let mut world = with_model("llama 3.1 8b");
    assert!(!world.sees("$ per million tokens"));
    world.click(Role::DisclosureTriangle, "Price and power");
    world.run();
    world.enter("$ per GPU hour", "2.5");
    world.enter("Board power (TDP), W", "700");
    world.expect("$ per million tokens");
    world.expect("Joules per token, at most (TDP)");
    assert!(!world.sees("Joules per token, as measured"));
    world.enter("Measured watts", "400");
    world.expect("Joules per token, as measured");
}

#[test]
fn contexts_that_differ_and_experts_that_are_uneven_are_typed() {
    let mut world = with_model("mixtral 8x7b");
    world.enter("Contexts", "50 % 1k, 50 % 8k");
    assert_eq!(served(&world).mean_context(), 4500.0);
    world.enter("Batch", "8");
    let even = served(&world).weights_read();
    world.enter("Skew of experts", "1");
    assert!(served(&world).weights_read() < even);
    world.expect("experts chosen by a power law");
}

#[test]
fn a_context_beyond_the_models_is_warned_of_at_its_field_and_in_the_sweep() {
    let mut world = with_model("qwen3 8b");
    let said = "the context is beyond the 40,960 tokens the model was made for";
    assert!(!world.sees(said));
    world.enter("Context", "100k");
    let at_field = world.painted().iter().filter(|text| *text == said).count();
    assert_eq!(at_field, 2, "at the field and with the result");
    world.enter("Context", "4k");
    assert!(!world.sees(said));
}

/// How NVIDIA's FP8 Llama says that it is quantised.
fn fp8() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/models/fp8_hf_quant_config.json")
}

#[test]
fn a_quantisation_belongs_to_the_selected_model_wherever_it_came_from() {
    // Built in.
    let mut start = built_in();
    start.dialogs = Dialogs::Scripted(vec![fp8()]);
    let mut world = start.world();
    world.press(CTRL, Key::M);
    world.text("qwen3 32b");
    world.press(Modifiers::NONE, Key::Enter);
    world.run();
    assert_eq!(served(&world).formats.weights, NumberFormat::BF16);
    world.press(CTRL, Key::O);
    world.wait(|world| world.sees("was read"));
    assert!(!world.sees("Save your changes first?"));
    let formats = &served(&world).formats;
    assert_eq!([formats.weights, formats.kv], [NumberFormat::FP8; 2]);
    assert_eq!(formats.head, NumberFormat::BF16);
    world.press(Modifiers::NONE, Key::Escape);
    assert_eq!(world.undo_name(), "edit Qwen3 32B, decode");
    // Of a saved session: a file that was opened before has nothing to do with it.
    let session = world.session().clone();
    let mut start = start_with(session, world.document().view.clone());
    start.dialogs = Dialogs::Scripted(vec![nvfp4()]);
    let mut world = start.world();
    world.press(CTRL, Key::O);
    world.wait(|world| world.sees("was read"));
    assert_eq!(served(&world).formats.weights, NumberFormat::FP4);
    world.expect("this replaces the quantisation it had");
}

fn nvfp4() -> PathBuf {
    fp8().with_file_name("nvfp4_hf_quant_config.json")
}

#[test]
fn a_quantisation_without_a_selected_model_is_refused_in_one_sentence() {
    let mut world = world_picking(vec![fp8()]);
    let before = world.session().clone();
    world.press(CTRL, Key::O);
    world.wait(|world| world.sees("select the language model it belongs to"));
    assert_eq!(*world.session(), before);
}

#[test]
fn what_a_config_leaves_open_is_asked_for_and_what_is_sure_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("config.json");
    let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/models");
    let text = std::fs::read_to_string(data.join("qwen3-8b.json")).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    json.as_object_mut().unwrap().remove("vocab_size");
    json["num_hidden_layers"] = 0.into();
    std::fs::write(&config, json.to_string()).unwrap();
    let mut world = world_picking(vec![config]);
    world.press(CTRL, Key::O);
    world.wait(|world| world.sees("Read again"));
    assert!(
        world
            .painted()
            .iter()
            .any(|text| text.contains("hidden_size 4096"))
    );
    world.enter("vocab_size", "151936");
    world.enter("num_hidden_layers", "36");
    world.click_button("Read again");
    world.run();
    assert_eq!(served(&world).model.parameters().total, 8_190_735_360.0);
}

#[test]
fn a_broken_config_is_refused_in_one_sentence_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("config.json");
    std::fs::write(
        &config,
        r#"{"model_type": "bert", "architectures": ["BertForMaskedLM"], "num_hidden_layers": 12}"#,
    )
    .unwrap();
    let mut world = world_picking(vec![config]);
    let before = world.session().clone();
    world.press(CTRL, Key::O);
    world.wait(|world| {
        world
            .painted()
            .iter()
            .any(|text| text.contains("does not generate text"))
    });
    assert_eq!(*world.session(), before);
}
