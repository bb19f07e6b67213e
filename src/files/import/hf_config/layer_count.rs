//! How many layers a model says it has, and lists with an entry for each.
use super::fields::Fields;

/// More layers than any model has.
pub(super) const MOST_LAYERS: f64 = 1e4;

/// How the number of layers is called.
pub(super) const LAYERS: [&str; 4] = ["num_hidden_layers", "n_layer", "num_layers", "n_layers"];

/// Says so where a list has another length than there are layers.
pub(super) fn check_length(fields: &mut Fields<'_>, key: &str, length: usize) {
    let count = fields.count(&LAYERS, MOST_LAYERS);
    let differs = count.is_some_and(|count| count.get() != length as f64);
    if differs || length as f64 > MOST_LAYERS {
        let count = count.map_or(MOST_LAYERS, |count| count.get());
        fields.wrong(format!(
            "{key} has {length} layers, while num_hidden_layers is {count}"
        ));
    }
}
