//! What is given by hand for kernels: work, traffic, an unprofiled time, or a kind of workload that says how much they do.
use super::judge::{Amounts, Slots};
use super::judged::Given;
use super::selector::{Matcher, Selector};
use super::{Kernel, Kernels};
use crate::model::cost::{Level, Path};
use crate::model::expression::Expression;
use crate::model::quantity::{Bytes, Flops, Quantity, Seconds};
use crate::model::workload::Kind;

/// Numbers for kernels that the profiler did not count; all of them are per launch.
#[derive(Debug, Clone, PartialEq)]
pub struct Fill {
    pub of: Selector,
    pub gives: Gives,
    /// Whether it takes the place of what was counted, instead of filling only what is missing. A time always does.
    pub replaces: bool,
}

/// What a fill gives, per launch; amounts are a quantity such as `33.55 MFLOP`, or an expression.
///
/// Names an expression can use: `threads`, `grid` and `block` of the launch shape; `work`, `traffic` and `time` as
/// counted; and the named groups of the selecting pattern, as in `gemm_(?<m>\d+)x(?<n>\d+)`.
#[derive(Debug, Clone, PartialEq)]
pub enum Gives {
    /// In FLOP.
    Work(Path, String),
    /// In B.
    Traffic(Level, String),
    /// Measured without a profiler, in s.
    Time(String),
    /// The work and the traffic of one execution of a workload.
    Kind(Box<Kind>),
}

/// Why a fill gives nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{of}: {reason}")]
pub struct FillError {
    pub of: String,
    pub reason: String,
}

impl Fill {
    /// What is wrong with it, if something is.
    pub fn check(&self) -> Result<(), FillError> {
        Compiled::of(self, &mut Slots::default()).map(|_| ())
    }

    /// In a few words: `work 33.55 MFLOP of /saxpy/`.
    pub fn text(&self) -> String {
        let of = &self.of;
        match &self.gives {
            Gives::Work(path, amount) => format!("{path} work {amount} of {of}"),
            Gives::Traffic(level, amount) => format!("{} bytes {amount} of {of}", level.name()),
            Gives::Time(amount) => format!("unprofiled time {amount} of {of}"),
            Gives::Kind(kind) => format!("{} of {of}", kind.title()),
        }
    }
}

/// An amount ready to be asked.
#[derive(Debug, Clone)]
enum Amount {
    Number(f64),
    Formula(Expression),
}

/// The names every expression can use, before those of a pattern's groups.
const NAMES: [&str; 6] = ["threads", "grid", "block", "work", "traffic", "time"];

impl Amount {
    fn of<Q: Quantity>(text: &str, groups: &[String]) -> Result<Self, String> {
        let error = match Q::parse(text) {
            Ok(quantity) => return Ok(Self::Number(quantity.get())),
            Err(error) => error.to_string(),
        };
        let groups = groups.iter().map(String::as_str);
        let names: Vec<_> = NAMES.into_iter().chain(groups).collect();
        match Expression::compile(text, &names) {
            Ok(formula) => Ok(Self::Formula(formula)),
            // What begins as a number is a badly written quantity, not a formula.
            Err(_) if !text.contains(|c: char| "*+-/^()".contains(c)) => Err(error),
            Err(wrong) => Err(wrong.to_string()),
        }
    }

    fn value(&self, names: impl FnOnce() -> Vec<f64>) -> Option<f64> {
        match self {
            Self::Number(value) => Some(*value),
            Self::Formula(formula) => formula.value(&names()).ok(),
        }
    }
}

#[derive(Debug, Clone)]
enum Effect {
    Work(usize, Amount),
    Traffic(usize, Amount),
    Time(Amount),
    /// Per slot.
    Both(Vec<(usize, f64)>, Vec<(usize, f64)>),
}

#[derive(Debug, Clone)]
struct Compiled {
    matcher: Matcher,
    groups: Vec<String>,
    effect: Effect,
    replaces: bool,
}

impl Compiled {
    fn of(fill: &Fill, slots: &mut Slots) -> Result<Self, FillError> {
        let wrong = |reason: String| FillError {
            of: fill.of.to_string(),
            reason,
        };
        let matcher = fill
            .of
            .matcher()
            .map_err(|error| wrong(error.to_string()))?;
        let groups: Vec<_> = match &matcher {
            Matcher::Pattern(pattern) => pattern
                .capture_names()
                .flatten()
                .map(str::to_owned)
                .collect(),
            _ => Vec::new(),
        };
        let effect = match &fill.gives {
            Gives::Work(path, text) => {
                let amount = Amount::of::<Flops>(text, &groups).map_err(wrong)?;
                Effect::Work(slots.path(*path), amount)
            }
            Gives::Traffic(level, text) => {
                let amount = Amount::of::<Bytes>(text, &groups).map_err(wrong)?;
                Effect::Traffic(slots.level(*level), amount)
            }
            Gives::Time(text) => Effect::Time(Amount::of::<Seconds>(text, &groups).map_err(wrong)?),
            Gives::Kind(kind) => {
                let cost = kind
                    .family()
                    .cost()
                    .map_err(|error| wrong(error.to_string()))?;
                let work = cost.work.iter();
                let work = work
                    .map(|(path, work)| (slots.path(*path), work.get()))
                    .collect();
                let traffic = cost.traffic.iter();
                let traffic = traffic.map(|(level, bytes)| (slots.level(*level), bytes.get()));
                Effect::Both(work, traffic.collect())
            }
        };
        Ok(Self {
            matcher,
            groups,
            effect,
            replaces: fill.replaces,
        })
    }

    /// The values of the names an expression can use, on a line; NaN where one is not known.
    fn names(&self, kernel: &Kernel, counted: [f64; 3]) -> Vec<f64> {
        let grid = extent(&kernel.launch, "grid");
        let block = extent(&kernel.launch, "block");
        let mut values = vec![grid * block, grid, block];
        values.extend(counted.map(|sum| sum / kernel.count as f64));
        if let Matcher::Pattern(pattern) = &self.matcher {
            let found = pattern.captures(&kernel.name);
            let group = |name: &String| {
                let text = found.as_ref()?.name(name)?.as_str();
                text.parse::<f64>().ok()
            };
            values.extend(
                self.groups
                    .iter()
                    .map(|name| group(name).unwrap_or(f64::NAN)),
            );
        }
        values
    }
}

/// The product of the numbers behind a word of a launch shape: `grid 128×2×1` is 256. NaN where there are none.
fn extent(launch: &str, word: &str) -> f64 {
    let Some((_, rest)) = launch.split_once(word) else {
        return f64::NAN;
    };
    let end = rest.find(',').unwrap_or(rest.len());
    let numbers = rest[..end].split(|c: char| !c.is_ascii_digit());
    let numbers = numbers.filter(|text| !text.is_empty());
    let numbers: Vec<f64> = numbers.filter_map(|text| text.parse().ok()).collect();
    if numbers.is_empty() {
        return f64::NAN;
    }
    numbers.iter().product()
}

/// All fills of a profile, ready for every line.
#[derive(Debug, Clone, Default)]
pub(super) struct Filler {
    fills: Vec<Compiled>,
}

impl Filler {
    /// Of fills, in order; those that give nothing are told.
    pub fn of(fills: &[Fill], slots: &mut Slots) -> (Self, Vec<FillError>) {
        let (mut filler, mut wrong) = (Self::default(), Vec::new());
        for fill in fills {
            match Compiled::of(fill, slots) {
                Ok(compiled) => filler.fills.push(compiled),
                Err(error) => wrong.push(error),
            }
        }
        (filler, wrong)
    }

    /// Puts what is given for a line in place of what is missing, or was counted; says which.
    pub fn apply(
        &self,
        slots: &Slots,
        kernels: &Kernels,
        line: usize,
        amounts: &mut Amounts,
        time: &mut f64,
    ) -> Given {
        let mut given = Given::default();
        if self.fills.is_empty() {
            return given;
        }
        let kernel = &kernels.lines[line];
        let launches = kernel.count as f64;
        let main = amounts
            .main_traffic(slots)
            .map_or(f64::NAN, |(_, bytes)| bytes);
        let counted = [amounts.total_work(slots), main, *time];
        for fill in self
            .fills
            .iter()
            .filter(|fill| fill.matcher.selects(kernel))
        {
            let value = |amount: &Amount| {
                let value = amount.value(|| fill.names(kernel, counted))? * launches;
                (value.is_finite() && value >= 0.0).then_some(value)
            };
            match &fill.effect {
                Effect::Work(slot, amount) => {
                    if let Some(value) = value(amount) {
                        given.work |= fill.work(amounts, slots, &[(*slot, value)]);
                    }
                }
                Effect::Traffic(slot, amount) => {
                    if let Some(value) = value(amount) {
                        given.traffic |= fill.traffic(amounts, &[(*slot, value)]);
                    }
                }
                Effect::Time(amount) => {
                    if let Some(value) = value(amount).filter(|value| *value > 0.0) {
                        *time = value;
                        given.time = true;
                    }
                }
                Effect::Both(work, traffic) => {
                    let all = |list: &[(usize, f64)]| -> Vec<_> {
                        list.iter()
                            .map(|(slot, each)| (*slot, each * launches))
                            .collect()
                    };
                    given.work |= fill.work(amounts, slots, &all(work));
                    given.traffic |= fill.traffic(amounts, &all(traffic));
                }
            }
        }
        given
    }
}

impl Compiled {
    /// Work is of the whole kernel: what is given takes the place of all that was counted.
    fn work(&self, amounts: &mut Amounts, slots: &Slots, given: &[(usize, f64)]) -> bool {
        if given.is_empty() || !(self.replaces || amounts.total_work(slots).is_nan()) {
            return false;
        }
        amounts.work.fill(f64::NAN);
        for (slot, work) in given {
            amounts.work[*slot] = *work;
        }
        true
    }

    /// Traffic is of one level: the others keep what was counted.
    fn traffic(&self, amounts: &mut Amounts, given: &[(usize, f64)]) -> bool {
        let mut used = false;
        for (slot, traffic) in given {
            let at_level = &mut amounts.traffic[*slot];
            if self.replaces || at_level.is_nan() {
                *at_level = *traffic;
                used = true;
            }
        }
        used
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launch_shapes_have_an_extent() {
        let launch = "grid 128×2×1, block 256×1×1";
        assert_eq!(extent(launch, "grid"), 256.0);
        assert_eq!(extent(launch, "block"), 256.0);
        assert!(extent("", "grid").is_nan());
    }

    #[test]
    fn a_fill_that_gives_nothing_says_why() {
        let fill = |of, amount: &str| Fill {
            of,
            gives: Gives::Work(Path::SPECIAL, amount.to_owned()),
            replaces: false,
        };
        let name = || Selector::Name("k".to_owned());
        assert_eq!(fill(name(), "2 * threads").check(), Ok(()));
        assert_eq!(fill(name(), "33.5 MFLOP").check(), Ok(()));
        let broken = fill(Selector::Pattern("(".to_owned()), "1").check();
        assert!(
            broken
                .unwrap_err()
                .to_string()
                .contains("no regular expression")
        );
        let unknown = fill(name(), "2 * thread").check().unwrap_err();
        assert!(unknown.reason.contains("thread"), "{unknown}");
        assert!(fill(name(), "3 GB").check().is_err());
    }
}
