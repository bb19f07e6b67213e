//! Two profiles side by side: kernels paired by name and launch shape, and what each gained or lost.
use super::profile::{Analysis, Kernel, KernelKey, Profile};
use std::collections::HashMap;

/// How a pair was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairedBy {
    /// The same name and launch shape.
    NameAndShape,
    /// The same name, which has one line left on either side; the launch shape differs.
    Name,
    Hand,
}

impl PairedBy {
    /// The words shown.
    pub fn name(self) -> &'static str {
        match self {
            Self::NameAndShape => "name and launch shape",
            Self::Name => "name, another launch shape",
            Self::Hand => "by hand",
        }
    }
}

/// A kernel before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// The line of the profile before.
    pub before: u32,
    /// The line of the profile after.
    pub after: u32,
    pub by: PairedBy,
    /// Time per launch before ÷ after: above 1 it became faster. `None` where a time is missing.
    pub ratio: Option<f64>,
    /// Time of all launches before − after, in s: negative where it was lost.
    pub gained: Option<f64>,
    /// Whether the spreads of both overlap; `None` where no spread is known.
    pub within_noise: Option<bool>,
}

/// Every kernel of two profiles, paired where that is possible.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pairing {
    /// The largest change of time first.
    pub pairs: Vec<Pair>,
    /// Lines of the profile before that have no partner, the longest first.
    pub only_before: Vec<u32>,
    pub only_after: Vec<u32>,
    /// Time of the paired kernels, in s.
    pub before: f64,
    pub after: f64,
    /// Time won by the pairs that became faster, and lost by those that became slower, in s.
    pub gained: f64,
    pub lost: f64,
    /// Launches of the paired kernels with a time, before and after.
    pub launches: [u64; 2],
    /// What the launches of before would take at the times per launch of after, in s.
    pub after_as_before: f64,
}

impl Pairing {
    /// How much faster a launch became over all pairs, where their numbers of launches differ, so that the sums also
    /// tell of that.
    pub fn per_launch(&self) -> Option<f64> {
        let differ = self.launches[0] != self.launches[1] && self.after_as_before > 0.0;
        differ.then(|| self.before / self.after_as_before)
    }
}

/// A profile with its kernels judged.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    pub profile: &'a Profile,
    pub analysis: &'a Analysis,
}

impl Side<'_> {
    fn kernel(&self, line: u32) -> &Kernel {
        &self.profile.kernels.lines[line as usize]
    }

    /// All launches, in s.
    fn time(&self, line: u32) -> Option<f64> {
        self.analysis.lines[line as usize].time()
    }

    fn each(&self, line: u32) -> Option<f64> {
        Some(self.time(line)? / self.kernel(line).count as f64)
    }

    /// Shortest and longest launch, and whether there were several; a given time has no spread.
    fn spread(&self, line: u32) -> Option<(f64, f64, bool)> {
        if self.analysis.lines[line as usize].given.time {
            let each = self.each(line)?;
            return Some((each, each, false));
        }
        let kernel = self.kernel(line);
        let timing = kernel.timing?;
        Some((timing.shortest, timing.longest, kernel.count > 1))
    }

    fn lines(&self) -> u32 {
        self.analysis.lines.len() as u32
    }

    fn by_time(&self, free: &[bool]) -> Vec<u32> {
        let mut lines: Vec<_> = (0..self.lines())
            .filter(|line| free[*line as usize])
            .collect();
        let time = |line: &u32| self.time(*line).unwrap_or(0.0);
        lines.sort_by(|a, b| time(b).total_cmp(&time(a)));
        lines
    }
}

/// Pairs the kernels of two profiles: first those paired `by_hand`, then by name and launch shape, then by a name that
/// is left once on either side.
pub fn pair(before: Side<'_>, after: Side<'_>, by_hand: &[(KernelKey, KernelKey)]) -> Pairing {
    let mut free = [&before, &after].map(|side| vec![true; side.lines() as usize]);
    let mut found: Vec<(u32, u32, PairedBy)> = Vec::new();
    let find =
        |side: &Side<'_>, key: &KernelKey| (0..side.lines()).find(|l| key.is(side.kernel(*l)));
    for (one, other) in by_hand {
        if let (Some(b), Some(a)) = (find(&before, one), find(&after, other))
            && free[0][b as usize]
            && free[1][a as usize]
        {
            found.push((b, a, PairedBy::Hand));
            (free[0][b as usize], free[1][a as usize]) = (false, false);
        }
    }
    let exact = index(&after, &free[1], |kernel| (&*kernel.name, &*kernel.launch));
    for line in 0..before.lines() {
        let kernel = before.kernel(line);
        let partner = exact.get(&(&*kernel.name, &*kernel.launch));
        if let Some([partner]) = partner.map(Vec::as_slice)
            && free[0][line as usize]
        {
            found.push((line, *partner, PairedBy::NameAndShape));
            (free[0][line as usize], free[1][*partner as usize]) = (false, false);
        }
    }
    let left = index(&before, &free[0], |kernel| &*kernel.name);
    let right = index(&after, &free[1], |kernel| &*kernel.name);
    for (name, lines) in &left {
        if let ([b], Some([a])) = (lines.as_slice(), right.get(name).map(Vec::as_slice)) {
            found.push((*b, *a, PairedBy::Name));
            (free[0][*b as usize], free[1][*a as usize]) = (false, false);
        }
    }
    summed(before, after, found, &free)
}

fn index<'a, K: std::hash::Hash + Eq>(
    side: &Side<'a>,
    free: &[bool],
    key: impl Fn(&'a Kernel) -> K,
) -> HashMap<K, Vec<u32>> {
    let mut index: HashMap<K, Vec<u32>> = HashMap::new();
    let lines = side.profile.kernels.lines.iter().zip(0..side.lines());
    for (kernel, line) in lines.filter(|(_, line)| free[*line as usize]) {
        index.entry(key(kernel)).or_default().push(line);
    }
    index
}

fn summed(
    before: Side<'_>,
    after: Side<'_>,
    found: Vec<(u32, u32, PairedBy)>,
    free: &[Vec<bool>; 2],
) -> Pairing {
    let mut pairing = Pairing {
        only_before: before.by_time(&free[0]),
        only_after: after.by_time(&free[1]),
        ..Pairing::default()
    };
    let before_count = |line: u32| before.kernel(line).count;
    let after_count = |line: u32| after.kernel(line).count;
    for (b, a, by) in found {
        let times = before.time(b).zip(after.time(a));
        let each = before.each(b).zip(after.each(a));
        let gained = times.map(|(before, after)| before - after);
        if let Some((before, after)) = times {
            pairing.before += before;
            pairing.after += after;
            pairing.gained += (before - after).max(0.0);
            pairing.lost += (after - before).max(0.0);
            let counts = [before_count(b), after_count(a)];
            pairing.launches[0] += counts[0];
            pairing.launches[1] += counts[1];
            pairing.after_as_before += after / counts[1] as f64 * counts[0] as f64;
        }
        pairing.pairs.push(Pair {
            before: b,
            after: a,
            by,
            ratio: each.map(|(before, after)| before / after),
            gained,
            within_noise: noise(before.spread(b), after.spread(a)),
        });
    }
    let change = |pair: &Pair| pair.gained.map_or(-1.0, f64::abs);
    pairing.pairs.sort_by(|a, b| {
        let by_line = || a.before.cmp(&b.before);
        change(b).total_cmp(&change(a)).then_with(by_line)
    });
    pairing
}

/// Whether two spreads overlap; `None` where neither is known.
fn noise(before: Option<(f64, f64, bool)>, after: Option<(f64, f64, bool)>) -> Option<bool> {
    let (one, other) = before.zip(after)?;
    (one.2 || other.2).then_some(one.0 <= other.1 && other.0 <= one.1)
}
