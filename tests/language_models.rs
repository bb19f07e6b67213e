//! Language models against numbers of systems that are not this one: parameters, experts touched, cache.
//!
//! `data/models/reference.json` holds the rows with their sources.
use ridgepoint::model::format::NumberFormat;
use ridgepoint::model::llm::{
    Architecture, Attention, Formats, Latent, Layers, Mixer, Mixture, Mlp, expected_distinct,
};
use ridgepoint::model::quantity::Count;
use serde_json::Value;

const REFERENCE: &str = include_str!("data/models/reference.json");

fn rows(beginning: &str) -> Vec<Value> {
    let rows: Vec<Value> = serde_json::from_str(REFERENCE).unwrap();
    let of_id = |row: &Value| row["id"].as_str().unwrap().starts_with(beginning);
    let rows: Vec<_> = rows.into_iter().filter(of_id).collect();
    assert!(!rows.is_empty(), "no row begins with {beginning}");
    rows
}

fn count(value: f64) -> Count {
    Count::try_from(value).unwrap()
}

/// The architecture of the inputs of a row.
fn architecture(inputs: &Value) -> Architecture {
    let optional = |key: &str| inputs[key].as_f64().map(count);
    let needed = |key: &str| optional(key).unwrap_or_else(|| panic!("{key} is missing"));
    let flag = |key: &str| inputs[key] == true;
    let mixer = match optional("kv_lora_rank") {
        Some(kv_rank) => Mixer::Latent(Latent {
            heads: needed("heads"),
            q_rank: optional("q_lora_rank"),
            kv_rank,
            nope_dim: needed("qk_nope_head_dim"),
            rope_dim: needed("qk_rope_head_dim"),
            value_dim: needed("v_head_dim"),
            indexer: None,
        }),
        None => Mixer::Attention(Attention {
            qkv_bias: flag("qkv_bias"),
            qk_norm: flag("qk_norm"),
            ..plain(needed("heads"), needed("kv_heads"), needed("head_dim"))
        }),
    };
    let dense = optional("ffn").map(Mlp::Gated);
    let experts = optional("experts").map(|experts| {
        Mlp::Mixture(Mixture {
            experts,
            top_k: needed("top_k"),
            width: needed("expert_ffn"),
            shared_width: optional("n_shared_experts")
                .map(|shared| count(shared.get() * needed("expert_ffn").get())),
            shared_gate: false,
            gated: true,
            biased: false,
        })
    });
    let layers = needed("layers").get();
    let dense_layers = match experts {
        Some(_) => inputs["first_k_dense_replace"].as_f64().unwrap_or(0.0),
        None => layers,
    };
    let groups = [(dense_layers, dense), (layers - dense_layers, experts)];
    let groups = groups.into_iter().filter(|(count, _)| *count > 0.0);
    Architecture {
        name: inputs["model"].as_str().unwrap_or_default().to_owned(),
        hidden: needed("hidden"),
        vocab: needed("vocab"),
        tied: flag("tied_embeddings") || flag("tied"),
        positions: None,
        max_context: None,
        norm_bias: false,
        norms_per_layer: None,
        layers: groups
            .map(|(layers, mlp)| Layers {
                count: count(layers),
                mixer: mixer.clone(),
                mlp: mlp.unwrap(),
            })
            .collect(),
    }
}

fn plain(heads: Count, kv_heads: Count, head_dim: Count) -> Attention {
    Attention {
        heads,
        kv_heads,
        head_dim,
        window: None,
        qkv_bias: false,
        output_bias: false,
        qk_norm: false,
        output_gate: false,
        sinks: false,
    }
}

#[track_caller]
fn near(found: f64, expected: &Value, tolerance: f64) {
    let expected = expected.as_f64().unwrap();
    let close = (found - expected).abs() <= tolerance * expected.abs();
    assert!(close, "{found} is not {expected}");
}

#[test]
fn parameters_are_those_of_the_model_classes_to_the_digit() {
    let rows = rows("hf-params-");
    assert_eq!(rows.len(), 12);
    for row in rows {
        let found = architecture(&row["inputs"]).parameters();
        let expected = &row["expected"];
        for (found, key) in [
            (found.total, "params_total"),
            (found.input_embedding, "params_input_embedding"),
            (found.output_head, "params_lm_head"),
            (found.norms, "params_norms"),
        ] {
            assert_eq!(Some(found), expected[key].as_f64(), "{}: {key}", row["id"]);
        }
        let routed = expected["params_routed_experts"].as_f64();
        assert_eq!(found.routed_experts, routed.unwrap_or(0.0), "{}", row["id"]);
    }
}

#[test]
fn parameters_are_those_that_are_published() {
    for row in rows("active-params-") {
        let found = architecture(&row["inputs"]).parameters();
        let (expected, tolerance) = (&row["expected"], row["tolerance"].as_f64().unwrap());
        near(found.total, &expected["params_total"], tolerance);
        near(found.active, &expected["params_active"], tolerance);
    }
    let mut of_mixtral = architecture(&serde_json::json!({
        "layers": 32, "hidden": 4096, "heads": 32, "kv_heads": 8, "head_dim": 128, "vocab": 32000,
        "experts": 8, "top_k": 2, "expert_ffn": 14336,
    }));
    let found = of_mixtral.parameters();
    assert_eq!(
        (found.total, found.active),
        (46_702_792_704.0, 12_879_925_248.0)
    );
    // A token cannot be sent to more experts than there are.
    let Mlp::Mixture(mixture) = &mut of_mixtral.layers[0].mlp else {
        panic!("it is a mixture");
    };
    mixture.top_k = count(9.0);
    let found = of_mixtral.parameters();
    assert_eq!(found.active, found.total);
}

#[test]
fn parameters_of_a_book_count_no_last_norm() {
    for row in rows("sb-params-") {
        let inputs = &row["inputs"];
        let mut model = architecture(&serde_json::json!({
            "layers": inputs["layers"], "hidden": inputs["hidden"], "ffn": inputs["ffn"], "vocab": inputs["vocab"],
            "heads": 32, "kv_heads": 32, "head_dim": 128,
        }));
        model.norms_per_layer = Some(count(1.0));
        let found = model.parameters().total - model.hidden.get();
        assert_eq!(Some(found), row["expected"]["params"].as_f64());
        let bytes = model.kv_bytes_per_token(&Formats::all(NumberFormat::FP8));
        assert_eq!(Some(bytes), row["expected"]["kv_bytes_per_token"].as_f64());
    }
}

/// GPT-2: biases everywhere, a LayerNorm with a bias, learnt positions, one embedding for both ends.
fn gpt2() -> Architecture {
    let attention = Attention {
        qkv_bias: true,
        output_bias: true,
        ..plain(count(12.0), count(12.0), count(64.0))
    };
    Architecture {
        name: "GPT-2".to_owned(),
        hidden: count(768.0),
        vocab: count(50257.0),
        tied: true,
        positions: Some(count(1024.0)),
        max_context: Some(count(1024.0)),
        norm_bias: true,
        norms_per_layer: None,
        layers: vec![Layers {
            count: count(12.0),
            mixer: Mixer::Attention(attention),
            mlp: Mlp::PlainBiased(count(3072.0)),
        }],
    }
}

#[test]
fn gpt2_has_the_parameters_it_is_known_for() {
    let found = gpt2().parameters();
    assert_eq!(found.total, 124_439_808.0);
    assert_eq!((found.active, found.output_head), (found.total, 0.0));
    assert_eq!(found.positions, 786_432.0);
    // The tied embedding is the head, which is read; positions are looked up.
    assert_eq!(
        gpt2().read_per_step(1.0, 0.0),
        found.total - found.positions
    );
    let formats = Formats::all(NumberFormat::FP16);
    assert_eq!(gpt2().kv_bytes_per_token(&formats), 36_864.0);
}

#[test]
fn distinct_experts_are_those_of_the_table() {
    let rows = rows("moe-distinct-");
    assert_eq!(rows.len(), 7);
    for row in rows {
        let input = |key: &str| row["inputs"][key].as_f64().unwrap();
        let [experts, top_k] = ["experts", "top_k"].map(|key| count(input(key)));
        let found = expected_distinct(experts, top_k, input("tokens"), 0.0);
        near(found, &row["expected"]["expected_distinct"], 1e-9);
    }
}

#[test]
fn a_step_reads_no_input_embedding_and_only_experts_it_touches() {
    let row = &rows("hf-params-deepseek-v3")[0];
    let model = architecture(&row["inputs"]);
    let parameters = model.parameters();
    let one = model.read_per_step(1.0, 0.0);
    assert_eq!(one, parameters.active - parameters.input_embedding);
    let many = model.read_per_step(1e6, 0.0);
    assert_eq!(many, parameters.total - parameters.input_embedding);
    let some = model.read_per_step(32.0, 0.0);
    let touched = 163.31384595038296 / 256.0 * parameters.routed_experts;
    let expected = parameters.total - parameters.input_embedding - parameters.routed_experts;
    assert!((some / (expected + touched) - 1.0).abs() < 1e-12);
    assert!(model.read_per_step(32.0, 1.0) < some);
    // A dense model reads the same whatever the batch; of a tied one the head is read.
    for row in rows("hf-params-llama-3") {
        let model = architecture(&row["inputs"]);
        let parameters = model.parameters();
        let looked_up = match model.tied {
            true => 0.0,
            false => parameters.input_embedding,
        };
        for tokens in [1.0, 7.0, 1e4] {
            assert_eq!(
                model.read_per_step(tokens, 0.0),
                parameters.total - looked_up
            );
        }
    }
}

#[test]
fn weights_and_cache_read_are_those_of_another_tool() {
    for row in rows("llmviewer-decode-weights-kv-") {
        let inputs = &row["inputs"];
        let model = architecture(inputs);
        let formats = Formats::all(NumberFormat::BF16);
        // It counts matrices alone: neither norms nor biases.
        let layer = model.layer_parameters(&model.layers[0]);
        let added = model.parameters().norms + layer.biases * model.layer_count();
        let weights = 2.0 * (model.read_per_step(1.0, 0.0) - added);
        let id = &row["id"];
        let expected = &row["expected"];
        assert_eq!(
            Some(weights),
            expected["weights_read_bytes"].as_f64(),
            "{id}"
        );
        let [batch, context] = ["batch", "context"].map(|key| inputs[key].as_f64().unwrap());
        let cache = batch * model.kv_read_bytes(context, &formats);
        assert_eq!(Some(cache), expected["kv_read_bytes"].as_f64(), "{id}");
    }
}

#[test]
fn latent_attention_keeps_one_latent() {
    for row in rows("infersim-dsv3-kv") {
        let model = architecture(&row["inputs"]);
        let bytes = model.kv_bytes_per_token(&Formats::all(NumberFormat::BF16));
        let expected = row["expected"]["kv_bytes_per_token"].as_f64();
        assert_eq!(Some(bytes), expected);
    }
}

#[test]
fn windows_bound_what_is_read_and_pages_round_what_is_allocated() {
    let mut model = gpt2();
    let formats = Formats::all(NumberFormat::BF16);
    let layer = 2.0 * 2.0 * 768.0;
    let windowed = Attention {
        window: Some(count(100.0)),
        ..plain(count(12.0), count(12.0), count(64.0))
    };
    model.layers[0].count = count(3.0);
    model.layers.push(Layers {
        count: count(9.0),
        mixer: Mixer::Attention(windowed),
        mlp: Mlp::None,
    });
    assert_eq!(model.kv_bytes_per_token(&formats), 12.0 * layer);
    assert_eq!(
        model.kv_elements_per_token_beyond_windows(),
        3.0 * layer / 2.0
    );
    assert_eq!(model.kv_read_bytes(50.0, &formats), 12.0 * 50.0 * layer);
    let beyond = (3.0 * 1000.0 + 9.0 * 100.0) * layer;
    assert_eq!(model.kv_read_bytes(1000.0, &formats), beyond);
    let to_the_token = model.kv_allocated_bytes(1000.0, Count::ONE, &formats);
    assert_eq!(to_the_token, beyond);
    let paged = (3.0 * 1008.0 + 9.0 * 112.0) * layer;
    let in_pages = model.kv_allocated_bytes(1000.0, count(16.0), &formats);
    assert_eq!(in_pages, paged);
    assert_eq!(model.state_bytes(), 0.0);
}
