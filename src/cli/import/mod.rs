//! `ridgepoint import`: kernels, a model or devices of another program's file as a session, or figures beside a GPU's peaks.
mod model;
mod profile;

use super::source::{self, Source};
use super::{Failure, output};
use crate::files::import::profile::ProfileError;
use crate::files::import::{ImportError, Imported, hf_config, model_file};
use crate::files::{atomic, import, presets, session_file};
use crate::model::achievable::described;
use crate::model::gpu::Gpu;
use crate::model::quantity::{Count, Quantity};
use crate::model::session::Session;
use crate::model::view::View;
use crate::report::Format;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Make a session of what is in files: kernels of any profiler, a model's config.json, or devices of TraceLens, BLIS, ERT, roofline.csv or Export
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The files, recognised by what is in them; - reads the standard input; several only of profilers
    #[arg(required = true, value_name = "FILE")]
    files: Vec<OsString>,
    /// Which columns of a table are what: a mapping as RON
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// How numbers of a table are written, where nothing in it says so
    #[arg(long, value_name = "MARK")]
    decimal: Option<profile::Mark>,
    /// The session to write; an existing file is replaced
    #[arg(short, long, value_name = "FILE", required_unless_present = "format")]
    output: Option<PathBuf>,
    /// Put the kernels, or the measured figures of a device, into this session instead of making a new one
    #[arg(long, value_name = "SESSION")]
    onto: Option<OsString>,
    /// The GPU: what judges kernels, takes a device's figures, or is put beside a model
    #[arg(long, value_name = "NAME")]
    gpu: Option<String>,
    /// Take bandwidths that follow from device attributes in a profile instead of the catalogue's
    #[arg(long)]
    attributes: bool,
    /// How the model is quantised, where its config does not say: its hf_quant_config.json
    #[arg(long, value_name = "FILE")]
    quant: Option<PathBuf>,
    /// A field that the model's config lacks or has wrong; may be repeated
    #[arg(long, value_name = "FIELD=VALUE", value_parser = model::field)]
    set: Vec<(String, String)>,
    /// Sequences in a step of the model
    #[arg(long, value_parser = count)]
    batch: Option<f64>,
    /// Tokens each sequence of the model attends to
    #[arg(long, value_parser = count)]
    context: Option<f64>,
    /// What the model does
    #[arg(long)]
    phase: Option<model::AskedPhase>,
    /// Print what was read; only as json
    #[arg(long, value_parser = source::format())]
    format: Option<Format>,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let mut mapping = arguments.map.as_deref().map(profile::mapping).transpose()?;
    if let (Some(mapping), Some(mark)) = (&mut mapping, arguments.decimal) {
        mapping.decimal = Some(mark.decimal());
    }
    let file = match (arguments.files.as_slice(), &mapping) {
        ([file], None) if arguments.decimal.is_none() => file,
        (files, mapping) => {
            let profiles = files.iter().map(|file| {
                let written = || profile::as_written(file, arguments.decimal?);
                match mapping.clone().or_else(written) {
                    Some(mapping) => profile::open_mapped(file, &mapping),
                    None => profile::open(file, arguments.gpu.as_deref()),
                }
            });
            profile::run(arguments, profile::those_that_are(profiles.collect())?)?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    if arguments.quant.is_some() {
        return other(arguments, file, None);
    }
    let mut head = Vec::new();
    let read = if file == "-" {
        // What is no profile may be something else, which is never larger.
        let most = import::MOST_BYTES as u64 + 1;
        let mut source = io::stdin();
        source.by_ref().take(most).read_to_end(&mut head)?;
        profile::read(
            &mut head.as_slice().chain(source),
            STDIN,
            arguments.gpu.as_deref(),
        )
    } else {
        profile::open(file, arguments.gpu.as_deref())
    };
    match read {
        Ok(read) => {
            profile::run(arguments, vec![read])?;
            Ok(ExitCode::SUCCESS)
        }
        Err(no_profile) => other(arguments, file, Some((no_profile, head))),
    }
}

/// What messages call the standard input.
const STDIN: &str = "standard input";

/// What is no profile: a model or devices. `tried` says why it is none, and holds what came from a pipe.
fn other(
    arguments: &Arguments,
    file: &OsStr,
    tried: Option<(ProfileError, Vec<u8>)>,
) -> Result<ExitCode, Failure> {
    let path = Path::new(file);
    let from_stdin = file == "-";
    let (label, title) = if from_stdin {
        (STDIN.to_owned(), "Imported device".to_owned())
    } else {
        let stem = path.file_stem().unwrap_or(file);
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
    let (no_profile, head) = tried.unzip();
    // A broken profile is told as one; what no profiler writes, as the reader of devices has it.
    let explain = |error: ImportError| {
        let unknown = matches!(error, ImportError::Unknown { .. });
        Failure::Error(match &no_profile {
            Some(broken) if !broken.is_unknown() => broken.to_string(),
            Some(_) if unknown && !from_stdin && profile::is_table(file) => format!(
                "{label}: this is a table whose columns are not known here: say in a mapping which is what and name it with \
                 --map, or open the table in the window, which asks"
            ),
            Some(_) if unknown && arguments.format.is_some() => format!(
                "{label}: this is no config.json of a model: it has none of model_type, architectures, num_hidden_layers and n_layer; and it is no profile that is read"
            ),
            Some(_) if unknown => format!("{error}; and it is no profile that is read"),
            _ => error.to_string(),
        })
    };
    let text = if from_stdin {
        import::text(head.unwrap_or_default().as_slice(), &label)
    } else {
        import::text_of(path)
    };
    let text = text.map_err(explain)?;
    let session = if hf_config::is_config(&text) || arguments.quant.is_some() {
        model::run(arguments, &text, &model_file::name_of(path), &label)?
    } else {
        let imported = import::devices(&text, &label).map_err(explain)?;
        Some(devices(arguments, imported, title, &label)?)
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
    imported: Imported,
    title: String,
    label: &str,
) -> Result<String, Failure> {
    if arguments.output.is_none() {
        let text = "only what is made of a model or of kernels can be printed, and this file holds devices: name the session to write with -o";
        return Err(Failure::Usage(text.to_owned()));
    }
    for sentence in imported.notices() {
        output::complain(&format!("{label}: {sentence}"));
    }
    output::doubt(label, &imported.gpus, &presets::published());
    match &arguments.onto {
        Some(onto) => with_figures(onto, arguments.gpu.as_deref(), &imported.gpus),
        None if arguments.gpu.is_some() => Err(Failure::Usage(format!(
            "{label}: this file holds devices and no kernels, whose figures --gpu gives to a GPU of a session: name the \
                 session with --onto, or leave --gpu out to get the devices themselves"
        ))),
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
