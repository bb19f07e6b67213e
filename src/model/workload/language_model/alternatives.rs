//! Other ways to run a language model: narrower formats, larger batches, more GPUs.
use crate::model::format::NumberFormat;
use crate::model::llm::{Phase, Serving};
use crate::model::placement::Regime;
use crate::model::quantity::{Count, Seconds};
use crate::model::workload::{Alternative, Kind};

/// What a collective among the GPUs of a node takes at the least, in seconds, where nothing else is given.
const COLLECTIVE_LATENCY: f64 = 10e-6;

/// Each with its name and the regime in which it is said to help; only those that differ from how it is run now.
pub(super) fn alternatives(serving: &Serving) -> Vec<Alternative> {
    let mut list = Vec::new();
    let mut offer = |name: String, row: Regime, change: &dyn Fn(&mut Serving)| {
        let mut changed = serving.clone();
        change(&mut changed);
        if changed != *serving {
            list.push((name, row, Kind::LanguageModel(changed)));
        }
    };
    let formats = &serving.formats;
    if formats.weights.bits() > 8 {
        offer("8-bit weights".to_owned(), Regime::MemoryBound, &|s| {
            s.formats.weights = NumberFormat::FP8;
        });
    }
    if formats.weights.bits() > 4 {
        let name = "4-bit weights, groups of 128".to_owned();
        offer(name, Regime::MemoryBound, &|s| {
            s.formats.weights = NumberFormat::INT4;
            s.formats.group = Some(Count::constant(128.0));
        });
    }
    if formats.kv.bits() > 8 {
        offer("8-bit KV cache".to_owned(), Regime::MemoryBound, &|s| {
            s.formats.kv = NumberFormat::FP8;
        });
    }
    if serving.phase == Phase::Decode {
        for batch in [64.0, 256.0, 1024.0] {
            if batch > serving.batch.get() {
                let name = format!("Batch {batch} sequences");
                let batch = Count::constant(batch);
                offer(name, Regime::MemoryBound, &|s| s.batch = batch);
                break;
            }
        }
    }
    if formats.activations.bits() > 8 {
        let name = "8-bit weights and activations".to_owned();
        offer(name, Regime::ComputeBound, &|s| {
            s.formats.weights = NumberFormat::FP8;
            s.formats.activations = NumberFormat::FP8;
        });
    }
    let gpus = serving.tensor_parallel.get();
    if let Ok(twice) = Count::try_from(2.0 * gpus) {
        // Free collectives would make it look twice as fast.
        let usual = Seconds::constant(COLLECTIVE_LATENCY);
        let latency = serving.collective_latency.unwrap_or(usual);
        let name = format!("Tensor parallel over {twice} GPUs, {latency} per collective");
        offer(name, Regime::MemoryBound, &|s| {
            s.tensor_parallel = twice;
            s.collective_latency = Some(latency);
        });
    }
    if gpus > 1.0 {
        offer("One GPU".to_owned(), Regime::CommunicationBound, &|s| {
            s.tensor_parallel = Count::ONE;
        });
    }
    list
}
