//! Two profiles compared: found again only when one of them changes.
use crate::chart::scene::{self, Move};
use crate::model::gpu::JudgedBy;
use crate::model::ids::ProfileId;
use crate::model::pairing::{Pairing, Side, pair};
use crate::model::profile::{Analysed, Analyses};
use crate::model::view::View;
use std::sync::Arc;

/// A profile beside the one it is compared with.
#[derive(Debug, Clone)]
pub struct Compared {
    pub before: Arc<Analysed>,
    pub after: Arc<Analysed>,
    pub pairing: Pairing,
}

impl Compared {
    /// Arrows from before to after, where both are on the chart.
    pub fn moves(&self, view: &View, by: JudgedBy) -> Vec<Move> {
        let sides = [&self.before, &self.after];
        match sides.iter().all(|side| view.shows_profile(side.profile.id)) {
            true => scene::moves(&self.before, &self.after, &self.pairing.pairs, view, by),
            false => Vec::new(),
        }
    }

    /// The profile in view beside the one chosen for it; `old` is taken where it is still the same.
    pub fn of(
        analyses: &Analyses,
        profile: Option<ProfileId>,
        old: Option<&Arc<Self>>,
    ) -> Option<Arc<Self>> {
        let before = analyses.get(profile?)?;
        let after = analyses.get(before.profile.choices.against?)?;
        if let Some(old) = old
            && Arc::ptr_eq(&old.before, before)
            && Arc::ptr_eq(&old.after, after)
        {
            return Some(Arc::clone(old));
        }
        let by_hand = &before.profile.choices.pairs;
        let pairing = pair(of(before), of(after), by_hand);
        Some(Arc::new(Self {
            before: Arc::clone(before),
            after: Arc::clone(after),
            pairing,
        }))
    }
}

fn of(analysed: &Analysed) -> Side<'_> {
    Side {
        profile: &analysed.profile,
        analysis: &analysed.analysis,
    }
}
