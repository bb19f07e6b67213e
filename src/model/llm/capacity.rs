//! Whether a language model fits a GPU's memory: what is needed, which part breaks it, and how far batch and context go.
use super::architecture::{Layers, Mixer};
use super::serving::{Phase, Serving};
use crate::model::quantity::{Bytes, Count, Share};
use crate::model::units::{self, Unit};

/// Part of the memory that may be used where none is given, as serving engines take it.
pub const USUAL_MEMORY_SHARE: f64 = 0.9;

/// What one GPU of the group must hold, in bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Capacity {
    /// Weights, activations, what is reserved, KV cache: in the order in which memory is given away.
    pub parts: Vec<(&'static str, f64)>,
    /// What may be used of the memory.
    pub usable: f64,
    /// The most sequences of this context that fit; 0 where not even one does.
    pub most_sequences: f64,
    /// The longest context that fits for this batch; 0 where none does, at most what the model was made for.
    pub longest_context: f64,
}

impl Capacity {
    /// All that is needed, in bytes.
    pub fn needed(&self) -> f64 {
        self.parts.iter().map(|(_, bytes)| bytes).sum()
    }

    /// Whether all of it fits.
    pub fn fits(&self) -> bool {
        self.needed() <= self.usable
    }

    /// The part with which memory runs out.
    pub fn breaks_at(&self) -> Option<&'static str> {
        let mut sum = 0.0;
        let mut parts = self.parts.iter();
        let broken = parts.find(|(_, bytes)| {
            sum += bytes;
            sum > self.usable
        });
        broken.map(|(name, _)| *name)
    }
}

/// What `serving` needs of a GPU with `memory`: weights + activations + reserve + KV cache ≤ share × memory.
///
/// Checked against aiconfigurator 0.12.0: Llama 3 8B in 80 GiB with 3.5 GiB reserved holds 490 sequences of 1,026 tokens.
pub fn capacity(serving: &Serving, memory: Bytes) -> Capacity {
    let usable = usable(serving, memory);
    let weights = stored_weights(serving);
    let reserve = serving.reserve.map_or(0.0, Bytes::get);
    let batch = serving.batch.get();
    let contexts = serving.contexts();
    let per_sequence = |scale: f64| -> f64 {
        let bytes = |(share, tokens): &(f64, f64)| share * allocated(serving, tokens * scale);
        contexts.iter().map(bytes).sum()
    };
    let activations = activations(serving, batch);
    let fixed = weights + reserve;
    let each = per_sequence(1.0) + activations / batch;
    let most_sequences = ((usable - fixed) / each).floor().max(0.0);
    let limit = serving.model.max_context.map_or(1e9, Count::get);
    let longest = serving.longest_context();
    let fits =
        |context: f64| fixed + activations + batch * per_sequence(context / longest) <= usable;
    Capacity {
        parts: parts(serving),
        usable,
        most_sequences,
        longest_context: largest(limit, fits),
    }
}

/// Whether what `serving` needs fits a GPU with `memory`: as [`capacity`] says, without asking how far it could go.
pub fn fits(serving: &Serving, memory: Bytes) -> bool {
    let needed: f64 = parts(serving).iter().map(|(_, bytes)| bytes).sum();
    needed <= usable(serving, memory)
}

/// Why `serving` does not fit a GPU with `memory`, in a sentence; `None` where it does.
pub fn shortfall(serving: &Serving, memory: Bytes) -> Option<String> {
    let capacity = Capacity {
        parts: parts(serving),
        usable: usable(serving, memory),
        most_sequences: 0.0,
        longest_context: 0.0,
    };
    let part = capacity.breaks_at()?;
    let bytes = |value: f64| units::short(value, Unit::Byte);
    Some(format!(
        "does not fit: {part}; {} are needed on each GPU and {} may be used, so no such step can run",
        bytes(capacity.needed()),
        bytes(capacity.usable)
    ))
}

fn usable(serving: &Serving, memory: Bytes) -> f64 {
    let share = serving.memory_share.map_or(USUAL_MEMORY_SHARE, Share::get);
    share * memory.get()
}

/// What one GPU of the group must hold, in bytes.
fn parts(serving: &Serving) -> Vec<(&'static str, f64)> {
    let batch = serving.batch.get();
    let contexts = serving.contexts().into_iter();
    let per_sequence: f64 = contexts
        .map(|(share, tokens)| share * allocated(serving, tokens))
        .sum();
    let mut parts = vec![
        ("weights", stored_weights(serving)),
        ("activations", activations(serving, batch)),
        ("reserve", serving.reserve.map_or(0.0, Bytes::get)),
        ("KV cache", batch * per_sequence),
    ];
    if serving.phase == Phase::Training {
        let (total, gpus) = (
            serving.model.parameters().total,
            serving.tensor_parallel.get(),
        );
        // Gradients, 32-bit master copy and two moments.
        parts.insert(1, ("gradients and optimiser", 14.0 * total / gpus));
        parts.retain(|(name, _)| *name != "KV cache");
    }
    parts
}

/// The largest whole number up to `limit` for which `fits` holds, which it does up to some point; 0 if for none.
fn largest(limit: f64, fits: impl Fn(f64) -> bool) -> f64 {
    if fits(limit) {
        return limit;
    }
    let (mut low, mut high) = (0.0, limit);
    while high - low > 1.0 {
        let middle = ((low + high) / 2.0).floor();
        if fits(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// Bytes of weights one GPU of the group stores, all experts and both embeddings among them.
pub fn stored_weights(serving: &Serving) -> f64 {
    let gpus = serving.tensor_parallel.get();
    let layers = serving.model.layers.iter();
    let routers: f64 = layers
        .map(|l| l.count.get() * serving.model.layer_parameters(l).router)
        .sum();
    // Every GPU holds all norms and routers.
    let replicated = (serving.model.parameters().norms + routers) * serving.formats.head.bytes();
    let all = serving.model.weight_bytes(&serving.formats);
    (all - replicated) / gpus + replicated
}

/// Bytes of cache and state one sequence of `context` tokens takes on one GPU of the group.
pub fn allocated(serving: &Serving, context: f64) -> f64 {
    let page = serving.page.unwrap_or(Count::ONE);
    per_gpu(serving, |group| {
        group.kv_allocated_bytes(context, page, &serving.formats)
    }) + serving.model.state_bytes() / serving.tensor_parallel.get()
}

/// Bytes of cache one new token of a sequence reads on one GPU of the group.
pub fn read(serving: &Serving, context: f64) -> f64 {
    per_gpu(serving, |group| {
        group.kv_read_bytes(context, &serving.formats)
    })
}

/// The sum over groups of layers of what `bytes` says of each, divided as far as there are KV heads to divide.
fn per_gpu(serving: &Serving, bytes: impl Fn(&super::Architecture) -> f64) -> f64 {
    let gpus = serving.tensor_parallel.get();
    let of_group = |layers: &Layers| {
        let part = match &layers.mixer {
            Mixer::Attention(attention) => (1.0 / gpus).max(1.0 / attention.kv_heads.get()),
            // The latent is shared by all heads, so every GPU holds all of it.
            _ => 1.0,
        };
        let group = super::Architecture {
            layers: vec![layers.clone()],
            ..serving.model.clone()
        };
        part * bytes(&group)
    };
    serving.model.layers.iter().map(of_group).sum()
}

/// Bytes of activations at the widest point of a step, and of its logits in 32 bits.
fn activations(serving: &Serving, batch: f64) -> f64 {
    let (tokens, logits) = match serving.phase {
        Phase::Decode => (
            batch * (serving.drafted() + 1.0),
            batch * (serving.drafted() + 1.0),
        ),
        Phase::Mixed => (batch + serving.chunk.get(), batch + 1.0),
        Phase::Prefill => (batch * serving.mean_context(), batch),
        Phase::Training => (
            batch * serving.mean_context(),
            batch * serving.mean_context(),
        ),
    };
    let hidden = serving.model.hidden.get();
    let widest = serving
        .model
        .layers
        .iter()
        .map(|layers| widest(layers, hidden));
    let bytes = serving.formats.activations.bytes().max(2.0);
    let layers = match (serving.phase, serving.recompute) {
        // Kept for the backward pass: about 34 bytes per token, hidden element and layer with flash attention
        // (Korthikanti 2022); one input per layer where they are computed again.
        (Phase::Training, super::Recompute::Kept) => {
            17.0 * bytes * hidden * serving.model.layer_count()
        }
        (Phase::Training, super::Recompute::Full) => bytes * hidden * serving.model.layer_count(),
        _ => bytes * widest.fold(0.0, f64::max),
    };
    (tokens * layers + 4.0 * serving.model.vocab.get() * logits) / serving.tensor_parallel.get()
}

/// Elements a token has at the widest point of a layer.
fn widest(layers: &Layers, hidden: f64) -> f64 {
    use super::architecture::Mlp;
    let mixer = match &layers.mixer {
        Mixer::Attention(a) => (a.heads.get() + 2.0 * a.kv_heads.get()) * a.head_dim.get(),
        Mixer::Latent(l) => {
            l.heads.get() * (l.nope_dim.get() + l.rope_dim.get() + l.value_dim.get())
        }
        Mixer::Recurrent(_) => 4.0 * hidden,
        Mixer::None => 0.0,
    };
    let mlp = match &layers.mlp {
        Mlp::Gated(width) => 2.0 * width.get(),
        Mlp::Plain(width) | Mlp::PlainBiased(width) => width.get(),
        Mlp::Mixture(m) => {
            2.0 * (m.top_k.get() * m.width.get() + m.shared_width.map_or(0.0, Count::get))
        }
        Mlp::None => 0.0,
    };
    (2.0 * hidden + mixer).max(mlp + hidden)
}
