//! Runs that others published, beside the roofs they ran under: where each lies, and what is said of it.
use ridgepoint::files::import::profile::mapping::{Mapping, read_mapped};
use ridgepoint::files::import::{self, profile as reader};
use ridgepoint::model::cost::{Level, Path as Unit};
use ridgepoint::model::format::NumberFormat;
use ridgepoint::model::gpu::{Basis, Gpu};
use ridgepoint::model::placement::Assumptions;
use ridgepoint::model::profile::{Analysis, Fill, Gives, Profile, Selector};
use std::path::{Path, PathBuf};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

fn opened(path: &Path) -> Profile {
    let read = reader::open(path, &|_| true).unwrap();
    Profile::new("run", read.source, read.kernels)
}

fn device(name: &str) -> Gpu {
    import::open(&data(name)).unwrap().gpus.swap_remove(0)
}

#[track_caller]
fn near(found: f64, expected: f64, within: f64) {
    assert!(
        (found / expected - 1.0).abs() < within,
        "{found} is not {expected}"
    );
}

/// Two products on an A64FX run out of its L2: 171.0 and 197.9 GFLOP/s, where 840.6 GB/s allow 105.6 and 182.7. They are
/// left where they are. N-body does 279.4 of 2,761 GFLOP/s.
#[test]
fn points_above_the_memory_stay_there_and_are_flagged() {
    let rows = "Arithmetic Intensity,Total Flops,Time (s),Label\n0.125602645,1.10E+12,6.434275,MM transpose\n\
        0.217367205,2.12E+12,10.715023,MM unrolljam\n4.556222278,1.00E+13,35.797504,NBody SIMD\n";
    // The file does not say of which format its work is; FP64 is what was measured of the device.
    let mapping = r#"(
        name: ["Label"], time: (column: "Time (s)", unit: "s"),
        work: [(column: "Total Flops", unit: "FLOP", path: "FP64 vector")],
        traffic: [(column: "Arithmetic Intensity", unit: "FLOP/B", level: DRAM)],
    )"#;
    let mapping = Mapping::from_ron(mapping).unwrap();
    let mut rows = rows.as_bytes();
    let read = read_mapped(
        &mut rows,
        "points.csv",
        &reader::Nothing,
        &|_| true,
        &mapping,
    )
    .unwrap();
    let profile = Profile::new("points", read.source, read.kernels);
    let gpu = device("import/ert_a64fx.json");
    let analysis = Analysis::of(&profile, Some(&gpu), Assumptions::default());
    for (line, allowed) in [(0, 105.6e9), (1, 182.7e9)] {
        let judged = analysis.lines[line];
        let dram = gpu.memory_roof(Level::Dram).unwrap().bandwidth.value.get();
        near(judged.intensity().unwrap() * dram, allowed, 1e-3);
        assert!(judged.is_above() && judged.placed(), "{judged:?}");
        let told = analysis.doubts(&profile, line, Some(&gpu)).join("; ");
        assert!(told.contains("cache"), "{told}");
    }
    let n_body = analysis.lines[2];
    assert!(!n_body.is_above());
    let shares = analysis.shares(&profile, 2);
    assert_eq!(shares.len(), 1);
    assert_eq!(shares[0].0, Basis::Achievable, "ERT measured its roofs");
    near(shares[0].1, 0.101, 5e-3);
}

/// SAXPY of 4,194,304 fits the 48 MiB of L2: 1,561.9 GB/s where DRAM has 672.05, 232 %.
#[test]
fn a_working_set_in_the_cache_is_told_as_one() {
    let profile = opened(&data("profiles/user_timing.csv"));
    let gpu = device("profiles/user_peaks.csv");
    let analysis = Analysis::of(&profile, Some(&gpu), Assumptions::default());
    let shape = "problem_size 4194304, m 0, n 0, k 0, block_size 256";
    let mut lines = profile.kernels.lines.iter();
    let line = lines.position(|line| &*line.name == "saxpy" && line.launch.contains(shape));
    let line = line.unwrap();
    near(
        analysis.lines[line].byte_rate().unwrap() / 672.05e9,
        2.32,
        5e-3,
    );
    assert!(analysis.lines[line].is_above());
    let told = analysis.doubts(&profile, line, Some(&gpu)).join("; ");
    assert!(told.contains("cache"), "{told}");
}

/// What SAXPY must move is more than its counters say, since lines were still in L2 when it ended: no error.
#[test]
fn algorithmic_bytes_may_be_more_than_those_counted() {
    let mut profile = opened(&data("profiles/ncu_long_saxpy.csv"));
    let of = || Selector::Pattern("saxpy".to_owned());
    let work = Gives::Work(Unit::vector(NumberFormat::FP32), "2 * threads".to_owned());
    let traffic = Gives::Traffic(Level::Dram, "12 * threads".to_owned());
    for (gives, replaces) in [(work, false), (traffic, true)] {
        profile.choices.fills.push(Fill {
            of: of(),
            gives,
            replaces,
        });
    }
    let judged = Analysis::of(&profile, None, Assumptions::default()).lines[0];
    assert_eq!(judged.traffic(), Some(201_326_592.0));
    near(judged.intensity().unwrap(), 0.1667, 5e-4);
}
