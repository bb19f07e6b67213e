//! The parameters of attention over many queries, as the panel shows them.
use super::{Attending, AttentionPrefill, Mask, Pass};
use crate::model::quantity::Count;
use crate::model::workload::{Parameter, attention_heads};

/// All of them; those that the choices leave without a meaning are not shown.
pub(super) fn all(attention: &mut AttentionPrefill) -> Vec<Parameter<'_>> {
    let windowed = attention.mask == Mask::Window;
    let flash = attention.algorithm == Attending::Flash;
    let AttentionPrefill {
        batch,
        queries,
        keys,
        mask,
        window,
        heads,
        kv_heads,
        head_dim,
        value_dim,
        algorithm,
        pass,
        block_queries,
        activations,
        kv,
    } = attention;
    let mut parameters = tokens(batch, queries, keys, mask);
    if windowed {
        let hint = "Keys a query sees, itself included";
        parameters.push(Parameter::number("window", "Window", hint, window));
    }
    parameters.extend([
        attention_heads::heads(heads),
        attention_heads::kv_heads(kv_heads),
        attention_heads::head_size("Of queries and keys", head_dim),
        attention_heads::value_size(value_dim),
    ]);
    let hint = "Fused keeps scores on chip; three kernels write and read them";
    parameters.push(Parameter::choice("algorithm", "Kernels", hint, algorithm));
    if flash {
        parameters.extend(fused(pass, block_queries));
    }
    let also = "Also of scores; the wider of both picks the path";
    let cached = "Format of K and V";
    parameters.extend(attention_heads::formats(also, cached, activations, kv));
    parameters
}

fn tokens<'a>(
    batch: &'a mut Count,
    queries: &'a mut Count,
    keys: &'a mut Option<Count>,
    mask: &'a mut Mask,
) -> Vec<Parameter<'a>> {
    vec![
        Parameter::number("batch", "Batch", "Sequences", batch),
        Parameter::number(
            "queries",
            "Queries",
            "Tokens of a sequence that attend",
            queries,
        ),
        Parameter::number(
            "keys",
            "Keys",
            "Tokens attended to, where more than queries: behind a cached prefix",
            keys,
        ),
        Parameter::choice(
            "mask",
            "Mask",
            "Which keys a query sees; halved leaves the diagonal out, as benchmarks do",
            mask,
        ),
    ]
}

fn fused<'a>(pass: &'a mut Pass, block_queries: &'a mut Option<Count>) -> [Parameter<'a>; 2] {
    [
        Parameter::choice(
            "pass",
            "Pass",
            "Backward computes scores again: 2.5 times the work of forward",
            pass,
        ),
        Parameter::number(
            "block_queries",
            "Block of queries",
            "Queries a thread block keeps while it goes over keys and values; gives the traffic at L2",
            block_queries,
        )
        .within(16.0, 256.0),
    ]
}
