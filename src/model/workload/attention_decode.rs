//! Attention of one new token per sequence over a KV cache: MHA, GQA, MQA, or MLA with absorbed projections.
use super::attention_prefill::ensure_groups;
use super::common::{bytes, flops, fp16, is_default, wider};
use super::{Alternative, CostError, Family, Items, Kind, Parameter, choices};
use crate::model::cost::{Cost, Level, Operator, Path};
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
    #[serde(default = "kv_heads")]
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

fn kv_heads() -> Count {
    Count::constant(8.0)
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
            kv_heads: kv_heads(),
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

impl AttentionDecode {
    fn value_dim(&self) -> Count {
        self.value_dim.unwrap_or(self.head_dim)
    }

    fn path(&self) -> Path {
        Path::matrix(wider(self.activations, self.kv))
    }

    /// Elements: of a query, of a result of a head, and of one token in the cache.
    fn sizes(&self) -> (f64, f64, f64) {
        let [d, dv, r, dr] =
            [self.head_dim, self.value_dim(), self.latent, self.rope_dim].map(Count::get);
        match self.cache {
            Cache::Heads => (d, dv, self.kv_heads.get() * (d + dv)),
            Cache::Latent => (r + dr, r, r + dr),
        }
    }

    /// Partial results between thread blocks that share a context: values, a maximum and a sum in FP32.
    fn partials(&self) -> f64 {
        let (_, result, _) = self.sizes();
        let splits = self.splits.map_or(0.0, Count::get);
        splits * self.batch.get() * self.heads.get() * (result + 2.0) * 4.0
    }

    fn core(&self) -> Result<Cost, CostError> {
        let (query, result, cached) = self.sizes();
        let [batch, heads, context] = [self.batch, self.heads, self.context].map(Count::get);
        let pairs = batch * heads * context;
        let appended = match self.append {
            Append::Here => 1.0,
            Append::Elsewhere => 0.0,
        };
        let kv = self.kv.bytes() * batch * cached * (context + appended);
        let written = match self.splits {
            None => self.activations.bytes() * batch * heads * result,
            Some(_) => self.partials(),
        };
        let queries = self.activations.bytes() * batch * heads * query;
        let work = flops(2.0 * pairs * (query + result))?;
        let cost = Cost::kernel(self.path(), work, bytes(kv + queries + written)?);
        Ok(cost.with_work(Path::SPECIAL, flops(pairs)?))
    }

    /// Adds up what thread blocks found that share a context.
    fn combine(&self) -> Result<Cost, CostError> {
        let (_, result, _) = self.sizes();
        let results = self.batch.get() * self.heads.get() * result;
        let splits = self.splits.map_or(0.0, Count::get);
        let traffic = bytes(self.partials() + self.activations.bytes() * results)?;
        let path = super::common::vector_of(self.activations);
        Ok(Cost::kernel(path, flops(2.0 * splits * results)?, traffic))
    }

    /// A product of every head with its part of a projection: of queries into the latent, or of results out of it.
    fn projection(&self, dim: Count) -> Result<Cost, CostError> {
        let (batch, heads) = (self.batch.get(), self.heads.get());
        let weights = heads * self.latent.get() * dim.get();
        let moved = weights + batch * heads * (self.latent.get() + dim.get());
        let traffic = bytes(self.activations.bytes() * moved)?;
        let path = Path::matrix(self.activations);
        Ok(Cost::kernel(path, flops(2.0 * batch * weights)?, traffic))
    }
}

impl Family for AttentionDecode {
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let cache = self.cache;
        let mut parameters = vec![
            Parameter::number(
                "batch",
                "Batch",
                "Sequences that get a token in this step",
                &mut self.batch,
            ),
            Parameter::number(
                "context",
                "Context",
                "Tokens attended to, the new one included; at most the window of a sliding one",
                &mut self.context,
            ),
            Parameter::number("heads", "Heads", "Heads of the queries", &mut self.heads),
            Parameter::choice(
                "cache",
                "Cache",
                "Keys and values of every KV head, or one latent for all",
                &mut self.cache,
            ),
        ];
        match cache {
            Cache::Heads => parameters.extend([
                Parameter::number(
                    "kv_heads",
                    "KV heads",
                    "As many as heads for MHA, fewer for GQA, 1 for MQA",
                    &mut self.kv_heads,
                ),
                Parameter::number(
                    "head_dim",
                    "Head size",
                    "Of queries and keys",
                    &mut self.head_dim,
                )
                .within(32.0, 256.0),
            ]),
            Cache::Latent => parameters.extend([
                Parameter::number(
                    "latent",
                    "Latent",
                    "Rank of the latent of keys and values",
                    &mut self.latent,
                )
                .within(128.0, 1024.0),
                Parameter::number(
                    "rope_dim",
                    "Rotary part",
                    "Elements cached beside the latent, with rotary position",
                    &mut self.rope_dim,
                )
                .within(32.0, 128.0),
                Parameter::number(
                    "head_dim",
                    "Head size",
                    "Of queries without the rotary part",
                    &mut self.head_dim,
                )
                .within(32.0, 256.0),
            ]),
        }
        parameters.extend([
            Parameter::number("value_dim", "Value size", "Of values, where it is another than that of keys", &mut self.value_dim).within(32.0, 256.0),
            Parameter::choice("append", "New entry", "Whether writing the new token's entry of the cache counts here", &mut self.append),
            Parameter::number("splits", "Splits", "Parts of the context shared out to thread blocks (split-KV); a second kernel adds up", &mut self.splits).within(1.0, 64.0),
            Parameter::format("activations", "Format of Q, output", "The wider of both picks the path; also of the weights of MLA", &mut self.activations),
            Parameter::format("kv", "Format of cache", "The wider of both picks the path", &mut self.kv),
        ]);
        parameters
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
            lines.push(format!(
                "projections: work 2 × {batch} × {heads} × {latent} × ({head_dim} + {value_dim}), weights {heads} × {latent} × ({head_dim} + {value_dim})"
            ));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn intensity(attention: &AttentionDecode) -> f64 {
        let core = attention.core().unwrap();
        core.intensity_at(Level::Dram).unwrap().get()
    }

    #[test]
    fn intensity_nears_the_group_with_16_bits_and_twice_that_with_8() {
        let mut attention = AttentionDecode {
            context: Count::constant(1e6),
            ..AttentionDecode::default()
        };
        assert!((intensity(&attention) - 4.0).abs() < 1e-3);
        attention.kv = NumberFormat::FP8;
        assert!((intensity(&attention) - 8.0).abs() < 1e-3);
    }

    #[test]
    fn a_latent_of_deepseek_v3_does_242_operations_per_byte() {
        let attention = AttentionDecode {
            cache: Cache::Latent,
            heads: Count::constant(128.0),
            context: Count::constant(1e7),
            ..AttentionDecode::default()
        };
        assert!((intensity(&attention) - 241.8).abs() < 0.1);
        let per_layer = attention.sizes().2 * attention.kv.bytes();
        assert_eq!(per_layer * 61.0, 70_272.0);
    }
}
