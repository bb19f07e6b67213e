//! Predicted operators beside measured kernels: groups of the one matched with groups of the other, since kernels fuse.
use super::placement::Placement;
use super::profile::{Analysis, Profile, Selector};
use std::borrow::Cow;

/// Which kernels run which operators, and how often the workload ran while it was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Mapping {
    pub groups: Vec<Match>,
    /// Executions of the workload that the profile holds; measured times are divided by it.
    pub executions: f64,
}

impl Default for Mapping {
    fn default() -> Self {
        Self {
            groups: Vec::new(),
            executions: 1.0,
        }
    }
}

impl Mapping {
    /// Whether nothing is matched.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }
}

/// Kernels that together run these operators.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Match {
    pub kernels: Vec<Selector>,
    /// By name; fused ones stand together.
    pub operators: Vec<String>,
}

/// A group of operators beside the kernels that run them; times are of one execution, in s.
#[derive(Debug, Clone, PartialEq)]
pub struct JoinedRow {
    pub operators: Vec<String>,
    /// Lines of the profile.
    pub kernels: Vec<u32>,
    pub predicted: f64,
    /// `None` where no kernel with a time is in the group.
    pub measured: Option<f64>,
}

impl JoinedRow {
    /// Measured − predicted, in s.
    pub fn gap(&self) -> Option<f64> {
        Some(self.measured? - self.predicted)
    }

    /// Measured ÷ predicted.
    pub fn ratio(&self) -> Option<f64> {
        let ratio = self.measured? / self.predicted;
        ratio.is_finite().then_some(ratio)
    }
}

/// A prediction and a profile, joined.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Joined {
    /// How often the workload ran in the profile.
    pub executions: f64,
    /// In the order of the mapping.
    pub rows: Vec<JoinedRow>,
    /// Operators that no group names, with their predicted time.
    pub unmatched_operators: Vec<(String, f64)>,
    /// Lines that no group selects, the one that took longest first.
    pub unmatched_kernels: Vec<u32>,
    /// Of the whole workload, once.
    pub predicted: f64,
    /// Of all kernels, per execution.
    pub measured: f64,
    /// Names in the mapping that are no operator of the workload.
    pub unknown_operators: Vec<String>,
}

/// The operators of a placement by name with the time of all their runs; the whole is called by `name` where it is one kernel.
pub fn operators<'a>(placement: &'a Placement, name: &'a str) -> Vec<(Cow<'a, str>, f64)> {
    if placement.operators.is_empty() {
        return vec![(name.into(), placement.time().get())];
    }
    let mut operators: Vec<(Cow<'_, str>, f64)> = Vec::new();
    for operator in &placement.operators {
        let called = match &*operator.name {
            "" => name.into(),
            called => Cow::Borrowed(called),
        };
        match operators.iter_mut().find(|(name, _)| *name == called) {
            Some((_, time)) => *time += operator.time(),
            None => operators.push((called, operator.time())),
        }
    }
    operators
}

/// Joins the operators of a placement, called `name` if it is one, with the kernels of a profile.
///
/// A kernel belongs to the first group that selects it, an operator to the first that names it.
pub fn join(
    placement: &Placement,
    name: &str,
    profile: &Profile,
    analysis: &Analysis,
    mapping: &Mapping,
) -> Joined {
    let executions = match mapping.executions {
        times if times > 0.0 => times,
        _ => 1.0,
    };
    let time = |line: u32| analysis.lines[line as usize].time();
    let operators = operators(placement, name);
    let mut free = vec![true; profile.kernels.lines.len().min(analysis.lines.len())];
    let mut named = vec![false; operators.len()];
    let mut joined = Joined {
        executions,
        ..Joined::default()
    };
    for group in &mapping.groups {
        let mut row = JoinedRow {
            operators: Vec::new(),
            kernels: Vec::new(),
            predicted: 0.0,
            measured: None,
        };
        for wanted in &group.operators {
            let found = operators.iter().position(|(name, _)| name == wanted);
            match found {
                Some(at) if !named[at] => {
                    named[at] = true;
                    row.predicted += operators[at].1;
                    row.operators.push(wanted.clone());
                }
                Some(_) => {}
                None => joined.unknown_operators.push(wanted.clone()),
            }
        }
        for line in group.kernels.iter().flat_map(|s| s.lines(&profile.kernels)) {
            if std::mem::take(&mut free[line as usize]) {
                row.kernels.push(line);
            }
        }
        let times = row.kernels.iter().filter_map(|line| time(*line));
        row.measured = times.reduce(|a, b| a + b).map(|sum| sum / executions);
        joined.rows.push(row);
    }
    let unmatched = operators.iter().zip(&named).filter(|(_, named)| !**named);
    joined.unmatched_operators = unmatched
        .map(|((name, time), _)| (name.to_string(), *time))
        .collect();
    joined.unmatched_kernels = (0..free.len() as u32)
        .filter(|line| free[*line as usize])
        .collect();
    let longest = |line: &u32| time(*line).unwrap_or(0.0);
    joined
        .unmatched_kernels
        .sort_by(|a, b| longest(b).total_cmp(&longest(a)));
    joined.predicted = operators.iter().map(|(_, time)| time).sum();
    let all = analysis.lines.iter().filter_map(|judged| judged.time());
    joined.measured = all.sum::<f64>() / executions;
    joined
}
