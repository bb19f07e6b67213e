//! What cannot be read is told in one sentence, with all that is missing.
use super::*;
use ridgepoint::files::import::hf_config::ConfigError;

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
