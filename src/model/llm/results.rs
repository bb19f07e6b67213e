//! What serving engineers ask of a step: tokens per second, time to the first token and between tokens, MFU, MBU, cost.
use super::capacity::{Capacity, capacity, read};
use super::serving::{Phase, Serving};
use super::step::operators;
use crate::model::cost::{ComputeUnit, Level};
use crate::model::gpu::Gpu;
use crate::model::placement::{Assumptions, Placement, Resource, place_all};
use crate::model::quantity::{Ratio, Seconds};

/// What follows from a step of a language model on a GPU. Shares are 0–1.
#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    /// Of a decode step the tokens of all sequences, of a prefill those read, per second and group of GPUs.
    pub tokens_per_second: f64,
    /// What each user sees; `None` where nothing is generated.
    pub tokens_per_second_per_user: Option<f64>,
    /// From the prompt to its first token: the prefill of one prompt of this context with nothing else on the GPUs; of a
    /// prefill that of all its prompts. What else would be waited for, nobody knows here.
    pub time_to_first_token: Option<Seconds>,
    /// Between two tokens of a user.
    pub time_per_output_token: Option<Seconds>,
    /// Matrix work ÷ (time × peak of its path).
    pub model_flops_utilisation: Option<f64>,
    /// Weights and KV cache read ÷ (time × DRAM bandwidth).
    pub model_bandwidth_utilisation: Option<f64>,
    /// Bytes of KV cache a GPU reads in the step.
    pub kv_read: f64,
    /// Dollars per million tokens, where a price is given.
    pub dollars_per_million: Option<f64>,
    /// Joules per token at the power that was measured.
    pub joules_per_token: Option<f64>,
    /// Joules per token if all the power that is allowed were used: an upper bound.
    pub most_joules_per_token: Option<f64>,
    /// What the memory must hold, where the GPU says how much it has.
    pub capacity: Option<Capacity>,
}

impl Serving {
    /// Weights a GPU reads in one step, in bytes: the head also where it is tied, no input embedding, the experts that
    /// are expected to be reached.
    pub fn weights_read(&self) -> f64 {
        let tokens = self.operator_tokens();
        let skew = self.expert_skew.map_or(0.0, Ratio::get);
        let bytes = self
            .model
            .weight_read_bytes(tokens.max(1.0), skew, &self.formats);
        bytes / self.tensor_parallel.get()
    }

    /// Tokens that pass the layers in one step.
    pub fn operator_tokens(&self) -> f64 {
        match self.phase {
            Phase::Decode => self.batch.get() * (self.drafted() + 1.0),
            Phase::Mixed => self.batch.get() + self.chunk.get(),
            Phase::Prefill | Phase::Training => self.batch.get() * self.mean_context(),
        }
    }

    /// KV cache a GPU reads in one step, in bytes.
    pub fn kv_read(&self) -> f64 {
        let per_sequence = self.contexts().into_iter();
        let per_sequence: f64 = per_sequence
            .map(|(share, tokens)| share * read(self, tokens))
            .sum();
        self.batch.get() * per_sequence
    }

    /// Tokens one execution yields: generated, or read by a prefill, or trained on.
    pub fn tokens(&self) -> f64 {
        let batch = self.batch.get();
        match self.phase {
            Phase::Decode => batch * self.tokens_per_step(),
            Phase::Mixed => batch,
            Phase::Prefill => {
                let cached = self.cached.map_or(0.0, |cached| cached.get());
                batch * (self.mean_context() - cached)
            }
            Phase::Training => batch * self.mean_context(),
        }
    }

    fn time(&self, gpu: &Gpu, assumptions: Assumptions, efficiency: f64) -> Option<Seconds> {
        let operators = operators(self).ok()?;
        Some(
            place_all(&operators, gpu, assumptions, efficiency)
                .ok()?
                .time(),
        )
    }
}

/// The results of `placement`, which is `serving` on `gpu`.
pub fn results(
    serving: &Serving,
    gpu: &Gpu,
    assumptions: Assumptions,
    placement: &Placement,
) -> Results {
    let time = placement.time().get();
    let generates = matches!(serving.phase, Phase::Decode | Phase::Mixed);
    let tokens_per_second = serving.tokens() / time;
    let gpus = serving.tensor_parallel.get();
    let per_user = generates.then(|| tokens_per_second / serving.batch.get());
    let other = |phase: Phase, batch| {
        let other = Serving {
            phase,
            batch,
            cached: None,
            ..serving.clone()
        };
        other.time(gpu, assumptions, placement.efficiency)
    };
    let one = crate::model::quantity::Count::ONE;
    let first = match serving.phase {
        Phase::Prefill => Some(placement.time()),
        Phase::Decode | Phase::Mixed => other(Phase::Prefill, one),
        Phase::Training => None,
    };
    let between = match serving.phase {
        Phase::Decode | Phase::Mixed => {
            per_user.and_then(|rate| Seconds::try_from(rate.recip()).ok())
        }
        Phase::Prefill => other(Phase::Decode, serving.batch),
        Phase::Training => None,
    };
    let kv_read = serving.kv_read();
    let bandwidth = placement
        .terms
        .iter()
        .find(|t| t.resource == Resource::Memory(Level::Dram));
    let read = serving.weights_read() + kv_read;
    Results {
        tokens_per_second,
        tokens_per_second_per_user: per_user,
        time_to_first_token: first,
        time_per_output_token: between,
        model_flops_utilisation: matrix_time(placement).map(|busy| busy / time),
        model_bandwidth_utilisation: bandwidth
            .filter(|_| generates)
            .map(|term| read / (time * term.rate)),
        kv_read,
        dollars_per_million: serving
            .price
            .map(|price| price.get() * gpus / 3600.0 / tokens_per_second * 1e6),
        most_joules_per_token: serving
            .board_power
            .map(|power| power.get() * gpus / tokens_per_second),
        joules_per_token: serving
            .power
            .map(|power| power.get() * gpus / tokens_per_second),
        capacity: gpu.capacity.map(|memory| capacity(serving, memory)),
    }
}

/// The time the matrix work takes at the peaks of its paths, in s.
fn matrix_time(placement: &Placement) -> Option<f64> {
    let matrix = placement.terms.iter().filter(|term| match term.resource {
        Resource::Compute(path) => path.unit == ComputeUnit::Matrix,
        _ => false,
    });
    let time: f64 = matrix.map(|term| term.time.get()).sum();
    (time > 0.0).then_some(time)
}
