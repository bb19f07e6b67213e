//! `ridgepoint operators`: what a workload consists of on a GPU.
use super::source::{self, Source};
use super::{Failure, output};
use crate::report::{self, Format};
use std::ffi::OsString;
use std::process::ExitCode;

/// Print the operators of a workload: what each asks, what limits it, and its part of the time
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The session: a file, or @NAME
    session: OsString,
    /// The workload; the first one if left out
    #[arg(long, value_name = "NAME")]
    workload: Option<String>,
    /// The GPU: one of the session, else a built-in one; the active one if left out
    #[arg(long, value_name = "NAME")]
    gpu: Option<String>,
    /// How the table is written
    #[arg(long, default_value = "text", value_parser = source::format())]
    format: Format,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let mut source = Source::open(&arguments.session)?;
    let gpu = match &arguments.gpu {
        Some(name) => source.gpu(name)?,
        None => source.active_gpu()?,
    };
    let workload = source.workload(arguments.workload.as_deref())?;
    let gpu = source.session.gpu(gpu).ok_or_else(source::no_gpu)?;
    let placement = workload.place_on(gpu, source.session.assumptions)?;
    for warning in &placement.warnings {
        output::complain(warning);
    }
    output::print(&report::operators::write(
        &placement,
        &workload.name,
        arguments.format,
    ))
}
