//! Language models from the config.json of others: right numbers, and nothing guessed, dropped or doubted without a word.
//!
//! The files in `data/models` are configs as published with models; that of GPT-2 is written for the test.
mod formats;
mod layers;
mod odd;
mod refusals;
mod sizes;
mod words;

use ridgepoint::files::import::hf_config::{self, ImportedModel};
use serde_json::{Value, json};

macro_rules! published {
    ($name:literal) => {
        include_str!(concat!("../data/models/", $name, ".json"))
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
