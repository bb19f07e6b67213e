//! What is kept of a trace while it streams by: launches, what operators ask for, and who launched what.
use super::event::{Args, Body, Device, Head, Node, Number};
use super::scan::Kind;
use super::work::{Call, Work};
use std::collections::HashMap;

/// The most launches that are kept, and the most operators and calls of the runtime.
const MOST_LAUNCHES: usize = 2_000_000;
const MOST_LINKS: usize = 3_000_000;

/// The most that names may take, and what operators ask for by their shapes, in B.
const MOST_TEXT: usize = 32 << 20;
const MOST_KNOWN: usize = 64 << 20;

/// The most devices that are told apart.
const MOST_DEVICES: usize = 256;

/// Texts by number, each kept once.
#[derive(Default)]
pub(super) struct Texts {
    numbers: HashMap<Box<str>, u32>,
    pub list: Vec<Box<str>>,
    bytes: usize,
}

impl Texts {
    /// The number of a text; `None` if there is no more room.
    fn number(&mut self, text: &str) -> Option<u32> {
        if let Some(number) = self.numbers.get(text) {
            return Some(*number);
        }
        // Each text is kept twice, with what surrounds it.
        self.bytes += 2 * text.len() + 64;
        if self.bytes > MOST_TEXT {
            return None;
        }
        let number = u32::try_from(self.list.len()).ok()?;
        self.numbers.insert(text.into(), number);
        self.list.push(text.into());
        Some(number)
    }
}

/// Something that ran on a device.
#[derive(Debug, Clone, Copy)]
pub(super) struct Launch {
    pub name: u32,
    pub shape: u32,
    pub device: u32,
    /// Whether it is a kernel, else a copy or a fill.
    pub kernel: bool,
    /// Of the operator that launched it; zero where unknown.
    pub external: u64,
    /// Of the call of the runtime that launched it; zero where unknown.
    pub correlation: u64,
    /// In s; negative or NaN where it is none.
    pub time: f64,
    /// What a copy moved, in B.
    pub bytes: Option<f64>,
}

/// What a call of an operator asks for, with the shapes it was called with.
pub(super) struct Operator {
    pub work: Work,
    pub shape: String,
}

/// A device of the trace.
pub(super) struct Described {
    pub id: u64,
    pub name: String,
    /// In B.
    pub memory: Option<f64>,
    pub units: Option<f64>,
}

/// Everything kept so far.
#[derive(Default)]
pub(super) struct Gathered {
    pub names: Texts,
    pub shapes: Texts,
    pub launches: Vec<Launch>,
    pub operators: Vec<Operator>,
    /// External ids of operators with their number in `operators`.
    pub calls: Vec<(u64, u32)>,
    /// Correlations with external ids.
    pub links: Vec<(u64, u64)>,
    pub devices: Vec<Described>,
    /// Operators of any kind that name the shapes they were called with.
    pub with_shapes: u64,
    /// From the begin of the first kernel to the end of the last, in µs.
    pub span: Option<(f64, f64)>,
    /// Events of devices, kept or not.
    pub rows: u64,
    /// Events that are no JSON, with the byte of the first.
    pub broken: u64,
    pub first_broken: Option<u64>,
    /// Launches for which there was no room.
    pub left_out: u64,
    /// Calls of operators for which there was no room.
    pub forgotten: u64,
    /// The number of each call's work, by what tells calls apart; `None` where no formula is known.
    known: HashMap<String, Option<u32>>,
    known_bytes: usize,
}

impl Gathered {
    /// Takes in an object of the file, which begins at this byte.
    pub fn take(&mut self, kind: Kind, bytes: &[u8], begin: u64) {
        let understood = match kind {
            Kind::Event => self.event(bytes),
            Kind::Device => self.device(bytes),
        };
        let understood = understood.or_else(|| {
            // Python writes NaN and Infinity, which are no JSON.
            let text = crate::files::import::file::null_for_nan(str::from_utf8(bytes).ok()?);
            match kind {
                Kind::Event => self.event(text.as_bytes()),
                Kind::Device => self.device(text.as_bytes()),
            }
        });
        if understood.is_none() {
            self.broken += 1;
            self.first_broken.get_or_insert(begin);
        }
    }

    fn device(&mut self, bytes: &[u8]) -> Option<()> {
        let device: Device<'_> = serde_json::from_slice(bytes).ok()?;
        if self.devices.len() < MOST_DEVICES {
            let name: Vec<_> = device.name.as_str().split_whitespace().collect();
            self.devices.push(Described {
                id: device.id.id(),
                name: name.join(" ").chars().take(80).collect(),
                memory: device.memory.0,
                units: device.units.0,
            });
        }
        Some(())
    }

    fn event(&mut self, bytes: &[u8]) -> Option<()> {
        let head: Head<'_> = serde_json::from_slice(bytes).ok()?;
        if head.ph.as_str() != "X" {
            return Some(());
        }
        let name = head.name.as_str();
        match head.cat.as_str() {
            "kernel" | "Kernel" => self.launch(name, true, bytes),
            "gpu_memcpy" | "gpu_memset" | "Memcpy" | "Memset" => self.launch(name, false, bytes),
            "cpu_op" | "operator" | "Operator" => self.operator(name, bytes),
            "cuda_runtime" | "cuda_driver" | "hip_runtime" | "Runtime" => {
                let body: Body<'_> = serde_json::from_slice(bytes).ok()?;
                let (correlation, external) = (body.args.correlation.id(), body.args.external.id());
                if correlation > 0 && external > 0 && self.links.len() < MOST_LINKS {
                    self.links.push((correlation, external));
                }
                Some(())
            }
            _ => Some(()),
        }
    }

    fn launch(&mut self, name: &str, kernel: bool, bytes: &[u8]) -> Option<()> {
        let body: Body<'_> = serde_json::from_slice(bytes).ok()?;
        self.rows += 1;
        let shape = shape(&body.args);
        let named = self.names.number(name).zip(self.shapes.number(&shape));
        let Some((name, shape)) = named.filter(|_| self.launches.len() < MOST_LAUNCHES) else {
            self.left_out += 1;
            return Some(());
        };
        let time = body.dur.0.unwrap_or(f64::NAN) * 1e-6;
        if kernel && time >= 0.0 {
            self.reach(body.ts, body.dur);
        }
        self.launches.push(Launch {
            name,
            shape,
            device: body.args.device.id() as u32,
            kernel,
            external: body.args.external.id(),
            correlation: body.args.correlation.id(),
            time,
            bytes: body.args.bytes.0,
        });
        Some(())
    }

    fn reach(&mut self, begin: Number, duration: Number) {
        let Some((begin, duration)) = begin.0.zip(duration.0) else {
            return;
        };
        let end = begin + duration;
        let (first, last) = self.span.unwrap_or((begin, end));
        self.span = Some((first.min(begin), last.max(end)));
    }

    fn operator(&mut self, name: &str, bytes: &[u8]) -> Option<()> {
        let body: Body<'_> = serde_json::from_slice(bytes).ok()?;
        let args = &body.args;
        self.with_shapes += u64::from(!args.dims.list().is_empty());
        let external = args.external.id();
        if external == 0 {
            return Some(());
        }
        if self.calls.len() >= MOST_LINKS {
            self.forgotten += 1;
            return Some(());
        }
        if let Some(work) = self.work(&Call { name, args }) {
            self.calls.push((external, work));
        }
        Some(())
    }

    /// The number of what a call asks for.
    fn work(&mut self, call: &Call<'_>) -> Option<u32> {
        let signature = call.signature();
        if let Some(known) = self.known.get(&signature) {
            return *known;
        }
        if self.known_bytes > MOST_KNOWN {
            self.forgotten += 1;
            return None;
        }
        // With what is kept of its work, and room that the table has to spare.
        self.known_bytes += signature.len() + 320;
        let number = call.work().map(|work| {
            let shape = call.shape();
            self.operators.push(Operator { work, shape });
            self.operators.len() as u32 - 1
        });
        self.known.insert(signature, number);
        number
    }
}

/// `grid 40×2×1, block 128×1×1`; empty where the trace does not say.
fn shape(args: &Args<'_>) -> String {
    let text = |node: &Node| {
        let numbers = node.numbers().filter(|numbers| !numbers.is_empty())?;
        let numbers: Vec<_> = numbers.iter().take(3).map(f64::to_string).collect();
        Some(numbers.join("×"))
    };
    match (text(&args.grid), text(&args.block)) {
        (Some(grid), Some(block)) => format!("grid {grid}, block {block}"),
        (Some(grid), None) => format!("grid {grid}"),
        _ => String::new(),
    }
}
