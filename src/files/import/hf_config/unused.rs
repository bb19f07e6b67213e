//! The fields of a config that nobody asked for: what could matter is named.
use super::fields::Fields;
use serde_json::Value;

/// More names than this do not help.
const MOST_NAMES: usize = 12;

/// Fields that change neither size nor cost, by their names.
const WITHOUT_COST: [&str; 60] = [
    "activation_function",
    "architectures",
    "attn_implementation",
    "auto_map",
    "aux_loss_alpha",
    "cache_implementation",
    "chunk_size",
    "decoder_start_token",
    "dtype",
    "ep_size",
    "expand",
    "final_logit_softcapping",
    "attn_logit_softcapping",
    "fmt",
    "gradient_checkpointing",
    "hidden_act",
    "hidden_activation",
    "id2label",
    "initial_context_length",
    "is_decoder",
    "is_encoder_decoder",
    "label2id",
    "mamba_hidden_act",
    "max_window_layers",
    "mlp_hidden_act",
    "model_max_length",
    "model_type",
    "mtp_use_dedicated_embeddings",
    "n_ctx",
    "n_group",
    "n_positions",
    "norm_topk_prob",
    "num_logits_to_keep",
    "partial_rotary_factor",
    "position_embedding_type",
    "prefix",
    "pretraining_tp",
    "problem_type",
    "quantization_config",
    "query_pre_attn_scalar",
    "rescale_prenorm_residual",
    "residual_in_fp32",
    "rotary_dim",
    "rotary_pct",
    "routed_scaling_factor",
    "scale_attn_weights",
    "scoring_func",
    "seq_aux",
    "swiglu_limit",
    "task_specific_params",
    "tie_word_embeddings",
    "tokenizer_class",
    "topk_group",
    "topk_method",
    "torch_dtype",
    "torchscript",
    "transformers_version",
    "use_bfloat16",
    "use_cache",
    "use_mamba_kernels",
];

const WITHOUT_COST_BEGINNINGS: [&str; 13] = [
    "_",
    "image_",
    "mm_",
    "no_rope_",
    "output_",
    "rope_",
    "router_",
    "summary_",
    "time_step_",
    "video_",
    "vision_end_",
    "vision_start_",
    "initializer_",
];

const WITHOUT_COST_ENDINGS: [&str; 10] = [
    "_token_id",
    "_token_ids",
    "_token_index",
    "_dropout",
    "dropout",
    "_pdrop",
    "_eps",
    "_epsilon",
    "_range",
    "_loss_coef",
];

/// Tells which fields are not used, those without cost aside.
pub(super) fn tell(fields: &mut Fields<'_>) {
    let mut others = Vec::new();
    let mut sentences = Vec::new();
    for (name, value) in fields.unasked() {
        let sentence = match name {
            _ if name.ends_with("_config") && name != "quantization_config" => tower(name, value),
            "num_nextn_predict_layers" | "mtp_num_hidden_layers" | "num_mtp_layers" => {
                further_tokens(name, value)
            }
            _ => None,
        };
        match sentence {
            Some(sentence) => sentences.push(sentence),
            None if is_without_cost(name) || value == 0 || value == false => {}
            None => others.push(short(name)),
        }
    }
    sentences.into_iter().for_each(|s| fields.ignore(s));
    others.sort();
    others.dedup();
    let more = others.len().saturating_sub(MOST_NAMES);
    others.truncate(MOST_NAMES);
    if !others.is_empty() {
        let more = match more {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        fields.ignore(format!("not used: {}{more}", others.join(", ")));
    }
}

fn is_without_cost(name: &str) -> bool {
    WITHOUT_COST.contains(&name)
        || WITHOUT_COST_BEGINNINGS
            .iter()
            .any(|start| name.starts_with(start))
        || WITHOUT_COST_ENDINGS.iter().any(|end| name.ends_with(end))
}

/// A model of its own beside the language model, as `vision_config`.
fn tower(name: &str, value: &Value) -> Option<String> {
    let object = value.as_object().filter(|object| !object.is_empty())?;
    let number = |names: [&str; 2]| names.iter().find_map(|name| object.get(*name)?.as_u64());
    let layers = number(["depth", "num_hidden_layers"]);
    let hidden = number(["hidden_size", "embed_dim"]);
    let size = match (layers, hidden) {
        (Some(layers), Some(hidden)) => format!(" ({layers} layers of {hidden})"),
        _ => String::new(),
    };
    let what = name.trim_end_matches("_config");
    let what: String = what
        .chars()
        .filter(|c| c.is_alphanumeric())
        .take(30)
        .collect();
    Some(format!(
        "{}: the {what} part{size} is not counted",
        short(name)
    ))
}

/// A module that predicts tokens after the next.
fn further_tokens(name: &str, value: &Value) -> Option<String> {
    let layers = value.as_u64().filter(|layers| *layers > 0)?;
    let modules = match layers {
        1 => "the module that predicts tokens after the next is",
        _ => "the modules that predict tokens after the next are",
    };
    Some(format!("{name} {layers}: {modules} not counted"))
}

/// A name from a file, fit for a sentence.
fn short(name: &str) -> String {
    let plain = name.chars().filter(|c| !c.is_control()).take(40);
    plain.collect()
}
