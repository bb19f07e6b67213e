//! Laws that hold for every built-in model: batching, parallelism, prefill against decode, one number against operators.
use proptest::prelude::*;
use ridgepoint::files::presets::{self, ModelPreset};
use ridgepoint::model::cost::{ComputeUnit, Operator};
use ridgepoint::model::gpu::Gpu;
use ridgepoint::model::llm::{self, Mixer, Phase, Serving};
use ridgepoint::model::parameter::Slot;
use ridgepoint::model::placement::{Assumptions, Overlap, Placement, place_all};
use ridgepoint::model::quantity::{Count, Ratio};
use ridgepoint::model::session::Workload;
use ridgepoint::model::sweep::{self, Sweep};
use ridgepoint::model::what_if;
use ridgepoint::model::workload::{Family, Kind, TextSlot};
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

fn named(name: &str) -> Serving {
    serving(
        models()
            .iter()
            .find(|m| m.architecture.name == name)
            .unwrap(),
    )
}

fn results(serving: &Serving) -> llm::Results {
    let placed = place(serving, Overlap::Full);
    llm::results(serving, h100(), Assumptions::default(), &placed)
}

fn ratio(value: f64) -> Option<Ratio> {
    Some(Ratio::try_from(value).unwrap())
}

fn is_close(found: f64, expected: f64) -> bool {
    (found / expected - 1.0).abs() < 1e-12
}

/// Dollars per million tokens are price ÷ 3600 ÷ tokens/s × 1e6, of all GPUs; joules need a measured power.
#[test]
fn price_and_power_become_dollars_and_joules() {
    let plain = Serving {
        batch: count(32.0),
        tensor_parallel: count(8.0),
        ..named("Llama 3.1 70B")
    };
    let step = place(&plain, Overlap::Full).time().get();
    let found = results(&plain);
    assert!(is_close(found.tokens_per_second, 32.0 / step));
    let none = [
        found.dollars_per_million,
        found.joules_per_token,
        found.most_joules_per_token,
    ];
    assert_eq!(none, [None; 3]);
    let priced = Serving {
        price: ratio(2.5),
        ..plain.clone()
    };
    let dollars = results(&priced).dollars_per_million.unwrap();
    assert!(is_close(dollars, 2.5 * 8.0 / 3600.0 / (32.0 / step) * 1e6));
    // A TDP says at most how much, and is never taken for a measurement.
    let allowed = Serving {
        board_power: ratio(700.0),
        ..plain.clone()
    };
    let found = results(&allowed);
    assert_eq!(found.joules_per_token, None);
    assert!(is_close(
        found.most_joules_per_token.unwrap(),
        700.0 * 8.0 * step / 32.0
    ));
    let measured = Serving {
        power: ratio(400.0),
        ..plain
    };
    let found = results(&measured);
    assert_eq!(found.most_joules_per_token, None);
    assert!(is_close(
        found.joules_per_token.unwrap(),
        400.0 * 8.0 * step / 32.0
    ));
}

#[test]
fn contexts_that_differ_read_their_mean_and_are_limited_by_the_longest() {
    let mut serving = Serving {
        batch: count(16.0),
        ..named("Qwen3 8B")
    };
    let mut contexts = serving.distribution.take();
    contexts.set_text("50 % 1k, 50 % 8k").unwrap();
    serving.distribution = contexts;
    // 147,456 B per token, as the model's index of samples says.
    assert_eq!(serving.kv_read(), 16.0 * 4500.0 * 147_456.0);
    let alike = Serving {
        distribution: None,
        context: count(4500.0),
        ..serving.clone()
    };
    let (spread, even) = (results(&serving), results(&alike));
    assert!(is_close(spread.tokens_per_second, even.tokens_per_second));
    assert_eq!(serving.longest_context(), 8000.0);
    assert_eq!(serving.beyond_limit(), None);
    serving.model.max_context = Some(count(4096.0));
    assert!(serving.beyond_limit().unwrap().contains("4096 tokens"));
}

/// Mixtral reads 8·(1 − 0.75^4) = 5.46875 experts of each layer for four tokens; fewer where they agree.
#[test]
fn experts_that_are_chosen_unevenly_are_read_less() {
    let read = |batch: f64, skew: Option<f64>| {
        let serving = Serving {
            batch: count(batch),
            expert_skew: skew.and_then(ratio),
            ..named("Mixtral 8x7B")
        };
        serving.weights_read()
    };
    let expert = 3.0 * 4096.0 * 14_336.0 * 2.0;
    let more = read(4.0, None) - read(1.0, None);
    assert!(is_close(more, 32.0 * (5.468_75 - 2.0) * expert), "{more}");
    assert_eq!(read(4.0, Some(0.0)), read(4.0, None));
    let mut last = read(4.0, None);
    for skew in [0.5, 1.0, 1.5, 2.0] {
        let now = read(4.0, Some(skew));
        assert!(
            now < last && now >= read(1.0, None) * (1.0 - 1e-12),
            "{skew}"
        );
        last = now;
    }
}

/// What is said of a token is what is allocated for one; the indexer's keys are told apart, and all of them are read.
#[test]
fn an_indexer_adds_its_keys_to_what_is_allocated_and_read() {
    let serving = named("DeepSeek V3.2");
    let (model, formats) = (&serving.model, &serving.formats);
    let element = formats.kv.bytes();
    let kv = model.kv_bytes_per_token(formats);
    let index = model.index_bytes_per_token(formats);
    assert_eq!(kv, 61.0 * (512.0 + 64.0) * element);
    assert_eq!(index, 61.0 * 128.0 * element);
    for context in [1000.0, 100_000.0] {
        assert_eq!(llm::allocated(&serving, context), context * (kv + index));
        let read = model.kv_read_bytes(context, formats);
        assert_eq!(read, f64::min(context, 2048.0) * kv + context * index);
    }
    let formula = serving.formula().join("\n");
    assert!(formula.contains("of the indexer's keys"), "{formula}");
}

#[test]
fn a_context_beyond_the_models_is_doubted_where_it_is_placed() {
    let mut workload = Workload::new("w", Kind::LanguageModel(named("Qwen3 8B")));
    let warnings = |workload: &Workload| {
        let placed = workload.place_on(h100(), Assumptions::default()).unwrap();
        placed.warnings
    };
    assert_eq!(warnings(&workload), Vec::<String>::new());
    workload.kind = workload.kind.with("context", 1e6).unwrap();
    let told = warnings(&workload);
    assert!(told[0].starts_with("does not fit: KV cache"), "{told:?}");
    assert!(told[1].contains("beyond the 40,960 tokens"), "{told:?}");
    let sweep = Sweep {
        parameter: "context".to_owned(),
        values: vec![4096.0, 1e6],
    };
    let swept = sweep::run(&sweep, &workload, h100(), Assumptions::default()).unwrap();
    let rows = swept.rows.iter().map(|row| row.outcome.as_ref().unwrap());
    let rows: Vec<_> = rows.map(|row| (row.is_beyond, row.fits)).collect();
    assert_eq!(rows, [(false, Some(true)), (true, Some(false))]);
}

#[test]
fn what_would_help_says_where_the_memory_does_not_hold_it() {
    let kind = Kind::LanguageModel(named("Llama 3.1 70B"));
    let workload = Workload::new("w", kind.with("batch", 16.0).unwrap());
    let fixes = what_if::fixes(&workload, h100(), Assumptions::default());
    // 141 GB in 16 bits do not fit 72 GB, 70.6 GB in 8 bits leave room for a short cache, and 35 GB do.
    let fits = |name: &str| {
        let fix = fixes.iter().find(|fix| fix.name.starts_with(name)).unwrap();
        assert!(fix.helps() != fix.does_not_fit, "{name}");
        !fix.does_not_fit
    };
    assert!(!fits("Batch 64 sequences"));
    assert!(fits("4-bit weights"));
    // A collective takes its time: not quite twice as fast.
    let parallel = fixes.iter().find(|fix| fix.name.starts_with("Tensor"));
    let parallel = parallel.unwrap();
    assert!(parallel.time_factor > 1.5 && parallel.time_factor < 1.98);
}

/// What one link cannot connect is said, and a probability above one is none.
#[test]
fn a_group_beyond_a_node_and_a_share_beyond_one_are_told() {
    let over = |gpus: f64| {
        let serving = Serving {
            tensor_parallel: count(gpus),
            ..named("Llama 3.1 70B")
        };
        serving.leaves_out().join("; ")
    };
    assert!(!over(8.0).contains("scale-up link"));
    assert!(over(16.0).contains("all 16 GPUs are taken to share one scale-up link"));
    let mut serving = Serving {
        draft_tokens: Some(count(3.0)),
        ..named("Llama 3.1 8B")
    };
    for name in ["acceptance", "memory_share"] {
        let mut parameters = serving.parameters();
        let parameter = parameters.iter_mut().find(|p| p.name == name);
        let Slot::Number(slot) = &mut parameter.unwrap().slot else {
            panic!("{name} is a number");
        };
        assert!(slot.set(Some(1.0)).is_ok());
        let refused = slot.set(Some(7.0)).unwrap_err().to_string();
        assert_eq!(refused, "7 is more than 1, the most it can be");
        assert_eq!(slot.value(), Some(1.0), "what was good stays");
    }
}
