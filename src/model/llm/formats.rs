//! The number formats a language model is served in, and what a weight takes with its scales.
use crate::model::format::NumberFormat;
use crate::model::quantity::Count;
use serde::{Deserialize, Serialize};

/// What weights, activations and the KV cache are stored in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Formats {
    /// The linear layers; embedding, output head, norms and routers stay in `head`.
    pub weights: NumberFormat,
    /// Weights that share a scale; none where a scale is shared by so many that it does not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<Count>,
    /// Bits of scale, and of zero point where there is one, per group.
    #[serde(default = "sixteen", skip_serializing_if = "is_sixteen")]
    pub scale_bits: Count,
    /// Attention and recurrences, without scales, where they are not as the other linear layers (gpt-oss).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mixer: Option<NumberFormat>,
    /// Input embedding, output head, norms, biases and routers.
    pub head: NumberFormat,
    /// What goes into a matrix product beside the weights: the wider of the two picks the path.
    pub activations: NumberFormat,
    pub kv: NumberFormat,
}

fn sixteen() -> Count {
    Count::constant(16.0)
}

fn is_sixteen(bits: &Count) -> bool {
    *bits == sixteen()
}

impl Formats {
    /// Everything in one format.
    pub fn all(format: NumberFormat) -> Self {
        Self {
            weights: format,
            group: None,
            scale_bits: sixteen(),
            mixer: None,
            head: format,
            activations: format,
            kv: format,
        }
    }

    /// Bytes a weight takes with its part of the scale: 4 bits in groups of 128 with 16 bits of scale are 4.125 bits.
    pub fn weight_bytes(&self) -> f64 {
        let scale = self
            .group
            .map_or(0.0, |group| self.scale_bits.get() / group.get());
        (f64::from(self.weights.bits()) + scale) / 8.0
    }

    /// Bytes a weight of attention or of a recurrence takes.
    pub fn mixer_weight_bytes(&self) -> f64 {
        self.mixer
            .map_or_else(|| self.weight_bytes(), NumberFormat::bytes)
    }

    /// What is multiplied with the weights of attention: where those are left alone, so is it.
    pub fn mixer_activations(&self) -> NumberFormat {
        self.mixer.unwrap_or(self.activations)
    }
}
