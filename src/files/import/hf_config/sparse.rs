//! Which layers of a config are mixtures of experts.
use super::fields::Fields;
use super::layer_count::check_length;
use serde_json::Value;
use std::collections::BTreeSet;

/// The names of the number of routed experts.
pub(super) const EXPERTS: [&str; 5] = [
    "num_local_experts",
    "num_experts",
    "n_routed_experts",
    "num_routed_experts",
    "moe_num_experts",
];

/// Which layers are mixtures: all, but for what the fields say.
pub(super) fn mixtures(fields: &mut Fields<'_>, count: usize) -> Vec<bool> {
    if fields.count_or_none(&EXPERTS, 1e5).is_none() {
        return vec![false; count];
    }
    let dense = indices(fields, "mlp_only_layers");
    let sparse_step = fields.count(&["decoder_sparse_step", "interleave_moe_layer_step"], 1e4);
    let sparse_step = sparse_step.map_or(1, |step| step.get() as usize);
    let first_dense = fields.count_or_none(&["first_k_dense_replace"], 1e4);
    let first_dense = first_dense.map_or(0, |first| first.get() as usize);
    let by_frequency = frequency(fields, count);
    let listed = fields
        .has("moe_layers")
        .then(|| indices(fields, "moe_layers"));
    let listed = listed.filter(|layers| !layers.is_empty());
    let is_mixture = |layer: usize| match &listed {
        Some(listed) => listed.contains(&layer),
        None => {
            layer >= first_dense
                && (layer + 1).is_multiple_of(sparse_step)
                && !dense.contains(&layer)
                && by_frequency[layer]
        }
    };
    (0..count).map(is_mixture).collect()
}

/// `moe_layer_freq` is a number (every n-th) or a list of 0 and 1.
fn frequency(fields: &mut Fields<'_>, count: usize) -> Vec<bool> {
    let key = "moe_layer_freq";
    match fields.peek(key) {
        Some(Value::Array(list)) => {
            let list = fields.list(&[key]).unwrap_or(list);
            check_length(fields, key, list.len());
            let is_mixture = |layer| list.get(layer).and_then(Value::as_f64) != Some(0.0);
            (0..count).map(is_mixture).collect()
        }
        _ => {
            let step = fields
                .count(&[key], 1e4)
                .map_or(1, |step| step.get() as usize);
            (0..count).map(|layer| layer.is_multiple_of(step)).collect()
        }
    }
}

/// A list of layers by number, from 0.
fn indices(fields: &mut Fields<'_>, key: &'static str) -> BTreeSet<usize> {
    let list = fields.list(&[key]).unwrap_or_default();
    let indices: Vec<_> = list.iter().map(|index| index.as_u64()).collect();
    if indices.iter().any(Option::is_none) {
        fields.wrong(format!(
            "{key} holds something other than numbers of layers from 0"
        ));
    }
    let indices = indices.into_iter().flatten();
    indices
        .filter_map(|index| usize::try_from(index).ok())
        .collect()
}
