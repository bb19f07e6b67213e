//! All that is saved and undone: GPUs, workloads, profiles, annotations, views, notes. Keeps names unique.
use super::annotation::Annotation;
use super::gpu::Gpu;
use super::ids::{GpuId, WorkloadId};
use super::measurement::{Assessment, Measurement, Unassessed};
use super::placement::{Assumptions, Placement, Unplaced, place_all};
use super::profile::Profile;
use super::saved_view::SavedView;
use super::workload::{CostError, Kind};
use std::borrow::Cow;

/// Something to run, with what was measured of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Workload {
    pub id: WorkloadId,
    pub name: String,
    pub kind: Kind,
    /// Which shape its marks have: the first that none of the others has when it is added, and kept from then on.
    pub shape: usize,
    /// Share of the roof it is assumed to reach, per GPU, 0–1; 1 where none is given.
    pub efficiency: Vec<(GpuId, f64)>,
    pub measurements: Vec<(GpuId, Measurement)>,
}

/// Why a workload cannot be placed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NotPlaced {
    #[error("its parameters lead to no cost: {0}")]
    Cost(#[from] CostError),
    #[error(transparent)]
    Unplaced(#[from] Unplaced),
}

impl Workload {
    /// A workload of this kind, without measurements.
    pub fn new(name: impl Into<String>, kind: Kind) -> Self {
        Self {
            id: WorkloadId(0),
            name: name.into(),
            kind,
            shape: 0,
            efficiency: Vec::new(),
            measurements: Vec::new(),
        }
    }

    /// The share of the roof it is assumed to reach on a GPU, 0–1.
    pub fn efficiency_on(&self, gpu: GpuId) -> f64 {
        let given = self.efficiency.iter().find(|(id, _)| *id == gpu);
        given.map_or(1.0, |(_, efficiency)| *efficiency)
    }

    /// Assumes a share of the roof on a GPU; clamped to 1e-6–1, and 1 is not stored.
    pub fn set_efficiency(&mut self, gpu: GpuId, efficiency: f64) {
        self.efficiency.retain(|(id, _)| *id != gpu);
        if efficiency < 1.0 && efficiency.is_finite() {
            self.efficiency.push((gpu, efficiency.max(1e-6)));
        }
    }

    /// The share of the roofs a placement on a GPU takes: the one given, else what `assumptions` say.
    pub(super) fn assumed_efficiency(&self, gpu: GpuId, assumptions: Assumptions) -> f64 {
        let given = self.efficiency.iter().find(|(id, _)| *id == gpu);
        assumptions.efficiency(given.map(|(_, share)| *share))
    }

    /// What was measured on a GPU.
    pub fn measurement_on(&self, gpu: GpuId) -> Option<&Measurement> {
        let on_gpu = self.measurements.iter().find(|(id, _)| *id == gpu);
        on_gpu.map(|(_, measurement)| measurement)
    }

    /// Replaces or removes what was measured on a GPU.
    pub fn set_measurement(&mut self, gpu: GpuId, measurement: Option<Measurement>) {
        self.measurements.retain(|(id, _)| *id != gpu);
        self.measurements.extend(measurement.map(|m| (gpu, m)));
    }

    /// The workload on a GPU.
    pub fn place_on(&self, gpu: &Gpu, assumptions: Assumptions) -> Result<Placement, NotPlaced> {
        let operators = self.kind.family().operators()?;
        let efficiency = self.assumed_efficiency(gpu.id, assumptions);
        let mut placement = place_all(&operators, gpu, assumptions, efficiency)?;
        placement.warnings.extend(self.kind.does_not_fit(gpu));
        let doubts = self.kind.family().doubts().into_iter();
        placement.warnings.extend(doubts.map(Cow::into_owned));
        Ok(placement)
    }

    /// The measurement on a GPU, judged; `None` where nothing was measured.
    pub fn assess_on(
        &self,
        gpu: &Gpu,
        assumptions: Assumptions,
    ) -> Option<Result<Assessment, Unassessed>> {
        let measurement = self.measurement_on(gpu.id)?;
        Some(measurement.assess(gpu, assumptions))
    }
}

/// The document.
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    pub title: String,
    pub notes: String,
    pub assumptions: Assumptions,
    pub gpus: Vec<Gpu>,
    pub workloads: Vec<Workload>,
    /// What is written and drawn over the chart.
    pub annotations: Vec<Annotation>,
    /// Framings with a title and a caption: in this order they make a presentation.
    pub views: Vec<SavedView>,
    pub profiles: Vec<Profile>,
    /// The next identity; never reused, so that a view cannot point at a newcomer.
    next_id: u64,
}

/// Why a name cannot be given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    #[error("a name cannot be empty")]
    Empty,
    #[error("{0:?} is taken: names are unique, since files refer to them")]
    Taken(String),
}

impl Session {
    /// A session with nothing in it.
    pub fn empty(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            notes: String::new(),
            assumptions: Assumptions::default(),
            gpus: Vec::new(),
            workloads: Vec::new(),
            annotations: Vec::new(),
            views: Vec::new(),
            profiles: Vec::new(),
            next_id: 1,
        }
    }

    pub(super) fn fresh_id(&mut self) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    /// The GPU of this id.
    pub fn gpu(&self, id: GpuId) -> Option<&Gpu> {
        self.gpus.iter().find(|gpu| gpu.id == id)
    }

    /// The GPU of this id, to edit.
    pub fn gpu_mut(&mut self, id: GpuId) -> Option<&mut Gpu> {
        self.gpus.iter_mut().find(|gpu| gpu.id == id)
    }

    /// The workload of this id.
    pub fn workload(&self, id: WorkloadId) -> Option<&Workload> {
        self.workloads.iter().find(|workload| workload.id == id)
    }

    /// The workload of this id, to edit.
    pub fn workload_mut(&mut self, id: WorkloadId) -> Option<&mut Workload> {
        self.workloads.iter_mut().find(|workload| workload.id == id)
    }

    /// Adds a GPU below `after` (or last), renamed if its name is taken.
    pub fn add_gpu(&mut self, mut gpu: Gpu, after: Option<GpuId>) -> GpuId {
        gpu.id = GpuId(self.fresh_id());
        gpu.name = unique(&gpu.name, |name| self.gpus.iter().any(|g| g.name == name));
        let at = after.and_then(|id| self.gpus.iter().position(|g| g.id == id));
        let id = gpu.id;
        self.gpus.insert(at.map_or(self.gpus.len(), |i| i + 1), gpu);
        id
    }

    /// Adds a workload below `after` (or last), renamed if its name is taken.
    pub fn add_workload(
        &mut self,
        mut workload: Workload,
        after: Option<WorkloadId>,
    ) -> WorkloadId {
        workload.id = WorkloadId(self.fresh_id());
        workload.name = unique(&workload.name, |name| {
            self.workloads.iter().any(|w| w.name == name)
        });
        let is_free = |shape: &usize| self.workloads.iter().all(|w| w.shape != *shape);
        workload.shape = (0..).find(is_free).unwrap_or(0);
        let at = after.and_then(|id| self.workloads.iter().position(|w| w.id == id));
        let id = workload.id;
        self.workloads
            .insert(at.map_or(self.workloads.len(), |i| i + 1), workload);
        id
    }

    /// Adds a copy below the original; measurements and efficiencies of a GPU stay the original's.
    pub fn duplicate_gpu(&mut self, id: GpuId) -> Option<GpuId> {
        let copy = self.gpu(id)?.clone();
        Some(self.add_gpu(copy, Some(id)))
    }

    /// Adds a copy below the original.
    pub fn duplicate_workload(&mut self, id: WorkloadId) -> Option<WorkloadId> {
        let copy = self.workload(id)?.clone();
        Some(self.add_workload(copy, Some(id)))
    }

    /// Removes a GPU and what was measured or assumed on it; profiles stay, judged by none.
    pub fn remove_gpu(&mut self, id: GpuId) {
        self.gpus.retain(|gpu| gpu.id != id);
        for workload in &mut self.workloads {
            workload.efficiency.retain(|(gpu, _)| *gpu != id);
            workload.measurements.retain(|(gpu, _)| *gpu != id);
        }
        self.repair_references();
        for profile in &mut self.profiles {
            profile.gpu = profile.gpu.filter(|gpu| *gpu != id);
        }
    }

    /// Removes a workload, and what kernels are matched with it.
    pub fn remove_workload(&mut self, id: WorkloadId) {
        self.workloads.retain(|workload| workload.id != id);
        self.repair_references();
        for profile in &mut self.profiles {
            profile
                .choices
                .mappings
                .retain(|(workload, _)| *workload != id);
        }
    }

    /// Moves a GPU up (negative) or down the list, stopping at its ends.
    pub fn move_gpu(&mut self, id: GpuId, by: isize) {
        if let Some(from) = self.gpus.iter().position(|gpu| gpu.id == id) {
            shift(&mut self.gpus, from, by);
        }
    }

    /// Moves a workload up (negative) or down the list, stopping at its ends.
    pub fn move_workload(&mut self, id: WorkloadId, by: isize) {
        if let Some(from) = self.workloads.iter().position(|workload| workload.id == id) {
            shift(&mut self.workloads, from, by);
        }
    }

    /// Renames a GPU; refused if the name is empty or taken.
    pub fn rename_gpu(&mut self, id: GpuId, name: &str) -> Result<(), NameError> {
        let others = self
            .gpus
            .iter()
            .filter(|gpu| gpu.id != id)
            .map(|gpu| gpu.name.as_str());
        let name = free_name(name, others)?;
        if let Some(gpu) = self.gpu_mut(id) {
            gpu.name = name;
        }
        Ok(())
    }

    /// Renames a workload; refused if the name is empty or taken.
    pub fn rename_workload(&mut self, id: WorkloadId, name: &str) -> Result<(), NameError> {
        let others = self
            .workloads
            .iter()
            .filter(|w| w.id != id)
            .map(|w| w.name.as_str());
        let name = free_name(name, others)?;
        if let Some(workload) = self.workload_mut(id) {
            workload.name = name;
        }
        Ok(())
    }
}

pub(super) fn shift<T>(list: &mut [T], from: usize, by: isize) {
    let to = from.saturating_add_signed(by).min(list.len() - 1);
    if to > from {
        list[from..=to].rotate_left(1);
    } else {
        list[to..=from].rotate_right(1);
    }
}

pub(super) fn free_name<'a>(
    name: &str,
    mut others: impl Iterator<Item = &'a str>,
) -> Result<String, NameError> {
    let name = name.trim();
    if name.is_empty() {
        return Err(NameError::Empty);
    }
    if others.any(|other| other == name) {
        return Err(NameError::Taken(name.to_owned()));
    }
    Ok(name.to_owned())
}

/// `name`, or `name 2`, `name 3`, … — the first that is not taken.
pub(super) fn unique(name: &str, taken: impl Fn(&str) -> bool) -> String {
    let name = match name.trim() {
        "" => "unnamed",
        name => name,
    };
    if !taken(name) {
        return name.to_owned();
    }
    // "A 2" duplicated is "A 3", not "A 2 2".
    let stem = match name.rsplit_once(' ') {
        Some((stem, number)) if number.parse::<u32>().is_ok_and(|n| n < 100) => stem,
        _ => name,
    };
    let mut number = 2;
    loop {
        let candidate = format!("{stem} {number}");
        if !taken(&candidate) {
            return candidate;
        }
        number += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_unique() {
        let mut session = Session::empty("");
        let first = session.add_gpu(Gpu::empty("H100"), None);
        let second = session.duplicate_gpu(first).unwrap();
        let third = session.duplicate_gpu(second).unwrap();
        let names: Vec<_> = session.gpus.iter().map(|g| g.name.as_str()).collect();
        assert_eq!(names, ["H100", "H100 2", "H100 3"]);
        assert_eq!(
            session.rename_gpu(third, "H100"),
            Err(NameError::Taken("H100".into()))
        );
        assert_eq!(session.rename_gpu(third, "  "), Err(NameError::Empty));
    }

    #[test]
    fn a_newcomer_a_move_and_a_removal_change_no_shape() {
        let mut session = Session::empty("s");
        let add = |session: &mut Session, after| {
            session.add_workload(Workload::new("w", Kind::examples().remove(0)), after)
        };
        let shapes =
            |session: &Session| -> Vec<_> { session.workloads.iter().map(|w| w.shape).collect() };
        let first = add(&mut session, None);
        add(&mut session, None);
        let middle = add(&mut session, Some(first));
        assert_eq!(shapes(&session), [0, 2, 1]);
        session.move_workload(middle, -1);
        assert_eq!(shapes(&session), [2, 0, 1]);
        session.remove_workload(first);
        assert_eq!(shapes(&session), [2, 1]);
        // The one that is free again is given to the next.
        add(&mut session, None);
        assert_eq!(shapes(&session), [2, 1, 0]);
    }

    #[test]
    fn moving_stops_at_the_ends() {
        let mut session = Session::empty("");
        let a = session.add_gpu(Gpu::empty("a"), None);
        session.add_gpu(Gpu::empty("b"), None);
        session.move_gpu(a, -1);
        assert_eq!(session.gpus[0].id, a);
        session.move_gpu(a, 5);
        assert_eq!(session.gpus[1].id, a);
    }
}
