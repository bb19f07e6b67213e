//! What formulas give, and that none is too long or too deep to be read.
mod random;
mod wrong;

use super::*;

const NAMES: [&str; 4] = ["M", "N", "K", "bytes"];

fn compiled(text: &str) -> Expression {
    Expression::compile(text, &NAMES).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The value for M = 3, N = 5, K = 7, bytes = 2.
fn value(text: &str) -> f64 {
    let values = [3.0, 5.0, 7.0, 2.0];
    let value = compiled(text).value(&values);
    value.unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn refused(text: &str) -> ExpressionError {
    match Expression::compile(text, &NAMES) {
        Ok(_) => panic!("{text} was read"),
        Err(error) => error,
    }
}

#[test]
fn the_costs_of_a_matrix_product() {
    assert_eq!(value("2*M*N*K"), 210.0);
    assert_eq!(value("(M*K + K*N + M*N)*bytes"), 142.0);
}

#[test]
fn numbers_are_written_in_many_ways() {
    for (text, expected) in [
        ("1e3", 1000.0),
        ("2.5e-9", 2.5e-9),
        ("1E+2", 100.0),
        (".5", 0.5),
        ("2.", 2.0),
        ("  42\t\n", 42.0),
        ("0.1 + 0.2", 0.1 + 0.2),
        ("1e-400", 0.0),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn signs_bind_as_in_mathematics() {
    for (text, expected) in [
        ("1 + 2*3", 7.0),
        ("(1 + 2)*3", 9.0),
        ("7 - 3 - 2", 2.0),
        ("12/2/3", 2.0),
        ("12/2*3", 18.0),
        ("2^3^2", 512.0),
        ("(2^3)^2", 64.0),
        ("-2^2", -4.0),
        ("(-2)^2", 4.0),
        ("2^-1", 0.5),
        ("2^-2*8", 2.0),
        ("2^-1^2", 0.5),
        ("-2*-3", 6.0),
        ("2--3", 5.0),
        ("2 - +3", -1.0),
        ("-M^2 + N", -4.0),
        ("1/2*M", 1.5),
        ("2*3^2", 18.0),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn copied_signs_are_read_as_well() {
    assert_eq!(value("2·M × N ÷ 3 − 1"), 9.0);
}

#[test]
fn functions_of_one_number_and_of_several() {
    for (text, expected) in [
        ("min(M)", 3.0),
        ("min(K, M, N)", 3.0),
        ("max(M, N, K, 1, 2)", 7.0),
        ("max(-1, -2)", -1.0),
        ("ceil(M/2)", 2.0),
        ("floor(M/2)", 1.0),
        ("round(2.5)", 3.0),
        ("round(2.4)", 2.0),
        ("sqrt(16)", 4.0),
        ("log2(1024)", 10.0),
        ("ln(exp(1))", 1.0),
        ("log10(1e5)", 5.0),
        ("exp(0)", 1.0),
        ("abs(M - N)", 2.0),
        ("ceil(M/2) * max(min(N, 4), 1)^2 ", 32.0),
        ("-abs (-2)^2", -4.0),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
    assert_eq!(functions().count(), 11);
}

#[test]
fn names_keep_their_case_and_are_told() {
    let names = ["m", "M", "_x1", "unused", "min"];
    let formula = Expression::compile("M*_x1 + m*M + min*min(m, M)", &names).unwrap();
    assert_eq!(formula.names_used(), ["M", "_x1", "m", "min"]);
    assert_eq!(
        formula.value(&[2.0, 3.0, 5.0, f64::NAN, 10.0]),
        Ok(15.0 + 6.0 + 20.0)
    );
    assert_eq!(formula.text(), "M*_x1 + m*M + min*min(m, M)");
    assert!(compiled("1 + 1").names_used().is_empty());
    for (text, expected) in [
        ("_", true),
        ("a1", true),
        ("1a", false),
        ("", false),
        ("é", false),
    ] {
        assert_eq!(is_name(text), expected, "{text}");
    }
}

#[test]
fn numbers_are_put_in_for_names() {
    let values = [4096.0, -2.0, 0.5, 1.0];
    let shown = |text| compiled(text).with_numbers(&values, |value| value.to_string());
    assert_eq!(shown("2*M*M*M"), "2·4096·4096·4096");
    assert_eq!(
        shown("( M + N^2 ) * max(K,1)"),
        "( 4096 + (-2)^2 ) · max(0.5,1)"
    );
    assert_eq!(shown("1e3"), "1e3");
    assert_eq!(
        compiled("M*N").with_numbers(&[7.0], |v| v.to_string()),
        "7·N"
    );
    // What was put in can be read again.
    let text = shown("-N*M − K^2");
    assert_eq!(
        compiled(&text).value(&[]),
        compiled("-N*M − K^2").value(&values)
    );
}

#[test]
fn no_formula_is_too_long_or_too_deep() {
    let long = "1+".repeat(MAX_BYTES / 2 - 1) + "12";
    assert_eq!(long.len(), MAX_BYTES);
    assert_eq!(value(&long), (MAX_BYTES / 2 + 11) as f64);
    let error = refused(&(long.clone() + "3"));
    assert_eq!(
        error.message,
        "the formula has 4097 bytes: shorten it to 4096"
    );
    assert_eq!(error.bytes, 4096..4097);
    assert_eq!(refused(&"é".repeat(1_000_000)).at, MAX_BYTES / 2);

    let arguments = format!("max({}1)", "2,".repeat(2000));
    assert_eq!(value(&arguments), 2.0);
    assert_eq!(compiled(&arguments).height, 2);

    for (before, after) in [
        ("(", ")"),
        ("abs(", ")"),
        ("-", ""),
        ("+", ""),
        ("1^", ""),
        ("1+2*3^(", ")"),
    ] {
        let nested = |depth| format!("{}1{}", before.repeat(depth), after.repeat(depth));
        // A power and a parenthesis in it are two levels.
        let levels = before.matches(['(', '-', '^']).count().max(1);
        compiled(&nested(MAX_DEPTH / levels));
        for depth in [
            MAX_DEPTH / levels + 1,
            4096 / (before.len() + after.len()) - 1,
        ] {
            let error = refused(&nested(depth));
            assert_eq!(
                error.message,
                "the formula is nested more than 64 deep: write it flatter"
            );
        }
    }
}

#[test]
fn an_evaluation_takes_less_than_a_microsecond() {
    let formula = compiled("(M*K + K*N + M*N)*bytes");
    let batch = || {
        let start = std::time::Instant::now();
        for _ in 0..100 {
            let values = std::hint::black_box([4096.0, 4096.0, 4096.0, 2.0]);
            let _ = std::hint::black_box(formula.value(&values));
        }
        start.elapsed().as_secs_f64() / 100.0
    };
    // The fastest of many, because other tests run at the same time.
    let fastest = (0..1000).map(|_| batch()).fold(f64::INFINITY, f64::min);
    assert!(fastest < 1e-6, "{fastest} s");
}
