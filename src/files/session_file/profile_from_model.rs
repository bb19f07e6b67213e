//! Profiles from the model to the file's structs: nothing but kernels, and of their source its own name and hash.
use super::v1_profile::{
    AliasFile, CounterFile, FactorFile, FillFile, FilterFile, FormulaFile, GivesFile, GroupFile,
    KernelFile, KeyFile, MappingFile, PairFile, ProfileFile, SelectorFile, TermFile,
};
use crate::model::join::Mapping;
use crate::model::profile::{
    ByteSource, Choices, Fill, Filter, Formula, Gives, Kernel, KernelKey, Kernels, Profile,
    Selector, Target, Timing,
};
use crate::model::quantity::{Hertz, Seconds};
use crate::model::session::Session;
use crate::model::units;

/// The most kernels of a profile that a session file holds; of more, those that took longest.
pub const MOST_KERNELS: usize = 100_000;

/// The most bytes the kernels of a profile take, about.
const ROOM: usize = super::MOST_BYTES / 3;

impl ProfileFile {
    /// The file's form of a profile.
    pub fn of(session: &Session, profile: &Profile) -> Self {
        let kernels = &*profile.kernels;
        let kept = kept(kernels);
        let gpu = profile.gpu.and_then(|id| session.gpu(id));
        let clock = |clock: Option<f64>| Hertz::try_from(clock?).ok();
        let choices = &profile.choices;
        let against = choices.against.and_then(|id| session.profile(id));
        let mut notes = profile.notes.clone();
        notes.extend(left_out(kernels));
        Self {
            name: profile.name.trim().to_owned(),
            file: own_name(&profile.source.file).to_owned(),
            format: profile.source.format.clone(),
            hash: profile.source.hash.clone(),
            gpu: gpu.map(|gpu| gpu.name.trim().to_owned()),
            clock: clock(profile.clocks.compute),
            memory_clock: clock(profile.clocks.memory),
            bytes_from: (profile.byte_source != ByteSource::Counter)
                .then(|| profile.byte_source.name().to_owned()),
            notes: notes
                .iter()
                .map(|note| note.replace("\r\n", "\n"))
                .collect(),
            per_second: kernels.per_second,
            waiting: kernels
                .waiting
                .and_then(|time| Seconds::try_from(time).ok()),
            filter: FilterFile::of(&choices.filter),
            grouped: choices.grouped,
            aliases: choices.aliases.iter().map(alias).collect(),
            hidden: choices.hidden.iter().map(KeyFile::of).collect(),
            isolated: choices.isolated.iter().map(KeyFile::of).collect(),
            fills: choices.fills.iter().map(FillFile::of).collect(),
            against: against.map(|profile| profile.name.trim().to_owned()),
            pairs: against.map_or(Vec::new(), |_| pairs(choices)),
            mappings: mappings(session, choices),
            counters: counters(kernels),
            formulas: kernels
                .formulas
                .iter()
                .map(|formula| FormulaFile::of(formula, kernels))
                .collect(),
            kernels: kept
                .into_iter()
                .map(|line| KernelFile::of(kernels, line))
                .collect(),
        }
    }
}

/// A file's name without the folders it is in, which are nobody's business.
fn own_name(file: &str) -> &str {
    file.rsplit(['/', '\\']).next().unwrap_or(file)
}

/// The sentence about kernels a file has no room for.
pub fn left_out(kernels: &Kernels) -> Option<String> {
    let kept = kept(kernels);
    let all = kernels.lines.len();
    if kept.len() == all {
        return None;
    }
    let time = |line: usize| kernels.lines[line].timing.map_or(0.0, |timing| timing.sum);
    let whole: f64 = (0..all).map(time).sum();
    let held: f64 = kept.iter().map(|line| time(*line)).sum();
    let part = match whole {
        0.0 => String::new(),
        whole => format!(", with {} of the time", units::percent(held / whole)),
    };
    let [kept, all] = [kept.len(), all].map(|count| units::count(count as f64));
    Some(format!(
        "the session keeps the {kept} heaviest of {all} kernels{part}"
    ))
}

/// The lines kept, in their order: as many of the heaviest as a file has room for.
fn kept(kernels: &Kernels) -> Vec<usize> {
    let mut lines: Vec<_> = (0..kernels.lines.len()).collect();
    let columns = kernels.counters.columns().len();
    // About what a line takes: its texts, some 60 B of words and times, and 16 B a counter.
    let size = |line: &usize| {
        let kernel = &kernels.lines[*line];
        let derivation = kernel.derivation.as_ref().map_or(0, |text| text.len());
        kernel.name.len() + kernel.launch.len() + derivation + 160 + 16 * columns
    };
    if lines.len() > MOST_KERNELS || lines.iter().map(size).sum::<usize>() > ROOM {
        let time = |line: &usize| kernels.lines[*line].timing.map_or(0.0, |timing| timing.sum);
        // Stable: of equal times the earlier stay.
        lines.sort_by(|a, b| time(b).total_cmp(&time(a)));
        let mut taken = 0;
        let fits = |line: &&usize| {
            taken += size(line);
            taken <= ROOM
        };
        let count = lines.iter().take(MOST_KERNELS).take_while(fits).count();
        lines.truncate(count);
        lines.sort_unstable();
    }
    lines
}

fn counters(kernels: &Kernels) -> Vec<CounterFile> {
    let columns = kernels.counters.columns().iter();
    let columns = columns.map(|column| CounterFile {
        name: column.name.clone(),
        unit: column.unit.clone(),
    });
    columns.collect()
}

impl FormulaFile {
    fn of(formula: &Formula, kernels: &Kernels) -> Self {
        let (work, traffic) = match formula.target {
            Target::Work(path) => (Some(path), None),
            Target::Traffic(level) => (None, Some(level)),
        };
        let terms = formula.terms.iter().map(|term| {
            let factors = term.factors.iter().map(|factor| FactorFile {
                counter: kernels.counters.columns()[factor.column].name.clone(),
                minus: factor.minus,
                optional: !factor.required,
            });
            TermFile {
                times: term.coefficient,
                of: factors.collect(),
            }
        });
        Self {
            work,
            traffic,
            terms: terms.collect(),
            note: formula.note.clone(),
        }
    }
}

impl KernelFile {
    fn of(kernels: &Kernels, line: usize) -> Self {
        let Kernel {
            name,
            launch,
            count,
            timing,
            derivation,
        } = &kernels.lines[line];
        let seconds = |time: fn(&Timing) -> f64| Seconds::try_from(time(timing.as_ref()?)).ok();
        let several = |time: fn(&Timing) -> f64| seconds(time).filter(|_| *count > 1);
        let columns = 0..kernels.counters.columns().len();
        Self {
            name: name.to_string(),
            launch: launch.to_string(),
            count: *count,
            time: seconds(|timing| timing.sum),
            median: several(|timing| timing.median),
            shortest: several(|timing| timing.shortest),
            longest: several(|timing| timing.longest),
            derived: derivation.as_deref().map(str::to_owned),
            counted: columns
                .map(|column| kernels.counters.get(line, column))
                .collect(),
        }
    }
}

impl FilterFile {
    fn of(filter: &Filter) -> Option<Self> {
        (!filter.is_open()).then(|| Self {
            name: filter.name.clone(),
            level: filter.level,
            path: filter.path,
            regime: filter.regime.map(|regime| regime.name().to_owned()),
            heaviest: filter.heaviest,
        })
    }
}

fn alias((of, name): (&String, &String)) -> AliasFile {
    AliasFile {
        of: of.clone(),
        name: name.clone(),
    }
}

impl KeyFile {
    fn of(key: &KernelKey) -> Self {
        Self {
            name: key.name.clone(),
            launch: key.launch.clone(),
        }
    }
}

fn pairs(choices: &Choices) -> Vec<PairFile> {
    let pairs = choices.pairs.iter().map(|(before, after)| PairFile {
        before: KeyFile::of(before),
        after: KeyFile::of(after),
    });
    pairs.collect()
}

fn mappings(session: &Session, choices: &Choices) -> Vec<MappingFile> {
    let file = |mapping: &Mapping, workload: String| MappingFile {
        workload,
        executions: mapping.executions,
        groups: mapping
            .groups
            .iter()
            .map(|group| GroupFile {
                operators: group.operators.clone(),
                kernels: group.kernels.iter().map(SelectorFile::of).collect(),
            })
            .collect(),
    };
    let mappings = choices.mappings.iter().filter_map(|(id, mapping)| {
        let workload = session.workload(*id)?.name.trim().to_owned();
        Some(file(mapping, workload))
    });
    mappings.collect()
}

impl SelectorFile {
    fn of(selector: &Selector) -> Self {
        match selector {
            Selector::Line(key) => Self::Line(KeyFile::of(key)),
            Selector::Name(name) => Self::Name(name.clone()),
            Selector::Pattern(text) => Self::Pattern(text.clone()),
        }
    }
}

impl FillFile {
    fn of(fill: &Fill) -> Self {
        let gives = match fill.gives.clone() {
            Gives::Work(path, amount) => GivesFile::Work { path, amount },
            Gives::Traffic(level, amount) => GivesFile::Traffic { level, amount },
            Gives::Time(amount) => GivesFile::Time(amount),
            Gives::Kind(kind) => GivesFile::Kind(kind),
        };
        Self {
            of: SelectorFile::of(&fill.of),
            gives,
            replaces: fill.replaces,
        }
    }
}
