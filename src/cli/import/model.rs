//! `ridgepoint import config.json`: a language model as a session, or what was made of it as JSON.
use super::super::{Failure, devices, output};
use super::Arguments;
use crate::files::import::hf_config::{self, ConfigError, ImportedModel};
use crate::files::import::model_file;
use crate::files::session_file;
use crate::model::llm::{self, Phase, Serving};
use crate::model::quantity::Count;
use crate::model::session::{Session, Workload};
use crate::model::view::View;
use crate::model::workload::{Family, Kind};
use crate::report::{Format, count_value};
use serde_json::{Value, json};

/// The phases that can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::cli) enum AskedPhase {
    Decode,
    Prefill,
}

/// The session to write; JSON is printed where it was asked for.
pub(super) fn run(
    arguments: &Arguments,
    text: &str,
    name: &str,
    label: &str,
) -> Result<Option<String>, Failure> {
    let quantisation = match &arguments.quant {
        Some(path) => Some(std::fs::read_to_string(path).map_err(|error| {
            Failure::Error(format!("{}: it cannot be read: {error}", path.display()))
        })?),
        None => None,
    };
    // A broken file is told as it stands.
    let given = match arguments.set.is_empty() || serde_json::from_str::<Value>(text).is_err() {
        true => text.to_owned(),
        false => model_file::with_fields(text, &arguments.set),
    };
    // Nobody can be asked here: what is missing is an error that names all of it, and how to give it.
    let model = hf_config::read(&given, quantisation.as_deref(), name).map_err(told_how)?;
    let serving = serving(arguments, &model)?;
    // Contradictions are told now, not when somebody opens the session.
    serving
        .operators()
        .map_err(|error| Failure::Usage(error.to_string()))?;
    if arguments.format == Some(Format::Json) {
        let class = hf_config::class(text);
        output::print(&format!("{:#}\n", told(&model, &serving, class)))?;
    }
    for sentence in model.warnings.iter().chain(&model.assumed) {
        output::complain(&format!("{label}: {sentence}"));
    }
    if arguments.output.is_none() {
        return Ok(None);
    }
    let mut session = Session::empty(model.architecture.name.clone());
    if let Some(name) = &arguments.gpu {
        session.add_gpu(devices::named(name)?, None);
    }
    let phase = match serving.phase {
        Phase::Prefill => "prefill",
        _ => "decode",
    };
    let name = format!("{}, {phase}", model.architecture.name);
    session.add_workload(Workload::new(name, Kind::LanguageModel(serving)), None);
    Ok(Some(session_file::write(&session, &View::of(&session))))
}

/// What keeps a config from being read, with the arguments that would mend it.
fn told_how(error: ConfigError) -> Failure {
    match error {
        ConfigError::Fields {
            file,
            problems,
            ask,
            ..
        } if !ask.is_empty() => {
            let set = ask.iter().map(|field| format!("--set {field}=VALUE"));
            let set: Vec<_> = set.collect();
            Failure::Error(format!(
                "{file}: {}: add {}, or correct the file",
                problems.join("; "),
                set.join(" ")
            ))
        }
        error => error.into(),
    }
}

/// Reads a field of a config and its value: `hidden_size=4096`.
pub(super) fn field(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("write FIELD=VALUE, such as hidden_size=4096".to_owned()),
    }
}

fn serving(arguments: &Arguments, model: &ImportedModel) -> Result<Serving, Failure> {
    let mut serving = Serving::new(model.architecture.clone(), model.formats.clone());
    let count = |name: &str, value: f64| {
        Count::try_from(value).map_err(|error| Failure::Usage(format!("--{name} {value}: {error}")))
    };
    if let Some(batch) = arguments.batch {
        serving.batch = count("batch", batch)?;
    }
    if let Some(context) = arguments.context {
        serving.context = count("context", context)?;
    }
    if arguments.phase == Some(AskedPhase::Prefill) {
        serving.phase = Phase::Prefill;
    }
    Ok(serving)
}

fn told(model: &ImportedModel, serving: &Serving, class: Option<String>) -> serde_json::Value {
    let parameters = model.architecture.parameters();
    let tokens = serving.operator_tokens();
    let allocated = serving.batch.get() * llm::allocated(serving, serving.context.get());
    let parameters_read = model.architecture.read_per_step(tokens, 0.0);
    let per_token = model.architecture.kv_bytes_per_token(&model.formats);
    let index = model.architecture.index_bytes_per_token(&model.formats);
    json!({
        "name": model.architecture.name,
        "architecture": class,
        "parameters_total": count_value(parameters.total),
        "parameters_active": count_value(parameters.active),
        "parameters_read_per_step": count_value(parameters_read),
        "weight_bytes": count_value(llm::stored_weights(serving)),
        "kv_bytes_per_token": count_value(per_token),
        "kv_index_bytes_per_token": count_value(index),
        "kv_read_bytes": count_value(serving.kv_read()),
        "kv_allocated_bytes": count_value(allocated),
        "assumptions": model.assumed,
        "ignored": model.ignored,
        "warnings": model.warnings,
    })
}
