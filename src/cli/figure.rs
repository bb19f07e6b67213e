//! `ridgepoint figure`: the chart as SVG or PNG, without a display.
use super::Failure;
use super::picture::Target;
use super::source::Source;
use crate::chart::scene;
use crate::figure;
use std::ffi::OsString;
use std::process::ExitCode;

/// Draw the chart as SVG or PNG, without a display
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The session: a file, or @NAME
    session: OsString,
    /// A saved view, by its title
    #[arg(long, value_name = "NAME")]
    view: Option<String>,
    #[command(flatten)]
    target: Target,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let target = &arguments.target;
    target.check()?;
    let mut source = Source::open(&arguments.session)?;
    let saved = source.show(arguments.view.as_deref())?;
    let missing = scene::build(&source.session, &source.view).missing;
    let missing: Vec<_> = missing
        .iter()
        .filter_map(|(id, reason)| Some((source.session.workload(*id)?, reason)))
        .map(|(workload, reason)| format!("not on the chart: {}: {reason}", workload.name))
        .collect();
    target.complain(&missing);
    target.write(&figure::chart::svg(
        &source.session,
        &source.view,
        saved.as_ref(),
        target.size,
        target.theme,
    ))
}
