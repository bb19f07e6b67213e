//! The user's own devices: a folder of RON files, one GPU each, beside the built-in ones.
use super::atomic;
use super::import::MOST_BYTES;
use super::session_file::{self, FileError};
use crate::model::gpu::Gpu;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A device of the user's, or what is wrong with its file.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub path: PathBuf,
    pub device: Result<Gpu, String>,
}

/// Why a device cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum KeepError {
    #[error("{}: the folder cannot be made: {reason}", folder.display())]
    Folder {
        folder: PathBuf,
        reason: std::io::Error,
    },
    #[error(transparent)]
    Write(#[from] atomic::WriteError),
}

/// The folder of the user's devices within the settings folder.
pub fn folder(settings: &Path) -> PathBuf {
    settings.join("gpus")
}

/// Every device file of a folder by name; a broken one says its file and line and hides no other.
pub fn devices(folder: &Path) -> Vec<Entry> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let paths = entries.flatten().map(|entry| entry.path());
    let mut paths: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|e| e == "ron"))
        .collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| Entry {
            device: read(&path),
            path,
        })
        .collect()
}

/// The device in a file.
pub fn read(path: &Path) -> Result<Gpu, String> {
    let mut text = String::new();
    // A device is a page of text; what is cut off here is none.
    File::open(path)
        .and_then(|file| file.take(MOST_BYTES as u64).read_to_string(&mut text))
        .map_err(|reason| format!("{}: it cannot be read: {reason}", path.display()))?;
    let at = |error: FileError| format!("{}:{error}", path.display());
    session_file::gpu_from_text(&text).map_err(at)
}

/// Where a device was kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    pub path: PathBuf,
    /// The name it was kept under: another than its own where that was taken.
    pub name: String,
    /// Whether it was there already, just so.
    pub already: bool,
}

impl Kept {
    /// What happened to `gpu`, in one sentence.
    pub fn told(&self, gpu: &Gpu) -> String {
        let path = self.path.display();
        match (self.already, self.name == gpu.name) {
            (true, _) => format!("{} is kept already: {path}", self.name),
            (false, true) => format!("Kept as {path}"),
            (false, false) => format!(
                "Another {} was kept before and stays: this one is {:?}, {path}",
                gpu.name, self.name
            ),
        }
    }
}

/// Keeps a device in a folder, under its name, or the next free one beside others kept before.
pub fn keep(folder: &Path, gpu: &Gpu) -> Result<Kept, KeepError> {
    std::fs::create_dir_all(folder).map_err(|reason| KeepError::Folder {
        folder: folder.to_owned(),
        reason,
    })?;
    let mut kept = gpu.clone();
    let mut number = 1;
    loop {
        let path = folder.join(format!("{}.ron", file_stem(&kept.name)));
        let text = session_file::gpu_text(&kept);
        let before = std::fs::read_to_string(&path).ok();
        let already = before.as_ref() == Some(&text);
        if already || !path.exists() {
            if !already {
                atomic::write(&path, text.as_bytes())?;
            }
            let name = kept.name;
            return Ok(Kept {
                path,
                name,
                already,
            });
        }
        number += 1;
        kept.name = format!("{} {number}", gpu.name);
    }
}

/// A name as the stem of a file: letters and digits, the rest as dashes.
pub fn file_stem(name: &str) -> String {
    let mut stem = String::new();
    for c in name.chars() {
        if c.is_alphanumeric() {
            stem.extend(c.to_lowercase());
        } else if !stem.ends_with('-') && !stem.is_empty() {
            stem.push('-');
        }
    }
    match stem.trim_end_matches('-') {
        "" => "unnamed".to_owned(),
        stem => stem.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_device_of_the_same_name_is_kept_beside_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let mut gpu = Gpu::empty("Card");
        let first = keep(folder.path(), &gpu).unwrap();
        assert!(keep(folder.path(), &gpu).unwrap().already);
        gpu.notes = "overclocked".to_owned();
        let second = keep(folder.path(), &gpu).unwrap();
        assert_eq!((second.name.as_str(), second.already), ("Card 2", false));
        assert!(second.told(&gpu).contains("kept before and stays"));
        assert_eq!(keep(folder.path(), &gpu).unwrap().path, second.path);
        assert_eq!(read(&first.path).unwrap().notes, "");
        assert_eq!(read(&second.path).unwrap().notes, "overclocked");
    }

    #[test]
    fn a_broken_file_names_its_line_and_hides_no_other() {
        let folder = tempfile::tempdir().unwrap();
        keep(folder.path(), &Gpu::empty("My card (own)")).unwrap();
        std::fs::write(folder.path().join("broken.ron"), "Gpu(\n  name: 3,\n)").unwrap();
        let found = devices(folder.path());
        assert_eq!(found.len(), 2);
        let reason = found[0].device.clone().unwrap_err();
        assert!(reason.contains("broken.ron:2:"), "{reason}");
        assert_eq!(found[1].device.as_ref().unwrap().name, "My card (own)");
    }
}
