//! What is chosen of a profile: fills, filters, names and groups, which a newer file of the same shape keeps.
use crate::world::{gpu, profile, simple};
use ridgepoint::model::cost::{Level, Path};
use ridgepoint::model::format::NumberFormat;
use ridgepoint::model::placement::{Assumptions, Regime};
use ridgepoint::model::profile::{
    Analysis, Choices, Fill, Gives, KernelKey, Profile, Selector, Standing, Target, groups,
};
use ridgepoint::model::workload::Kind;

const FP32: Path = Path::vector(NumberFormat::FP32);
const FP16: Path = Path::matrix(NumberFormat::FP16);

fn judged(profile: &Profile) -> Analysis {
    Analysis::of(
        profile,
        Some(&gpu("nvidia-b200-hgx")),
        Assumptions::default(),
    )
}

fn fill(of: Selector, gives: Gives) -> Fill {
    Fill {
        of,
        gives,
        replaces: false,
    }
}

/// N04: 32 launches of a decode kernel, on the average 629,543 ns under the profiler, and neither bytes nor FLOP.
/// By itself it takes 359.87 µs for 1,073,741,824 B and 4,294,967,296 FLOP: 2,983.7 GB/s, not 1,705.6.
#[test]
fn an_unprofiled_time_replaces_the_profiled_one_and_both_are_kept() {
    let name = "BatchDecodeWithPagedKVCache";
    let targets: [Target; 0] = [];
    let rows: Vec<_> = (0..32)
        .map(|_| (name, "", Some(629_543e-9), vec![]))
        .collect();
    let mut profile = profile(&targets, &rows);
    assert_eq!(judged(&profile).lines[0].standing(), Standing::NotPlaced);
    let of = || Selector::Pattern("Decode".to_owned());
    profile.choices.fills = vec![
        fill(
            of(),
            Gives::Traffic(Level::Dram, "64 * 4096 * 2 * 8 * 128 * 2".to_owned()),
        ),
        fill(
            of(),
            Gives::Work(FP16, "4 * 64 * 32 * 4096 * 128".to_owned()),
        ),
    ];
    let profiled = judged(&profile).lines[0];
    assert!((profiled.byte_rate().unwrap() / 1e9 - 1_705.6).abs() < 0.05);
    assert_eq!(profiled.intensity(), Some(4.0));
    assert!(profiled.given.work && profiled.given.traffic && !profiled.given.time);

    profile
        .choices
        .fills
        .push(fill(of(), Gives::Time("359.87 us".to_owned())));
    let analysis = judged(&profile);
    let unprofiled = analysis.lines[0];
    assert!((unprofiled.byte_rate().unwrap() / 1e9 - 2_983.7).abs() < 0.05);
    assert!((unprofiled.flop_rate().unwrap() / 1e12 - 11.93).abs() < 0.005);
    assert!(unprofiled.placed());
    // The profiled time stays, and is told.
    let timing = profile.kernels.lines[0].timing.unwrap();
    assert!((timing.median - 629_543e-9).abs() < 1e-15);
    let told = analysis.doubts(&profile, 0, None).join("; ");
    assert!(told.contains("1.75"), "{told}");
}

#[test]
fn a_fill_uses_the_launch_shape_the_name_and_a_kind() {
    let rows = [
        (
            "saxpy",
            "grid 65536×1×1, block 256×1×1",
            Some(1e-3),
            vec![None, Some(2e8)],
        ),
        ("gemm_64x32x16", "", Some(1e-3), vec![None, None]),
        ("sgemm", "", Some(1e-2), vec![None, Some(1e9)]),
    ];
    let mut profile = profile(&simple(FP32), &rows);
    let gemm = Kind::examples()
        .into_iter()
        .find(|kind| kind.title().contains("GEMM"));
    let gemm = gemm
        .unwrap()
        .with_each(&[("m", 4096.0), ("n", 4096.0), ("k", 4096.0)])
        .unwrap();
    profile.choices.fills = vec![
        fill(
            Selector::Name("saxpy".to_owned()),
            Gives::Work(FP32, "2 * threads".to_owned()),
        ),
        fill(
            Selector::Pattern(r"gemm_(?<m>\d+)x(?<n>\d+)x(?<k>\d+)".to_owned()),
            Gives::Work(FP32, "2 * m * n * k".to_owned()),
        ),
        fill(
            Selector::Pattern("^sgemm".to_owned()),
            Gives::Kind(Box::new(gemm)),
        ),
    ];
    let analysis = judged(&profile);
    let work = |line: usize| analysis.lines[line].work();
    assert_eq!(work(0), Some(33_554_432.0));
    assert_eq!(work(1), Some(65_536.0));
    assert_eq!(work(2), Some(2.0 * 4096f64.powi(3)));
    // What was counted stays: only what is missing is filled.
    assert_eq!(analysis.lines[2].traffic(), Some(1e9));
    assert!(!analysis.lines[2].given.traffic);
    profile.choices.fills[2].replaces = true;
    let replaced = judged(&profile).lines[2];
    assert!(replaced.given.traffic);
    assert_ne!(replaced.traffic(), Some(1e9));
}

#[test]
fn filters_show_what_they_say() {
    let rows = [
        (
            "matmul_a",
            "grid 1",
            Some(4e-3),
            vec![Some(1e12), Some(1e6)],
        ),
        ("matmul_a", "grid 2", Some(2e-3), vec![Some(1e9), Some(1e9)]),
        ("copy", "", Some(3e-3), vec![Some(0.0), Some(1e9)]),
        ("odd", "", Some(1e-3), vec![None, None]),
    ];
    let mut profile = profile(&simple(FP32), &rows);
    let shown = |choices: &Choices| {
        let profile = Profile {
            choices: choices.clone(),
            ..profile.clone()
        };
        let mut shown = choices.shown(&profile, &judged(&profile));
        shown.sort_unstable();
        shown
    };
    let mut choices = Choices::default();
    assert_eq!(shown(&choices), [0, 1, 2, 3]);
    choices.filter.name = "MATMUL".to_owned();
    assert_eq!(shown(&choices), [0, 1]);
    choices.filter.name = "[".to_owned();
    assert!(choices.filter.problem().is_some() && shown(&choices).is_empty());
    choices.filter.name = String::new();
    choices.filter.regime = Some(Regime::ComputeBound);
    assert_eq!(shown(&choices), [0]);
    choices.filter.regime = None;
    choices.filter.path = Some(FP32);
    assert_eq!(shown(&choices), [0, 1]);
    choices.filter.path = None;
    choices.filter.level = Some(Level::Dram);
    assert_eq!(shown(&choices), [0, 1, 2]);
    choices.filter.level = None;
    // 7 of 10 ms, and not a kernel more.
    choices.filter.heaviest = Some(0.7);
    assert_eq!(shown(&choices), [0, 2]);
    choices.filter.heaviest = None;
    choices.toggle_hidden(&profile.kernels.lines[1]);
    assert_eq!(shown(&choices), [0, 2, 3]);
    choices.set_alias("odd", "zz");
    choices.filter.name = "zz".to_owned();
    assert_eq!(shown(&choices), [3]);

    // Reading a newer file keeps every choice.
    profile.choices = choices.clone();
    let newer = crate::world::profile(&simple(FP32), &rows[..2]);
    profile.replace_kernels(newer);
    assert_eq!(profile.choices, choices);
    assert_eq!(profile.kernels.lines.len(), 2);
    assert!(profile.choices.hidden.contains(&KernelKey {
        name: "matmul_a".to_owned(),
        launch: "grid 2".to_owned(),
    }));
}

#[test]
fn a_group_is_a_sum_over_a_sum() {
    let rows = [
        ("a", "grid 1", Some(1e-3), vec![Some(1e6), Some(1e6)]),
        ("a", "grid 2", Some(3e-3), vec![Some(1e6), Some(3e6)]),
        ("b", "", Some(1e-3), vec![Some(1e6), Some(1e6)]),
        ("b", "grid 9", Some(1e-3), vec![None, Some(1e6)]),
    ];
    let profile = profile(&simple(FP32), &rows);
    let analysis = judged(&profile);
    let groups = groups::by_name(&profile, &analysis, &analysis.order);
    let a = groups.iter().find(|group| group.name == "a").unwrap();
    // The mean of the ratios would be 0.667.
    assert_eq!(a.sum.intensity(), Some(0.5));
    assert_eq!(a.sum.flop_rate(), Some(5e8));
    assert_eq!((a.launches, a.lines.len()), (2, 2));
    let recoverable: f64 = [0, 1]
        .iter()
        .filter_map(|l| analysis.lines[*l].recoverable())
        .sum();
    assert!((a.sum.recoverable().unwrap() - recoverable).abs() < 1e-15);
    let b = groups.iter().find(|group| group.name == "b").unwrap();
    assert_eq!(b.sum.missing.names(), ["work"]);
}

/// B01, B03 and B09 of what people trip over.
#[test]
fn above_the_roof_the_likeliest_cause_comes_first() {
    let told = |device: &str, bytes: f64, time: f64| {
        let rows = [("k", "", Some(time), vec![Some(0.0), Some(bytes)])];
        let profile = profile(&simple(FP32), &rows);
        let gpu = gpu(device);
        let analysis = Analysis::of(&profile, Some(&gpu), Assumptions::default());
        analysis.doubts(&profile, 0, Some(&gpu)).join("; ")
    };
    let fill = told("RTX 5090", 16_777_216.0, 8.182e-6);
    assert!(
        fill.starts_with("114 % of the DRAM roof: the working set of 16.78 MB fits in L2"),
        "{fill}"
    );
    // 132 TB/s and 5.98 TB/s on an H200 of 4.8 TB/s.
    let wrong = told("H200 SXM", 132e9, 1e-3);
    assert!(wrong.contains("probably wrong units or bytes"), "{wrong}");
    let doubtful = told("H200 SXM", 5.98e9, 1e-3);
    assert!(
        doubtful.contains("a cache") && doubtful.contains("formula"),
        "{doubtful}"
    );
    assert!(!doubtful.contains("wrong units"), "{doubtful}");
    assert_eq!(told("H200 SXM", 3.62e9, 1e-3), "");
}

/// The readings of a SAXPY of 16,777,216 elements, whose file counts no FLOP: they follow from its launch shape.
#[test]
fn work_given_by_the_launch_shape_places_a_real_kernel() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/profiles/ncu_long_saxpy.csv"
    );
    let read =
        ridgepoint::files::import::profile::open(std::path::Path::new(file), &|_| true).unwrap();
    let mut profile = Profile::new("saxpy", read.source, read.kernels);
    let gives = Gives::Work(Path::vector(NumberFormat::FP32), "2 * threads".to_owned());
    profile.choices.fills = vec![fill(Selector::Pattern("saxpy".to_owned()), gives)];
    let judged = Analysis::of(&profile, None, Assumptions::default()).lines[0];
    assert_eq!(judged.work(), Some(33_554_432.0));
    assert!((judged.flop_rate().unwrap() / 1e9 - 114.5).abs() < 0.05);
    assert!((judged.intensity().unwrap() - 0.1887).abs() < 0.00005);
}
