//! Rows of language models: parameters, work and traffic of their operators, steps, what fits, whole trainings.
mod bounds;
mod exact;
mod groups;
mod published;
mod row;

use row::{Row, rows};
use std::collections::BTreeSet;

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
    (
        "infersim-bench-lower-bound",
        bounds::measured_latent_attention,
    ),
    ("active-params-", published::active_parameters),
    ("leviathan-", published::speculation),
    ("sb-llama2-13b-", published::tpu_decode),
    ("sb-popquiz-", published::tpu_decode_in_two_operators),
    ("sb-llama3-70b-step", published::bytes_over_bandwidth),
    ("sb-llama3-70b-min-chips-bf16", groups::chips_that_hold_it),
    ("sb-tp-4x8", groups::a_divided_product),
    ("sb-train-70b", groups::training_of_a_dense_model),
    ("sb-dsv3-mfu", groups::training_of_experts),
    ("kipply-260b-16gpu", groups::a_divided_step),
    ("baseten-total-a10", groups::a_whole_answer),
    ("sb-params-", published::parameters_and_cache),
    ("megatron-", published::training_days),
    ("aic-silicon-", bounds::measured),
    ("bug-", bounds::not_the_bug),
    ("llmroofline-onenumber-", bounds::not_their_one_number),
    ("genz-llm-analysis-unit-note", bounds::not_their_units),
];

/// Checks every row of a language model; says which those are.
pub fn check_all() -> BTreeSet<String> {
    let mut checked = BTreeSet::new();
    for row in rows() {
        let check = CHECKS.iter().find(|(prefix, _)| row.id.starts_with(prefix));
        if let Some((_, check)) = check {
            check(&row);
            checked.insert(row.id);
        }
    }
    checked
}
