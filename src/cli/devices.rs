//! Devices by name: the user's own, kept in a folder of the settings, and the built-in ones.
use super::{Failure, output};
use crate::files::names::find;
use crate::files::{library, presets, settings};
use crate::model::gpu::Gpu;

/// The user's own devices; what is wrong with a file is told on the standard error.
pub(super) fn own() -> Vec<Gpu> {
    let Some(folder) = settings::folder() else {
        return Vec::new();
    };
    let entries = library::devices(&library::folder(&folder)).into_iter();
    let readable = entries.filter_map(|entry| match entry.device {
        Ok(gpu) => Some(gpu),
        Err(reason) => {
            output::complain(&reason);
            None
        }
    });
    readable.collect()
}

/// The device with this name, as people type it, or the built-in one of this id; an own one comes before a built-in one
/// of the same name, and that is told.
pub(super) fn named(name: &str) -> Result<Gpu, Failure> {
    let mut own = own();
    let mut built_in = presets::all_gpus();
    let names = own.iter().map(|gpu| vec![gpu.name.as_str()]);
    let ids = built_in.iter().map(|p| vec![p.id, p.gpu.name.as_str()]);
    let names: Vec<_> = names.chain(ids).collect();
    let what = match own.is_empty() {
        true => "built-in GPU",
        false => "built-in or own GPU",
    };
    let found = find(what, name, &names)?;
    if found >= own.len() {
        return Ok(built_in.swap_remove(found - own.len()).gpu);
    }
    let gpu = own.swap_remove(found);
    if built_in.iter().any(|preset| preset.gpu.name == gpu.name) {
        let text = "is your own device here, not the built-in one of that name";
        output::complain(&format!("{} {text}", gpu.name));
    }
    Ok(gpu)
}
