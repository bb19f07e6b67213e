//! What the classes of model types do that no field of their config says.
use super::fields::{Fields, shortened};
use crate::model::quantity::Count;

/// Which layers a window holds for where `layer_types` does not say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Windows {
    /// All.
    All,
    /// Those from `max_window_layers` on, and only with `use_sliding_window`.
    OnRequest,
    /// All but every n-th; `sliding_window_pattern` may say another n.
    AllButEvery(u32),
}

/// Which biases `attention_bias` stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum AttentionBias {
    QkvAndOutput,
    Qkv,
}

/// Model types whose classes are alike.
pub(super) struct Family {
    types: &'static [&'static str],
    /// The MLP has a gate: three matrices.
    pub gated: bool,
    /// An MLP without a gate has biases.
    pub mlp_bias: bool,
    /// Where `tie_word_embeddings` is missing.
    pub tied: bool,
    pub qkv_bias: bool,
    pub output_bias: bool,
    pub attention_bias: AttentionBias,
    /// Normalisations per layer.
    pub norms: Count,
    pub norm_bias: bool,
    pub qk_norm: bool,
    /// `use_qk_norm` is a normalisation without parameters.
    pub plain_qk_norm: bool,
    pub output_gate: bool,
    pub sinks: bool,
    /// Learnt positions, and how many more of them than the context is long.
    pub positions: Option<f64>,
    /// Router and experts have biases.
    pub expert_bias: bool,
    /// The shared expert is weighted by a gate.
    pub shared_gate: bool,
    /// There is a shared expert as wide as a routed one, though no field says so.
    pub shared_implicit: bool,
    /// Experts are `intermediate_size` wide.
    pub experts_intermediate: bool,
    pub windows: Windows,
    /// What the class takes where a field is missing, as published configs of the family leave some out.
    pub defaults: &'static [(&'static str, f64)],
    known: bool,
}

/// Llama's kind, from which the others differ: gated MLP, two RMSNorms, no biases.
const LLAMA: Family = Family {
    types: &[
        "llama",
        "mistral",
        "mistral3",
        "ministral",
        "ministral3",
        "phi3",
        "internlm2",
        "granite",
        "deepseek",
        "deepseek_v2",
        "deepseek_v3",
        "deepseek_v32",
        "kimi_k2",
    ],
    gated: true,
    mlp_bias: false,
    tied: false,
    qkv_bias: false,
    output_bias: false,
    attention_bias: AttentionBias::QkvAndOutput,
    norms: Count::constant(2.0),
    norm_bias: false,
    qk_norm: false,
    plain_qk_norm: false,
    output_gate: false,
    sinks: false,
    positions: None,
    expert_bias: false,
    shared_gate: false,
    shared_implicit: false,
    experts_intermediate: false,
    windows: Windows::All,
    defaults: &[],
    known: true,
};

/// As Llama's, for types nobody has looked at.
const UNKNOWN: Family = Family {
    types: &[],
    known: false,
    ..LLAMA
};

const FAMILIES: &[Family] = &[
    LLAMA,
    BIASED,
    Family {
        types: &["smollm3"],
        tied: true,
        ..LLAMA
    },
    Family {
        types: &["mixtral", "phimoe"],
        experts_intermediate: true,
        ..LLAMA
    },
    Family {
        types: &["olmoe"],
        experts_intermediate: true,
        ..LLAMA
    },
    Family {
        types: &["llama4", "llama4_text"],
        plain_qk_norm: true,
        shared_implicit: true,
        experts_intermediate: true,
        ..LLAMA
    },
    Family {
        types: &["gpt_oss"],
        qkv_bias: true,
        output_bias: true,
        sinks: true,
        expert_bias: true,
        experts_intermediate: true,
        windows: Windows::AllButEvery(2),
        ..LLAMA
    },
    Family {
        types: &[
            "qwen2",
            "qwen2_vl",
            "qwen2_vl_text",
            "qwen2_5_vl",
            "qwen2_5_vl_text",
        ],
        qkv_bias: true,
        windows: Windows::OnRequest,
        ..LLAMA
    },
    Family {
        types: &["qwen2_moe"],
        qkv_bias: true,
        shared_gate: true,
        windows: Windows::OnRequest,
        ..LLAMA
    },
    Family {
        types: &["qwen3", "qwen3_moe", "qwen3_vl_text", "qwen3_vl_moe_text"],
        qk_norm: true,
        windows: Windows::OnRequest,
        defaults: &[("head_dim", 128.0)],
        ..LLAMA
    },
    Family {
        types: &[
            "qwen3_next",
            "qwen3_5_text",
            "qwen3_5_moe_text",
            "qwen3_5",
            "qwen3_5_moe",
        ],
        qk_norm: true,
        output_gate: true,
        shared_gate: true,
        windows: Windows::OnRequest,
        ..LLAMA
    },
    Family {
        types: &["glm4_moe"],
        attention_bias: AttentionBias::Qkv,
        ..LLAMA
    },
    Family {
        types: &["gemma"],
        tied: true,
        ..LLAMA
    },
    Family {
        types: &["gemma2"],
        tied: true,
        norms: Count::constant(4.0),
        windows: Windows::AllButEvery(2),
        ..LLAMA
    },
    Family {
        types: &["gemma3", "gemma3_text"],
        tied: true,
        norms: Count::constant(4.0),
        qk_norm: true,
        windows: Windows::AllButEvery(6),
        defaults: &[
            ("vocab_size", 262_208.0),
            ("num_attention_heads", 8.0),
            ("num_key_value_heads", 4.0),
            ("head_dim", 256.0),
            ("max_position_embeddings", 131_072.0),
        ],
        ..LLAMA
    },
    Family {
        types: &["cohere", "cohere2"],
        tied: true,
        norms: Count::ONE,
        windows: Windows::AllButEvery(4),
        ..LLAMA
    },
    Family {
        types: &["nemotron_h"],
        gated: false,
        norms: Count::ONE,
        ..LLAMA
    },
    Family {
        types: &["nemotron"],
        gated: false,
        norm_bias: true,
        ..LLAMA
    },
    Family {
        types: &["gpt2"],
        positions: Some(0.0),
        tied: true,
        ..BIASED
    },
    Family {
        types: &["opt"],
        // The first two positions stand for padding.
        positions: Some(2.0),
        tied: true,
        ..BIASED
    },
    Family {
        types: &["gpt_neox"],
        ..BIASED
    },
];

/// Biases everywhere, LayerNorm, an MLP without a gate.
const BIASED: Family = Family {
    types: &["starcoder2"],
    gated: false,
    mlp_bias: true,
    qkv_bias: true,
    output_bias: true,
    norm_bias: true,
    ..LLAMA
};

impl Family {
    /// The family of the config's `model_type`; of one that is not known, Llama's with a warning.
    pub fn of(fields: &mut Fields<'_>) -> &'static Self {
        let Some((_, value)) = fields.anywhere(&["model_type"]) else {
            fields.warn(format!("model_type is missing: {LIKE_LLAMA}"));
            return &UNKNOWN;
        };
        let of_type = |family: &&Self| family.types.iter().any(|known| *value == **known);
        FAMILIES.iter().find(of_type).unwrap_or_else(|| {
            fields.warn(format!(
                "model_type {} is not known: {LIKE_LLAMA}",
                shortened(value)
            ));
            &UNKNOWN
        })
    }

    /// Whether the type is one somebody has looked at.
    pub fn is_known(&self) -> bool {
        self.known
    }

    /// How models of the family are called in sentences.
    pub fn plural(&self) -> String {
        match self.types {
            [first, ..] => format!("{first} models"),
            [] => "most models".to_owned(),
        }
    }
}

const LIKE_LLAMA: &str = "the layers are read as those of Llama (gated MLP, two RMSNorms, no biases); compare the number of parameters";

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_type_is_of_one_family() {
        let types = FAMILIES.iter().flat_map(|family| family.types);
        let all: Vec<_> = types.collect();
        let distinct: BTreeSet<_> = all.iter().collect();
        assert_eq!(all.len(), distinct.len());
        assert!(FAMILIES.iter().all(Family::is_known));
    }
}
