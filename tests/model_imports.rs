//! Language models from the config.json of others: right numbers, and nothing guessed, dropped or doubted without a word.
//!
//! The files in `data/models` are configs as published with models; that of GPT-2 is written for the test.
use proptest::prelude::*;
use ridgepoint::files::import::hf_config::{self, ConfigError, ImportedModel};
use ridgepoint::model::format::NumberFormat;
use ridgepoint::model::llm::{Mixer, expected_distinct};
use ridgepoint::model::quantity::Count;
use serde_json::{Map, Value, json};

macro_rules! published {
    ($name:literal) => {
        include_str!(concat!("data/models/", $name, ".json"))
    };
}

const GPT2: &str = published!("gpt2");
const QWEN3_8B: &str = published!("qwen3-8b");
const QWEN3_32B_FP8: &str = published!("qwen3-32b-fp8");
const QWEN3_VL: &str = published!("qwen3-vl-32b");
const QWEN3_MOE: &str = published!("qwen3-30b-a3b");
const QWEN3_NEXT: &str = published!("qwen3-next-80b-a3b");
const QWEN35: &str = published!("qwen3.5-35b-a3b");
const LLAMA_70B: &str = published!("llama-3.1-70b");
const SCOUT: &str = published!("llama-4-scout");
const MIXTRAL: &str = published!("mixtral-8x7b");
const DEEPSEEK_V3: &str = published!("deepseek-v3");
const DEEPSEEK_V32: &str = published!("deepseek-v3.2");
const NEMOTRON: &str = published!("nemotron-3-nano");
const FP8: &str = published!("fp8_hf_quant_config");
const NVFP4: &str = published!("nvfp4_hf_quant_config");

const ALL: [&str; 13] = [
    GPT2,
    QWEN3_8B,
    QWEN3_32B_FP8,
    QWEN3_VL,
    QWEN3_MOE,
    QWEN3_NEXT,
    QWEN35,
    LLAMA_70B,
    SCOUT,
    MIXTRAL,
    DEEPSEEK_V3,
    DEEPSEEK_V32,
    NEMOTRON,
];

#[track_caller]
fn imported(config: &str) -> ImportedModel {
    quantised(config, None)
}

#[track_caller]
fn quantised(config: &str, quant: Option<&str>) -> ImportedModel {
    hf_config::read(config, quant, "some/where/config.json").unwrap_or_else(|e| panic!("{e}"))
}

#[track_caller]
fn refused(config: &str) -> String {
    let error = hf_config::read(config, None, "config.json").unwrap_err();
    let text = error.to_string();
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with("config.json: "), "{text}");
    text
}

#[track_caller]
fn refused_json(config: &Value) -> String {
    refused(&config.to_string())
}

/// A small model with these fields changed; null takes one away.
fn small(changes: Value) -> Value {
    let mut config = json!({
        "model_type": "llama", "hidden_size": 64, "num_hidden_layers": 4, "num_attention_heads": 8,
        "num_key_value_heads": 2, "head_dim": 8, "intermediate_size": 256, "vocab_size": 1000,
        "max_position_embeddings": 2048, "tie_word_embeddings": false, "torch_dtype": "bfloat16",
    });
    for (key, value) in changes.as_object().unwrap() {
        config[key] = value.clone();
    }
    config
}

fn small_model(changes: Value) -> ImportedModel {
    imported(&small(changes).to_string())
}

#[track_caller]
fn says(sentences: &[String], part: &str) {
    let found = sentences.iter().any(|sentence| sentence.contains(part));
    assert!(found, "{part} is not in {sentences:#?}");
}

#[test]
fn every_config_is_read_right() {
    // Parameters in all and per token, KV bytes per token; 0 where no independent number to the digit is known.
    let rows = [
        (GPT2, 124_439_808.0, 124_439_808.0, 36_864.0),
        (QWEN3_8B, 8_190_735_360.0, 8_190_735_360.0, 147_456.0),
        (QWEN3_32B_FP8, 32_762_123_264.0, 32_762_123_264.0, 262_144.0),
        (QWEN3_VL, 32_762_123_264.0, 32_762_123_264.0, 262_144.0),
        (LLAMA_70B, 70_553_706_496.0, 70_553_706_496.0, 327_680.0),
        (MIXTRAL, 46_702_792_704.0, 12_879_925_248.0, 131_072.0),
        (QWEN3_MOE, 30_532_122_624.0, 0.0, 98_304.0),
        (DEEPSEEK_V3, 671_026_404_352.0, 0.0, 70_272.0),
        (NEMOTRON, 31_577_937_344.0, 0.0, 6_144.0),
        (SCOUT, 0.0, 0.0, 196_608.0),
        (QWEN3_NEXT, 0.0, 0.0, 24_576.0),
        (QWEN35, 0.0, 0.0, 20_480.0),
        (DEEPSEEK_V32, 0.0, 0.0, 70_272.0),
    ];
    for (config, total, active, kv) in rows {
        let model = imported(config);
        let parameters = model.architecture.parameters();
        let words = &model.read;
        if total > 0.0 {
            assert_eq!(parameters.total, total, "{words:#?}");
        }
        if active > 0.0 {
            assert_eq!(parameters.active, active, "{words:#?}");
        }
        let found = model.architecture.kv_bytes_per_token(&model.formats);
        assert_eq!(found, kv, "{words:#?}");
        assert_eq!(model.warnings, Vec::<String>::new());
    }
}

#[test]
fn mixtures_have_the_sizes_they_are_named_by() {
    // In units of 1e9, as rounded in names and model cards.
    let rows = [
        (QWEN3_MOE, 30.53, 3.35),
        (SCOUT, 107.8, 17.2),
        (DEEPSEEK_V3, 671.0, 37.55),
        (QWEN3_NEXT, 79.7, 3.9),
        (QWEN35, 34.7, 3.5),
        (NEMOTRON, 31.6, 3.6),
    ];
    for (config, total, active) in rows {
        let model = imported(config);
        let found = model.architecture.parameters();
        for (found, expected) in [(found.total, total), (found.active, active)] {
            let billions = found / 1e9;
            assert!(
                (billions / expected - 1.0).abs() < 0.015,
                "{billions} {expected}"
            );
        }
    }
}

#[test]
fn a_step_of_a_dense_model_reads_weights_and_cache() {
    let ImportedModel {
        architecture,
        formats,
        ..
    } = imported(QWEN3_8B);
    let weights = architecture.weight_read_bytes(1.0, 0.0, &formats);
    let cache = architecture.kv_read_bytes(4096.0, &formats);
    assert!(((weights + cache) / 15.74e9 - 1.0).abs() < 1e-3);
    assert_eq!(
        architecture.weight_bytes(&formats),
        2.0 * architecture.parameters().total
    );
}

#[test]
fn windows_and_states_are_apart() {
    let scout = imported(SCOUT);
    let at = |context| scout.architecture.kv_read_bytes(context, &scout.formats);
    assert_eq!(at(8192.0), 8192.0 * 196_608.0);
    assert_eq!(at(16384.0) - at(8192.0), 8192.0 * 196_608.0 / 4.0);
    says(&scout.assumed, "shared expert");
    says(&scout.assumed, "chunk");
    // 36 and 30 gated delta nets of 32 heads of 128 × 128 and a convolution over 4 tokens of 8192 channels.
    let state = 4.0 * (32.0 * 128.0 * 128.0 + 3.0 * 8192.0);
    let of_next = imported(QWEN3_NEXT).architecture;
    assert_eq!(of_next.state_bytes(), 36.0 * state);
    assert_eq!(imported(QWEN35).architecture.state_bytes(), 30.0 * state);
    let nemotron = imported(NEMOTRON).architecture;
    let counts: Vec<_> = nemotron.layers.iter().map(|l| l.count.get()).collect();
    assert_eq!(counts, [23.0, 23.0, 6.0]);
    assert_eq!(nemotron.norms_per_layer, Some(Count::ONE));
}

#[test]
fn an_indexer_caps_what_attention_reads_and_keeps_its_keys() {
    let ImportedModel {
        architecture,
        formats,
        ..
    } = imported(DEEPSEEK_V32);
    assert_eq!(architecture.index_elements_per_token(), 61.0 * 128.0);
    let read = architecture.kv_read_bytes(100_000.0, &formats);
    assert_eq!(read, 61.0 * 2.0 * (2048.0 * 576.0 + 100_000.0 * 128.0));
    let kept = architecture.kv_allocated_bytes(100_000.0, Count::ONE, &formats);
    assert_eq!(kept, 61.0 * 2.0 * 100_000.0 * (576.0 + 128.0));
}

#[test]
fn experts_touched_grow_with_the_batch() {
    let model = imported(MIXTRAL).architecture;
    let expert = 3.0 * 4096.0 * 14336.0;
    let idle = model.parameters().total - model.parameters().input_embedding;
    for (batch, distinct) in [(1.0, 2.0), (2.0, 3.5), (3.0, 4.625), (4.0, 5.46875)] {
        let read = model.read_per_step(batch, 0.0);
        let expected = idle - 32.0 * expert * (8.0 - distinct);
        assert!((read / expected - 1.0).abs() < 1e-12, "{batch}");
    }
    let [experts, top_k] = [8.0, 2.0].map(|n| Count::try_from(n).unwrap());
    assert!((expected_distinct(experts, top_k, 8.0, 0.0) - 7.2).abs() < 0.01);
}

#[test]
fn nested_and_renamed_fields_are_found_and_the_rest_is_told() {
    let model = imported(QWEN3_VL);
    says(
        &model.ignored,
        "the vision part (27 layers of 1152) is not counted",
    );
    assert!(!model.architecture.tied);
    assert_eq!(model.formats.weights, NumberFormat::BF16);
    says(&imported(QWEN35).ignored, "mtp_num_hidden_layers 1");
    says(&imported(DEEPSEEK_V3).ignored, "num_nextn_predict_layers 1");
    says(&imported(QWEN3_MOE).ignored, "intermediate_size 6144");
    let gpt2 = imported(GPT2);
    says(&gpt2.assumed, "n_inner");
    says(&gpt2.assumed, "dtype is missing");
    says(&gpt2.read, "12 layers, hidden 768");
    let llama = imported(LLAMA_70B);
    says(&llama.assumed, "128 = hidden size 8192 ÷ 64 heads");
    says(&llama.read, "64 query heads, 8 KV heads of 128");
    // What has no bearing on size or cost is not listed.
    for config in ALL {
        let ignored = imported(config).ignored;
        let unused: Vec<_> = ignored
            .iter()
            .filter(|s| s.starts_with("not used"))
            .collect();
        assert_eq!(unused, Vec::<&String>::new());
    }
    let odd = small_model(json!({"altup_num_inputs": 4}));
    says(&odd.ignored, "not used: altup_num_inputs");
}

#[test]
fn what_a_class_takes_for_granted_is_said() {
    // As the config of Gemma 3 4B has it.
    let config = json!({"model_type": "gemma3", "vision_config": {"hidden_size": 1152, "num_hidden_layers": 27},
        "text_config": {"hidden_size": 2560, "intermediate_size": 10240, "model_type": "gemma3_text",
            "num_hidden_layers": 34, "sliding_window": 1024}, "torch_dtype": "bfloat16"});
    let model = imported(&config.to_string());
    assert_eq!(model.architecture.parameters().total, 3_880_263_168.0);
    says(&model.assumed, "num_attention_heads is missing: 8");
    says(&model.assumed, "vocab_size is missing: 262208");
    says(&model.assumed, "gemma3 models share it");
}

#[test]
fn names_are_taken_without_paths() {
    let named = |config: Value, file| {
        let model = hf_config::read(&config.to_string(), None, file).unwrap();
        model.architecture.name
    };
    let path = json!({"_name_or_path": "/home/someone/Llama-3.1-70B-Instruct/"});
    assert_eq!(
        named(small(path), "a/config.json"),
        "Llama-3.1-70B-Instruct"
    );
    assert_eq!(
        named(small(json!({})), "a/b/my-model_config.json"),
        "my-model"
    );
    assert_eq!(named(small(json!({})), "a/config.json"), "llama 0.4M");
}

#[test]
fn quantisation_beside_the_config_counts() {
    let alone = imported(LLAMA_70B);
    assert_eq!(alone.formats.kv, NumberFormat::BF16);
    let model = quantised(LLAMA_70B, Some(FP8));
    let ImportedModel {
        architecture,
        formats,
        ..
    } = &model;
    let formats_in_use = [formats.weights, formats.activations, formats.kv];
    assert_eq!(formats_in_use, [NumberFormat::FP8; 3]);
    assert_eq!(formats.head, NumberFormat::BF16);
    let per_parameter = architecture.weight_bytes(formats) / architecture.parameters().total;
    assert!((1.0..1.04).contains(&per_parameter), "{per_parameter}");
    assert_eq!(architecture.kv_bytes_per_token(formats), 163_840.0);
    // Of the config without the quantisation inside.
    let mut plain: Value = serde_json::from_str(QWEN3_32B_FP8).unwrap();
    plain.as_object_mut().unwrap().remove("quantization_config");
    let model = quantised(&plain.to_string(), Some(NVFP4));
    assert_eq!(model.formats.weight_bytes(), 0.5625);
    assert_eq!(
        model.architecture.kv_bytes_per_token(&model.formats),
        131_072.0
    );
    // Both, and different.
    let model = quantised(QWEN3_32B_FP8, Some(NVFP4));
    assert_eq!(model.formats.weights, NumberFormat::FP4);
    says(&model.warnings, "the separate file is used");
}

#[test]
fn quantisation_inside_the_config_counts() {
    let model = imported(QWEN3_32B_FP8);
    assert_eq!(model.formats.activations, NumberFormat::FP8);
    assert_eq!(model.formats.kv, NumberFormat::BF16);
    assert!((8.0 * model.formats.weight_bytes() - 8.00195).abs() < 1e-5);
    use NumberFormat::{BF16, FP4, FP8, INT4, INT8};
    let w4 = json!({"num_bits": 4, "type": "int", "strategy": "group", "group_size": 128});
    let a8 = json!({"num_bits": 8, "type": "float", "strategy": "token"});
    let grouped = |weights: &Value, activations: Value| {
        json!({"quant_method": "compressed-tensors", "ignore": ["lm_head"],
            "config_groups": {"group_0": {"weights": weights, "input_activations": activations}}})
    };
    let nvfp4 = json!({"num_bits": 4, "type": "float", "group_size": 16});
    // Weights, activations and bits per weight.
    let rows = [
        (
            json!({"quant_method": "awq", "bits": 4, "group_size": 128}),
            INT4,
            BF16,
            4.15625,
        ),
        (
            json!({"quant_method": "gptq", "bits": 4, "group_size": 64}),
            INT4,
            BF16,
            4.3125,
        ),
        (
            json!({"quant_method": "gptq", "bits": 8, "group_size": -1}),
            INT8,
            BF16,
            8.0,
        ),
        (
            json!({"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": false}),
            INT4,
            BF16,
            4.125,
        ),
        (json!({"quant_method": "mxfp4"}), FP4, BF16, 4.25),
        (
            json!({"quant_method": "fp8", "activation_scheme": "static"}),
            FP8,
            FP8,
            8.0,
        ),
        (
            json!({"quant_method": "modelopt", "quant_algo": "NVFP4"}),
            FP4,
            FP4,
            4.5,
        ),
        (
            json!({"quant_method": "bitsandbytes", "load_in_4bit": true}),
            FP4,
            BF16,
            4.5,
        ),
        (
            json!({"quant_method": "bitsandbytes", "load_in_8bit": true}),
            INT8,
            INT8,
            8.0,
        ),
        (grouped(&w4, Value::Null), INT4, BF16, 4.125),
        (grouped(&w4, a8.clone()), INT4, FP8, 4.125),
        (grouped(&a8, a8.clone()), FP8, FP8, 8.0),
        (grouped(&nvfp4, nvfp4.clone()), FP4, FP4, 4.5),
    ];
    for (quantisation, weights, activations, bits) in rows {
        let model = small_model(json!({"quantization_config": quantisation}));
        let formats = &model.formats;
        let found = (
            formats.weights,
            formats.activations,
            formats.head,
            formats.kv,
        );
        assert_eq!(found, (weights, activations, BF16, BF16), "{quantisation}");
        assert_eq!(8.0 * formats.weight_bytes(), bits, "{quantisation}");
        assert_eq!(model.warnings, Vec::<String>::new());
    }
    let cache =
        json!({"quant_method": "modelopt", "quant_algo": "FP8", "kv_cache_quant_algo": "FP8"});
    assert_eq!(
        small_model(json!({"quantization_config": cache}))
            .formats
            .kv,
        FP8
    );
    let odd = small_model(json!({"quantization_config": {"quant_method": "magic"}}));
    says(&odd.warnings, "quant_method \"magic\" is not known");
    assert_eq!(odd.formats.weights, BF16);
    let three = small_model(json!({"quantization_config": {"quant_method": "gptq", "bits": 3}}));
    says(&three.warnings, "3 bits are taken as INT4");
}

#[test]
fn attention_that_is_left_alone_keeps_its_format() {
    let of = |modules: Value| {
        let quantisation = json!({"quant_method": "mxfp4", "modules_to_not_convert": modules});
        small_model(json!({"quantization_config": quantisation}))
    };
    let whole = of(json!([
        "model.layers.*.self_attn",
        "model.layers.*.mlp.router",
        "lm_head"
    ]));
    assert_eq!(whole.formats.mixer, Some(NumberFormat::BF16));
    assert_eq!(whole.formats.mixer_weight_bytes(), 2.0);
    assert_eq!(whole.ignored, Vec::<String>::new());
    let each: Vec<_> = (0..4)
        .map(|i| format!("model.layers.{i}.self_attn*"))
        .collect();
    assert_eq!(of(json!(each)).formats.mixer, Some(NumberFormat::BF16));
    let some = of(json!(["model.layers.0.self_attn", "model.layers.0.mlp"]));
    assert_eq!(some.formats.mixer, None);
    says(&some.ignored, "2 modules are left unquantised");
}

/// How many layers have a window, of a small model of eight layers.
fn windowed(changes: Value) -> f64 {
    let mut config = small(json!({"num_hidden_layers": 8, "sliding_window": 128}));
    for (key, value) in changes.as_object().unwrap() {
        config[key] = value.clone();
    }
    let model = imported(&config.to_string());
    let has_window = |mixer: &Mixer| match mixer {
        Mixer::Attention(attention) => attention.window.is_some(),
        _ => false,
    };
    let layers = model.architecture.layers.iter();
    let windowed = layers.filter(|layers| has_window(&layers.mixer));
    windowed.map(|layers| layers.count.get()).sum()
}

#[test]
fn windows_are_of_the_layers_that_have_them() {
    assert_eq!(windowed(json!({"model_type": "mistral"})), 8.0);
    assert_eq!(
        windowed(json!({"model_type": "mistral", "sliding_window": null})),
        0.0
    );
    assert_eq!(
        windowed(json!({"model_type": "qwen2", "use_sliding_window": false})),
        0.0
    );
    assert_eq!(windowed(json!({"model_type": "qwen2"})), 0.0);
    let from_six =
        json!({"model_type": "qwen2", "use_sliding_window": true, "max_window_layers": 6});
    assert_eq!(windowed(from_six), 2.0);
    assert_eq!(windowed(json!({"model_type": "gemma2"})), 4.0);
    assert_eq!(windowed(json!({"model_type": "gemma3_text"})), 7.0);
    assert_eq!(
        windowed(json!({"model_type": "gemma3_text", "sliding_window_pattern": 4})),
        6.0
    );
    let types = ["full_attention"; 5]
        .into_iter()
        .chain(["sliding_attention"; 3]);
    let types: Vec<_> = types.collect();
    assert_eq!(windowed(json!({"layer_types": types})), 3.0);
}

/// How many layers are mixtures, of a small model of eight layers and four experts.
fn mixtures(changes: Value) -> f64 {
    let mut config = small(json!({
        "num_hidden_layers": 8, "num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 16,
    }));
    for (key, value) in changes.as_object().unwrap() {
        config[key] = value.clone();
    }
    let model = imported(&config.to_string()).architecture;
    let experts = model.parameters().routed_experts / (3.0 * 64.0 * 16.0);
    experts / 4.0
}

#[test]
fn experts_are_in_the_layers_that_have_them() {
    assert_eq!(mixtures(json!({})), 8.0);
    assert_eq!(mixtures(json!({"num_experts": 0})), 0.0);
    assert_eq!(
        mixtures(json!({"first_k_dense_replace": 3, "moe_layer_freq": 1})),
        5.0
    );
    assert_eq!(
        mixtures(json!({"first_k_dense_replace": 1, "moe_layer_freq": 2})),
        3.0
    );
    assert_eq!(
        mixtures(json!({"moe_layer_freq": [0, 1, 1, 1, 1, 1, 1, 1]})),
        7.0
    );
    assert_eq!(mixtures(json!({"mlp_only_layers": [0, 7]})), 6.0);
    assert_eq!(mixtures(json!({"decoder_sparse_step": 2})), 4.0);
    let interleaved = json!({"model_type": "llama4_text", "interleave_moe_layer_step": 2, "intermediate_size_mlp": 512});
    assert_eq!(mixtures(interleaved), 4.0);
}

#[test]
fn what_is_missing_is_told_all_at_once() {
    let error = hf_config::read(
        r#"{"model_type": "llama", "vocab_size": 32000}"#,
        None,
        "a.json",
    );
    let ConfigError::Fields { problems, sure, .. } = error.unwrap_err() else {
        panic!("fields are missing");
    };
    assert_eq!(
        problems,
        ["hidden_size, num_hidden_layers, num_attention_heads and intermediate_size are missing"]
    );
    assert_eq!(sure, ["vocab_size 32000"]);
    let latent = small(json!({"kv_lora_rank": 16, "num_experts": 4}));
    let error = refused_json(&latent);
    let needed =
        "qk_nope_head_dim, qk_rope_head_dim, v_head_dim and num_experts_per_tok are missing";
    assert!(error.contains(needed), "{error}");
    let error = refused_json(&small(json!({"full_attention_interval": 2})));
    assert!(error.contains("linear_num_key_heads"), "{error}");
}

#[test]
fn what_cannot_be_is_told_with_the_field() {
    let rows = [
        (json!({"num_hidden_layers": 0}), "num_hidden_layers is 0"),
        (json!({"hidden_size": -64}), "hidden_size is -64"),
        (json!({"hidden_size": 1e30}), "hidden_size is 1e+30"),
        (json!({"hidden_size": 64.5}), "hidden_size is 64.5"),
        (json!({"vocab_size": "many"}), "vocab_size is \"many\""),
        (
            json!({"num_key_value_heads": 3}),
            "num_attention_heads 8 is no multiple of num_key_value_heads 3",
        ),
        (
            json!({"head_dim": null, "hidden_size": 65}),
            "hidden_size 65 is no multiple of num_attention_heads 8",
        ),
        (
            json!({"num_experts": 2, "num_experts_per_tok": 3}),
            "num_experts_per_tok 3 is more than the 2 experts",
        ),
        (
            json!({"layer_types": ["full_attention"]}),
            "layer_types has 1 layers, while num_hidden_layers is 4",
        ),
        (
            json!({"layer_types": ["full_attention", "magic", "magic", "magic"]}),
            "layer_types holds \"magic\"",
        ),
        (
            json!({"hybrid_override_pattern": "M*XE"}),
            "hybrid_override_pattern has letters other than",
        ),
        (
            json!({"hidden_size": 1e6, "intermediate_size": 1e7, "num_hidden_layers": 9999}),
            "parameters, more than any model has",
        ),
    ];
    for (changes, part) in rows {
        let error = refused_json(&small(changes));
        assert!(error.contains(part), "{part:?} is not in {error:?}");
    }
    let both = refused_json(&small(json!({"vocab_size": 0, "num_hidden_layers": -1})));
    assert!(both.contains("vocab_size is 0") && both.contains("num_hidden_layers is -1"));
}

#[test]
fn what_is_no_causal_model_is_refused() {
    let rows = [
        ("", "the JSON is broken"),
        ("[1, 2]", "not an object"),
        ("{}", "are missing"),
        (
            r#"{"model_type": "bert", "hidden_size": 768}"#,
            "a model of type bert does not generate",
        ),
        (
            r#"{"architectures": ["LlamaForSequenceClassification"]}"#,
            "LlamaForSequenceClassification",
        ),
        (r#"{"is_encoder_decoder": true}"#, "is_encoder_decoder"),
        (
            r#"{"model_type": "rwkv"}"#,
            "\"rwkv\" are of a kind that is not known",
        ),
        (FP8, "open the config.json beside it"),
    ];
    for (config, part) in rows {
        let error = refused(config);
        assert!(error.contains(part), "{part:?} is not in {error:?}");
    }
    let error = hf_config::read(QWEN3_8B, Some(QWEN3_8B), "config.json").unwrap_err();
    let error = error.to_string();
    assert!(
        error.starts_with("hf_quant_config.json: it has no"),
        "{error}"
    );
    assert!(hf_config::is_config(QWEN3_8B) && !hf_config::is_config(FP8));
    assert!(hf_config::is_quantisation(FP8) && !hf_config::is_quantisation(QWEN3_8B));
}

#[test]
fn an_unknown_type_is_read_with_a_doubt() {
    let model = small_model(json!({"model_type": "novel"}));
    says(&model.warnings, "model_type \"novel\" is not known");
    let model = small_model(json!({"model_type": null}));
    says(&model.warnings, "model_type is missing");
    let model = small_model(json!({"torch_dtype": "float32", "tie_word_embeddings": null}));
    says(&model.warnings, "float32");
    says(&model.assumed, "tie_word_embeddings is missing");
    // Python's own kind of JSON.
    let text = small(json!({"time_step_limit": "there"})).to_string();
    imported(&text.replace("\"there\"", "[0.0, Infinity]"));
}

/// Values that fields of a config are not expected to have.
fn odd() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        Just(json!([])),
        Just(json!({})),
        Just(json!(["full_attention"])),
        Just(json!("MEM*")),
        Just(json!(true)),
        Just(json!({"quant_method": "gptq", "bits": 1e300, "group_size": -7})),
        Just(json!({"config_groups": {"a": {"weights": {"num_bits": 4, "type": "int"}}}})),
        (-2_i64..70).prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,9}".prop_map(Value::from),
    ]
}

/// A config with some fields taken away and some others changed, inside and outside.
fn mutated() -> impl Strategy<Value = Value> {
    let changes = proptest::collection::vec((any::<prop::sample::Index>(), odd()), 0..6);
    (prop::sample::select(&ALL[..]), changes).prop_map(|(config, changes)| {
        let mut config: Value = serde_json::from_str(config).unwrap();
        for (index, value) in changes {
            change(config.as_object_mut().unwrap(), index, value);
        }
        config
    })
}

fn change(config: &mut Map<String, Value>, index: prop::sample::Index, value: Value) {
    let nested = config.get("text_config").and_then(Value::as_object);
    let nested = nested.map_or(0, Map::len);
    let chosen = index.index(config.len() + nested);
    if chosen < config.len() {
        let key = config.keys().nth(chosen).unwrap().clone();
        config.insert(key, value);
    } else if let Some(Value::Object(text)) = config.get_mut("text_config") {
        let key = text.keys().nth(index.index(nested)).unwrap().clone();
        text.insert(key, value);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn no_config_makes_it_panic_or_gives_numbers_that_are_none(config in mutated(), quant in odd()) {
        let quant = json!({"quantization": quant}).to_string();
        for quant in [None, Some(quant.as_str())] {
            match hf_config::read(&config.to_string(), quant, "config.json") {
                Ok(model) => {
                    let parameters = model.architecture.parameters();
                    prop_assert!(parameters.total.is_finite() && parameters.active > 0.0);
                    prop_assert!(parameters.active <= parameters.total);
                    let cache = model.architecture.kv_bytes_per_token(&model.formats);
                    prop_assert!(cache.is_finite() && cache >= 0.0);
                    prop_assert!(model.architecture.weight_bytes(&model.formats) > 0.0);
                }
                Err(error) => prop_assert_eq!(error.to_string().lines().count(), 1),
            }
        }
    }

    #[test]
    fn no_text_makes_it_panic(text in ".{0,200}") {
        prop_assert!(hf_config::read(&text, Some(&text), "config.json").is_err());
    }
}
