//! The device that counters are of, from the files that lie beside them.
use super::Architecture;
use crate::files::import;
use crate::files::import::profile::{Beside, Input};
use crate::model::cost::Level;
use crate::model::gpu::{Gpu, MemoryRoof, Sourced};
use crate::model::quantity::{ByteRate, Count, Hertz};
use std::io::Read;

/// The most that is read of a file beside, in B.
const MOST: u64 = 4 << 20;

/// A device, as far as it is known.
#[derive(Default)]
pub(super) struct Agent {
    /// `gfx90a`; empty where unknown.
    pub target: String,
    pub architecture: Option<Architecture>,
    pub gpu: Option<Gpu>,
}

/// The rows of a small CSV file beside, as texts by column name.
fn table(beside: &dyn Beside, name: &str, columns: &[&str]) -> Option<Vec<Vec<String>>> {
    let mut text = Vec::new();
    beside.open(name)?.take(MOST).read_to_end(&mut text).ok()?;
    let text = String::from_utf8_lossy(&text);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    // Only what is asked for is looked at: these files name hosts, users and commands.
    let header = reader.headers().ok()?.clone();
    let place = |column: &&str| {
        header
            .iter()
            .position(|name| name.eq_ignore_ascii_case(column))
    };
    let places: Vec<_> = columns.iter().map(place).collect();
    let rows = reader.into_records().map_while(Result::ok).take(1024);
    let cell = |row: &csv::StringRecord, place: Option<usize>| -> String {
        let cell = place.and_then(|place| row.get(place)).unwrap_or_default();
        cell.chars().take(80).collect()
    };
    Some(
        rows.map(|row| places.iter().map(|place| cell(&row, *place)).collect())
            .collect(),
    )
}

/// The device of a workload folder of rocprofiler-compute, from `sysinfo.csv`.
pub(super) fn of_folder(input: &Input<'_>) -> Option<Agent> {
    const COLUMNS: [&str; 5] = ["gpu_arch", "gpu_model", "cu_per_gpu", "max_sclk", "hbm_bw"];
    let table = table(input.beside, "sysinfo.csv", &COLUMNS)?;
    let [target, model, units, clock, bandwidth] = &table.first()?[..] else {
        return None;
    };
    // Old versions have a `name` of the system and `soc` only; without a target nothing is assumed.
    let architecture = Architecture::of_target(target);
    let source = "rocprofiler-compute, sysinfo.csv";
    let title = [model.as_str(), target]
        .into_iter()
        .find(|name| !name.is_empty());
    let mut gpu = Gpu::empty(format!("AMD Instinct {}", title.unwrap_or("GPU")));
    parts(&mut gpu, units, clock, source);
    let bandwidth = bandwidth.parse::<f64>().ok().map(|rate| rate * 1e9);
    if let Some(Ok(rate)) = bandwidth.map(ByteRate::try_from) {
        let rate = Sourced::theoretical(rate, source);
        gpu.memory.push(MemoryRoof::new(Level::Dram, rate));
    }
    Some(Agent {
        target: target.clone(),
        architecture,
        gpu: Some(gpu),
    })
}

/// The device that was named to whoever reads: its formulas are known, and the catalogue has its roofs.
pub(super) fn of_name(input: &Input<'_>) -> Option<Agent> {
    let architecture = Architecture::of_product(input.beside.device()?)?;
    Some(Agent {
        target: architecture.name().to_owned(),
        architecture: Some(architecture),
        gpu: None,
    })
}

fn parts(gpu: &mut Gpu, units: &str, clock_mhz: &str, source: &str) {
    let units = units
        .parse()
        .ok()
        .and_then(|units: f64| Count::try_from(units).ok());
    gpu.parts.units = units.map(|units| Sourced::theoretical(units, source));
    let clock = clock_mhz.parse().ok().map(|clock: f64| clock * 1e6);
    let clock = clock.and_then(|clock| Hertz::try_from(clock).ok());
    gpu.parts.clock = clock.map(|clock| Sourced::theoretical(clock, source));
}

/// Adds the measured roofs of a device's row in `roofline.csv`; says whether there is one.
pub(super) fn measured(input: &Input<'_>, device: u64, gpu: &mut Gpu) -> bool {
    let mut text = String::new();
    let Some(file) = input.beside.open("roofline.csv") else {
        return false;
    };
    if file.take(MOST).read_to_string(&mut text).is_err() {
        return false;
    }
    let Ok(imported) = import::devices(&text, "roofline.csv") else {
        return false;
    };
    let suffix = format!(", device {device}");
    let row = imported
        .gpus
        .into_iter()
        .find(|gpu| gpu.name.ends_with(&suffix));
    let Some(row) = row else { return false };
    gpu.compute = row.compute;
    for roof in row.memory {
        match gpu.memory_roof_mut(roof.level) {
            Some(known) => known.achievable = Some(roof.bandwidth),
            None => gpu.memory.push(roof),
        }
    }
    gpu.memory.sort_by_key(|roof| roof.level);
    true
}

/// The device with this number among those of rocprofv3's `agent_info.csv`; without a number, the only one there is.
pub(super) fn of_agents(input: &Input<'_>, number: Option<&str>) -> Option<Agent> {
    const COLUMNS: [&str; 6] = [
        "Node_Id",
        "Agent_Type",
        "Name",
        "Product_Name",
        "Cu_Count",
        "Max_Engine_Clk_Fcompute",
    ];
    let own = input
        .name
        .replace("counter_collection.csv", "agent_info.csv");
    let names = [own.as_str(), "agent_info.csv"];
    let mut tables = names.iter().filter(|name| **name != input.name);
    let mut table = tables.find_map(|name| table(input.beside, name, &COLUMNS))?;
    table.retain(|row| row[1].eq_ignore_ascii_case("GPU"));
    let same = table.windows(2).all(|pair| pair[0][2] == pair[1][2]);
    let row = table.iter().find(|row| Some(row[0].as_str()) == number);
    let row = row.or_else(|| table.first().filter(|_| same))?;
    let [_, _, target, product, units, clock] = &row[..] else {
        return None;
    };
    let title = [product.as_str(), target]
        .into_iter()
        .find(|name| !name.is_empty());
    let mut gpu = Gpu::empty(title.unwrap_or("AMD GPU"));
    parts(&mut gpu, units, clock, "rocprofv3, agent_info.csv");
    Some(Agent {
        target: target.clone(),
        architecture: Architecture::of_target(target),
        gpu: Some(gpu),
    })
}

/// What to say where no formula is known.
pub(super) fn unverified(agent: Option<&Agent>, beside: &str) -> Option<String> {
    match agent {
        Some(agent) if agent.architecture.is_some() => None,
        Some(agent) => {
            let target = match agent.target.is_empty() {
                true => "an unnamed architecture",
                false => &agent.target,
            };
            Some(format!(
                "no formula is verified for {target}, so kernels have a time but neither work nor traffic: what a request counts for differs between gfx908, gfx90a, gfx942 and gfx950, and another's formula would be wrong unnoticed"
            ))
        }
        None => Some(format!(
            "the architecture is not known, so kernels have a time but neither work nor traffic: keep {beside} beside this file, open the folder, or name the device with --gpu"
        )),
    }
}
