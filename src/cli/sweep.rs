//! `ridgepoint sweep`: a workload over the values of one or two of its parameters.
use super::source::{self, Source};
use super::{Failure, output};
use crate::model::ids::GpuId;
use crate::model::session::Workload;
use crate::model::sweep::grid::{self, Grid, Shown, Task};
use crate::model::sweep::{self, Sweep};
use crate::report::{self, Format};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::ffi::OsString;
use std::process::ExitCode;

/// Print a workload over the values of one or two of its parameters, and where its regime flips
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
    /// A second parameter: every pair of values is computed
    #[arg(long, value_name = "NAME", requires = "values2")]
    parameter2: Option<String>,
    /// The values of the second parameter
    #[arg(
        long,
        value_name = "VALUES",
        allow_hyphen_values = true,
        requires = "parameter2"
    )]
    values2: Option<String>,
    /// A GPU to compare with: the ratio is time there ÷ time here
    #[arg(long, value_name = "NAME", requires = "parameter2")]
    against: Option<String>,
    /// What the text of two parameters shows; the ratio if --against names a GPU, else the time
    #[arg(long, value_name = "WHAT", value_parser = shown(), requires = "parameter2")]
    show: Option<Shown>,
    /// How the sweep is written
    #[arg(long, default_value = "text", value_parser = source::format())]
    format: Format,
}

fn shown() -> impl TypedValueParser<Value = Shown> {
    PossibleValuesParser::new(Shown::ALL.map(Shown::name))
        .map(|name| Shown::named(&name).unwrap_or_default())
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let mut source = Source::open(&arguments.session)?;
    let gpu = match &arguments.gpu {
        Some(name) => source.gpu(name)?,
        None => source.active_gpu()?,
    };
    let against = arguments.against.as_ref().map(|name| source.gpu(name));
    let against = against.transpose()?;
    let workload = source.workload(arguments.workload.as_deref())?;
    let sweep = wanted(arguments, &source, workload)?;
    if let (Some(parameter), Some(values)) = (&arguments.parameter2, &arguments.values2) {
        let second = named("--values2", workload, parameter, values)?;
        let grid = Grid {
            first: sweep,
            second,
        };
        return pairs(arguments, &source, workload, grid, gpu, against);
    }
    let gpu = source.session.gpu(gpu).ok_or_else(source::no_gpu)?;
    let result = sweep::run(&sweep, workload, gpu, source.session.assumptions)?;
    output::print(&report::sweep::write(&result, workload, arguments.format))
}

fn pairs(
    arguments: &Arguments,
    source: &Source,
    workload: &Workload,
    grid: Grid,
    gpu: GpuId,
    against: Option<GpuId>,
) -> Result<ExitCode, Failure> {
    let gpu = source.session.gpu(gpu).ok_or_else(source::no_gpu)?;
    let against = against.and_then(|id| source.session.gpu(id));
    let shown = arguments.show.unwrap_or(match against {
        Some(_) => Shown::Ratio,
        None => Shown::Time,
    });
    if shown == Shown::Ratio && against.is_none() {
        let message = "--show ratio needs another GPU: name it with --against";
        return Err(Failure::Usage(message.to_owned()));
    }
    let task = Task::new(grid, workload, gpu, against, source.session.assumptions);
    let task = task.map_err(|error| Failure::Error(error.to_string()))?;
    let result = grid::run(task);
    output::print(&report::sweep_grid::write(&result, shown, arguments.format))
}

/// The sweep asked for: named, saved with the session for this workload, or its kind's own.
fn wanted(arguments: &Arguments, source: &Source, workload: &Workload) -> Result<Sweep, Failure> {
    let known = if source.view.selected == Some(workload.id) {
        source.view.sweep_for(workload)
    } else {
        Sweep::default_for(&workload.kind)
    };
    let parameter = arguments.parameter.as_ref().unwrap_or(&known.parameter);
    match &arguments.values {
        Some(values) => named("--values", workload, parameter, values),
        None if *parameter == known.parameter => Ok(known),
        None => {
            sweep::parameter_unit(&workload.kind, parameter)?;
            Err(Failure::Usage(format!(
                "--parameter {parameter} needs its values: add for example --values 1,4,16"
            )))
        }
    }
}

/// A parameter over values as they are typed after `option`.
fn named(option: &str, workload: &Workload, name: &str, values: &str) -> Result<Sweep, Failure> {
    let unit = sweep::parameter_unit(&workload.kind, name)?;
    let read = Sweep::parse_values(values, unit)
        .map_err(|error| Failure::Usage(format!("{option} {values:?}: {error}")))?;
    Ok(Sweep {
        parameter: name.to_owned(),
        values: read,
    })
}
