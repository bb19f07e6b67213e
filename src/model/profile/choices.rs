//! What is chosen of a profile beside its kernels: filters, names, fills, pairs, and what its kernels are matched with.
use super::fill::Fill;
use super::judged::Judged;
use super::selector::{KernelKey, PatternError, pattern};
use super::{Analysis, Kernel, Profile};
use crate::model::cost::{Level, Path};
use crate::model::ids::{ProfileId, WorkloadId};
use crate::model::join::Mapping;
use crate::model::placement::Regime;
use regex::{Regex, RegexBuilder};
use std::collections::{BTreeMap, BTreeSet};

/// Choices that outlive the kernels: reading a newer file of the same shape keeps every one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Choices {
    pub filter: Filter,
    /// Lines not shown.
    pub hidden: BTreeSet<KernelKey>,
    /// If there are any, only these are shown.
    pub isolated: BTreeSet<KernelKey>,
    /// The user's own names, by full name.
    pub aliases: BTreeMap<String, String>,
    /// In order: a later one takes the place of an earlier one.
    pub fills: Vec<Fill>,
    /// Whether launch shapes of one name are told together, sums over sums.
    pub grouped: bool,
    /// The profile this one is compared with: this is before, that is after.
    pub against: Option<ProfileId>,
    /// Lines paired by hand: of this profile, and of the other.
    pub pairs: Vec<(KernelKey, KernelKey)>,
    /// What kernels are matched with, per workload.
    pub mappings: Vec<(WorkloadId, Mapping)>,
}

/// Which kernels are shown.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Filter {
    /// A regular expression, or plain text if it is none, found in the name or alias whatever the case; empty finds all.
    pub name: String,
    /// Only kernels with traffic at this level, which their marks lie at.
    pub level: Option<Level>,
    /// Only kernels with work of this path.
    pub path: Option<Path>,
    pub regime: Option<Regime>,
    /// Only the heaviest, which hold this part of the time, 0–1.
    pub heaviest: Option<f64>,
}

impl Filter {
    /// Whether it lets everything through.
    pub fn is_open(&self) -> bool {
        *self == Self::default()
    }

    /// What is wrong with the pattern; it is looked for as plain text then.
    pub fn problem(&self) -> Option<PatternError> {
        pattern(&self.name).err()
    }

    fn search(&self) -> Option<Regex> {
        let text = self.name.trim();
        if text.is_empty() {
            return None;
        }
        let insensitive = |text: &str| RegexBuilder::new(text).case_insensitive(true).build();
        insensitive(text)
            .or_else(|_| insensitive(&regex::escape(text)))
            .ok()
    }
}

impl Choices {
    /// The user's own name of a kernel, if there is one.
    pub fn alias(&self, name: &str) -> Option<&str> {
        self.aliases.get(name).map(String::as_str)
    }

    /// Gives a kernel a name of the user's own; an empty one takes it away.
    pub fn set_alias(&mut self, name: &str, alias: &str) {
        match alias.trim() {
            "" => {
                self.aliases.remove(name);
            }
            alias => {
                self.aliases.insert(name.to_owned(), alias.to_owned());
            }
        }
    }

    /// Shows a hidden line, hides a shown one.
    pub fn toggle_hidden(&mut self, kernel: &Kernel) {
        let key = KernelKey::of(kernel);
        if !self.hidden.remove(&key) {
            self.hidden.insert(key);
        }
    }

    /// The mapping onto a workload.
    pub fn mapping(&self, workload: WorkloadId) -> Option<&Mapping> {
        let mut mappings = self.mappings.iter();
        let found = mappings.find(|(id, _)| *id == workload);
        found.map(|(_, mapping)| mapping)
    }

    /// Replaces the mapping onto a workload; an empty one is removed.
    pub fn set_mapping(&mut self, workload: WorkloadId, mapping: Mapping) {
        self.mappings.retain(|(id, _)| *id != workload);
        if !mapping.is_empty() {
            self.mappings.push((workload, mapping));
        }
    }

    /// The lines shown, the one with most time to recover first.
    pub fn shown(&self, profile: &Profile, analysis: &Analysis) -> Vec<u32> {
        let everything =
            self.filter.is_open() && self.hidden.is_empty() && self.isolated.is_empty();
        if everything {
            return analysis.order.clone();
        }
        let search = self.filter.search();
        let passes = |line: &&u32| {
            let judged = &analysis.lines[**line as usize];
            self.passes(profile, analysis, judged, search.as_ref())
        };
        let mut shown: Vec<_> = analysis.order.iter().filter(passes).copied().collect();
        if let Some(part) = self.filter.heaviest {
            let heaviest = heaviest(analysis, &shown, part);
            shown.retain(|line| heaviest[*line as usize]);
        }
        shown
    }

    fn passes(
        &self,
        profile: &Profile,
        analysis: &Analysis,
        judged: &Judged,
        search: Option<&Regex>,
    ) -> bool {
        let line = judged.line as usize;
        let kernel = &profile.kernels.lines[line];
        let named = |search: &Regex| {
            let alias = self.alias(&kernel.name);
            search.is_match(&kernel.name) || alias.is_some_and(|alias| search.is_match(alias))
        };
        let in_set =
            |set: &BTreeSet<KernelKey>| !set.is_empty() && set.contains(&KernelKey::of(kernel));
        let Filter {
            level,
            path,
            regime,
            ..
        } = self.filter;
        search.is_none_or(named)
            && regime.is_none_or(|regime| judged.regime() == Some(regime))
            && level.is_none_or(|level| analysis.traffic_at(profile, line, level).is_some())
            && path.is_none_or(|path| has_work(&analysis.work_of(profile, line), path))
            && !in_set(&self.hidden)
            && (self.isolated.is_empty() || in_set(&self.isolated))
    }
}

fn has_work(work: &[(Path, f64)], wanted: Path) -> bool {
    work.iter()
        .any(|(path, work)| *path == wanted && *work > 0.0)
}

/// Per line of the profile: whether it is among the fewest that hold `part` of the time of these; at least one.
fn heaviest(analysis: &Analysis, lines: &[u32], part: f64) -> Vec<bool> {
    let time = |line: &u32| analysis.lines[*line as usize].time().unwrap_or(0.0);
    let enough = part * lines.iter().map(time).sum::<f64>();
    let mut by_time = lines.to_vec();
    by_time.sort_by(|a, b| time(b).total_cmp(&time(a)));
    let mut held = 0.0;
    let mut heaviest = vec![false; analysis.lines.len()];
    for line in by_time {
        // The last bit of a sum must not ask for one more.
        if held > 0.0 && held >= enough * (1.0 - 1e-12) {
            break;
        }
        held += time(&line);
        heaviest[line as usize] = true;
    }
    heaviest
}
