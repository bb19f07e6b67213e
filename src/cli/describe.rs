//! `ridgepoint describe`: the chart in words, as screen readers are told it.
use super::source::Source;
use super::{Failure, output};
use crate::report;
use std::ffi::OsString;
use std::process::ExitCode;

/// Print the chart in words: roofs, where each workload lies and why, what would help, what was measured
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The session: a file, or @NAME
    session: OsString,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let source = Source::open(&arguments.session)?;
    let text = report::describe::write(&source.session, &source.view, usize::MAX);
    output::print(&text)
}
