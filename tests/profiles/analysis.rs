//! Kernels beside the roofs: what they allow, what is recoverable, and how that is told.
use crate::world::{gpu, profile, simple};
use proptest::prelude::*;
use ridgepoint::files::presets;
use ridgepoint::model::cost::{ComputeUnit, Cost, Level, Path};
use ridgepoint::model::format::NumberFormat;
use ridgepoint::model::gpu::{Gpu, JudgedBy};
use ridgepoint::model::placement::{Assumptions, Overlap, Resource, place};
use ridgepoint::model::profile::{
    Analysis, CYCLES, Clocks, Counter, Fill, Gives, Judged, Profile, Selector, SharedKernels,
    Standing, Target, Unjudged,
};
use ridgepoint::model::quantity::{ByteRate, FlopRate, Quantity};
use ridgepoint::model::sourced::Sourced;

const FP32: Path = Path::vector(NumberFormat::FP32);

fn any_path() -> impl Strategy<Value = Path> {
    let formats = prop::sample::select(NumberFormat::ALL.to_vec());
    let units = prop::sample::select(ComputeUnit::ALL.to_vec());
    (formats, units, any::<bool>()).prop_map(|(format, unit, sparse)| Path {
        format,
        unit,
        accumulator: None,
        sparse,
    })
}

fn any_target() -> impl Strategy<Value = Target> {
    let levels = prop::sample::select(Level::ALL.to_vec());
    prop_oneof![
        any_path().prop_map(Target::Work),
        levels.prop_map(Target::Traffic)
    ]
}

fn any_value() -> impl Strategy<Value = Option<f64>> {
    prop_oneof![
        Just(None),
        Just(Some(0.0)),
        (3.0..14.0f64).prop_map(|power| Some(10f64.powf(power))),
    ]
}

fn lacks(gpu: &Gpu, wanted: Path) -> bool {
    let same = |path: Path| (path.format, path.unit) == (wanted.format, wanted.unit);
    !gpu.compute.iter().any(|roof| same(roof.path))
}

proptest! {
    /// The fast path and the one everything else is placed by say the same.
    #[test]
    fn a_kernel_is_judged_as_any_cost_is_placed(
        targets in prop::collection::vec(any_target(), 1..6),
        rows in prop::collection::vec(prop::collection::vec(any_value(), 6), 1..5),
        which in 0usize..1000,
        no_overlap: bool,
        achievable: bool,
    ) {
        let gpus = presets::all_gpus();
        let gpu = &gpus[which % gpus.len()].gpu;
        let names: Vec<_> = (0..rows.len()).map(|i| format!("k{i}")).collect();
        let rows: Vec<_> = rows.iter().zip(&names).map(|(values, name)| {
            (name.as_str(), "", Some(1e-3), values[..targets.len()].to_vec())
        }).collect();
        let profile = profile(&targets, &rows);
        let assumptions = Assumptions {
            overlap: if no_overlap { Overlap::None } else { Overlap::Full },
            judged_by: if achievable { JudgedBy::Achievable } else { JudgedBy::Theoretical },
            ..Assumptions::default()
        };
        let analysis = Analysis::of(&profile, Some(gpu), assumptions);
        for (line, judged) in analysis.lines.iter().enumerate() {
            let cost = Cost { launches: 0.0, ..profile.kernels.cost(line) };
            match place(&cost, gpu, assumptions, 1.0) {
                // What no roof of its precision judges is left alone where another one's would decide.
                Ok(_) if matches!(judged.unjudged, Some(Unjudged::NoComputeRoof(wanted)) if lacks(gpu, wanted)) => {}
                Ok(placement) => {
                    let time = placement.roof_time.get();
                    let bound = judged.bound().unwrap();
                    prop_assert!((bound - time).abs() <= 1e-12 * time, "{bound} {time}");
                    prop_assert_eq!(judged.basis, placement.limiter().basis);
                    let limiter = judged.limiter.unwrap();
                    // Of equal times either may come first.
                    if placement.runner_up().is_none_or(|second| second.time < placement.limiter().time) {
                        prop_assert_eq!(limiter, placement.limiter().resource);
                    }
                    if let Some(work) = judged.work() {
                        prop_assert_eq!(work, placement.work.get());
                    }
                    let first = placement.terms.iter().find(|t| matches!(t.resource, Resource::Compute(_)));
                    if first.is_some_and(|term| term.demand > 0.0) {
                        prop_assert_eq!(judged.path, Some(placement.path));
                    }
                }
                Err(_) => {
                    prop_assert_eq!(judged.bound(), None);
                    prop_assert!(judged.unjudged.is_some());
                }
            }
        }
    }
}

/// A device of 1 TFLOP/s, 100 GB/s at the memory and 1 TB/s at L2, at 1 GHz.
fn plain() -> Gpu {
    let mut gpu = Gpu::empty("plain");
    let peak = Sourced::theoretical(FlopRate::try_from(1e12).unwrap(), "");
    gpu.compute
        .push(ridgepoint::model::gpu::ComputeRoof::new(FP32, peak));
    for (level, bandwidth) in [(Level::Dram, 1e11), (Level::L2, 1e12)] {
        let bandwidth = Sourced::theoretical(ByteRate::try_from(bandwidth).unwrap(), "");
        gpu.memory
            .push(ridgepoint::model::gpu::MemoryRoof::new(level, bandwidth));
    }
    let clock = ridgepoint::model::quantity::Hertz::parse("1 GHz").unwrap();
    gpu.parts.clock = Some(Sourced::theoretical(clock, ""));
    gpu
}

#[test]
fn what_is_recoverable_ranks_kernels_and_makes_the_sentence() {
    // 1 ms of the memory, twice over; 1 ms of arithmetic in 1.1 ms; a copy; and one without traffic.
    let rows = [
        ("close", "", Some(1.1e-3), vec![Some(1e9), Some(1e6)]),
        ("slow", "", Some(3e-3), vec![Some(1e6), Some(1e8)]),
        ("copy", "", Some(2e-3), vec![Some(0.0), Some(1e8)]),
        ("half", "", Some(5e-3), vec![Some(1e6), None]),
        ("time", "", Some(9e-3), vec![None, None]),
    ];
    let profile = profile(&simple(FP32), &rows);
    let analysis = Analysis::of(&profile, Some(&plain()), Assumptions::default());
    let named = |line: &u32| profile.kernels.lines[*line as usize].name.to_string();
    let order: Vec<_> = analysis.order.iter().map(named).collect();
    assert_eq!(order, ["half", "slow", "copy", "close", "time"]);

    let copy = analysis.lines[2];
    assert_eq!(copy.standing(), Standing::ZeroWork);
    assert_eq!(copy.byte_rate(), Some(5e10));
    assert_eq!(copy.share(), Some(0.5));
    assert_eq!(copy.reasons(), ["zero FLOP"]);
    assert_eq!(analysis.lines[3].missing.names(), ["traffic"]);
    assert_eq!(analysis.lines[4].missing.names(), ["work", "traffic"]);
    assert_eq!(analysis.lines[4].recoverable(), None);

    let totals = analysis.summary.totals;
    assert_eq!(
        (totals.placed, totals.zero_work, totals.not_placed()),
        (2, 1, 2)
    );
    // 4.999 + 2 + 1 + 0.1 ms.
    assert!((totals.recoverable - 8.099e-3).abs() < 1e-12);
    assert_eq!(
        analysis.summary.sentence,
        "2 kernels hold 86 % of 8.099 ms recoverable"
    );
    assert!((totals.ladder.measured() - totals.judged_time).abs() < 1e-15);
}

#[test]
fn roofs_follow_the_clock_of_the_run() {
    let rows = [
        ("compute", "", Some(2e-3), vec![Some(1e9), Some(1e6)]),
        ("memory", "", Some(2e-3), vec![Some(1e6), Some(1e8)]),
    ];
    let mut profile = profile(&simple(FP32), &rows);
    profile.clocks = Clocks {
        compute: Some(0.8e9),
        memory: None,
    };
    let analysis = Analysis::of(&profile, Some(&plain()), Assumptions::default());
    assert_eq!(analysis.clock_ratios, Some([0.8; 2]));
    // At 0.8 TFLOP/s arithmetic takes 1.25 ms; the memory does not follow the clock.
    let [compute, memory] = [0, 1].map(|line| analysis.lines[line]);
    assert!((compute.bound().unwrap() - 1.25e-3).abs() < 1e-15);
    assert!((compute.nominal_bound().unwrap() - 1e-3).abs() < 1e-15);
    assert_eq!(memory.bound(), memory.nominal_bound());
}

/// Two kernels that do all their clock allows, at 0.6 and 1.2 GHz: each reaches 100 % of its own roof, not 75 % and 150 %
/// of that of the mean.
#[test]
fn each_kernel_is_held_against_its_own_clock() {
    let rows = [
        ("slow", "", Some(1e-3), vec![Some(0.6e9), Some(1e3)]),
        ("fast", "", Some(1e-3), vec![Some(1.2e9), Some(1e3)]),
        ("unknown", "", Some(1e-3), vec![Some(0.9e9), Some(1e3)]),
    ];
    let mut profile = profile(&simple(FP32), &rows);
    let mut kernels = (*profile.kernels).clone();
    let cycles = kernels.counters.add_column(Counter {
        name: CYCLES.to_owned(),
        unit: String::new(),
    });
    kernels.counters.add(0, cycles, 0.6e6);
    kernels.counters.add(1, cycles, 1.2e6);
    profile.kernels = SharedKernels::new(kernels);
    profile.clocks.compute = Some(0.9e9);
    let analysis = Analysis::of(&profile, Some(&plain()), Assumptions::default());
    for judged in &analysis.lines {
        assert!((judged.share().unwrap() - 1.0).abs() < 1e-12, "{judged:?}");
        assert!(!judged.is_above());
    }
    assert_eq!(analysis.clock_ratios, Some([0.6, 1.2]));
    assert_eq!(analysis.clock_text().unwrap(), "60 %–120 %");
    assert_eq!(analysis.lines[2].clock_ratio(), Some(0.9));
    // At nominal clocks the roof is 1 TFLOP/s for all.
    assert!((analysis.lines[0].nominal_share().unwrap() - 0.6).abs() < 1e-12);
    let shares = analysis.shares(&profile, 1);
    assert!((shares[0].1 - 1.0).abs() < 1e-12);
}

/// Rates say how much of a roof is reached, and no seconds.
#[test]
fn rates_without_times_have_shares_and_nothing_to_win() {
    let rows = [
        ("half", "", None, vec![Some(5e11), Some(1e9)]),
        ("tenth", "", None, vec![Some(1e9), Some(1e10)]),
        ("none", "", None, vec![None, None]),
    ];
    let mut profile = profile(&simple(FP32), &rows);
    let mut kernels = (*profile.kernels).clone();
    kernels.per_second = true;
    profile.kernels = SharedKernels::new(kernels);
    let analysis = Analysis::of(&profile, Some(&plain()), Assumptions::default());
    let [half, tenth, none] = [0, 1, 2].map(|line| analysis.lines[line]);
    assert!((half.share().unwrap() - 0.5).abs() < 1e-12);
    assert!((tenth.share().unwrap() - 0.1).abs() < 1e-12);
    assert_eq!(half.flop_rate(), Some(5e11));
    for judged in [half, tenth] {
        assert_eq!(judged.standing(), Standing::Placed);
        assert_eq!((judged.time(), judged.recoverable()), (None, None));
        assert_eq!(judged.missing.names(), ["time"]);
        assert!(judged.reasons().is_empty(), "{:?}", judged.reasons());
    }
    assert_eq!(none.standing(), Standing::NotPlaced);
    // The one farthest from its roof comes first.
    assert_eq!(analysis.order, [1, 0, 2]);
    assert_eq!(
        analysis.summary.sentence,
        "2 kernels reach 10 % to 50 % of their roofs; without times nothing says what there is to win"
    );
    assert_eq!(analysis.summary.totals.time, 0.0);
    assert_eq!(analysis.ladder(&profile, 0), None);
    // Different rates do not add up.
    assert_eq!(Judged::sum([half, tenth]).unwrap().flop_rate(), None);
}

#[test]
fn waiting_between_kernels_is_a_rung_of_all_and_of_none() {
    let rows = [("k", "", Some(2e-3), vec![Some(1e9), Some(1e6)])];
    let mut profile = profile(&simple(FP32), &rows);
    let mut kernels = (*profile.kernels).clone();
    kernels.waiting = Some(5e-3);
    profile.kernels = SharedKernels::new(kernels);
    let analysis = Analysis::of(&profile, Some(&plain()), Assumptions::default());
    let rungs = analysis.summary.totals.ladder.rungs();
    let last = rungs.last().unwrap();
    assert_eq!((last.name, last.adds), ("waiting between kernels", 5e-3));
    let all: f64 = rungs.iter().map(|rung| rung.adds).sum();
    assert!((all - 7e-3).abs() < 1e-15);
    let of = |lines: &[u32]| analysis.summary_of(&profile, lines).totals.ladder.waiting;
    assert_eq!((of(&analysis.order), of(&[])), (5e-3, 0.0));
    assert_eq!(analysis.ladder(&profile, 0).unwrap().waiting, 0.0);
}

/// A time makes amounts of rates; an amount alone contradicts them.
#[test]
fn what_is_given_beside_rates_is_of_the_whole_kernel() {
    let rows = [("k", "", None, vec![Some(5e11), Some(1e9)])];
    let mut profile = profile(&simple(FP32), &rows);
    let mut kernels = (*profile.kernels).clone();
    kernels.per_second = true;
    profile.kernels = SharedKernels::new(kernels);
    let fill = |gives| Fill {
        of: Selector::Name("k".to_owned()),
        gives,
        replaces: true,
    };
    let judged =
        |profile: &Profile| Analysis::of(profile, Some(&plain()), Assumptions::default()).lines[0];
    profile.choices.fills = vec![fill(Gives::Time("2 ms".to_owned()))];
    let timed = judged(&profile);
    assert_eq!((timed.time(), timed.work()), (Some(2e-3), Some(1e9)));
    assert!((timed.recoverable().unwrap() - 1e-3).abs() < 1e-15);
    profile.choices.fills = vec![fill(Gives::Work(FP32, "4 GFLOP".to_owned()))];
    let alone = judged(&profile);
    assert_eq!(alone.standing(), Standing::NotPlaced);
    assert_eq!(alone.flop_rate(), None);
}

#[test]
fn launches_of_a_kernel_are_told_together() {
    let rows = [
        ("a", "grid 1", Some(1e-3), vec![Some(2e6), Some(1e6)]),
        ("a", "grid 1", Some(3e-3), vec![Some(2e6), Some(3e6)]),
    ];
    let profile = profile(&simple(FP32), &rows);
    let analysis = Analysis::of(&profile, None, Assumptions::default());
    let judged = analysis.lines[0];
    // Sum ÷ sum: the mean of the intensities would be 1.33 FLOP/B.
    assert_eq!(judged.intensity(), Some(1.0));
    assert_eq!(judged.flop_rate(), Some(1e9));
    assert!(judged.placed() && judged.bound().is_none());
}

/// B01: a fill of 16,777,216 B in 8.182 µs on an RTX 5090 (1,792 GB/s) is 2,050.5 GB/s, 114.4 %.
#[test]
fn a_kernel_above_its_roof_is_left_there() {
    let rows = [(
        "fill",
        "",
        Some(8.182e-6),
        vec![Some(0.0), Some(16_777_216.0)],
    )];
    let profile = profile(&simple(FP32), &rows);
    let analysis = Analysis::of(&profile, Some(&gpu("RTX 5090")), Assumptions::default());
    let fill = analysis.lines[0];
    assert!((fill.byte_rate().unwrap() / 1e9 - 2_050.5).abs() < 0.05);
    assert!((fill.share().unwrap() - 1.144).abs() < 5e-4);
    assert!(fill.is_above());
    assert_eq!(analysis.summary.totals.recoverable, 0.0);
    assert_eq!(
        analysis.summary.sentence,
        "nothing to recover: 1 kernel at the roof or above"
    );
}
