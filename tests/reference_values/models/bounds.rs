//! What must only be bounded: measured steps, and the figures of known bugs, which must not be matched.
use super::row::{Row, count};
use crate::world;
use ridgepoint::files::presets;
use ridgepoint::model::cost::{Cost, Level, Path};
use ridgepoint::model::format::NumberFormat;
use ridgepoint::model::llm::{self, Mask, Phase};
use ridgepoint::model::placement::{Assumptions, Estimate, place_all};
use ridgepoint::model::quantity::{ByteRate, Bytes, FlopRate, Quantity};
use ridgepoint::model::workload::{Append, AttentionDecode, Cache, Family};

/// No measured step beats the roofs; the realistic estimate comes near it.
pub fn measured(row: &Row) {
    let name = match row.inputs["device"].as_str().unwrap() {
        "h100_sxm" => "H100 SXM",
        _ => "A100 SXM 80GB",
    };
    let gpu = presets::find_gpu(name).unwrap().gpu;
    let mut serving = row.serving();
    if row.id.contains("kvcache_fp8") {
        serving.formats.kv = NumberFormat::FP8;
    }
    if row.inputs["phase"] == "prefill" {
        serving.phase = Phase::Prefill;
        serving.mask = Mask::Halved;
    }
    serving.context = count(row.input("context"));
    let operators = llm::operators(&serving).unwrap();
    let measured = row.expected["measured_total_s"].as_f64().unwrap();
    let time = |estimate: Estimate| {
        let assumptions = Assumptions {
            estimate,
            ..Assumptions::default()
        };
        let efficiency = assumptions.efficiency(None);
        let placed = place_all(&operators, &gpu, assumptions, efficiency).unwrap();
        placed.time().get()
    };
    let bound = time(Estimate::Bound);
    // Routing in their benchmark is skewed, so that fewer experts are read than expected evenly.
    let skewed = row.id.contains("a3b") || row.id.contains("mixtral");
    assert!(
        bound <= measured || skewed,
        "{}: {bound} against {measured}",
        row.id
    );
    assert!(
        measured <= 2.2 * bound || row.id.contains("a3b"),
        "{}: {bound} against {measured}",
        row.id
    );
    let ratio = time(Estimate::Realistic) / measured;
    println!(
        "{}: bound {:.3}, realistic {ratio:.3} of measured",
        row.id,
        bound / measured
    );
    assert!(
        (0.6..1.6).contains(&ratio),
        "{}: realistic is {ratio} of measured",
        row.id
    );
}

/// The right figures beside the wrong ones: these are matched, so the bug is not.
pub fn not_the_bug(row: &Row) {
    let name = row.inputs["model"].as_str().unwrap();
    let described =
        |other: &Row| other.inputs["model"] == *name && !other.inputs["hidden"].is_null();
    let model = super::row::rows()
        .into_iter()
        .find(described)
        .unwrap()
        .architecture();
    let serving = llm::Serving {
        batch: count(row.input("batch")),
        context: count(row.input("context")),
        ..llm::Serving::new(model, llm::Formats::all(NumberFormat::BF16))
    };
    if let Some(right) = row.expected["kv_bytes_correct"].as_f64() {
        assert_eq!(serving.kv_read(), right, "{}", row.id);
    }
    if let Some(right) = row.expected["params_correct"].as_f64() {
        assert_eq!(serving.model.parameters().total, right, "{}", row.id);
    }
}

/// FlashMLA on an H800, of which every point is there: none is faster than our bound.
///
/// They count the cache alone, we also queries and results; without those the distances are theirs to the digit. The
/// points are `bench_data/mla/decode/h800` of alibaba/InferSim, Apache-2.0.
pub fn measured_latent_attention(row: &Row) {
    let roofs = &row.inputs["h800"];
    let roof = |name: &str| roofs[name].as_f64().unwrap();
    let bandwidth = [(Level::Dram, roof("bw"))];
    let gpu = world::gpu(Path::matrix(NumberFormat::BF16), roof("bf16"), &bandwidth);
    let mut times = Vec::new();
    let mut ratios = Vec::new();
    for line in include_str!("../../data/infersim_mla_decode_h800.csv")
        .lines()
        .skip(1)
    {
        let fields: Vec<_> = line.split(',').collect();
        let number = |index: usize| fields[index].parse::<f64>().unwrap();
        let (batch, context, measured) = (number(2), number(3), number(4) * 1e-6);
        let attention = AttentionDecode {
            cache: Cache::Latent,
            batch: count(batch),
            heads: count(128.0),
            context: count(context),
            append: Append::Elsewhere,
            activations: NumberFormat::BF16,
            kv: NumberFormat::BF16,
            ..AttentionDecode::default()
        };
        let operators = attention.operators().unwrap();
        let core = operators.into_iter().find(|o| o.name == "attention");
        let mut cost = core.unwrap().cost;
        let bound = |cost: &Cost| world::placed(cost, &gpu).time().get();
        let ours = bound(&cost);
        assert!(ours < measured, "{line}: {ours}");
        let queries_and_results = batch * 128.0 * (576.0 + 512.0) * 2.0;
        let cache = cost.traffic_at(Level::Dram).get() - queries_and_results;
        cost.traffic = vec![(Level::Dram, Bytes::try_from(cache).unwrap())];
        times.push(measured);
        ratios.push(measured / bound(&cost));
    }
    let expected = |name: &str| row.expected[name]["mla_decode_h800"].as_f64().unwrap();
    assert_eq!(row.inputs["points"]["mla_decode_h800"], ratios.len());
    times.sort_by(f64::total_cmp);
    ratios.sort_by(f64::total_cmp);
    // As many digits as the row has.
    let close = |found: f64, name: &str| (found / expected(name) - 1.0).abs() < 1e-3;
    assert!(close(ratios[0], "min_measured_over_bound"), "{}", ratios[0]);
    assert!(close(ratios[ratios.len() / 2], "median"), "{}", ratios[20]);
    assert!(close(times[0], "fastest_s"), "{}", times[0]);
}

/// Our one-number model is not theirs, which leaves out a matrix of gated MLPs and the output head.
pub fn not_their_one_number(row: &Row) {
    let name = match row.inputs["model"].as_str().unwrap() {
        "LLAMA2_70B" => "Llama 2 70B",
        "LLAMA2_7B" => "Llama 2 7B",
        _ => "Mixtral 8x7B",
    };
    let preset = presets::find_model(name).unwrap();
    let serving = llm::Serving {
        batch: count(row.input("batch")),
        context: count(row.input("kv_len")),
        ..llm::Serving::new(preset.architecture, preset.formats)
    };
    let cost = serving.cost().unwrap();
    let ours = cost.intensity_at(Level::Dram).unwrap().get();
    let theirs = row.expected["intensity_peer"].as_f64().unwrap();
    assert!((ours / theirs - 1.0).abs() > 0.005, "{}: {ours}", row.id);
}

/// GB/s are 1e9 and GiB/s 2^30 bytes per second, TFLOP/s 1e12: nothing is taken for the other.
pub fn not_their_units(row: &Row) {
    let rate = |text: &str| ByteRate::parse(text).unwrap().get();
    let factor = rate("1 GiB/s") / rate("1 GB/s");
    for peer in ["genz_bandwidth_factor", "infersim_bandwidth_factor"] {
        row.expect(peer, factor);
    }
    let peak = FlopRate::parse("1 TFLOP/s").unwrap();
    assert_eq!([rate("1 GB/s"), peak.get()], [1e9, 1e12]);
}
