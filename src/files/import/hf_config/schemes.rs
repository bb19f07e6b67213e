//! The schemes of quantisation: what each says of weights, scales, activations and cache.
use super::fields::{Fields, shortened};
use crate::model::format::NumberFormat;
use crate::model::quantity::Count;
use serde_json::{Map, Value};

type Object = Map<String, Value>;

/// How linear layers are quantised.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scheme {
    pub weights: NumberFormat,
    /// Weights that share a scale.
    pub group: Option<Count>,
    /// Bits of scale and zero point per group; 16 where not given.
    pub scale_bits: Option<Count>,
    /// As the dtype where not given: of weight-only schemes.
    pub activations: Option<NumberFormat>,
}

impl Scheme {
    /// Weights alone, one scale for so many that it does not count.
    fn weights(weights: NumberFormat) -> Self {
        Self {
            weights,
            group: None,
            scale_bits: None,
            activations: None,
        }
    }

    /// Weights and activations in one format.
    fn both(format: NumberFormat) -> Self {
        Self {
            activations: Some(format),
            ..Self::weights(format)
        }
    }

    fn in_groups(self, group: Option<Count>, scale_bits: f64) -> Self {
        Self {
            group,
            scale_bits: Count::try_from(scale_bits).ok(),
            ..self
        }
    }
}

/// The scheme of a quantisation; a warning where it is not known.
pub(super) fn read(fields: &mut Fields<'_>, quantisation: &Object) -> Option<Scheme> {
    let method = text(quantisation, "quant_method").unwrap_or_default();
    let groups = quantisation.get("config_groups").and_then(Value::as_object);
    let scheme = match method {
        "fp8" => fp8(quantisation),
        "fbgemm_fp8" => Some(Scheme::both(NumberFormat::FP8)),
        "gptq" | "awq" | "gptq_marlin" | "awq_marlin" => integers(fields, quantisation),
        "bitsandbytes" => bitsandbytes(quantisation),
        "mxfp4" => {
            let scheme = Scheme::weights(NumberFormat::FP4);
            Some(scheme.in_groups(Count::try_from(32.0).ok(), 8.0))
        }
        _ => match (text(quantisation, "quant_algo"), groups) {
            (Some(algorithm), _) => by_algorithm(algorithm, quantisation),
            (None, Some(groups)) => by_group(fields, groups),
            (None, None) => None,
        },
    };
    if scheme.is_none() {
        let named = ["quant_algo", "quant_method"].iter();
        let mut named = named.filter_map(|key| Some((key, quantisation.get(*key)?)));
        let named = match named.find(|(_, value)| !value.is_null()) {
            Some((key, value)) => format!("{key} {}", shortened(value)),
            None => "quantization_config without a quant_method".to_owned(),
        };
        fields.warn(format!(
            "{named} is not known: weights are taken to be in the dtype, so set their format if they are not"
        ));
    }
    scheme
}

/// What the cache is quantised to, if it is.
pub(super) fn cache(fields: &mut Fields<'_>, quantisation: &Object) -> Option<NumberFormat> {
    let key = "kv_cache_quant_algo";
    if let Some(value) = quantisation.get(key).filter(|value| !value.is_null()) {
        return match value.as_str() {
            Some("FP8") => Some(NumberFormat::FP8),
            Some("INT8") => Some(NumberFormat::INT8),
            Some("NVFP4" | "FP4") => Some(NumberFormat::FP4),
            _ => {
                let value = shortened(value);
                fields.warn(format!(
                    "{key} {value} is not known: the cache is in the dtype"
                ));
                None
            }
        };
    }
    let scheme = quantisation.get("kv_cache_scheme")?.as_object()?;
    of_numbers(scheme)
}

/// FP8 for weights and activations, in blocks or with one scale per matrix.
fn fp8(quantisation: &Object) -> Option<Scheme> {
    let scheme = Scheme::both(NumberFormat::FP8);
    let block = quantisation.get("weight_block_size").and_then(product);
    Some(match block {
        Some(block) => scheme.in_groups(Some(block), 32.0),
        None => scheme,
    })
}

/// GPTQ and AWQ: integer weights with a scale and a zero point per group.
fn integers(fields: &mut Fields<'_>, quantisation: &Object) -> Option<Scheme> {
    let bits = number(quantisation, "bits")?.get();
    let weights = match bits {
        4.0 => NumberFormat::INT4,
        8.0 => NumberFormat::INT8,
        _ => {
            let next = match bits < 4.0 {
                true => NumberFormat::INT4,
                false => NumberFormat::INT8,
            };
            fields.warn(format!(
                "weights of {bits} bits are taken as {next}, the next format that is known here"
            ));
            next
        }
    };
    let zero = match quantisation.get("zero_point") {
        Some(Value::Bool(false)) => 0.0,
        _ => f64::from(weights.bits()),
    };
    let scheme = Scheme::weights(weights);
    Some(match number(quantisation, "group_size") {
        Some(group) => scheme.in_groups(Some(group), 16.0 + zero),
        None => scheme,
    })
}

/// 4 bits in groups of 64 with a 32-bit scale, or an 8-bit one that is scaled itself; 8 bits for both operands.
fn bitsandbytes(quantisation: &Object) -> Option<Scheme> {
    let is_set = |keys: [&str; 2]| {
        let mut values = keys.iter().filter_map(|key| quantisation.get(*key));
        values.any(|value| value == &Value::Bool(true))
    };
    if is_set(["load_in_4bit", "_load_in_4bit"]) {
        let doubly = is_set(["bnb_4bit_use_double_quant", "use_double_quant"]);
        let scale_bits = if doubly { 8.0 } else { 32.0 };
        let scheme = Scheme::weights(NumberFormat::FP4);
        return Some(scheme.in_groups(Count::try_from(64.0).ok(), scale_bits));
    }
    is_set(["load_in_8bit", "_load_in_8bit"]).then(|| Scheme::both(NumberFormat::INT8))
}

/// TensorRT Model Optimizer: a name for the whole.
fn by_algorithm(algorithm: &str, quantisation: &Object) -> Option<Scheme> {
    let group = |usual: f64| number(quantisation, "group_size").or(Count::try_from(usual).ok());
    let fp8 = Scheme::both(NumberFormat::FP8);
    Some(match algorithm {
        "FP8" | "FP8_PER_CHANNEL_PER_TOKEN" => fp8,
        "FP8_BLOCK_SCALES" => fp8.in_groups(Count::try_from(128.0 * 128.0).ok(), 32.0),
        "FP8_PB_WO" => {
            Scheme::weights(NumberFormat::FP8).in_groups(Count::try_from(128.0 * 128.0).ok(), 32.0)
        }
        "MXFP8" => fp8.in_groups(group(32.0), 8.0),
        "NVFP4" | "NVFP4_AWQ" => Scheme::both(NumberFormat::FP4).in_groups(group(16.0), 8.0),
        "W4A16_NVFP4" => Scheme::weights(NumberFormat::FP4).in_groups(group(16.0), 8.0),
        "W4A16" | "W4A16_AWQ" | "W4A16_GPTQ" | "INT4_AWQ" => {
            Scheme::weights(NumberFormat::INT4).in_groups(group(128.0), 16.0)
        }
        "W4A8_AWQ" => Scheme {
            activations: Some(NumberFormat::FP8),
            ..Scheme::weights(NumberFormat::INT4).in_groups(group(128.0), 16.0)
        },
        "W8A16" => Scheme::weights(NumberFormat::INT8),
        "INT8" | "INT8_SQ" | "W8A8_SQ_PER_CHANNEL" => Scheme::both(NumberFormat::INT8),
        _ => return None,
    })
}

/// compressed-tensors, and Model Optimizer in its manner: groups of modules, each with numbers for its operands.
fn by_group(fields: &mut Fields<'_>, groups: &Object) -> Option<Scheme> {
    let first = groups.values().next()?.as_object()?;
    let weights = first.get("weights")?.as_object()?;
    let format = of_numbers(weights)?;
    let activations = first.get("input_activations").and_then(Value::as_object);
    if groups.len() > 1 {
        fields.ignore(format!(
            "config_groups has {} groups: all modules are taken to be as those of the first",
            groups.len()
        ));
    }
    let group = number(weights, "group_size");
    let block = weights.get("block_structure").and_then(product);
    // Scales of 4-bit floats are 8 bits, of blocks 32, of integers as the dtype.
    let scale_bits = match (format, group, block) {
        (NumberFormat::FP4, ..) => 8.0,
        (_, None, Some(_)) => 32.0,
        _ => 16.0,
    };
    let scheme = Scheme {
        activations: activations.and_then(of_numbers),
        ..Scheme::weights(format)
    };
    Some(match group.or(block) {
        Some(group) => scheme.in_groups(Some(group), scale_bits),
        None => scheme,
    })
}

/// The format of `num_bits` and `type`.
fn of_numbers(numbers: &Object) -> Option<NumberFormat> {
    let bits = number(numbers, "num_bits")?.get();
    match (text(numbers, "type")?, bits) {
        ("float", 8.0) => Some(NumberFormat::FP8),
        ("float", 6.0) => Some(NumberFormat::FP6),
        ("float", 4.0) => Some(NumberFormat::FP4),
        ("int", 8.0) => Some(NumberFormat::INT8),
        ("int", 4.0) => Some(NumberFormat::INT4),
        _ => None,
    }
}

fn text<'a>(object: &'a Object, key: &str) -> Option<&'a str> {
    object.get(key)?.as_str()
}

/// A whole number that makes sense for bits or a group; -1, for no groups, does not.
fn number(object: &Object, key: &str) -> Option<Count> {
    let number = object.get(key)?.as_f64()?;
    Count::try_from(number).ok().filter(|n| n.get() <= 1e6)
}

/// The elements of a block given by its sides.
fn product(sides: &Value) -> Option<Count> {
    let sides = sides.as_array()?.iter().map(Value::as_f64);
    let sides: Option<Vec<_>> = sides.collect();
    let elements: f64 = sides.filter(|sides| !sides.is_empty())?.iter().product();
    Count::try_from(elements).ok().filter(|n| n.get() <= 1e9)
}
