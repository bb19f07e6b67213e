//! Every kernel of a profile beside the roofs of a GPU, the one with most time to recover first.
use super::clocks::{CYCLES, Nominal, Scale};
use super::fill::{FillError, Filler};
use super::judge::{Amounts, Rates, Slots};
use super::judged::{Given, Judged, Missing};
use super::ladder::Ladder;
use super::summary::{Summary, Totals};
use super::{Profile, Unjudged};
use crate::model::cost::{Level, Path};
use crate::model::gpu::{Basis, Gpu, JudgedBy};
use crate::model::placement::Assumptions;
use crate::model::units;

/// The kernels of a profile, judged.
#[derive(Debug, Clone, Default)]
pub struct Analysis {
    /// A line each, in the order of the profile's kernels.
    pub lines: Vec<Judged>,
    /// Lines by recoverable time, the largest first; those without it follow by their time, and those without times by
    /// their share of the roof, the smallest first.
    pub order: Vec<u32>,
    /// Of all lines.
    pub summary: Summary,
    /// Clocks of lines ÷ the nominal one, the least and the most, where compute, L1 and L2 roofs are scaled by them.
    pub clock_ratios: Option<[f64; 2]>,
    /// Fills that give nothing, and why.
    pub problems: Vec<FillError>,
    slots: Slots,
    filler: Filler,
    rates: Option<AllRates>,
    nominal: Option<Nominal>,
    /// The column of cycles.
    cycles: Option<usize>,
    /// What one launch takes at most, in s; zero where that is not known.
    launch_overhead: f64,
    /// Compute units of the GPU; zero where that is not known.
    units: f64,
}

/// Rates at nominal clocks, by both bases.
#[derive(Debug, Clone)]
struct AllRates {
    theoretical: Rates,
    achievable: Rates,
    judged_by: JudgedBy,
}

impl AllRates {
    fn of(slots: &Slots, gpu: &Gpu, assumptions: Assumptions) -> Self {
        let by = |judged_by| Assumptions {
            judged_by,
            ..assumptions
        };
        Self {
            theoretical: Rates::of(slots, gpu, by(JudgedBy::Theoretical)),
            achievable: Rates::of(slots, gpu, by(JudgedBy::Achievable)),
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
            rates: gpu.map(|gpu| AllRates::of(&slots, gpu, assumptions)),
            nominal: gpu.and_then(Nominal::of),
            cycles: profile.kernels.counters.column(CYCLES),
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
            if let Some(ratio) = judged.clock_ratio() {
                let [least, most] = analysis.clock_ratios.get_or_insert([ratio; 2]);
                (*least, *most) = (least.min(ratio), most.max(ratio));
            }
            totals.take(&judged, profile.kernels.lines[line].count, ladder);
            analysis.lines.push(judged);
        }
        totals.ladder.waiting = profile.kernels.waiting.unwrap_or(0.0);
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
        let per_second = profile.kernels.per_second && !given.time;
        let mut judged = Judged {
            per_second,
            line: line as u32,
            missing: Missing {
                work: work.is_nan(),
                traffic: main.is_none(),
                time: time.is_nan() || per_second,
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
            clock_ratio: f64::NAN,
            work,
            traffic: main.map_or(f64::NAN, |(_, traffic)| traffic),
        };
        let Some(rates) = &self.rates else {
            return (judged, None);
        };
        let other = rates.judged_by.other();
        let scale = self.scale(profile, line);
        judged.clock_ratio = scale.map_or(f64::NAN, |scale| scale.clock);
        let scale = scale.unwrap_or(Scale::NOMINAL);
        let mut bound = |by, scale| rates.by(by).bound(&self.slots, amounts, scale, room);
        let bound_by = match bound(rates.judged_by, scale) {
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
        judged.nominal = match scale == Scale::NOMINAL {
            true => bound_by.time,
            false => bound(rates.judged_by, Scale::NOMINAL).map_or(f64::NAN, |bound| bound.time),
        };
        let other_time = bound(other, scale).map_or(bound_by.time, |bound| bound.time);
        let (theoretical, achievable) = match rates.judged_by {
            JudgedBy::Theoretical => (bound_by.time, other_time),
            JudgedBy::Achievable => (other_time, bound_by.time),
        };
        let launching = kernel.count as f64 * self.launch_overhead;
        let tails = achievable * tail(&kernel.launch, self.units);
        let ladder = judged
            .time()
            .is_some()
            .then(|| Ladder::of(time, theoretical, achievable, launching + tails));
        (judged, ladder)
    }

    /// The scale of the roofs that judge a line: at its own clock, else at the mean of the file.
    fn scale(&self, profile: &Profile, line: usize) -> Option<Scale> {
        let own = self
            .cycles
            .and_then(|column| profile.kernels.clock_in(line, column));
        self.nominal?.scale(own.or(profile.clocks.compute)?)
    }

    /// The clocks of lines ÷ the nominal one, in words: `80 %`, or `60 %–120 %` where they differ.
    pub fn clock_text(&self) -> Option<String> {
        let [least, most] = self.clock_ratios?.map(units::percent);
        Some(match least == most {
            true => least,
            false => format!("{least}–{most}"),
        })
    }

    /// Lines in that order.
    pub fn ranked(&self, lines: impl IntoIterator<Item = u32>) -> Vec<u32> {
        let key = |line: u32| {
            let judged = &self.lines[line as usize];
            let recoverable = judged.recoverable().unwrap_or(f64::NEG_INFINITY);
            let share = judged.share().unwrap_or(f64::INFINITY);
            (recoverable, judged.time().unwrap_or(0.0), share, line)
        };
        let mut keys: Vec<_> = lines.into_iter().map(key).collect();
        keys.sort_unstable_by(|a, b| {
            let by_time = || b.1.total_cmp(&a.1).then(a.2.total_cmp(&b.2));
            let alike = || by_time().then(a.3.cmp(&b.3));
            b.0.total_cmp(&a.0).then_with(alike)
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
        // The device waits between all kernels, which says nothing of some of them.
        if lines.len() == self.lines.len() {
            totals.ladder.waiting = profile.kernels.waiting.unwrap_or(0.0);
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
        let time = self.lines[line].time;
        let Some(rates) = self.rates.as_ref().filter(|_| !time.is_nan()) else {
            return Vec::new();
        };
        let amounts = self.amounts(profile, line);
        let by = [rates.judged_by, rates.judged_by.other()];
        let scale = self.scale(profile, line).unwrap_or(Scale::NOMINAL);
        let bound = |by| {
            let rates = rates.by(by);
            rates.bound(&self.slots, &amounts, scale, &mut Vec::new())
        };
        let bounds = by.map(bound);
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
        if !kernels.per_second {
            return (time, given);
        }
        // Rates are of a second per launch, until a time says of how many. Beside an amount that was given they say
        // nothing without one.
        let seconds = kernels.lines[line].count as f64;
        let scale = match (given.time, given.work || given.traffic) {
            (false, false) => return (seconds, given),
            (true, _) => time / seconds,
            (false, true) => f64::NAN,
        };
        amounts.count(&self.slots, kernels, line);
        amounts.multiply(scale);
        self.filler
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
