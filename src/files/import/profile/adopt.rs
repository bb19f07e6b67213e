//! A profile that was read, taken into a session: the GPU that judges it found or made, and what is odd about that said.
use super::ReadProfile;
use super::ncu::{BUS_UNKNOWN, metrics::SHARE_PER_BIT};
use crate::files::presets::of_device;
use crate::model::cost::Level;
use crate::model::gpu::Gpu;
use crate::model::ids::{GpuId, ProfileId};
use crate::model::profile::{Factor, Fill, Formula, Gives, Kernels, Profile, Target};
use crate::model::session::Session;
use crate::model::units;
use std::collections::HashSet;

/// From this share of the catalogue's figure on a difference is told.
const WORTH_TELLING: f64 = 0.001;

/// How a profile is taken in.
#[derive(Debug, Clone, Copy, Default)]
pub struct Taking {
    /// The GPU that judges it; found by the device's name if left out.
    pub gpu: Option<GpuId>,
    /// Whether roofs that follow from the file's device attributes take the place of the catalogue's.
    pub attributes: bool,
    /// The profile whose kernels are replaced by a newer file; its choices stay.
    pub replaces: Option<ProfileId>,
}

/// A profile in a session.
#[derive(Debug, Clone, PartialEq)]
pub struct Taken {
    pub profile: ProfileId,
    /// What there is to say about the GPU, a sentence each.
    pub said: Vec<String>,
}

/// Adds the traffic that follows from a share of the DRAM peak by the bus of `gpu`, where nothing else tells it; says
/// how.
fn by_the_bus(kernels: &mut Kernels, gpu: &Gpu) -> Option<String> {
    let dram = Target::Traffic(Level::Dram);
    let known = kernels
        .formulas
        .iter()
        .any(|formula| formula.target == dram);
    let column = kernels.counters.column(SHARE_PER_BIT).filter(|_| !known);
    let (column, bus) = (column?, gpu.parts.memory_bus.as_ref()?);
    let mut formula = Formula::single(dram, bus.value.get(), vec![Factor::of(column)]);
    formula.note = format!(
        "derived: share of the peak × 2 · memory clock · bus width ÷ 8 × time, of the {}-bit bus of {}",
        bus.value, gpu.name
    );
    let note = format!("{}; {}", formula.text(&kernels.counters), formula.note);
    kernels.formulas.push(formula);
    Some(note)
}

/// The profile in `session` that an equally named file of the same format was read into before.
pub fn same_source(session: &Session, read: &ReadProfile) -> Option<ProfileId> {
    let same = |profile: &&Profile| {
        profile.source.file == read.source.file && profile.source.format == read.source.format
    };
    session.profiles.iter().find(same).map(|profile| profile.id)
}

/// Takes a profile into a session.
pub fn take(session: &mut Session, read: ReadProfile, taking: Taking) -> Taken {
    let mut said = Vec::new();
    let gpu = taking
        .gpu
        .or_else(|| device(session, read.device.as_ref(), &mut said));
    if let (Some(device), Some(gpu)) = (&read.device, taking.gpu.and_then(|id| session.gpu(id))) {
        said.extend(another(device, gpu));
    }
    if let (Some(device), Some(gpu)) = (&read.device, gpu.and_then(|id| session.gpu_mut(id))) {
        said.extend(differences(device, gpu, taking.attributes));
    }
    let name = match read.source.file.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem.trim_end_matches(".json"),
        _ => &read.source.file,
    };
    let mut kernels = read.kernels;
    let (mut notes, mut warnings) = (read.notes, read.warnings);
    if let Some(gpu) = gpu.and_then(|id| session.gpu(id))
        && let Some(note) = by_the_bus(&mut kernels, gpu)
    {
        notes.push(note);
        warnings.retain(|warning| !warning.starts_with(BUS_UNKNOWN));
    }
    let mut profile = Profile::new(name, read.source.clone(), kernels);
    profile.clocks = read.clocks;
    profile.byte_source = read.byte_source;
    profile.notes = notes;
    profile.notes.extend(warnings);
    profile.gpu = gpu;
    let replaced = taking.replaces.and_then(|id| session.profile_mut(id));
    let profile = match replaced {
        Some(older) => {
            older.gpu = taking.gpu.or(older.gpu).or(gpu);
            older.replace_kernels(profile);
            older.id
        }
        None => {
            said.extend(inherit(session, &mut profile));
            session.add_profile(profile)
        }
    };
    Taken { profile, said }
}

/// Takes names and given numbers from an earlier profile of the same kernels, so that a newer run needs them only once.
fn inherit(session: &Session, profile: &mut Profile) -> Option<String> {
    let names: HashSet<&str> = profile
        .kernels
        .lines
        .iter()
        .map(|line| &*line.name)
        .collect();
    let same_kernels = |other: &&Profile| {
        let mut known: Vec<&str> = other.kernels.lines.iter().map(|line| &*line.name).collect();
        known.sort_unstable();
        known.dedup();
        let common = known.iter().filter(|name| names.contains(**name)).count();
        common * 2 >= names.len().max(known.len())
    };
    let chosen =
        |other: &&Profile| !(other.choices.aliases.is_empty() && other.choices.fills.is_empty());
    let mut others = session.profiles.iter().rev().filter(chosen);
    let other = others.find(same_kernels)?;
    // A time is of one run alone.
    let lasting = |fill: &&Fill| !matches!(fill.gives, Gives::Time(_));
    let fills = other.choices.fills.iter().filter(lasting).cloned();
    profile.choices.fills = fills.collect();
    profile.choices.aliases.clone_from(&other.choices.aliases);
    Some(format!(
        "own names and given numbers are taken from {}, which has the same kernels",
        other.name
    ))
}

/// Says that the GPU that was chosen is another one than the file names.
fn another(device: &Gpu, gpu: &Gpu) -> Option<String> {
    let preset = of_device(&device.name);
    let same = match (&preset, &gpu.preset) {
        (Some(of_file), Some(chosen)) => of_file.id == *chosen,
        (Some(_), None) => return None,
        (None, _) => device.name.is_empty() || device.name == gpu.name,
    };
    (!same).then(|| {
        let (name, gpu) = (&device.name, &gpu.name);
        format!("the file names {name:?}, and {gpu} judges its kernels: is that meant?")
    })
}

/// The GPU the file names: one of the session, else a built-in one, else one made of its attributes.
fn device(session: &mut Session, device: Option<&Gpu>, said: &mut Vec<String>) -> Option<GpuId> {
    let device = device?;
    let preset = of_device(&device.name);
    let same = |gpu: &&Gpu| match &preset {
        Some(preset) => gpu.preset.as_deref() == Some(preset.id),
        None => gpu.name == device.name,
    };
    if let Some(gpu) = session.gpus.iter().find(same) {
        return Some(gpu.id);
    }
    if let Some(preset) = preset {
        let name = &preset.gpu.name;
        said.push(format!(
            "the file names {:?}: judged by the built-in {name}",
            device.name
        ));
        return Some(session.add_gpu(preset.gpu, None));
    }
    let name = &device.name;
    if device.memory.is_empty() && device.compute.is_empty() {
        said.push(format!(
            "no built-in GPU is called {name:?}, and the file does not say its roofs: name the GPU that judges it"
        ));
        return None;
    }
    said.push(format!(
        "no built-in GPU is called {name:?}: one is made of what the file says of it"
    ));
    Some(session.add_gpu(device.clone(), None))
}

/// Where the file's attributes say otherwise than the GPU that judges it.
fn differences(device: &Gpu, gpu: &mut Gpu, takes: bool) -> Vec<String> {
    let mut said = Vec::new();
    let name = gpu.name.clone();
    let counts = |gpu: &Gpu| gpu.parts.units.as_ref().map(|units| units.value.get());
    if let (Some(file), Some(catalogue)) = (counts(device), counts(gpu))
        && file != catalogue
    {
        said.push(format!(
            "the device in the file has {} compute units, {name} has {}: is it another one?",
            units::count(file),
            units::count(catalogue)
        ));
    }
    for roof in &device.memory {
        let Some(known) = gpu.memory_roof_mut(roof.level) else {
            continue;
        };
        let (file, catalogue) = (roof.bandwidth.value, known.bandwidth.value);
        let change = file.get() / catalogue.get() - 1.0;
        if change.abs() < WORTH_TELLING {
            continue;
        }
        let level = roof.level.name();
        let kept = if takes {
            known.bandwidth.set_own(file);
            known.bandwidth.source.clone_from(&roof.bandwidth.source);
            "the file's is taken"
        } else {
            "the catalogue's is kept"
        };
        said.push(format!(
            "{level}: {file} by the attributes in the file ({}), {catalogue} in the catalogue ({:+.1} %); {kept}",
            roof.bandwidth.source,
            change * 100.0
        ));
    }
    said
}
