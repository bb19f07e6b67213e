//! Attention over many queries at once: prefill, training; fused (flash) or by three kernels.
mod cost;
mod parameters;

use super::attention_heads::ensure_groups;
use super::common::{fp16, is_default, one};
use super::{Alternative, CostError, Family, Items, Kind, Parameter, choices};
use crate::model::cost::{Cost, Level, Operator};
use crate::model::format::NumberFormat;
use crate::model::placement::Regime;
use crate::model::quantity::Count;
use crate::model::units;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// softmax(Q·Kᵀ)·V of a batch of sequences, queries aligned to the end of the keys.
///
/// Work 2·B·H·pairs·(dqk + dv) on the matrix unit (as torch's FlopCounter and the flash-attention benchmark) and
/// B·H·pairs exponentials on the special-function unit. Fused, Q, K, V and the result move once (Dao et al. 2022);
/// by three kernels the scores and their softmax are written and read besides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttentionPrefill {
    #[serde(default = "one")]
    pub batch: Count,
    pub heads: Count,
    /// Fewer than heads where groups of them share keys and values (GQA, MQA).
    pub kv_heads: Count,
    /// Of queries and keys.
    pub head_dim: Count,
    /// Of values where it is not `head_dim`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value_dim: Option<Count>,
    pub queries: Count,
    /// Keys and values where there are more than queries, as behind a cached prefix.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keys: Option<Count>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub mask: Mask,
    /// Keys a query sees with a sliding window, itself included.
    #[serde(default = "window", skip_serializing_if = "is_usual")]
    pub window: Count,
    #[serde(default, skip_serializing_if = "is_default")]
    pub algorithm: Attending,
    #[serde(default, skip_serializing_if = "is_default")]
    pub pass: Pass,
    #[serde(default = "fp16")]
    pub activations: NumberFormat,
    #[serde(default = "fp16")]
    pub kv: NumberFormat,
    /// Queries a thread block keeps while it goes over keys and values; gives the traffic at L2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_queries: Option<Count>,
}

fn window() -> Count {
    Count::constant(4096.0)
}

fn is_usual(count: &Count) -> bool {
    *count == window()
}

/// Which keys a query sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Mask {
    /// Itself and those before.
    #[default]
    Causal,
    /// Half of all pairs, the convention of benchmarks: the diagonal is not counted.
    CausalHalved,
    Full,
    /// Causal, and no further back than the window.
    Window,
}

choices! {
    Mask {
        Causal => "causal, exact",
        CausalHalved => "causal, halved",
        Full => "full",
        Window => "sliding window",
    }
}

/// How it is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Attending {
    /// One kernel that keeps scores on chip.
    #[default]
    Flash,
    /// Scores, softmax and values by a kernel each, over all pairs, masked or not.
    Naive,
}

choices! { Attending { Flash => "fused (flash)", Naive => "three kernels" } }

/// Which way through the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Pass {
    #[default]
    Forward,
    /// Five products instead of two, since scores are computed again.
    Backward,
    Both,
}

choices! { Pass { Forward => "forward", Backward => "backward", Both => "forward and backward" } }

impl Default for AttentionPrefill {
    fn default() -> Self {
        Self {
            batch: Count::ONE,
            heads: Count::constant(32.0),
            kv_heads: Count::constant(8.0),
            head_dim: Count::constant(128.0),
            value_dim: None,
            queries: Count::constant(4096.0),
            keys: None,
            mask: Mask::Causal,
            window: window(),
            algorithm: Attending::Flash,
            pass: Pass::Forward,
            activations: fp16(),
            kv: fp16(),
            block_queries: None,
        }
    }
}

impl Family for AttentionPrefill {
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        parameters::all(self)
    }

    fn cost(&self) -> Result<Cost, CostError> {
        Ok(Cost::sum(&self.operators()?)?)
    }

    fn operators(&self) -> Result<Vec<Operator>, CostError> {
        ensure_groups(self.heads, self.kv_heads)?;
        Ok(match (self.algorithm, self.pass) {
            (Attending::Naive, _) => self.naive()?,
            (Attending::Flash, Pass::Forward) => vec![Operator::once("", self.forward()?)],
            (Attending::Flash, Pass::Backward) => vec![Operator::once("", self.backward()?)],
            (Attending::Flash, Pass::Both) => vec![
                Operator::once("forward", self.forward()?),
                Operator::once("backward", self.backward()?),
            ],
        })
    }

    fn formula(&self) -> Vec<String> {
        let (Ok(cost), Ok(needed)) = (self.cost(), self.pairs()) else {
            return vec![];
        };
        let Self {
            batch,
            heads,
            kv_heads,
            queries,
            head_dim,
            ..
        } = self;
        let (keys, value_dim) = (self.keys(), self.value_dim());
        let naive = self.algorithm == Attending::Naive;
        let (pairs, how) = match self.mask {
            _ if naive => (queries.get() * keys.get(), "all"),
            Mask::Full => (needed, "full"),
            Mask::Causal => (needed, "causal"),
            Mask::CausalHalved => (needed, "causal, halved"),
            Mask::Window => (needed, "in the window"),
        };
        let (factor, moved) = match self.pass {
            Pass::Forward => ("2", ""),
            _ if naive => ("2", ""),
            Pass::Backward => ("2.5·2", "2 × "),
            Pass::Both => ("3.5·2", "3 × "),
        };
        let pairs = units::count(pairs);
        let special = units::count(cost.special_work().get());
        let softmax = if naive { " + 4 for each score" } else { "" };
        let scores = match self.algorithm {
            Attending::Flash => String::new(),
            Attending::Naive => format!(
                " + 4·{heads}·{queries}·{keys}·{}",
                units::number(self.activations.bytes())
            ),
        };
        let [a, v] = [self.activations, self.kv].map(|format| units::number(format.bytes()));
        let dims = format!("({head_dim} + {value_dim})");
        let operands = format!("({heads}·{queries}·{a} + {kv_heads}·{keys}·{v})");
        let mut lines = vec![
            format!("pairs = {pairs} of {queries} × {keys}, {how}"),
            format!(
                "work = {factor} × {batch} × {heads} × {pairs} × {dims}{softmax} = {}",
                cost.total_work()
            ),
            format!("exponentials = {special}"),
            format!(
                "traffic = {moved}{batch} × ({operands} × {dims}{scores}) B = {}",
                cost.traffic_at(Level::Dram)
            ),
        ];
        let l2 = cost.traffic_at(Level::L2);
        if l2.get() > 0.0 {
            lines.push(format!(
                "traffic at L2 = Q, result and K, V once a block of queries = {l2}"
            ));
        }
        lines
    }

    fn leaves_out(&self) -> Vec<Cow<'static, str>> {
        match self.algorithm {
            Attending::Flash => vec![
                "no projections".into(),
                "no maxima and sums of the softmax: about 4 FLOP a pair on the vector unit".into(),
            ],
            Attending::Naive => vec![
                "no projections, no kernel for the mask".into(),
                "masked pairs are computed too, as these kernels do".into(),
            ],
        }
    }

    fn items(&self) -> Items {
        Items {
            name: "token",
            per_execution: self.batch.get() * self.queries.get(),
            users: self.batch.get(),
        }
    }

    /// With keys of their own number, more queries need not mean more intensity.
    fn drag_parameter(&self) -> Option<&str> {
        self.keys.is_none().then_some("queries")
    }

    fn alternatives(&self) -> Vec<Alternative> {
        let mut alternatives = Vec::new();
        let mut offer = |name: String, row, changed: Self| {
            alternatives.push((name, row, Kind::AttentionPrefill(changed)));
        };
        if self.algorithm == Attending::Naive {
            let algorithm = Attending::Flash;
            offer(
                "Fused (flash) attention".to_owned(),
                Regime::MemoryBound,
                Self {
                    algorithm,
                    ..self.clone()
                },
            );
        }
        if let Ok(kv_heads) = Count::try_from(self.kv_heads.get() / 4.0) {
            let name = format!("Share keys and values: {kv_heads} KV heads");
            offer(
                name,
                Regime::MemoryBound,
                Self {
                    kv_heads,
                    ..self.clone()
                },
            );
        }
        if self.activations.bits() > 8 || self.kv.bits() > 8 {
            let fp8 = NumberFormat::FP8;
            let narrow = Self {
                activations: fp8,
                kv: fp8,
                ..self.clone()
            };
            offer("Q, K and V in FP8".to_owned(), Regime::ComputeBound, narrow);
        }
        if self.algorithm == Attending::Flash && self.mask == Mask::Causal {
            let mask = Mask::Window;
            let window = self.window;
            offer(
                format!("Sliding window of {window}"),
                Regime::ComputeBound,
                Self {
                    mask,
                    ..self.clone()
                },
            );
        }
        alternatives
    }

    fn default_sweep(&self) -> (&str, Vec<f64>) {
        (
            "queries",
            [128.0, 512.0, 2048.0, 8192.0, 32768.0, 131_072.0].to_vec(),
        )
    }
}
