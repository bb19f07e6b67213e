//! Attention of one new token per sequence over a KV cache: MHA, GQA, MQA, or MLA with absorbed projections.
mod cost;
mod parameters;

use super::attention_heads::ensure_groups;
use super::common::{fp16, is_default};
use super::{Alternative, CostError, Family, Items, Kind, Parameter, choices};
use crate::model::cost::{Cost, Level, Operator};
use crate::model::format::NumberFormat;
use crate::model::placement::Regime;
use crate::model::quantity::Count;
use crate::model::units;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Each sequence's new token attends to the whole context, itself included.
///
/// Heads of their own (as aiconfigurator and torch count): work 2·B·H·S·(d + dv), traffic B·K·S·(d + dv) cached
/// elements, queries and results. MLA, absorbed (DeepSeek-V2): all heads share one latent of r + dr elements; work
/// 2·B·H·S·(2·r + dr), and two products with H·r·(d + dv) weights around it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttentionDecode {
    pub batch: Count,
    /// Tokens attended to, the new one included.
    pub context: Count,
    pub heads: Count,
    #[serde(default, skip_serializing_if = "is_default")]
    pub cache: Cache,
    /// As many as heads for MHA; must be said, since a number taken for granted would be wrong by a factor.
    pub kv_heads: Count,
    /// Of queries and keys; of MLA the part without rotary position.
    pub head_dim: Count,
    /// Of values where it is not `head_dim`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value_dim: Option<Count>,
    #[serde(default = "latent", skip_serializing_if = "is_usual_latent")]
    pub latent: Count,
    #[serde(default = "rope_dim", skip_serializing_if = "is_usual_rope_dim")]
    pub rope_dim: Count,
    #[serde(default, skip_serializing_if = "is_default")]
    pub append: Append,
    /// Parts of the context that thread blocks share out; none where not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub splits: Option<Count>,
    #[serde(default = "fp16")]
    pub activations: NumberFormat,
    #[serde(default = "fp16")]
    pub kv: NumberFormat,
}

fn latent() -> Count {
    Count::constant(512.0)
}

fn is_usual_latent(count: &Count) -> bool {
    *count == latent()
}

fn rope_dim() -> Count {
    Count::constant(64.0)
}

fn is_usual_rope_dim(count: &Count) -> bool {
    *count == rope_dim()
}

/// What the cache holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Cache {
    /// Keys and values of every KV head: MHA, GQA, MQA by their number.
    #[default]
    Heads,
    /// One latent for all heads (MLA), projections absorbed into query and result.
    Latent,
}

choices! { Cache { Heads => "keys and values", Latent => "latent (MLA, absorbed)" } }

/// Whether the new token's entry of the cache is written here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Append {
    #[default]
    Here,
    Elsewhere,
}

choices! { Append { Here => "counted here", Elsewhere => "not here" } }

impl Default for AttentionDecode {
    fn default() -> Self {
        Self {
            batch: Count::constant(16.0),
            context: Count::constant(4096.0),
            heads: Count::constant(32.0),
            cache: Cache::Heads,
            kv_heads: Count::constant(8.0),
            head_dim: Count::constant(128.0),
            value_dim: None,
            latent: latent(),
            rope_dim: rope_dim(),
            append: Append::Here,
            splits: None,
            activations: fp16(),
            kv: fp16(),
        }
    }
}

impl Family for AttentionDecode {
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        parameters::all(self)
    }

    fn cost(&self) -> Result<Cost, CostError> {
        Ok(Cost::sum(&self.operators()?)?)
    }

    fn operators(&self) -> Result<Vec<Operator>, CostError> {
        if self.cache == Cache::Heads {
            ensure_groups(self.heads, self.kv_heads)?;
        }
        let mut operators = vec![Operator::once("attention", self.core()?)];
        if self.splits.is_some() {
            operators.push(Operator::once("combine", self.combine()?));
        }
        if self.cache == Cache::Latent {
            operators.insert(
                0,
                Operator::once("query into latent", self.projection(self.head_dim)?),
            );
            operators.push(Operator::once(
                "latent to values",
                self.projection(self.value_dim())?,
            ));
        }
        Ok(operators)
    }

    fn formula(&self) -> Vec<String> {
        let (Ok(cost), Ok(core)) = (self.cost(), self.core()) else {
            return vec![];
        };
        let Self {
            batch,
            heads,
            context,
            head_dim,
            latent,
            ..
        } = self;
        let value_dim = self.value_dim();
        let (query, result, cached) = self.sizes();
        let v = units::number(self.kv.bytes());
        let [query, result, cached] = [query, result, cached].map(units::count);
        let mut lines = vec![
            format!(
                "work = 2 × {batch} × {heads} × {context} × ({query} + {result}) = {}",
                core.total_work()
            ),
            format!(
                "exponentials = {batch} × {heads} × {context} = {}",
                units::count(core.special_work().get())
            ),
            format!(
                "cache = {batch} × {context} × {cached} × {v} B = {}",
                super::common::in_bytes(
                    batch.get() * context.get() * self.sizes().2 * self.kv.bytes()
                )
            ),
        ];
        if self.cache == Cache::Latent {
            let weights = format!("{heads} × {latent} × ({head_dim} + {value_dim})");
            lines.push(format!("weights of the projections = {weights}"));
            lines.push(format!("work of the projections = 2 × {batch} × {weights}"));
            lines.push(format!("work in all = {}", cost.total_work()));
        }
        lines.push(format!("traffic in all = {}", cost.traffic_at(Level::Dram)));
        lines
    }

    fn leaves_out(&self) -> Vec<Cow<'static, str>> {
        let projections = match self.cache {
            Cache::Heads => "no projections",
            Cache::Latent => "no projections but those into and out of the latent",
        };
        vec![
            projections.into(),
            "no maxima and sums of the softmax: about 4 FLOP a pair on the vector unit".into(),
        ]
    }

    fn items(&self) -> Items {
        Items {
            name: "token",
            per_execution: self.batch.get(),
            users: self.batch.get(),
        }
    }

    /// A cache of each sequence's own is read for one token whatever the batch; weights are read once for all.
    fn drag_parameter(&self) -> Option<&str> {
        match self.cache {
            Cache::Heads => Some("context"),
            Cache::Latent => Some("batch"),
        }
    }

    fn alternatives(&self) -> Vec<Alternative> {
        let mut alternatives = Vec::new();
        let mut offer = |name: String, row, changed: Self| {
            alternatives.push((name, row, Kind::AttentionDecode(changed)));
        };
        if self.kv.bits() > 8 {
            let kv = NumberFormat::FP8;
            offer(
                "Cache in FP8".to_owned(),
                Regime::MemoryBound,
                Self { kv, ..self.clone() },
            );
        }
        if self.cache == Cache::Heads {
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
            let cache = Cache::Latent;
            let name = format!("One latent of {} (MLA)", self.latent);
            offer(
                name,
                Regime::MemoryBound,
                Self {
                    cache,
                    ..self.clone()
                },
            );
        }
        if let Ok(context) = Count::try_from((self.context.get() / 2.0).ceil()) {
            let name = format!("Half the context: {context}");
            offer(
                name,
                Regime::ComputeBound,
                Self {
                    context,
                    ..self.clone()
                },
            );
        }
        alternatives
    }

    fn default_sweep(&self) -> (&str, Vec<f64>) {
        (
            "context",
            [512.0, 2048.0, 8192.0, 32768.0, 131_072.0].to_vec(),
        )
    }
}
