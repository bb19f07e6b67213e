//! Published figures: papers, books and model cards.
use super::exact::matrix;
use super::row::{Row, count};
use ridgepoint::model::cost::{Cost, Level, Operator, Path};
use ridgepoint::model::format::NumberFormat;
use ridgepoint::model::gpu::{ComputeRoof, Gpu, MemoryRoof, Sourced};
use ridgepoint::model::llm::{self, Mask, Phase, Serving};
use ridgepoint::model::placement::{Assumptions, place_all};
use ridgepoint::model::quantity::{ByteRate, Bytes, FlopRate, Flops, Share};
use ridgepoint::model::workload::{Decode, Family};

pub fn active_parameters(row: &Row) {
    let found = row.architecture().parameters();
    row.expect("params_total", found.total);
    row.expect("params_active", found.active);
}

/// Work per token and layer of DeepSeek V3: latent attention, experts, and the projections around them.
pub fn deepseek_work(row: &Row) {
    let context = row.or("context", row.or("seq", 4989.0));
    let serving = Serving {
        phase: Phase::Decode,
        context: count(context),
        mask: Mask::Full,
        ..row.serving()
    };
    let operators = llm::operators(&serving).unwrap();
    let of = |name: &str| -> f64 {
        let named = operators.iter().filter(|o| o.name == name);
        named.map(|o| o.cost.work[0].1.get()).sum()
    };
    row.expect("attn_core_flops_per_token_layer", of("attention"));
    let experts = [
        "experts gate_up",
        "experts down",
        "shared gate_up",
        "shared down",
    ];
    row.expect(
        "moe_flops_per_token_layer",
        experts.iter().map(|name| of(name)).sum(),
    );
    let others = ["q_a + kv_a", "q_b", "kv_b", "o_proj"];
    row.expect(
        "other_flops_per_token_layer",
        others.iter().map(|name| of(name)).sum(),
    );
}

pub fn speculation(row: &Row) {
    let serving = Serving {
        draft_tokens: Some(count(row.input("gamma"))),
        acceptance: Some(Share::try_from(row.input("alpha")).unwrap()),
        ..Serving::default()
    };
    // With a draft that costs nothing the gain in tokens is the speed-up.
    row.expect("speedup", serving.tokens_per_step());
    row.expect(
        "ops_factor",
        (row.input("gamma") + 1.0) / serving.tokens_per_step(),
    );
}

/// Chips that share everything evenly, as one device.
pub fn chips(row: &Row) -> Gpu {
    let chips = row.input("chips");
    let mut gpu = Gpu::empty("chips");
    let peak = FlopRate::try_from(chips * row.or("peak_flops", 197e12)).unwrap();
    let peak = Sourced::theoretical(peak, "reference row");
    gpu.compute
        .push(ComputeRoof::new(Path::matrix(NumberFormat::BF16), peak));
    let bandwidth = ByteRate::try_from(chips * row.or("mem_bw", 820e9)).unwrap();
    let bandwidth = Sourced::theoretical(bandwidth, "reference row");
    gpu.memory.push(MemoryRoof::new(Level::Dram, bandwidth));
    gpu
}

pub fn kernel(work: f64, traffic: f64) -> Cost {
    let (work, traffic) = (
        Flops::try_from(work).unwrap(),
        Bytes::try_from(traffic).unwrap(),
    );
    Cost::kernel(Path::matrix(NumberFormat::BF16), work, traffic)
}

fn step(row: &Row, operators: &[Operator]) -> f64 {
    let placed = place_all(operators, &chips(row), Assumptions::default(), 1.0);
    placed.unwrap().time().get()
}

/// The simple decode step by parameter count.
pub fn tpu_decode(row: &Row) {
    let batch = row.input("batch");
    let decode = Decode {
        parameters: count(row.input("params")),
        bytes_per_parameter: Bytes::try_from(row.input("param_bytes") / row.input("params"))
            .unwrap(),
        batch: count(batch),
        format: NumberFormat::BF16,
        kv_bytes_per_token: Some(Bytes::try_from(row.input("kv_bytes_per_seq")).unwrap()),
        context: Some(count(1.0)),
        ..Decode::default()
    };
    let step = step(row, &decode.operators().unwrap());
    row.expect("step_s", step);
    row.expect("tokens_per_s", batch / step);
}

/// KV cache and weights one after the other: attention never hides behind the products.
pub fn tpu_decode_in_two_operators(row: &Row) {
    let batch = row.input("batch");
    let cache = batch * row.input("context") * row.input("kv_bytes_per_token");
    let products = kernel(2.0 * batch * row.input("params"), row.input("param_bytes"));
    let operators = [
        Operator::once("attention", kernel(0.0, cache)),
        Operator::once("products", products),
    ];
    row.expect("step_s", step(row, &operators));
}

pub fn bytes_over_bandwidth(row: &Row) {
    let step = step(
        row,
        &[Operator::once("", kernel(0.0, row.input("total_bytes")))],
    );
    row.expect("step_s", step);
    row.expect("tokens_per_s", row.input("batch") / step);
}

pub fn parameters_and_cache(row: &Row) {
    let mut model = Serving::default().model;
    model.hidden = count(row.input("hidden"));
    model.vocab = count(row.input("vocab"));
    model.layers[0].count = count(row.input("layers"));
    model.layers[0].mlp = llm::Mlp::Gated(count(row.input("ffn")));
    model.layers[0].mixer = llm::Mixer::Attention(llm::Attention {
        heads: count(32.0),
        kv_heads: count(32.0),
        head_dim: count(row.input("heads_x_dim") / 32.0),
        window: None,
        qkv_bias: false,
        output_bias: false,
        qk_norm: false,
        output_gate: false,
        sinks: false,
    });
    let norms = row.input("norm_params_per_layer") / row.input("hidden");
    model.norms_per_layer = Some(count(norms));
    let found = model.parameters();
    // The book has no norm after the last layer.
    row.expect("params", found.total - row.input("hidden"));
    let formats = llm::Formats::all(ridgepoint::model::format::NumberFormat::INT8);
    row.expect("kv_bytes_per_token", model.kv_bytes_per_token(&formats));
}

/// GPT-3 trained with activations computed again, by the work of its operators.
pub fn training_days(row: &Row) {
    let mut serving = Serving {
        phase: Phase::Training,
        recompute: llm::Recompute::Full,
        batch: count(1.0),
        context: count(2048.0),
        ..Serving::default()
    };
    serving.model.hidden = count(12_288.0);
    serving.model.vocab = count(51_200.0);
    serving.model.tied = true;
    serving.model.layers[0].count = count(96.0);
    serving.model.layers[0].mlp = llm::Mlp::Plain(count(49_152.0));
    if let llm::Mixer::Attention(attention) = &mut serving.model.layers[0].mixer {
        (attention.heads, attention.kv_heads) = (count(96.0), count(96.0));
    }
    let parameters = serving.model.parameters().total;
    assert!(
        (parameters / row.input("params") - 1.0).abs() < 0.01,
        "{parameters}"
    );
    let per_token = matrix(&llm::operators(&serving).unwrap()) / 2048.0;
    let rate = row.input("gpus") * row.input("achieved_flops_per_gpu");
    row.expect("days", per_token * row.input("tokens") / rate / 86_400.0);
}
