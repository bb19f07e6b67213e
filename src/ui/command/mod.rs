//! Every verb of the program: its name, its tooltip, its keys, and whether it can be used now.
mod availability;
mod keys;
mod list;

pub use availability::{is_on, name_now, unavailable};
pub use keys::{ALSO, pressed};
pub use list::COMMANDS;

use egui::KeyboardShortcut;

/// Where a command stands in the menu bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Menu {
    File,
    Edit,
    View,
    Kernels,
    Present,
    Help,
}

impl Menu {
    /// The menus from left to right.
    pub const ALL: [Self; 6] = [
        Self::File,
        Self::Edit,
        Self::View,
        Self::Kernels,
        Self::Present,
        Self::Help,
    ];

    /// The word in the menu bar.
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Edit => "Edit",
            Self::View => "View",
            Self::Present => "Present",
            Self::Kernels => "Kernels",
            Self::Help => "Help",
        }
    }
}

/// A verb without anything to tell it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Command {
    New,
    Open,
    OpenPath,
    Save,
    SaveAs,
    SaveAsPath,
    ExportFigure,
    Quit,
    Undo,
    Redo,
    Copy,
    CopyGpu,
    Paste,
    DuplicateWorkload,
    RemoveWorkload,
    WorkloadUp,
    WorkloadDown,
    AddGpu,
    AddModel,
    KeepGpu,
    ResetGpu,
    ExportGpu,
    TakeAchievable,
    DuplicateGpu,
    RemoveGpu,
    GpuUp,
    GpuDown,
    Fit,
    LockAxes,
    AxisLimits,
    ToggleTrail,
    ToggleCompare,
    NextLevel,
    ToggleNormalised,
    ToggleSparse,
    ToggleBasis,
    ToggleOverlap,
    ToggleLaunches,
    ToggleEstimate,
    ToggleOperators,
    NextGpu,
    PreviousGpu,
    NextWorkload,
    FocusMark,
    ToggleWorkload,
    ToggleOtherGpus,
    ToggleTheme,
    ToggleContrast,
    ZoomIn,
    ZoomOut,
    ZoomReset,
    ToggleGpuPanel,
    ToggleWorkloadPanel,
    ToggleTables,
    Present,
    SaveView,
    UpdateView,
    PreviousView,
    NextView,
    Overview,
    BlackScreen,
    NextScreen,
    ToggleViews,
    PlaySweep,
    AddNote,
    AddArrow,
    AddRegion,
    AddLine,
    Words,
    ImportKernels,
    ImportFolder,
    Recipe,
    FileSummary,
    RemoveProfile,
    FindKernel,
    NextKernel,
    LeaveKernel,
    IsolateKernel,
    HideKernel,
    ShowKernels,
    GroupKernels,
    CopyKernel,
    ResetLayout,
    Palette,
    Keys,
    ShowHints,
    About,
}

/// What is known of a command.
pub struct Entry {
    pub command: Command,
    pub menu: Menu,
    /// A trailing `…` says that a question follows.
    pub name: &'static str,
    pub tooltip: &'static str,
    pub shortcut: Option<KeyboardShortcut>,
    /// Whether a line is drawn above it in its menu.
    pub starts_group: bool,
}

impl Command {
    /// Its line in the list.
    pub fn entry(self) -> &'static Entry {
        // Every command is in the list (a test checks it), so the first is never a stand-in.
        let found = COMMANDS.iter().find(|entry| entry.command == self);
        found.unwrap_or(&COMMANDS[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Commands without keys of their own, each with the reason.
    const WITHOUT_KEYS: [(Command, &str); 0] = [];

    #[test]
    fn no_two_commands_share_keys_or_a_name() {
        let also = ALSO.iter().map(|(command, keys)| (*command, Some(*keys)));
        let first = COMMANDS.iter().map(|entry| (entry.command, entry.shortcut));
        let chords: Vec<_> = first.chain(also).collect();
        for (i, (command, keys)) in chords.iter().enumerate() {
            for (other, theirs) in &chords[i + 1..] {
                assert!(
                    keys.is_none() || keys != theirs,
                    "{command:?} and {other:?}"
                );
            }
        }
        for (i, a) in COMMANDS.iter().enumerate() {
            for b in &COMMANDS[i + 1..] {
                assert_ne!(a.command, b.command);
                assert_ne!(a.name, b.name);
            }
        }
    }

    #[test]
    fn every_command_has_keys_or_a_reason_for_none() {
        for entry in &COMMANDS {
            let excused = WITHOUT_KEYS
                .iter()
                .any(|(command, _)| *command == entry.command);
            assert_eq!(entry.shortcut.is_none(), excused, "{}", entry.name);
        }
    }
}
