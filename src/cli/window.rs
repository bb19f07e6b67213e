//! `ridgepoint [SESSION]`: the window.
use super::{Failure, source};
use std::ffi::OsString;
use std::process::ExitCode;

/// Opens the window on a session, or on the built-in one.
pub(super) fn run(session: Option<OsString>) -> Result<ExitCode, Failure> {
    if let Some(session) = session {
        source::open(&session)?;
    }
    Err(Failure::Error(
        "this build has no window yet: use a subcommand, see --help".to_owned(),
    ))
}
