//! The kernels of a profile as a table, the one with most time to recover first, and what they come to.
use super::format::Format;
use super::grid::{self, Cell, Column, Shown};
use crate::model::cost::{Level, Path};
use crate::model::gpu::Gpu;
use crate::model::profile::{Analysis, Judged, Profile, Standing, Summary, groups, short_name};
use crate::model::units::{self, Unit};
use serde_json::{Value, json};

/// A profile with everything that is told of its kernels.
#[derive(Clone, Copy)]
pub struct Told<'a> {
    pub profile: &'a Profile,
    pub analysis: &'a Analysis,
    pub gpu: Option<&'a Gpu>,
}

/// A line, or all lines of a name.
pub(super) struct KernelRow<'a> {
    told: Told<'a>,
    name: &'a str,
    launch: String,
    launches: u64,
    /// The line, where it is a single one.
    line: Option<usize>,
    judged: Judged,
}

/// The kernels shown, as the profile's choices say; all of them in the order of time to recover.
pub fn write(told: Told<'_>, format: Format) -> String {
    let Told {
        profile, analysis, ..
    } = told;
    let shown = profile.choices.shown(profile, analysis);
    let summary = analysis.summary_of(profile, &shown);
    let rows = rows(told, &shown);
    if format == Format::Json {
        return grid::json_text(&json_of(told, &rows, &summary));
    }
    let mut out = grid::write(&columns(), &rows, format);
    if matches!(format, Format::Text | Format::Markdown) {
        let bullet = if format == Format::Markdown { "- " } else { "" };
        out += "\n";
        for note in notes(told, &summary) {
            out += &format!("{bullet}{}\n", note.replace('\n', " "));
        }
    }
    out
}

fn rows<'a>(told: Told<'a>, shown: &[u32]) -> Vec<KernelRow<'a>> {
    let kernels = &told.profile.kernels.lines;
    if told.profile.choices.grouped {
        let groups = groups::by_name(told.profile, told.analysis, shown);
        let rows = groups.into_iter().map(|group| KernelRow {
            told,
            name: &kernels[group.lines[0] as usize].name,
            launch: match group.lines.as_slice() {
                [line] => kernels[*line as usize].launch.to_string(),
                lines => format!("{} launch shapes", lines.len()),
            },
            launches: group.launches,
            line: (group.lines.len() == 1).then_some(group.lines[0] as usize),
            judged: group.sum,
        });
        return rows.collect();
    }
    shown.iter().map(|line| row(told, *line as usize)).collect()
}

pub(super) fn row(told: Told<'_>, line: usize) -> KernelRow<'_> {
    let kernel = &told.profile.kernels.lines[line];
    KernelRow {
        told,
        name: &kernel.name,
        launch: kernel.launch.to_string(),
        launches: kernel.count,
        line: Some(line),
        judged: told.analysis.lines[line],
    }
}

impl KernelRow<'_> {
    /// The name people read: their own, else the short one.
    fn shown_name(&self) -> String {
        let alias = self.told.profile.choices.alias(self.name);
        alias.map_or_else(|| short_name(self.name), str::to_owned)
    }

    fn traffic_at(&self, level: Level) -> Option<f64> {
        match self.line {
            Some(line) => self
                .told
                .analysis
                .traffic_at(self.told.profile, line, level),
            None => self.judged.traffic().filter(|_| self.judged.level == level),
        }
    }

    /// The path with most work, as it was counted.
    fn path(&self) -> Option<Path> {
        if self.judged.work() == Some(0.0) {
            return None;
        }
        let Some(line) = self.line else {
            return self.judged.path;
        };
        let work = self.told.analysis.work_of(self.told.profile, line);
        let most = work.into_iter().max_by(|(_, a), (_, b)| a.total_cmp(b));
        most.map(|(path, _)| path)
    }

    fn timing(&self, of: fn(&crate::model::profile::Timing) -> f64) -> Option<f64> {
        let kernel = &self.told.profile.kernels.lines[self.line?];
        match self.judged.given.time {
            true => Some(self.judged.time()? / kernel.count as f64),
            false => kernel.timing.as_ref().map(of),
        }
    }

    /// The clock it ran at, in Hz: its own, else the mean of the file.
    fn clock(&self) -> Option<f64> {
        let profile = self.told.profile;
        let own = self.line.and_then(|line| profile.kernels.clock(line));
        own.or(profile.clocks.compute)
    }

    fn byte_source(&self) -> Option<&'static str> {
        self.judged.traffic()?;
        Some(match self.judged.given.traffic {
            true => "user",
            false => self.told.profile.byte_source.name(),
        })
    }

    fn limiter(&self) -> Option<String> {
        self.judged.limiter.map(|limiter| limiter.name())
    }

    pub(super) fn warnings(&self) -> Vec<String> {
        let doubts = |line| {
            self.told
                .analysis
                .doubts(self.told.profile, line, self.told.gpu)
        };
        self.line.map_or(Vec::new(), doubts)
    }

    /// The object of an import: what was read of the kernel, and what follows.
    pub(super) fn json(&self) -> Value {
        let judged = &self.judged;
        let mut traffic = serde_json::Map::new();
        for level in Level::ALL {
            let bytes = self.traffic_at(level);
            if bytes.is_some() || matches!(level, Level::Dram | Level::L2 | Level::L1) {
                traffic.insert(level.name().to_owned(), bytes.into());
            }
        }
        let mut warnings = self.warnings();
        if judged.standing() == Standing::ZeroWork {
            warnings.push("zero FLOP: beside the chart, at its share of bandwidth".to_owned());
        }
        json!({
            "name": self.name,
            "short_name": self.shown_name(),
            "launch": self.launch,
            "launches": self.launches,
            "path": self.path().map(|path| path.to_string()),
            "work_flop": judged.work(),
            "traffic_bytes": traffic,
            "time_s": judged.time(),
            "median_s": self.timing(|timing| timing.median),
            "shortest_s": self.timing(|timing| timing.shortest),
            "longest_s": self.timing(|timing| timing.longest),
            "clock_hz": self.clock(),
            "per_second": judged.per_second,
            "intensity_flop_per_byte": judged.intensity(),
            "flop_per_s": judged.flop_rate(),
            "bytes_per_s": judged.byte_rate(),
            "bound_s": judged.bound(),
            "recoverable_s": judged.recoverable(),
            "share": judged.share(),
            "regime": judged.regime().map(|regime| regime.name()),
            "limiter": self.limiter(),
            "placed": judged.placed(),
            "missing": judged.missing.names(),
            "warnings": warnings,
            "byte_source": self.byte_source(),
        })
    }
}

fn columns<'a>() -> Vec<Column<'a, KernelRow<'a>>> {
    let mut columns = measured_columns();
    columns.extend(judged_columns());
    columns
}

fn words<'a>(
    key: &'static str,
    title: Option<&'static str>,
    cell: fn(&KernelRow<'a>) -> Cell,
) -> Column<'a, KernelRow<'a>> {
    Column::words(key, title, cell)
}

fn numbers<'a>(
    key: &'static str,
    title: Option<&'static str>,
    unit: Unit,
    value: fn(&KernelRow<'a>) -> Option<f64>,
) -> Column<'a, KernelRow<'a>> {
    Column::numbers(key, title, Shown::In(unit), value)
}

/// The first three are what a table is recognised by when it is read back.
fn measured_columns<'a>() -> Vec<Column<'a, KernelRow<'a>>> {
    vec![
        words("kernel", Some("Kernel"), |row| Cell::Both {
            data: row.name.into(),
            text: row.shown_name(),
        }),
        words("launch", Some("Launch"), |row| {
            Cell::text((!row.launch.is_empty()).then(|| row.launch.clone()))
        }),
        numbers("launches", Some("Launches"), Unit::One, |row| {
            Some(row.launches as f64)
        }),
        numbers("time_s", Some("Time"), Unit::Second, |row| {
            row.judged.time()
        }),
        numbers("median_s", Some("Median"), Unit::Second, |row| {
            row.timing(|timing| timing.median)
        }),
        numbers("shortest_s", None, Unit::Second, |row| {
            row.timing(|timing| timing.shortest)
        }),
        numbers("longest_s", None, Unit::Second, |row| {
            row.timing(|timing| timing.longest)
        }),
        words("path", Some("Path"), |row| {
            Cell::text(row.path().map(|path| path.to_string()))
        }),
        numbers("work_flop", Some("Work"), Unit::Flop, |row| {
            row.judged.work()
        }),
        numbers("dram_bytes", Some("DRAM"), Unit::Byte, |row| {
            row.traffic_at(Level::Dram)
        }),
        numbers("llc_bytes", Some("LLC"), Unit::Byte, |row| {
            row.traffic_at(Level::Llc)
        }),
        numbers("l2_bytes", Some("L2"), Unit::Byte, |row| {
            row.traffic_at(Level::L2)
        }),
        numbers("l1_bytes", Some("L1"), Unit::Byte, |row| {
            row.traffic_at(Level::L1)
        }),
        numbers("host_link_bytes", Some("Host link"), Unit::Byte, |row| {
            row.traffic_at(Level::HostLink)
        }),
        numbers(
            "scale_up_link_bytes",
            Some("Scale-up link"),
            Unit::Byte,
            |row| row.traffic_at(Level::ScaleUpLink),
        ),
        numbers("network_bytes", Some("Network"), Unit::Byte, |row| {
            row.traffic_at(Level::Network)
        }),
        words("byte_source", None, |row| Cell::text(row.byte_source())),
        numbers("clock_hz", None, Unit::Hertz, KernelRow::clock),
        words("per_second", None, |row| {
            Cell::text(row.judged.per_second.then_some("yes"))
        }),
    ]
}

fn judged_columns<'a>() -> Vec<Column<'a, KernelRow<'a>>> {
    vec![
        numbers(
            "intensity_flop_per_byte",
            Some("Intensity"),
            Unit::FlopPerByte,
            |row| row.judged.intensity(),
        ),
        numbers("flop_per_s", Some("FLOP/s"), Unit::FlopPerSecond, |row| {
            row.judged.flop_rate()
        }),
        numbers("bytes_per_s", Some("B/s"), Unit::BytePerSecond, |row| {
            row.judged.byte_rate()
        }),
        numbers("bound_s", None, Unit::Second, |row| row.judged.bound()),
        numbers("recoverable_s", Some("Recoverable"), Unit::Second, |row| {
            row.judged.recoverable()
        }),
        Column::numbers(
            "share",
            Some("Of roof"),
            Shown::Percent,
            |row: &KernelRow<'_>| row.judged.share(),
        ),
        words("limiter", Some("Limiter"), |row| Cell::text(row.limiter())),
        words("regime", None, |row| {
            Cell::text(row.judged.regime().map(|regime| regime.name()))
        }),
        words("not_placed", Some("Not placed"), |row| {
            match (row.judged.placed(), row.judged.reasons()) {
                (false, reasons) if !reasons.is_empty() => {
                    Cell::List(reasons.into_iter().map(str::to_owned).collect())
                }
                _ => Cell::Unknown,
            }
        }),
        words("warnings", None, |row| Cell::List(row.warnings())),
    ]
}

fn json_of(told: Told<'_>, rows: &[KernelRow<'_>], summary: &Summary) -> Value {
    let totals = summary.totals;
    let ladder: serde_json::Map<_, _> = totals
        .ladder
        .rungs()
        .into_iter()
        .map(|rung| {
            (
                format!("{}_s", rung.name.replace(' ', "_")),
                rung.adds.into(),
            )
        })
        .collect();
    json!({
        "profile": told.profile.name,
        "format": told.profile.source.format,
        "gpu": told.gpu.map(|gpu| &gpu.name),
        "sentence": summary.sentence,
        "totals": {
            "kernels": totals.kernels,
            "launches": totals.launches,
            "time_s": totals.time,
            "judged_time_s": totals.judged_time,
            "bound_s": totals.bound,
            "recoverable_s": totals.recoverable,
            "placed": totals.placed,
            "zero_work": totals.zero_work,
            "not_placed": totals.not_placed(),
        },
        "ladder": ladder,
        "kernels": rows.iter().map(KernelRow::json).collect::<Vec<_>>(),
    })
}

/// How the sentence begins that a reader says of a device which mostly waits for launches.
const LAUNCH_BOUND: &str = "launch-bound: ";

/// Where the time went beside what the roofs allow: waiting for launches, and the ladder of all kernels together.
pub(super) fn whereabouts(told: Told<'_>, summary: &Summary) -> Vec<String> {
    let totals = summary.totals;
    let mut notes = Vec::new();
    // Launches that are waited for weigh more than any kernel.
    let waits = told.profile.notes.iter();
    notes.extend(waits.filter(|note| note.starts_with(LAUNCH_BOUND)).cloned());
    if totals.judged > totals.above {
        let rungs = totals.ladder.rungs();
        let rungs = rungs
            .iter()
            .map(|rung| format!("{} {}", rung.name, units::short(rung.adds, Unit::Second)));
        let rungs: Vec<_> = rungs.collect();
        let waits = totals.ladder.waiting > 0.0;
        notes.push(format!(
            "{} of judged kernels{}{}: {}",
            units::short(
                totals.ladder.measured() + totals.ladder.waiting,
                Unit::Second
            ),
            if waits {
                " and the waiting between all"
            } else {
                ""
            },
            match totals.above {
                0 => String::new(),
                n => format!(", without {} above their roofs", units::count(n as f64)),
            },
            rungs.join(" + ")
        ));
    }
    notes
}

/// What the kernels come to, a sentence each, the one about where the time went first.
pub fn notes(told: Told<'_>, summary: &Summary) -> Vec<String> {
    let totals = summary.totals;
    let mut notes = vec![summary.sentence.clone()];
    notes.extend(whereabouts(told, summary));
    notes.push(standing(summary));
    let nominal = Some([1.0; 2]);
    let clock = told.analysis.clock_text();
    let clock = clock.filter(|_| told.analysis.clock_ratios != nominal);
    match (told.gpu, clock) {
        (None, _) => notes.push("no GPU judges these kernels: name one with --gpu".to_owned()),
        (Some(gpu), Some(clock)) => notes.push(format!(
            "judged by {} at {clock} of its nominal clock: compute, L1 and L2 roofs are scaled to that of each kernel{}",
            gpu.name,
            match totals.judged {
                0 => String::new(),
                _ => format!(
                    "; at nominal clocks the bound is {}",
                    units::short(totals.nominal_bound, Unit::Second)
                ),
            }
        )),
        (Some(gpu), _) => notes.push(format!("judged by {}", gpu.name)),
    }
    notes.extend(
        told.analysis
            .problems
            .iter()
            .map(|wrong| format!("a fill gives nothing: {wrong}")),
    );
    notes
}

/// `12 kernels, 300 launches: 8 placed, 2 without work beside the chart, 2 not placed (2 without traffic)`.
pub fn standing(summary: &Summary) -> String {
    let totals = summary.totals;
    let count = |count: usize| units::count(count as f64);
    let mut parts = vec![format!("{} placed", count(totals.placed))];
    if totals.zero_work > 0 {
        parts.push(format!(
            "{} of zero FLOP beside the chart",
            count(totals.zero_work)
        ));
    }
    if totals.not_placed() > 0 {
        let lacking = [
            (totals.without_work, "work"),
            (totals.without_traffic, "traffic"),
            (totals.without_time, "time"),
        ];
        let lacking = lacking.iter().filter(|(n, _)| *n > 0);
        let lacking: Vec<_> = lacking
            .map(|(n, what)| format!("{} without {what}", count(*n)))
            .collect();
        let not = format!("{} not placed", count(totals.not_placed()));
        parts.push(match lacking.is_empty() {
            true => not,
            false => format!("{not} ({})", lacking.join(", ")),
        });
    }
    if totals.other_path > 0 {
        parts.push(format!(
            "{} judged by the memory alone, as the GPU lacks the roof of their precision",
            count(totals.other_path)
        ));
    }
    if totals.unsupported > 0 {
        parts.push(format!(
            "{} without a roof on this GPU",
            count(totals.unsupported)
        ));
    }
    if totals.above > 0 {
        parts.push(format!("{} above the roof", count(totals.above)));
    }
    format!(
        "{}, {}: {}",
        plural(totals.kernels, "kernel", "kernels"),
        plural(totals.launches as usize, "launch", "launches"),
        parts.join(", ")
    )
}

fn plural(count: usize, one: &str, many: &str) -> String {
    let what = if count == 1 { one } else { many };
    format!("{} {what}", units::count(count as f64))
}
