//! What the interface asks for: verbs, and what carries something along. Run at the end of the frame, first in, first out.
use super::command::Command;
use super::kernels::state::Origin;
use super::lesson::course::Turn;
use crate::files::import::model_file::Incomplete;
use crate::files::import::profile::mapping::Mapping;
use crate::model::derive::Target;
use crate::model::gpu::Gpu;
use crate::model::ids::{GpuId, ProfileId, ViewId, WorkloadId};
use crate::model::profile::KernelId;
use crate::model::session::Workload;
use std::path::PathBuf;

/// One thing asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    Do(Command),
    /// A session, which replaces this one, or what is added to it.
    Open(PathBuf),
    /// A built-in session, by the name after `@`.
    OpenExample(String),
    SaveTo(PathBuf),
    ExportTo(PathBuf),
    ExportGpuTo(PathBuf),
    /// The measured figures of a device's file, to go beside the active GPU's peaks.
    TakeAchievable(PathBuf),
    AddGpu(Box<Gpu>),
    AddGpuPreset(String),
    AddModelPreset(String),
    /// A model's config, with answers to what was missing in it.
    CompleteModel(Box<Incomplete>),
    AddWorkload(Box<Workload>),
    Activate(GpuId),
    /// Shows where a number on the chart is from: its row in the panel of its GPU.
    Trace(GpuId, Target),
    ToggleGpu(GpuId),
    Select(WorkloadId),
    SelectKernel(KernelId),
    /// Tells of a kernel of any profile; the table stays as it is.
    ShowKernel(KernelId),
    ToggleProfile(ProfileId),
    /// The GPU a profile ran on: one of the session, or a built-in one to add.
    JudgeBy(ProfileId, Judge),
    Import(PathBuf),
    /// Asks what the columns of a table are.
    MapColumns(Origin),
    /// Reads a table through a mapping of its columns, which is remembered by their names.
    ImportTable(Origin, Vec<String>, Box<Mapping>),
    CancelReading,
    ToggleWorkload(WorkloadId),
    /// Goes through a lesson, or leaves it.
    Lesson(Turn),
    /// Frames the chart as a saved view does.
    ShowView(ViewId),
    PasteText(String),
    /// Goes back to the session as it was before the gesture under way.
    RevertGesture,
    /// The answer to the question about unsaved changes.
    Answer(Answer),
    DismissToast(usize),
    /// The hints over the chart are read.
    DismissHints,
    /// What was chosen in the palette, by what it is remembered by.
    Used(String),
    /// Computes the heat map, or stops it.
    ComputeHeatMap(bool),
}

/// A GPU to judge a profile by.
#[derive(Debug, Clone, PartialEq)]
pub enum Judge {
    Of(GpuId),
    Preset(String),
}

/// What to do with unsaved changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    Save,
    Discard,
    Cancel,
}

/// What was asked for in this frame.
#[derive(Debug, Default)]
pub struct Requests(Vec<Request>);

impl Requests {
    /// Asks.
    pub fn push(&mut self, request: Request) {
        self.0.push(request);
    }

    /// Asks for each.
    pub fn extend(&mut self, requests: impl IntoIterator<Item = Request>) {
        self.0.extend(requests);
    }

    /// Asks for a command.
    pub fn command(&mut self, command: Command) {
        self.push(Request::Do(command));
    }

    /// Whether nothing was asked.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes everything asked so far.
    pub fn take(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.0)
    }
}
