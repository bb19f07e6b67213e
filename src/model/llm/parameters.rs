//! Parameters of a language model by what becomes of them: stored, passed by a token, read by a step.
use super::architecture::{Architecture, Attention, Indexer, Latent, Layers, Mixer, Mixture, Mlp};
use super::experts::expected_distinct;
use crate::model::quantity::Count;

/// Parameters of a whole model by what becomes of them; whole numbers, exact below 2⁵³.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Parameters {
    /// All that is stored; a tied embedding counts once. Modules for predicting several tokens are not counted.
    pub total: f64,
    /// Those a token passes: without experts it is not sent to, with both embeddings.
    pub active: f64,
    /// The input embedding table, of which a step reads a row per token.
    pub input_embedding: f64,
    /// Learnt positions, of which a step reads a row per token as well.
    pub positions: f64,
    /// The output head; 0 where tied.
    pub output_head: f64,
    /// Scales, and biases where they have them, of all normalisations outside of recurrences.
    pub norms: f64,
    /// Experts tokens are sent to by a router.
    pub routed_experts: f64,
}

/// Parameters of one layer by what becomes of them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LayerParameters {
    /// Matrices of attention; of a recurrence all it has; 0 without a mixer.
    pub mixer: f64,
    /// Matrices every token passes: a dense MLP, or the shared experts with their gate.
    pub mlp: f64,
    /// The matrix that scores the experts.
    pub router: f64,
    /// One routed expert, with its biases.
    pub expert: f64,
    /// Routed experts there are.
    pub experts: f64,
    /// Routed experts a token is sent to.
    pub top_k: f64,
    /// Normalisations before, after and between, those of queries, keys and latents among them.
    pub norms: f64,
    /// Biases outside of experts and recurrences, and the sinks of softmax: added, not multiplied with.
    pub biases: f64,
}

impl LayerParameters {
    /// All routed experts.
    pub fn routed_experts(&self) -> f64 {
        self.experts * self.expert
    }

    /// What every token passes.
    pub fn always(&self) -> f64 {
        self.mixer + self.mlp + self.router + self.norms + self.biases
    }

    /// All that is stored.
    pub fn total(&self) -> f64 {
        self.always() + self.routed_experts()
    }

    /// What one token passes.
    pub fn active(&self) -> f64 {
        self.always() + self.top_k * self.expert
    }
}

impl Architecture {
    /// Parameters by what becomes of them.
    pub fn parameters(&self) -> Parameters {
        let embedding = self.vocab.get() * self.hidden.get();
        let positions = self.positions.map_or(0.0, Count::get) * self.hidden.get();
        let output_head = if self.tied { 0.0 } else { embedding };
        let final_norm = self.norm();
        let outside = embedding + positions + output_head + final_norm;
        let mut parameters = Parameters {
            total: outside,
            active: outside,
            input_embedding: embedding,
            positions,
            output_head,
            norms: final_norm,
            routed_experts: 0.0,
        };
        for layers in &self.layers {
            let (count, layer) = (layers.count.get(), self.layer_parameters(layers));
            parameters.total += count * layer.total();
            parameters.active += count * layer.active();
            parameters.norms += count * layer.norms;
            parameters.routed_experts += count * layer.routed_experts();
        }
        parameters
    }

    /// Parameters of one of these layers.
    pub fn layer_parameters(&self, layers: &Layers) -> LayerParameters {
        let hidden = self.hidden.get();
        let mut layer = LayerParameters {
            norms: self.norms_per_layer.map_or(2.0, Count::get) * self.norm(),
            ..LayerParameters::default()
        };
        match &layers.mixer {
            Mixer::Attention(attention) => attention.count(&mut layer, hidden),
            Mixer::Latent(latent) => latent.count(&mut layer, hidden),
            Mixer::Recurrent(recurrent) => layer.mixer = recurrent.parameters.get(),
            Mixer::None => {}
        }
        match &layers.mlp {
            Mlp::Gated(width) => layer.mlp = 3.0 * hidden * width.get(),
            Mlp::Plain(width) => layer.mlp = 2.0 * hidden * width.get(),
            Mlp::PlainBiased(width) => {
                layer.mlp = 2.0 * hidden * width.get();
                layer.biases += width.get() + hidden;
            }
            Mlp::Mixture(mixture) => mixture.count(&mut layer, hidden),
            Mlp::None => {}
        }
        layer
    }

    /// Parameters a step over `tokens` tokens reads, with the expected distinct experts in place of all.
    ///
    /// The input embedding and learnt positions are not among them, being looked up; the output head is, also
    /// where it is tied. `skew` is that of [`expected_distinct`].
    pub fn read_per_step(&self, tokens: f64, skew: f64) -> f64 {
        let head = self.vocab.get() * self.hidden.get();
        let layers = self.layers.iter().map(|layers| {
            let layer = self.layer_parameters(layers);
            let distinct = match &layers.mlp {
                Mlp::Mixture(m) => expected_distinct(m.experts, m.top_k, tokens, skew),
                _ => 0.0,
            };
            layers.count.get() * (layer.always() + distinct * layer.expert)
        });
        head + self.norm() + layers.sum::<f64>()
    }

    /// Layers there are.
    pub fn layer_count(&self) -> f64 {
        self.layers.iter().map(|layers| layers.count.get()).sum()
    }

    /// Parameters of one normalisation over the hidden size.
    pub(super) fn norm(&self) -> f64 {
        let per_element = if self.norm_bias { 2.0 } else { 1.0 };
        per_element * self.hidden.get()
    }
}

impl Attention {
    /// Q, K, V and O: h·(H + 2K)·d + H·d·h, and h·H·d more where the output is gated.
    fn count(&self, layer: &mut LayerParameters, hidden: f64) {
        let [heads, kv_heads, dim] = [self.heads, self.kv_heads, self.head_dim].map(Count::get);
        let gates = if self.output_gate { heads } else { 0.0 };
        let qkv = (heads + gates + 2.0 * kv_heads) * dim;
        layer.mixer = hidden * qkv + heads * dim * hidden;
        if self.qkv_bias {
            layer.biases += qkv;
        }
        if self.output_bias {
            layer.biases += hidden;
        }
        if self.sinks {
            layer.biases += heads;
        }
        if self.qk_norm {
            layer.norms += 2.0 * dim;
        }
    }
}

impl Latent {
    /// h·q + q·H·(dn + dr) + h·(r + dr) + r·H·(dn + dv) + H·dv·h; without a rank of queries h·H·(dn + dr) first.
    fn count(&self, layer: &mut LayerParameters, hidden: f64) {
        let [heads, rank] = [self.heads, self.kv_rank].map(Count::get);
        let [nope, rope, value] = [self.nope_dim, self.rope_dim, self.value_dim].map(Count::get);
        let queries = heads * (nope + rope);
        layer.mixer = match self.q_rank {
            Some(q_rank) => {
                layer.norms += q_rank.get();
                q_rank.get() * (hidden + queries)
            }
            None => hidden * queries,
        };
        layer.norms += rank;
        layer.mixer +=
            hidden * (rank + rope) + rank * heads * (nope + value) + heads * value * hidden;
        if let Some(indexer) = &self.indexer {
            indexer.count(layer, hidden, self.q_rank.map_or(hidden, Count::get));
        }
    }
}

impl Indexer {
    /// Queries from the latent of queries, one key per token, a weight per head, and a LayerNorm of the key.
    fn count(&self, layer: &mut LayerParameters, hidden: f64, q_rank: f64) {
        let [heads, dim] = [self.heads, self.head_dim].map(Count::get);
        layer.mixer += q_rank * heads * dim + hidden * dim + hidden * heads;
        layer.norms += 2.0 * dim;
    }
}

impl Mixture {
    /// h·E to score, E experts of 3·h·fe (2 where not gated), and the same of what is shared.
    fn count(&self, layer: &mut LayerParameters, hidden: f64) {
        let matrices = if self.gated { 3.0 } else { 2.0 };
        layer.experts = self.experts.get();
        layer.top_k = self.top_k.get().min(layer.experts);
        layer.router = hidden * layer.experts;
        layer.expert = matrices * hidden * self.width.get();
        layer.mlp = matrices * hidden * self.shared_width.map_or(0.0, Count::get);
        if self.shared_gate {
            layer.mlp += hidden;
        }
        if self.biased {
            layer.biases += layer.experts;
            layer.expert += (matrices - 1.0) * self.width.get() + hidden;
        }
    }
}
