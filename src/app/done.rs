//! What a job came to.
use crate::files::import::model_file::ModelFile;
use crate::files::import::profile::ReadProfile;
use crate::files::import::profile::mapping::{Mapping, Table};
use crate::files::session_file::Loaded;
use crate::model::gpu::Gpu;
use crate::model::ids::GpuId;
use crate::model::session::Session;
use crate::ui::kernels::state::Origin;
use crate::ui::state::Purpose;
use std::path::PathBuf;

/// What a job came to.
pub enum Done {
    /// The session that reached the disk, or one sentence that says why it did not.
    Saved(Result<(PathBuf, Box<Session>), String>),
    Opened(Result<(PathBuf, Box<Loaded>), String>),
    /// The file was a model's config, or how one is quantised.
    Model(Result<ModelFile, String>),
    /// The file held devices, not a session; with what is to be told of them.
    Devices(Vec<Gpu>, Vec<String>),
    /// The file, or what was pasted, held measured kernels.
    Kernels(Result<Box<ReadProfile>, String>, Origin),
    /// It is a table whose columns must be mapped first; as they were the last time, if they were.
    Table(Box<Table>, Origin, Option<Box<Mapping>>),
    /// The devices whose measured figures are to go beside the peaks of one, with what is to be told of them.
    Achievable(GpuId, Result<(Vec<Gpu>, Vec<String>), String>),
    Exported(Result<PathBuf, String>),
    Picked(Purpose, PathBuf),
    /// The user closed the dialog.
    Dismissed,
    /// There was no dialog to close; the reason is shown in the built-in one.
    NoDialog(Purpose, String),
}
