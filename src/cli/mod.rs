//! Floor 6, the command line: one file a subcommand, arguments in, exit code out.
mod check;
mod describe;
mod devices;
mod figure;
mod import;
mod kernels;
mod operators;
mod output;
mod picture;
mod presets;
mod recipe;
mod screenshot;
mod source;
mod sweep;
mod table;
mod window;

use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;

/// The roofline model of GPUs as a desktop application.
///
/// Without a subcommand the window opens, on SESSION or on the built-in example. A SESSION is a file, or @NAME for
/// one of the built-in sessions that `ridgepoint presets sessions` lists.
#[derive(Parser)]
#[command(name = "ridgepoint", version, args_conflicts_with_subcommands = true)]
struct Arguments {
    /// The session to open: a file, or @NAME
    session: Option<OsString>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Figure(figure::Arguments),
    Table(table::Arguments),
    Describe(describe::Arguments),
    Sweep(sweep::Arguments),
    Operators(operators::Arguments),
    Check(check::Arguments),
    Import(import::Arguments),
    Kernels(kernels::Arguments),
    Recipe(recipe::Arguments),
    Presets(presets::Arguments),
    Screenshot(screenshot::Arguments),
}

/// Why a subcommand stops.
enum Failure {
    /// The arguments do not fit together; exit code 2.
    Usage(String),
    /// Anything else; exit code 1.
    Error(String),
}

impl Failure {
    /// What is said of it.
    fn text(&self) -> &str {
        match self {
            Self::Usage(text) | Self::Error(text) => text,
        }
    }
}

/// Every error is told by its own text.
impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Error(error.to_string())
    }
}

/// Runs the program with these arguments, the first of which is its own name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            let code = if error.use_stderr() { 2 } else { 0 };
            // Help that nobody reads is no failure.
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    let outcome = match arguments.command {
        Some(command) => command.run(),
        None => window::run(arguments.session),
    };
    match outcome {
        Ok(code) => code,
        Err(Failure::Usage(message)) => {
            output::complain(&message);
            ExitCode::from(2)
        }
        Err(Failure::Error(message)) => {
            output::complain(&message);
            ExitCode::FAILURE
        }
    }
}

impl Command {
    fn run(self) -> Result<ExitCode, Failure> {
        match self {
            Self::Figure(arguments) => figure::run(&arguments),
            Self::Screenshot(arguments) => screenshot::run(&arguments),
            Self::Table(arguments) => table::run(&arguments),
            Self::Describe(arguments) => describe::run(&arguments),
            Self::Sweep(arguments) => sweep::run(&arguments),
            Self::Operators(arguments) => operators::run(&arguments),
            Self::Check(arguments) => check::run(&arguments),
            Self::Import(arguments) => import::run(&arguments),
            Self::Kernels(arguments) => kernels::run(&arguments),
            Self::Recipe(arguments) => recipe::run(&arguments),
            Self::Presets(arguments) => presets::run(&arguments),
        }
    }
}
