//! What is built in: GPUs, language models, example sessions and lessons, embedded at build time from presets/.
mod device;
mod lessons;
mod models;

pub use device::of_device;
pub use lessons::{LessonPreset, lesson, lessons};
pub use models::{ModelPreset, all_models, find_model, model, models};

use super::names::{NotFound, find};
use super::session_file::{self, FileError, GpuFile, Loaded};
use crate::model::gpu::Gpu;
use crate::model::published::Published;
use serde::{Deserialize, Serialize};

/// A file of presets/; its id is the file's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    pub id: &'static str,
    pub text: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/presets.rs"));

/// A built-in device with what is told of it only in lists.
#[derive(Debug, Clone, PartialEq)]
pub struct GpuPreset {
    pub id: &'static str,
    pub vendor: String,
    pub year: Option<u32>,
    pub memory_kind: String,
    /// Words it is looked for by that are in none of the above: an architecture, a sibling's name.
    pub keywords: String,
    pub gpu: Gpu,
}

impl GpuPreset {
    /// Whether every word of `wanted` is found in what is told of the device, without regard to case.
    pub fn matches(&self, wanted: &str) -> bool {
        let year = self.year.map(|year| year.to_string()).unwrap_or_default();
        let told = [
            self.id,
            &self.gpu.name,
            &self.vendor,
            &year,
            &self.memory_kind,
            &self.keywords,
        ]
        .join(" ")
        .to_lowercase();
        let wanted = wanted.to_lowercase();
        wanted.split_whitespace().all(|word| told.contains(word))
    }
}

/// Why a built-in thing cannot be given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PresetError {
    #[error(transparent)]
    NotFound(#[from] NotFound),
    #[error("the preset {id:?} is broken, report it: {error}")]
    Broken { id: &'static str, error: FileError },
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Preset")]
struct PresetFile {
    version: u32,
    vendor: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    year: Option<u32>,
    memory_kind: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    keywords: String,
    gpu: GpuFile,
}

/// The built-in GPUs, by id.
pub fn gpus() -> &'static [Preset] {
    GPUS
}

/// The built-in sessions, by id.
pub fn sessions() -> &'static [Preset] {
    SESSIONS
}

/// The built-in GPU of this id.
pub fn gpu(id: &str) -> Option<Result<GpuPreset, FileError>> {
    gpus().iter().find(|preset| preset.id == id).map(read_gpu)
}

/// Every built-in GPU that can be read, by id.
pub fn all_gpus() -> Vec<GpuPreset> {
    gpus().iter().filter_map(|p| read_gpu(p).ok()).collect()
}

/// The figures of all built-in GPUs, to compare others with.
pub fn published() -> Published {
    let devices = all_gpus().into_iter().map(|preset| preset.gpu);
    Published::new(devices.collect())
}

/// The built-in GPU with this id or name, as people type it.
pub fn find_gpu(name: &str) -> Result<GpuPreset, PresetError> {
    let mut all = all_gpus();
    let names: Vec<_> = all
        .iter()
        .map(|p| vec![p.id, p.gpu.name.as_str()])
        .collect();
    let index = find("built-in GPU", name, &names)?;
    Ok(all.swap_remove(index))
}

/// The built-in session with this id or title, as people type it; `@` before it is allowed.
pub fn find_session(name: &str) -> Result<(&'static str, Loaded), PresetError> {
    let titles: Vec<_> = sessions()
        .iter()
        .map(|preset| session_file::read(preset.text).map_or(String::new(), |s| s.session.title))
        .collect();
    let names: Vec<_> = sessions()
        .iter()
        .zip(&titles)
        .map(|(preset, title)| vec![title.as_str(), preset.id])
        .collect();
    let wanted = name.strip_prefix('@').unwrap_or(name);
    let Preset { id, text } = sessions()[find("built-in session", wanted, &names)?];
    let loaded = session_file::read(text).map_err(|error| PresetError::Broken { id, error })?;
    Ok((id, loaded))
}

/// The id of the session that is open when no file is named.
pub const FIRST_SESSION: &str = "8b-decode-on-h100";

fn read_gpu(preset: &Preset) -> Result<GpuPreset, FileError> {
    let (file, _) = session_file::parse::<PresetFile>(preset.text)?;
    let gpu = session_file::gpu_of_file(file.gpu, "gpu.")
        .map_err(|problem| session_file::locate(preset.text, problem))?;
    Ok(GpuPreset {
        id: preset.id,
        vendor: file.vendor,
        year: file.year,
        memory_kind: file.memory_kind,
        keywords: file.keywords,
        gpu: Gpu {
            preset: Some(preset.id.to_owned()),
            ..gpu
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A built-in file must be what the program itself would write, with no field it does not know.
    fn canonical(preset: &GpuPreset) -> String {
        let gpu = Gpu {
            preset: None,
            ..preset.gpu.clone()
        };
        let file = PresetFile {
            version: 1,
            vendor: preset.vendor.clone(),
            year: preset.year,
            memory_kind: preset.memory_kind.clone(),
            keywords: preset.keywords.clone(),
            gpu: GpuFile::of(&gpu),
        };
        session_file::to_ron(&file, 3)
    }

    #[test]
    fn every_gpu_is_canonical() {
        for preset in gpus() {
            let (_, unknown) = session_file::parse::<PresetFile>(preset.text).unwrap();
            assert_eq!(unknown, Vec::<String>::new(), "{}", preset.id);
            let read = gpu(preset.id).unwrap().unwrap();
            assert_eq!(preset.text, canonical(&read), "{}", preset.id);
        }
    }

    #[test]
    fn every_session_is_canonical() {
        for preset in sessions() {
            let loaded = session_file::read(preset.text).unwrap();
            let written = session_file::write(&loaded.session, &loaded.view);
            assert_eq!(preset.text, written, "{}", preset.id);
            assert_eq!(loaded.warnings, Vec::<String>::new(), "{}", preset.id);
        }
    }

    #[test]
    fn gpus_of_sessions_are_copies_of_their_presets() {
        for preset in sessions() {
            let loaded = session_file::read(preset.text).unwrap();
            for copy in &loaded.session.gpus {
                let original = gpu(copy.preset.as_deref().unwrap()).unwrap().unwrap().gpu;
                assert_eq!(
                    *copy,
                    Gpu {
                        id: copy.id,
                        // A lesson may say what rounded figures leave out.
                        capacity: original.capacity.or(copy.capacity),
                        ..original
                    }
                );
            }
        }
    }

    #[test]
    fn presets_are_found_by_name() {
        assert_eq!(find_gpu("MI300X").unwrap().id, "amd-mi300x");
        assert_eq!(find_gpu("trainium").unwrap().id, "aws-trainium2");
        assert_eq!(find_gpu("nvidia-h100-s").unwrap().id, "nvidia-h100-sxm");
        assert!(find_gpu("h100").is_err());
        assert_eq!(find_session("@8b").unwrap().0, FIRST_SESSION);
    }
}
