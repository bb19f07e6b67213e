//! Files beside the one that is read, such as `sysinfo.csv` next to `pmc_perf.csv`.
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Gives files from where the one that is read came from.
pub trait Beside {
    /// The file of this plain name, or `None` if there is none.
    fn open(&self, name: &str) -> Option<Box<dyn Read>>;
}

/// Nothing is beside what came from a pipe or the clipboard.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nothing;

impl Beside for Nothing {
    fn open(&self, _: &str) -> Option<Box<dyn Read>> {
        None
    }
}

/// The files of a folder.
#[derive(Debug, Clone)]
pub struct Folder(pub PathBuf);

impl Beside for Folder {
    fn open(&self, name: &str) -> Option<Box<dyn Read>> {
        // A plain name only: what a file says must not lead anywhere else.
        let plain = Path::new(name).file_name()?.to_str()? == name;
        let path = self.0.join(name);
        let file = (plain && path.is_file()).then(|| File::open(path).ok());
        Some(Box::new(file??))
    }
}
