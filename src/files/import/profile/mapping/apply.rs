//! Rows of a table through a mapping: kernels of a whole file, or points of its first rows as a preview.
use super::guess::unknown_unit;
use super::table::{Doubt, Head, head, is_comment, is_doubtful};
use super::unit::{Dimension, Unit};
use super::{Column, Mapping};
use crate::files::import::profile::number::{self, Decimal, Wrong};
use crate::files::import::profile::points::{Points, RATES, Row, Value};
use crate::files::import::profile::{
    Input, ProfileError, ReadProfile, check, fields, lines::Lines,
};
use crate::model::cost::{Level, Path};
use crate::model::profile::{ByteSource, Target};

/// How many rows a preview has.
const PREVIEWED: usize = 10;

/// A column of the table that is used, and its unit.
#[derive(Debug, Clone, Copy)]
struct Cell {
    /// `None` for a constant.
    at: Option<usize>,
    unit: Unit,
}

/// What to do about a number that may be read in two ways.
const SAY_WHICH: &str = "choose how numbers are written (on the command line with --decimal)";

/// How a counter that follows from a rate is called, behind the rate's name.
const TIMES_TIME: &str = " × time";

/// Work or traffic, and what it is called among the counters.
struct Quantity {
    target: Target,
    cell: Cell,
    name: String,
    unit: &'static str,
    each: f64,
}

/// A mapping with its columns found.
struct Plan {
    columns: usize,
    /// The last column that is used: rows may end behind it.
    last: usize,
    name: Vec<usize>,
    launch: Vec<(String, usize)>,
    time: Option<Cell>,
    count: Option<usize>,
    quantities: Vec<Quantity>,
    decimal: Decimal,
    /// The separator of a table in which nothing says which mark is the decimal one.
    undecided: Option<u8>,
    /// Whether there are rates alone, neither counts nor times.
    per_second: bool,
}

/// One row's numbers.
struct Numbers {
    time: Option<f64>,
    launches: f64,
    /// In the order of the plan's quantities, in their counters' units.
    values: Vec<Option<f64>>,
    /// Values that cannot be: negative ones, times of zero.
    refused: u64,
}

impl Plan {
    /// Finds the columns; an error says what is wrong with the mapping.
    fn new(mapping: &Mapping, head: &Head) -> Result<Self, String> {
        if let Some(problem) = mapping.problems(&head.columns).into_iter().next() {
            return Err(problem);
        }
        let find = |column: &String| head.columns.iter().position(|known| known == column);
        let cell = |column: &String, unit: &str| {
            let unit = Unit::read(unit)?;
            Some(Cell {
                at: find(column),
                unit,
            })
        };
        let mut quantities = Vec::new();
        for work in &mapping.work {
            let cell = cell(&work.column, &work.unit);
            quantities.extend(
                cell.map(|cell| quantity(Target::Work(work.path), cell, &work.column, &work.unit)),
            );
        }
        for traffic in &mapping.traffic {
            let cell = cell(&traffic.column, &traffic.unit);
            quantities.extend(cell.map(|cell| {
                quantity(
                    Target::Traffic(traffic.level),
                    cell,
                    &traffic.column,
                    &traffic.unit,
                )
            }));
        }
        let constants = quantities
            .iter()
            .map(|quantity: &Quantity| quantity.cell.at);
        let time = mapping
            .time
            .as_ref()
            .and_then(|Column { column, unit }| cell(column, unit));
        let texts = mapping
            .name
            .iter()
            .chain(&mapping.launch)
            .chain(&mapping.count)
            .map(find);
        let used = texts
            .chain(constants)
            .chain(time.iter().map(|time| time.at));
        let last = used.flatten().max().unwrap_or(0);
        let decimal = mapping.decimal.or(head.decimal);
        if let (None, Some(doubt)) = (decimal, doubt(mapping, head)) {
            let column = &head.columns[doubt.column];
            let readings = number::doubt(doubt.number.as_bytes()).unwrap_or_default();
            return Err(format!(
                "in {column:?}, line {}, {readings}: {SAY_WHICH}",
                doubt.line
            ));
        }
        let is_count = |quantity: &Quantity| {
            matches!(
                quantity.cell.unit.dimension,
                Dimension::Work | Dimension::Traffic
            )
        };
        let per_second =
            time.is_none() && !quantities.is_empty() && !quantities.iter().any(is_count);
        for quantity in quantities.iter_mut().filter(|_| per_second) {
            quantity.name = quantity.name.trim_end_matches(TIMES_TIME).to_owned();
        }
        Ok(Self {
            per_second,
            columns: head.columns.len(),
            last,
            name: mapping.name.iter().filter_map(find).collect(),
            launch: mapping
                .launch
                .iter()
                .filter_map(|name| Some((name.clone(), find(name)?)))
                .collect(),
            time,
            count: mapping.count.as_ref().and_then(find),
            quantities,
            undecided: decimal.is_none().then_some(head.separator),
            decimal: decimal.unwrap_or_default(),
        })
    }

    /// A cell in the unit of its dimension, `None` where it is blank.
    fn number(&self, cell: Cell, slices: &[&[u8]]) -> Result<Option<f64>, String> {
        let Some(at) = cell.at else {
            return Ok(Some(cell.unit.factor));
        };
        let text = fields::unquoted(slices[at]);
        let text = text.strip_prefix(b"<").unwrap_or(&text);
        let doubtful = self.undecided.filter(|by| is_doubtful(text, *by));
        if let Some(doubt) = doubtful.and_then(|_| number::doubt(text)) {
            return Err(format!("{doubt}: {SAY_WHICH}"));
        }
        let number = match number::parse(text, self.decimal) {
            Err(Wrong::NoNumber) if cell.unit.dimension == Dimension::Time => {
                with_unit(text, self.decimal)
            }
            number => number.map(|number| number.map(|number| scaled(number, cell.unit.factor))),
        };
        number.map_err(|wrong| {
            let text = String::from_utf8_lossy(&text[..text.len().min(40)]).into_owned();
            match wrong {
                Wrong::NoNumber => format!("{text:?} is no number"),
                Wrong::OtherDecimal => format!("{text:?} is not written like {}, as other numbers here are: say in the mapping which mark is the decimal one", self.decimal.example()),
            }
        })
    }

    fn numbers(&self, slices: &[&[u8]]) -> Result<Numbers, String> {
        let launches = match self.count {
            Some(at) => number::parse(&fields::unquoted(slices[at]), self.decimal)
                .ok()
                .flatten()
                .unwrap_or(1.0),
            None => 1.0,
        };
        let raw = self
            .quantities
            .iter()
            .map(|quantity| self.number(quantity.cell, slices));
        let raw: Vec<Option<f64>> = raw.collect::<Result<_, _>>()?;
        let negative = |value: &Option<f64>| value.is_some_and(|value| value < 0.0);
        let mut refused = raw.iter().filter(|value| negative(value)).count() as u64;
        let time = match self.time {
            Some(cell) => {
                let time = self.number(cell, slices)?;
                refused += u64::from(time.is_some_and(|time| time <= 0.0));
                time.filter(|time| *time > 0.0)
            }
            None => self.derived_time(&raw),
        };
        let mut values = Vec::with_capacity(raw.len());
        let mut work = None;
        for (quantity, value) in self.quantities.iter().zip(raw) {
            let value = match quantity.cell.unit.dimension {
                Dimension::WorkRate | Dimension::TrafficRate => {
                    value.zip(time).map(|(rate, time)| rate * time)
                }
                Dimension::Intensity => value
                    .zip(work)
                    .and_then(|(intensity, work)| (intensity > 0.0).then(|| work / intensity)),
                _ => value.map(|value| value / quantity.each),
            };
            if let (Target::Work(_), Some(value)) = (quantity.target, value) {
                work = Some(work.unwrap_or(0.0) + value);
            }
            values.push(value.filter(|value| value.is_finite() && *value >= 0.0));
        }
        Ok(Numbers {
            time,
            launches: launches.clamp(1.0, 1e15).round(),
            values,
            refused,
        })
    }

    /// Work over its rate, or traffic over its; where there are rates alone, a point stands for a second.
    fn derived_time(&self, raw: &[Option<f64>]) -> Option<f64> {
        let of = |dimension| {
            let cells = self.quantities.iter().zip(raw);
            let mut cells =
                cells.filter(move |(quantity, _)| quantity.cell.unit.dimension == dimension);
            cells.find_map(|(_, value)| *value)
        };
        let pairs = [
            (Dimension::Work, Dimension::WorkRate),
            (Dimension::Traffic, Dimension::TrafficRate),
        ];
        let time = pairs
            .into_iter()
            .find_map(|(count, rate)| Some(of(count)? / of(rate)?));
        let rate = of(Dimension::WorkRate).or(of(Dimension::TrafficRate));
        let counts = of(Dimension::Work).or(of(Dimension::Traffic));
        time.filter(|time| *time > 0.0).or(rate
            .filter(|_| counts.is_none() && self.per_second)
            .map(|_| 1.0))
    }

    fn name(&self, slices: &[&[u8]]) -> Option<String> {
        let parts = self.name.iter().map(|at| fields::text(slices[*at]));
        let parts: Vec<_> = parts.collect::<Option<_>>()?;
        Some(parts.join(" ").trim().to_owned())
    }

    fn launch(&self, slices: &[&[u8]]) -> Option<String> {
        let parts = self.launch.iter().map(|(name, at)| {
            let text = fields::text(slices[*at])?;
            Some((!text.is_empty()).then(|| format!("{name} {text}")))
        });
        let parts: Vec<Option<String>> = parts.collect::<Option<_>>()?;
        Some(parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

fn quantity(target: Target, cell: Cell, column: &str, unit: &str) -> Quantity {
    let name = if column.is_empty() { unit } else { column };
    let (name, counted, each) = match cell.unit.dimension {
        Dimension::WorkRate | Dimension::TrafficRate => (format!("{name}{TIMES_TIME}"), None, 1.0),
        Dimension::Intensity => (format!("work ÷ {name}"), None, 1.0),
        // Transactions stay what they are, so that the formula shows what one is taken for.
        Dimension::Traffic
            if matches!(
                unit.trim(),
                "transactions" | "transaction" | "sectors" | "sector"
            ) =>
        {
            (name.to_owned(), Some("transaction"), cell.unit.factor)
        }
        _ => (name.to_owned(), None, 1.0),
    };
    let si = match target {
        Target::Work(_) => "FLOP",
        Target::Traffic(_) => "B",
    };
    Quantity {
        target,
        cell,
        name,
        unit: counted.unwrap_or(si),
        each,
    }
}

/// Multiplies by a factor below one as a division, which is exact for milliseconds and the like.
fn scaled(number: f64, factor: f64) -> f64 {
    let inverse = (1.0 / factor).round();
    let exact = factor < 1.0 && inverse * factor == 1.0;
    if exact {
        number / inverse
    } else {
        number * factor
    }
}

/// A number with its own unit of time behind it: `0.350s`.
fn with_unit(text: &[u8], decimal: Decimal) -> Result<Option<f64>, Wrong> {
    let text = str::from_utf8(text).map_err(|_| Wrong::NoNumber)?;
    let at = text.find(char::is_alphabetic).ok_or(Wrong::NoNumber)?;
    let (number, unit) = text.split_at(at);
    let unit = Unit::read(unit).filter(|unit| unit.dimension == Dimension::Time);
    let unit = unit.ok_or(Wrong::NoNumber)?;
    let number = number::parse(number.as_bytes(), decimal)?;
    Ok(number.map(|number| scaled(number, unit.factor)))
}

/// Reads a whole table.
pub(super) fn apply(input: &mut Input<'_>, mapping: &Mapping) -> Result<ReadProfile, ProfileError> {
    let Some(head) = head(input.head()) else {
        return Err(
            input.wrong("it has no header that names columns: write one into its first line")
        );
    };
    if head.columns.len() >= fields::MOST_COLUMNS {
        return Err(input.wrong(format!(
            "it has more than {} columns, as no table of kernels has",
            fields::MOST_COLUMNS
        )));
    }
    let mut names: Vec<_> = head
        .columns
        .iter()
        .filter(|column| !column.is_empty())
        .collect();
    names.sort_unstable();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        let reason = format!("two columns are called {:?}: rename one of them", pair[0]);
        return Err(input.wrong_at(head.record as u64 + 1, reason));
    }
    let plan = Plan::new(mapping, &head).map_err(|problem| input.wrong(problem))?;
    let mut profile = ReadProfile::default();
    let mut points = match plan.per_second {
        true => Points::per_second(),
        false => Points::default(),
    };
    let mut lines = Lines::new(input);
    let (mut short, mut refused) = (0_u64, 0_u64);
    pass_over(&mut lines, head.record)?;
    while let Some(line) = lines.record()? {
        if is_comment(line) {
            continue;
        }
        // Tables put one behind the other bring their headers along.
        if is_header(line, &head) {
            continue;
        }
        profile.rows += 1;
        match row(&plan, head.separator, line, &mut points) {
            Ok((fields, none)) => {
                short += u64::from(fields < plan.columns);
                refused += none;
            }
            Err(reason) => profile.skip(lines.number(), || reason),
        }
    }
    if profile.rows == 0 {
        return Err(input.wrong("the table has a header and no rows"));
    }
    tell(mapping, &plan, &mut profile);
    let strange = head.columns.iter().filter_map(|c| unknown_unit(c));
    profile.warnings.extend(strange);
    let (kernels, partial) = points.finish();
    profile.kernels = kernels;
    profile.notes.extend(check::value(&profile.kernels));
    profile.warnings.extend(check::refused(refused));
    if short > 0 {
        profile.warnings.push(format!(
            "{short} rows have fewer fields than the header: those at the end are taken as blank, so check that the others are in place"
        ));
    }
    if partial > 0 {
        profile.warnings.push(format!(
            "{partial} lines have rows that lack a number others have: it is missing there"
        ));
    }
    Ok(profile)
}

/// Passes over so many lines and the header.
fn pass_over(lines: &mut Lines<'_, '_>, record: usize) -> Result<(), ProfileError> {
    for _ in 0..=record {
        lines.line()?;
    }
    Ok(())
}

fn is_header(line: &[u8], head: &Head) -> bool {
    let Some(first) = head.columns.first().filter(|first| !first.is_empty()) else {
        return false;
    };
    let mut slices = Vec::new();
    // Nearly every line is told by its first cell.
    let start = line.trim_ascii_start();
    let start = start.strip_prefix(b"\"").unwrap_or(start);
    start.starts_with(first.as_bytes())
        && fields::split(line, head.separator, &mut slices)
        && slices.len() == head.columns.len()
        && slices
            .iter()
            .zip(&head.columns)
            .all(|(field, column)| fields::text(field).is_some_and(|text| text.trim() == column))
}

/// Adds a row; says how many fields it has, and how many of its values cannot be.
fn row(
    plan: &Plan,
    separator: u8,
    line: &[u8],
    points: &mut Points,
) -> Result<(usize, u64), String> {
    let mut slices = Vec::new();
    fields::split(line, separator, &mut slices);
    let (name, launch, numbers) = read_row(plan, &slices)?;
    let refused = numbers.refused;
    let values = plan
        .quantities
        .iter()
        .zip(numbers.values)
        .map(|(quantity, value)| Value {
            target: quantity.target,
            name: &quantity.name,
            unit: quantity.unit,
            each: quantity.each,
            value,
        });
    let values: Vec<_> = values.collect();
    let row = Row {
        name: &name,
        shape: &launch,
        time: numbers.time.filter(|_| !plan.per_second),
        // A rate is one, however often it was reached.
        launches: match plan.per_second {
            true => 1.0,
            false => numbers.launches,
        },
        clock: None,
    };
    points.add(&row, &values);
    Ok((slices.len(), refused))
}

fn read_row(plan: &Plan, slices: &[&[u8]]) -> Result<(String, String, Numbers), String> {
    // A separator at the end of rows is common, and says nothing.
    let surplus = slices
        .iter()
        .skip(plan.columns)
        .any(|field| !field.trim_ascii().is_empty());
    if slices.len() <= plan.last || surplus {
        return Err(format!(
            "it has {} fields instead of {}",
            slices.len(),
            plan.columns
        ));
    }
    let not_text = || "it is not UTF-8 text: save the file as UTF-8".to_owned();
    let name = plan.name(slices).ok_or_else(not_text)?;
    if name.is_empty() {
        return Err("it names no kernel".to_owned());
    }
    let launch = plan.launch(slices).ok_or_else(not_text)?;
    Ok((name, launch, plan.numbers(slices)?))
}

/// Tells what was taken for what.
fn tell(mapping: &Mapping, plan: &Plan, profile: &mut ReadProfile) {
    let named = mapping.byte_source.as_deref();
    let source = ByteSource::ALL
        .into_iter()
        .find(|source| Some(source.name()) == named);
    profile.byte_source = source.unwrap_or(ByteSource::User);
    profile.notes.extend(mapping.note.clone());
    let column = |column: &str, unit: &str| match column {
        "" => format!("{unit} for every row"),
        column => format!("{column:?} in {unit}"),
    };
    let mut parts = Vec::new();
    parts.extend(
        mapping
            .time
            .as_ref()
            .map(|time| format!("time from {}", column(&time.column, &time.unit))),
    );
    for work in &mapping.work {
        parts.push(format!(
            "{} work from {}",
            work.path,
            column(&work.column, &work.unit)
        ));
    }
    for traffic in &mapping.traffic {
        parts.push(format!(
            "{} traffic from {}",
            traffic.level.name(),
            column(&traffic.column, &traffic.unit)
        ));
    }
    parts.insert(0, format!("kernels from {}", mapping.name.join(" and ")));
    profile
        .notes
        .push(format!("columns are read as: {}", parts.join("; ")));
    if plan.decimal == Decimal::Comma {
        profile.notes.push(format!(
            "numbers are read as they are written here, like {}",
            plan.decimal.example()
        ));
    }
    let dimensions: Vec<_> = plan
        .quantities
        .iter()
        .map(|quantity| quantity.cell.unit.dimension)
        .collect();
    if plan.per_second {
        profile.warnings.push(RATES.to_owned());
    }
    let missing = [
        ("work", mapping.work.is_empty()),
        ("memory traffic", mapping.traffic.is_empty()),
        ("time", plan.time.is_none() && dimensions.is_empty()),
    ];
    let missing: Vec<_> = missing
        .into_iter()
        .filter(|(_, is)| *is)
        .map(|(name, _)| name)
        .collect();
    if !missing.is_empty() {
        profile.warnings.push(format!(
            "no column gives {}: map one that does, or give it by hand",
            missing.join(" or ")
        ));
    }
}

/// What a row gives through a mapping.
#[derive(Debug, Clone, PartialEq)]
pub struct PreviewPoint {
    pub name: String,
    pub launch: String,
    /// In s.
    pub time: Option<f64>,
    /// In FLOP, per path.
    pub work: Vec<(Path, f64)>,
    /// In B, per level.
    pub traffic: Vec<(Level, f64)>,
    /// Whether all that is known are its rates, so that work and traffic are of one second.
    pub per_second: bool,
}

impl PreviewPoint {
    /// All work, in FLOP.
    pub fn total_work(&self) -> Option<f64> {
        (!self.work.is_empty()).then(|| self.work.iter().map(|(_, work)| work).sum())
    }

    /// In FLOP/s.
    pub fn work_rate(&self) -> Option<f64> {
        Some(self.total_work()? / self.time?)
    }

    /// At the first level, in B/s.
    pub fn traffic_rate(&self) -> Option<f64> {
        Some(self.traffic.first()?.1 / self.time?)
    }

    /// At the first level, in FLOP/B.
    pub fn intensity(&self) -> Option<f64> {
        let traffic = self.traffic.first()?.1;
        (traffic > 0.0).then_some(self.total_work()? / traffic)
    }
}

/// The first number that may be read in two ways, where nothing in the table tells in which, among those that are used.
fn doubt<'a>(mapping: &Mapping, head: &'a Head) -> Option<&'a Doubt> {
    let time = mapping.time.iter().map(|time| &time.column);
    let work = mapping.work.iter().map(|work| &work.column);
    let traffic = mapping.traffic.iter().map(|traffic| &traffic.column);
    let numbers = time.chain(work).chain(traffic).chain(&mapping.count);
    let numbers: Vec<&String> = numbers.collect();
    let mut doubts = head.doubts.iter();
    // A row may have more cells than there are columns.
    doubts.find(|doubt| {
        let column = head.columns.get(doubt.column);
        column.is_some_and(|column| numbers.contains(&column))
    })
}

/// The first rows of a table through a mapping.
#[derive(Debug, Clone, PartialEq)]
pub struct Preview {
    /// A number of it that may be read in two ways, where nothing but a choice of the decimal mark tells in which.
    pub undecided: Option<String>,
    /// What is wrong with the mapping, where there are no rows for it.
    pub problem: Option<String>,
    /// A point per row, or why there is none.
    pub rows: Vec<Result<PreviewPoint, String>>,
}

/// What the first ten rows give; `text` is the beginning of the file.
pub fn preview(text: &[u8], mapping: &Mapping) -> Preview {
    let none = |undecided, problem| Preview {
        undecided,
        problem: Some(problem),
        rows: Vec::new(),
    };
    let Some(head) = head(text) else {
        return none(None, "there is no header that names columns".to_owned());
    };
    let undecided = doubt(mapping, &head).map(|doubt| doubt.number.clone());
    let plan = match Plan::new(mapping, &head) {
        Ok(plan) => plan,
        Err(problem) => return none(undecided, problem),
    };
    let lines = text
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii_end);
    let lines = lines.skip(head.record + 1).filter(|line| !is_comment(line));
    let mut slices = Vec::new();
    let mut rows = Vec::new();
    for line in lines.take(PREVIEWED) {
        fields::split(line, head.separator, &mut slices);
        rows.push(read_row(&plan, &slices).map(|row| point(&plan, row)));
    }
    Preview {
        undecided,
        problem: None,
        rows,
    }
}

fn point(plan: &Plan, (name, launch, numbers): (String, String, Numbers)) -> PreviewPoint {
    let mut point = PreviewPoint {
        name,
        launch,
        time: numbers.time,
        work: Vec::new(),
        traffic: Vec::new(),
        per_second: plan.per_second,
    };
    for (quantity, value) in plan.quantities.iter().zip(numbers.values) {
        let Some(value) = value.map(|value| value * quantity.each) else {
            continue;
        };
        match quantity.target {
            Target::Work(path) => add(&mut point.work, path, value),
            Target::Traffic(level) => add(&mut point.traffic, level, value),
        }
    }
    // Points lie at the memory, where its traffic is known.
    point.traffic.sort_by_key(|(level, _)| *level);
    point
}

fn add<K: PartialEq>(list: &mut Vec<(K, f64)>, key: K, value: f64) {
    match list.iter_mut().find(|(known, _)| *known == key) {
        Some((_, sum)) => *sum += value,
        None => list.push((key, value)),
    }
}
