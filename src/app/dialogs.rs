//! Who answers "which file?": the desktop's dialog, nobody, or a script in tests.
use super::done::Done;
use crate::ui::state::Purpose;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Where an answer comes from.
pub enum Dialogs {
    /// The desktop's dialog.
    Native,
    /// Only the built-in path dialog.
    BuiltIn,
    /// The next of these, the last first.
    Scripted(Vec<PathBuf>),
}

/// A dialog that is gone sooner than a person can close it was never there.
const TOO_SOON: Duration = Duration::from_millis(300);

impl Dialogs {
    /// Prepares the question on this thread (macOS asks for that); the answer is awaited on another.
    pub(super) fn ask(
        &mut self,
        purpose: Purpose,
        beside: Option<&Path>,
        name: &str,
    ) -> Box<dyn FnOnce() -> Done + Send> {
        match self {
            Self::Scripted(answers) => {
                let answer = answers.pop();
                Box::new(move || answer.map_or(Done::Dismissed, |path| Done::Picked(purpose, path)))
            }
            Self::BuiltIn => Box::new(move || Done::NoDialog(purpose, String::new())),
            Self::Native => native(purpose, beside, name),
        }
    }
}

fn native(purpose: Purpose, beside: Option<&Path>, name: &str) -> Box<dyn FnOnce() -> Done + Send> {
    let mut dialog = rfd::AsyncFileDialog::new();
    if let Some(folder) = beside {
        dialog = dialog.set_directory(folder);
    }
    let dialog = match purpose {
        Purpose::Open => dialog
            .set_title("Open a session, a profile, a model or devices")
            .add_filter("Ridgepoint session", &["ron"])
            .add_filter(
                "Profiles, models and devices of other programs",
                &["csv", "tsv", "json", "gz", "txt", "log"],
            )
            .add_filter("All files", &["*"]),
        Purpose::Import => dialog
            .set_title("Import measured kernels")
            .add_filter("Profiles", &["csv", "tsv", "json", "gz", "txt", "log"])
            .add_filter("All files", &["*"]),
        Purpose::ImportFolder => {
            dialog.set_title("Import a workload folder of rocprofiler-compute")
        }
        Purpose::Achievable => dialog
            .set_title("Achievable figures from a device's file")
            .add_filter("Devices", &["json", "csv", "ron"]),
        Purpose::Save => dialog
            .set_title("Save session")
            .add_filter("Ridgepoint session", &["ron"]),
        Purpose::ExportGpu => dialog
            .set_title("Export GPU")
            .add_filter("Ridgepoint GPU", &["ron"]),
        Purpose::Export => dialog
            .set_title("Export figure")
            .add_filter("Figure (SVG)", &["svg"])
            .add_filter("Figure (PNG)", &["png"]),
    };
    let dialog = dialog.set_file_name(name);
    Box::new(move || {
        let asked = Instant::now();
        let file = match purpose {
            Purpose::Open | Purpose::Achievable | Purpose::Import => {
                pollster::block_on(dialog.pick_file())
            }
            Purpose::ImportFolder => pollster::block_on(dialog.pick_folder()),
            Purpose::Save | Purpose::Export | Purpose::ExportGpu => {
                pollster::block_on(dialog.save_file())
            }
        };
        match file {
            Some(file) => Done::Picked(purpose, with_extension(file.path(), purpose)),
            None if asked.elapsed() < TOO_SOON => Done::NoDialog(
                purpose,
                "The system has no file dialog to offer (no desktop portal, no zenity): type the path here."
                    .to_owned(),
            ),
            None => Done::Dismissed,
        }
    })
}

/// Save dialogs do not add the extension themselves.
fn with_extension(path: &Path, purpose: Purpose) -> PathBuf {
    match (purpose, path.extension()) {
        (Purpose::Save | Purpose::ExportGpu, None) => path.with_extension("ron"),
        (Purpose::Export, None) => path.with_extension("svg"),
        _ => path.to_owned(),
    }
}
