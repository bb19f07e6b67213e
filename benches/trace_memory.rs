//! How long a trace of a gigabyte takes to read, and how much memory: `cargo bench --bench trace_memory`.
//!
//! The trace is a small one of TraceLens's tests (MIT) again and again, as so many steps of the same model: times and
//! identifiers go on. It is read in a process of its own, whose peak memory the system tells (Linux only).
use flate2::Compression;
use flate2::write::GzEncoder;
use ridgepoint::files::import::profile;
use serde_json::Value;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

const STEP: &str = include_str!("../tests/data/profiles/kineto_h100_trimmed.json");

/// Bytes of the trace.
const SIZE: u64 = 1_000_000_000;

/// The most memory that reading it may take, in B.
const MOST: u64 = 300_000_000;

/// What a step takes, in µs: times of the next one begin later by so much.
const PERIOD: f64 = 5_000.0;

/// More than the identifiers of a step.
const IDENTIFIERS: u64 = 1_000_000;

/// Kernels of a step.
const KERNELS: u64 = 60;

fn main() {
    let arguments: Vec<_> = std::env::args().collect();
    match arguments.iter().position(|argument| argument == "--read") {
        Some(at) => read(Path::new(&arguments[at + 1])),
        None => measure(),
    }
}

/// Writes both traces and has them read.
fn measure() {
    let folder = tempfile::tempdir().expect("a folder for the traces");
    let steps = steps_of(SIZE);
    println!("{steps} steps of a model, {} kernels", steps * KERNELS);
    let plain = folder.path().join("trace.json");
    let file = BufWriter::new(File::create(&plain).expect("a file"));
    trace(file, steps).expect("room for the trace");
    let packed = folder.path().join("trace.json.gz");
    let file = BufWriter::new(File::create(&packed).expect("a file"));
    trace(GzEncoder::new(file, Compression::fast()), steps).expect("room for the trace");
    for path in [plain, packed] {
        let program = std::env::current_exe().expect("this program");
        let status = Command::new(program).arg("--read").arg(path).status();
        assert!(
            status.is_ok_and(|status| status.success()),
            "it was not read"
        );
    }
}

/// Reads a trace and says what that took.
fn read(path: &Path) {
    let steps = steps_of(SIZE);
    let start = Instant::now();
    let profile = profile::open(path, &|_| true).expect("a trace");
    let taken = start.elapsed().as_secs_f64();
    let peak = peak_memory();
    let kernels = &profile.kernels.lines;
    let launches: u64 = kernels.iter().map(|line| line.count).sum();
    // A step has a copy beside its kernels.
    assert_eq!(launches, steps * (KERNELS + 1));
    let start = Instant::now();
    let values: Value = serde_json::from_str(STEP).expect("JSON");
    let yardstick = start.elapsed().as_secs_f64() * steps as f64;
    drop(values);
    let size = fs::metadata(path).map_or(0, |metadata| metadata.len());
    println!(
        "{:>5} MB {}: {taken:.2} s, {:.2} of making values of the text in memory; {} lines; peak {} MB",
        size / 1_000_000,
        path.extension().unwrap_or_default().display(),
        taken / yardstick,
        kernels.len(),
        peak / 1_000_000
    );
    assert!(peak <= MOST, "more than {MOST} B of memory");
}

/// The most memory this process had, in B; zero where the system does not tell.
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or(0) * 1024
}

fn steps_of(size: u64) -> u64 {
    size.div_ceil(STEP.len() as u64)
}

/// Writes a trace of so many steps.
fn trace(mut out: impl Write, steps: u64) -> io::Result<()> {
    let step: Value = serde_json::from_str(STEP)?;
    let devices = &step["deviceProperties"];
    write!(out, "{{\"deviceProperties\": {devices}, \"traceEvents\": [")?;
    let mut events = step["traceEvents"].as_array().cloned().unwrap_or_default();
    for number in 0..steps {
        for (index, event) in events.iter_mut().enumerate() {
            if number + index as u64 > 0 {
                out.write_all(b", ")?;
            }
            // With blanks, as Kineto and Python write them.
            let formatter = Spaced;
            let mut serializer = serde_json::Serializer::with_formatter(&mut out, formatter);
            serde::Serialize::serialize(&*event, &mut serializer)?;
            later(event);
        }
    }
    write!(out, "]}}")?;
    out.flush()
}

/// Turns an event into that of the next step.
fn later(event: &mut Value) {
    if let Some(time) = event["ts"].as_f64() {
        event["ts"] = (time + PERIOD).into();
    }
    for name in ["External id", "correlation"] {
        let Some(args) = event.get_mut("args").and_then(Value::as_object_mut) else {
            break;
        };
        if let Some(number) = args.get_mut(name).filter(|number| number.is_u64()) {
            *number = (number.as_u64().unwrap_or_default() + IDENTIFIERS).into();
        }
    }
}

/// A blank after each comma and colon.
struct Spaced;

impl serde_json::ser::Formatter for Spaced {
    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        out.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        out.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }
}
