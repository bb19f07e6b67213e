//! Decode step, simple: one token for each of a batch of sequences, by parameter count.
use super::{CostError, Family, Items, Parameter, Weights};
use crate::model::cost::{Cost, Level, Path};
use crate::model::format::NumberFormat;
use crate::model::quantity::{Bytes, Count, Flops};
use crate::model::units::{self, Unit};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// One decode step: every parameter is read once for the whole batch and used twice per sequence.
///
/// Work 2 · parameters · batch; traffic parameters · bytes + batch · context · KV bytes per token.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Decode {
    /// Parameters each token is multiplied with.
    pub parameters: Count,
    pub bytes_per_parameter: Bytes,
    pub batch: Count,
    /// The format the arithmetic is done in, which weights stored narrower are widened to.
    #[serde(default = "fp16")]
    pub format: NumberFormat,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kv_bytes_per_token: Option<Bytes>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Count>,
    /// Parameters read from memory per step where that is not `parameters`, as of a mixture of experts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters_read: Option<Count>,
    /// How the weights are stored and multiplied.
    #[serde(default, skip_serializing_if = "Weights::is_dense")]
    pub weights: Weights,
}

fn fp16() -> NumberFormat {
    NumberFormat::FP16
}

impl Default for Decode {
    fn default() -> Self {
        Self {
            parameters: Count::constant(8e9),
            bytes_per_parameter: Bytes::constant(2.0),
            batch: Count::ONE,
            format: fp16(),
            kv_bytes_per_token: None,
            context: None,
            parameters_read: None,
            weights: Weights::Dense,
        }
    }
}

impl Decode {
    fn read(&self) -> Count {
        self.parameters_read.unwrap_or(self.parameters)
    }

    /// Bytes a parameter takes in memory.
    fn stored_bytes(&self) -> f64 {
        let bytes = self.bytes_per_parameter.get();
        bytes * self.weights.stored(8.0 * bytes.max(f64::MIN_POSITIVE))
    }

    /// Bytes of KV cache read per step; `None` unless both numbers are given.
    fn kv(&self) -> Option<f64> {
        let per_token = self.kv_bytes_per_token?.get();
        Some(self.batch.get() * self.context?.get() * per_token)
    }
}

impl Family for Decode {
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            Parameter::number(
                "parameters",
                "Parameters",
                "Parameters each token is multiplied with (the active ones of a mixture of experts)",
                &mut self.parameters,
            ),
            Parameter::number(
                "bytes_per_parameter",
                "Bytes per parameter",
                "2 for 16 bits, 1 for 8, 0.516 for 4 bits in groups of 128",
                &mut self.bytes_per_parameter,
            ),
            Parameter::number(
                "batch",
                "Batch",
                "Sequences that get a token in this step",
                &mut self.batch,
            ),
            Parameter::format(
                "format",
                "Arithmetic",
                "The format the multiplication is done in; weights stored narrower are widened to it",
                &mut self.format,
            ),
            Parameter::number(
                "kv_bytes_per_token",
                "KV bytes per token",
                "Bytes of KV cache one token of context takes; 131,072 for Llama-3-8B at 16 bits",
                &mut self.kv_bytes_per_token,
            ),
            Parameter::number(
                "context",
                "Context",
                "Tokens of KV cache each sequence reads",
                &mut self.context,
            ),
            Parameter::number(
                "parameters_read",
                "Parameters read",
                "Parameters read from memory per step, where that is not all of them once",
                &mut self.parameters_read,
            ),
            Parameter::choice(
                "weights",
                "Weights",
                "2:4 sparse ones take 9/16 of the bytes at 16 bits and run on the sparse roof, where there is one",
                &mut self.weights,
            ),
        ]
    }

    fn cost(&self) -> Result<Cost, CostError> {
        let work = 2.0 * self.parameters.get() * self.batch.get();
        let weights = self.read().get() * self.stored_bytes();
        Ok(Cost::kernel(
            self.weights.path(Path::matrix(self.format)),
            Flops::try_from(work)?,
            Bytes::try_from(weights + self.kv().unwrap_or(0.0))?,
        ))
    }

    fn formula(&self) -> Vec<String> {
        let Ok(cost) = self.cost() else {
            return vec![];
        };
        let kv = match (self.kv_bytes_per_token, self.context) {
            (Some(bytes), Some(context)) => format!(" + {} × {context} × {bytes}", self.batch),
            _ => String::new(),
        };
        vec![
            format!(
                "work = 2 × {} × {} = {}",
                self.parameters,
                self.batch,
                cost.total_work()
            ),
            format!(
                "traffic = {} × {}{kv} = {}",
                self.read(),
                units::short(self.stored_bytes(), Unit::Byte),
                cost.traffic_at(Level::Dram)
            ),
        ]
    }

    fn leaves_out(&self) -> Vec<Cow<'static, str>> {
        match (self.kv_bytes_per_token, self.context) {
            (Some(_), Some(_)) => vec!["attention arithmetic and activations not counted".into()],
            (None, None) => vec!["weights only, no KV cache".into()],
            _ => vec![
                "weights only, no KV cache: it needs both KV bytes per token and context".into(),
            ],
        }
    }

    fn items(&self) -> Items {
        Items {
            name: "token",
            per_execution: self.batch.get(),
            users: self.batch.get(),
        }
    }

    fn drag_parameter(&self) -> Option<&str> {
        Some("batch")
    }

    fn default_sweep(&self) -> (&str, Vec<f64>) {
        ("batch", [1.0, 4.0, 16.0, 64.0, 256.0, 1024.0].to_vec())
    }
}
