//! The number formats of a model: its dtype, and the quantisation in its config or in a file of its own.
use super::fields::{Fields, shortened};
use super::schemes::{self, Scheme};
use super::{ConfigError, QUANTISATION};
use crate::model::format::NumberFormat;
use crate::model::llm::{Architecture, Formats};
use serde_json::{Map, Value};

/// Modules that are kept in the dtype anyway, or are not counted.
const LEFT_ALONE: [&str; 12] = [
    "lm_head", "head", "embed", "norm", "router", "gate", "vis", "audio", "mtp", "eh_proj", "mm_",
    "conv",
];

/// The quantisation in a `hf_quant_config.json`.
pub(super) fn of_file(file: &Map<String, Value>) -> Option<&Map<String, Value>> {
    let quantisation = file.get("quantization")?.as_object()?;
    quantisation
        .contains_key("quant_algo")
        .then_some(quantisation)
}

/// What weights, activations and cache are in; a quantisation in a file of its own comes before the config's.
pub(super) fn formats(
    fields: &mut Fields<'_>,
    separate: Option<&Map<String, Value>>,
    architecture: &Architecture,
) -> Result<Formats, ConfigError> {
    let dtype = dtype(fields);
    let layers = architecture.layer_count();
    let embedded = fields.anywhere(&["quantization_config"]);
    let embedded = embedded.and_then(|(_, value)| value.as_object());
    let Some(separate) = separate else {
        return Ok(match embedded {
            Some(embedded) => quantised(fields, embedded, dtype, layers),
            None => {
                fields.assume(format!(
                    "no quantisation found: all weights in {dtype}; is there an hf_quant_config.json?"
                ));
                Formats::all(dtype)
            }
        });
    };
    let formats = of_separate(fields, separate, dtype, layers)?;
    if let Some(embedded) = embedded {
        let of_separate = std::mem::take(&mut fields.notes.warnings);
        let other = quantised(fields, embedded, dtype, layers);
        fields.notes.warnings = of_separate;
        if other != formats {
            fields.warn(
                "quantization_config and hf_quant_config.json differ: the separate file is used"
                    .to_owned(),
            );
        }
    }
    Ok(formats)
}

/// The formats a `hf_quant_config.json` makes of a model of so many layers whose other parts are in `dtype`.
pub(super) fn of_separate(
    fields: &mut Fields<'_>,
    file: &Map<String, Value>,
    dtype: NumberFormat,
    layers: f64,
) -> Result<Formats, ConfigError> {
    let quantisation = of_file(file).ok_or_else(|| ConfigError::NoQuantisation {
        file: QUANTISATION.to_owned(),
    })?;
    Ok(quantised(fields, quantisation, dtype, layers))
}

/// What everything is in that is not quantised.
fn dtype(fields: &mut Fields<'_>) -> NumberFormat {
    let Some((name, value)) = fields.anywhere(&["dtype", "torch_dtype"]) else {
        fields.assume("dtype is missing: 16 bits, BF16, as models are served".to_owned());
        return NumberFormat::BF16;
    };
    match value.as_str().map(|text| text.trim_start_matches("torch.")) {
        Some("bfloat16") => NumberFormat::BF16,
        Some("float16" | "half") => NumberFormat::FP16,
        Some("float32" | "float") => {
            fields.warn(format!(
                "{name} is float32: models are mostly served in 16 bits, so set the formats if this one is"
            ));
            NumberFormat::FP32
        }
        _ => {
            fields.warn(format!(
                "{name} is {}, which is no format that is known here: BF16 is taken",
                shortened(value)
            ));
            NumberFormat::BF16
        }
    }
}

fn quantised(
    fields: &mut Fields<'_>,
    quantisation: &Map<String, Value>,
    dtype: NumberFormat,
    layers: f64,
) -> Formats {
    let Some(scheme) = schemes::read(fields, quantisation) else {
        let kv = schemes::cache(fields, quantisation);
        return Formats {
            kv: kv.unwrap_or(dtype),
            ..Formats::all(dtype)
        };
    };
    let Scheme {
        weights,
        group,
        scale_bits,
        activations,
    } = scheme;
    let kv = schemes::cache(fields, quantisation);
    let mixer = mixer_left_alone(fields, quantisation, layers);
    Formats {
        weights,
        group,
        scale_bits: scale_bits.unwrap_or(Formats::all(dtype).scale_bits),
        mixer: mixer.then_some(dtype),
        head: dtype,
        activations: activations.unwrap_or(dtype),
        kv: kv.unwrap_or(dtype),
    }
}

/// Whether attention is kept in the dtype; other modules that are kept so are told, since they are not told apart here.
fn mixer_left_alone(
    fields: &mut Fields<'_>,
    quantisation: &Map<String, Value>,
    layers: f64,
) -> bool {
    let keys = [
        "modules_to_not_convert",
        "exclude_modules",
        "ignore",
        "ignored_layers",
    ];
    let lists = keys
        .iter()
        .filter_map(|key| quantisation.get(*key)?.as_array());
    let modules: Vec<_> = lists.flatten().filter_map(Value::as_str).collect();
    let is_whole_attention = |module: &&&str| {
        let module = module.trim_end_matches(['.', '*', '$', ')']);
        module.ends_with("attn") || module.ends_with("attention")
    };
    let is_vision = |module: &str| module.contains("vis");
    let attention = modules.iter().filter(|module| !is_vision(module));
    let attention: Vec<_> = attention.filter(is_whole_attention).collect();
    let is_of_one_layer = |module: &str| {
        let mut parts = module.split('.');
        parts.any(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit()))
    };
    let all = attention.iter().any(|module| !is_of_one_layer(module))
        || !attention.is_empty() && attention.len() as f64 >= layers;
    let is_other = |module: &&&str| {
        let in_dtype_anyway = LEFT_ALONE.iter().any(|part| module.contains(part));
        !(in_dtype_anyway || all && module.contains("attn"))
    };
    let others: Vec<_> = modules.iter().filter(is_other).collect();
    if let Some(first) = others.first() {
        let first: String = first.chars().take(40).collect();
        fields.ignore(format!(
            "{} modules are left unquantised and counted as quantised all the same, {first:?} first",
            others.len()
        ));
    }
    all
}
