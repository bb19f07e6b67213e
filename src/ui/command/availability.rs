//! Whether a command can be used now, why not, and whether what it switches is on.
use super::Command;
use crate::document::Document;
use crate::files::settings::Settings;
use crate::model::gpu::JudgedBy;
use crate::model::placement::{Estimate, Launches, Overlap};
use crate::model::profile::Profile;

/// Why a command would do nothing now; `None` where it does something.
pub fn unavailable(command: Command, document: &Document) -> Option<&'static str> {
    use Command as C;
    let (session, view) = (&document.session, &document.view);
    let unless = |possible: bool, why| (!possible).then_some(why);
    match command {
        C::Undo => unless(document.undo_name().is_some(), "nothing to take back"),
        C::Redo => unless(document.redo_name().is_some(), "nothing was undone"),
        C::ResetGpu => {
            let gpu = view.active.and_then(|id| session.gpu(id));
            match gpu {
                None => Some(NO_GPU),
                // Of a preset also what was removed comes back.
                Some(gpu) => unless(
                    gpu.preset.is_some() || gpu.differs(None),
                    "no number differs from the published one",
                ),
            }
        }
        C::DuplicateGpu
        | C::RemoveGpu
        | C::GpuUp
        | C::GpuDown
        | C::KeepGpu
        | C::ExportGpu
        | C::TakeAchievable
        | C::CopyGpu
        | C::NextLevel
        | C::PreviousGpu
        | C::NextGpu => unless(view.active.is_some(), NO_GPU),
        C::DuplicateWorkload
        | C::RemoveWorkload
        | C::WorkloadUp
        | C::WorkloadDown
        | C::Copy
        | C::ToggleWorkload
        | C::FocusMark
        | C::PlaySweep
        | C::NextWorkload => unless(view.selected.is_some(), "there is no workload yet"),
        C::NextView | C::PreviousView => unless(!session.views.is_empty(), "no view is saved yet"),
        C::IsolateKernel | C::HideKernel | C::CopyKernel | C::LeaveKernel => {
            unless(view.kernel.is_some(), "no kernel is selected")
        }
        C::FindKernel
        | C::NextKernel
        | C::ShowKernels
        | C::GroupKernels
        | C::FileSummary
        | C::RemoveProfile => unless(view.profile.is_some(), "there are no measured kernels yet"),
        _ => None,
    }
}

const NO_GPU: &str = "there is no GPU yet";

/// The name of a command with what it would do now: the step that Undo takes back.
pub fn name_now(command: Command, document: &Document) -> String {
    let name = command.entry().name;
    let step = match command {
        Command::Undo => document.undo_name(),
        Command::Redo => document.redo_name(),
        _ => None,
    };
    match step {
        Some(step) => format!("{name}: {step}"),
        None => name.to_owned(),
    }
}

/// The profile the table lists.
fn profile_in_view(document: &Document) -> Option<&Profile> {
    document.session.profile(document.view.profile?)
}

/// Whether a command that switches something is switched on.
pub fn is_on(command: Command, document: &Document, settings: &Settings, dark: bool) -> bool {
    let assumptions = document.session.assumptions;
    match command {
        Command::LockAxes => document.view.locked,
        Command::ToggleOtherGpus => !document.view.hidden_gpus.is_empty(),
        Command::ToggleTrail => document.view.show_trail,
        Command::ToggleCompare => document.view.compare,
        Command::ToggleNormalised => document.view.normalised,
        Command::ToggleSparse => document.view.show_sparse,
        Command::ToggleBasis => assumptions.judged_by == JudgedBy::Achievable,
        Command::ToggleOverlap => assumptions.overlap == Overlap::None,
        Command::ToggleLaunches => assumptions.launches == Launches::Added,
        Command::ToggleEstimate => assumptions.estimate == Estimate::Realistic,
        Command::ToggleOperators => document.view.show_operators,
        Command::GroupKernels => profile_in_view(document).is_some_and(|p| p.choices.grouped),
        Command::IsolateKernel => {
            profile_in_view(document).is_some_and(|p| !p.choices.isolated.is_empty())
        }
        Command::ToggleTheme => dark,
        Command::ToggleContrast => settings.contrast,
        Command::ShowHints => settings.hints,
        Command::ToggleGpuPanel => settings.panels.left,
        Command::ToggleWorkloadPanel => settings.panels.right,
        Command::ToggleTables => settings.panels.bottom,
        _ => false,
    }
}
