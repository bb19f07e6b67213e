//! Lists the files of presets/ into the program; parses nothing (a test parses every one).
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    let mut lists = String::new();
    for (name, folder) in [
        ("GPUS", "presets/gpus"),
        ("LESSONS", "presets/lessons"),
        ("MODELS", "presets/models"),
        ("SESSIONS", "presets/sessions"),
    ] {
        println!("cargo::rerun-if-changed={folder}");
        list(&mut lists, name, Path::new(&root), folder)?;
    }
    fs::write(Path::new(&out).join("presets.rs"), lists)
}

/// Writes a constant with every RON file of a folder, by file name.
fn list(lists: &mut String, name: &str, root: &Path, folder: &str) -> io::Result<()> {
    let mut files = Vec::new();
    for entry in fs::read_dir(root.join(folder))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "ron") {
            files.push(path);
        }
    }
    files.sort();
    let _ = writeln!(lists, "const {name}: &[Preset] = &[");
    for path in files {
        let id = path.file_stem().unwrap_or_default().to_string_lossy();
        let file = format!("/{folder}/{id}.ron");
        // Not an absolute path: a build folder copied along with a checkout would go on reading the old one.
        let _ = writeln!(
            lists,
            "    Preset {{ id: {id:?}, text: include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {file:?})) }},"
        );
    }
    let _ = writeln!(lists, "];");
    Ok(())
}
