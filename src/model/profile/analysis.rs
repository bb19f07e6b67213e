//! Every kernel of a profile beside the roofs of a GPU, the one with most time to recover first.
use super::fill::{FillError, Filler};
use super::judge::{Amounts, Rates, Slots};
use super::judged::{Given, Judged, Missing};
use super::ladder::Ladder;
use super::summary::{Summary, Totals};
use super::{Profile, Unjudged};
use crate::model::cost::{Level, Path};
use crate::model::gpu::{Basis, Gpu, JudgedBy};
use crate::model::placement::Assumptions;

/// The kernels of a profile, judged.
#[derive(Debug, Clone, Default)]
pub struct Analysis {
    /// A line each, in the order of the profile's kernels.
    pub lines: Vec<Judged>,
    /// Lines by recoverable time, the largest first; those without it follow by their time.
    pub order: Vec<u32>,
    /// Of all lines.
    pub summary: Summary,
    /// The clock of the run ÷ the nominal one, where compute, L1 and L2 roofs are scaled by it.
    pub clock_ratio: Option<f64>,
    /// Fills that give nothing, and why.
    pub problems: Vec<FillError>,
    slots: Slots,
    filler: Filler,
    rates: Option<AllRates>,
    /// What one launch takes at most, in s; zero where that is not known.
    launch_overhead: f64,
    /// Compute units of the GPU; zero where that is not known.
    units: f64,
}

/// Rates at the clocks of the run, by both bases, and the judged ones at nominal clocks.
#[derive(Debug, Clone)]
struct AllRates {
    theoretical: Rates,
    achievable: Rates,
    nominal: Option<Rates>,
    judged_by: JudgedBy,
}

impl AllRates {
    fn of(slots: &Slots, profile: &Profile, gpu: &Gpu, assumptions: Assumptions) -> Self {
        let scaled = profile.clocks.applied_to(gpu);
        let at_run = scaled.as_ref().unwrap_or(gpu);
        let by = |judged_by| Assumptions {
            judged_by,
            ..assumptions
        };
        Self {
            theoretical: Rates::of(slots, at_run, by(JudgedBy::Theoretical)),
            achievable: Rates::of(slots, at_run, by(JudgedBy::Achievable)),
            nominal: scaled.is_some().then(|| Rates::of(slots, gpu, assumptions)),
            judged_by: assumptions.judged_by,
        }
    }

    fn by(&self, by: JudgedBy) -> &Rates {
        match by {
            JudgedBy::Theoretical => &self.theoretical,
            JudgedBy::Achievable => &self.achievable,
        }
    }
}

impl Analysis {
    /// Judges every kernel by the roofs of `gpu`; without one, only what was measured is told.
    ///
    /// Kernels are held against compute and memory roofs alone: what a profiler times begins after the launch.
    pub fn of(profile: &Profile, gpu: Option<&Gpu>, assumptions: Assumptions) -> Self {
        let mut slots = Slots::of(&profile.kernels);
        let (filler, problems) = Filler::of(&profile.choices.fills, &mut slots);
        let mut analysis = Self {
            rates: gpu.map(|gpu| AllRates::of(&slots, profile, gpu, assumptions)),
            clock_ratio: gpu.and_then(|gpu| profile.clocks.of_nominal(gpu)),
            launch_overhead: gpu
                .and_then(|gpu| gpu.launch_overhead)
                .map_or(0.0, |time| time.get()),
            units: gpu
                .and_then(|gpu| gpu.parts.units.as_ref())
                .map_or(0.0, |units| units.value.get()),
            slots,
            filler,
            problems,
            ..Self::default()
        };
        let mut totals = Totals::default();
        let mut amounts = Amounts::new(&analysis.slots);
        let mut room = Vec::new();
        let count = profile.kernels.lines.len().min(u32::MAX as usize);
        analysis.lines.reserve_exact(count);
        for line in 0..count {
            let (judged, ladder) = analysis.judge(profile, line, &mut amounts, &mut room);
            totals.take(&judged, profile.kernels.lines[line].count, ladder);
            analysis.lines.push(judged);
        }
        analysis.order = analysis.ranked(0..count as u32);
        analysis.summary = analysis.concentrated(totals, &analysis.order);
        analysis
    }

    fn judge(
        &self,
        profile: &Profile,
        line: usize,
        amounts: &mut Amounts,
        room: &mut Vec<f64>,
    ) -> (Judged, Option<Ladder>) {
        let kernel = &profile.kernels.lines[line];
        let (time, given) = self.fill(profile, line, amounts);
        let amounts = &*amounts;
        let work = amounts.total_work(&self.slots);
        let main = amounts.main_traffic(&self.slots);
        let mut judged = Judged {
            line: line as u32,
            missing: Missing {
                work: work.is_nan(),
                traffic: main.is_none(),
                time: time.is_nan(),
            },
            level: main.map_or(Level::Dram, |(level, _)| level),
            path: None,
            wanted: None,
            limiter: None,
            basis: Basis::Theoretical,
            unjudged: None,
            given,
            time,
            bound: f64::NAN,
            nominal: f64::NAN,
            work,
            traffic: main.map_or(f64::NAN, |(_, traffic)| traffic),
        };
        let Some(rates) = &self.rates else {
            return (judged, None);
        };
        let other = rates.judged_by.other();
        let mut bound = |rates: &Rates| rates.bound(&self.slots, amounts, room);
        let bound_by = match bound(rates.by(rates.judged_by)) {
            Ok(bound) => bound,
            Err(reason) => {
                judged.unjudged = Some(reason);
                return (judged, None);
            }
        };
        judged.bound = bound_by.time;
        judged.limiter = Some(bound_by.limiter);
        judged.path = bound_by.path;
        judged.wanted = bound_by.wanted;
        judged.basis = bound_by.basis;
        let nominal = rates.nominal.as_ref().map(&mut bound);
        judged.nominal = nominal.map_or(bound_by.time, |nominal| {
            nominal.map_or(f64::NAN, |nominal| nominal.time)
        });
        let other_time = bound(rates.by(other)).map_or(bound_by.time, |bound| bound.time);
        let (theoretical, achievable) = match rates.judged_by {
            JudgedBy::Theoretical => (bound_by.time, other_time),
            JudgedBy::Achievable => (other_time, bound_by.time),
        };
        let launching = kernel.count as f64 * self.launch_overhead;
        let tails = achievable * tail(&kernel.launch, self.units);
        let ladder =
            (!time.is_nan()).then(|| Ladder::of(time, theoretical, achievable, launching + tails));
        (judged, ladder)
    }

    /// Lines by recoverable time, the largest first; those without it follow by their time.
    pub fn ranked(&self, lines: impl IntoIterator<Item = u32>) -> Vec<u32> {
        let key = |line: u32| {
            let judged = &self.lines[line as usize];
            let recoverable = judged.recoverable().unwrap_or(f64::NEG_INFINITY);
            (recoverable, judged.time().unwrap_or(0.0), line)
        };
        let mut keys: Vec<_> = lines.into_iter().map(key).collect();
        keys.sort_unstable_by(|a, b| {
            let by_time = || b.1.total_cmp(&a.1).then(a.2.cmp(&b.2));
            b.0.total_cmp(&a.0).then_with(by_time)
        });
        keys.into_iter().map(|(.., line)| line).collect()
    }

    /// What some lines come to.
    pub fn summary_of(&self, profile: &Profile, lines: &[u32]) -> Summary {
        let mut totals = Totals::default();
        for line in lines {
            let launches = profile.kernels.lines[*line as usize].count;
            let judged = &self.lines[*line as usize];
            totals.take(judged, launches, self.ladder(profile, *line as usize));
        }
        self.concentrated(totals, &self.ranked(lines.iter().copied()))
    }

    fn concentrated(&self, totals: Totals, order: &[u32]) -> Summary {
        let recoverable = order
            .iter()
            .map(|line| self.lines[*line as usize].recoverable());
        Summary::of(totals, recoverable.map_while(|time| time))
    }

    /// The gap of a line between what the roofs allow and what was measured; `None` where one of them is not known.
    pub fn ladder(&self, profile: &Profile, line: usize) -> Option<Ladder> {
        let mut amounts = Amounts::new(&self.slots);
        self.judge(profile, line, &mut amounts, &mut Vec::new()).1
    }

    /// The share of the roofs a line reached, by the judged basis and by the other one where that is known too.
    pub fn shares(&self, profile: &Profile, line: usize) -> Vec<(Basis, f64)> {
        let (Some(rates), Some(time)) = (&self.rates, self.lines[line].time()) else {
            return Vec::new();
        };
        let amounts = self.amounts(profile, line);
        let by = [rates.judged_by, rates.judged_by.other()];
        let bounds = by.map(|by| rates.by(by).bound(&self.slots, &amounts, &mut Vec::new()));
        let mut shares: Vec<(Basis, f64)> = Vec::new();
        for bound in bounds.into_iter().flatten() {
            if shares.iter().all(|(basis, _)| *basis != bound.basis) {
                shares.push((bound.basis, bound.time / time));
            }
        }
        shares
    }

    /// Work of all launches of a line per path, in FLOP, as it is judged.
    pub fn work_of(&self, profile: &Profile, line: usize) -> Vec<(Path, f64)> {
        let work = self.amounts(profile, line).work;
        let work = self.slots.paths.iter().copied().zip(work);
        work.filter(|(_, work)| !work.is_nan()).collect()
    }

    /// Traffic of all launches of a line per level, in B, as it is judged; from the memory outward.
    pub fn traffic_of(&self, profile: &Profile, line: usize) -> Vec<(Level, f64)> {
        let traffic = self.amounts(profile, line).traffic;
        let traffic = self.slots.levels.iter().copied().zip(traffic);
        let mut traffic: Vec<_> = traffic.filter(|(_, traffic)| !traffic.is_nan()).collect();
        traffic.sort_by_key(|(level, _)| *level);
        traffic
    }

    /// Traffic of all launches of a line at one level, in B.
    pub fn traffic_at(&self, profile: &Profile, line: usize, level: Level) -> Option<f64> {
        let traffic = self.traffic_of(profile, line);
        let at_level = traffic.into_iter().find(|(l, _)| *l == level);
        at_level.map(|(_, traffic)| traffic)
    }

    fn amounts(&self, profile: &Profile, line: usize) -> Amounts {
        let mut amounts = Amounts::new(&self.slots);
        self.fill(profile, line, &mut amounts);
        amounts
    }

    /// What a line asks and took, as counted and as given here; says what was given.
    fn fill(&self, profile: &Profile, line: usize, amounts: &mut Amounts) -> (f64, Given) {
        let kernels = &profile.kernels;
        let timing = kernels.lines[line].timing;
        let mut time = timing.map_or(f64::NAN, |timing| timing.sum);
        amounts.count(&self.slots, kernels, line);
        let given = self
            .filler
            .apply(&self.slots, kernels, line, amounts, &mut time);
        (time, given)
    }
}

/// How much longer than evenly spread work the blocks of a launch take on so many units, as a part of it: 16 blocks leave
/// 116 of 132 units idle, and of 133 blocks one unit has two.
fn tail(launch: &str, units: f64) -> f64 {
    let Some(blocks) = blocks(launch).filter(|_| units > 0.0) else {
        return 0.0;
    };
    (blocks / units).ceil() * units / blocks - 1.0
}

/// The blocks of `grid 40×2×1, block 128×1×1`; `None` where a launch shape does not say.
fn blocks(launch: &str) -> Option<f64> {
    let (mut product, mut number, mut any) = (1.0, None, false);
    for c in launch.strip_prefix("grid ")?.chars() {
        match c.to_digit(10) {
            Some(digit) => number = Some(number.unwrap_or(0.0) * 10.0 + f64::from(digit)),
            None => {
                product *= number.take().unwrap_or(1.0);
                any = true;
                if c == ',' {
                    break;
                }
            }
        }
    }
    let product: f64 = product * number.unwrap_or(1.0);
    (any && product >= 1.0 && product.is_finite()).then_some(product)
}

impl Judged {
    /// Whether the GPU has no roof for what it asks.
    pub fn is_unsupported(&self) -> bool {
        let no_roof = |reason| !matches!(reason, Unjudged::NothingAsked);
        self.unjudged.is_some_and(no_roof)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_do_not_spread_evenly_leave_a_tail() {
        assert_eq!(blocks("grid 40×2×1, block 128×1×1"), Some(80.0));
        assert_eq!(
            blocks("grid 16"),
            None,
            "no shape as this program writes them"
        );
        assert_eq!(blocks("variant tiled, n 4096"), None);
        let launch = |blocks: u32| format!("grid {blocks}×1×1, block 256×1×1");
        assert_eq!(tail(&launch(16), 132.0), 132.0 / 16.0 - 1.0);
        assert_eq!(tail(&launch(264), 132.0), 0.0);
        assert_eq!(tail(&launch(133), 132.0), 264.0 / 133.0 - 1.0);
        assert_eq!(tail(&launch(133), 0.0), 0.0);
    }
}
