//! From launches and operators to kernels: who launched what, on which path, and how much of it.
use super::gather::{Gathered, Launch, Operator};
use super::work::Work;
use crate::model::cost::{Level, Path};
use crate::model::format::NumberFormat;
use crate::model::profile::{self, Builder, Counter, Factor, Formula, Kernels, Target};
use std::collections::HashMap;

/// Levels that launches of a trace can have traffic at.
const LEVELS: [Level; 3] = [Level::Dram, Level::HostLink, Level::ScaleUpLink];

/// Kernels, and what was found out on the way.
pub(super) struct Lines {
    pub kernels: Kernels,
    /// Operators whose work was given to one of several kernels.
    pub shared: u64,
    /// Kernels, without copies and fills, and what they took together in s.
    pub launched: u64,
    pub busy: f64,
    /// Of the kernels: those whose work is known.
    pub with_work: u64,
    /// Copies and fills, and what they took together in s.
    pub copies: u64,
    pub copying: f64,
    /// Launches whose duration is none.
    pub without_time: u64,
}

/// What a launch asks for.
#[derive(Clone, Copy)]
struct Asked {
    operator: u32,
    /// Of the operator's work.
    part: f64,
}

/// Makes lines of everything gathered; `amd` says whose device it ran on.
pub(super) fn lines(gathered: &mut Gathered, amd: bool) -> Lines {
    resolve(gathered);
    let (asked, shared) = asked(gathered);
    let paths = paths(gathered, &asked, amd);
    let columns = LEVELS.iter().map(|level| column(&Target::Traffic(*level)));
    let columns = columns.chain(paths.iter().map(|path| column(&Target::Work(*path))));
    let mut builder = Builder::new(columns.collect());
    let mut shapes = HashMap::new();
    let mut lines = Lines {
        kernels: Kernels::default(),
        shared,
        launched: 0,
        busy: 0.0,
        with_work: 0,
        copies: 0,
        copying: 0.0,
        without_time: 0,
    };
    for (launch, asked) in gathered.launches.iter().zip(&asked) {
        lines.count(launch, asked.is_some());
        let operator = asked.map(|asked| &gathered.operators[asked.operator as usize]);
        let key = (launch.shape, asked.map(|asked| asked.operator));
        let shape = shapes.entry(key).or_insert_with(|| {
            let shape = &gathered.shapes.list[launch.shape as usize];
            with_operator(shape, operator)
        });
        let name = &gathered.names.list[launch.name as usize];
        let values = values(launch, *asked, operator, &paths, name, amd);
        let derivation = derivation(operator, *asked);
        builder.add(
            profile::Launch {
                name,
                shape,
                time: time(launch),
                derivation: derivation.as_deref(),
            },
            values,
        );
    }
    let (kernels, _) = builder.finish(formulas(&paths));
    lines.kernels = kernels;
    lines
}

impl Lines {
    fn count(&mut self, launch: &Launch, known: bool) {
        let time = time(launch);
        self.without_time += u64::from(time.is_none());
        let time = time.unwrap_or_default();
        if launch.kernel {
            self.launched += 1;
            self.busy += time;
            self.with_work += u64::from(known);
        } else {
            self.copies += 1;
            self.copying += time;
        }
    }
}

/// What a launch took in s; zero is below what the clock of a trace can tell, and no time.
fn time(launch: &Launch) -> Option<f64> {
    (launch.time > 0.0 && launch.time.is_finite()).then_some(launch.time)
}

/// Finds the operators of launches that only name the call of the runtime.
fn resolve(gathered: &mut Gathered) {
    gathered.calls.sort_unstable();
    gathered.links.sort_unstable();
    let links = &gathered.links;
    for launch in &mut gathered.launches {
        if launch.external == 0 && launch.correlation > 0 {
            let found = links.binary_search_by_key(&launch.correlation, |link| link.0);
            launch.external = found.map_or(0, |at| links[at].1);
        }
    }
}

/// What each launch asks for. The work of an operator that launched several kernels goes to the one that takes
/// longest of all of them, in all its calls; the others prepare and finish.
fn asked(gathered: &Gathered) -> (Vec<Option<Asked>>, u64) {
    let launches = &gathered.launches;
    let mut order: Vec<u32> = (0..launches.len() as u32)
        .filter(|at| launches[*at as usize].kernel && launches[*at as usize].external > 0)
        .collect();
    order.sort_unstable_by_key(|at| launches[*at as usize].external);
    let groups = || order.chunk_by(|a, b| external(launches, *a) == external(launches, *b));
    let mut totals: HashMap<(u32, u32), f64> = HashMap::new();
    for group in groups().filter(|group| group.len() > 1) {
        let Some(operator) = operator(gathered, external(launches, group[0])) else {
            continue;
        };
        for at in group {
            let launch = &launches[*at as usize];
            *totals.entry((operator, launch.name)).or_default() += time(launch).unwrap_or(0.0);
        }
    }
    let mut asked = vec![None; launches.len()];
    let mut shared = 0;
    for group in groups() {
        let Some(operator) = operator(gathered, external(launches, group[0])) else {
            continue;
        };
        let name = |at: &u32| launches[*at as usize].name;
        let total = |at: &u32| totals.get(&(operator, name(at))).copied().unwrap_or(0.0);
        let main = group.iter().max_by(|a, b| total(a).total_cmp(&total(b)));
        let Some(main) = main.map(name) else { continue };
        let many = group.iter().filter(|at| name(at) == main).count();
        shared += u64::from(group.len() > 1);
        for at in group.iter().filter(|at| name(at) == main) {
            let part = 1.0 / many as f64;
            asked[*at as usize] = Some(Asked { operator, part });
        }
    }
    (asked, shared)
}

fn external(launches: &[Launch], at: u32) -> u64 {
    launches[at as usize].external
}

fn operator(gathered: &Gathered, external: u64) -> Option<u32> {
    let calls = &gathered.calls;
    let found = calls.binary_search_by_key(&external, |call| call.0);
    found.ok().map(|at| calls[at].1)
}

/// Every path that work runs on.
fn paths(gathered: &Gathered, asked: &[Option<Asked>], amd: bool) -> Vec<Path> {
    let mut pairs: Vec<_> = gathered
        .launches
        .iter()
        .zip(asked)
        .filter_map(|(launch, asked)| Some((asked.as_ref()?.operator, launch.name)))
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    let mut paths: Vec<_> = pairs
        .into_iter()
        .map(|(operator, name)| {
            let unit = gathered.operators[operator as usize].work.unit;
            unit.path(&gathered.names.list[name as usize], amd)
        })
        .collect();
    if gathered.launches.iter().any(|launch| !launch.kernel) {
        paths.push(NO_WORK);
    }
    paths.sort_unstable();
    paths.dedup();
    paths
}

/// Where the zero work of copies is written down.
const NO_WORK: Path = Path::vector(NumberFormat::FP32);

fn values(
    launch: &Launch,
    asked: Option<Asked>,
    operator: Option<&Operator>,
    paths: &[Path],
    name: &str,
    amd: bool,
) -> Vec<Option<f64>> {
    let mut values = vec![None; LEVELS.len() + paths.len()];
    let mut set = |path: Path, flop: f64| {
        if let Ok(at) = paths.binary_search(&path) {
            values[LEVELS.len() + at] = Some(flop);
        }
    };
    if !launch.kernel {
        set(NO_WORK, 0.0);
        if let Some((level, factor)) = moved(name) {
            let at = LEVELS.iter().position(|known| *known == level);
            let bytes = launch.bytes.map(|bytes| bytes * factor);
            values[at.unwrap_or_default()] = bytes;
        }
        return values;
    }
    let (
        Some(Work {
            flop, bytes, unit, ..
        }),
        Some(asked),
    ) = (operator.map(|operator| &operator.work), asked)
    else {
        return values;
    };
    if let Some(flop) = flop {
        set(unit.path(name, amd), flop * asked.part);
    }
    values[0] = bytes.map(|bytes| bytes * asked.part);
    values
}

/// Where a copy moves its bytes, and how often.
fn moved(name: &str) -> Option<(Level, f64)> {
    let name = name.to_ascii_lowercase();
    let has = |part: &str| name.contains(part);
    match () {
        () if has("memset") => Some((Level::Dram, 1.0)),
        () if has("dtod") => Some((Level::Dram, 2.0)),
        () if has("htod") || has("dtoh") => Some((Level::HostLink, 1.0)),
        () if has("ptop") => Some((Level::ScaleUpLink, 1.0)),
        () => None,
    }
}

fn with_operator(shape: &str, operator: Option<&Operator>) -> String {
    match operator {
        None => shape.to_owned(),
        Some(operator) if shape.is_empty() => operator.shape.clone(),
        Some(operator) => format!("{shape}, {}", operator.shape),
    }
}

fn derivation(operator: Option<&Operator>, asked: Option<Asked>) -> Option<String> {
    let derivation = &operator?.work.derivation;
    let parts = (1.0 / asked?.part).round();
    Some(match parts > 1.0 {
        true => format!("{derivation}, over {parts} launches"),
        false => derivation.clone(),
    })
}

fn column(target: &Target) -> Counter {
    let (name, unit) = match target {
        Target::Work(path) => (format!("{path} work of the operator"), "FLOP"),
        Target::Traffic(Level::Dram) => ("operands and results".to_owned(), "B"),
        Target::Traffic(level) => (format!("bytes over the {}", level.name()), "B"),
    };
    Counter {
        name,
        unit: unit.to_owned(),
    }
}

fn formulas(paths: &[Path]) -> Vec<Formula> {
    let levels = LEVELS.iter().map(|level| Target::Traffic(*level));
    let targets = levels.chain(paths.iter().map(|path| Target::Work(*path)));
    targets
        .enumerate()
        .map(|(column, target)| Formula {
            note: match target {
                Target::Work(_) => "from the shapes of the operator that launched the kernel",
                Target::Traffic(Level::Dram) => {
                    "each operand and the result once: what must move at least"
                }
                Target::Traffic(_) => "as the profiler counted them",
            }
            .to_owned(),
            ..Formula::single(target, 1.0, vec![Factor::of(column)])
        })
        .collect()
}
