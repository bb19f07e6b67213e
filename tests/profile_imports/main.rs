//! Measured kernels from the files of profilers: right numbers in right units, and nothing lost without a word.
mod damaged_traces;
mod rocprof;
mod tracelens;
mod traces;

use ridgepoint::files::import::profile::{self, Beside, Nothing, ProfileError, ReadProfile};
use ridgepoint::model::cost::{Level, Path};
use std::io::Read;

/// Goes on whatever was read.
fn on(_: u64) -> bool {
    true
}

/// Files beside, by name.
pub struct Files(pub Vec<(&'static str, Vec<u8>)>);

impl Beside for Files {
    fn open(&self, name: &str) -> Option<Box<dyn Read + Send>> {
        let file = self.0.iter().find(|(known, _)| *known == name)?;
        Some(Box::new(std::io::Cursor::new(file.1.clone())))
    }
}

pub fn try_read(
    bytes: &[u8],
    name: &str,
    beside: &dyn Beside,
) -> Result<ReadProfile, ProfileError> {
    profile::read(&mut &bytes[..], name, beside, &on)
}

#[track_caller]
pub fn read_beside(bytes: &[u8], name: &str, beside: &dyn Beside) -> ReadProfile {
    try_read(bytes, name, beside).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
pub fn read(bytes: &[u8], name: &str) -> ReadProfile {
    read_beside(bytes, name, &Nothing)
}

/// The sentence with which a file is refused.
#[track_caller]
pub fn refused(bytes: &[u8], name: &str) -> String {
    let error = try_read(bytes, name, &Nothing).unwrap_err().to_string();
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

/// What all launches of a line moved at a level, in B.
pub fn traffic(profile: &ReadProfile, line: usize, level: Level) -> Option<f64> {
    let mut traffic = profile.kernels.traffic(line);
    traffic
        .find(|(l, _)| *l == level)
        .map(|(_, bytes)| bytes.get())
}

/// The work of all launches of a line on a path, in FLOP.
pub fn work(profile: &ReadProfile, line: usize, path: &str) -> Option<f64> {
    let path: Path = path.parse().unwrap();
    let mut work = profile.kernels.work(line);
    work.find(|(p, _)| *p == path).map(|(_, flop)| flop.get())
}

/// The first line whose name or launch shape has this in it.
#[track_caller]
pub fn line(profile: &ReadProfile, part: &str) -> usize {
    let lines = &profile.kernels.lines;
    let has = lines
        .iter()
        .position(|line| line.name.contains(part) || line.launch.contains(part));
    has.unwrap_or_else(|| panic!("no {part} in {lines:#?}"))
}

#[track_caller]
pub fn near(value: f64, expected: f64, within: f64) {
    assert!(
        (value / expected - 1.0).abs() < within,
        "{value} is not {expected}"
    );
}

/// Everything a profile says, to look for what it must not say.
pub fn everything(profile: &ReadProfile) -> String {
    format!("{profile:#?}")
}
