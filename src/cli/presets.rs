//! `ridgepoint presets`: what is built in.
use super::{Failure, devices, output, source};
use crate::files::library;
use crate::files::presets::{self, ModelPreset};
use crate::files::session_file;
use crate::model::cost::{ComputeUnit, Level, Path};
use crate::model::format::NumberFormat;
use crate::model::gpu::{Confidence, Gpu, Sourced};
use crate::model::parts::Parts;
use crate::model::quantity::Quantity;
use crate::model::units::Unit;
use crate::report::Format;
use crate::report::grid::{self, Cell, Column, Shown};
use serde_json::{Value, json};
use std::process::ExitCode;

/// List what is built in, and your own devices; @NAME stands for a built-in session wherever a session is asked for
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// What to list; everything if left out
    what: Option<What>,
    /// How the list is written
    #[arg(long, default_value = "text", value_parser = source::format())]
    format: Format,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum What {
    Gpus,
    Models,
    Sessions,
}

impl What {
    const ALL: [Self; 3] = [Self::Gpus, Self::Models, Self::Sessions];

    fn name(self) -> &'static str {
        match self {
            Self::Gpus => "gpus",
            Self::Models => "models",
            Self::Sessions => "sessions",
        }
    }

    fn json(self) -> Value {
        match self {
            Self::Gpus => grid::json(&gpu_columns(), &devices()),
            Self::Models => grid::json(&model_columns(), &presets::all_models()),
            Self::Sessions => grid::json(&session_columns(), &sessions()),
        }
    }

    fn write(self, format: Format) -> String {
        match self {
            _ if format == Format::Json => grid::json_text(&self.json()),
            Self::Gpus => grid::write(&gpu_columns(), &devices(), format),
            Self::Models => grid::write(&model_columns(), &presets::all_models(), format),
            Self::Sessions => grid::write(&session_columns(), &sessions(), format),
        }
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let format = arguments.format;
    let text = match arguments.what {
        Some(what) => what.write(format),
        None if format == Format::Json => {
            let lists = What::ALL.map(|what| (what.name().to_owned(), what.json()));
            grid::json_text(&Value::Object(lists.into_iter().collect()))
        }
        None => What::ALL
            .map(|what| format!("{}\n{}", what.name(), what.write(format)))
            .join("\n"),
    };
    output::print(&text)
}

/// A device with what is told of it in lists.
struct Device {
    /// Of the user's own ones, the name of their file without its ending.
    id: String,
    vendor: String,
    year: Option<u32>,
    memory_kind: String,
    gpu: Gpu,
}

/// The built-in devices, and the user's own behind them.
fn devices() -> Vec<Device> {
    let built_in = presets::all_gpus().into_iter().map(|preset| Device {
        id: preset.id.to_owned(),
        vendor: preset.vendor,
        year: preset.year,
        memory_kind: preset.memory_kind,
        gpu: preset.gpu,
    });
    let own = devices::own().into_iter().map(|gpu| Device {
        id: library::file_stem(&gpu.name),
        vendor: "your own".to_owned(),
        year: None,
        memory_kind: String::new(),
        gpu,
    });
    built_in.chain(own).collect()
}

/// The path GPUs are compared by.
const FP16_MATRIX: Path = Path::matrix(NumberFormat::FP16);

fn gpu_columns() -> Vec<Column<'static, Device>> {
    let words = |key, title, cell: fn(&Device) -> Cell| Column::words(key, Some(title), cell);
    let numbers = |key, title, unit, value: fn(&Device) -> Option<f64>| {
        Column::numbers(key, Some(title), Shown::In(unit), value)
    };
    vec![
        words("id", "Id", |p| Cell::Text(p.id.clone())),
        words("name", "Name", |p| Cell::Text(p.gpu.name.clone())),
        words("vendor", "Vendor", |p| Cell::Text(p.vendor.clone())),
        words("year", "Year", |p| {
            p.year.map_or(Cell::Unknown, |year| Cell::Both {
                data: year.into(),
                text: year.to_string(),
            })
        }),
        words("memory_kind", "Memory", |p| {
            Cell::Text(p.memory_kind.clone())
        }),
        numbers("capacity_bytes", "Capacity", Unit::Byte, |p| {
            Some(p.gpu.capacity?.get())
        }),
        numbers("dram_bytes_per_s", "Bandwidth", Unit::BytePerSecond, |p| {
            Some(p.gpu.memory_roof(Level::Dram)?.bandwidth.value.get())
        }),
        numbers(
            "fp16_matrix_flop_per_s",
            "FP16 matrix",
            Unit::FlopPerSecond,
            |p| Some(p.gpu.compute_roof(FP16_MATRIX)?.peak.value.get()),
        ),
        Column::words("paths", None, |p: &Device| {
            let roofs = p.gpu.compute.iter();
            Cell::List(roofs.map(|roof| roof.path.to_string()).collect())
        }),
        Column::words("compute", None, |p: &Device| Cell::Both {
            data: compute(&p.gpu),
            text: count(p.gpu.compute.len()),
        }),
        Column::words("parts", None, |p: &Device| Cell::Both {
            data: parts(&p.gpu.parts),
            text: String::new(),
        }),
        Column::words("memory", None, |p: &Device| Cell::Both {
            data: memory(&p.gpu),
            text: count(p.gpu.memory.len()),
        }),
    ]
}

/// Lists do not fit a cell of text.
fn count(roofs: usize) -> String {
    format!("{roofs} roofs")
}

/// The compute roofs, one entry for every basis a peak is known on; an accumulator that is null is the usual one.
fn compute(gpu: &Gpu) -> Value {
    let roofs = gpu.compute.iter().flat_map(|roof| {
        let known = std::iter::once(&roof.peak).chain(&roof.achievable);
        known.map(|rate| {
            let unit = match roof.path.unit {
                ComputeUnit::SpecialFunction => "special",
                unit => unit.name(),
            };
            json!({
                "format": roof.path.format.name(),
                "unit": unit,
                "accumulator": roof.path.accumulator.map(NumberFormat::name),
                "sparse": roof.path.sparse,
                "basis": rate.basis.name(),
                "flop_per_s": rate.value.get(),
                "source": rate.source,
                "confidence": rate.confidence.map(Confidence::name),
            })
        })
    });
    roofs.collect()
}

/// Compute units, clocks and cache sizes, each with its source; what is not known is left out.
fn parts(parts: &Parts) -> Value {
    fn known<Q: Quantity>(key: &str, number: &Option<Sourced<Q>>) -> Option<(String, Value)> {
        let number = number.as_ref()?;
        let fact = json!({
            "value": number.value.get(),
            "source": number.source,
            "confidence": number.confidence.map(Confidence::name),
        });
        Some((key.to_owned(), fact))
    }
    let facts = [
        known("units", &parts.units),
        known("clock_hz", &parts.clock),
        known("matrix_clock_hz", &parts.matrix_clock),
        known("memory_bus_bits", &parts.memory_bus),
        known("l1_bytes_per_unit", &parts.l1),
        known("l2_bytes", &parts.l2),
        known("llc_bytes", &parts.llc),
    ];
    Value::Object(facts.into_iter().flatten().collect())
}

/// The memory roofs, one entry for every basis a bandwidth is known on; the capacity is the level's.
fn memory(gpu: &Gpu) -> Value {
    let roofs = gpu.memory.iter().flat_map(|roof| {
        let known = std::iter::once(&roof.bandwidth).chain(&roof.achievable);
        let capacity = match roof.level {
            Level::Dram => gpu.capacity.map(|bytes| bytes.get()),
            level => gpu.parts.cache_of_all(level),
        };
        known.map(move |rate| {
            json!({
                "level": roof.level.name(),
                "bytes_per_s": rate.value.get(),
                "capacity_bytes": capacity,
                "basis": rate.basis.name(),
                "source": rate.source,
                "confidence": rate.confidence.map(Confidence::name),
            })
        })
    });
    roofs.collect()
}

fn model_columns() -> Vec<Column<'static, ModelPreset>> {
    let words = |key, title, cell: fn(&ModelPreset) -> String| {
        Column::words(key, title, move |p| Cell::Text(cell(p)))
    };
    let numbers = |key, title, unit, value: fn(&ModelPreset) -> f64| {
        Column::numbers(key, title, Shown::In(unit), move |p| Some(value(p)))
    };
    vec![
        words("id", Some("Id"), |p| p.id.to_owned()),
        words("name", Some("Name"), |p| p.architecture.name.clone()),
        words("vendor", Some("Vendor"), |p| p.vendor.clone()),
        Column::words("year", Some("Year"), |p: &ModelPreset| Cell::Both {
            data: p.year.into(),
            text: p.year.to_string(),
        }),
        numbers("parameters_total", Some("Parameters"), Unit::One, |p| {
            p.architecture.parameters().total
        }),
        numbers("parameters_active", Some("Active"), Unit::One, |p| {
            p.architecture.parameters().active
        }),
        numbers("layers", Some("Layers"), Unit::One, |p| {
            p.architecture.layer_count()
        }),
        numbers(
            "kv_bytes_per_token",
            Some("KV per token"),
            Unit::Byte,
            |p| p.architecture.kv_bytes_per_token(&p.formats),
        ),
        numbers("state_bytes", None, Unit::Byte, |p| {
            p.architecture.state_bytes()
        }),
        Column::numbers(
            "context",
            Some("Context"),
            Shown::In(Unit::One),
            |p: &ModelPreset| Some(p.architecture.max_context?.get()),
        ),
        words("weights", Some("Weights"), |p| {
            p.formats.weights.to_string()
        }),
        words("kv_cache", None, |p| p.formats.kv.to_string()),
        words("source", None, |p| p.source.clone()),
    ]
}

struct BuiltInSession {
    id: &'static str,
    title: String,
    notes: String,
}

fn sessions() -> Vec<BuiltInSession> {
    let readable = presets::sessions().iter().filter_map(|preset| {
        let loaded = session_file::read(preset.text).ok()?;
        Some(BuiltInSession {
            id: preset.id,
            title: loaded.session.title,
            notes: loaded.session.notes,
        })
    });
    readable.collect()
}

fn session_columns() -> Vec<Column<'static, BuiltInSession>> {
    let words = |key, title, cell: fn(&BuiltInSession) -> Cell| Column::words(key, title, cell);
    vec![
        words("id", None, |s| Cell::Text(s.id.to_owned())),
        words("name", Some("Name"), |s| Cell::Text(format!("@{}", s.id))),
        words("title", Some("Title"), |s| Cell::Text(s.title.clone())),
        words("notes", None, |s| Cell::Text(s.notes.clone())),
    ]
}
