//! What many kernels come to: sums, and the one sentence that says where the time went.
use super::judged::{Judged, Standing};
use super::ladder::Ladder;
use crate::model::units::{self, Unit};

/// The part of what is recoverable that the sentence asks the fewest kernels of.
pub const MOST: f64 = 0.8;

/// Sums over kernels; times in s, of all launches.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Totals {
    /// Lines.
    pub kernels: usize,
    /// Launches of all of them.
    pub launches: u64,
    /// Measured, of every line with a time.
    pub time: f64,
    /// Measured, of the lines that the roofs say something of.
    pub judged_time: f64,
    /// What the judged roofs allow for these.
    pub bound: f64,
    /// The same at nominal clocks.
    pub nominal_bound: f64,
    /// Recoverable time of the lines below their roofs; those above it take nothing away.
    pub recoverable: f64,
    /// Lines that are judged.
    pub judged: usize,
    pub placed: usize,
    /// Lines in the gutter.
    pub zero_work: usize,
    pub without_work: usize,
    pub without_traffic: usize,
    pub without_time: usize,
    /// Lines that could be judged: with a time, and work or traffic.
    pub judgeable: usize,
    /// Lines that the GPU has no roof for.
    pub unsupported: usize,
    /// Lines above their roof.
    pub above: usize,
    /// Lines of which only rates are known, and the least and the most of a roof that they reach.
    pub rates: usize,
    pub shares: Option<[f64; 2]>,
    /// Lines judged by the roof of another path than that of their work, which the GPU lacks.
    pub other_path: usize,
    /// The gap of the judged lines together, without those above their roofs, which would hide that of others.
    pub ladder: Ladder,
}

/// Sums, how they concentrate, and the sentence.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Summary {
    pub totals: Totals,
    /// The fewest kernels that hold most of the recoverable time.
    pub few: usize,
    /// The part they hold, 0–1.
    pub part: f64,
    /// `5 kernels hold 80 % of 3.1 ms recoverable`.
    pub sentence: String,
}

impl Totals {
    /// Takes one more line in.
    pub(super) fn take(&mut self, judged: &Judged, launches: u64, ladder: Option<Ladder>) {
        self.kernels += 1;
        self.launches += launches;
        self.time += judged.time().unwrap_or(0.0);
        match judged.standing() {
            Standing::Placed => self.placed += 1,
            Standing::ZeroWork => self.zero_work += 1,
            Standing::NotPlaced => {}
        }
        self.without_work += usize::from(judged.missing.work);
        self.without_traffic += usize::from(judged.missing.traffic);
        self.without_time += usize::from(judged.missing.time);
        self.unsupported += usize::from(judged.is_unsupported());
        let asked = !(judged.missing.work && judged.missing.traffic);
        self.judgeable += usize::from(asked && (judged.per_second || !judged.missing.time));
        if let Some(share) = judged.share().filter(|_| judged.per_second) {
            self.rates += 1;
            let [least, most] = self.shares.get_or_insert([share; 2]);
            (*least, *most) = (least.min(share), most.max(share));
        }
        let (Some(time), Some(bound)) = (judged.time(), judged.bound()) else {
            return;
        };
        self.judged += 1;
        self.judged_time += time;
        self.bound += bound;
        self.nominal_bound += judged.nominal_bound().unwrap_or(bound);
        self.recoverable += (time - bound).max(0.0);
        self.other_path += usize::from(judged.wanted.is_some());
        match judged.is_above() {
            true => self.above += 1,
            false => self.ladder += ladder.unwrap_or_default(),
        }
    }

    /// Lines with no mark and no place in the gutter.
    pub fn not_placed(&self) -> usize {
        self.kernels - self.placed - self.zero_work
    }
}

impl Summary {
    /// Of totals, and of recoverable times from the largest on.
    pub(super) fn of(totals: Totals, recoverable: impl Iterator<Item = f64>) -> Self {
        let (mut few, mut held) = (0, 0.0);
        for time in recoverable.take_while(|time| *time > 0.0) {
            if held >= MOST * totals.recoverable {
                break;
            }
            few += 1;
            held += time;
        }
        let part = match totals.recoverable {
            0.0 => 0.0,
            all => (held / all).min(1.0),
        };
        Self {
            sentence: sentence(&totals, few, part),
            totals,
            few,
            part,
        }
    }
}

fn sentence(totals: &Totals, few: usize, part: f64) -> String {
    let kernels = |count: usize| match count {
        1 => "1 kernel".to_owned(),
        count => format!("{} kernels", units::count(count as f64)),
    };
    if totals.kernels == 0 {
        return "no kernels".to_owned();
    }
    if let Some([least, most]) = totals.shares.filter(|_| totals.judged == 0) {
        let [least, most] = [least, most].map(units::percent);
        let reach = match totals.rates {
            1 => format!("1 kernel reaches {least} of its roof"),
            n => format!(
                "{} kernels reach {least} to {most} of their roofs",
                units::count(n as f64)
            ),
        };
        return format!("{reach}; without times nothing says what there is to win");
    }
    if totals.judged == 0 {
        let lacking = [
            (totals.without_time, "time"),
            (totals.without_traffic, "traffic"),
            (totals.without_work, "work"),
        ];
        let lacking = lacking.iter().filter(|(count, _)| *count > 0);
        let lacking =
            lacking.map(|(count, what)| format!("{} without {what}", units::count(*count as f64)));
        let lacking: Vec<_> = lacking.collect();
        let why = match totals.unsupported {
            0 if totals.judgeable > 0 => "choose the GPU they ran on".to_owned(),
            0 => lacking.join(", "),
            count => format!(
                "the GPU has no roof for {} of them",
                units::count(count as f64)
            ),
        };
        return format!("none of {} can be judged: {why}", kernels(totals.kernels));
    }
    if few == 0 {
        return format!(
            "nothing to recover: {} at the roof or above",
            kernels(totals.judged)
        );
    }
    let holds = if few == 1 { "holds" } else { "hold" };
    format!(
        "{} {holds} {} of {} recoverable",
        kernels(few),
        units::percent(part),
        units::short(totals.recoverable, Unit::Second)
    )
}
