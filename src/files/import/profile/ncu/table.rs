//! Finding the table in the output of Nsight Compute, and which of its columns are which.
use crate::files::import::profile::fields;
use crate::files::import::profile::number::Evidence;

/// Where the columns of use are.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    pub separator: u8,
    pub names: Vec<String>,
    pub id: usize,
    pub process: Option<usize>,
    pub device: Option<usize>,
    pub kernel: usize,
    pub block: Option<usize>,
    pub grid: Option<usize>,
    pub capability: Option<usize>,
    /// Of a long table: where a metric's name, unit and value are.
    pub metric: Option<Metric>,
}

/// The columns of a long table that change from row to row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metric {
    /// The first of them.
    pub first: usize,
    pub name: usize,
    pub unit: usize,
    pub value: usize,
}

impl Header {
    /// The header a line is, if it is one.
    pub fn of(line: &[u8]) -> Option<Self> {
        memchr::memmem::find(line, b"Kernel Name")?;
        [b',', b';', b'\t']
            .into_iter()
            .find_map(|separator| Self::split_at(line, separator))
    }

    fn split_at(line: &[u8], separator: u8) -> Option<Self> {
        let mut slices = Vec::new();
        if !fields::split(line, separator, &mut slices) {
            return None;
        }
        let names: Vec<String> = slices
            .iter()
            .map(|field| String::from_utf8_lossy(&fields::unquoted(field)).into_owned())
            .collect();
        let at = |name: &str| names.iter().position(|column| column == name);
        let id = at("ID")?;
        let kernel = at("Kernel Name")?;
        // Tables of other programs have kernels too.
        let metrics = || names.iter().position(|name| name.contains("__"));
        let shape = || at("Grid Size").or(at("Block Size")).or(at("Metric Name"));
        at("Context")
            .or(at("Stream"))
            .or(at("Process ID"))
            .or_else(shape)
            .or_else(metrics)?;
        let metric = at("Metric Name").and_then(|name| {
            let (unit, value) = (at("Metric Unit")?, at("Metric Value")?);
            let first = at("Section Name").unwrap_or(name).min(name);
            let last_key = [
                Some(id),
                Some(kernel),
                at("Block Size"),
                at("Grid Size"),
                at("Process ID"),
            ];
            let after = last_key.into_iter().flatten().all(|key| key < first);
            let in_order = first <= name && name < unit && unit < value;
            (after && in_order).then_some(Metric {
                first,
                name,
                unit,
                value,
            })
        });
        if metric.is_none() && at("Metric Name").is_some() {
            return None;
        }
        Some(Self {
            separator,
            id,
            kernel,
            process: at("Process ID"),
            device: at("Device"),
            block: at("Block Size"),
            grid: at("Grid Size"),
            capability: at("CC"),
            metric,
            names,
        })
    }

    /// A name that two of its columns have.
    pub fn twice(&self) -> Option<&str> {
        let mut names: Vec<&str> = self
            .names
            .iter()
            .map(String::as_str)
            .filter(|name| !name.is_empty())
            .collect();
        names.sort_unstable();
        names
            .windows(2)
            .find(|pair| pair[0] == pair[1])
            .map(|pair| pair[0])
    }
}

/// What the numbers in the head of a file say of its decimal mark.
pub fn decimal(head: &[u8]) -> Evidence {
    let mut lines = head.split(|byte| *byte == b'\n');
    let header = lines
        .by_ref()
        .find_map(|line| Header::of(line.trim_ascii_end()));
    let mut evidence = Evidence::default();
    let Some(header) = header else {
        return evidence;
    };
    let mut slices = Vec::new();
    for line in lines {
        if !fields::split(line.trim_ascii_end(), header.separator, &mut slices) {
            continue;
        }
        match header.metric {
            Some(metric) => {
                let whole = |at: usize| {
                    slices
                        .get(at)
                        .is_some_and(|unit| is_whole(&fields::unquoted(unit)))
                };
                if let Some(value) = slices.get(metric.value) {
                    evidence.observe(&fields::unquoted(value), whole(metric.unit));
                }
            }
            // The last field may be cut.
            None => {
                let keys = [
                    Some(header.id),
                    Some(header.kernel),
                    header.capability,
                    header.process,
                ];
                let values = slices
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| !keys.contains(&Some(*at)));
                for (_, value) in values.take(slices.len().saturating_sub(1)) {
                    evidence.observe(&fields::unquoted(value), false);
                }
            }
        }
    }
    evidence
}

/// Whether there is no half of what a unit counts.
fn is_whole(unit: &[u8]) -> bool {
    matches!(unit, b"byte" | b"sector" | b"inst" | b"request")
}
