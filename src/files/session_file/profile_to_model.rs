//! Profiles from the file's structs to the model: what the model would not allow is refused, with its place.
use super::problem::{Problem, at, unix_lines};
use super::v1_profile::{
    CounterFile, FillFile, FilterFile, FormulaFile, GivesFile, KernelFile, KeyFile, MappingFile,
    ProfileFile, SelectorFile,
};
use crate::model::join::{Mapping, Match};
use crate::model::placement::Regime;
use crate::model::profile::{
    ByteSource, Clocks, Counter, Counters, Factor, Fill, Filter, Formula, Gives, Kernel, KernelKey,
    Kernels, Profile, Selector, Source, Target, TermOfFormula, Timing, pattern,
};
use crate::model::quantity::Quantity;
use std::collections::HashSet;
use std::sync::Arc;

/// The profile of a file, without what names another thing of the session; `prefix` leads to it, with a dot at the end.
pub(super) fn profile(file: &mut ProfileFile, prefix: &str) -> Result<Profile, Problem> {
    let counters = counters(std::mem::take(&mut file.counters), prefix)?;
    let formulas = std::mem::take(&mut file.formulas);
    let formulas = formulas
        .into_iter()
        .enumerate()
        .map(|(index, file)| formula(file, &counters, &format!("{prefix}formulas.{index}")));
    let formulas = formulas.collect::<Result<_, _>>()?;
    let mut kernels = kernels(
        std::mem::take(&mut file.kernels),
        counters,
        formulas,
        prefix,
    )?;
    kernels.per_second = file.per_second;
    kernels.waiting = file.waiting.map(Quantity::get);
    let source = Source {
        file: std::mem::take(&mut file.file),
        format: std::mem::take(&mut file.format),
        hash: std::mem::take(&mut file.hash),
    };
    let mut profile = Profile::new(file.name.trim(), source, kernels);
    profile.clocks = Clocks {
        compute: file.clock.map(Quantity::get),
        memory: file.memory_clock.map(Quantity::get),
    };
    profile.byte_source = match &file.bytes_from {
        None => ByteSource::Counter,
        Some(name) => byte_source(name).map_err(at(format!("{prefix}bytes_from")))?,
    };
    profile.notes = file.notes.drain(..).map(unix_lines).collect();
    choices(file, prefix, &mut profile)?;
    Ok(profile)
}

fn byte_source(name: &str) -> Result<ByteSource, String> {
    let mut all = ByteSource::ALL.into_iter();
    let names = ByteSource::ALL.map(ByteSource::name).join(", ");
    let unknown = || format!("bytes are not known from {name:?}: write one of {names}");
    all.find(|source| source.name() == name).ok_or_else(unknown)
}

fn counters(files: Vec<CounterFile>, prefix: &str) -> Result<Counters, Problem> {
    let mut names = HashSet::new();
    for (index, file) in files.iter().enumerate() {
        if !names.insert(&file.name) {
            let message = format!(
                "{:?} is an earlier counter: give each a name of its own",
                file.name
            );
            return Err(at(format!("{prefix}counters.{index}.name"))(message));
        }
    }
    let columns = files
        .into_iter()
        .map(|CounterFile { name, unit }| Counter { name, unit });
    Ok(Counters::new(columns.collect()))
}

fn formula(file: FormulaFile, counters: &Counters, path: &str) -> Result<Formula, Problem> {
    let target = match (file.work, file.traffic) {
        (Some(path), None) => Target::Work(path),
        (None, Some(level)) => Target::Traffic(level),
        _ => {
            let message =
                "a formula gives either work of a path or traffic of a level: write one of the two";
            return Err(at(path)(message.to_owned()));
        }
    };
    let mut terms = Vec::new();
    for (index, term) in file.terms.into_iter().enumerate() {
        let path = format!("{path}.terms.{index}");
        if !term.times.is_finite() {
            let message = format!(
                "{} is no number to multiply with: write a finite one",
                term.times
            );
            return Err(at(format!("{path}.times"))(message));
        }
        let mut factors = Vec::new();
        for (index, factor) in term.of.into_iter().enumerate() {
            let unknown = || {
                let counter = &factor.counter;
                format!(
                    "there is no counter named {counter:?}: write the name of one in this profile"
                )
            };
            let column = counters.column(&factor.counter);
            let column = column.ok_or_else(unknown);
            factors.push(Factor {
                column: column.map_err(at(format!("{path}.of.{index}.counter")))?,
                minus: factor.minus,
                required: !factor.optional,
            });
        }
        terms.push(TermOfFormula {
            coefficient: term.times,
            factors,
        });
    }
    Ok(Formula {
        target,
        terms,
        note: file.note,
    })
}

fn kernels(
    files: Vec<KernelFile>,
    mut counters: Counters,
    formulas: Vec<Formula>,
    prefix: &str,
) -> Result<Kernels, Problem> {
    let mut lines: Vec<Kernel> = Vec::with_capacity(files.len());
    let mut seen = HashSet::with_capacity(files.len());
    for (index, file) in files.into_iter().enumerate() {
        let path = |field: &str| format!("{prefix}kernels.{index}{field}");
        let columns = counters.columns().len();
        if !file.counted.is_empty() && file.counted.len() != columns {
            let message = format!(
                "there are {} values for {columns} counters: write one each, or None",
                file.counted.len()
            );
            return Err(at(path(".counted"))(message));
        }
        let line = counters.add_line();
        for (column, value) in file.counted.iter().enumerate() {
            if let Some(value) = value
                && !counters.add(line, column, *value)
            {
                let message = format!("{value} is no count: write a number from zero up, or None");
                return Err(at(path(&format!(".counted.{column}")))(message));
            }
        }
        let kernel = kernel(file).map_err(|message| at(path(""))(message))?;
        if !seen.insert((Arc::clone(&kernel.name), Arc::clone(&kernel.launch))) {
            let message = format!(
                "{:?} with this launch shape is an earlier line: keep one of them",
                kernel.name
            );
            return Err(at(path(".name"))(message));
        }
        lines.push(kernel);
    }
    Ok(Kernels {
        lines,
        counters,
        formulas,
        per_second: false,
        waiting: None,
    })
}

fn kernel(file: KernelFile) -> Result<Kernel, String> {
    if file.count == 0 {
        return Err("a kernel was launched once at least: write its count".to_owned());
    }
    let timing = file.time.map(|sum| {
        let each = sum.get() / file.count as f64;
        let or = |time: Option<crate::model::quantity::Seconds>| time.map_or(each, Quantity::get);
        Timing {
            sum: sum.get(),
            median: or(file.median),
            shortest: or(file.shortest),
            longest: or(file.longest),
        }
    });
    let ordered = |t: &Timing| 0.0 < t.shortest && t.shortest <= t.median && t.median <= t.longest;
    if timing.as_ref().is_some_and(|timing| !ordered(timing)) {
        let message =
            "times are above zero, the shortest at most the median, and that at most the longest";
        return Err(message.to_owned());
    }
    Ok(Kernel {
        name: file.name.into(),
        launch: file.launch.into(),
        count: file.count,
        timing,
        derivation: file.derived.map(Arc::from),
    })
}

fn choices(file: &mut ProfileFile, prefix: &str, profile: &mut Profile) -> Result<(), Problem> {
    let choices = &mut profile.choices;
    let filter = file.filter.take().map(|file| filter(file, prefix));
    choices.filter = filter.transpose()?.unwrap_or_default();
    choices.grouped = file.grouped;
    choices.hidden = file.hidden.drain(..).map(KeyFile::key).collect();
    choices.isolated = file.isolated.drain(..).map(KeyFile::key).collect();
    for alias in file.aliases.drain(..) {
        choices.set_alias(&alias.of, &alias.name);
    }
    for (index, file) in file.fills.drain(..).enumerate() {
        let fill = fill(file);
        let checked = fill.check().map_err(|error| error.reason);
        checked.map_err(at(format!("{prefix}fills.{index}.gives")))?;
        choices.fills.push(fill);
    }
    let pairs = file.pairs.drain(..);
    choices.pairs = pairs
        .map(|pair| (pair.before.key(), pair.after.key()))
        .collect();
    Ok(())
}

fn filter(file: FilterFile, prefix: &str) -> Result<Filter, Problem> {
    let regime = file.regime.map(|name| {
        let names = Regime::ALL.map(Regime::name).join(", ");
        let unknown = || format!("{name:?} is no regime: write one of {names}");
        Regime::named(&name).ok_or_else(unknown)
    });
    if let Some(part) = file.heaviest.filter(|part| !(0.0..=1.0).contains(part)) {
        let message = format!("{part} is no part of the time: write a number from 0 to 1");
        return Err(at(format!("{prefix}filter.heaviest"))(message));
    }
    Ok(Filter {
        name: file.name,
        level: file.level,
        path: file.path,
        regime: regime
            .transpose()
            .map_err(at(format!("{prefix}filter.regime")))?,
        heaviest: file.heaviest,
    })
}

impl KeyFile {
    fn key(self) -> KernelKey {
        KernelKey {
            name: self.name,
            launch: self.launch,
        }
    }
}

fn selector(file: SelectorFile) -> Selector {
    match file {
        SelectorFile::Line(key) => Selector::Line(key.key()),
        SelectorFile::Name(name) => Selector::Name(name),
        SelectorFile::Pattern(text) => Selector::Pattern(text),
    }
}

fn fill(file: FillFile) -> Fill {
    Fill {
        of: selector(file.of),
        gives: match file.gives {
            GivesFile::Work { path, amount } => Gives::Work(path, amount),
            GivesFile::Traffic { level, amount } => Gives::Traffic(level, amount),
            GivesFile::Time(amount) => Gives::Time(amount),
            GivesFile::Kind(kind) => Gives::Kind(kind),
        },
        replaces: file.replaces,
    }
}

/// The mapping of a file; `path` leads to it.
pub(super) fn mapping(file: MappingFile, path: &str) -> Result<Mapping, Problem> {
    if !(file.executions.is_finite() && file.executions > 0.0) {
        let message = format!(
            "{} is no number of executions: write one above zero",
            file.executions
        );
        return Err(at(format!("{path}.executions"))(message));
    }
    let mut groups = Vec::new();
    for (index, group) in file.groups.into_iter().enumerate() {
        for (kernel, file) in group.kernels.iter().enumerate() {
            if let SelectorFile::Pattern(text) = file {
                let path = format!("{path}.groups.{index}.kernels.{kernel}");
                pattern(text).map_err(|error| at(path)(error.to_string()))?;
            }
        }
        groups.push(Match {
            operators: group.operators,
            kernels: group.kernels.into_iter().map(selector).collect(),
        });
    }
    Ok(Mapping {
        groups,
        executions: file.executions,
    })
}
