//! What serving engineers ask of a language model: rates, latencies, utilisation, cost, and whether it fits.
use super::{fact, small};
use crate::chart::style::Style;
use crate::chart::style::size;
use crate::model::llm::{Capacity, Phase, Results, Serving};
use crate::model::quantity::Count;
use crate::model::units::{self, Unit};
use crate::ui::widgets::{Bar, ladder, section};
use egui::{RichText, Ui};

/// The results of a language model's step.
pub(super) fn serving(ui: &mut Ui, model: &Serving, results: &Results, roles: &Style) {
    section(ui, "Serving", |_| {});
    fact(
        ui,
        "Tokens per second",
        &units::number(results.tokens_per_second),
    );
    let mut optional = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            fact(ui, name, &value);
        }
    };
    optional(
        "Per user",
        results.tokens_per_second_per_user.map(units::number),
    );
    optional(
        first_token(model),
        results.time_to_first_token.map(|time| time.to_string()),
    );
    optional(
        "Each further token",
        results.time_per_output_token.map(|time| time.to_string()),
    );
    optional("MFU", results.model_flops_utilisation.map(units::percent));
    optional(
        "MBU",
        results.model_bandwidth_utilisation.map(units::percent),
    );
    optional(
        "$ per million tokens",
        results.dollars_per_million.map(units::number),
    );
    optional(
        "Joules per token, as measured",
        results.joules_per_token.map(units::number),
    );
    optional(
        "Joules per token, at most (TDP)",
        results.most_joules_per_token.map(units::number),
    );
    if let Some(capacity) = &results.capacity {
        memory(ui, model, results, capacity, roles);
    }
}

/// What is waited for until the first token: of a decode step nobody knows who else is served at that time.
fn first_token(model: &Serving) -> &'static str {
    match (model.phase, model.batch) {
        (Phase::Prefill, batch) if batch != Count::ONE => "First tokens, these prompts alone",
        _ => "First token, one prompt alone",
    }
}

/// What decides how many sequences and tokens fit, with its numbers.
fn room(model: &Serving, capacity: &Capacity) -> String {
    let bytes = |value: f64| units::short(value, Unit::Byte);
    let cache = capacity.parts.iter().find(|(name, _)| *name == "KV cache");
    let Some((_, cache)) = cache else {
        return "A training step keeps no KV cache.".to_owned();
    };
    let others = capacity.needed() - cache;
    let usable = bytes(capacity.usable);
    let room = capacity.usable - others;
    if room <= 0.0 {
        let others = bytes(others);
        return format!(
            "No room for the cache: {usable} may be used, {others} are needed without it."
        );
    }
    let batch = model.batch.get();
    format!(
        "Room for the cache: {usable} − {} = {}, {} for each of {}; {} tokens take {}.",
        bytes(others),
        bytes(room),
        bytes(room / batch),
        units::count(batch),
        units::count(model.mean_context()),
        bytes(cache / batch)
    )
}

fn memory(ui: &mut Ui, model: &Serving, results: &Results, capacity: &Capacity, roles: &Style) {
    let bytes = |value: f64| units::short(value, Unit::Byte);
    section(ui, "Memory", |ui| {
        let (text, colour) = match capacity.breaks_at() {
            None => ("fits".to_owned(), roles.good),
            Some(part) => (format!("does not fit: {part}"), roles.warning),
        };
        ui.label(RichText::new(text).size(size::SMALL).color(colour));
    });
    let parts = capacity.parts.iter().filter(|(_, bytes)| *bytes > 0.0);
    let mut bars: Vec<_> = parts
        .map(|(name, size)| Bar {
            name: (*name).to_owned(),
            length: *size,
            text: bytes(*size),
            colour: roles.memory,
            hover: String::new(),
        })
        .collect();
    bars.push(Bar {
        name: "may be used".to_owned(),
        length: capacity.usable,
        text: bytes(capacity.usable),
        colour: roles.faint,
        hover: "The part of the GPU's memory that may be used".to_owned(),
    });
    ladder(ui, &bars);
    if results.kv_read > 0.0 {
        fact(ui, "KV cache read per step", &bytes(results.kv_read));
    }
    fact(ui, "Most sequences", &units::count(capacity.most_sequences));
    let limit = model.model.max_context.map(|limit| limit.get());
    let longest = units::count(capacity.longest_context);
    let longest = if limit == Some(capacity.longest_context) {
        format!("{longest} (the model's limit)")
    } else {
        longest
    };
    fact(ui, "Longest context", &longest);
    small(ui, &room(model, capacity), roles);
    if model.tensor_parallel.get() > 1.0 {
        small(ui, "Of each GPU of the group.", roles);
    }
}
