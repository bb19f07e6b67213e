//! Predicted operators beside measured kernels.
use crate::world::{gpu, profile, simple};
use ridgepoint::model::cost::Path;
use ridgepoint::model::format::NumberFormat;
use ridgepoint::model::join::{Mapping, Match, join, operators};
use ridgepoint::model::placement::Assumptions;
use ridgepoint::model::profile::{Analysis, Selector};
use ridgepoint::model::session::Workload;
use ridgepoint::model::workload::Kind;

#[test]
fn groups_of_kernels_stand_beside_groups_of_operators() {
    let device = gpu("H100 SXM");
    // A step of two kernels and more: an MLP runs several operators.
    let kind = Kind::examples()
        .into_iter()
        .find(|kind| kind.title() == "MLP");
    let workload = Workload::new("mlp", kind.expect("there is an MLP"));
    let placement = workload.place_on(&device, Assumptions::default()).unwrap();
    let predicted = operators(&placement, "mlp");
    assert!(predicted.len() >= 2, "{predicted:?}");

    let none = || vec![None, None];
    // Two executions: every kernel runs twice.
    let rows = [
        ("gemm_up", "", Some(2e-3), none()),
        ("gemm_up", "", Some(2e-3), none()),
        ("silu_and_mul", "", Some(1e-3), none()),
        ("silu_and_mul", "", Some(1e-3), none()),
        ("memcpy", "", Some(5e-4), none()),
        ("memcpy", "", Some(5e-4), none()),
    ];
    let profile = profile(&simple(Path::matrix(NumberFormat::BF16)), &rows);
    let analysis = Analysis::of(&profile, Some(&device), Assumptions::default());
    let first = predicted[0].0.to_string();
    let mapping = Mapping {
        groups: vec![Match {
            kernels: vec![
                Selector::Pattern("gemm".to_owned()),
                Selector::Name("silu_and_mul".to_owned()),
            ],
            operators: vec![first.clone(), "no such thing".to_owned()],
        }],
        executions: 2.0,
    };
    let joined = join(&placement, "mlp", &profile, &analysis, &mapping);
    let row = &joined.rows[0];
    assert_eq!(row.operators, [first]);
    assert_eq!(row.measured, Some(3e-3));
    assert_eq!(row.predicted, predicted[0].1);
    assert_eq!(row.gap(), Some(3e-3 - predicted[0].1));
    assert_eq!(joined.unknown_operators, ["no such thing"]);
    assert_eq!(joined.unmatched_operators.len(), predicted.len() - 1);
    let left: Vec<_> = joined
        .unmatched_kernels
        .iter()
        .map(|l| &*profile.kernels.lines[*l as usize].name)
        .collect();
    assert_eq!(left, ["memcpy"]);
    assert!((joined.measured - 3.5e-3).abs() < 1e-15);
    assert!((joined.predicted - placement.time().get()).abs() < 1e-12 * joined.predicted);
}
