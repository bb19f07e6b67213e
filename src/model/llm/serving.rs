//! How a language model is run: phase, batch, context, formats, parallelism. What follows of it is in `step`.
use super::architecture::{Architecture, Attention, Layers, Mixer, Mlp};
use super::distribution::Distribution;
use super::formats::Formats;
use crate::model::format::NumberFormat;
use crate::model::parameter::choices;
use crate::model::quantity::{Bytes, Count, Ratio, Seconds, Share};
use crate::model::units;
use serde::{Deserialize, Serialize};

/// What the model does in one execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Phase {
    /// One step of generation: a token for each sequence.
    #[default]
    Decode,
    /// Reading the prompts of the batch.
    Prefill,
    /// A decode step with a chunk of another prompt riding along (chunked prefill).
    Mixed,
    /// Forward, backward and the optimiser's step.
    Training,
}

choices! { Phase { Decode => "decode step", Prefill => "prefill", Mixed => "decode + prefill chunk", Training => "training step" } }

/// How many (query, key) pairs a causal attention counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Mask {
    /// The pairs that are needed: S(S+1)/2.
    #[default]
    Exact,
    /// S²/2, the convention of flash attention's benchmark.
    Halved,
    /// All of S², as most FLOP counters do.
    Full,
}

choices! { Mask { Exact => "causal, exact", Halved => "causal, S²/2", Full => "full, S²" } }

/// Which tokens of a prefill get logits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Logits {
    /// The last of each sequence: all that generating needs.
    #[default]
    Last,
    /// All of them, as a plain forward pass computes.
    All,
}

choices! { Logits { Last => "last token", All => "all tokens" } }

fn is_last(logits: &Logits) -> bool {
    *logits == Logits::Last
}

/// A language model as it is run on a group of equal GPUs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Serving {
    pub model: Architecture,
    pub formats: Formats,
    #[serde(default)]
    pub phase: Phase,
    /// Sequences in the step.
    pub batch: Count,
    /// Tokens each sequence attends to: of a decode step the new one included, of a prefill the whole prompt.
    pub context: Count,
    /// How contexts differ between sequences, where they do; `context` then is not used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distribution: Option<Distribution>,
    /// Tokens of the prompt that are in the cache already: a prefix, or the chunks before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<Count>,
    /// Tokens of the prefill chunk of a mixed step.
    #[serde(default = "chunk", skip_serializing_if = "is_chunk")]
    pub chunk: Count,
    #[serde(default, skip_serializing_if = "is_exact")]
    pub mask: Mask,
    #[serde(default, skip_serializing_if = "is_last")]
    pub logits: Logits,
    /// GPUs each layer is divided over.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub tensor_parallel: Count,
    /// What a collective takes however little it sends (α).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collective_latency: Option<Seconds>,
    /// Tokens a draft proposes before each step of the model (speculative decoding).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft_tokens: Option<Count>,
    /// Probability that a proposed token is accepted, 0–1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceptance: Option<Share>,
    /// Parameters of the draft; none where proposals cost nothing (n-grams).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft_parameters: Option<Count>,
    /// How unevenly tokens choose experts: 0 uniform, 1 a power law of that exponent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expert_skew: Option<Ratio>,
    /// Part of the GPU's memory that may be used, 0–1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_share: Option<Share>,
    /// Memory kept for the runtime on each GPU.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reserve: Option<Bytes>,
    /// Tokens a page of the KV cache holds; sequences are rounded up to whole pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<Count>,
    /// Replicas whose gradients are summed (training).
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub data_parallel: Count,
    /// Whether the forward pass is run again for the backward one (training).
    #[serde(default, skip_serializing_if = "is_kept")]
    pub recompute: Recompute,
    /// Dollars per GPU and hour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<Ratio>,
    /// Measured power of one GPU, in watts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power: Option<Ratio>,
    /// The power one GPU is allowed (TDP), in watts: it only bounds what is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board_power: Option<Ratio>,
}

/// Whether activations are kept for the backward pass or computed again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Recompute {
    #[default]
    Kept,
    Full,
}

choices! { Recompute { Kept => "kept", Full => "computed again" } }

fn is_kept(recompute: &Recompute) -> bool {
    *recompute == Recompute::Kept
}

fn is_exact(mask: &Mask) -> bool {
    *mask == Mask::Exact
}

fn one() -> Count {
    Count::ONE
}

fn is_one(count: &Count) -> bool {
    *count == Count::ONE
}

fn chunk() -> Count {
    Count::constant(512.0)
}

fn is_chunk(count: &Count) -> bool {
    *count == chunk()
}

impl Serving {
    /// One decode step of one sequence of this model on one GPU.
    pub fn new(model: Architecture, formats: Formats) -> Self {
        Self {
            model,
            formats,
            phase: Phase::Decode,
            batch: Count::ONE,
            context: Count::constant(4096.0),
            distribution: None,
            cached: None,
            chunk: chunk(),
            mask: Mask::Exact,
            logits: Logits::Last,
            tensor_parallel: Count::ONE,
            collective_latency: None,
            draft_tokens: None,
            acceptance: None,
            draft_parameters: None,
            expert_skew: None,
            memory_share: None,
            reserve: None,
            page: None,
            data_parallel: Count::ONE,
            recompute: Recompute::Kept,
            price: None,
            power: None,
            board_power: None,
        }
    }

    /// Whether any layer is a mixture of experts.
    pub fn has_experts(&self) -> bool {
        let mut layers = self.model.layers.iter();
        layers.any(|layers| matches!(layers.mlp, Mlp::Mixture(_)))
    }

    /// Contexts and the share of the sequences that have each; the shares add up to one.
    pub fn contexts(&self) -> Vec<(f64, f64)> {
        match &self.distribution {
            Some(distribution) => distribution.parts(),
            None => vec![(1.0, self.context.get())],
        }
    }

    /// The longest context of a sequence, for which memory must be found.
    pub fn longest_context(&self) -> f64 {
        let contexts = self.contexts().into_iter().map(|(_, tokens)| tokens);
        contexts.fold(0.0, f64::max)
    }

    /// That a context is longer than the model was made for, in a sentence; `None` where it is not, or nobody knows.
    pub fn beyond_limit(&self) -> Option<String> {
        let limit = self.model.max_context?;
        let beyond = self.longest_context() > limit.get();
        let limit = units::count(limit.get());
        beyond.then(|| format!("the context is beyond the {limit} tokens the model was made for"))
    }

    /// The mean context, which is what traffic and work grow with.
    pub fn mean_context(&self) -> f64 {
        self.contexts()
            .iter()
            .map(|(share, tokens)| share * tokens)
            .sum()
    }

    /// Tokens proposed and checked beside the one each sequence would get anyway; 0 without speculation.
    pub fn drafted(&self) -> f64 {
        match self.phase {
            Phase::Decode => self.draft_tokens.map_or(0.0, Count::get),
            _ => 0.0,
        }
    }

    /// Tokens a sequence gains per decode step: (1 − α^(γ+1)) ÷ (1 − α) with γ drafted and acceptance α
    /// (Leviathan, Kalman, Matias 2023); 1 without speculation.
    pub fn tokens_per_step(&self) -> f64 {
        let drafted = self.drafted();
        let alpha = self.acceptance.map_or(0.7, Share::get);
        if alpha == 1.0 {
            return drafted + 1.0;
        }
        (1.0 - alpha.powf(drafted + 1.0)) / (1.0 - alpha)
    }
}

impl Default for Serving {
    /// Llama 3.1 8B at 16 bits, whose `config.json` is as given here.
    fn default() -> Self {
        let count = Count::constant;
        let attention = Attention {
            heads: count(32.0),
            kv_heads: count(8.0),
            head_dim: count(128.0),
            window: None,
            qkv_bias: false,
            output_bias: false,
            qk_norm: false,
            output_gate: false,
            sinks: false,
        };
        let model = Architecture {
            name: "Llama 3.1 8B".to_owned(),
            hidden: count(4096.0),
            vocab: count(128_256.0),
            tied: false,
            positions: None,
            max_context: Some(count(131_072.0)),
            norm_bias: false,
            norms_per_layer: None,
            layers: vec![Layers {
                count: count(32.0),
                mixer: Mixer::Attention(attention),
                mlp: Mlp::Gated(count(14_336.0)),
            }],
        };
        Self::new(model, Formats::all(NumberFormat::BF16))
    }
}
