//! What a path opens: a file, or what a profiler wrote into a folder.
use super::{Folder, ProfileError};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The file of a workload folder of rocprofiler-compute that holds the counters.
const WORKLOAD: &str = "pmc_perf.csv";

/// How the names of rocprofv3's files with counters end: one in a folder for each pass.
const COLLECTION: &str = "counter_collection.csv";

/// How deep passes lie, as `pass_1/host/17_counter_collection.csv`, and how many are read.
const DEEPEST: usize = 3;
const MOST_PASSES: usize = 256;

/// What is read, what messages call it, and where the files beside it are.
pub(super) struct Opened {
    pub source: Box<dyn Read + Send>,
    pub label: String,
    pub folder: Folder,
}

/// Opens a file, or the file with the counters of a folder; passes of rocprofv3 follow one another.
pub(super) fn open(path: &Path) -> Result<Opened, ProfileError> {
    let files = match path.is_dir() {
        false => vec![path.to_owned()],
        true if path.join(WORKLOAD).is_file() => vec![path.join(WORKLOAD)],
        true => passes(path),
    };
    let Some(first) = files.first() else {
        return Err(ProfileError::File {
            file: path.display().to_string(),
            reason: format!(
                "this folder holds neither {WORKLOAD} nor *_{COLLECTION}: open the file itself"
            ),
        });
    };
    let label = first.display().to_string();
    let folder = Folder(first.parent().map(Path::to_owned).unwrap_or_default());
    let mut source: Box<dyn Read + Send> = Box::new(io::empty());
    for file in &files {
        let file = File::open(file).map_err(|reason| ProfileError::Io {
            file: file.display().to_string(),
            reason,
        })?;
        source = match files.len() {
            1 => Box::new(file),
            // Files need not end with a line's end.
            _ => Box::new(source.chain(file).chain(&b"\n"[..])),
        };
    }
    Ok(Opened {
        source,
        label,
        folder,
    })
}

/// The files with counters in a folder and those below, in the order of their names.
fn passes(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            let name = path.file_name().and_then(|name| name.to_str());
            let counters = name.is_some_and(|name| name.ends_with(COLLECTION));
            if path.is_dir() && depth < DEEPEST {
                folders.push((path, depth + 1));
            } else if counters && path.is_file() {
                found.push(path);
            }
        }
    }
    found.sort();
    found.truncate(MOST_PASSES);
    found
}
