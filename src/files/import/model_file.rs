//! A model's `config.json` on disk, with the `hf_quant_config.json` beside it where there is one.
use super::hf_config::{self, ConfigError, ImportedModel};
use super::{ImportError, text_of};
use crate::model::quantity::{Count, Quantity};
use serde_json::{Value, json};
use std::path::Path;

/// A file that concerns a model.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelFile {
    /// A config, read.
    Config(Box<ImportedModel>),
    /// A config in which something is missing or cannot be; what is sure is kept, and the rest is to be asked for.
    Incomplete(Incomplete),
    /// A quantisation alone: it is for a model that is there already.
    Quantisation(String),
}

/// A config that cannot be read yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Incomplete {
    pub name: String,
    /// What is missing or cannot be, a clause for each kind.
    pub problems: Vec<String>,
    /// What could be read.
    pub sure: Vec<String>,
    /// The fields to ask for, with what was answered so far.
    pub answers: Vec<(String, String)>,
    text: String,
    quantisation: Option<String>,
}

impl Incomplete {
    /// Reads the config again, with the answers in place of what was missing or wrong.
    pub fn read(&self) -> Result<ModelFile, ModelError> {
        let config = with_fields(&self.text, &self.answers);
        let mut again = read(config, self.quantisation.as_deref(), &self.name)?;
        if let ModelFile::Incomplete(again) = &mut again {
            for (name, answer) in &mut again.answers {
                let known = self.answers.iter().find(|(known, _)| known == name);
                answer.clone_from(known.map_or(&String::new(), |(_, answer)| answer));
            }
        }
        Ok(again)
    }
}

/// A config with values in place of what was missing or wrong; what is blank changes nothing.
pub fn with_fields(config: &str, values: &[(String, String)]) -> String {
    let mut config: Value = serde_json::from_str(config).unwrap_or_default();
    let nested = config.get("text_config").is_some_and(Value::is_object);
    let fields = match nested {
        true => config.get_mut("text_config"),
        false => Some(&mut config),
    };
    if let Some(Value::Object(fields)) = fields {
        for (name, value) in values {
            let value = value.trim();
            if value.is_empty() {
                continue;
            }
            // A number as people write it, else as it would stand in the file, else text.
            let value = match Count::parse(value) {
                Ok(count) => json!(count.get() as u64),
                Err(_) => serde_json::from_str(value).unwrap_or_else(|_| json!(value)),
            };
            fields.insert(name.clone(), value);
        }
    }
    config.to_string()
}

/// Why a file is no model.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    #[error(transparent)]
    Io(#[from] ImportError),
    #[error(transparent)]
    Config(#[from] ConfigError),
}

/// Reads a file that is a model's; `None` where it is something else.
pub fn open(path: &Path) -> Option<Result<ModelFile, ModelError>> {
    let text = text_of(path).ok()?;
    if hf_config::is_quantisation(&text) && !hf_config::is_config(&text) {
        return Some(Ok(ModelFile::Quantisation(text)));
    }
    if !hf_config::is_config(&text) {
        return None;
    }
    // One that cannot be read is as good as none: the config says what it knows.
    let beside = path.with_file_name(hf_config::QUANTISATION);
    let beside = text_of(&beside).ok();
    let beside = beside.filter(|text| hf_config::is_quantisation(text));
    Some(read(text, beside.as_deref(), &name_of(path)))
}

/// The model in the text of a config and of a quantisation.
pub fn read(text: String, quantisation: Option<&str>, name: &str) -> Result<ModelFile, ModelError> {
    let model = match hf_config::read(&text, quantisation, name) {
        Ok(model) => model,
        Err(ConfigError::Fields {
            problems,
            sure,
            ask,
            ..
        }) if !ask.is_empty() => {
            return Ok(ModelFile::Incomplete(Incomplete {
                name: name.to_owned(),
                problems,
                sure,
                answers: ask.into_iter().map(|name| (name, String::new())).collect(),
                text,
                quantisation: quantisation.map(str::to_owned),
            }));
        }
        Err(error) => return Err(error.into()),
    };
    Ok(ModelFile::Config(Box::new(model)))
}

/// What a model is called that says it nowhere in its config: `config.json` lies in a folder of that name.
pub fn name_of(path: &Path) -> String {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let folder = path.parent().and_then(Path::file_name);
    match folder {
        Some(folder) if file == "config.json" => folder.to_string_lossy().into_owned(),
        _ => file.into_owned(),
    }
}
