//! `ridgepoint import`: a model or the devices of another program's file as a session, or figures beside a GPU's peaks.
mod model;

use super::source::{self, Source};
use super::{Failure, output};
use crate::files::import::{hf_config, model_file};
use crate::files::{atomic, import, presets, session_file};
use crate::model::achievable::described;
use crate::model::gpu::Gpu;
use crate::model::quantity::{Count, Quantity};
use crate::model::session::Session;
use crate::model::view::View;
use crate::report::Format;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Make a session of what is in a file: a model's config.json, or the devices of TraceLens, BLIS, ERT, roofline.csv or Export
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The file, which is recognised by what is in it; - reads the standard input
    file: OsString,
    /// The session to write; an existing file is replaced
    #[arg(short, long, value_name = "FILE", required_unless_present = "format")]
    output: Option<PathBuf>,
    /// Put the measured figures beside the peaks of a GPU of this session, instead of making a new one
    #[arg(long, value_name = "SESSION")]
    onto: Option<OsString>,
    /// That GPU, the active one if left out; of a model, a built-in GPU to put into the session
    #[arg(long, value_name = "NAME")]
    gpu: Option<String>,
    /// How the model is quantised, where its config does not say: its hf_quant_config.json
    #[arg(long, value_name = "FILE")]
    quant: Option<PathBuf>,
    /// Sequences in a step of the model
    #[arg(long, value_parser = count)]
    batch: Option<f64>,
    /// Tokens each sequence of the model attends to
    #[arg(long, value_parser = count)]
    context: Option<f64>,
    /// What the model does
    #[arg(long)]
    phase: Option<model::AskedPhase>,
    /// Print what was made of the model; only as json
    #[arg(long, value_parser = source::format())]
    format: Option<Format>,
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
    let replaces = arguments
        .output
        .as_deref()
        .filter(|output| is_same(path, output));
    if !from_stdin && replaces.is_some() {
        return Err(Failure::Usage(format!(
            "{label}: the session would replace the file it is read from: name another with -o"
        )));
    }
    let text = if from_stdin {
        import::text(io::stdin().lock(), &label)?
    } else {
        import::text_of(path)?
    };
    let session = if hf_config::is_config(&text) || arguments.quant.is_some() {
        model::run(arguments, &text, &model_file::name_of(path), &label)?
    } else {
        Some(devices(arguments, &text, title, &label)?)
    };
    if let (Some(session), Some(output)) = (session, &arguments.output) {
        atomic::write(output, session.as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads a count as people write it: `4k`, `2^13`.
fn count(text: &str) -> Result<f64, String> {
    let value = Count::parse(text).map_err(|error| error.to_string())?;
    Ok(value.get())
}

/// The session of a file of devices.
fn devices(
    arguments: &Arguments,
    text: &str,
    title: String,
    label: &str,
) -> Result<String, Failure> {
    let imported = match import::devices(text, label) {
        Err(import::ImportError::Unknown { .. }) if arguments.format.is_some() => {
            let text = format!(
                "{label}: this is no config.json of a model: it has none of model_type, architectures, num_hidden_layers and n_layer"
            );
            return Err(Failure::Error(text));
        }
        imported => imported?,
    };
    if arguments.output.is_none() {
        let text = "only what is made of a model can be printed, and this file holds devices: name the session to write with -o";
        return Err(Failure::Usage(text.to_owned()));
    }
    for sentence in imported.notices() {
        output::complain(&format!("{label}: {sentence}"));
    }
    output::doubt(label, &imported.gpus, &presets::published());
    match &arguments.onto {
        Some(onto) => with_figures(onto, arguments.gpu.as_deref(), &imported.gpus),
        None if arguments.gpu.is_some() => Err(Failure::Usage(
            "--gpu names a GPU of the session that --onto names: give both".to_owned(),
        )),
        None => {
            let mut session = Session::empty(title);
            for gpu in imported.gpus {
                session.add_gpu(gpu, None);
            }
            Ok(session_file::write(&session, &View::of(&session)))
        }
    }
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
