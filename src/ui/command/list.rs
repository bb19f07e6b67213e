//! The list of every command: menus, keys, the palette and the help page are made from it.
use super::{Command, Entry, Menu};
use egui::{Key, KeyboardShortcut, Modifiers};

const NONE: Modifiers = Modifiers::NONE;
const CMD: Modifiers = Modifiers::COMMAND;
const SHIFT: Modifiers = Modifiers::SHIFT;
const ALT: Modifiers = Modifiers::ALT;
const CMD_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);
const ALT_SHIFT: Modifiers = Modifiers::ALT.plus(Modifiers::SHIFT);

const fn entry(
    command: Command,
    menu: Menu,
    name: &'static str,
    keys: Option<(Modifiers, Key)>,
    tooltip: &'static str,
) -> Entry {
    Entry {
        command,
        menu,
        name,
        tooltip,
        shortcut: match keys {
            Some((modifiers, key)) => Some(KeyboardShortcut::new(modifiers, key)),
            None => None,
        },
        starts_group: false,
    }
}

const fn group(entry: Entry) -> Entry {
    Entry {
        starts_group: true,
        ..entry
    }
}

/// Every command, in menu order.
pub const COMMANDS: [Entry; 53] = {
    use Command as C;
    use Menu::{Edit, File, Help, View};
    [
        entry(
            C::New,
            File,
            "New",
            Some((CMD, Key::N)),
            "Start an empty session",
        ),
        entry(
            C::Open,
            File,
            "Open…",
            Some((CMD, Key::O)),
            "Open a session file",
        ),
        entry(
            C::OpenPath,
            File,
            "Open by path…",
            Some((CMD_SHIFT, Key::O)),
            "Type the path of a session file",
        ),
        group(entry(
            C::Save,
            File,
            "Save",
            Some((CMD, Key::S)),
            "Save the session",
        )),
        entry(
            C::SaveAs,
            File,
            "Save as…",
            Some((CMD_SHIFT, Key::S)),
            "Save the session under another name",
        ),
        entry(
            C::SaveAsPath,
            File,
            "Save by path…",
            Some((CMD_SHIFT, Key::P)),
            "Type the path to save to",
        ),
        group(entry(
            C::ExportFigure,
            File,
            "Export figure…",
            Some((CMD, Key::E)),
            "Write the chart as SVG or PNG",
        )),
        group(entry(
            C::Quit,
            File,
            "Quit",
            Some((CMD, Key::Q)),
            "Close the window",
        )),
        entry(
            C::Undo,
            Edit,
            "Undo",
            Some((CMD, Key::Z)),
            "Take the last change back",
        ),
        entry(
            C::Redo,
            Edit,
            "Redo",
            Some((CMD_SHIFT, Key::Z)),
            "Do again what was undone",
        ),
        group(entry(
            C::Copy,
            Edit,
            "Copy workload",
            Some((CMD, Key::C)),
            "Copy the selected workload as text that can be pasted here or into a message",
        )),
        entry(
            C::CopyGpu,
            Edit,
            "Copy GPU",
            Some((CMD_SHIFT, Key::C)),
            "Copy the active GPU as text",
        ),
        entry(
            C::Paste,
            Edit,
            "Paste",
            Some((CMD, Key::V)),
            "Add the GPU or workload whose text was copied",
        ),
        group(entry(
            C::DuplicateWorkload,
            Edit,
            "Duplicate workload",
            Some((CMD, Key::D)),
            "Add a copy of the selected workload",
        )),
        entry(
            C::RemoveWorkload,
            Edit,
            "Remove workload",
            Some((NONE, Key::Delete)),
            "Remove the selected workload",
        ),
        entry(
            C::WorkloadUp,
            Edit,
            "Move workload up",
            Some((ALT, Key::ArrowUp)),
            "Move the selected workload up the list",
        ),
        entry(
            C::WorkloadDown,
            Edit,
            "Move workload down",
            Some((ALT, Key::ArrowDown)),
            "Move the selected workload down the list",
        ),
        group(entry(
            C::AddGpu,
            Edit,
            "Add a GPU…",
            Some((CMD, Key::G)),
            "Pick a built-in device, or start an empty one",
        )),
        entry(
            C::AddModel,
            Edit,
            "Add a language model…",
            Some((CMD, Key::M)),
            "Pick a built-in model, or open the config.json of one",
        ),
        entry(
            C::KeepGpu,
            Edit,
            "Keep GPU in my devices",
            Some((CMD_SHIFT, Key::K)),
            "Save the active GPU beside the built-in ones, for other sessions",
        ),
        entry(
            C::ResetGpu,
            Edit,
            "Reset GPU",
            Some((CMD, Key::R)),
            "Go back to every published number of the active GPU",
        ),
        entry(
            C::ExportGpu,
            Edit,
            "Export GPU…",
            Some((CMD_SHIFT, Key::E)),
            "Write the active GPU as a file that opening adds to a session",
        ),
        entry(
            C::TakeAchievable,
            Edit,
            "Achievable figures from a file…",
            Some((CMD, Key::I)),
            "Put the measured figures of a device's file beside the peaks of the active GPU",
        ),
        (entry(
            C::DuplicateGpu,
            Edit,
            "Duplicate GPU",
            Some((CMD_SHIFT, Key::D)),
            "Add a copy of the active GPU",
        )),
        entry(
            C::RemoveGpu,
            Edit,
            "Remove GPU",
            Some((SHIFT, Key::Delete)),
            "Remove the active GPU and what was measured on it",
        ),
        entry(
            C::GpuUp,
            Edit,
            "Move GPU up",
            Some((ALT_SHIFT, Key::ArrowUp)),
            "Move the active GPU up the list",
        ),
        entry(
            C::GpuDown,
            Edit,
            "Move GPU down",
            Some((ALT_SHIFT, Key::ArrowDown)),
            "Move the active GPU down the list",
        ),
        entry(
            C::Fit,
            View,
            "Fit",
            Some((NONE, Key::F)),
            "Show all roofs and marks, a decade as long on both axes",
        ),
        entry(
            C::LockAxes,
            View,
            "Lock axes",
            Some((NONE, Key::L)),
            "Keep the axes as they are",
        ),
        entry(
            C::AxisLimits,
            View,
            "Axis limits…",
            Some((NONE, Key::A)),
            "Type what the axes show",
        ),
        group(entry(
            C::ToggleTrail,
            View,
            "Sweep on the chart",
            Some((NONE, Key::T)),
            "Draw the sweep of the selected workload as a trail",
        )),
        entry(
            C::ToggleCompare,
            View,
            "Compare GPUs",
            Some((NONE, Key::C)),
            "Draw the marks of every visible GPU, and which is faster at which intensity",
        ),
        entry(
            C::NextLevel,
            View,
            "Next memory level",
            Some((NONE, Key::M)),
            "Show the next memory level's roofs and intensities, or all of them",
        ),
        entry(
            C::ToggleNormalised,
            View,
            "Normalise axes",
            Some((NONE, Key::N)),
            "Intensity ÷ ridge against share of the own roof: devices and formats in one picture",
        ),
        entry(
            C::ToggleSparse,
            View,
            "Sparse peak",
            Some((NONE, Key::S)),
            "Draw the peak with structured sparsity as a line of its own; only sparse weights are judged by it",
        ),
        entry(
            C::ToggleBasis,
            View,
            "Judge by achievable",
            Some((NONE, Key::B)),
            "Judge by what good kernels were measured to reach, instead of by published peaks",
        ),
        entry(
            C::ToggleOverlap,
            View,
            "No overlap",
            Some((NONE, Key::O)),
            "Add the terms up instead of taking the longest",
        ),
        entry(
            C::ToggleLaunches,
            View,
            "Add launches",
            Some((SHIFT, Key::O)),
            "Add launch times instead of hiding them behind the kernel before",
        ),
        entry(
            C::ToggleEstimate,
            View,
            "Realistic estimate",
            Some((NONE, Key::E)),
            "Predict what kernels usually reach, 80 % of the roofs and 3 µs per launch, instead of the bound",
        ),
        entry(
            C::ToggleOperators,
            View,
            "Show operators",
            Some((NONE, Key::P)),
            "Draw the operators of the selected workload as discs as large as their part of the time",
        ),
        group(entry(
            C::NextGpu,
            View,
            "Next GPU",
            Some((NONE, Key::G)),
            "Make the next GPU the active one",
        )),
        entry(
            C::PreviousGpu,
            View,
            "Previous GPU",
            Some((SHIFT, Key::G)),
            "Make the GPU above the active one",
        ),
        entry(
            C::NextWorkload,
            View,
            "Next workload",
            Some((NONE, Key::W)),
            "Select the next workload",
        ),
        entry(
            C::FocusMark,
            View,
            "Move mark by keys",
            Some((NONE, Key::F6)),
            "Give the selected mark the keyboard: arrow keys move it, Tab goes to the roofs",
        ),
        entry(
            C::ToggleWorkload,
            View,
            "Show or hide workload",
            Some((NONE, Key::H)),
            "Take the selected workload off the chart, or put it back",
        ),
        entry(
            C::ToggleOtherGpus,
            View,
            "Only the active GPU",
            Some((SHIFT, Key::H)),
            "Hide the other GPUs, or show them all again",
        ),
        group(entry(
            C::ToggleTheme,
            View,
            "Dark",
            Some((CMD, Key::T)),
            "Switch between light and dark",
        )),
        entry(
            C::ToggleGpuPanel,
            View,
            "GPU panel",
            Some((NONE, Key::F2)),
            "Show or hide the left panel",
        ),
        entry(
            C::ToggleWorkloadPanel,
            View,
            "Workload panel",
            Some((NONE, Key::F3)),
            "Show or hide the right panel",
        ),
        entry(
            C::ToggleTables,
            View,
            "Tables",
            Some((NONE, Key::F4)),
            "Show or hide the tables below the chart",
        ),
        entry(
            C::Palette,
            Help,
            "Find a command…",
            Some((CMD, Key::K)),
            "Type a few letters of any command, preset, workload or GPU",
        ),
        entry(
            C::Keys,
            Help,
            "Keys and gestures",
            Some((NONE, Key::F1)),
            "Every shortcut, and what can be dragged",
        ),
        entry(
            C::About,
            Help,
            "About Ridgepoint",
            Some((SHIFT, Key::F1)),
            "Version, licences and the formulas used",
        ),
    ]
};
