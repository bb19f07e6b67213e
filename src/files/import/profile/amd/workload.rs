//! Workload folders of rocprofiler-compute (Omniperf): `pmc_perf.csv`, a row a dispatch, a column a counter.
use super::{Rows, agent, counters};
use crate::files::import::profile::{Format, Input, ProfileError, ReadProfile, check};
use crate::model::profile::{Builder, Counter, Launch};
use std::collections::HashMap;

pub(in super::super) const FORMAT: Format = Format {
    name: "rocprofiler-compute (CSV)",
    is,
    read,
};

/// Columns with the begin and the end of a dispatch, in ns.
const BEGIN: [&str; 2] = ["Start_Timestamp", "BeginNs"];
const END: [&str; 2] = ["End_Timestamp", "EndNs"];
const NAME: [&str; 2] = ["Kernel_Name", "KernelName"];

fn is(input: &Input<'_>) -> bool {
    let header = input.head_text().lines().next().unwrap_or_default();
    let has = |names: &[&str]| names.iter().any(|name| header.contains(name));
    has(&NAME)
        && has(&BEGIN)
        && has(&END)
        && has(&["SQ_", "TCC_", "TCP_", "GRBM_"])
        && !header.contains("Counter_Name")
}

fn read(input: &mut Input<'_>) -> Result<ReadProfile, ProfileError> {
    let mut profile = ReadProfile::default();
    let mut devices: HashMap<u64, u64> = HashMap::new();
    let builder = rows(input, &mut profile, &mut devices)?;
    if profile.rows == 0 {
        return Err(input.wrong(
            "it has a header and no dispatch: run rocprof-compute profile on a program that launches kernels",
        ));
    }
    let mut agent = agent::of_folder(input).or_else(|| agent::of_name(input));
    let columns = builder.1;
    let architecture = agent.as_ref().and_then(|agent| agent.architecture);
    let reading = counters::read(architecture, &columns);
    profile.notes.extend(reading.notes);
    profile
        .warnings
        .extend(agent::unverified(agent.as_ref(), "sysinfo.csv"));
    profile.warnings.extend(reading.warnings);
    let main = devices
        .iter()
        .max_by_key(|(device, count)| (**count, std::cmp::Reverse(**device)));
    let main = main.map_or(0, |(device, _)| *device);
    if devices.len() > 1 {
        profile.notes.push(format!(
            "dispatches ran on {} devices; the roofs are those of device {main}, which ran most",
            devices.len()
        ));
    }
    let gpu = agent.as_mut().and_then(|agent| agent.gpu.take());
    if let Some(mut gpu) = gpu {
        if agent::measured(input, main, &mut gpu) {
            profile.notes.push(format!(
                "the measured roofs are those of device {main} in roofline.csv, on which the kernels ran"
            ));
        }
        profile.device = Some(gpu);
    }
    let (kernels, partial) = builder.0.finish(reading.formulas);
    if partial > 0 {
        profile.warnings.push(format!(
            "{partial} kernels lack counters or times in some of their dispatches, which are therefore left out of them"
        ));
    }
    profile.notes.extend(check::value(&kernels));
    profile.kernels = kernels;
    Ok(profile)
}

/// Adds up every dispatch; also says what was counted, and how many dispatches each device ran.
fn rows(
    input: &mut Input<'_>,
    profile: &mut ReadProfile,
    devices: &mut HashMap<u64, u64>,
) -> Result<(Builder, Vec<Counter>), ProfileError> {
    let rows = Rows::new(input)?;
    let name = rows.column(&NAME);
    let (begin, end) = (rows.column(&BEGIN), rows.column(&END));
    let grid = rows.column(&["Grid_Size", "grd"]);
    let group = rows.column(&["Workgroup_Size", "wgr"]);
    let device = rows.column(&["GPU_ID", "gpu-id"]);
    let mut places = Vec::new();
    let mut columns: Vec<Counter> = Vec::new();
    for (place, header) in rows.header().iter().enumerate() {
        let twice = columns.iter().any(|column| column.name == *header);
        if counters::known(header).is_some() && !twice {
            places.push(Some(place));
            columns.push(Counter {
                name: header.clone(),
                unit: String::new(),
            });
        }
    }
    let mut builder = Builder::new(columns.clone());
    rows.each(profile, |row| {
        let kernel = row.text(name);
        if kernel.is_empty() {
            return Err("it names no kernel".to_owned());
        }
        let number = row.number(device).unwrap_or_default() as u64;
        if devices.len() < 1024 {
            *devices.entry(number).or_default() += 1;
        }
        let time = time(row.number(begin), row.number(end));
        let launch = Launch {
            name: &kernel,
            shape: &shape(&row.text(grid), &row.text(group)),
            time,
            derivation: None,
        };
        builder.add(launch, places.iter().map(|place| row.number(*place)));
        match time {
            Some(_) => Ok(()),
            None => Err(
                "it has no time, since its end is not after its begin; its counters are used"
                    .to_owned(),
            ),
        }
    })?;
    Ok((builder, columns))
}

/// In s, of two times in ns.
pub(super) fn time(begin: Option<f64>, end: Option<f64>) -> Option<f64> {
    let duration = end? - begin?;
    (duration > 0.0).then_some(duration * 1e-9)
}

/// The launch shape: rocprof counts a grid in work-items.
pub(super) fn shape(grid: &str, group: &str) -> String {
    match (grid.is_empty(), group.is_empty()) {
        (true, _) => String::new(),
        (false, true) => format!("{grid} work-items"),
        (false, false) => format!("{grid} work-items, workgroup {group}"),
    }
}
