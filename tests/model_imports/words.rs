//! What is said of a reading: assumed, ignored, doubted; and what a model is called.
use super::*;
use ridgepoint::model::format::NumberFormat;

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
