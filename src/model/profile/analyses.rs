//! The profiles of a session, judged: computed again only where what they follow from has changed.
use super::apart;
use super::{Analysis, Kernel, Profile, Standing, short_name};
use crate::model::gpu::Gpu;
use crate::model::ids::ProfileId;
use crate::model::placement::Assumptions;
use crate::model::session::Session;
use std::sync::Arc;

/// A line of a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KernelId {
    pub profile: ProfileId,
    pub line: u32,
}

impl KernelId {
    /// Whether a session has it.
    pub fn is_in(self, session: &Session) -> bool {
        let profile = session.profile(self.profile);
        profile.is_some_and(|profile| (self.line as usize) < profile.kernels.lines.len())
    }
}

/// A profile with what its GPU's roofs say of it.
#[derive(Debug, Clone)]
pub struct Analysed {
    pub profile: Profile,
    /// The GPU that judges it.
    pub gpu: Option<Gpu>,
    assumptions: Assumptions,
    pub analysis: Arc<Analysis>,
}

impl Analysed {
    fn of(profile: &Profile, session: &Session) -> Self {
        let gpu = profile.gpu.and_then(|id| session.gpu(id));
        Self {
            analysis: Arc::new(Analysis::of(profile, gpu, session.assumptions)),
            profile: profile.clone(),
            gpu: gpu.cloned(),
            assumptions: session.assumptions,
        }
    }

    /// The same of a profile as it is now; what does not follow from the change is kept.
    fn renewed(self: &Arc<Self>, profile: &Profile, session: &Session) -> Arc<Self> {
        let gpu = profile.gpu.and_then(|id| session.gpu(id));
        let old = &self.profile;
        let judged_alike = self.gpu.as_ref() == gpu
            && self.assumptions == session.assumptions
            && old.kernels == profile.kernels
            && old.clocks == profile.clocks
            && old.choices.fills == profile.choices.fills;
        match judged_alike {
            true if old == profile => Arc::clone(self),
            true => Arc::new(Self {
                profile: profile.clone(),
                gpu: self.gpu.clone(),
                assumptions: self.assumptions,
                analysis: Arc::clone(&self.analysis),
            }),
            false => Arc::new(Self::of(profile, session)),
        }
    }

    /// A line's own name if the user gave one, else the short one.
    pub fn name(&self, line: u32) -> String {
        let full = &self.kernel(line).name;
        let alias = self.profile.choices.alias(full);
        alias.map_or_else(|| short_name(full), str::to_owned)
    }

    /// The same, with what tells its launch shape from others of that name: `gemm · grid 128`.
    pub fn label(&self, line: u32) -> String {
        let name = self.name(line);
        match self.profile.kernels.told_apart(line as usize) {
            Some(part) => format!("{name} · {}", apart::brief(&part)),
            None => name,
        }
    }

    /// The lines that are on the chart or beside it.
    pub fn drawn(&self) -> Vec<u32> {
        let mut shown = self.profile.choices.shown(&self.profile, &self.analysis);
        let lines = &self.analysis.lines;
        shown.retain(|line| lines[*line as usize].standing() != Standing::NotPlaced);
        shown
    }

    /// The kernel on a line.
    pub fn kernel(&self, line: u32) -> &Kernel {
        &self.profile.kernels.lines[line as usize]
    }
}

/// Every profile of a session, in its order.
#[derive(Debug, Clone, Default)]
pub struct Analyses(Vec<Arc<Analysed>>);

impl Analyses {
    /// Judges every profile.
    pub fn of(session: &Session) -> Self {
        Self::default().renewed(session)
    }

    /// Judges what has changed.
    pub fn renewed(&self, session: &Session) -> Self {
        let renewed = session
            .profiles
            .iter()
            .map(|profile| match self.get(profile.id) {
                Some(old) => old.renewed(profile, session),
                None => Arc::new(Analysed::of(profile, session)),
            });
        Self(renewed.collect())
    }

    /// The profiles, in the session's order.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Analysed>> {
        self.0.iter()
    }

    /// The profile at this place of the session.
    pub fn nth(&self, index: usize) -> Option<&Arc<Analysed>> {
        self.0.get(index)
    }

    /// The profile of this id.
    pub fn get(&self, id: ProfileId) -> Option<&Arc<Analysed>> {
        self.0.iter().find(|analysed| analysed.profile.id == id)
    }

    /// The profile of a kernel, where it has that line.
    pub fn of_kernel(&self, kernel: KernelId) -> Option<&Arc<Analysed>> {
        let analysed = self.get(kernel.profile)?;
        let lines = analysed.profile.kernels.lines.len();
        ((kernel.line as usize) < lines).then_some(analysed)
    }

    /// Whether these are the very same analyses.
    pub fn are(&self, other: &Self) -> bool {
        let pairs = self.0.iter().zip(&other.0);
        self.0.len() == other.0.len() && pairs.into_iter().all(|(a, b)| Arc::ptr_eq(a, b))
    }
}
