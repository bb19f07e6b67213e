//! Formulas: to the digit what the kinds of the catalogue give, and refused with a sentence.
use super::*;
use crate::model::cost::Level;
use crate::model::workload::{Gemm, Kind, ParameterError, Slot};
use std::hint::black_box;
use std::time::Instant;

fn kind() -> Kind {
    Kind::Formula(Formula::default())
}

fn numbers(pairs: &[(&'static str, f64)]) -> Vec<(&'static str, Ratio)> {
    let number = |(name, value): &(&'static str, f64)| (*name, (*value).try_into().unwrap());
    pairs.iter().map(number).collect()
}

#[test]
fn a_gemm_as_a_formula_is_a_gemm_to_the_digit() {
    assert_eq!(kind().family().cost(), Gemm::default().cost());
    for (m, n, k) in [(1.0, 5120.0, 16384.0), (4095.0, 33.0, 7.0)] {
        let mut of_catalogue = Kind::Gemm(Gemm::default());
        let mut own = kind();
        for (small, capital, value) in [("m", "M", m), ("n", "N", n), ("k", "K", k)] {
            of_catalogue = of_catalogue.with(small, value).unwrap();
            own = own.with(capital, value).unwrap();
        }
        assert_eq!(own.family().cost(), of_catalogue.family().cost());
    }
}

#[test]
fn the_formula_is_told_with_numbers_and_what_is_not_used() {
    let lines = kind().family().formula();
    assert_eq!(
        lines,
        [
            "work = 2·4096·4096·4096 = 137.4 GFLOP",
            "traffic = (4096·4096 + 4096·4096 + 4096·4096)·2 = 100.7 MB"
        ]
    );
    let kind = kind().with_text("traffic", "(M + N) * bytes").unwrap();
    let kind = kind.with_text("work", "M*N").unwrap();
    let out = kind.family().leaves_out();
    assert_eq!(out, ["what the formulas do not count", "K is not used"]);
    let kind = kind.with("M", 123_456_789.123).unwrap();
    assert_eq!(
        kind.family().formula()[0],
        "work = 1.235e8·4096 = 505.7 GFLOP"
    );
}

#[test]
fn traffic_at_the_caches_can_be_given_and_taken_back() {
    let with = kind().with_text("traffic_l2", " 8*M*N ").unwrap();
    let cost = with.family().cost().unwrap();
    assert_eq!(cost.traffic_at(Level::L2).get(), 8.0 * 4096.0 * 4096.0);
    assert_eq!(with.text("traffic_l2").unwrap(), "8*M*N");
    assert_eq!(with.with_text("traffic_l2", "  "), Ok(kind()));
    let error = kind().with_text("traffic", "").unwrap_err();
    assert!(error.message.starts_with("nothing is written"), "{error:?}");
}

#[test]
fn a_wrong_text_says_where_and_changes_nothing() {
    let cases = [
        (
            "2*M*N*X",
            Some((6, 1)),
            "there is no name \"X\": write one of M, N, K, bytes",
        ),
        (
            "2*M*byte",
            Some((4, 4)),
            "there is no name \"byte\": write bytes, or one of M, N, K",
        ),
        (
            "M/(N - K)",
            Some((0, 9)),
            "4096 / 0 is not a number: it divides by zero, so keep (N - K) from being zero",
        ),
        ("0 - M", None, "this gives no amount: -4096 is negative"),
        (
            "M^20",
            None,
            "this gives no amount: 1.7668470647783843e72 is beyond any plausible size",
        ),
    ];
    for (text, place, message) in cases {
        let mut kind = kind();
        let before = kind.clone();
        let error = kind.with_text("work", text).unwrap_err();
        assert_eq!((error.place, error.message.as_str()), (place, message));
        for parameter in kind.family_mut().parameters() {
            if let ("work", Slot::Text(mut slot)) = (parameter.name, parameter.slot) {
                assert_eq!(slot.set_text(text), Err(error.clone()));
            }
        }
        assert_eq!(kind, before);
    }
}

#[test]
fn numbers_that_multiply_to_no_quantity_are_refused_with_the_formula() {
    let large = kind().with("M", 1e30).unwrap();
    let error = large.with("N", 1e30).unwrap_err().to_string();
    assert!(
        error.starts_with("N: work: this gives no amount: 8.19"),
        "{error}"
    );
    assert!(
        error.ends_with("e63 is beyond any plausible size"),
        "{error}"
    );
    let ratio = kind().with_text("work", "K/(N - 1)").unwrap();
    let error = ratio.with("N", 1.0).unwrap_err().to_string();
    assert!(
        error.starts_with("N: work: 4096 / 0 is not a number"),
        "{error}"
    );
    let error = kind().with("L", 1.0).unwrap_err();
    assert!(matches!(error, ParameterError::Unknown { .. }));
    let without = Formula::new(&[], "1e12", "1e9").unwrap();
    let error = Kind::Formula(without).with("M", 1.0).unwrap_err();
    assert!(error.to_string().ends_with("it has none"), "{error}");
}

#[test]
fn names_are_refused_with_a_sentence() {
    let mut own = Formula::default();
    for (name, reason) in [
        ("", "cannot be a name"),
        ("2x", "cannot be a name"),
        ("größe", "cannot be a name"),
        ("min", "min is a function"),
        ("work", "work is the name of a field"),
        ("N", "there is a parameter N already"),
        (&"x".repeat(41), "at most 40 letters"),
    ] {
        let error = own.rename_parameter(0, name).unwrap_err().to_string();
        assert!(error.contains(reason), "{name}: {error}");
    }
    assert_eq!(own, Formula::default());
    while own.own_parameters().len() < edit::MOST {
        own.add_parameter().unwrap();
    }
    assert_eq!(own.add_parameter(), Err(OwnError::TooMany));
}

#[test]
fn a_parameter_is_renamed_where_it_is_used() {
    let mut own = Formula::default();
    own.set_drag(Some("M")).unwrap();
    let cost = own.cost();
    own.rename_parameter(0, " rows ").unwrap();
    let renamed = Kind::Formula(own.clone());
    assert_eq!(renamed.text("work").unwrap(), "2*rows*N*K");
    assert_eq!(
        renamed.text("traffic").unwrap(),
        "(rows*K + K*N + rows*N)*bytes"
    );
    assert_eq!(own.drag_parameter(), Some("rows"));
    assert_eq!(own.cost(), cost);
    own.rename_parameter(0, "rows").unwrap();
    assert_eq!(Kind::Formula(own), renamed);
}

#[test]
fn a_parameter_is_removed_unless_it_is_used() {
    let mut own = Formula::default();
    let error = own.remove_parameter(2).unwrap_err().to_string();
    assert_eq!(
        error,
        "K is used in work and traffic: take it out there first"
    );
    own.set_text(Part::Work, "M*N").unwrap();
    own.set_text(Part::Dram, "(M + N)*bytes").unwrap();
    own.set_drag(Some("K")).unwrap();
    let cost = own.cost();
    own.remove_parameter(2).unwrap();
    assert_eq!(own.cost(), cost, "bytes has the place of K now");
    assert_eq!(own.drag_parameter(), None);
    assert_eq!(own.formula()[1], "traffic = (4096 + 4096)·2 = 16.38 kB");
}

#[test]
fn halving_goes_into_the_text() {
    let half = Formula::default().with_half(Part::Dram).unwrap();
    let text = "((M*K + K*N + M*N)*bytes)/2";
    assert_eq!(Kind::Formula(half).text("traffic").unwrap(), text);
}

#[test]
fn new_takes_any_names_and_formulas_that_are_right() {
    let share = numbers(&[("n", 1e6), ("hit_rate", 0.9)]);
    let own = Formula::new(&share, "n", "8*n*(1 - hit_rate)").unwrap();
    let traffic = own.cost().unwrap().traffic_at(Level::Dram).get();
    assert_eq!(traffic, 8.0 * 1e6 * (1.0 - 0.9));
    let error = Formula::new(&share, "n", "m").unwrap_err().to_string();
    assert!(error.starts_with("there is no name \"m\""), "{error}");
    let twice = numbers(&[("n", 1.0), ("n", 2.0)]);
    let error = Formula::new(&twice, "n", "n").unwrap_err();
    assert_eq!(error, FormulaError::Own(OwnError::Taken("n".into())));
}

#[test]
fn a_cost_takes_about_a_microsecond_once_compiled() {
    let own = Formula::default();
    let fastest = (0..50).map(|_| {
        let start = Instant::now();
        for _ in 0..100 {
            black_box(black_box(&own).work.value(&own.values()).unwrap());
        }
        start.elapsed().as_secs_f64() / 100.0
    });
    let fastest = fastest.fold(f64::INFINITY, f64::min);
    // Programs built for debugging are some ten times slower.
    let limit = if cfg!(debug_assertions) { 20e-6 } else { 1e-6 };
    assert!(fastest < limit, "{fastest}");
}
