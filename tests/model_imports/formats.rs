//! Number formats from the dtype and from quantisation inside the config or beside it.
use super::*;
use ridgepoint::model::format::NumberFormat;

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
