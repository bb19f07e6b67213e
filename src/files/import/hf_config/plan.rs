//! Which layer is of which kind: from lists, patterns and intervals, of which every family has its own.
use super::family::{Family, Windows};
use super::fields::{Fields, shortened};
use super::layer_count::{LAYERS, MOST_LAYERS, check_length};
use super::sparse;
use serde_json::Value;

/// What moves information between the tokens of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MixerKind {
    Full,
    Windowed,
    Chunked,
    DeltaNet,
    Mamba,
    None,
}

/// What works on each token of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MlpKind {
    Dense,
    Mixture,
    None,
}

/// The kind of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layer {
    pub mixer: MixerKind,
    pub mlp: MlpKind,
}

/// The kind of every layer; of a single one where their number is missing or wrong, so that what it needs is asked for.
pub(super) fn layers(fields: &mut Fields<'_>, family: &Family) -> Vec<Layer> {
    if let Some(layers) = from_pattern(fields).or_else(|| from_block_types(fields)) {
        return layers;
    }
    let count = fields.needed(&LAYERS, MOST_LAYERS);
    let count = count.map_or(1, |count| count.get() as usize);
    let mixers = mixers(fields, family, count);
    let mlps = mlps(fields, count);
    let layers = mixers.into_iter().zip(mlps);
    layers.map(|(mixer, mlp)| Layer { mixer, mlp }).collect()
}

/// A letter for each layer, which is a mixer or an MLP alone: M, *, E, -.
fn from_pattern(fields: &mut Fields<'_>) -> Option<Vec<Layer>> {
    let key = "hybrid_override_pattern";
    let pattern = fields.text(&[key])?;
    let layers = pattern.chars().map(|letter| match letter {
        'M' => Some(mixer_alone(MixerKind::Mamba)),
        '*' => Some(mixer_alone(MixerKind::Full)),
        'E' => Some(mlp_alone(MlpKind::Mixture)),
        '-' => Some(mlp_alone(MlpKind::Dense)),
        _ => None,
    });
    let layers: Option<Vec<_>> = layers.collect();
    let Some(layers) = layers.filter(|layers| !layers.is_empty()) else {
        fields.wrong(format!(
            "{key} has letters other than M (Mamba), * (attention), E (experts) and - (MLP)"
        ));
        return Some(vec![mixer_alone(MixerKind::Full)]);
    };
    check_length(fields, key, layers.len());
    Some(layers)
}

/// A word for each layer, which is a mixer or an MLP alone.
fn from_block_types(fields: &mut Fields<'_>) -> Option<Vec<Layer>> {
    let key = "layers_block_type";
    let words = fields.list(&[key]).filter(|words| !words.is_empty())?;
    let mut layers = Vec::new();
    for word in words.iter().take(MOST_LAYERS as usize) {
        layers.push(match word.as_str() {
            Some("mamba") => mixer_alone(MixerKind::Mamba),
            Some("attention") => mixer_alone(MixerKind::Full),
            Some("moe") => mlp_alone(MlpKind::Mixture),
            Some("mlp") => mlp_alone(MlpKind::Dense),
            _ => {
                unknown_word(fields, key, word, "mamba, attention, moe and mlp");
                mixer_alone(MixerKind::Full)
            }
        });
    }
    check_length(fields, key, words.len());
    Some(layers)
}

fn mixer_alone(mixer: MixerKind) -> Layer {
    Layer {
        mixer,
        mlp: MlpKind::None,
    }
}

fn mlp_alone(mlp: MlpKind) -> Layer {
    Layer {
        mixer: MixerKind::None,
        mlp,
    }
}

fn unknown_word(fields: &mut Fields<'_>, key: &str, word: &Value, known: &str) {
    let word = shortened(word);
    fields.wrong(format!(
        "{key} holds {word}, while the known words are {known}"
    ));
}

fn mixers(fields: &mut Fields<'_>, family: &Family, count: usize) -> Vec<MixerKind> {
    // Fields that only say how to make a list that is there.
    let interval = fields.count(&["full_attention_interval"], MOST_LAYERS);
    if let Some(kinds) = from_layer_types(fields, count) {
        return kinds;
    }
    let every = |n: f64, other: MixerKind| -> Vec<MixerKind> {
        let kind = |layer: usize| match ((layer + 1) as f64) % n == 0.0 {
            true => MixerKind::Full,
            false => other,
        };
        (0..count).map(kind).collect()
    };
    if let Some(interval) = interval {
        return every(interval.get(), MixerKind::DeltaNet);
    }
    if fields.has("attention_chunk_size") {
        if let Some(rotary) = fields
            .list(&["no_rope_layers"])
            .filter(|list| !list.is_empty())
        {
            check_length(fields, "no_rope_layers", rotary.len());
            let kind = |layer| match rotary.get(layer).and_then(Value::as_f64) {
                Some(0.0) => MixerKind::Full,
                _ => MixerKind::Chunked,
            };
            return (0..count).map(kind).collect();
        }
        let interval = fields.count(&["no_rope_layer_interval"], MOST_LAYERS);
        let interval = interval.map_or(4.0, |interval| interval.get());
        fields.assume(format!(
            "no_rope_layers is missing: every {interval}th layer attends to all tokens, the others in chunks, as {} do",
            family.plural()
        ));
        return every(interval, MixerKind::Chunked);
    }
    windowed(fields, family, count, every)
}

/// Where there is a window and no list of which layers have it.
fn windowed(
    fields: &mut Fields<'_>,
    family: &Family,
    count: usize,
    every: impl Fn(f64, MixerKind) -> Vec<MixerKind>,
) -> Vec<MixerKind> {
    let first = fields.count_or_none(&["max_window_layers"], 1e9);
    let asked = fields.flag(&["use_sliding_window"]);
    let pattern = fields.count(&["sliding_window_pattern", "_sliding_window_pattern"], 1e4);
    let full = vec![MixerKind::Full; count];
    if !fields.has("sliding_window") || asked == Some(false) {
        return full;
    }
    match family.windows {
        Windows::OnRequest if asked.is_none() => {
            fields.assume(format!(
                "use_sliding_window is missing: no layer has a window, as {} have none unless asked",
                family.plural()
            ));
            full
        }
        Windows::OnRequest => {
            let first = first.map_or(0, |first| first.get() as usize);
            let kind = |layer| match layer < first {
                true => MixerKind::Full,
                false => MixerKind::Windowed,
            };
            (0..count).map(kind).collect()
        }
        Windows::AllButEvery(n) => {
            let every_nth = pattern.map_or(f64::from(n), |pattern| pattern.get());
            fields.assume(format!(
                "layer_types is missing: every layer but each {every_nth}th has the window, as {} do",
                family.plural()
            ));
            every(every_nth, MixerKind::Windowed)
        }
        Windows::All => match pattern {
            Some(pattern) => every(pattern.get(), MixerKind::Windowed),
            None => {
                if !family.is_known() {
                    fields.assume(
                        "layer_types is missing: every layer has the sliding_window".to_owned(),
                    );
                }
                vec![MixerKind::Windowed; count]
            }
        },
    }
}

fn from_layer_types(fields: &mut Fields<'_>, count: usize) -> Option<Vec<MixerKind>> {
    let key = "layer_types";
    let words = fields.list(&[key]).filter(|words| !words.is_empty())?;
    check_length(fields, key, words.len());
    let mut kinds = Vec::new();
    for word in words.iter().take(count) {
        kinds.push(match word.as_str() {
            Some("full_attention" | "attention") => MixerKind::Full,
            Some("sliding_attention") => MixerKind::Windowed,
            Some("chunked_attention") => MixerKind::Chunked,
            Some("linear_attention") => MixerKind::DeltaNet,
            Some("mamba") => MixerKind::Mamba,
            _ => {
                let known = "full_attention, sliding_attention, chunked_attention, linear_attention and mamba";
                unknown_word(fields, key, word, known);
                MixerKind::Full
            }
        });
    }
    // Only where the lengths differ, which is an error already.
    kinds.resize(count, MixerKind::Full);
    Some(kinds)
}

fn mlps(fields: &mut Fields<'_>, count: usize) -> Vec<MlpKind> {
    let is_mixture = sparse::mixtures(fields, count);
    let kinds = is_mixture.into_iter().map(|is_mixture| match is_mixture {
        true => MlpKind::Mixture,
        false => MlpKind::Dense,
    });
    kinds.collect()
}
