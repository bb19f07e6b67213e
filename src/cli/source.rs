//! What the arguments of several subcommands name: a session, a GPU, a workload, a format.
use super::{Failure, devices, output};
use crate::files::import::profile;
use crate::files::names::{NotFound, find};
use crate::files::{presets, session_file};
use crate::model::gpu::{Gpu, JudgedBy};
use crate::model::ids::GpuId;
use crate::model::saved_view::SavedView;
use crate::model::session::{Session, Workload};
use crate::model::view::View;
use crate::report::Format;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::ffi::OsStr;
use std::path::PathBuf;

/// A session, what is shown of it, and what it is called in messages.
pub(super) struct Source {
    pub label: String,
    pub session: Session,
    pub view: View,
    pub warnings: Vec<String>,
    /// Whether the file holds comments, which saving would lose.
    pub has_comments: bool,
}

/// What the window shows: a session, or another program's file, which is added to an empty one.
pub(super) enum Shown {
    Session(Box<Source>),
    File(PathBuf),
}

/// Opens what the window is to show.
pub(super) fn shown(argument: &OsStr) -> Result<Shown, Failure> {
    let path = PathBuf::from(argument);
    let foreign = path.exists()
        && path
            .extension()
            .is_none_or(|e| !e.eq_ignore_ascii_case("ron"));
    // A profile may be a gigabyte, which is not read as a session first.
    if foreign && profile::is_of_a_profiler(&path) {
        return Ok(Shown::File(path));
    }
    match open(argument) {
        Ok(source) => Ok(Shown::Session(Box::new(source))),
        // The window reads it, as it does what is dropped on it, and says what is wrong with it.
        Err(_) if foreign => Ok(Shown::File(path)),
        Err(error) => Err(error),
    }
}

/// Opens a file, or a built-in session by `@NAME`.
pub(super) fn open(argument: &OsStr) -> Result<Source, Failure> {
    let (label, loaded) = match argument.to_str().and_then(|text| text.strip_prefix('@')) {
        Some(name) => {
            let (id, loaded) = presets::find_session(name)?;
            (format!("@{id}"), loaded)
        }
        None => (
            argument.to_string_lossy().into_owned(),
            session_file::open(argument.as_ref())?,
        ),
    };
    Ok(Source {
        label,
        session: loaded.session,
        view: loaded.view,
        warnings: loaded.warnings,
        has_comments: loaded.has_comments,
    })
}

impl Source {
    /// Opens a session to compute with; what its file holds in vain is told on the standard error.
    pub fn open(argument: &OsStr) -> Result<Self, Failure> {
        let source = open(argument)?;
        for warning in &source.warnings {
            output::complain(&format!("{}: {warning}", source.label));
        }
        Ok(source)
    }

    /// Shows what the saved view of this title shows; nothing changes without a title.
    pub fn show(&mut self, title: Option<&str>) -> Result<Option<SavedView>, Failure> {
        let Some(title) = title else {
            return Ok(None);
        };
        let views = &self.session.views;
        let titles: Vec<_> = views.iter().map(|view| vec![view.title.as_str()]).collect();
        let saved = views[find("saved view", title, &titles)?].clone();
        self.view = saved.view.clone();
        Ok(Some(saved))
    }

    /// The GPU of the session with this name, else the user's own or the built-in one, which is added.
    pub fn gpu(&mut self, name: &str) -> Result<GpuId, Failure> {
        let names: Vec<_> = self
            .session
            .gpus
            .iter()
            .map(|g| vec![g.name.as_str()])
            .collect();
        match find("GPU", name, &names) {
            Ok(index) => Ok(self.session.gpus[index].id),
            Err(error @ NotFound::Ambiguous { .. }) => Err(error.into()),
            Err(NotFound::Unknown { .. }) => {
                let gpu = devices::named(name).map_err(|failure| {
                    let label = &self.label;
                    Failure::Error(format!(
                        "{label} has no GPU {name:?}, and {}",
                        failure.text()
                    ))
                })?;
                Ok(self.session.add_gpu(gpu, None))
            }
        }
    }

    /// The GPU whose numbers the window would show.
    pub fn active_gpu(&self) -> Result<GpuId, Failure> {
        self.view.active.ok_or_else(|| {
            let label = &self.label;
            Failure::Error(format!("{label} has no GPU: name one with --gpu"))
        })
    }

    /// The workload with this name, or the first one.
    pub fn workload(&self, name: Option<&str>) -> Result<&Workload, Failure> {
        let workloads = &self.session.workloads;
        let names: Vec<_> = workloads.iter().map(|w| vec![w.name.as_str()]).collect();
        let index = name.map_or(Ok(0), |name| find("workload", name, &names))?;
        workloads.get(index).ok_or_else(|| {
            let label = &self.label;
            Failure::Error(format!("{label} has no workload: add one to the session"))
        })
    }

    /// The GPUs that are shown.
    pub fn visible_gpus(&self) -> Vec<&Gpu> {
        let gpus = self.session.gpus.iter();
        gpus.filter(|gpu| self.view.shows_gpu(gpu.id)).collect()
    }
}

/// The failure where a GPU is not there after all.
pub(super) fn no_gpu() -> Failure {
    Failure::Error("the session has no such GPU: name one with --gpu".to_owned())
}

/// Reads the name of a format.
pub(super) fn format() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name))
        .map(|name| Format::named(&name).unwrap_or_default())
}

/// Reads the name of a basis that points can be judged by.
pub(super) fn basis() -> impl TypedValueParser<Value = JudgedBy> {
    PossibleValuesParser::new(JudgedBy::ALL.map(JudgedBy::name)).map(|name| {
        let named = JudgedBy::ALL.into_iter().find(|by| by.name() == name);
        named.unwrap_or_default()
    })
}
