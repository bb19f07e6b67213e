//! Why a file gives no measured kernels: one sentence with the file, the line where there is one, and what to do.
use std::io;

/// Why a profile cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    #[error("{file}: it cannot be read: {reason}")]
    Io { file: String, reason: io::Error },
    #[error("{file}, line {line}: {reason}")]
    Line {
        file: String,
        /// Counted from one.
        line: u64,
        reason: String,
    },
    #[error("{file}: {reason}")]
    File { file: String, reason: String },
    #[error(
        "{file}: this is no profile that is read; the formats are {formats}; any other table is read through a mapping of its columns"
    )]
    Unknown { file: String, formats: String },
    #[error("{file}: reading was cancelled")]
    Cancelled { file: String },
}

impl ProfileError {
    /// Whether the file is of no format at all, so that another reader may have more to say.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown { .. })
    }
}
