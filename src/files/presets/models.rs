//! Language models that are built in, with the formats they are published in.
use super::{MODELS, Preset, PresetError};
use crate::files::names::{as_read, find};
use crate::files::session_file::{self, FileError};
use crate::model::llm::{Architecture, Formats};
use serde::{Deserialize, Serialize};

/// A built-in language model with what is told of it only in lists.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelPreset {
    pub id: &'static str,
    /// Who published it.
    pub vendor: String,
    pub year: u32,
    /// Where its numbers are from.
    pub source: String,
    /// Words it is looked for by that are in none of the above: siblings that are alike.
    pub keywords: String,
    pub architecture: Architecture,
    /// What its weights are published in.
    pub formats: Formats,
}

impl ModelPreset {
    /// Whether every word of `wanted` is found in what is told of the model, without regard to case.
    pub fn matches(&self, wanted: &str) -> bool {
        let year = self.year.to_string();
        let name = &self.architecture.name;
        let told = [self.id, name, &self.vendor, &year, &self.keywords];
        let told = told.join(" ").to_lowercase();
        let wanted = wanted.to_lowercase();
        wanted.split_whitespace().all(|word| told.contains(word))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Preset")]
struct ModelFile {
    version: u32,
    vendor: String,
    year: u32,
    source: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    keywords: String,
    architecture: Architecture,
    formats: Formats,
}

/// The built-in language models, by id.
pub fn models() -> &'static [Preset] {
    MODELS
}

/// The built-in language model of this id.
pub fn model(id: &str) -> Option<Result<ModelPreset, FileError>> {
    models().iter().find(|preset| preset.id == id).map(read)
}

/// Every built-in language model that can be read, by name, small before large.
pub fn all_models() -> Vec<ModelPreset> {
    let mut all: Vec<_> = models().iter().filter_map(|p| read(p).ok()).collect();
    all.sort_by(|a, b| as_read(&a.architecture.name, &b.architecture.name));
    all
}

/// The built-in language model with this id or name, as people type it.
pub fn find_model(name: &str) -> Result<ModelPreset, PresetError> {
    let mut all = all_models();
    let names = all.iter().map(|p| vec![p.id, p.architecture.name.as_str()]);
    let index = find("built-in model", name, &names.collect::<Vec<_>>())?;
    Ok(all.swap_remove(index))
}

fn read(preset: &Preset) -> Result<ModelPreset, FileError> {
    let (file, _) = session_file::parse::<ModelFile>(preset.text)?;
    Ok(ModelPreset {
        id: preset.id,
        vendor: file.vendor,
        year: file.year,
        source: file.source,
        keywords: file.keywords,
        architecture: file.architecture,
        formats: file.formats,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A built-in file must be what the program itself would write, with no field it does not know.
    #[test]
    fn every_model_is_canonical() {
        for preset in models() {
            let (file, unknown) = session_file::parse::<ModelFile>(preset.text).unwrap();
            assert_eq!(unknown, Vec::<String>::new(), "{}", preset.id);
            assert_eq!(file.version, 1, "{}", preset.id);
            assert_eq!(preset.text, session_file::to_ron(&file, 4), "{}", preset.id);
        }
    }

    #[test]
    fn models_are_listed_small_before_large() {
        let names = all_models()
            .into_iter()
            .map(|model| model.architecture.name);
        let dense = ["Qwen3 0.6B", "Qwen3 8B", "Qwen3 14B", "Qwen3 32B"];
        let found: Vec<_> = names
            .filter(|name| dense.contains(&name.as_str()))
            .collect();
        assert_eq!(found, dense);
    }

    #[test]
    fn models_are_found_by_name() {
        assert_eq!(find_model("Llama 3.1 8B").unwrap().id, "llama-3.1-8b");
        assert_eq!(find_model("llama3.1 405").unwrap().id, "llama-3.1-405b");
        assert!(find_model("llama").is_err());
    }
}
