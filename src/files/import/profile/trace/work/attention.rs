//! Fused attention: 2·B·H·pairs·(d + dv) FLOP, halved under a causal mask; queries, keys, values and result moved once.
use super::{Call, Tensor, Unit, Work, product};

/// How an operator takes its inputs.
struct Places {
    /// Where the queries are; keys and values follow.
    queries: usize,
    /// Whether heads come before positions: B×H×S×d, else B×S×H×d.
    heads_first: bool,
    /// Where the causal mask is chosen.
    causal: usize,
    /// Where lengths of packed sequences would be, which leave the pairs unknown.
    packed: Option<usize>,
    backward: bool,
}

fn places(name: &str) -> Option<Places> {
    let forward = |heads_first, causal, packed| Places {
        queries: 0,
        heads_first,
        causal,
        packed,
        backward: false,
    };
    let backward = |heads_first| Places {
        queries: 1,
        heads_first,
        causal: 11,
        packed: Some(6),
        backward: true,
    };
    Some(match name {
        "aten::scaled_dot_product_attention" => forward(true, 5, None),
        "aten::_scaled_dot_product_flash_attention" => forward(true, 4, None),
        "aten::_scaled_dot_product_efficient_attention"
        | "aten::_scaled_dot_product_cudnn_attention" => forward(true, 6, None),
        "aten::_flash_attention_forward" => forward(false, 8, Some(3)),
        "aten::_efficient_attention_forward" => forward(false, 9, Some(4)),
        "flash_attn::_flash_attn_forward" => forward(false, 5, None),
        "aten::_scaled_dot_product_flash_attention_backward" => backward(true),
        "aten::_flash_attention_backward" => backward(false),
        _ => return None,
    })
}

/// What fused attention asks for; `None` if it is none.
pub(super) fn work(call: &Call<'_>) -> Option<Work> {
    let places = places(call.name)?;
    if places.packed.is_some_and(|at| call.tensor(at).is_some()) {
        return None;
    }
    let q = call.tensor(places.queries)?;
    let k = call.tensor(places.queries + 1)?;
    let v = call.tensor(places.queries + 2)?;
    let [batch, heads, queries, size] = dims(&q, places.heads_first)?;
    let [_, _, keys, _] = dims(&k, places.heads_first)?;
    let [_, _, _, value_size] = dims(&v, places.heads_first)?;
    let causal = matches!(call.concrete(places.causal), "True" | "true" | "1" | "2");
    // Queries stand at the end of the keys; the halved square is the convention of FlashAttention's benchmarks.
    let pairs = match causal {
        true => (queries * keys - queries * queries.min(keys) / 2.0).max(0.0),
        false => queries * keys,
    };
    // The backward pass computes the scores again: five products where the forward pass has two.
    let passes = if places.backward { 2.5 } else { 1.0 };
    let result = batch * heads * queries * value_size * q.element.size;
    let bytes = match places.backward {
        true => 2.0 * (q.bytes() + k.bytes() + v.bytes() + result),
        false => q.bytes() + k.bytes() + v.bytes() + result,
    };
    let mask = if causal { "causal, halved" } else { "no mask" };
    let factors = product(&[2.0, batch, heads, pairs, size + value_size]);
    let again = if places.backward { " ×2.5" } else { "" };
    Some(Work {
        flop: Some(passes * 2.0 * batch * heads * pairs * (size + value_size)),
        bytes: Some(bytes),
        unit: Unit::Matrix(q.element.format?),
        derivation: format!("{factors}{again} of {} ({mask})", call.name),
    })
}

/// Batch, heads, positions and head size.
fn dims(tensor: &Tensor, heads_first: bool) -> Option<[f64; 4]> {
    match (&tensor.dims[..], heads_first) {
        (&[batch, heads, positions, size], true) | (&[batch, positions, heads, size], false) => {
            Some([batch, heads, positions, size])
        }
        _ => None,
    }
}
