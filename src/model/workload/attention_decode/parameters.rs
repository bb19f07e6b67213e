//! The parameters of attention over a cache, as the panel shows them.
use super::{AttentionDecode, Cache};
use crate::model::quantity::Count;
use crate::model::workload::{Parameter, attention_heads};

/// All of them; those that the kind of cache leaves without a meaning are not shown.
pub(super) fn all(attention: &mut AttentionDecode) -> Vec<Parameter<'_>> {
    let AttentionDecode {
        batch,
        context,
        heads,
        cache,
        kv_heads,
        head_dim,
        value_dim,
        latent,
        rope_dim,
        append,
        splits,
        activations,
        kv,
    } = attention;
    let of_cache = match cache {
        Cache::Heads => vec![
            attention_heads::kv_heads(kv_heads),
            attention_heads::head_size("Of queries and keys", head_dim),
        ],
        Cache::Latent => of_latent(latent, rope_dim, head_dim),
    };
    let within = "Tokens attended to, the new one included; at most the window of a sliding one";
    let mut parameters = vec![
        Parameter::number(
            "batch",
            "Batch",
            "Sequences that get a token in this step",
            batch,
        ),
        Parameter::number("context", "Context", within, context),
        attention_heads::heads(heads),
        Parameter::choice(
            "cache",
            "Cache",
            "Keys and values of every KV head, or one latent for all",
            cache,
        ),
    ];
    parameters.extend(of_cache);
    let splitting =
        "Parts of the context shared out to thread blocks (split-KV); a second kernel adds up";
    parameters.extend([
        attention_heads::value_size(value_dim),
        Parameter::choice(
            "append",
            "New entry",
            "Whether writing the new token's entry of the cache counts here",
            append,
        ),
        Parameter::number("splits", "Splits", splitting, splits).within(1.0, 64.0),
    ]);
    let also = "The wider of both picks the path; also of the weights of MLA";
    let cached = "Format of cache";
    parameters.extend(attention_heads::formats(also, cached, activations, kv));
    parameters
}

fn of_latent<'a>(
    latent: &'a mut Count,
    rope_dim: &'a mut Count,
    head_dim: &'a mut Count,
) -> Vec<Parameter<'a>> {
    vec![
        Parameter::number(
            "latent",
            "Latent",
            "Rank of the latent of keys and values",
            latent,
        )
        .within(128.0, 1024.0),
        Parameter::number(
            "rope_dim",
            "Rotary part",
            "Elements cached beside the latent, with rotary position",
            rope_dim,
        )
        .within(32.0, 128.0),
        attention_heads::head_size("Of queries without the rotary part", head_dim),
    ]
}
