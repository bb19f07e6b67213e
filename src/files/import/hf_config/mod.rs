//! Language models from the `config.json` of Hugging Face, with a `hf_quant_config.json` where there is one.
mod causal;
mod family;
mod fields;
mod layer_count;
mod mixers;
mod mlps;
mod plan;
mod quantisation;
mod schemes;
mod sparse;
mod unused;
mod words;

use super::file;
use crate::model::llm::{Architecture, Formats, Layers, Mixer, Mlp};
use crate::model::quantity::Count;
use family::Family;
use fields::Fields;
use plan::{Layer, MixerKind, MlpKind};
use serde_json::{Map, Value};

/// What a quantisation in a file of its own is called.
pub(super) const QUANTISATION: &str = "hf_quant_config.json";

/// More parameters than any model has: the fields cannot all be right.
const MOST_PARAMETERS: f64 = 1e15;

/// A model as its config describes it, and how that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedModel {
    pub architecture: Architecture,
    pub formats: Formats,
    /// What was read, in words.
    pub read: Vec<String>,
    /// What fields that are missing were taken as, and why.
    pub assumed: Vec<String>,
    /// What is in the file and could matter, and is not used.
    pub ignored: Vec<String>,
    /// What contradicts itself or is doubtful.
    pub warnings: Vec<String>,
}

/// Why no model can be read of a config.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("{file}: the JSON is broken: {reason}; download it again")]
    Json {
        file: String,
        reason: serde_json::Error,
    },
    #[error("{file}: this is no config.json of a model: it is not an object of named fields")]
    NoObject { file: String },
    #[error(
        "{file}: this says only how a model is quantised: open the config.json beside it and give this file as its quantisation"
    )]
    OnlyQuantisation { file: String },
    #[error(
        "{file}: it has no `quantization` with a `quant_algo`: give the hf_quant_config.json of the model"
    )]
    NoQuantisation { file: String },
    #[error(
        "{file}: {what} does not generate text token by token: open the config.json of a causal language model"
    )]
    NotCausal { file: String, what: String },
    #[error(
        "{file}: the layers of model_type {model_type:?} are of a kind that is not known here: describe the model by hand"
    )]
    UnknownLayers { file: String, model_type: String },
    #[error("{file}: {}: correct the file and open it again", problems.join("; "))]
    Fields {
        file: String,
        /// All that is missing or cannot be, a clause for each kind.
        problems: Vec<String>,
        /// What could be read, as `hidden_size 4096`.
        sure: Vec<String>,
        /// The fields whose values would make it readable.
        ask: Vec<String>,
    },
}

/// Whether text is a config of a model, if a broken one, so that no other reader has more to say.
pub fn is_config(text: &str) -> bool {
    let json = file::json(text);
    let object = json.as_ref().ok().and_then(Value::as_object);
    let names = [
        "model_type",
        "architectures",
        "num_hidden_layers",
        "n_layer",
    ];
    object.is_some_and(|object| names.iter().any(|name| object.contains_key(*name)))
}

/// The architecture a config names: its class, else its type.
pub fn class(text: &str) -> Option<String> {
    let config: Value = serde_json::from_str(text).ok()?;
    let named = config["architectures"][0].as_str();
    let class = named.or_else(|| config["model_type"].as_str())?;
    Some(class.to_owned())
}

/// Whether text is a `hf_quant_config.json`.
pub fn is_quantisation(text: &str) -> bool {
    let json = file::json(text);
    let object = json.as_ref().ok().and_then(Value::as_object);
    object.is_some_and(|object| quantisation::of_file(object).is_some())
}

/// The model in the text of a `config.json`, and of a `hf_quant_config.json` where there is one; of `name`, only the
/// file's own name is used.
pub fn read(config: &str, quant: Option<&str>, name: &str) -> Result<ImportedModel, ConfigError> {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let outer = object(config, file)?;
    let quant = quant.map(|text| object(text, QUANTISATION));
    let quant = quant.transpose()?;
    if quantisation::of_file(&outer).is_some() && !is_config(config) {
        return Err(ConfigError::OnlyQuantisation {
            file: file.to_owned(),
        });
    }
    causal::check(&outer, file)?;
    let mut fields = Fields::new(&outer, file);
    let family = Family::of(&mut fields);
    fields.defaults = family.defaults;
    causal::check_layers(&fields)?;
    let architecture = architecture(&mut fields, family)?;
    let formats = quantisation::formats(&mut fields, quant.as_ref(), &architecture)?;
    let mut read = words::of(&architecture);
    read.push(words::of_formats(&formats));
    unused::tell(&mut fields);
    let fields::Notes {
        assumed,
        ignored,
        warnings,
    } = fields.notes;
    Ok(ImportedModel {
        architecture,
        formats,
        read,
        assumed,
        ignored,
        warnings,
    })
}

/// A model that is there already, in the formats of a `hf_quant_config.json`; what that leaves alone is in the format
/// `before` has the output head in, which no quantisation touches.
pub fn quantise(
    quant: &str,
    architecture: &Architecture,
    before: &Formats,
) -> Result<ImportedModel, ConfigError> {
    let quant = object(quant, QUANTISATION)?;
    let nothing = Map::new();
    let mut fields = Fields::new(&nothing, QUANTISATION);
    let formats =
        quantisation::of_separate(&mut fields, &quant, before.head, architecture.layer_count())?;
    let was_quantised = before.weights != before.head;
    if was_quantised && before != &formats {
        let before = words::of_formats(before);
        fields.warn(format!("this replaces the quantisation it had: {before}"));
    }
    let fields::Notes {
        assumed,
        ignored,
        warnings,
    } = fields.notes;
    Ok(ImportedModel {
        architecture: architecture.clone(),
        read: vec![words::of_formats(&formats)],
        formats,
        assumed,
        ignored,
        warnings,
    })
}

fn object(text: &str, file: &str) -> Result<Map<String, Value>, ConfigError> {
    let file = file.to_owned();
    match file::json(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(ConfigError::NoObject { file }),
        Err(reason) => Err(ConfigError::Json { file, reason }),
    }
}

fn architecture(fields: &mut Fields<'_>, family: &Family) -> Result<Architecture, ConfigError> {
    let hidden = fields.needed(&["hidden_size", "n_embd", "d_model"], 1e6);
    let vocab = fields.needed(&["vocab_size", "padded_vocab_size"], 1e8);
    let max_context = fields.count(
        &[
            "max_position_embeddings",
            "n_positions",
            "n_ctx",
            "seq_length",
            "max_seq_len",
        ],
        1e9,
    );
    let plan = plan::layers(fields, family);
    let mixers = mixers::Mixers::read(fields, family, hidden, &plan);
    let mlps = mlps::Mlps::read(fields, family, hidden, &plan);
    let positions = family.positions.and_then(|more| {
        let context = fields.needed(&["max_position_embeddings", "n_positions", "n_ctx"], 1e9)?;
        Count::try_from(context.get() + more).ok()
    });
    let tied = tied(fields, family);
    let groups = grouped(&plan).into_iter().map(|(count, layer)| {
        Some(Layers {
            count: Count::try_from(count).ok()?,
            mixer: mixers.of(layer.mixer)?,
            mlp: mlps.of(layer.mlp)?,
        })
    });
    let layers: Option<Vec<_>> = groups.collect();
    fields.check()?;
    let (Some(hidden), Some(vocab), Some(layers)) = (hidden, vocab, layers) else {
        fields.wrong("the layers cannot be told from the fields".to_owned());
        return Err(fields.error());
    };
    let mut architecture = Architecture {
        name: String::new(),
        hidden,
        vocab,
        tied,
        positions,
        max_context,
        norm_bias: family.norm_bias,
        norms_per_layer: Some(family.norms).filter(|norms| norms.get() != 2.0),
        layers,
    };
    let total = architecture.parameters().total;
    if total > MOST_PARAMETERS {
        fields.wrong(format!(
            "the fields make {total:.0e} parameters, more than any model has: check hidden_size, num_hidden_layers and the widths"
        ));
        return Err(fields.error());
    }
    architecture.name = fields.name(total);
    Ok(architecture)
}

/// Whether input embedding and output head are one table.
fn tied(fields: &mut Fields<'_>, family: &Family) -> bool {
    let key = "tie_word_embeddings";
    let (inside, outside) = (fields.flag(&[key]), fields.outer_flag(key));
    if let (Some(inside), Some(outside)) = (inside, outside)
        && inside != outside
    {
        fields.warn(format!(
            "{key} is {outside} outside and {inside} inside of the text model's config: {inside} is used"
        ));
    }
    inside.or(outside).unwrap_or_else(|| {
        let (same, way) = match family.tied {
            true => ("one table", "share it"),
            false => ("two tables", "keep them apart"),
        };
        fields.assume(format!(
            "{key} is missing: input embedding and output head are {same}, as {} {way}",
            family.plural()
        ));
        family.tied
    })
}

/// Equal layers together, in the order they first appear.
fn grouped(plan: &[Layer]) -> Vec<(f64, Layer)> {
    let mut groups: Vec<(f64, Layer)> = Vec::new();
    for layer in plan {
        match groups.iter_mut().find(|(_, known)| known == layer) {
            Some((count, _)) => *count += 1.0,
            None => groups.push((1.0, *layer)),
        }
    }
    groups
}

impl mixers::Mixers {
    fn of(&self, kind: MixerKind) -> Option<Mixer> {
        match kind {
            MixerKind::Full => self.full.clone(),
            MixerKind::Windowed => self.windowed.clone(),
            MixerKind::Chunked => self.chunked.clone(),
            MixerKind::DeltaNet => self.delta_net.clone(),
            MixerKind::Mamba => self.mamba.clone(),
            MixerKind::None => Some(Mixer::None),
        }
    }
}

impl mlps::Mlps {
    fn of(&self, kind: MlpKind) -> Option<Mlp> {
        match kind {
            MlpKind::Dense => self.dense.clone(),
            MlpKind::Mixture => self.mixture.clone(),
            MlpKind::None => Some(Mlp::None),
        }
    }
}
