//! Language models against systems we did not write: every row of the reference values that concerns one.
mod bounds;
mod exact;
mod published;
mod row;

use row::{Row, rows};
use std::collections::BTreeMap;

type Check = fn(&Row);

/// What checks a row, by the beginning of its id.
const CHECKS: &[(&str, Check)] = &[
    ("hf-params-", exact::parameters),
    ("hf-flops-", exact::matrix_work),
    ("hf-tiny-", exact::tiny_mixtral),
    ("aic-sol-", exact::operator_times),
    ("genz-decode-", exact::decode_totals),
    ("llmviewer-decode-weights-kv-", exact::decode_totals),
    ("genz-time-", exact::step_time),
    ("genz-spec-tokens-", exact::speculation),
    ("infersim-dsv3-kv", exact::kv_per_token),
    ("infersim-dsv3-flops", published::deepseek_work),
    ("active-params-", published::active_parameters),
    ("leviathan-", published::speculation),
    ("sb-llama2-13b-", published::tpu_decode),
    ("sb-popquiz-", published::tpu_decode_in_two_operators),
    ("sb-llama3-70b-step", published::bytes_over_bandwidth),
    ("sb-params-", published::parameters_and_cache),
    ("megatron-", published::training_days),
    ("aic-silicon-", bounds::measured),
    ("bug-", bounds::not_the_bug),
];

#[test]
fn every_row_of_language_models_holds() {
    let mut covered: BTreeMap<String, usize> = BTreeMap::new();
    for row in rows() {
        let check = CHECKS.iter().find(|(prefix, _)| row.id.starts_with(prefix));
        if let Some((prefix, check)) = check {
            check(&row);
            *covered
                .entry(format!("{} ({prefix}…)", row.kind))
                .or_default() += 1;
        }
    }
    for (kind, count) in &covered {
        println!("{count:3} rows: {kind}");
    }
    assert_eq!(covered.values().sum::<usize>(), 126, "{covered:#?}");
}
