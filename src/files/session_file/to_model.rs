//! From the file's structs to the model: names become ids, and what the model would not allow is refused.
use super::gpu_to_model::gpu;
use super::problem::{Problem, at, unix_lines};
use super::profile_to_model;
use super::v1::{MeasuredFile, SessionFile, WorkloadFile};
use super::v1_profile::ProfileFile;
use super::v1_shown::{LimitsFile, SweepFile, ViewFile};
use crate::model::ids::{GpuId, ViewId, WorkloadId};
use crate::model::measurement::Measurement;
use crate::model::placement::Assumptions;
use crate::model::profile::KernelId;
use crate::model::saved_view::{Argument, SavedView};
use crate::model::session::{Session, Workload};
use crate::model::sweep::grid::Shown;
use crate::model::sweep::{Sweep, parameter_unit};
use crate::model::view::{Levels, Limits, View};
use crate::model::workload::{CostError, Kind};
use std::collections::HashMap;

/// Names and what they stand for.
pub(super) struct Names<Id> {
    what: &'static str,
    ids: HashMap<String, Id>,
}

impl<Id: Copy> Names<Id> {
    fn new(what: &'static str) -> Self {
        let ids = HashMap::new();
        Self { what, ids }
    }

    /// Refuses a name that is empty or taken.
    fn admit(&self, name: &str) -> Result<(), String> {
        let what = self.what;
        if name.trim().is_empty() {
            return Err(format!("a {what} needs a name: write one"));
        }
        if self.ids.contains_key(name.trim()) {
            return Err(format!(
                "{name:?} is the name of an earlier {what}: give each a name of its own"
            ));
        }
        Ok(())
    }

    pub(super) fn get(&self, name: &str) -> Result<Id, String> {
        self.ids.get(name.trim()).copied().ok_or_else(|| {
            let what = self.what;
            format!("there is no {what} named {name:?}: write the name of one in this file")
        })
    }
}

/// The session and view of a file.
pub(super) fn session(file: SessionFile) -> Result<(Session, View), Problem> {
    let mut session = Session::empty(file.title);
    session.notes = unix_lines(file.notes);
    session.assumptions = Assumptions {
        overlap: file.overlap,
        launches: file.launches,
        judged_by: file.judged_by,
        estimate: file.estimate,
    };
    let mut gpus = Names::new("GPU");
    for (index, file) in file.gpus.into_iter().enumerate() {
        let path = format!("gpus.{index}");
        gpus.admit(&file.name).map_err(at(format!("{path}.name")))?;
        let name = file.name.trim().to_owned();
        let id = session.add_gpu(gpu(file, &format!("{path}."))?, None);
        gpus.ids.insert(name, id);
    }
    let mut workloads = Names::new("workload");
    for (index, file) in file.workloads.into_iter().enumerate() {
        let path = format!("workloads.{index}.");
        workloads
            .admit(&file.name)
            .map_err(at(format!("{path}name")))?;
        let name = file.name.trim().to_owned();
        let id = session.add_workload(workload(file, &path, &gpus)?, None);
        workloads.ids.insert(name, id);
    }
    for (index, file) in file.annotations.into_iter().enumerate() {
        let annotation = file.read(&format!("annotations.{index}"), &workloads)?;
        session.add_annotation(annotation);
    }
    profiles(file.profiles, &mut session, &gpus, &workloads)?;
    let mut shown = View::of(&session);
    if let Some(file) = file.view {
        view(file, "view", &session, &gpus, &workloads, &mut shown)?;
        shown.repair(&session);
    }
    let mut titles = Names::new("view");
    for (index, file) in file.views.into_iter().enumerate() {
        let path = format!("views.{index}");
        titles
            .admit(&file.title)
            .map_err(at(format!("{path}.title")))?;
        titles.ids.insert(file.title.trim().to_owned(), ());
        let mut framing = View::of(&session);
        let within = format!("{path}.view");
        view(
            file.view,
            &within,
            &session,
            &gpus,
            &workloads,
            &mut framing,
        )?;
        framing.repair(&session);
        let saved = SavedView {
            id: ViewId(0),
            title: file.title.trim().to_owned(),
            caption: unix_lines(file.caption),
            argument: file
                .arrow
                .map_or_else(Argument::default, |name| Argument::named(&name)),
            view: framing,
        };
        session.add_view(saved, None);
    }
    Ok((session, shown))
}

fn profiles(
    mut files: Vec<ProfileFile>,
    session: &mut Session,
    gpus: &Names<GpuId>,
    workloads: &Names<WorkloadId>,
) -> Result<(), Problem> {
    let mut profiles = Names::new("profile");
    for (index, file) in files.iter_mut().enumerate() {
        let prefix = format!("profiles.{index}.");
        let name = profiles.admit(&file.name);
        name.map_err(at(format!("{prefix}name")))?;
        let mut profile = profile_to_model::profile(file, &prefix)?;
        let gpu = file.gpu.as_ref().map(|name| gpus.get(name));
        profile.gpu = gpu.transpose().map_err(at(format!("{prefix}gpu")))?;
        for (index, file) in file.mappings.drain(..).enumerate() {
            let path = format!("{prefix}mappings.{index}");
            let workload = workloads.get(&file.workload);
            let workload = workload.map_err(at(format!("{path}.workload")))?;
            let mapping = profile_to_model::mapping(file, &path)?;
            profile.choices.set_mapping(workload, mapping);
        }
        let id = session.add_profile(profile);
        profiles.ids.insert(file.name.trim().to_owned(), id);
    }
    // A profile may be compared with one further down.
    for (index, file) in files.iter().enumerate() {
        let Some(name) = &file.against else { continue };
        let against = profiles.get(name);
        let against = against.map_err(at(format!("profiles.{index}.against")))?;
        session.profiles[index].choices.against = Some(against);
    }
    Ok(())
}

/// The workload of a file without anything that names a GPU.
pub(super) fn workload_alone(file: WorkloadFile) -> Result<Workload, Problem> {
    let no_names = Names::<WorkloadId>::new("workload");
    no_names.admit(&file.name).map_err(at("name"))?;
    let alone = WorkloadFile {
        efficiency: Vec::new(),
        measured: Vec::new(),
        ..file
    };
    workload(alone, "", &Names::new("GPU"))
}

fn workload(file: WorkloadFile, prefix: &str, gpus: &Names<GpuId>) -> Result<Workload, Problem> {
    check_cost(&file.kind, format!("{prefix}kind"))?;
    let mut workload = Workload::new(file.name, file.kind);
    for (index, file) in file.efficiency.into_iter().enumerate() {
        let path = format!("{prefix}efficiency.{index}");
        let gpu = gpus.get(&file.gpu).map_err(at(format!("{path}.gpu")))?;
        if workload.efficiency.iter().any(|(id, _)| *id == gpu) {
            let message = format!("{:?} has an efficiency already: keep one", file.gpu);
            return Err(at(format!("{path}.gpu"))(message));
        }
        if !(1e-6..=1.0).contains(&file.share) {
            let message = format!(
                "{} is no share of a roof: write a number from 0.000001 to 1",
                file.share
            );
            return Err(at(format!("{path}.share"))(message));
        }
        workload.set_efficiency(gpu, file.share);
    }
    for (index, file) in file.measured.into_iter().enumerate() {
        let path = format!("{prefix}measured.{index}");
        measured(file, &path, gpus, &mut workload)?;
    }
    Ok(workload)
}

fn measured(
    file: MeasuredFile,
    path: &str,
    gpus: &Names<GpuId>,
    workload: &mut Workload,
) -> Result<(), Problem> {
    let gpu = gpus.get(&file.gpu).map_err(at(format!("{path}.gpu")))?;
    if workload.measurement_on(gpu).is_some() {
        let message = format!("{:?} has a measurement already: keep one", file.gpu);
        return Err(at(format!("{path}.gpu"))(message));
    }
    let of = file.of.unwrap_or_else(|| workload.kind.clone());
    check_cost(&of, format!("{path}.of"))?;
    let observed = file.observed;
    workload.set_measurement(gpu, Some(Measurement { observed, of }));
    Ok(())
}

fn check_cost(kind: &Kind, path: String) -> Result<(), Problem> {
    match kind.family().cost() {
        Ok(_) => Ok(()),
        Err(CostError::Text { parameter, message }) => {
            Err(at(format!("{path}.{parameter}"))(message))
        }
        Err(CostError::Contradiction(reason)) => Err(at(path)(reason)),
        Err(reason) => Err(at(path)(format!(
            "its parameters multiply to no usable number ({reason}): change one of them"
        ))),
    }
}

fn view(
    file: ViewFile,
    path: &str,
    session: &Session,
    gpus: &Names<GpuId>,
    workloads: &Names<WorkloadId>,
    view: &mut View,
) -> Result<(), Problem> {
    if let Some(name) = &file.active {
        view.active = Some(gpus.get(name).map_err(at(format!("{path}.active")))?);
    }
    if let Some(name) = &file.selected {
        view.select(Some(
            workloads
                .get(name)
                .map_err(at(format!("{path}.selected")))?,
        ));
    }
    for (index, name) in file.hidden_gpus.iter().enumerate() {
        let id = gpus
            .get(name)
            .map_err(at(format!("{path}.hidden_gpus.{index}")))?;
        if !view.hidden_gpus.contains(&id) {
            view.hidden_gpus.push(id);
        }
    }
    for (index, name) in file.hidden_workloads.iter().enumerate() {
        let place = format!("{path}.hidden_workloads.{index}");
        let id = workloads.get(name).map_err(at(place))?;
        if !view.hidden_workloads.contains(&id) {
            view.hidden_workloads.push(id);
        }
    }
    let profile = |name: &str, place: String| {
        let found = session.profiles.iter().find(|of| of.name == name.trim());
        let unknown = || format!("there is no profile {name:?} in this session");
        found.map(|of| of.id).ok_or_else(unknown).map_err(at(place))
    };
    for (index, name) in file.hidden_profiles.iter().enumerate() {
        let id = profile(name, format!("{path}.hidden_profiles.{index}"))?;
        if !view.hidden_profiles.contains(&id) {
            view.hidden_profiles.push(id);
        }
    }
    for (index, number) in file.hidden_annotations.iter().enumerate() {
        let all = &session.annotations;
        let found = number.checked_sub(1).and_then(|index| all.get(index));
        let unknown = || {
            format!(
                "there is no annotation {number}: write a number from 1 to {}",
                all.len()
            )
        };
        let place = format!("{path}.hidden_annotations.{index}");
        let id = found
            .map(|one| one.id)
            .ok_or_else(unknown)
            .map_err(at(place))?;
        if !view.hidden_annotations.contains(&id) {
            view.hidden_annotations.push(id);
        }
    }
    if let Some(name) = &file.profile {
        view.profile = Some(profile(name, format!("{path}.profile"))?);
    }
    if let Some(number) = file.kernel {
        let listed = view.profile.and_then(|id| session.profile(id));
        let lines = listed.map_or(0, |of| of.kernels.lines.len());
        let unknown =
            || format!("the profile has no kernel {number}: write a number from 1 to {lines}");
        let line = number.checked_sub(1).filter(|line| *line < lines);
        let line = line.and_then(|line| u32::try_from(line).ok());
        let found = listed.zip(line).ok_or_else(unknown);
        let (listed, line) = found.map_err(at(format!("{path}.kernel")))?;
        view.kernel = Some(KernelId {
            profile: listed.id,
            line,
        });
    }
    view.limits = file.limits.map(|file| limits(file, path)).transpose()?;
    view.locked = file.locked;
    view.show_trail = file.show_trail;
    view.compare = file.compare;
    view.normalised = file.normalised;
    view.show_operators = file.show_operators;
    view.show_sparse = file.show_sparse;
    if let Some(name) = file.levels {
        let unknown = || format!("{name:?} is no memory level: write DRAM, LLC, L2, L1 or all");
        view.levels = Levels::named(&name)
            .ok_or_else(unknown)
            .map_err(at(format!("{path}.levels")))?;
    }
    if let Some(name) = file.heat_map {
        let names = Shown::ALL.map(Shown::name).join(", ");
        let unknown = || format!("a heat map cannot show {name:?}: write one of {names}");
        view.heat_map = Shown::named(&name)
            .ok_or_else(unknown)
            .map_err(at(format!("{path}.heat_map")))?;
    }
    let against = file.against.map(|name| gpus.get(&name));
    view.against = against.transpose().map_err(at(format!("{path}.against")))?;
    view.show_curve = file.show_curve;
    let selected = view.selected.and_then(|id| session.workload(id));
    let swept = |file: Option<SweepFile>, name: &str| {
        file.map(|file| sweep(file, selected, &format!("{path}.{name}")))
            .transpose()
    };
    view.sweep = swept(file.sweep, "sweep")?;
    view.second_sweep = swept(file.second_sweep, "second_sweep")?;
    Ok(())
}

/// The largest power of ten an axis can end at: nothing that can be drawn lies beyond.
const LIMIT: f64 = 120.0;

fn limits(file: LimitsFile, path: &str) -> Result<Limits, Problem> {
    let range = |name: &str, (low, high): (f64, f64)| {
        let inside = |value: f64| (-LIMIT..=LIMIT).contains(&value);
        if inside(low) && inside(high) && low < high {
            return Ok([low, high]);
        }
        let message = format!(
            "an axis cannot go from {low} to {high}: write two powers of ten between -{LIMIT} and {LIMIT}, the smaller first"
        );
        Err(at(format!("{path}.limits.{name}"))(message))
    };
    Ok(Limits {
        x: range("x", file.x)?,
        y: range("y", file.y)?,
    })
}

fn sweep(file: SweepFile, selected: Option<&Workload>, path: &str) -> Result<Sweep, Problem> {
    let Some(workload) = selected else {
        let message = "a sweep needs a selected workload: add one, or remove the sweep";
        return Err(at(path)(message.to_owned()));
    };
    let unit = parameter_unit(&workload.kind, &file.parameter)
        .map_err(|error| at(format!("{path}.parameter"))(error.to_string()))?;
    let values = Sweep::parse_values(&file.values, unit)
        .map_err(|error| at(format!("{path}.values"))(error.to_string()))?;
    let parameter = file.parameter;
    Ok(Sweep { parameter, values })
}
