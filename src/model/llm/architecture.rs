//! The architecture of a language model: groups of equal layers, each a mixer and an MLP.
use crate::model::format::NumberFormat;
use crate::model::quantity::Count;
use serde::{Deserialize, Serialize};

/// A decoder-only transformer or hybrid, as its `config.json` describes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Architecture {
    pub name: String,
    pub hidden: Count,
    pub vocab: Count,
    /// Whether the input embedding is the output head as well: stored once, multiplied all the same.
    #[serde(default, skip_serializing_if = "is_false")]
    pub tied: bool,
    /// Learnt position embeddings, as of GPT-2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions: Option<Count>,
    /// The longest context the model was made for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_context: Option<Count>,
    /// Normalisations have a bias as well as a scale (LayerNorm); otherwise only a scale (RMSNorm).
    #[serde(default, skip_serializing_if = "is_false")]
    pub norm_bias: bool,
    /// Normalisations per layer where that is not two (four in Gemma 2 and 3, one in Nemotron-H).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub norms_per_layer: Option<Count>,
    /// Groups of equal layers; the order within the model does not matter here.
    pub layers: Vec<Layers>,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// Layers that are alike.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Layers {
    pub count: Count,
    pub mixer: Mixer,
    pub mlp: Mlp,
}

/// What moves information between tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Mixer {
    /// MHA, GQA or MQA, by the number of KV heads.
    Attention(Attention),
    /// Multi-head latent attention (DeepSeek): all heads share one latent.
    Latent(Latent),
    /// A recurrence with a state of fixed size per sequence: gated delta net, Mamba 2.
    Recurrent(Recurrent),
    /// None: the layer is an MLP alone.
    None,
}

/// Softmax attention with a KV cache.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Attention {
    pub heads: Count,
    pub kv_heads: Count,
    /// Not always hidden ÷ heads.
    pub head_dim: Count,
    /// Only the last so many tokens are attended to, and kept; of chunked attention this is the most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<Count>,
    /// The Q, K and V projections have biases.
    #[serde(default, skip_serializing_if = "is_false")]
    pub qkv_bias: bool,
    /// The output projection has a bias.
    #[serde(default, skip_serializing_if = "is_false")]
    pub output_bias: bool,
    /// Queries and keys are normalised, one scale of `head_dim` each.
    #[serde(default, skip_serializing_if = "is_false")]
    pub qk_norm: bool,
    /// The output is gated, which doubles the Q projection (Qwen3-Next).
    #[serde(default, skip_serializing_if = "is_false")]
    pub output_gate: bool,
    /// Each head has a learnt logit that takes part in its softmax (gpt-oss).
    #[serde(default, skip_serializing_if = "is_false")]
    pub sinks: bool,
}

/// Multi-head latent attention.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Latent {
    pub heads: Count,
    /// Rank of the latent of queries; none in V2-Lite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub q_rank: Option<Count>,
    /// Rank of the latent of keys and values, which is what the cache holds.
    pub kv_rank: Count,
    /// Dimensions of a head without rotary position.
    pub nope_dim: Count,
    /// Dimensions with rotary position, cached beside the latent and shared by all heads.
    pub rope_dim: Count,
    pub value_dim: Count,
    /// The sparse indexer of DeepSeek V3.2: it scores every token and keeps the best for attention.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub indexer: Option<Indexer>,
}

/// The sparse indexer of DeepSeek V3.2.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Indexer {
    pub heads: Count,
    pub head_dim: Count,
    /// Tokens attention is capped at.
    pub top_k: Count,
}

/// A recurrence whose state does not grow with the context.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recurrent {
    /// Parameters of one layer's projections, convolution and gates.
    pub parameters: Count,
    /// Elements of state of one layer and sequence, read and written with every token.
    pub state: Count,
    /// What the state is kept in: 32 bits unless a model says otherwise, since errors add up.
    #[serde(default = "fp32", skip_serializing_if = "is_fp32")]
    pub state_format: NumberFormat,
    /// Work of the recurrence itself per token beyond the projections, in FLOP.
    pub flop_per_token: Count,
}

fn fp32() -> NumberFormat {
    NumberFormat::FP32
}

fn is_fp32(format: &NumberFormat) -> bool {
    *format == fp32()
}

/// What works on each token alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Mlp {
    /// Gate, up and down: three matrices.
    Gated(Count),
    /// Up and down: two matrices.
    Plain(Count),
    /// Up and down with biases (GPT-2).
    PlainBiased(Count),
    Mixture(Mixture),
    /// None: the layer is a mixer alone.
    None,
}

/// A mixture of experts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mixture {
    pub experts: Count,
    /// Experts each token is sent to.
    pub top_k: Count,
    /// Width of one expert.
    pub width: Count,
    /// Width of what every token passes as well, all shared experts together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared_width: Option<Count>,
    /// The shared expert is weighted by a gate of its own: one more column (Qwen).
    #[serde(default, skip_serializing_if = "is_false")]
    pub shared_gate: bool,
    /// Experts have gate, up and down; otherwise up and down (Nemotron).
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub gated: bool,
    /// Router and experts have biases (gpt-oss).
    #[serde(default, skip_serializing_if = "is_false")]
    pub biased: bool,
}

fn yes() -> bool {
    true
}
