//! `ridgepoint table`: every workload on every GPU shown.
use super::source::{self, Source};
use super::{Failure, output};
use crate::files::presets;
use crate::model::gpu::JudgedBy;
use crate::report::{self, Format};
use std::ffi::OsString;
use std::process::ExitCode;

/// Print every workload on every GPU shown: time, regime, limiter, what was measured
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The session: a file, or @NAME
    session: OsString,
    /// Only this GPU: one of the session, else a built-in one
    #[arg(long, value_name = "NAME")]
    gpu: Option<String>,
    /// The roofs that points are judged by, where both are known; the session's choice if left out
    #[arg(long, value_parser = source::basis())]
    basis: Option<JudgedBy>,
    /// How the table is written
    #[arg(long, default_value = "text", value_parser = source::format())]
    format: Format,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let mut source = Source::open(&arguments.session)?;
    if let Some(basis) = arguments.basis {
        source.session.assumptions.judged_by = basis;
    }
    let only = arguments.gpu.as_deref();
    let only = only.map(|name| source.gpu(name)).transpose()?;
    let gpus = match only {
        Some(id) => source.session.gpu(id).into_iter().collect(),
        None => source.visible_gpus(),
    };
    output::print(&report::table::write(
        &source.session,
        &gpus,
        &presets::published(),
        arguments.format,
    ))
}
