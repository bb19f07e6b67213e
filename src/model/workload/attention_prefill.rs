//! Attention over many queries at once: prefill, training; fused (flash) or by three kernels.
use super::common::{bytes, ensure, flops, fp16, is_default, one, vector_of, wider};
use super::{Alternative, CostError, Family, Items, Kind, Parameter, choices};
use crate::model::cost::{Cost, Level, Operator, Path};
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

/// Refuses heads that KV heads cannot share evenly.
pub(super) fn ensure_groups(heads: Count, kv_heads: Count) -> Result<(), CostError> {
    ensure(heads.get() % kv_heads.get() == 0.0, || {
        format!("{kv_heads} KV heads do not divide {heads} heads: take a divisor")
    })
}

impl AttentionPrefill {
    fn value_dim(&self) -> Count {
        self.value_dim.unwrap_or(self.head_dim)
    }

    fn keys(&self) -> Count {
        self.keys.unwrap_or(self.queries)
    }

    /// Pairs of query and key one head needs.
    fn pairs(&self) -> Result<f64, CostError> {
        let (sq, sk) = (self.queries.get(), self.keys().get());
        if matches!(self.mask, Mask::Causal | Mask::Window) {
            ensure(sq <= sk, || {
                let (queries, keys) = (self.queries, self.keys());
                format!(
                    "{keys} keys for {queries} queries: under a causal mask there are no fewer keys than queries"
                )
            })?;
        }
        let before = sk - sq;
        let causal = |queries: f64| queries * before + queries * (queries + 1.0) / 2.0;
        Ok(match self.mask {
            Mask::Full => sq * sk,
            Mask::Causal => causal(sq),
            Mask::CausalHalved => sq * sk / 2.0,
            Mask::Window => {
                let window = self.window.get();
                // So many queries see all that is before them; the others see a whole window.
                let short = (window - before).clamp(0.0, sq);
                causal(short) + (sq - short) * window
            }
        })
    }

    fn path(&self) -> Path {
        Path::matrix(wider(self.activations, self.kv))
    }

    /// Bytes of Q and the result, and of K and V.
    fn moved(&self) -> (f64, f64) {
        let dims = self.head_dim.get() + self.value_dim().get();
        let batch = self.batch.get();
        let q = batch * self.heads.get() * self.queries.get() * dims * self.activations.bytes();
        let kv = batch * self.kv_heads.get() * self.keys().get() * dims * self.kv.bytes();
        (q, kv)
    }

    fn forward(&self) -> Result<Cost, CostError> {
        let (q, kv) = self.moved();
        let pairs = self.pairs()?;
        let all = self.batch.get() * self.heads.get() * pairs;
        let dims = self.head_dim.get() + self.value_dim().get();
        let cost = Cost::kernel(self.path(), flops(2.0 * all * dims)?, bytes(q + kv)?)
            .with_work(Path::SPECIAL, flops(all)?);
        let Some(block) = self.block_queries else {
            return Ok(cost);
        };
        // Each block of queries of each head goes over the keys and values that it needs.
        let seen = pairs / (self.queries.get() * self.keys().get());
        let blocks = (self.queries.get() / block.get()).ceil();
        let group = self.heads.get() / self.kv_heads.get();
        Ok(cost.with_traffic(Level::L2, bytes(q + kv * group * blocks * seen)?))
    }

    /// Reads Q, K, V, the result and its gradient, writes three gradients: twice the bytes of the way forward.
    fn backward(&self) -> Result<Cost, CostError> {
        let (q, kv) = self.moved();
        let all = self.batch.get() * self.heads.get() * self.pairs()?;
        let dims = self.head_dim.get() + self.value_dim().get();
        let work = flops(2.5 * 2.0 * all * dims)?;
        let cost = Cost::kernel(self.path(), work, bytes(2.0 * (q + kv))?);
        Ok(cost.with_work(Path::SPECIAL, flops(all)?))
    }

    fn naive(&self) -> Result<Vec<Operator>, CostError> {
        // Masked pairs are computed too, but a mask that makes no sense is refused all the same.
        self.pairs()?;
        let [batch, heads, sq, sk] =
            [self.batch, self.heads, self.queries, self.keys()].map(Count::get);
        let scores = batch * heads * sq * sk;
        let (a, v) = (self.activations.bytes(), self.kv.bytes());
        let product = |dim: Count| -> Result<Cost, CostError> {
            let q = a * batch * heads * sq * dim.get();
            let kv = v * batch * self.kv_heads.get() * sk * dim.get();
            let work = flops(2.0 * scores * dim.get())?;
            Ok(Cost::kernel(self.path(), work, bytes(q + kv + a * scores)?))
        };
        let softmax = Cost::kernel(
            vector_of(self.activations),
            flops(4.0 * scores)?,
            bytes(2.0 * a * scores)?,
        );
        Ok(vec![
            Operator::once("scores", product(self.head_dim)?),
            Operator::once("softmax", softmax.with_work(Path::SPECIAL, flops(scores)?)),
            Operator::once("values", product(self.value_dim())?),
        ])
    }
}

impl Family for AttentionPrefill {
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let windowed = self.mask == Mask::Window;
        let flash = self.algorithm == Attending::Flash;
        let mut parameters = vec![
            Parameter::number("batch", "Batch", "Sequences", &mut self.batch),
            Parameter::number(
                "queries",
                "Queries",
                "Tokens of a sequence that attend",
                &mut self.queries,
            ),
            Parameter::number(
                "keys",
                "Keys",
                "Tokens attended to, where more than queries: behind a cached prefix",
                &mut self.keys,
            ),
            Parameter::choice(
                "mask",
                "Mask",
                "Which keys a query sees; halved leaves the diagonal out, as benchmarks do",
                &mut self.mask,
            ),
        ];
        if windowed {
            let hint = "Keys a query sees, itself included";
            parameters.push(Parameter::number(
                "window",
                "Window",
                hint,
                &mut self.window,
            ));
        }
        parameters.extend([
            Parameter::number("heads", "Heads", "Heads of the queries", &mut self.heads),
            Parameter::number(
                "kv_heads",
                "KV heads",
                "Heads of keys and values: fewer for GQA, 1 for MQA",
                &mut self.kv_heads,
            ),
            Parameter::number(
                "head_dim",
                "Head size",
                "Of queries and keys",
                &mut self.head_dim,
            )
            .within(32.0, 256.0),
            Parameter::number(
                "value_dim",
                "Value size",
                "Of values, where it is another than that of keys",
                &mut self.value_dim,
            )
            .within(32.0, 256.0),
            Parameter::choice(
                "algorithm",
                "Kernels",
                "Fused keeps scores on chip; three kernels write and read them",
                &mut self.algorithm,
            ),
        ]);
        if flash {
            parameters.push(Parameter::choice(
                "pass",
                "Pass",
                "Backward computes scores again: 2.5 times the work of forward",
                &mut self.pass,
            ));
            let hint = "Queries a thread block keeps while it goes over keys and values; gives the traffic at L2";
            parameters.push(
                Parameter::number(
                    "block_queries",
                    "Block of queries",
                    hint,
                    &mut self.block_queries,
                )
                .within(16.0, 256.0),
            );
        }
        parameters.extend([
            Parameter::format(
                "activations",
                "Format of Q, output",
                "Also of scores; the wider of both picks the path",
                &mut self.activations,
            ),
            Parameter::format(
                "kv",
                "Format of K and V",
                "The wider of both picks the path",
                &mut self.kv,
            ),
        ]);
        parameters
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
        let mut lines = vec![
            format!("pairs = {pairs} of {queries} × {keys}, {how}"),
            format!(
                "work = {factor} × {batch} × {heads} × {pairs} × ({head_dim} + {value_dim}){softmax} = {}",
                cost.total_work()
            ),
            format!("exponentials = {special}"),
            format!(
                "traffic = {moved}{batch} × (({heads}·{queries}·{a} + {kv_heads}·{keys}·{v}) × ({head_dim} + {value_dim}){scores}) B = {}",
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

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(queries: f64, keys: f64, mask: Mask, window: f64) -> f64 {
        let attention = AttentionPrefill {
            queries: Count::try_from(queries).unwrap(),
            keys: Some(Count::try_from(keys).unwrap()),
            window: Count::try_from(window).unwrap(),
            mask,
            ..AttentionPrefill::default()
        };
        attention.pairs().unwrap()
    }

    #[test]
    fn pairs_are_those_a_loop_would_count() {
        for (sq, sk, window) in [(1, 1, 1), (5, 5, 3), (5, 9, 3), (4, 9, 7), (7, 8, 100)] {
            let seen = |i: i32| sk - sq + i;
            let causal: i32 = (1..=sq).map(seen).sum();
            let windowed: i32 = (1..=sq).map(|i| seen(i).min(window)).sum();
            let [sq, sk, window] = [sq, sk, window].map(f64::from);
            assert_eq!(pairs(sq, sk, Mask::Causal, window), f64::from(causal));
            assert_eq!(pairs(sq, sk, Mask::Window, window), f64::from(windowed));
        }
    }

    #[test]
    fn full_attention_of_many_heads_does_half_a_sequence_per_byte() {
        let attention = AttentionPrefill {
            kv_heads: Count::constant(32.0),
            mask: Mask::Full,
            ..AttentionPrefill::default()
        };
        let intensity = attention.cost().unwrap().intensity_at(Level::Dram).unwrap();
        assert_eq!(intensity.get(), 2048.0);
    }

    #[test]
    fn scores_in_memory_dominate_three_kernels() {
        let naive = AttentionPrefill {
            heads: Count::ONE,
            kv_heads: Count::ONE,
            algorithm: Attending::Naive,
            ..AttentionPrefill::default()
        };
        // 8·N² + 8·N·d bytes, 4·N²·d work and the softmax (Baseten's guide counts 3 of its 4 + 1).
        let (n, d) = (4096.0, 128.0);
        let cost = naive.cost().unwrap();
        assert_eq!(
            cost.traffic_at(Level::Dram).get(),
            8.0 * n * n + 8.0 * n * d
        );
        assert_eq!(cost.total_work().get(), 4.0 * n * n * d + 4.0 * n * n);
    }
}
