//! Files beside the one that is read, such as `sysinfo.csv` next to `pmc_perf.csv`.
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Gives files from where the one that is read came from.
pub trait Beside: Sync {
    /// The file of this plain name, or `None` if there is none.
    fn open(&self, name: &str) -> Option<Box<dyn Read + Send>>;

    /// The device that whoever reads the file has named, for files that name none.
    fn device(&self) -> Option<&str> {
        None
    }
}

/// Files beside, and the device that was named.
#[derive(Debug, Clone)]
pub struct Named<'a, B> {
    pub beside: B,
    pub device: Option<&'a str>,
}

impl<B: Beside> Beside for Named<'_, B> {
    fn open(&self, name: &str) -> Option<Box<dyn Read + Send>> {
        self.beside.open(name)
    }

    fn device(&self) -> Option<&str> {
        self.device
    }
}

/// Nothing is beside what came from a pipe or the clipboard.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nothing;

impl Beside for Nothing {
    fn open(&self, _: &str) -> Option<Box<dyn Read + Send>> {
        None
    }
}

/// The files of a folder.
#[derive(Debug, Clone)]
pub struct Folder(pub PathBuf);

impl Folder {
    /// The one file that people renamed: `run2_sysinfo_MI200.csv` for `sysinfo.csv`.
    fn like(&self, name: &str) -> Option<PathBuf> {
        let (stem, ending) = name.rsplit_once('.')?;
        let is_like = |path: &PathBuf| {
            let file = path.file_name().and_then(|file| file.to_str());
            let same_ending = path.extension().is_some_and(|other| other == ending);
            same_ending && file.is_some_and(|file| file.contains(stem)) && path.is_file()
        };
        let entries = std::fs::read_dir(&self.0).ok()?.flatten();
        let mut found = entries.map(|entry| entry.path()).filter(is_like);
        let one = found.next()?;
        found.next().is_none().then_some(one)
    }
}

impl Beside for Folder {
    fn open(&self, name: &str) -> Option<Box<dyn Read + Send>> {
        // A plain name only: what a file says must not lead anywhere else.
        let plain = Path::new(name).file_name()?.to_str()? == name;
        if !plain {
            return None;
        }
        let path = self.0.join(name);
        let path = match path.is_file() {
            true => path,
            false => self.like(name)?,
        };
        Some(Box::new(File::open(path).ok()?))
    }
}
