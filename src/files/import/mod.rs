//! Devices and models in the files of other programs: one file a format, recognised by what is in it, whatever it is called.
mod blis_hardware;
mod ert;
mod file;
pub mod hf_config;
pub mod model_file;
mod peaks_table;
pub mod profile;
mod reading;
mod rocprof_roofline;
mod tracelens_arch;
mod utf16;

use super::session_file::{self, FileError};
use crate::model::gpu::Gpu;
use file::DeviceFile;
use reading::Reading;
use std::io::{self, Read};
use std::path::Path;
use utf16::Utf16;

/// The most bytes the description of a device or a model can have.
pub const MOST_BYTES: usize = 4 << 20;

/// The formats that are read, in the order they are tried.
const FORMATS: [Format; 5] = [
    tracelens_arch::FORMAT,
    blis_hardware::FORMAT,
    ert::FORMAT,
    rocprof_roofline::FORMAT,
    peaks_table::FORMAT,
];

/// A format: how it is called, and what reads it.
struct Format {
    name: &'static str,
    /// Whether the file is of this format; if so, what it holds has been read.
    read: fn(&DeviceFile<'_>, &mut Reading) -> bool,
}

/// The devices of a file, and what belongs beside them.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    pub gpus: Vec<Gpu>,
    /// How figures were read where the file leaves it open, a sentence each.
    pub read: Vec<String>,
    /// What was not used, and which roofs are therefore absent, a sentence each.
    pub ignored: Vec<String>,
}

impl Imported {
    /// Everything there is to tell, how figures were read first.
    pub fn notices(&self) -> impl Iterator<Item = &String> {
        self.read.iter().chain(&self.ignored)
    }
}

/// Why no device can be read.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("{file}: it cannot be read: {reason}")]
    Io { file: String, reason: io::Error },
    #[error("{file}: it has more than {} MiB, as no description of a device has", MOST_BYTES >> 20)]
    TooLarge { file: String },
    #[error("{file}, line {line}: this is not UTF-8 text: save it as UTF-8")]
    NotText {
        file: String,
        /// Counted from one.
        line: usize,
    },
    #[error("{file}: the JSON is broken: {reason}; export it again")]
    Json {
        file: String,
        reason: serde_json::Error,
    },
    #[error("{file}:{error}")]
    Exported { file: String, error: FileError },
    #[error(
        "{file}: this is no device that is read; the formats are a device exported here (RON), {}",
        names()
    )]
    Unknown { file: String },
    #[error("{file}: this is a {format} without one figure of use{}", first.as_ref().map(|why| format!(": {why}")).unwrap_or_default())]
    Nothing {
        file: String,
        format: &'static str,
        /// The first thing that could not be used.
        first: Option<String>,
    },
}

impl ImportError {
    /// Whether the file is a device's, if a broken one, so that no other reader has more to say.
    pub fn is_of_a_device(&self) -> bool {
        matches!(
            self,
            Self::Json { .. } | Self::Nothing { .. } | Self::Exported { .. }
        )
    }
}

fn names() -> String {
    let names = FORMATS.map(|format| format.name);
    let (last, others) = names.split_last().expect("there are formats");
    format!("{} and {last}", others.join(", "))
}

/// The devices in a file.
pub fn open(path: &Path) -> Result<Imported, ImportError> {
    devices(&text_of(path)?, &path.display().to_string())
}

/// The devices in what `source` gives, called `name` in messages.
pub fn read(source: impl Read + Send, name: &str) -> Result<Imported, ImportError> {
    devices(&text(source, name)?, name)
}

/// The text of a file.
pub fn text_of(path: &Path) -> Result<String, ImportError> {
    let label = path.display().to_string();
    match std::fs::File::open(path) {
        Ok(file) => text(file, &label),
        Err(reason) => Err(ImportError::Io {
            file: label,
            reason,
        }),
    }
}

/// What `source` gives, as text; UTF-16 with its mark is text as well.
pub fn text(source: impl Read + Send, name: &str) -> Result<String, ImportError> {
    let file = || name.to_owned();
    let io = |reason| ImportError::Io {
        file: file(),
        reason,
    };
    let mut bytes = Vec::new();
    let text = Utf16::or_utf8(Box::new(source)).map_err(io)?;
    // One byte more than allowed, to tell that there are more.
    let mut limited = text.take(MOST_BYTES as u64 + 1);
    if limited.read_to_end(&mut bytes).map_err(io)? > MOST_BYTES {
        return Err(ImportError::TooLarge { file: file() });
    }
    String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        ImportError::NotText {
            file: file(),
            line: memchr::memchr_iter(b'\n', good).count() + 1,
        }
    })
}

/// The devices in text of any format that is read; of `name`, only the file's own name enters a source.
pub fn devices(text: &str, name: &str) -> Result<Imported, ImportError> {
    if is_exported(text) {
        return exported(text, name);
    }
    let file = DeviceFile::new(text, name)?;
    for format in FORMATS {
        let mut reading = Reading::new(format.name, &file);
        if (format.read)(&file, &mut reading) {
            return reading.finish(name);
        }
    }
    Err(ImportError::Unknown {
        file: name.to_owned(),
    })
}

/// Whether text is a device as it is exported here: RON of one GPU.
fn is_exported(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.lines().map(str::trim_start);
    let mut content = lines
        .skip_while(|line| line.is_empty() || line.starts_with("#![") || line.starts_with("//"));
    content.next().is_some_and(|line| {
        let rest = line.strip_prefix("Gpu");
        rest.is_some_and(|rest| rest.is_empty() || rest.trim_start().starts_with('('))
    })
}

/// That device, just as it was.
fn exported(text: &str, name: &str) -> Result<Imported, ImportError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let gpu = session_file::gpu_from_text(text).map_err(|error| ImportError::Exported {
        file: name.to_owned(),
        error,
    })?;
    Ok(Imported {
        gpus: vec![gpu],
        read: Vec::new(),
        ignored: Vec::new(),
    })
}
