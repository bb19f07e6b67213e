//! A long CSV of Nsight Compute with a million rows, 190 MB, from a file to kernels; and the same pivoted with the `csv` crate.
//!
//! `cargo bench --bench profile_reading` gives both and their ratio, and the time to the ranked answer. Where Python has
//! polars (`pip install polars`), it reads and pivots the very same file in the same run.
mod common;

use ridgepoint::chart::scene;
use ridgepoint::files::import::profile::{self, adopt};
use ridgepoint::files::presets;
use ridgepoint::model::cost::Level;
use ridgepoint::model::profile::Analyses;
use ridgepoint::model::session::Session;
use ridgepoint::model::view::View;
use std::collections::HashMap;
use std::fs::File;
use std::hint::black_box;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const LAUNCHES: u64 = 100_000;

/// What is measured of every launch.
const METRICS: [(&str, &str); 10] = [
    ("dram__bytes_read.sum", "byte"),
    ("dram__bytes_write.sum", "byte"),
    ("gpu__time_duration.sum", "ns"),
    ("lts__t_sectors.sum", "sector"),
    ("l1tex__t_sectors.sum", "sector"),
    ("lts__t_sector_hit_rate.pct", "%"),
    ("sm__throughput.avg.pct_of_peak_sustained_elapsed", "%"),
    (
        "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
        "inst",
    ),
    (
        "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
        "inst",
    ),
    (
        "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
        "inst",
    ),
];

const HEADER: &str = "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid Size\",\
    \"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n";

/// Writes the table, the same every time.
fn write(path: &Path) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    out.write_all(HEADER.as_bytes())?;
    for launch in 0..LAUNCHES {
        let kernel = launch * 7919 % 97;
        let grid = (kernel + 1) * 64;
        for (index, (metric, unit)) in METRICS.iter().enumerate() {
            let value = (launch * 1_000_003 + index as u64 * 7_919) % (1 << 27) + 1;
            let value = match *unit {
                "%" => format!("{}.{:02}", value % 100, value / 100 % 100),
                _ => grouped(value),
            };
            writeln!(
                out,
                "\"{launch}\",\"4711\",\"app\",\"127.0.0.1\",\"void kernel_{kernel:02}<float, {}>(const float *, float *, int)\",\"1\",\
                 \"7\",\"(256, 1, 1)\",\"({grid}, 1, 1)\",\"0\",\"9.0\",\"Command line profiler metrics\",\"{metric}\",\"{unit}\",\"{value}\"",
                kernel * 8
            )?;
        }
    }
    out.flush()
}

/// With a comma between thousands.
fn grouped(value: u64) -> String {
    let mut text = value.to_string();
    let mut at = text.len();
    while at > 3 {
        at -= 3;
        text.insert(at, ',');
    }
    text
}

/// The metrics of each kernel and launch shape.
type Pivot = HashMap<(String, String), HashMap<String, f64>>;

/// Sums per kernel, launch shape and metric, as one would write it with the `csv` crate.
fn pivoted(path: &Path) -> Result<Pivot, csv::Error> {
    let mut reader = csv::Reader::from_path(path)?;
    let mut record = csv::StringRecord::new();
    let mut kernels = Pivot::new();
    while reader.read_record(&mut record)? {
        let key = (
            record[4].to_owned(),
            format!("{} {}", &record[8], &record[7]),
        );
        let value = record[14].replace(',', "").parse().unwrap_or(f64::NAN);
        *kernels
            .entry(key)
            .or_default()
            .entry(record[12].to_owned())
            .or_default() += value;
    }
    Ok(kernels)
}

/// From a file to the sentence that says where the time went, and to what the chart draws.
fn answered(path: &Path) -> Option<String> {
    let read = profile::open(path, &|_| true).ok()?;
    let mut session = Session::empty("");
    let gpu = session.add_gpu(presets::gpu("nvidia-h100-sxm")?.ok()?.gpu, None);
    let taking = adopt::Taking {
        gpu: Some(gpu),
        ..adopt::Taking::default()
    };
    let id = adopt::take(&mut session, read, taking).profile;
    let mut view = View::of(&session);
    (view.active, view.profile) = (Some(gpu), Some(id));
    let analyses = Analyses::of(&session);
    black_box(scene::build(&session, &view));
    let analysed = analyses.get(id)?;
    Some(analysed.analysis.summary.sentence.clone())
}

/// Has polars read and pivot the same table so many times; how long that took, without its start.
fn with_polars(path: &Path, count: u64) -> Option<Duration> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/versus_polars.py");
    let mut python = Command::new("python3");
    let output = python.arg(script).arg(path).arg(count.to_string()).output();
    let output = output.ok().filter(|output| output.status.success())?;
    let seconds = String::from_utf8(output.stdout).ok()?;
    Some(Duration::from_secs_f64(seconds.trim().parse().ok()?))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("ncu_long.csv");
    write(&path)?;
    let megabytes = std::fs::metadata(&path)?.len() as f64 / 1e6;

    // Both must find the same, or the comparison is of nothing.
    let profile = profile::open(&path, &|_| true)?;
    let theirs = pivoted(&path)?;
    assert_eq!(profile.kernels.lines.len(), theirs.len());
    let dram = |line: usize| {
        let mut traffic = profile.kernels.traffic(line);
        traffic
            .find(|(level, _)| *level == Level::Dram)
            .map_or(0.0, |(_, bytes)| bytes.get())
    };
    let ours: f64 = (0..profile.kernels.lines.len()).map(dram).sum();
    let sums = theirs
        .values()
        .map(|sums| sums["dram__bytes_read.sum"] + sums["dram__bytes_write.sum"]);
    assert_eq!(ours, sums.sum::<f64>());

    let mut criterion = common::criterion();
    let to_kernels = || drop(black_box(profile::open(&path, &|_| true)));
    let reading = common::by_the_clock(&mut criterion, "to kernels", to_kernels);
    let polars = with_polars(&path, 1).and_then(|_| {
        common::timed(&mut criterion, "polars, pivoted", |count| {
            with_polars(&path, count).expect("polars was there before")
        })
    });
    let to_answer = || drop(black_box(answered(&path)));
    let answer = common::by_the_clock(&mut criterion, "to a ranked answer", to_answer);
    let with_csv = || drop(black_box(pivoted(&path)));
    let with_csv = common::by_the_clock(&mut criterion, "csv crate, pivoted", with_csv);
    println!("{} rows, {megabytes:.0} MB", profile.rows);
    for (name, time) in [("to kernels", reading), ("to a ranked answer", answer)] {
        common::ratio(name, time, "the csv crate", with_csv);
        common::ratio(name, time, "polars", polars);
    }
    if polars.is_none() {
        println!("for the comparison with polars: pip install polars");
    }
    Ok(())
}
