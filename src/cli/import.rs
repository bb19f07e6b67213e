//! `ridgepoint import`: the devices of another program's file as a session.
use super::{Failure, output};
use crate::files::{atomic, import, session_file};
use crate::model::session::Session;
use crate::model::view::View;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Make a session of the devices in a file: TraceLens architecture, BLIS hardware config, ERT roofline, roofline.csv
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The file, which is recognised by what is in it; - reads the standard input
    file: OsString,
    /// The session to write; an existing file is replaced
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let path = Path::new(&arguments.file);
    let from_stdin = arguments.file == "-";
    let (label, title) = if from_stdin {
        let name = "standard input";
        (name.to_owned(), "Imported device".to_owned())
    } else {
        let stem = path.file_stem().unwrap_or(&arguments.file);
        let title = stem.to_string_lossy().into_owned();
        (path.display().to_string(), title)
    };
    if !from_stdin && is_same(path, &arguments.output) {
        return Err(Failure::Usage(format!(
            "{label}: the session would replace the file it is read from: name another with -o"
        )));
    }
    let imported = if from_stdin {
        import::read(io::stdin().lock(), &label)?
    } else {
        import::open(path)?
    };
    for sentence in imported.notices() {
        output::complain(&format!("{label}: {sentence}"));
    }
    let mut session = Session::empty(title);
    for gpu in imported.gpus {
        session.add_gpu(gpu, None);
    }
    let text = session_file::write(&session, &View::of(&session));
    atomic::write(&arguments.output, text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Whether both paths lead to one file that is there.
fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}
