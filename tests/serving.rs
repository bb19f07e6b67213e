//! Laws that hold for every built-in model: batching, parallelism, prefill against decode, one number against operators.
use proptest::prelude::*;
use ridgepoint::files::presets::{self, ModelPreset};
use ridgepoint::model::cost::{ComputeUnit, Operator};
use ridgepoint::model::gpu::Gpu;
use ridgepoint::model::llm::{self, Mixer, Phase, Serving};
use ridgepoint::model::placement::{Assumptions, Overlap, Placement, place_all};
use ridgepoint::model::quantity::Count;
use std::sync::LazyLock;

fn count(value: f64) -> Count {
    Count::try_from(value).unwrap()
}

/// Reading them takes longer than placing them.
static MODELS: LazyLock<Vec<ModelPreset>> = LazyLock::new(presets::all_models);

fn models() -> &'static [ModelPreset] {
    &MODELS
}

fn serving(model: &ModelPreset) -> Serving {
    Serving::new(model.architecture.clone(), model.formats.clone())
}

static H100: LazyLock<Gpu> = LazyLock::new(|| presets::find_gpu("H100 SXM").unwrap().gpu);

fn h100() -> &'static Gpu {
    &H100
}

fn place(serving: &Serving, overlap: Overlap) -> Placement {
    let assumptions = Assumptions {
        overlap,
        ..Assumptions::default()
    };
    let operators = llm::operators(serving).unwrap();
    place_all(&operators, h100(), assumptions, 1.0).unwrap()
}

fn matrix(operators: &[Operator]) -> f64 {
    let works = operators.iter().flat_map(|operator| {
        let matrix = operator.cost.work.iter();
        let matrix = matrix.filter(|(path, _)| path.unit == ComputeUnit::Matrix);
        matrix.map(|(_, work)| work.get() * operator.count)
    });
    works.sum()
}

fn index() -> impl Strategy<Value = usize> {
    0..models().len()
}

#[test]
fn every_model_runs_in_every_phase() {
    for model in models() {
        for phase in [Phase::Decode, Phase::Prefill, Phase::Mixed, Phase::Training] {
            let serving = Serving {
                phase,
                ..serving(model)
            };
            let placed = place(&serving, Overlap::Full);
            assert!(placed.time().get() > 0.0, "{} {phase:?}", model.id);
            let gpu = h100();
            let results = llm::results(&serving, gpu, Assumptions::default(), &placed);
            assert!(results.tokens_per_second > 0.0 && results.capacity.is_some());
            let used = results.model_flops_utilisation.unwrap();
            assert!(
                (0.0..=1.0 + 1e-9).contains(&used),
                "{} {phase:?}: MFU {used}",
                model.id
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// t1 <= t2 <= t3: all at once, operators one after the other, nothing overlapped.
    #[test]
    fn one_number_is_optimistic(index in index(), batch in 1u32..2000, context in 1u32..20_000) {
        let serving = Serving {
            batch: count(f64::from(batch)),
            context: count(f64::from(context)),
            ..serving(&models()[index])
        };
        let overlapped = place(&serving, Overlap::Full);
        let serial = place(&serving, Overlap::None);
        let one = overlapped.one_number_time.unwrap().get();
        let (sum, none) = (overlapped.roof_time.get(), serial.roof_time.get());
        prop_assert!(one <= sum * (1.0 + 1e-9) && sum <= none * (1.0 + 1e-9), "{one} {sum} {none}");
    }

    /// Tokens per second never fall with the batch, and never rise for a user.
    #[test]
    fn batching_pays_in_all_and_costs_each(index in index(), batch in 1u32..3000, context in 1u32..8000) {
        let rate = |batch: f64| {
            let serving = Serving {
                batch: count(batch),
                context: count(f64::from(context)),
                ..serving(&models()[index])
            };
            batch / place(&serving, Overlap::Full).time().get()
        };
        let batch = f64::from(batch);
        let (now, next) = (rate(batch), rate(batch + 1.0));
        prop_assert!(next >= now * (1.0 - 1e-9), "{now} {next}");
        prop_assert!(next / (batch + 1.0) <= now / batch * (1.0 + 1e-9));
    }

    /// The work of a prefill is that of decoding its tokens one by one, logits aside.
    #[test]
    fn a_prefill_is_its_tokens_decoded_one_by_one(index in index(), prompt in 1u32..40) {
        let model = &models()[index];
        // Absorbed decode and expanded prefill of latent attention are different algorithms.
        let latent = model.architecture.layers.iter().any(|l| matches!(l.mixer, Mixer::Latent(_)));
        prop_assume!(!latent);
        let work = |phase, context: u32| {
            let serving = Serving {
                phase,
                context: count(f64::from(context)),
                ..serving(model)
            };
            let mut operators = llm::operators(&serving).unwrap();
            operators.retain(|operator| operator.name != "lm_head");
            matrix(&operators)
        };
        let decoded: f64 = (1..=prompt).map(|context| work(Phase::Decode, context)).sum();
        let read = work(Phase::Prefill, prompt);
        prop_assert!((read / decoded - 1.0).abs() < 1e-9, "{read} {decoded}");
    }

    /// In chunks or at once, a prompt is the same work.
    #[test]
    fn chunks_do_the_same_work(index in index(), first in 1u32..500, second in 1u32..500) {
        let model = &models()[index];
        let latent = model.architecture.layers.iter().any(|l| matches!(l.mixer, Mixer::Latent(_)));
        prop_assume!(!latent);
        let work = |cached: Option<u32>, prompt: u32| {
            let serving = Serving {
                phase: Phase::Prefill,
                context: count(f64::from(prompt)),
                cached: cached.map(|cached| count(f64::from(cached))),
                ..serving(model)
            };
            let mut operators = llm::operators(&serving).unwrap();
            operators.retain(|operator| operator.name != "lm_head");
            matrix(&operators)
        };
        let whole = work(None, first + second);
        let chunked = work(None, first) + work(Some(first), first + second);
        prop_assert!((whole / chunked - 1.0).abs() < 1e-9, "{whole} {chunked}");
    }

    /// Divided over n GPUs, the weights of all of them are those of one and what is repeated.
    #[test]
    fn tensor_parallel_divides_the_weights(index in index(), doublings in 0u32..4) {
        let gpus = f64::from(1u32 << doublings);
        let one = serving(&models()[index]);
        let many = Serving { tensor_parallel: count(gpus), ..one.clone() };
        prop_assume!(llm::operators(&many).is_ok());
        let (alone, each) = (llm::stored_weights(&one), llm::stored_weights(&many));
        prop_assert!(each * gpus >= alone * (1.0 - 1e-12));
        prop_assert!(each * gpus <= alone * 1.05, "{} {alone}", each * gpus);
    }
}
