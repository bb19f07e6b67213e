//! `ridgepoint sweep`: a workload over the values of one of its parameters.
use super::source::{self, Source};
use super::{Failure, output};
use crate::model::session::Workload;
use crate::model::sweep::{self, Sweep};
use crate::report::{self, Format};
use std::ffi::OsString;
use std::process::ExitCode;

/// Print a workload over the values of one of its parameters, and where its regime flips
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
    /// The parameter as session files call it, for example batch
    #[arg(long, value_name = "NAME")]
    parameter: Option<String>,
    /// Its values: a list such as 1,4,16 or a range such as "1..1024 x4" or "0..100 +10"
    #[arg(long, allow_hyphen_values = true)]
    values: Option<String>,
    /// How the sweep is written
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
    let sweep = wanted(arguments, &source, workload)?;
    let gpu = source.session.gpu(gpu).ok_or_else(source::no_gpu)?;
    let result = sweep::run(&sweep, workload, gpu, source.session.assumptions)?;
    output::print(&report::sweep::write(&result, workload, arguments.format))
}

/// The sweep asked for: named, saved with the session for this workload, or its kind's own.
fn wanted(arguments: &Arguments, source: &Source, workload: &Workload) -> Result<Sweep, Failure> {
    let known = if source.view.selected == Some(workload.id) {
        source.view.sweep_for(workload)
    } else {
        Sweep::default_for(&workload.kind)
    };
    let parameter = arguments.parameter.as_ref().unwrap_or(&known.parameter);
    let unit = sweep::parameter_unit(&workload.kind, parameter)?;
    let values = match &arguments.values {
        Some(values) => Sweep::parse_values(values, unit)
            .map_err(|error| Failure::Usage(format!("--values {values:?}: {error}")))?,
        None if *parameter == known.parameter => known.values.clone(),
        None => {
            return Err(Failure::Usage(format!(
                "--parameter {parameter} needs its values: add for example --values 1,4,16"
            )));
        }
    };
    Ok(Sweep {
        parameter: parameter.clone(),
        values,
    })
}
