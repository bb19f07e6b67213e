//! Counters of rocprofv3: `*_counter_collection.csv`, a row for each counter of each dispatch.
use super::workload::{shape, time};
use super::{Row, Rows, agent, counters};
use crate::files::import::profile::{Format, Input, ProfileError, ReadProfile, check};
use crate::model::profile::{Builder, Counter, Launch};
use std::collections::HashMap;

pub(in super::super) const FORMAT: Format = Format {
    name: "rocprofv3 counters (CSV)",
    is,
    read,
};

/// The most values that are kept, in cells of the table to be.
const MOST_CELLS: usize = 24_000_000;

fn is(input: &Input<'_>) -> bool {
    let header = input.head_text().lines().next().unwrap_or_default();
    ["Kernel_Name", "Counter_Name", "Counter_Value"]
        .iter()
        .all(|name| header.contains(name))
}

/// One run of a kernel.
struct Dispatch {
    name: usize,
    shape: usize,
    time: Option<f64>,
    /// By the number of the counter: the value, and the process that it was counted in.
    values: Vec<Option<(f64, u64)>>,
}

/// Every dispatch, in the order they first came.
#[derive(Default)]
struct Dispatches {
    /// By dispatch and name: one, or one for each process of a run of several.
    index: HashMap<(u64, usize), Vec<usize>>,
    list: Vec<Dispatch>,
    texts: HashMap<Box<str>, usize>,
    names: Vec<Box<str>>,
    columns: Vec<Counter>,
    cells: usize,
    /// What tells which device ran most, by the text of the file.
    agents: HashMap<Box<str>, u64>,
    rows: u64,
    /// Rows of counters that no formula uses.
    unused: u64,
    left_out: u64,
}

struct Places {
    process: Option<usize>,
    dispatch: Option<usize>,
    agent: Option<usize>,
    name: Option<usize>,
    grid: Option<usize>,
    group: Option<usize>,
    counter: Option<usize>,
    value: Option<usize>,
    begin: Option<usize>,
    end: Option<usize>,
}

fn read(input: &mut Input<'_>) -> Result<ReadProfile, ProfileError> {
    let mut profile = ReadProfile::default();
    let dispatches = dispatches(input, &mut profile)?;
    if dispatches.list.is_empty() {
        return Err(input.wrong(
            "it has a header and no dispatch: run rocprofv3 --pmc on a program that launches kernels",
        ));
    }
    let main = dispatches
        .agents
        .iter()
        .max_by(|a, b| a.1.cmp(b.1).then(b.0.cmp(a.0)));
    let main = main.map(|(agent, _)| agent.trim_start_matches("Agent").trim());
    let agent = agent::of_agents(input, main).or_else(|| agent::of_name(input));
    let architecture = agent.as_ref().and_then(|agent| agent.architecture);
    let reading = counters::read(architecture, &dispatches.columns);
    profile.notes.extend(reading.notes);
    let beside = "the agent_info.csv that rocprofv3 wrote with it";
    profile
        .warnings
        .extend(agent::unverified(agent.as_ref(), beside));
    profile.warnings.extend(reading.warnings);
    if dispatches.agents.len() > 1 {
        let count = dispatches.agents.len();
        profile
            .notes
            .push(format!("dispatches of {count} devices are taken together"));
    }
    if dispatches.unused > 0 {
        let unused = dispatches.unused;
        profile
            .notes
            .push(format!("{unused} rows hold counters that no formula uses"));
    }
    if dispatches.left_out > 0 {
        let left_out = dispatches.left_out;
        profile.warnings.push(format!(
            "{left_out} rows are left out, since so many dispatches do not fit: collect fewer"
        ));
    }
    profile.device = agent.and_then(|agent| agent.gpu);
    let mut builder = Builder::new(dispatches.columns);
    for dispatch in &dispatches.list {
        let launch = Launch {
            name: &dispatches.names[dispatch.name],
            shape: &dispatches.names[dispatch.shape],
            time: dispatch.time,
            derivation: None,
        };
        let values = dispatch.values.iter();
        builder.add(launch, values.map(|value| value.map(|(value, _)| value)));
    }
    let (kernels, partial) = builder.finish(reading.formulas);
    if partial > 0 {
        profile.warnings.push(format!(
            "{partial} kernels lack counters or times in some of their dispatches, which are therefore left out of them"
        ));
    }
    profile.notes.extend(check::value(&kernels));
    profile.kernels = kernels;
    Ok(profile)
}

fn dispatches(
    input: &mut Input<'_>,
    profile: &mut ReadProfile,
) -> Result<Dispatches, ProfileError> {
    let rows = Rows::new(input)?;
    let places = Places {
        process: rows.column(&["Process_Id"]),
        dispatch: rows.column(&["Dispatch_Id"]),
        agent: rows.column(&["Agent_Id"]),
        name: rows.column(&["Kernel_Name"]),
        grid: rows.column(&["Grid_Size"]),
        group: rows.column(&["Workgroup_Size"]),
        counter: rows.column(&["Counter_Name"]),
        value: rows.column(&["Counter_Value"]),
        begin: rows.column(&["Start_Timestamp"]),
        end: rows.column(&["End_Timestamp"]),
    };
    let mut dispatches = Dispatches::default();
    rows.each(profile, |row| {
        let added = dispatches.add(&places, &row);
        added.map_err(str::to_owned)
    })?;
    profile.rows = dispatches.rows;
    Ok(dispatches)
}

impl Dispatches {
    fn add(&mut self, places: &Places, row: &Row<'_>) -> Result<(), &'static str> {
        let name = row.text(places.name);
        if name.is_empty() {
            return Err("it names no kernel");
        }
        let counter = row.text(places.counter);
        // The header of the next pass, where files were joined.
        if counter == "Counter_Name" {
            return Ok(());
        }
        self.rows += 1;
        let Some(column) = self.column(&counter) else {
            self.unused += 1;
            // Its time and its launch count all the same.
            self.dispatch(places, row, &name, None);
            return Ok(());
        };
        let Some(value) = row.number(places.value).filter(|value| *value >= 0.0) else {
            return Err("its value is no number, or negative");
        };
        let process = row.number(places.process).unwrap_or_default() as u64;
        let Some(at) = self.dispatch(places, row, &name, Some((column, process))) else {
            self.left_out += 1;
            return Ok(());
        };
        let values = &mut self.list[at].values;
        if values.len() <= column {
            self.cells += 2 * (column + 1 - values.len());
            values.resize(column + 1, None);
        }
        // Instances of a counter that are written one by one add up.
        let known = values[column].map_or(0.0, |(known, _)| known);
        values[column] = Some((known + value, process));
        Ok(())
    }

    /// The column of a counter that a formula uses.
    fn column(&mut self, counter: &str) -> Option<usize> {
        counters::known(counter)?;
        let mut columns = self.columns.iter();
        let column = columns.position(|column| column.name == counter);
        Some(column.unwrap_or_else(|| {
            self.columns.push(Counter {
                name: counter.to_owned(),
                unit: String::new(),
            });
            self.columns.len() - 1
        }))
    }

    /// The dispatch a row is of; `None` if there is no more room. Passes run the program again and number its
    /// dispatches alike: what another process counted joins a dispatch, unless that has the counter from elsewhere.
    fn dispatch(
        &mut self,
        places: &Places,
        row: &Row<'_>,
        name: &str,
        counted: Option<(usize, u64)>,
    ) -> Option<usize> {
        let number = row.number(places.dispatch).unwrap_or_default() as u64;
        let key = (number, self.text(name));
        let fits = |at: &&usize| {
            let Some((column, process)) = counted else {
                return true;
            };
            let known = self.list[**at].values.get(column).copied().flatten();
            known.is_none_or(|(_, from)| from == process)
        };
        let list = self.index.get(&key);
        if let Some(at) = list.and_then(|list| list.iter().find(fits)) {
            return Some(*at);
        }
        if self.cells >= MOST_CELLS {
            return None;
        }
        let at = self.begin(places, row, key.1);
        self.index.entry(key).or_default().push(at);
        Some(at)
    }

    fn begin(&mut self, places: &Places, row: &Row<'_>, name: usize) -> usize {
        let agent = row.text(places.agent);
        if self.agents.len() < 1024 {
            *self.agents.entry((*agent).into()).or_default() += 1;
        }
        let dispatch = Dispatch {
            name,
            shape: self.text(&shape(&row.text(places.grid), &row.text(places.group))),
            time: time(row.number(places.begin), row.number(places.end)),
            values: Vec::new(),
        };
        // The dispatch itself takes the room of some cells.
        self.cells += 16;
        self.list.push(dispatch);
        self.list.len() - 1
    }

    fn text(&mut self, text: &str) -> usize {
        if let Some(number) = self.texts.get(text) {
            return *number;
        }
        self.cells += text.len() / 4 + 16;
        self.texts.insert(text.into(), self.names.len());
        self.names.push(text.into());
        self.names.len() - 1
    }
}
