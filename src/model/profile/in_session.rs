//! The profiles of a session: added, removed, renamed, read again; their names are unique.
use super::{Profile, SharedKernels, Source};
use crate::model::ids::ProfileId;
use crate::model::session::{NameError, Session, free_name, unique};

impl Session {
    /// The profile of this id.
    pub fn profile(&self, id: ProfileId) -> Option<&Profile> {
        self.profiles.iter().find(|profile| profile.id == id)
    }

    /// The profile of this id, to edit.
    pub fn profile_mut(&mut self, id: ProfileId) -> Option<&mut Profile> {
        self.profiles.iter_mut().find(|profile| profile.id == id)
    }

    /// Adds a profile below the others, renamed if its name is taken; a GPU the session does not have is left out.
    pub fn add_profile(&mut self, mut profile: Profile) -> ProfileId {
        profile.id = ProfileId(self.fresh_id());
        profile.name = unique(&profile.name, |name| {
            self.profiles.iter().any(|p| p.name == name)
        });
        profile.gpu = profile.gpu.filter(|id| self.gpu(*id).is_some());
        let id = profile.id;
        self.profiles.push(profile);
        id
    }

    /// Removes a profile.
    pub fn remove_profile(&mut self, id: ProfileId) {
        self.profiles.retain(|profile| profile.id != id);
        for profile in &mut self.profiles {
            if profile.choices.against == Some(id) {
                profile.choices.against = None;
                profile.choices.pairs.clear();
            }
        }
    }

    /// Renames a profile; refused if the name is empty or taken.
    pub fn rename_profile(&mut self, id: ProfileId, name: &str) -> Result<(), NameError> {
        let others = self.profiles.iter().filter(|p| p.id != id);
        let name = free_name(name, others.map(|p| p.name.as_str()))?;
        if let Some(profile) = self.profile_mut(id) {
            profile.name = name;
        }
        Ok(())
    }
}

impl Profile {
    /// Kernels of a source that no GPU judges yet.
    pub fn new(name: impl Into<String>, source: Source, kernels: super::Kernels) -> Self {
        Self {
            id: ProfileId(0),
            name: name.into(),
            source,
            gpu: None,
            clocks: super::Clocks::default(),
            byte_source: super::ByteSource::Counter,
            kernels: SharedKernels::new(kernels),
            notes: Vec::new(),
            choices: super::Choices::default(),
        }
    }

    /// Takes the kernels of a newer file of the same shape; what was chosen here stays.
    pub fn replace_kernels(&mut self, newer: Profile) {
        self.source = newer.source;
        self.clocks = newer.clocks;
        self.byte_source = newer.byte_source;
        self.kernels = newer.kernels;
        self.notes = newer.notes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::gpu::Gpu;
    use crate::model::profile::Kernels;

    fn profile(name: &str) -> Profile {
        let source = Source {
            file: "a.csv".to_owned(),
            format: "CSV".to_owned(),
            hash: String::new(),
        };
        Profile::new(name, source, Kernels::default())
    }

    #[test]
    fn profiles_have_names_of_their_own_and_outlive_their_gpu() {
        let mut session = Session::empty("");
        let gpu = session.add_gpu(Gpu::empty("a"), None);
        let first = session.add_profile(Profile {
            gpu: Some(gpu),
            ..profile("run")
        });
        let second = session.add_profile(profile("run"));
        assert_eq!(session.profile(second).unwrap().name, "run 2");
        let taken = session.rename_profile(second, "run");
        assert_eq!(taken, Err(NameError::Taken("run".to_owned())));
        session.remove_gpu(gpu);
        assert_eq!(session.profile(first).unwrap().gpu, None);
        let before = session.clone();
        session.remove_profile(first);
        let said = crate::model::change::describe(&before, &session);
        assert_eq!(said, "remove run");
        let said = crate::model::change::describe(&session, &before);
        assert_eq!(said, "import run");
    }
}
