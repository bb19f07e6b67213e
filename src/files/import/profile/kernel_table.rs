//! Ridgepoint's own table of kernels, as `ridgepoint kernels --format csv` writes it, read back to the same points.
use super::rows::{Row, Rows};
use super::{Format, Input, ProfileError, ReadProfile};
use crate::model::cost::{Level, Path};
use crate::model::format::NumberFormat;
use crate::model::profile::{
    ByteSource, CYCLES, Counter, Counters, Factor, Formula, Kernel, Kernels, Target, Timing,
};
use std::collections::HashSet;

pub(super) const FORMAT: Format = Format {
    name: "Ridgepoint kernels (CSV)",
    is: |input| {
        input
            .head_text()
            .trim_start_matches('\u{feff}')
            .starts_with("kernel,launch,launches,")
    },
    read,
};

/// The columns of traffic, each in B.
const TRAFFIC: [(&str, Level); 7] = [
    ("dram_bytes", Level::Dram),
    ("llc_bytes", Level::Llc),
    ("l2_bytes", Level::L2),
    ("l1_bytes", Level::L1),
    ("host_link_bytes", Level::HostLink),
    ("scale_up_link_bytes", Level::ScaleUpLink),
    ("network_bytes", Level::Network),
];

/// A line of the table.
struct Line {
    kernel: Kernel,
    work: Option<(Path, f64)>,
    traffic: [Option<f64>; TRAFFIC.len()],
    /// In Hz.
    clock: Option<f64>,
    /// Whether what it asks is of one second.
    per_second: bool,
}

impl Line {
    /// The clock in Hz, and the seconds its cycles are of.
    fn clock(&self) -> Option<(f64, f64)> {
        let seconds = match self.per_second {
            true => self.kernel.count as f64,
            false => self.kernel.timing?.sum,
        };
        Some((self.clock?, seconds))
    }
}

fn read(input: &mut Input<'_>) -> Result<ReadProfile, ProfileError> {
    let mut profile = ReadProfile::default();
    let mut lines: Vec<Line> = Vec::new();
    let mut seen = HashSet::new();
    let mut sources = HashSet::new();
    let rows = Rows::new(input)?;
    let columns = Columns::of(&rows);
    rows.each(&mut profile, |row| {
        let line = columns.line(&row)?;
        let key = (line.kernel.name.clone(), line.kernel.launch.clone());
        if !seen.insert(key) {
            return Err("an earlier row has this kernel and launch shape".to_owned());
        }
        // What has no traffic has no source of it either.
        sources.extend(
            Some(row.text(columns.source).into_owned()).filter(|source| !source.is_empty()),
        );
        if lines.first().is_some_and(|first: &Line| first.per_second != line.per_second) {
            return Err("it gives rates among rows with times, or the reverse: write them into tables of their own".to_owned());
        }
        lines.push(line);
        Ok(())
    })?;
    if lines.is_empty() {
        return Err(input.wrong("it has a header and no kernel: write the table again"));
    }
    profile.byte_source = match sources.len() {
        1 => ByteSource::ALL
            .into_iter()
            .find(|s| sources.contains(s.name()))
            .unwrap_or(ByteSource::User),
        _ => ByteSource::User,
    };
    profile.clocks.compute = mean_clock(&lines);
    let per_second = lines.iter().all(|line| line.per_second);
    profile.kernels = kernels(lines);
    profile.kernels.per_second = per_second;
    Ok(profile)
}

struct Columns {
    name: Option<usize>,
    launch: Option<usize>,
    launches: Option<usize>,
    times: [Option<usize>; 4],
    path: Option<usize>,
    work: Option<usize>,
    traffic: [Option<usize>; TRAFFIC.len()],
    source: Option<usize>,
    clock: Option<usize>,
    per_second: Option<usize>,
}

impl Columns {
    fn of(rows: &Rows<'_, '_>) -> Self {
        let column = |name| rows.column(&[name]);
        Self {
            name: column("kernel"),
            launch: column("launch"),
            launches: column("launches"),
            times: ["time_s", "median_s", "shortest_s", "longest_s"].map(column),
            path: column("path"),
            work: column("work_flop"),
            traffic: TRAFFIC.map(|(name, _)| column(name)),
            source: column("byte_source"),
            clock: column("clock_hz"),
            per_second: column("per_second"),
        }
    }

    fn line(&self, row: &Row<'_>) -> Result<Line, String> {
        let value = |column| match &*row.text(column) {
            "" => Ok(None),
            text => match text.parse::<f64>() {
                Ok(value) if value.is_finite() && value >= 0.0 => Ok(Some(value)),
                _ => Err(format!("{text:?} is no number from zero up")),
            },
        };
        let launches = row.text(self.launches);
        let count = launches.parse().ok().filter(|count| *count > 0);
        let count = count.ok_or_else(|| format!("{launches:?} is no number of launches"))?;
        let [sum, median, shortest, longest] = self.times.map(value);
        let (sum, each) = match sum? {
            Some(sum) if sum > 0.0 => (Some(sum), sum / count as f64),
            _ => (None, 0.0),
        };
        let timing = Timing {
            sum: sum.unwrap_or(0.0),
            median: median?.unwrap_or(each),
            shortest: shortest?.unwrap_or(each),
            longest: longest?.unwrap_or(each),
        };
        let ordered = 0.0 < timing.shortest
            && timing.shortest <= timing.median
            && timing.median <= timing.longest;
        let work = match value(self.work)? {
            None => None,
            Some(work) => {
                let path = match &*row.text(self.path) {
                    // Nothing is done, whatever does it.
                    "" => Ok(Path::vector(NumberFormat::FP32)),
                    text => text.parse().map_err(|_| format!("{text:?} is no path")),
                };
                Some((path?, work))
            }
        };
        let mut traffic = [None; TRAFFIC.len()];
        for (column, traffic) in self.traffic.iter().zip(&mut traffic) {
            *traffic = value(*column)?;
        }
        Ok(Line {
            kernel: Kernel {
                name: row.text(self.name).as_ref().into(),
                launch: row.text(self.launch).as_ref().into(),
                count,
                timing: sum.filter(|_| ordered).map(|_| timing),
                derivation: None,
            },
            work,
            traffic,
            clock: value(self.clock)?.filter(|clock| *clock > 0.0),
            per_second: &*row.text(self.per_second) == "yes",
        })
    }
}

/// The mean over time of the clocks, in Hz.
fn mean_clock(lines: &[Line]) -> Option<f64> {
    let (mut cycles, mut time) = (0.0, 0.0);
    for (clock, seconds) in lines.iter().filter_map(Line::clock) {
        cycles += clock * seconds;
        time += seconds;
    }
    (time > 0.0).then(|| cycles / time)
}

fn kernels(lines: Vec<Line>) -> Kernels {
    let mut paths: Vec<Path> = Vec::new();
    for (path, _) in lines.iter().filter_map(|line| line.work) {
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    let targets: Vec<_> = paths
        .iter()
        .map(|path| Target::Work(*path))
        .chain(TRAFFIC.map(|(_, level)| Target::Traffic(level)))
        .collect();
    let mut counters = Counters::new(
        targets
            .iter()
            .map(|target| Counter {
                name: target.name(),
                unit: match target {
                    Target::Work(_) => "FLOP".to_owned(),
                    Target::Traffic(_) => "B".to_owned(),
                },
            })
            .collect(),
    );
    let clocks = lines.iter().any(|line| line.clock().is_some());
    let cycles = clocks.then(|| {
        counters.add_column(Counter {
            name: CYCLES.to_owned(),
            unit: String::new(),
        })
    });
    let mut kernels = Vec::with_capacity(lines.len());
    for line in lines {
        let at = counters.add_line();
        if let (Some(column), Some((clock, seconds))) = (cycles, line.clock()) {
            counters.add(at, column, clock * seconds);
        }
        if let Some((path, work)) = line.work
            && let Some(column) = paths.iter().position(|known| *known == path)
        {
            counters.add(at, column, work);
        }
        for (level, traffic) in line.traffic.into_iter().enumerate() {
            if let Some(traffic) = traffic {
                counters.add(at, paths.len() + level, traffic);
            }
        }
        kernels.push(line.kernel);
    }
    let formulas = targets.iter().enumerate();
    Kernels {
        per_second: false,
        waiting: None,
        lines: kernels,
        counters,
        formulas: formulas
            .map(|(column, target)| Formula::single(*target, 1.0, vec![Factor::of(column)]))
            .collect(),
    }
}
