//! `ridgepoint check`: whether a session file can be opened, and what is odd in it.
use super::{Failure, output, source};
use crate::files::presets;
use crate::model::session::Session;
use std::ffi::OsString;
use std::process::ExitCode;

/// Check a session file: print a one-line summary, or where it is wrong
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The session: a file, or @NAME
    session: OsString,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let source = source::Source::open(&arguments.session)?;
    let label = &source.label;
    output::doubt(label, &source.session.gpus, &presets::published());
    output::print(&format!("{label}: {}\n", summary(&source.session)))
}

fn summary(session: &Session) -> String {
    let measurements = session.workloads.iter().map(|w| w.measurements.len()).sum();
    let counts = [
        counted(session.gpus.len(), "GPU"),
        counted(session.workloads.len(), "workload"),
        counted(measurements, "measurement"),
    ];
    let mut counts = counts.to_vec();
    if !session.profiles.is_empty() {
        let kernels = session.profiles.iter().map(|p| p.kernels.lines.len()).sum();
        counts.push(counted(session.profiles.len(), "profile"));
        counts.push(counted(kernels, "kernel"));
    }
    format!("{:?}, {}", session.title, counts.join(", "))
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}
