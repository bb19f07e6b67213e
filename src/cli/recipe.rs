//! `ridgepoint recipe`: what to collect, and with which command.
use super::{Failure, output};
use crate::files::import::profile::recipe::Profiler;
use crate::files::presets;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::process::ExitCode;

/// Print the exact command and metrics of a profiler: ncu, rocprof or torch
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The profiler
    #[arg(value_parser = profiler())]
    profiler: Profiler,
    /// The built-in GPU at hand, whose generation decides the metrics
    #[arg(long, value_name = "NAME")]
    gpu: Option<String>,
}

fn profiler() -> impl TypedValueParser<Value = Profiler> {
    PossibleValuesParser::new(Profiler::ALL.map(Profiler::name)).map(|name| {
        let named = Profiler::ALL.into_iter().find(|p| p.name() == name);
        named.unwrap_or(Profiler::Ncu)
    })
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let gpu = arguments
        .gpu
        .as_deref()
        .map(presets::find_gpu)
        .transpose()?;
    let recipe = arguments.profiler.recipe(gpu.as_ref());
    output::print(&recipe.map_err(Failure::Usage)?)
}
