//! Published figures of models on groups of chips: what fits, divided products and steps, whole trainings and answers.
use super::exact::matrix;
use super::published::{chips, kernel};
use super::row::{Row, count};
use crate::world;
use ridgepoint::files::presets;
use ridgepoint::model::cost::{Level, Operator, Path};
use ridgepoint::model::format::NumberFormat;
use ridgepoint::model::llm::{self, Attention, Formats, Layers, Mixer, Mlp, Phase, Serving};
use ridgepoint::model::measurement::{Measurement, Observation};
use ridgepoint::model::placement::{Assumptions, place_all};
use ridgepoint::model::quantity::{Bytes, Seconds, Share};
use ridgepoint::model::workload::{Collecting, Collective, Family, Gemm, Kind, Raw};

const BF16: NumberFormat = NumberFormat::BF16;

/// A model of this width with equal layers at 16 bits.
fn model(hidden: f64, layers: f64, heads: [f64; 2], mlp: Mlp, vocab: f64) -> Serving {
    let mut serving = Serving::new(Serving::default().model, Formats::all(BF16));
    serving.model.hidden = count(hidden);
    serving.model.vocab = count(vocab);
    serving.model.tied = true;
    let mixer = Mixer::Attention(Attention {
        heads: count(heads[0]),
        kv_heads: count(heads[1]),
        head_dim: count(128.0),
        window: None,
        qkv_bias: false,
        output_bias: false,
        qk_norm: false,
        output_gate: false,
        sinks: false,
    });
    serving.model.layers = vec![Layers {
        count: count(layers),
        mixer,
        mlp,
    }];
    serving
}

/// A model of exactly 70e9 parameters with the cache of Llama 3 70B; the book lets the chips share all of it evenly.
pub fn chips_that_hold_it(row: &Row) {
    let mlp = Mlp::Gated(count(28_672.0));
    let mut serving = model(8000.0, 80.0, [64.0, 8.0], mlp, 393_999.0);
    assert_eq!(serving.model.parameters().total, row.input("params"));
    let per_token = serving.model.kv_bytes_per_token(&serving.formats);
    assert_eq!(per_token, row.input("kv_bytes_per_token"));
    serving.context = count(row.input("context"));
    serving.memory_share = Some(Share::try_from(1.0).unwrap());
    let (chip, chips) = (row.input("chip_bytes"), row.input("chips"));
    let capacity = llm::capacity(&serving, Bytes::try_from(chip * chips).unwrap());
    let weights = capacity.parts.iter().find(|(name, _)| *name == "weights");
    row.expect("min_chips", weights.unwrap().1 / chip);
    row.expect("max_sequences", capacity.most_sequences);
    // Our choice where it differs: 8 KV heads are repeated on 16 chips, so half as many sequences fit.
    serving.tensor_parallel = count(chips);
    let divided = llm::capacity(&serving, Bytes::try_from(chip).unwrap());
    assert_eq!(divided.most_sequences, 21.0);
}

/// One product with its weights divided by rows, and the sum of its parts.
///
/// The book counts of the traffic the weights alone, and of the sum all of the result, also the part that stays at home.
pub fn a_divided_product(row: &Row) {
    let gpus = row.input("tp");
    let product = |weights: NumberFormat| {
        let gemm = Gemm {
            m: count(row.input("batch")),
            n: count(row.input("hidden")),
            k: count(row.input("ffn") / gpus),
            a: BF16,
            b: weights,
            c: BF16,
            ..Gemm::default()
        };
        gemm.cost().unwrap()
    };
    let work = product(BF16).total_work().get();
    row.expect("t_math_s", work / row.input("peak_flops"));
    let traffic = |weights| product(weights).traffic_at(Level::Dram).get();
    let weights = 2.0 * (traffic(BF16) - traffic(NumberFormat::FP8));
    row.expect("t_hbm_s", weights / row.input("mem_bw"));
    let sum = Collective {
        operation: Collecting::ReduceScatter,
        ranks: count(gpus),
        size: Bytes::try_from(2.0 * row.input("batch") * row.input("hidden")).unwrap(),
        ..Collective::default()
    };
    let links = [(Level::ScaleUpLink, row.input("link_bw"))];
    let gpu = world::gpu(Path::matrix(BF16), 1e12, &links);
    let time = world::on(&gpu, Kind::Collective(sum)).time().get();
    row.expect("t_network_s", time * gpus / (gpus - 1.0));
}

/// A GPT of 260e9 parameters on 16 GPUs, by its own operators.
pub fn a_divided_step(row: &Row) {
    let hidden = row.input("hidden");
    let mlp = Mlp::Plain(count(4.0 * hidden));
    let mut serving = model(hidden, row.input("layers"), [128.0, 128.0], mlp, 140_000.0);
    let off = serving.model.parameters().total / row.input("params") - 1.0;
    assert!(off.abs() < 1e-4, "{off}");
    let gpus = row.input("gpus");
    serving.tensor_parallel = count(gpus);
    serving.context = count(1.0);
    let small = serving.weights_read() / row.input("mem_bw");
    row.expect("step_small_batch_s", small);
    serving.batch = count(row.input("batch"));
    let operators = llm::operators(&serving).unwrap();
    row.expect(
        "compute_b512_s",
        matrix(&operators) / row.input("peak_flops"),
    );
    let sums = operators
        .iter()
        .filter(|operator| operator.name == "all-reduce");
    let sent = sums.map(|sum| sum.count * sum.cost.traffic_at(Level::ScaleUpLink).get());
    // Our choice where it differs: of a ring's 2·S a GPU's own part stays at home.
    let sent = sent.sum::<f64>() * gpus / (gpus - 1.0);
    row.expect("comms_b512_s", sent / row.input("link_bw"));
}

/// Work of training per token, and all parameters that are active.
///
/// The published 6·N counts the input embedding as if it were multiplied, and no attention: both are put right here.
fn six_per_parameter(serving: &Serving) -> f64 {
    let mut serving = serving.clone();
    serving.phase = Phase::Training;
    serving.context = count(1.0);
    let operators = llm::operators(&serving).unwrap();
    let parameters = serving.model.parameters();
    let attention = operators.iter().filter(|o| o.name.starts_with("attention"));
    let attention: Vec<_> = attention.cloned().collect();
    let products = matrix(&operators) - matrix(&attention);
    (products + 6.0 * parameters.input_embedding) / parameters.active
}

fn preset(name: &str) -> Serving {
    let preset = presets::find_model(name).unwrap();
    Serving::new(preset.architecture, preset.formats)
}

/// Llama 3 70B: 6 FLOP per parameter and token, for so many tokens, at a share of so many chips' peak.
pub fn training_of_a_dense_model(row: &Row) {
    let per_token = six_per_parameter(&preset("Llama 3.1 70B")) * row.input("params");
    row.expect("flops_per_token", per_token);
    let all = per_token * row.input("tokens");
    row.expect("total_flops", all);
    let training = [Operator::once("training", kernel(all, 1.0))];
    let (chips, mfu) = (chips(row), row.input("mfu"));
    let placed = place_all(&training, &chips, Assumptions::default(), mfu).unwrap();
    row.expect("days", placed.time().get() / 86_400.0);
}

/// DeepSeek V3, as a measured run: what share of the peak that it names was used.
pub fn training_of_experts(row: &Row) {
    let per_token = six_per_parameter(&preset("DeepSeek V3")) * row.input("active_params");
    let all = per_token * row.input("tokens");
    row.expect("model_flops", all);
    let seconds = Seconds::try_from(row.input("gpu_hours") * 3600.0).unwrap();
    let measurement = Measurement {
        observed: Observation::Time(seconds),
        of: Kind::Raw(Raw {
            work: world::quantity(all),
            traffic: world::quantity(1.0),
            format: NumberFormat::FP8,
            ..Raw::default()
        }),
    };
    let gpu = world::gpu(
        Path::matrix(NumberFormat::FP8),
        row.input("peak"),
        &[(Level::Dram, 1e12)],
    );
    let assessed = measurement.assess(&gpu, Assumptions::default()).unwrap();
    row.expect("mfu", assessed.share);
}

/// A prompt read, then token after token: operators that follow one another add up.
pub fn a_whole_answer(row: &Row) {
    let bandwidth = 1e12;
    let gpu = world::gpu(Path::matrix(BF16), 1e15, &[(Level::Dram, bandwidth)]);
    let taking = |seconds: f64| kernel(0.0, seconds * bandwidth);
    let answer = [
        Operator::once("prefill", taking(row.input("prefill_s"))),
        Operator::repeated(
            "token",
            row.input("tokens"),
            taking(row.input("per_token_s")),
        ),
    ];
    let placed = place_all(&answer, &gpu, Assumptions::default(), 1.0).unwrap();
    row.expect("total_s", placed.time().get());
}
