//! Writing to a terminal or a pipe, which may be closed at any time.
use super::Failure;
use crate::model::gpu::Gpu;
use crate::model::published::Published;
use std::io::{self, ErrorKind, Write as _};
use std::process::ExitCode;

/// Writes to the standard output; a reader that has gone away has read enough.
pub(super) fn print(text: &str) -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::Error(format!(
            "the standard output cannot be written: {error}"
        ))),
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// Tells on the standard error what is odd about the numbers of GPUs.
pub(super) fn doubt(label: &str, gpus: &[Gpu], published: &Published) {
    for gpu in gpus {
        for doubt in gpu.doubts(published) {
            complain(&format!("{label}: {}: {doubt}", gpu.name));
        }
    }
}

/// Writes a line to the standard error, where that can be read.
pub(super) fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "{message}");
}
