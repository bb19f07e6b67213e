//! How work and traffic follow from the counters an Nsight Compute file has.
use super::collect::Column;
use super::metrics::{self, How, MatrixWork, OPERATIONS, RECIPES, SHARE, THROUGHPUT};
use crate::model::cost::{Level, Path};
use crate::model::format::NumberFormat;
use crate::model::profile::{Factor, Formula, Target, TermOfFormula};

/// The formulas of these columns; traffic by the best way there is per level.
pub fn of(columns: &[Column]) -> Vec<Formula> {
    let mut formulas = Vec::new();
    for format in [NumberFormat::FP64, NumberFormat::FP32, NumberFormat::FP16] {
        formulas.extend(vector(columns, format));
    }
    formulas.extend(matrix(columns));
    for level in [Level::Dram, Level::L2, Level::L1] {
        formulas.extend(traffic(columns, level));
    }
    formulas
}

fn find(columns: &[Column], base: &str, how: How) -> Option<usize> {
    columns
        .iter()
        .position(|column| column.base == base && column.how == how)
}

/// A counter, counted if it was, else from a rate.
fn any(columns: &[Column], base: &str) -> Option<(usize, How)> {
    let ways = [How::Counted, How::PerCycle, How::PerSecond];
    ways.into_iter()
        .find_map(|how| Some((find(columns, base, how)?, how)))
}

fn term(coefficient: f64, factor: Factor) -> TermOfFormula {
    TermOfFormula {
        coefficient,
        factors: vec![factor],
    }
}

/// What is said of a quantity that was counted per second or per cycle.
fn derived(how: How) -> &'static str {
    match how {
        How::Counted => "",
        How::PerSecond => "derived: a rate times the time of the launch",
        How::PerCycle => "derived: a rate per cycle times the cycles of the launch",
    }
}

fn joined(notes: &[&str]) -> String {
    let mut all: Vec<&str> = Vec::new();
    for note in notes.iter().filter(|note| !note.is_empty()) {
        if !all.contains(note) {
            all.push(note);
        }
    }
    all.join("; ")
}

fn vector(columns: &[Column], format: NumberFormat) -> Option<Formula> {
    let mut terms = Vec::new();
    let mut notes = vec!["an FMA is two operations"];
    let mut absent = Vec::new();
    for (operation, _, weight) in OPERATIONS.iter().filter(|(_, of, _)| *of == format) {
        match any(columns, &metrics::counter_of(operation)) {
            Some((column, how)) => {
                terms.push(term(*weight, Factor::of(column)));
                notes.push(derived(how));
            }
            None if !operation.ends_with('2') => absent.push(*operation),
            None => {}
        }
    }
    if format == NumberFormat::FP16 {
        notes.push("an instruction does a packed pair, as in Nsight Compute's own roofline");
    }
    let without = format!(
        "without {}, which the file does not have: a lower bound",
        absent.join(", ")
    );
    if !absent.is_empty() {
        notes.push(&without);
    }
    (!terms.is_empty()).then(|| Formula {
        target: Target::Work(Path::vector(format)),
        terms,
        note: joined(&notes),
    })
}

/// A formula a path of the matrix unit, each operation counted once however often the file has it.
fn matrix(columns: &[Column]) -> Vec<Formula> {
    let counted: Vec<(&Column, MatrixWork<'_>)> = columns
        .iter()
        .filter_map(|column| Some((column, metrics::matrix_work(&column.base)?)))
        .collect();
    let only_kinds = counted.iter().all(|(_, work)| work.of_one_kind);
    let mut formulas: Vec<Formula> = Vec::new();
    for (index, (column, work)) in counted.iter().enumerate() {
        let covered = counted
            .iter()
            .enumerate()
            .any(|(at, (other, more))| at != index && covers(more, other, work, column));
        if covered || (work.of_one_kind && !only_kinds) {
            continue;
        }
        let Some((at, how)) = any(columns, &column.base).filter(|(_, how)| *how == column.how)
        else {
            continue;
        };
        let new = term(1.0, Factor::of(at));
        let target = Target::Work(work.path);
        match formulas.iter_mut().find(|formula| formula.target == target) {
            Some(formula) => formula.terms.push(new),
            None => formulas.push(Formula {
                target,
                terms: vec![new],
                note: joined(&["operations are counted, an FMA being two", derived(how)]),
            }),
        }
    }
    formulas
}

/// Whether what `work` counts is also counted by `more`, which is to be used instead.
fn covers(more: &MatrixWork<'_>, other: &Column, work: &MatrixWork<'_>, column: &Column) -> bool {
    if more.from != work.from || other.base == column.base || more.of_one_kind != work.of_one_kind {
        return false;
    }
    // Of one result rather than of all, and with and without sparsity together rather than apart.
    let finer = more.to.is_some() && work.to.is_none();
    let together = more.to == work.to && more.sparsity.is_none() && work.sparsity.is_some();
    finer || together
}

fn traffic(columns: &[Column], level: Level) -> Option<Formula> {
    let recipes = || RECIPES.iter().filter(move |recipe| recipe.level == level);
    for how in [How::Counted, How::PerSecond, How::PerCycle] {
        for recipe in recipes() {
            let parts = recipe
                .parts
                .iter()
                .map(|(base, bytes, required)| (find(columns, base, how), *bytes, *required));
            let parts: Vec<_> = parts.collect();
            if parts
                .iter()
                .any(|(column, _, required)| *required && column.is_none())
            {
                continue;
            }
            let terms = parts.into_iter().filter_map(|(column, bytes, required)| {
                let factor = if required {
                    Factor::of(column?)
                } else {
                    Factor::optional(column?)
                };
                Some((bytes, factor))
            });
            return Some(Formula {
                target: Target::Traffic(level),
                terms: grouped(terms),
                note: joined(&[recipe.note, derived(how)]),
            });
        }
    }
    let throughput = find(columns, THROUGHPUT, How::PerSecond);
    let share = find(columns, SHARE, How::Counted);
    let (column, note) = match (level, throughput, share) {
        (Level::Dram, Some(column), _) => (column, derived(How::PerSecond)),
        (Level::Dram, _, Some(column)) => (
            column,
            "derived: share of the peak × 2 · memory clock · bus width ÷ 8 × time",
        ),
        _ => return None,
    };
    Some(Formula {
        note: note.to_owned(),
        ..Formula::single(Target::Traffic(level), 1.0, vec![Factor::of(column)])
    })
}

/// Counters with the same coefficient in one term.
fn grouped(parts: impl Iterator<Item = (f64, Factor)>) -> Vec<TermOfFormula> {
    let mut terms: Vec<TermOfFormula> = Vec::new();
    for (coefficient, factor) in parts {
        match terms
            .iter_mut()
            .find(|known| known.coefficient == coefficient)
        {
            Some(known) => known.factors.push(factor),
            None => terms.push(term(coefficient, factor)),
        }
    }
    terms
}
