//! `ridgepoint import`: the devices of another program's file as a session, or their figures beside a GPU's peaks.
use super::source::Source;
use super::{Failure, output};
use crate::files::{atomic, import, session_file};
use crate::model::achievable::described;
use crate::model::gpu::Gpu;
use crate::model::session::Session;
use crate::model::view::View;
use std::ffi::{OsStr, OsString};
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
    /// Put the measured figures beside the peaks of a GPU of this session, instead of making a new one
    #[arg(long, value_name = "SESSION")]
    onto: Option<OsString>,
    /// That GPU; the active one if left out
    #[arg(long, value_name = "NAME", requires = "onto")]
    gpu: Option<String>,
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
    let text = match &arguments.onto {
        Some(onto) => with_figures(onto, arguments.gpu.as_deref(), &imported.gpus)?,
        None => {
            let mut session = Session::empty(title);
            for gpu in imported.gpus {
                session.add_gpu(gpu, None);
            }
            session_file::write(&session, &View::of(&session))
        }
    };
    atomic::write(&arguments.output, text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// The session `onto` with the measured figures of a device beside the peaks of one of its GPUs.
fn with_figures(onto: &OsStr, gpu: Option<&str>, devices: &[Gpu]) -> Result<String, Failure> {
    let mut source = Source::open(onto)?;
    let id = match gpu {
        Some(name) => source.gpu(name)?,
        None => source.active_gpu()?,
    };
    let gpu = source.session.gpu_mut(id);
    let found = gpu.and_then(|gpu| Some((described(gpu, devices)?, gpu)));
    let Some((device, gpu)) = found else {
        return Err(Failure::Error("there is no device in the file".to_owned()));
    };
    let merged = gpu.take_achievable(device);
    let told = format!(
        "{}: {}",
        source.label,
        merged.told(gpu, device, devices.len())
    );
    if merged.taken.is_empty() {
        return Err(Failure::Error(told));
    }
    output::complain(&told);
    if source.has_comments {
        output::complain(&format!("{}: its comments are not kept", source.label));
    }
    Ok(session_file::write(&source.session, &source.view))
}

/// Whether both paths lead to one file that is there.
fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}
