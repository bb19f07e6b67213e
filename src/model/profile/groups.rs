//! Kernels of one name told together: sums over sums, never a mean of ratios.
use super::judged::Judged;
use super::{Analysis, Profile};
use std::collections::HashMap;

/// All lines of a name.
#[derive(Debug, Clone)]
pub struct Group {
    /// The full name.
    pub name: String,
    /// In the order given.
    pub lines: Vec<u32>,
    /// Launches of all of them.
    pub launches: u64,
    /// Their sum; its `line` is the first of them.
    pub sum: Judged,
}

/// Lines by name, the group with most time to recover first.
pub fn by_name(profile: &Profile, analysis: &Analysis, lines: &[u32]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut index: HashMap<&str, usize> = HashMap::new();
    let mut members: Vec<Vec<Judged>> = Vec::new();
    for line in lines {
        let kernel = &profile.kernels.lines[*line as usize];
        let judged = analysis.lines[*line as usize];
        let at = *index.entry(&kernel.name).or_insert_with(|| {
            members.push(Vec::new());
            groups.push(Group {
                name: kernel.name.to_string(),
                lines: Vec::new(),
                launches: 0,
                sum: judged,
            });
            groups.len() - 1
        });
        members[at].push(judged);
        groups[at].lines.push(*line);
        groups[at].launches += kernel.count;
    }
    for (group, members) in groups.iter_mut().zip(members) {
        group.sum = Judged::sum(members).unwrap_or(group.sum);
    }
    let key = |group: &Group| group.sum.recoverable().unwrap_or(f64::NEG_INFINITY);
    groups.sort_by(|a, b| key(b).total_cmp(&key(a)));
    groups
}
