//! `ridgepoint import profile.csv …`: measured kernels of any profiler as a session, and what was read of them.
use super::super::source::Source;
use super::super::{Failure, devices, output};
use super::{Arguments, is_same};
use crate::files::import::profile::adopt::{self, Taken, Taking};
use crate::files::import::profile::mapping::{Mapping, read_mapped};
use crate::files::import::profile::number::Decimal;
use crate::files::import::profile::{self, Named, Nothing, ProfileError, ReadProfile};
use crate::files::{atomic, import, session_file};
use crate::model::ids::GpuId;
use crate::model::profile::Analysis;
use crate::model::session::Session;
use crate::model::view::View;
use crate::report::Format;
use crate::report::imported::{self, Reading};
use crate::report::kernels::Told;
use serde_json::Value;
use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;

/// Nobody cancels a run of the command line but by ending it.
const ON: profile::Watch<'static> = &|_| true;

/// The profile in a file.
pub(super) fn open(file: &OsStr, device: Option<&str>) -> Result<ReadProfile, ProfileError> {
    profile::open_of(Path::new(file), device, ON)
}

/// The profiles among several files; what is none is passed over with a word, unless nothing is left.
pub(super) fn those_that_are(
    files: Vec<Result<ReadProfile, ProfileError>>,
) -> Result<Vec<ReadProfile>, Failure> {
    let any = files.iter().any(Result::is_ok);
    let mut profiles = Vec::new();
    for file in files {
        match file {
            Ok(read) => profiles.push(read),
            Err(error) if any && error.is_unknown() => {
                output::complain(&format!("passed over: {}", explained(error)));
            }
            Err(error) => return Err(Failure::Error(explained(error))),
        }
    }
    Ok(profiles)
}

/// Why a file is no profile; one of devices is told as that.
fn explained(error: ProfileError) -> String {
    match &error {
        ProfileError::Unknown { file, .. } if import::open(Path::new(file)).is_ok() => format!(
            "{file}: this file holds devices and no kernels: import it alone, with neither --map nor --decimal, to get the \
             devices, or with --onto SESSION --gpu NAME to put their figures beside a GPU's peaks"
        ),
        _ => error.to_string(),
    }
}

/// The profile that comes from a pipe.
pub(super) fn read(
    source: &mut (dyn Read + Send),
    label: &str,
    device: Option<&str>,
) -> Result<ReadProfile, ProfileError> {
    let beside = Named {
        beside: Nothing,
        device,
    };
    profile::read(source, label, &beside, ON)
}

/// The mapping of columns in a file.
pub(super) fn mapping(path: &Path) -> Result<Mapping, Failure> {
    let label = path.display();
    let wrong = |reason: String| Failure::Error(format!("{label}: {reason}"));
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|error| wrong(format!("it cannot be read: {error}")))?;
    Mapping::from_ron(&text).map_err(|error| wrong(error.to_string()))
}

/// The mark before decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Mark {
    /// 1,234.5
    Point,
    /// 1.234,5
    Comma,
}

impl Mark {
    pub fn decimal(self) -> Decimal {
        match self {
            Self::Point => Decimal::Point,
            Self::Comma => Decimal::Comma,
        }
    }
}

/// What the headers of a table say of it, with its numbers written so; `None` where the file is no such table.
pub(super) fn as_written(file: &OsStr, mark: Mark) -> Option<Mapping> {
    let mapping = profile::table(Path::new(file))?.guessed?;
    Some(Mapping {
        decimal: Some(mark.decimal()),
        ..mapping
    })
}

/// Whether a file is a table, if of columns that nobody knows.
pub(super) fn is_table(file: &OsStr) -> bool {
    profile::table(Path::new(file)).is_some()
}

/// The kernels of a table, read through a mapping of its columns.
pub(super) fn open_mapped(file: &OsStr, mapping: &Mapping) -> Result<ReadProfile, ProfileError> {
    if file == "-" {
        let mut source = std::io::stdin();
        return read_mapped(&mut source, super::STDIN, &Nothing, ON, mapping);
    }
    let label = Path::new(file).display().to_string();
    match std::fs::File::open(file) {
        Ok(mut source) => read_mapped(&mut source, &label, &Nothing, ON, mapping),
        Err(reason) => Err(ProfileError::Io {
            file: label,
            reason,
        }),
    }
}

/// What is left to tell of a file once its kernels are in the session.
struct Rest {
    rows: u64,
    skipped: Vec<(u64, String)>,
    skipped_in_all: u64,
    warnings: Vec<String>,
}

impl Rest {
    fn of(read: &ReadProfile) -> Self {
        let skipped = read.skipped.iter();
        Self {
            rows: read.rows,
            skipped: skipped.map(|s| (s.line, s.reason.clone())).collect(),
            skipped_in_all: read.skipped_in_all,
            warnings: read.warnings.clone(),
        }
    }

    fn reading(&self) -> Reading<'_> {
        Reading {
            rows: self.rows,
            skipped: &self.skipped,
            skipped_in_all: self.skipped_in_all,
            warnings: &self.warnings,
        }
    }
}

/// Puts profiles into a session, tells what was read, and writes the session where one is named.
pub(super) fn run(arguments: &Arguments, files: Vec<ReadProfile>) -> Result<(), Failure> {
    if let Some(output) = &arguments.output {
        let mut sources = arguments.files.iter();
        if let Some(source) = sources.find(|file| is_same(Path::new(file), output)) {
            let label = source.display();
            return Err(Failure::Usage(format!(
                "{label}: the session would replace the file it is read from: name another with -o"
            )));
        }
    }
    let (mut session, mut view) = match &arguments.onto {
        Some(onto) => {
            let source = Source::open(onto)?;
            if source.has_comments {
                output::complain(&format!("{}: its comments are not kept", source.label));
            }
            (source.session, Some(source.view))
        }
        None => (Session::empty(title(&files)), None),
    };
    let gpu = match &arguments.gpu {
        Some(name) => Some(gpu(&mut session, name)?),
        None => only_gpu(arguments, &session, &files),
    };
    let mut objects = Vec::new();
    for read in files {
        objects.push(take(&mut session, read, gpu, arguments)?);
    }
    if arguments.format == Some(Format::Json) {
        output::print(&imported::text(objects))?;
    }
    if let Some(output) = &arguments.output {
        let view = match view.take() {
            Some(mut view) => {
                view.repair(&session);
                view
            }
            None => View::of(&session),
        };
        for profile in &session.profiles {
            if let Some(sentence) = session_file::left_out(&profile.kernels) {
                output::complain(&format!("{}: {sentence}", profile.name));
            }
        }
        atomic::write(output, session_file::write(&session, &view).as_bytes())?;
    }
    Ok(())
}

fn title(files: &[ReadProfile]) -> String {
    let file = files.first().map_or("", |read| read.source.file.as_str());
    let stem = file.split('.').next().unwrap_or_default();
    match stem {
        "" => "Measured kernels".to_owned(),
        stem => stem.to_owned(),
    }
}

/// The only GPU of a session that kernels are put into, where their files do not name another.
fn only_gpu(arguments: &Arguments, session: &Session, files: &[ReadProfile]) -> Option<GpuId> {
    let [only] = session.gpus.as_slice() else {
        return None;
    };
    let named = files.iter().any(|read| read.device.is_some());
    if arguments.onto.is_none() || named {
        return None;
    }
    let text = format!(
        "judged by {}, the only GPU there: name another with --gpu",
        only.name
    );
    output::complain(&text);
    Some(only.id)
}

/// The GPU of the session, else the user's own or the built-in one, which is added.
fn gpu(session: &mut Session, name: &str) -> Result<GpuId, Failure> {
    let named = session
        .gpus
        .iter()
        .find(|gpu| gpu.name.eq_ignore_ascii_case(name));
    if let Some(gpu) = named {
        return Ok(gpu.id);
    }
    Ok(session.add_gpu(devices::named(name)?, None))
}

/// Takes one file in; its JSON, or its summary printed.
fn take(
    session: &mut Session,
    read: ReadProfile,
    gpu: Option<GpuId>,
    arguments: &Arguments,
) -> Result<Value, Failure> {
    let mut rest = Rest::of(&read);
    let replaces = arguments
        .onto
        .as_ref()
        .and_then(|_| adopt::same_source(session, &read));
    let taking = Taking {
        gpu,
        attributes: arguments.attributes,
        replaces,
    };
    let label = read.source.file.clone();
    let Taken { profile, said } = adopt::take(session, read, taking);
    let Some(profile) = session.profile(profile) else {
        return Ok(Value::Null);
    };
    // What the GPU has settled is no warning any more.
    rest.warnings
        .retain(|warning| profile.notes.contains(warning));
    rest.warnings.extend(said);
    let gpu = profile.gpu.and_then(|id| session.gpu(id));
    let analysis = Analysis::of(profile, gpu, session.assumptions);
    let told = Told {
        profile,
        analysis: &analysis,
        gpu,
    };
    for warning in &rest.warnings {
        output::complain(&format!("{label}: {warning}"));
    }
    if arguments.format == Some(Format::Json) {
        return Ok(imported::json(told, rest.reading()));
    }
    output::print(&imported::summary(told, rest.reading()))?;
    Ok(Value::Null)
}
