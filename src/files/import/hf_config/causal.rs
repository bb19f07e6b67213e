//! Whether a config is of a model that generates text token by token, with layers that are known here.
use super::ConfigError;
use super::fields::Fields;
use serde_json::{Map, Value};

/// Types of models that read text, images or sound, or translate, with an encoder.
const ENCODERS: [&str; 36] = [
    "albert",
    "audio-spectrogram-transformer",
    "bart",
    "beit",
    "bert",
    "blip",
    "camembert",
    "clip",
    "convnext",
    "deberta",
    "deberta-v2",
    "deit",
    "detr",
    "dinov2",
    "distilbert",
    "electra",
    "hubert",
    "layoutlm",
    "longformer",
    "m2m_100",
    "marian",
    "mbart",
    "modernbert",
    "mpnet",
    "mt5",
    "pegasus",
    "resnet",
    "roberta",
    "sam",
    "segformer",
    "siglip",
    "t5",
    "vit",
    "wav2vec2",
    "whisper",
    "xlm-roberta",
];

/// What a class that is no causal language model ends with.
const TASKS: [&str; 6] = [
    "ForMaskedLM",
    "ForSequenceClassification",
    "ForTokenClassification",
    "ForQuestionAnswering",
    "ForImageClassification",
    "ForSpeechSeq2Seq",
];

/// Types of models whose layers no field describes as is done here.
const UNKNOWN_LAYERS: [&str; 20] = [
    "bamba",
    "falcon_h1",
    "falcon_mamba",
    "gemma3n",
    "gemma3n_text",
    "granitemoehybrid",
    "jamba",
    "kimi_linear",
    "lfm2",
    "mamba",
    "mamba2",
    "minimax",
    "minimax_text_01",
    "plamo2",
    "recurrent_gemma",
    "rwkv",
    "rwkv7",
    "xlstm",
    "zamba",
    "zamba2",
];

/// Refuses a config of a model with an encoder, or for another task.
pub(super) fn check(outer: &Map<String, Value>, file: &str) -> Result<(), ConfigError> {
    let refuse = |what: String| {
        Err(ConfigError::NotCausal {
            file: file.to_owned(),
            what,
        })
    };
    let classes = outer.get("architectures").and_then(Value::as_array);
    let class = classes.and_then(|classes| classes.first()?.as_str());
    if let Some(class) = class.filter(|class| TASKS.iter().any(|task| class.ends_with(task))) {
        return refuse(short(class));
    }
    let model_type = outer.get("model_type").and_then(Value::as_str);
    match model_type {
        Some(model_type) if ENCODERS.contains(&model_type) => {
            refuse(format!("a model of type {model_type}"))
        }
        _ if outer.get("is_encoder_decoder") == Some(&Value::Bool(true)) => {
            refuse("a model with is_encoder_decoder".to_owned())
        }
        _ => Ok(()),
    }
}

/// Refuses a language model whose layers are of an unknown kind.
pub(super) fn check_layers(fields: &Fields<'_>) -> Result<(), ConfigError> {
    let model_type = fields.peek("model_type").and_then(Value::as_str);
    match model_type.filter(|model_type| UNKNOWN_LAYERS.contains(model_type)) {
        None => Ok(()),
        Some(model_type) => Err(ConfigError::UnknownLayers {
            file: fields.file().to_owned(),
            model_type: model_type.to_owned(),
        }),
    }
}

fn short(name: &str) -> String {
    name.chars().take(60).collect()
}
