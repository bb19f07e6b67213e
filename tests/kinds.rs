//! Every kind of workload from outside: laws that hold for any of them, whatever its parameters.
use proptest::prelude::*;
use ridgepoint::files::presets;
use ridgepoint::model::cost::{ComputeUnit, Level, Path};
use ridgepoint::model::format::NumberFormat;
use ridgepoint::model::gpu::{ComputeRoof, Gpu, MemoryRoof, Sourced};
use ridgepoint::model::placement::{Assumptions, Overlap, Placement, Regime, Resource, Unplaced};
use ridgepoint::model::quantity::{Count, Quantity, Ratio, Seconds};
use ridgepoint::model::session::{NotPlaced, Workload};
use ridgepoint::model::sweep::{self, Sweep};
use ridgepoint::model::units::{self, Unit};
use ridgepoint::model::what_if;
use ridgepoint::model::workload::*;

/// A device with every roof a kind asks for: special functions at a sixteenth of the vector peak.
fn gpu(scale: f64) -> Gpu {
    let mut gpu = Gpu::empty("GPU");
    let paths = [
        (Path::matrix(NumberFormat::FP16), 990e12),
        (Path::vector(NumberFormat::FP64), 33e12),
        (Path::vector(NumberFormat::FP32), 67e12),
        (Path::SPECIAL, 4e12),
    ];
    for (path, peak) in paths {
        let peak = Sourced::theoretical((peak * scale).try_into().unwrap(), "");
        gpu.compute.push(ComputeRoof::new(path, peak));
    }
    let levels = [
        (Level::Dram, 3.35e12),
        (Level::L2, 7e12),
        (Level::ScaleUpLink, 450e9),
        (Level::Network, 50e9),
    ];
    for (level, bandwidth) in levels {
        let bandwidth = Sourced::theoretical((bandwidth * scale).try_into().unwrap(), "");
        gpu.memory.push(MemoryRoof::new(level, bandwidth));
    }
    gpu
}

fn on(gpu: &Gpu, kind: &Kind) -> Result<Placement, NotPlaced> {
    Workload::new("w", kind.clone()).place_on(gpu, Assumptions::default())
}

fn without_overlap(gpu: &Gpu, kind: &Kind) -> Placement {
    let assumptions = Assumptions {
        overlap: Overlap::None,
        ..Assumptions::default()
    };
    let workload = Workload::new("w", kind.clone());
    workload.place_on(gpu, assumptions).unwrap()
}

/// Takes every choice of a kind by a number, and every whole number near its own by a factor.
fn changed(mut kind: Kind, choices: u64, factors: &[f64]) -> Kind {
    let mut rest = choices;
    let mut parameters = kind.family_mut().parameters();
    for parameter in &mut parameters {
        match &mut parameter.slot {
            Slot::Choice(slot) => {
                let options = slot.names().len() as u64;
                slot.choose((rest % options) as usize);
                rest /= options;
            }
            Slot::Unit(unit) => {
                **unit = ComputeUnit::ALL[(rest % 2) as usize];
                rest /= 2;
            }
            _ => {}
        }
    }
    drop(parameters);
    let names = kind.numeric_parameters();
    for (name, factor) in names.iter().zip(factors.iter().cycle()) {
        let value = kind.number(name).unwrap_or(2.0) * factor;
        let whole = value.round().max(1.0);
        // What contradicts the other parameters is refused, and then stays as it was.
        kind = kind.with(name, whole).unwrap_or(kind);
    }
    kind
}

fn any_kind() -> impl Strategy<Value = Kind> {
    let factors = proptest::collection::vec((-2.0..2.0f64).prop_map(|d| 4f64.powf(d)), 12);
    let examples = Kind::examples();
    (0..examples.len(), any::<u64>(), factors)
        .prop_map(move |(index, choices, factors)| {
            changed(examples[index].clone(), choices, &factors)
        })
        // Choices may contradict each other; the panel takes such a one back.
        .prop_filter("contradictory choices", |kind| kind.family().cost().is_ok())
}

proptest! {
    #[test]
    fn one_number_is_at_most_the_sum_and_that_at_most_the_sum_without_overlap(kind in any_kind()) {
        let gpu = gpu(1.0);
        let Ok(placed) = on(&gpu, &kind) else { return Ok(()) };
        let sum = placed.roof_time.get();
        let serial = without_overlap(&gpu, &kind).roof_time.get();
        let one_number = placed.one_number_time.map_or(sum, Seconds::get);
        let close = 1.0 + 1e-9;
        prop_assert!(one_number <= sum * close, "{one_number} {sum}");
        prop_assert!(sum <= serial * close, "{sum} {serial}");
        // As many terms as there are can add up.
        prop_assert!(serial <= one_number * placed.terms.len() as f64 * close);
    }

    #[test]
    fn attainable_is_under_both_roofs(kind in any_kind()) {
        let Ok(placed) = on(&gpu(1.0), &kind) else { return Ok(()) };
        let Some(attainable) = placed.attainable() else { return Ok(()) };
        let close = 1.0 + 1e-9;
        let level = placed.memory_roof.zip(placed.intensity());
        if let Some((bandwidth, intensity)) = level {
            prop_assert!(attainable.get() <= bandwidth.get() * intensity.get() * close);
        }
        let paths = placed.terms.iter().filter(|term| match term.resource {
            Resource::Compute(path) => path.unit != ComputeUnit::SpecialFunction,
            _ => false,
        });
        // Different pipes work at once: together they reach at most the sum of their peaks.
        let peaks: f64 = paths.map(|term| term.rate).sum();
        prop_assert!(attainable.get() <= peaks * close, "{attainable} {peaks}");
    }

    #[test]
    fn twice_the_roofs_take_half_the_time(kind in any_kind()) {
        let (Ok(once), Ok(twice)) = (on(&gpu(1.0), &kind), on(&gpu(2.0), &kind)) else { return Ok(()) };
        // What messages wait for does not depend on bandwidth.
        if once.terms.iter().any(|term| term.latency > Seconds::ZERO) { return Ok(()) }
        prop_assert!((once.roof_time.get() / twice.roof_time.get() - 2.0).abs() < 1e-9);
    }

    #[test]
    fn what_a_kind_says_is_whole(kind in any_kind()) {
        let family = kind.family();
        let cost = family.cost().unwrap();
        prop_assert!(!family.formula().is_empty());
        prop_assert!(family.items().per_execution >= 0.0);
        let operators = family.operators().unwrap();
        let sum: f64 = operators.iter().map(|o| o.count * o.cost.traffic_at(Level::Dram).get()).sum();
        prop_assert!((sum - cost.traffic_at(Level::Dram).get()).abs() <= sum * 1e-9);
        for (name, _, other) in family.alternatives() {
            prop_assert!(!name.is_empty());
            prop_assert!(other != kind, "{name} changes nothing");
        }
    }

    #[test]
    fn dragging_right_always_means_more(kind in any_kind()) {
        // Of a step that mixes prompts and tokens, more tokens may well mean less intensity.
        if matches!(kind, Kind::LanguageModel(_)) { return Ok(()) }
        let Some(name) = kind.family().drag_parameter() else { return Ok(()) };
        let intensity = |value: f64| {
            let cost = kind.with(name, value).ok()?.family().cost().ok()?;
            Some(cost.intensity_at(Level::Dram)?.get())
        };
        let values = (0..40).map(|step| 2f64.powf(f64::from(step) / 2.0).round());
        let intensities: Vec<_> = values.filter_map(intensity).collect();
        prop_assert!(intensities.is_sorted_by(|a, b| *a <= b * (1.0 + 1e-9)), "{name}: {intensities:?}");
    }

    #[test]
    fn touched_experts_grow_with_tokens(experts in 1..300u32, top_k in 1..16u32, skew in 0.0..2.0f64) {
        let count = |value: u32| Count::try_from(f64::from(value)).unwrap();
        let mut layer = Moe {
            experts: count(experts),
            top_k: count(top_k.min(experts)),
            skew: Some(Ratio::try_from(skew).unwrap()),
            ..Moe::default()
        };
        let mut last = 0.0;
        for tokens in [1, 2, 3, 8, 64, 1000] {
            layer.tokens = count(tokens);
            let distinct = layer.distinct();
            let (k, e) = (layer.top_k.get(), layer.experts.get());
            prop_assert!(distinct >= last * (1.0 - 1e-9));
            prop_assert!(k <= distinct && distinct <= e.min(k * f64::from(tokens)) * (1.0 + 1e-9));
            last = distinct;
        }
    }
}

#[test]
fn no_number_makes_a_kind_panic() {
    let extremes = [
        0.0,
        1.0,
        1.5,
        2.0,
        3.0,
        1e9,
        1e17,
        1e30,
        1e59,
        1e60,
        f64::MAX,
        f64::NAN,
        -1.0,
    ];
    let gpu = gpu(1.0);
    for example in Kind::examples() {
        for choices in 0..24 {
            let kind = changed(example.clone(), choices, &[1.0]);
            for name in kind.numeric_parameters() {
                for value in extremes {
                    let Ok(kind) = kind.with(&name, value) else {
                        continue;
                    };
                    kind.family().formula();
                    kind.family().leaves_out();
                    kind.family().alternatives();
                    kind.family().default_sweep();
                    let workload = Workload::new("w", kind);
                    if workload.place_on(&gpu, Assumptions::default()).is_ok() {
                        what_if::fixes(&workload, &gpu, Assumptions::default());
                    }
                }
            }
        }
    }
}

#[test]
fn work_does_not_depend_on_the_format_and_bytes_follow_it() {
    // Besides the operands these move things of a size of their own, or bytes that are given.
    let others = [
        "Decode step, simple",
        "Raw work and traffic",
        "Intensity and work",
        "SpMV, CSR",
        "Collective",
        "Formula of your own",
    ];
    for kind in Kind::examples() {
        let as_format = |format| {
            let mut kind = kind.clone();
            for parameter in kind.family_mut().parameters() {
                if let Slot::Format(slot) = parameter.slot {
                    *slot = format;
                }
            }
            kind.family().cost().unwrap()
        };
        let [half, single] = [NumberFormat::FP16, NumberFormat::FP32].map(as_format);
        assert_eq!(half.total_work(), single.total_work(), "{}", kind.title());
        if !others.contains(&kind.title()) {
            let [half, single] = [half, single].map(|cost| cost.traffic_at(Level::Dram).get());
            assert_eq!(2.0 * half, single, "{}", kind.title());
        }
    }
}

#[test]
fn every_kind_can_be_placed_on_every_preset_or_says_what_is_missing() {
    for preset in presets::all_gpus() {
        for kind in Kind::examples() {
            match on(&preset.gpu, &kind) {
                Ok(_) => {}
                Err(NotPlaced::Unplaced(Unplaced::NoMemoryRoof { level, .. })) => {
                    assert_eq!(level, "scale-up link", "{}", preset.id);
                }
                Err(error) => panic!("{} on {}: {error}", kind.title(), preset.id),
            }
        }
    }
}

#[test]
fn parameters_are_named_explained_and_swept() {
    let mut titles: Vec<_> = Kind::examples().iter().map(|kind| kind.title()).collect();
    titles.sort_unstable();
    titles.dedup();
    assert_eq!(titles.len(), Kind::examples().len());
    for mut kind in Kind::examples() {
        let title = kind.title();
        let swept = Sweep::default_for(&kind);
        let workload = Workload::new("w", kind.clone());
        let result = sweep::run(&swept, &workload, &gpu(1.0), Assumptions::default());
        let rows = result
            .unwrap_or_else(|error| panic!("{title}: {error}"))
            .rows;
        assert!(rows.iter().all(|row| row.outcome.is_ok()), "{title}");
        let mut names = Vec::new();
        for parameter in kind.family_mut().parameters() {
            assert!(
                !parameter.label.is_empty() && parameter.hint.len() > 5,
                "{title}"
            );
            assert!(
                !names.contains(&parameter.name),
                "{title}: {}",
                parameter.name
            );
            names.push(parameter.name);
            if let (Some((low, high)), Slot::Number(slot)) = (parameter.range, &parameter.slot) {
                assert!(low < high, "{title}: {}", parameter.name);
                let value = slot.value().unwrap_or(low);
                assert!((low..=high).contains(&value), "{title}: {}", parameter.name);
            }
        }
    }
}

#[test]
fn counts_are_typed_as_people_write_them() {
    for (text, value) in [
        ("4k", 4000.0),
        ("8192", 8192.0),
        ("2^13", 8192.0),
        ("4Ki", 4096.0),
        ("8,192", 8192.0),
    ] {
        assert_eq!(units::parse(text, Unit::One), Ok(value), "{text}");
    }
}

#[test]
fn one_rank_alone_is_kept_and_says_why_it_takes_no_time() {
    let alone = Kind::Collective(Collective {
        ranks: Count::ONE,
        ..Collective::default()
    });
    assert_eq!(
        alone.family().formula(),
        ["traffic = 0: one rank alone sends nothing"]
    );
    let error = on(&gpu(1.0), &alone).unwrap_err().to_string();
    assert!(error.contains("takes no time"), "{error}");
}

#[test]
fn latency_decides_small_messages() {
    let small = Kind::Collective(Collective {
        size: Quantity::parse("0 B").unwrap(),
        alpha: Some(Seconds::constant(1e-6)),
        ..Collective::default()
    });
    let placed = on(&gpu(1.0), &small).unwrap();
    assert_eq!(placed.regime(), Regime::CommunicationBound);
    assert!((placed.time().get() - 14e-6).abs() < 1e-12);
}

/// Of an MI300X's seven links of 64 GB/s one leads to each peer; a ring uses them all.
#[test]
fn what_goes_to_one_peer_uses_the_links_that_lead_there() {
    let size = Quantity::parse("64 GB").unwrap();
    let of = |operation, gpu: &str| {
        let kind = Kind::Collective(Collective {
            operation,
            size,
            ..Collective::default()
        });
        on(&presets::find_gpu(gpu).unwrap().gpu, &kind).unwrap()
    };
    let placed = of(Collecting::PointToPoint, "MI300X");
    assert_eq!(placed.time().get(), 1.0);
    assert_eq!(
        placed.memory_roof,
        Some(Quantity::parse("64 GB/s").unwrap())
    );
    let said = "one peer is reached by 1 of the 7 links: 64 GB/s of 448 GB/s";
    assert!(
        placed.warnings.iter().any(|text| text == said),
        "{:?}",
        placed.warnings
    );
    let ring = of(Collecting::AllReduceRing, "MI300X");
    assert_eq!(ring.time().get(), 2.0 * 7.0 / 8.0 * 64e9 / 448e9);
    // A switch leads all links to every peer, and what is not known is not made up.
    let switched = of(Collecting::PointToPoint, "H100 SXM");
    assert_eq!(switched.time().get(), 64e9 / 450e9);
    assert_eq!(switched.warnings, Vec::<String>::new());
}

#[test]
fn exponentials_are_a_term_of_their_own_and_fall_back_to_the_vector_unit() {
    let softmax = Kind::Softmax(Softmax::default());
    let placed = on(&gpu(1.0), &softmax).unwrap();
    let special = |placed: &Placement| {
        placed
            .terms
            .iter()
            .any(|t| t.resource == Resource::Compute(Path::SPECIAL))
    };
    assert!(special(&placed) && placed.warnings.is_empty());
    let mut without = gpu(1.0);
    without.compute.retain(|roof| roof.path != Path::SPECIAL);
    let placed = on(&without, &softmax).unwrap();
    assert!(!special(&placed));
    assert_eq!(
        placed.warnings,
        ["GPU has no FP32 special function roof: judged by FP32 vector instead"]
    );
    // Work that ends up on one pipe adds up.
    let [cost] = [softmax.family().cost().unwrap()];
    let vector = placed
        .terms
        .iter()
        .find(|t| matches!(t.resource, Resource::Compute(_)))
        .unwrap();
    assert_eq!(
        vector.demand,
        cost.total_work().get() + cost.special_work().get()
    );
    without
        .compute
        .retain(|roof| roof.path.unit == ComputeUnit::Matrix);
    let flash = Kind::AttentionPrefill(AttentionPrefill::default());
    let placed = on(&without, &flash).unwrap();
    assert_eq!(
        placed.warnings,
        ["GPU has no roof for special functions: they are left out"]
    );
}

#[test]
fn padding_takes_time_and_is_no_work() {
    let mut gemm = Gemm {
        m: Count::constant(129.0),
        ..Gemm::default()
    };
    let plain = on(&gpu(1.0), &Kind::Gemm(gemm.clone())).unwrap();
    gemm.tile_m = Some(Count::constant(128.0));
    gemm.tile_n = Some(Count::constant(128.0));
    let tiled = on(&gpu(1.0), &Kind::Gemm(gemm)).unwrap();
    assert_eq!(plain.work, tiled.work);
    let compute = |placed: &Placement| {
        let compute = placed
            .terms
            .iter()
            .find(|t| matches!(t.resource, Resource::Compute(_)));
        compute.unwrap().time.get()
    };
    assert!((compute(&tiled) / compute(&plain) - 256.0 / 129.0).abs() < 1e-9);
    assert!(tiled.attainable().unwrap().get() < 990e12);
}
