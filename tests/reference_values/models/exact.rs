//! Figures of other systems that ours reproduce: parameters, work, traffic and the times of single operators.
use super::row::{Row, count};
use ridgepoint::model::cost::{ComputeUnit, Cost, Level, Operator, Path};
use ridgepoint::model::format::NumberFormat;
use ridgepoint::model::gpu::{ComputeRoof, Gpu, MemoryRoof, Sourced};
use ridgepoint::model::llm::{self, Logits, Mask, Phase, Serving};
use ridgepoint::model::placement::{Assumptions, place, place_all};
use ridgepoint::model::quantity::{ByteRate, FlopRate, Share};
use serde_json::json;

pub fn parameters(row: &Row) {
    let found = row.architecture().parameters();
    row.expect("params_total", found.total);
    row.expect("params_input_embedding", found.input_embedding);
    row.expect("params_lm_head", found.output_head);
    row.expect("params_norms", found.norms);
    if row.expected.get("params_routed_experts").is_some() {
        row.expect("params_routed_experts", found.routed_experts);
    }
}

/// Work on matrix units, which is what torch's counter sees.
pub fn matrix(operators: &[Operator]) -> f64 {
    let works = operators.iter().flat_map(|operator| {
        let matrix = operator.cost.work.iter();
        let matrix = matrix.filter(|(path, _)| path.unit == ComputeUnit::Matrix);
        matrix.map(|(_, work)| work.get() * operator.count)
    });
    works.sum()
}

pub fn matrix_work(row: &Row) {
    let new = row.input("new_tokens");
    let context = new + row.input("past_kv");
    let serving = Serving {
        phase: if new == 1.0 {
            Phase::Decode
        } else {
            Phase::Prefill
        },
        context: count(context),
        mask: Mask::Full,
        logits: Logits::All,
        ..row.serving()
    };
    row.expect("flops", matrix(&llm::operators(&serving).unwrap()));
}

pub fn tiny_mixtral(row: &Row) {
    let named = [
        ("hidden_size", "hidden"),
        ("num_hidden_layers", "layers"),
        ("num_attention_heads", "heads"),
        ("num_key_value_heads", "kv_heads"),
        ("vocab_size", "vocab"),
        ("intermediate_size", "ffn"),
        ("intermediate_size", "expert_ffn"),
        ("num_local_experts", "experts"),
        ("num_experts_per_tok", "top_k"),
    ];
    let mut inputs = row.inputs.clone();
    for (theirs, ours) in named {
        inputs[ours] = row.inputs[theirs].clone();
    }
    inputs["past_kv"] = json!(0);
    inputs["new_tokens"] = row.inputs["seq"].clone();
    let row = Row {
        id: row.id.clone(),
        kind: row.kind.clone(),
        expected: row.expected.clone(),
        inputs,
        tolerance: row.tolerance,
    };
    matrix_work(&row);
}

/// The device of a row: one peak for all paths, DRAM, and a link.
fn device(row: &Row) -> Gpu {
    let mut gpu = Gpu::empty("row");
    let peak = FlopRate::try_from(row.input("peak_flops")).unwrap();
    let source = "reference row";
    for path in [
        Path::matrix(NumberFormat::BF16),
        Path::vector(NumberFormat::FP32),
    ] {
        gpu.compute
            .push(ComputeRoof::new(path, Sourced::theoretical(peak, source)));
    }
    let mut level = |level: Level, rate: f64| {
        let rate = ByteRate::try_from(rate).unwrap();
        gpu.memory
            .push(MemoryRoof::new(level, Sourced::theoretical(rate, source)));
    };
    level(Level::Dram, row.input("mem_bw"));
    level(Level::ScaleUpLink, row.or("link_bw_unidirectional", 450e9));
    gpu
}

/// Times per operator, summed over layers, under the names of aiconfigurator.
pub fn operator_times(row: &Row) {
    let gpu = device(row);
    let mut serving = row.serving();
    // The rows scale every operand by the weight's bytes, which is not done here: only the untouched ones are compared.
    let narrow_weights = row.or("weight_bytes", 2.0) < 2.0;
    if narrow_weights {
        serving.formats.group = None;
    }
    let operators = llm::operators(&serving).unwrap();
    let time = |cost: &Cost| {
        let placed = place(cost, &gpu, Assumptions::default(), 1.0).unwrap();
        placed.roof_time.get()
    };
    let of = |name: &str| -> f64 {
        let named = operators.iter().filter(|o| o.name == name);
        named.map(|o| o.count * time(&o.cost)).sum()
    };
    // Theirs are two rows where ours is one operator that runs twice a layer.
    row.expect("add_norm_attn_s", of("add + norm") / 2.0);
    row.expect("add_norm_mlp_s", of("add + norm") / 2.0);
    row.expect("attention_s", of("attention"));
    row.expect("lm_head_s", of("lm_head"));
    if !narrow_weights {
        row.expect("qkv_s", of("qkv"));
        row.expect("o_proj_s", of("o_proj"));
    }
    if row.expected.get("allreduce_attn_s").is_some() {
        row.expect("allreduce_attn_s", of("all-reduce") / 2.0);
    }
    if row.expected.get("router_s").is_some() {
        row.expect("router_s", of("router"));
        // Never more than with every expert that could be reached.
        let experts = of("experts gate_up") + of("experts down");
        assert!(
            experts <= 1.01 * row.expected["moe_experts_s"].as_f64().unwrap(),
            "{}",
            row.id
        );
    } else {
        row.expect("act_mul_s", of("activation"));
        if !narrow_weights {
            row.expect("gate_up_s", of("gate_up"));
            row.expect("down_s", of("down"));
        } else {
            assert!(
                of("gate_up") > row.expected["gate_up_s"].as_f64().unwrap(),
                "{}",
                row.id
            );
        }
    }
}

pub fn decode_totals(row: &Row) {
    let serving = row.serving();
    let norms = serving.model.parameters().norms;
    // They leave the norms out.
    let weights = serving.weights_read() - norms * serving.formats.head.bytes();
    row.expect("weights_read_bytes", weights);
    row.expect("kv_read_bytes", serving.kv_read());
    if row.expected.get("flops").is_some() {
        row.expect("flops", matrix(&llm::operators(&serving).unwrap()));
    }
}

/// Their activations stay on the chip, so that a step that is memory-bound throughout takes what weights and cache take;
/// ours moves activations as well.
pub fn step_time(row: &Row) {
    let serving = row.serving();
    let read = serving.weights_read() + serving.kv_read();
    let without_activations = read / row.input("mem_bw");
    row.expect("time_s", without_activations);
    let operators = llm::operators(&serving).unwrap();
    let placed = place_all(&operators, &device(row), Assumptions::default(), 1.0).unwrap();
    let more = placed.time().get() / without_activations;
    assert!((0.999..1.03).contains(&more), "{}: {more}", row.id);
}

pub fn speculation(row: &Row) {
    let drafted = row.input("draft_tokens");
    let serving = Serving {
        draft_tokens: Some(count(drafted)),
        acceptance: Some(Share::try_from(row.input("acceptance")).unwrap()),
        ..Serving::default()
    };
    let tokens = serving.tokens_per_step();
    // They clamp at what was drafted, though one more token is certain.
    let clamped = row.expected["tokens_per_cycle"].as_f64() == Some(drafted);
    if clamped {
        assert!(tokens > drafted && tokens <= drafted + 1.0, "{}", row.id);
    } else {
        row.expect("tokens_per_cycle", tokens);
    }
}

pub fn kv_per_token(row: &Row) {
    let serving = row.serving();
    let found = serving
        .model
        .kv_bytes_per_token(&ridgepoint::model::llm::Formats::all(NumberFormat::BF16));
    row.expect("kv_bytes_per_token", found);
}
