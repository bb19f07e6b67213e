//! The mixers of a config: attention with or without a window, latent attention, recurrences.
use super::family::{AttentionBias, Family};
use super::fields::{Fields, shortened};
use super::plan::{Layer, MixerKind};
use crate::model::format::NumberFormat;
use crate::model::llm::{Attention, DeltaNet, Indexer, Latent, Mamba, Mixer, Recurrent};
use crate::model::quantity::Count;

const HEADS: [&str; 4] = ["num_attention_heads", "n_head", "num_heads", "n_heads"];
const KV_HEADS: [&str; 4] = [
    "num_key_value_heads",
    "num_kv_heads",
    "n_head_kv",
    "multi_query_group_num",
];
const MOST_HEADS: f64 = 1e5;
const MOST_DIMENSIONS: f64 = 1e6;

/// The mixers that layers of the plan have; `None` where a field is missing or wrong, or no layer has it.
pub(super) struct Mixers {
    pub full: Option<Mixer>,
    pub windowed: Option<Mixer>,
    pub chunked: Option<Mixer>,
    pub delta_net: Option<Mixer>,
    pub mamba: Option<Mixer>,
}

impl Mixers {
    pub fn read(
        fields: &mut Fields<'_>,
        family: &Family,
        hidden: Option<Count>,
        plan: &[Layer],
    ) -> Self {
        let has = |kind| plan.iter().any(|layer| layer.mixer == kind);
        let [windowed, chunked] = [MixerKind::Windowed, MixerKind::Chunked].map(has);
        let full = match has(MixerKind::Full) || windowed || chunked {
            true => attention(fields, family, hidden),
            false => None,
        };
        // A window that no layer has is asked for as well: it is then known to be unused.
        let window = fields.count_or_none(&["sliding_window"], 1e9);
        let chunk = fields.count_or_none(&["attention_chunk_size"], 1e9);
        if windowed && window.is_none() {
            fields.miss("sliding_window");
        }
        if chunked && chunk.is_none() {
            fields.miss("attention_chunk_size");
        }
        if chunked {
            fields.assume(
                "attention in chunks is taken as a window of a chunk, which is the most it reads; on average it reads half"
                    .to_owned(),
            );
        }
        let within = |window: Option<Count>| match full.clone()? {
            Mixer::Attention(attention) => Some(Mixer::Attention(Attention {
                window: Some(window?),
                ..attention
            })),
            other => Some(other),
        };
        Self {
            windowed: windowed.then(|| within(window)).flatten(),
            chunked: chunked.then(|| within(chunk)).flatten(),
            full: full.clone(),
            delta_net: has(MixerKind::DeltaNet)
                .then(|| delta_net(fields, hidden))
                .flatten(),
            mamba: has(MixerKind::Mamba)
                .then(|| mamba(fields, hidden))
                .flatten(),
        }
    }
}

fn attention(fields: &mut Fields<'_>, family: &Family, hidden: Option<Count>) -> Option<Mixer> {
    let heads = fields.needed(&HEADS, MOST_HEADS);
    let all_biased = fields.flag(&["attention_bias", "qkv_bias"]) == Some(true);
    if fields.has("kv_lora_rank") {
        if all_biased {
            fields.ignore("attention_bias: biases of latent attention are not counted".to_owned());
        }
        // Of no use here, and no field to wonder about.
        let _ = fields.has(KV_HEADS[0]);
        return Some(Mixer::Latent(latent(fields, heads)?));
    }
    let kv_heads = match fields.count(&KV_HEADS, MOST_HEADS) {
        None if fields.flag(&["multi_query"]) == Some(true) => Some(Count::ONE),
        None if !KV_HEADS
            .iter()
            .any(|name| fields.peek(name).is_some_and(|v| !v.is_null())) =>
        {
            fields.assume(format!(
                "num_key_value_heads is missing: every query head has keys and values of its own, as of {}",
                family.plural()
            ));
            heads
        }
        known => known,
    };
    if let (Some(heads), Some(kv_heads)) = (heads, kv_heads)
        && heads.get() % kv_heads.get() != 0.0
    {
        fields.wrong(format!(
            "num_attention_heads {} is no multiple of num_key_value_heads {}",
            heads.get(),
            kv_heads.get()
        ));
    }
    let head_dim = head_dim(fields, hidden, heads);
    let qk_norm = match fields.flag(&["use_qk_norm", "qk_layernorm"]) {
        Some(asked) => asked && !family.plain_qk_norm,
        None => family.qk_norm,
    };
    let output_gate = fields.flag(&["attn_output_gate"]);
    Some(Mixer::Attention(Attention {
        heads: heads?,
        kv_heads: kv_heads?,
        head_dim: head_dim?,
        window: None,
        qkv_bias: family.qkv_bias || all_biased,
        output_bias: family.output_bias
            || all_biased && family.attention_bias == AttentionBias::QkvAndOutput,
        qk_norm,
        output_gate: output_gate.unwrap_or(family.output_gate),
        sinks: family.sinks,
    }))
}

/// Dimensions of a head: as given, which need not be hidden ÷ heads, else that.
fn head_dim(fields: &mut Fields<'_>, hidden: Option<Count>, heads: Option<Count>) -> Option<Count> {
    let names = ["head_dim", "attention_head_dim", "kv_channels"];
    if let Some(dim) = fields.count(&names, MOST_DIMENSIONS) {
        return Some(dim);
    }
    let (hidden, heads) = (hidden?.get(), heads?.get());
    match Count::try_from(hidden / heads) {
        Ok(dim) => {
            fields.assume(format!(
                "head_dim is missing: {dim} = hidden size {hidden} ÷ {heads} heads"
            ));
            Some(dim)
        }
        Err(_) => {
            fields.wrong(format!(
                "hidden_size {hidden} is no multiple of num_attention_heads {heads}, and there is no head_dim"
            ));
            None
        }
    }
}

fn latent(fields: &mut Fields<'_>, heads: Option<Count>) -> Option<Latent> {
    let mut needed = |name| fields.needed(&[name], MOST_DIMENSIONS);
    let kv_rank = needed("kv_lora_rank");
    let nope_dim = needed("qk_nope_head_dim");
    let rope_dim = needed("qk_rope_head_dim");
    let value_dim = needed("v_head_dim");
    let q_rank = fields.count_or_none(&["q_lora_rank"], MOST_DIMENSIONS);
    let index = ["index_n_heads", "index_head_dim", "index_topk"];
    let indexer = match index.iter().any(|name| fields.has(name)) {
        true => {
            let heads = fields.needed(&["index_n_heads"], MOST_HEADS);
            let head_dim = fields.needed(&["index_head_dim"], MOST_DIMENSIONS);
            let top_k = fields.needed(&["index_topk"], 1e9);
            Some(Indexer {
                heads: heads?,
                head_dim: head_dim?,
                top_k: top_k?,
            })
        }
        false => None,
    };
    Some(Latent {
        heads: heads?,
        q_rank,
        kv_rank: kv_rank?,
        nope_dim: nope_dim?,
        rope_dim: rope_dim?,
        value_dim: value_dim?,
        indexer,
    })
}

fn delta_net(fields: &mut Fields<'_>, hidden: Option<Count>) -> Option<Mixer> {
    let key_heads = fields.needed(&["linear_num_key_heads"], MOST_HEADS);
    let key_dim = fields.needed(&["linear_key_head_dim"], MOST_DIMENSIONS);
    let value_heads = fields.needed(&["linear_num_value_heads"], MOST_HEADS);
    let value_dim = fields.needed(&["linear_value_head_dim"], MOST_DIMENSIONS);
    let kernel = fields.needed(&["linear_conv_kernel_dim"], 1e3);
    let format = state_format(fields);
    let net = DeltaNet {
        hidden: hidden?,
        key_heads: key_heads?,
        key_dim: key_dim?,
        value_heads: value_heads?,
        value_dim: value_dim?,
        kernel: kernel?,
    };
    recurrent(Recurrent::try_from(&net).ok()?, format)
}

fn mamba(fields: &mut Fields<'_>, hidden: Option<Count>) -> Option<Mixer> {
    let heads = fields.needed(&["mamba_num_heads", "mamba_n_heads"], MOST_HEADS);
    let head_dim = fields.needed(&["mamba_head_dim", "mamba_d_head"], MOST_DIMENSIONS);
    let groups = fields.needed(&["n_groups", "mamba_n_groups"], MOST_HEADS);
    let state_size = fields.needed(&["ssm_state_size", "mamba_d_state"], MOST_DIMENSIONS);
    let kernel = fields.needed(&["conv_kernel", "mamba_d_conv"], 1e3);
    let conv_bias = fields.flag(&["use_conv_bias", "mamba_conv_bias"]);
    let projection_bias = fields.flag(&["mamba_proj_bias", "use_bias"]);
    let format = state_format(fields);
    let mamba = Mamba {
        hidden: hidden?,
        heads: heads?,
        head_dim: head_dim?,
        groups: groups?,
        state_size: state_size?,
        kernel: kernel?,
        conv_bias: conv_bias.unwrap_or(true),
        projection_bias: projection_bias.unwrap_or(false),
    };
    recurrent(Recurrent::try_from(&mamba).ok()?, format)
}

fn recurrent(recurrent: Recurrent, state_format: NumberFormat) -> Option<Mixer> {
    Some(Mixer::Recurrent(Recurrent {
        state_format,
        ..recurrent
    }))
}

/// What recurrences keep their state in.
fn state_format(fields: &mut Fields<'_>) -> NumberFormat {
    let names = ["mamba_ssm_cache_dtype", "mamba_ssm_dtype"];
    let Some((name, value)) = fields.anywhere(&names) else {
        fields.assume(
            "no field says what recurrent layers keep their state in: FP32, since errors add up"
                .to_owned(),
        );
        return NumberFormat::FP32;
    };
    match value.as_str() {
        Some("float32") => NumberFormat::FP32,
        Some("bfloat16") => NumberFormat::BF16,
        Some("float16") => NumberFormat::FP16,
        _ => {
            fields.warn(format!(
                "{name} is {}: the state of recurrent layers is taken to be kept in FP32",
                shortened(value)
            ));
            NumberFormat::FP32
        }
    }
}
