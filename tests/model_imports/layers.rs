//! Which layers have windows, and which have experts.
use super::*;
use ridgepoint::model::llm::Mixer;

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
