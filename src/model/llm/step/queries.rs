//! Which tokens ask and which are asked: the queries of a step, and the (query, key) pairs they form.
use crate::model::llm::serving::{Logits, Mask, Phase, Serving};
use crate::model::quantity::Count;

/// Sequences of a step that are alike.
pub(in crate::model::llm) struct Queries {
    pub sequences: f64,
    /// New tokens of each sequence.
    pub new: f64,
    /// Tokens attended to, the new ones included.
    pub context: f64,
    /// Whether they generate: few queries against a long cache.
    pub decode: bool,
    /// Tokens whose logits are computed, of each sequence.
    logits: f64,
    mask: Mask,
}

impl Queries {
    /// The queries of one execution.
    pub fn of(serving: &Serving) -> Vec<Self> {
        let batch = serving.batch.get();
        let cached = serving.cached.map_or(0.0, Count::get);
        let mut queries: Vec<_> = serving
            .contexts()
            .into_iter()
            .map(|(share, context)| {
                let (new, logits) = match serving.phase {
                    Phase::Decode => (serving.drafted() + 1.0, serving.drafted() + 1.0),
                    Phase::Mixed => (1.0, 1.0),
                    Phase::Prefill => match serving.logits {
                        Logits::Last => (context - cached, 1.0),
                        Logits::All => (context - cached, context - cached),
                    },
                    Phase::Training => (context, context),
                };
                let decode = matches!(serving.phase, Phase::Decode | Phase::Mixed);
                Self {
                    sequences: batch * share,
                    new: if decode { new.min(context) } else { new },
                    context,
                    decode,
                    logits,
                    mask: if decode { Mask::Exact } else { serving.mask },
                }
            })
            .collect();
        if serving.phase == Phase::Mixed {
            queries.push(Self {
                sequences: 1.0,
                new: serving.chunk.get(),
                context: cached + serving.chunk.get(),
                decode: false,
                logits: 1.0,
                mask: serving.mask,
            });
        }
        queries
    }

    /// Logits computed for all its sequences.
    pub fn logits(&self) -> f64 {
        self.sequences * self.logits
    }

    /// (query, key) pairs of one sequence and head, with queries aligned to the end of the keys; each query sees at
    /// most `window` keys where there is one.
    pub fn pairs(&self, window: Option<f64>) -> f64 {
        let (new, before) = (self.new, self.context - self.new);
        if let Some(window) = window.filter(|w| *w < self.context) {
            // Queries before whose key number `window` there is no window to feel yet.
            let growing = (window - before).clamp(0.0, new);
            return growing * before + growing * (growing + 1.0) / 2.0 + (new - growing) * window;
        }
        match self.mask {
            Mask::Exact => new * before + new * (new + 1.0) / 2.0,
            Mask::Halved => new * before + new * new / 2.0,
            Mask::Full => new * self.context,
        }
    }

    /// Keys of one sequence that any of its queries sees.
    pub fn keys(&self, window: Option<f64>) -> f64 {
        match window {
            Some(window) => self.context.min(window + self.new - 1.0),
            None => self.context,
        }
    }
}
