//! A model's `config.json` on disk, with the `hf_quant_config.json` beside it where there is one.
use super::hf_config::{self, ConfigError, ImportedModel};
use super::{ImportError, text_of};
use std::path::Path;

/// What the quantisation beside a config is called.
const QUANTISATION: &str = "hf_quant_config.json";

/// A file that concerns a model.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelFile {
    /// A config, read; and its text, for a quantisation that comes later.
    Config {
        model: Box<ImportedModel>,
        text: String,
        name: String,
    },
    /// A quantisation alone: the config it belongs to has to be there already.
    Quantisation(String),
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
    let beside = path.with_file_name(QUANTISATION);
    let beside = text_of(&beside).ok();
    let beside = beside.filter(|text| hf_config::is_quantisation(text));
    Some(read(text, beside.as_deref(), &name_of(path)))
}

/// The model in the text of a config and of a quantisation.
pub fn read(text: String, quantisation: Option<&str>, name: &str) -> Result<ModelFile, ModelError> {
    let model = hf_config::read(&text, quantisation, name)?;
    Ok(ModelFile::Config {
        model: Box::new(model),
        text,
        name: name.to_owned(),
    })
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
