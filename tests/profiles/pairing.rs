//! Two profiles side by side.
use crate::world::{profile, simple};
use ridgepoint::model::cost::Path;
use ridgepoint::model::format::NumberFormat;
use ridgepoint::model::pairing::{PairedBy, Pairing, Side, pair};
use ridgepoint::model::placement::Assumptions;
use ridgepoint::model::profile::{Analysis, KernelKey, Profile};

const BF16: Path = Path::matrix(NumberFormat::BF16);

fn paired(before: &Profile, after: &Profile, by_hand: &[(KernelKey, KernelKey)]) -> Pairing {
    let analyses = [before, after].map(|p| Analysis::of(p, None, Assumptions::default()));
    let side = |profile, analysis| Side { profile, analysis };
    pair(
        side(before, &analyses[0]),
        side(after, &analyses[1]),
        by_hand,
    )
}

/// V06: one GEMM of 51.58 GFLOP at 466.8 and at 610.7 TFLOP/s is 1.31 times as fast.
#[test]
fn a_kernel_is_paired_with_itself() {
    let time = |rate: f64| Some(51.58e9 / rate);
    let row = |rate| [("gemm", "grid 1", time(rate), vec![Some(51.58e9), None])];
    let before = profile(&simple(BF16), &row(466.8e12));
    let after = profile(&simple(BF16), &row(610.7e12));
    let pairing = paired(&before, &after, &[]);
    let pair = &pairing.pairs[0];
    assert!((pair.ratio.unwrap() - 1.31).abs() < 0.005);
    assert_eq!(pair.by, PairedBy::NameAndShape);
    assert!(pair.gained.unwrap() > 0.0);
    // One launch each says nothing of noise.
    assert_eq!(pair.within_noise, None);
}

#[test]
fn noise_other_shapes_and_those_without_a_partner_are_told() {
    let none = || vec![None, None];
    let before = [
        ("steady", "grid 1", Some(1.0e-3), none()),
        ("steady", "grid 1", Some(1.2e-3), none()),
        ("faster", "grid 1", Some(4.0e-3), none()),
        ("faster", "grid 1", Some(4.1e-3), none()),
        ("tuned", "grid 128", Some(2.0e-3), none()),
        ("gone", "", Some(1e-3), none()),
        ("old name", "", Some(1e-3), none()),
    ];
    let after = [
        ("steady", "grid 1", Some(1.1e-3), none()),
        ("steady", "grid 1", Some(1.3e-3), none()),
        ("faster", "grid 1", Some(2.0e-3), none()),
        ("faster", "grid 1", Some(2.1e-3), none()),
        ("tuned", "grid 64", Some(3.0e-3), none()),
        ("come", "", Some(1e-3), none()),
        ("new name", "", Some(1e-3), none()),
    ];
    let [before, after] = [before, after].map(|rows| profile(&simple(BF16), &rows));
    let key = |name: &str| KernelKey {
        name: name.to_owned(),
        launch: String::new(),
    };
    let pairing = paired(&before, &after, &[(key("old name"), key("new name"))]);
    let of = |name: &str| {
        let named = |pair: &&ridgepoint::model::pairing::Pair| {
            *before.kernels.lines[pair.before as usize].name == *name
        };
        pairing.pairs.iter().find(named).unwrap()
    };
    assert_eq!(of("steady").within_noise, Some(true));
    assert_eq!(of("faster").within_noise, Some(false));
    assert!((of("faster").gained.unwrap() - 4.0e-3).abs() < 1e-15);
    assert_eq!(of("tuned").by, PairedBy::Name);
    assert_eq!(of("old name").by, PairedBy::Hand);
    // The largest change stands first.
    assert_eq!(pairing.pairs[0].before, of("faster").before);
    let name = |profile: &Profile, line: u32| profile.kernels.lines[line as usize].name.to_string();
    assert_eq!(
        pairing
            .only_before
            .iter()
            .map(|l| name(&before, *l))
            .collect::<Vec<_>>(),
        ["gone"]
    );
    assert_eq!(
        pairing
            .only_after
            .iter()
            .map(|l| name(&after, *l))
            .collect::<Vec<_>>(),
        ["come"]
    );
    assert!((pairing.gained - 4.0e-3).abs() < 1e-15);
    assert!((pairing.lost - 1.2e-3).abs() < 1e-15);
}
