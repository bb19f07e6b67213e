//! What must only be bounded: measured steps, and the figures of known bugs, which must not be matched.
use crate::row::{Row, count};
use ridgepoint::files::presets;
use ridgepoint::model::format::NumberFormat;
use ridgepoint::model::llm::{self, Mask, Phase};
use ridgepoint::model::placement::{Assumptions, Estimate, place_all};

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
    let model = crate::rows()
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
