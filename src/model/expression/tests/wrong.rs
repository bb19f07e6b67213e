//! What is said of formulas that cannot be read, and of those without value.
use super::{Expression, compiled, refused};

/// What is said where M, N, K and bytes have these values.
fn failed(text: &str, values: [f64; 4]) -> String {
    let failure = compiled(text).value(&values);
    failure.expect_err(text).to_string()
}

#[test]
fn what_is_wrong_is_said_with_its_place_and_a_remedy() {
    for (text, expected) in [
        (
            "",
            "nothing is written: write a formula such as 2*M*N*K (column 1)",
        ),
        (
            "2*",
            "the formula ends after *: write a number or a name behind it (column 3)",
        ),
        ("2**3", "** is no sign here: write ^ for a power (column 3)"),
        (
            "2*/3",
            "before / something is missing: write a number or a name there (column 3)",
        ),
        (
            "()",
            "before ) something is missing: write a number or a name there (column 2)",
        ),
        (
            "2*(M + N",
            "this parenthesis is not closed: write a ) where it ends (column 3)",
        ),
        (
            "max(M, 2",
            "this parenthesis is not closed: write a ) where it ends (column 4)",
        ),
        (
            "2*M)",
            "this ) closes nothing: remove it, or write a ( before (column 4)",
        ),
        (
            "2 M",
            "before M a sign is missing: write * to multiply (column 3)",
        ),
        (
            "2(M)",
            "before ( a sign is missing: write * to multiply (column 2)",
        ),
        (
            "(M)(N)",
            "before ( a sign is missing: write * to multiply (column 4)",
        ),
        (
            "(M N)",
            "before N a sign is missing: write * to multiply (column 4)",
        ),
    ] {
        assert_eq!(refused(text).to_string(), expected, "{text}");
    }
}

#[test]
fn wrong_functions_and_numbers_are_told_how_they_are_written() {
    for (text, expected) in [
        ("M(N)", "M is no function: write M*( to multiply (column 1)"),
        ("1 + sqrt", "sqrt is a function: write sqrt(x) (column 5)"),
        (
            "sqrt()",
            "sqrt has nothing in its parentheses: write sqrt(x) (column 1)",
        ),
        (
            "min()",
            "min has nothing in its parentheses: write min(x) (column 1)",
        ),
        (
            "sqrt(2, 3)",
            "sqrt takes one number: remove the comma and what follows (column 7)",
        ),
        (
            "4k",
            "k after a number has no meaning: write 4e3 (column 2)",
        ),
        (
            "4K",
            "before K a sign is missing: write * to multiply (column 2)",
        ),
        (
            "2.5e",
            "2.5e lacks its exponent: write for example 2.5e3 (column 4)",
        ),
        (
            "1_000",
            "digits are not separated here: write them without the _ (column 2)",
        ),
        (
            "1.2.3*M",
            "\"1.2.3\" has a decimal point too many: write a number such as 2.5 or 2.5e-9 (column 1)",
        ),
        (
            ".*2",
            "\".\" is not a number: write one such as 2.5 or 2.5e-9 (column 1)",
        ),
        (
            "2*1e999",
            "\"1e999\" is too large: write a number below 1.8e308 (column 3)",
        ),
    ] {
        assert_eq!(refused(text).to_string(), expected, "{text}");
    }
    assert!(
        refused("1,5*M")
            .to_string()
            .starts_with("a comma stands only between")
    );
    assert!(
        refused("M % 2")
            .to_string()
            .starts_with("\"%\" has no meaning in a formula: write")
    );
}

#[test]
fn an_unknown_name_is_answered_with_the_nearest_and_all_others() {
    for (text, expected) in [
        (
            "2*byte",
            "there is no name \"byte\": write bytes, or one of M, N, K (column 3)",
        ),
        (
            "btyes",
            "there is no name \"btyes\": write bytes, or one of M, N, K (column 1)",
        ),
        (
            "2*m*N",
            "there is no name \"m\": write M, or one of N, K, bytes (column 3)",
        ),
        (
            "M*Q",
            "there is no name \"Q\": write one of M, N, K, bytes (column 3)",
        ),
    ] {
        assert_eq!(refused(text).to_string(), expected, "{text}");
    }
    let function = refused("sqr(M)").to_string();
    assert!(function.starts_with("there is no function \"sqr\": write sqrt, or one of min, max"));
    let alone = Expression::compile("Q", &["M"]).unwrap_err();
    assert_eq!(alone.message, "there is no name \"Q\": write M");
    let none = Expression::compile("Q", &[]).unwrap_err();
    assert_eq!(
        none.message,
        "there is no name \"Q\": write a number, or add the name to the parameters"
    );
    let many: Vec<_> = (0..40).map(|i| format!("parameter{i}")).collect();
    let many: Vec<_> = many.iter().map(String::as_str).collect();
    let message = Expression::compile("Q", &many).unwrap_err().message;
    assert!(message.ends_with("parameter11 and 28 more"), "{message}");
}

#[test]
fn places_count_characters_and_bytes() {
    let error = refused("2·M × byte + 1");
    assert_eq!((error.at, error.length), (6, 4));
    assert_eq!(error.bytes, 8..12);
    let error = refused("2·M ×  ");
    assert_eq!((error.at, error.length), (7, 0));
    let failure = compiled("1 − M·(N/(K − K))").value(&[1.0; 4]).unwrap_err();
    assert_eq!((failure.at, failure.length), (7, 9));
    assert_eq!(&"1 − M·(N/(K − K))"[failure.bytes], "N/(K − K)");
}

#[test]
fn what_is_no_number_is_a_sentence() {
    for (text, expected) in [
        (
            "1 + M/0",
            "3 / 0 is not a number: it divides by zero, so write another number than 0 (column 5)",
        ),
        (
            "M / (N - N)",
            "3 / 0 is not a number: it divides by zero, so keep (N - N) from being zero (column 1)",
        ),
        (
            "M / -(N - N)",
            "3 / 0 is not a number: it divides by zero, so keep -(N - N) from being zero (column 1)",
        ),
        (
            "(N - N)^-2",
            "0 ^ -2 is not a number: it divides by zero, so keep (N - N) from being zero (column 1)",
        ),
        (
            "(-8)^(1/2)",
            "(-8) ^ 0.5 is not a number: keep (-8) from being negative, or (1/2) whole (column 1)",
        ),
        (
            "sqrt(M - N)",
            "sqrt(-2) is not a number: keep M - N from being negative (column 1)",
        ),
        (
            "2*log2(M - 3)",
            "log2(0) is not a number: keep M - 3 above zero (column 3)",
        ),
        (
            "ln(-M)",
            "ln(-3) is not a number: keep -M above zero (column 1)",
        ),
        (
            "log10(0)",
            "log10(0) is not a number: keep 0 above zero (column 1)",
        ),
        (
            "exp(1e3)",
            "exp(1000) is not a number: it is beyond 1.8e308, where numbers end, so use smaller ones (column 1)",
        ),
        (
            "1e300*1e300",
            "1e300 * 1e300 is not a number: it is beyond 1.8e308, where numbers end, so use smaller ones (column 1)",
        ),
        // An infinity in between is refused even where the result would be finite.
        (
            "1/(M/0)",
            "3 / 0 is not a number: it divides by zero, so write another number than 0 (column 4)",
        ),
        (
            "min(M/0, 1)",
            "3 / 0 is not a number: it divides by zero, so write another number than 0 (column 5)",
        ),
    ] {
        assert_eq!(failed(text, [3.0, 5.0, 7.0, 2.0]), expected, "{text}");
    }
    assert_eq!(
        failed("2*M", [f64::NAN; 4]),
        "M has no value: give it a number (column 3)"
    );
    assert_eq!(
        failed("2*M", [f64::INFINITY; 4]),
        "M is inf: give it a finite number (column 3)"
    );
    let short = compiled("M*bytes").value(&[1.0]).unwrap_err();
    assert_eq!(short.message, "bytes has no value: give it a number");
}
