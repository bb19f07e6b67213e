//! What attention of many queries and of one over a cache have in common: heads and formats, and that KV heads divide.
use super::common::ensure;
use super::{CostError, Parameter};
use crate::model::format::NumberFormat;
use crate::model::quantity::Count;

/// Refuses heads that KV heads cannot share evenly.
pub(super) fn ensure_groups(heads: Count, kv_heads: Count) -> Result<(), CostError> {
    ensure(heads.get() % kv_heads.get() == 0.0, || {
        format!("{kv_heads} KV heads do not divide {heads} heads: take a divisor")
    })
}

pub(super) fn heads(heads: &mut Count) -> Parameter<'_> {
    Parameter::number("heads", "Heads", "Heads of the queries", heads)
}

pub(super) fn kv_heads(kv_heads: &mut Count) -> Parameter<'_> {
    let hint = "Of keys and values: as many as heads for MHA, fewer for GQA, 1 for MQA";
    Parameter::number("kv_heads", "KV heads", hint, kv_heads)
}

pub(super) fn head_size<'a>(hint: &'static str, head_dim: &'a mut Count) -> Parameter<'a> {
    Parameter::number("head_dim", "Head size", hint, head_dim).within(32.0, 256.0)
}

pub(super) fn value_size(value_dim: &mut Option<Count>) -> Parameter<'_> {
    let hint = "Of values, where it is another than that of keys";
    Parameter::number("value_dim", "Value size", hint, value_dim).within(32.0, 256.0)
}

/// Of queries and results, which `also` says more of, and of what is cached.
pub(super) fn formats<'a>(
    also: &'a str,
    cached: &'a str,
    activations: &'a mut NumberFormat,
    kv: &'a mut NumberFormat,
) -> [Parameter<'a>; 2] {
    let wider = "The wider of both picks the path";
    [
        Parameter::format("activations", "Format of Q, output", also, activations),
        Parameter::format("kv", cached, wider, kv),
    ]
}
