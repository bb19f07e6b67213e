//! A model in words: what an import says it has read.
use crate::model::llm::{Architecture, Attention, Formats, Latent, Layers, Mixer, Mixture, Mlp};
use crate::model::quantity::Count;

/// What was read of the architecture, a sentence each.
pub(super) fn of(model: &Architecture) -> Vec<String> {
    let layers = model.layer_count();
    let hidden = model.hidden.get();
    let mut words = vec![format!(
        "{layers} layers, hidden {hidden}, vocabulary {}, {}",
        model.vocab.get(),
        match model.tied {
            true => "input embedding and output head are one table",
            false => "input embedding and output head are two tables",
        }
    )];
    for group in &model.layers {
        let of_layers = match model.layers.len() {
            1 => String::new(),
            _ => format!("{} of {layers} layers: ", group.count.get()),
        };
        words.push(of_layers + &of_group(group));
    }
    let parameters = model.parameters();
    words.push(match parameters.routed_experts > 0.0 {
        true => format!(
            "{} parameters, of which a token passes {}",
            count(parameters.total),
            count(parameters.active)
        ),
        false => format!("{} parameters", count(parameters.total)),
    });
    words
}

fn count(value: f64) -> String {
    Count::try_from(value).map_or_else(|_| value.to_string(), |count| count.to_string())
}

fn of_group(group: &Layers) -> String {
    let parts = [of_mixer(&group.mixer), of_mlp(&group.mlp)];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    parts.join("; ")
}

fn of_mixer(mixer: &Mixer) -> Option<String> {
    match mixer {
        Mixer::Attention(attention) => Some(of_attention(attention)),
        Mixer::Latent(latent) => Some(of_latent(latent)),
        Mixer::Recurrent(recurrent) => Some(format!(
            "a recurrence with a state of {} elements in {}",
            recurrent.state.get(),
            recurrent.state_format
        )),
        Mixer::None => None,
    }
}

fn of_attention(attention: &Attention) -> String {
    let [heads, kv_heads, dim] =
        [attention.heads, attention.kv_heads, attention.head_dim].map(Count::get);
    let window = match attention.window {
        Some(window) => format!(", over the last {} tokens", window.get()),
        None => String::new(),
    };
    format!("{heads} query heads, {kv_heads} KV heads of {dim}{window}")
}

fn of_latent(latent: &Latent) -> String {
    let [heads, rank, rope] = [latent.heads, latent.kv_rank, latent.rope_dim].map(Count::get);
    let indexer = latent.indexer.as_ref().map(|indexer| {
        let [heads, dim, top_k] = [indexer.heads, indexer.head_dim, indexer.top_k].map(Count::get);
        format!(", the best {top_k} tokens by an indexer of {heads} heads of {dim}")
    });
    format!(
        "{heads} heads share a latent of {rank} + {rope} rotary dimensions{}",
        indexer.unwrap_or_default()
    )
}

fn of_mlp(mlp: &Mlp) -> Option<String> {
    match mlp {
        Mlp::Gated(width) => Some(format!("gated MLP {} wide", width.get())),
        Mlp::Plain(width) | Mlp::PlainBiased(width) => {
            Some(format!("MLP of two matrices {} wide", width.get()))
        }
        Mlp::Mixture(mixture) => Some(of_mixture(mixture)),
        Mlp::None => None,
    }
}

fn of_mixture(mixture: &Mixture) -> String {
    let [experts, top_k, width] = [mixture.experts, mixture.top_k, mixture.width].map(Count::get);
    let shared = match mixture.shared_width {
        Some(width) => format!(" and a shared one {} wide", width.get()),
        None => String::new(),
    };
    format!("{experts} experts {width} wide, {top_k} per token{shared}")
}

/// What was read of the formats.
pub(super) fn of_formats(formats: &Formats) -> String {
    let group = match formats.group {
        Some(group) => format!(
            " in groups of {} with {} bits of scale",
            group.get(),
            formats.scale_bits.get()
        ),
        None => String::new(),
    };
    let mixer = match formats.mixer {
        Some(mixer) => format!(", attention {mixer}"),
        None => String::new(),
    };
    format!(
        "weights {}{group}{mixer}, embeddings {}, activations {}, KV cache {}",
        formats.weights, formats.head, formats.activations, formats.kv
    )
}
