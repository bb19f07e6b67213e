//! Mixture of experts: one layer, with the experts that its tokens are expected to touch.
use super::common::{bytes, ensure, flops, fp16, is_default, or_zero, wider};
use super::{Alternative, CostError, Family, Gating, Items, Kind, Parameter, choices};
use crate::model::cost::{Cost, Level, Operator, Path};
use crate::model::format::NumberFormat;
use crate::model::llm::{Matrices, expected_distinct};
use crate::model::placement::Regime;
use crate::model::quantity::{Count, Ratio};
use crate::model::units;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Router, the experts each token is sent to, and those all tokens pass.
///
/// Work: router 2·T·h·E, experts T·k·6·h·fe, shared T·Es·6·h·fe (as torch counts Mixtral and Qwen3-MoE). Weights read:
/// those of the D experts touched, D = E·(1 − (1 − k/E)ᵀ) where all are equally popular.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Moe {
    /// Of all ranks that share the experts.
    pub tokens: Count,
    pub hidden: Count,
    pub experts: Count,
    pub top_k: Count,
    /// Of one expert.
    pub width: Count,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<Count>,
    /// How popularity falls with rank, as rank^−skew; equal where not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skew: Option<Ratio>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub gating: Gating,
    #[serde(default, skip_serializing_if = "is_default")]
    pub permutation: Permutation,
    /// Rows of a tile, to which the tokens of every expert are filled up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tile_m: Option<Count>,
    #[serde(default = "fp16")]
    pub activations: NumberFormat,
    #[serde(default = "fp16")]
    pub weights: NumberFormat,
}

/// Whether tokens are sorted by expert in kernels of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Permutation {
    /// The products gather and scatter.
    #[default]
    Fused,
    /// One kernel before and one after, each reads and writes every copy of a token.
    Separate,
}

choices! { Permutation { Fused => "in the products", Separate => "kernels of their own" } }

impl Default for Moe {
    fn default() -> Self {
        Self {
            tokens: Count::constant(16.0),
            hidden: Count::constant(2048.0),
            experts: Count::constant(128.0),
            top_k: Count::constant(8.0),
            width: Count::constant(768.0),
            shared: None,
            skew: None,
            gating: Gating::Gated,
            permutation: Permutation::Fused,
            tile_m: None,
            activations: fp16(),
            weights: fp16(),
        }
    }
}

impl Moe {
    /// Different experts that the tokens are expected to touch.
    pub fn distinct(&self) -> f64 {
        let skew = self.skew.map_or(0.0, Ratio::get);
        let tokens = self.tokens.get().max(1.0);
        expected_distinct(self.experts, self.top_k, tokens, skew)
    }

    /// So many `sets` of an expert's matrices.
    fn matrices(&self, sets: f64) -> Matrices {
        let activations = self.activations.bytes();
        Matrices {
            path: Path::matrix(wider(self.activations, self.weights)),
            weight: self.weights.bytes(),
            input: activations,
            output: activations,
            sets,
        }
    }

    /// The product of every expert with its tokens, filled up to whole tiles.
    fn routed(&self, matrices: f64, outside: [f64; 2]) -> Result<Cost, CostError> {
        let rows = self.tokens.get() * self.top_k.get();
        let distinct = self.distinct();
        let elements = matrices * self.hidden.get() * self.width.get();
        let experts = self.matrices(distinct);
        let cost = experts.fused(rows, elements, outside)?;
        let Some(tile) = self.tile_m else {
            return Ok(cost);
        };
        let filled = (rows / distinct / tile.get()).ceil() * tile.get() * distinct;
        let padding = 2.0 * (filled - rows).max(0.0) * elements;
        Ok(cost.with_padding(experts.path, flops(padding)?))
    }

    /// Kept in the format of activations.
    fn router(&self) -> Result<Cost, CostError> {
        let [tokens, hidden, experts] = [self.tokens, self.hidden, self.experts].map(Count::get);
        let weights = Self {
            weights: self.activations,
            ..self.clone()
        };
        Ok(weights.matrices(1.0).product(tokens, hidden, experts)?)
    }

    fn permute(&self) -> Result<Cost, CostError> {
        let copies = self.tokens.get() * self.top_k.get() * self.hidden.get();
        let traffic = bytes(2.0 * copies * self.activations.bytes())?;
        Ok(Cost::kernel(
            Path::vector(self.activations),
            flops(0.0)?,
            traffic,
        ))
    }
}

impl Family for Moe {
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let picked = "Each token is sent to so many different ones";
        let shared = "Experts of the same width that every token passes";
        let skew = "How popularity falls with rank, as rank^−skew: 0 is equal, 1 is Zipf's law; fewer experts are touched";
        let gating = "Whether an expert has gate, up and down, or up and down";
        let sorting = "Whether kernels of their own sort tokens by expert and back";
        let filled = "The tokens of every expert are filled up to whole tiles of so many";
        let format = "Format of what goes in, between and out, and of the router";
        let tokens = "Of the step, of all ranks that share the experts";
        vec![
            Parameter::number("tokens", "Tokens", tokens, &mut self.tokens),
            Parameter::number(
                "hidden",
                "Hidden size",
                "Width of the layer's input and output",
                &mut self.hidden,
            ),
            Parameter::number(
                "experts",
                "Experts",
                "Experts a token may be sent to",
                &mut self.experts,
            ),
            Parameter::number("top_k", "Experts per token", picked, &mut self.top_k)
                .within(1.0, 16.0),
            Parameter::number(
                "width",
                "Expert width",
                "Width between the matrices of one expert",
                &mut self.width,
            ),
            Parameter::number("shared", "Shared experts", shared, &mut self.shared)
                .within(1.0, 4.0),
            Parameter::number("skew", "Skew", skew, &mut self.skew).within(0.0, 2.0),
            Parameter::choice("gating", "Gating", gating, &mut self.gating),
            Parameter::choice(
                "permutation",
                "Sorting tokens",
                sorting,
                &mut self.permutation,
            ),
            Parameter::number("tile_m", "Tile of tokens", filled, &mut self.tile_m)
                .within(8.0, 128.0),
            Parameter::format("activations", "Activations", format, &mut self.activations),
            Parameter::format(
                "weights",
                "Weights",
                "Format of the experts",
                &mut self.weights,
            ),
        ]
    }

    fn cost(&self) -> Result<Cost, CostError> {
        Ok(Cost::sum(&self.operators()?)?)
    }

    fn operators(&self) -> Result<Vec<Operator>, CostError> {
        ensure(self.top_k <= self.experts, || {
            format!(
                "{} of {} experts per token: there are not so many",
                self.top_k, self.experts
            )
        })?;
        let inputs = self.gating.inputs();
        let [tokens, hidden, width] = [self.tokens, self.hidden, self.width].map(Count::get);
        let mut operators = vec![Operator::once("router", self.router()?)];
        let separate = self.permutation == Permutation::Separate;
        if separate {
            operators.push(Operator::once("sort by expert", self.permute()?));
        }
        operators.push(Operator::once(
            "experts, in",
            self.routed(inputs, [hidden, width])?,
        ));
        operators.push(Operator::once(
            "experts, out",
            self.routed(1.0, [width, hidden])?,
        ));
        if separate {
            operators.push(Operator::once("sort back", self.permute()?));
        }
        let shared = or_zero(self.shared);
        if shared > 0.0 {
            // Side by side they are one expert of their widths together.
            let (matrices, wide) = (self.matrices(1.0), shared * width);
            let into = matrices.fused(tokens, inputs * hidden * wide, [hidden, wide])?;
            let out = matrices.product(tokens, wide, hidden)?;
            operators.push(Operator::once("shared, in", into));
            operators.push(Operator::once("shared, out", out));
        }
        Ok(operators)
    }

    fn formula(&self) -> Vec<String> {
        let Ok(cost) = self.cost() else {
            return vec![];
        };
        let Self {
            tokens,
            hidden,
            experts,
            top_k,
            width,
            ..
        } = self;
        let matrices = self.gating.inputs() + 1.0;
        let shared = match self.shared {
            Some(shared) => format!(" + {shared}"),
            None => String::new(),
        };
        let distinct = units::number(self.distinct());
        let touched = match self.skew {
            Some(skew) if skew.get() > 0.0 => {
                format!("rank^−{} popularity", units::number(skew.get()))
            }
            _ => format!("{experts} × (1 − (1 − {top_k} ÷ {experts})^{tokens})"),
        };
        let mut lines = vec![
            format!("experts touched = {touched} = {distinct}"),
            format!(
                "work = {tokens} × ({} × ({top_k}{shared}) × {hidden} × {width} + 2 × {hidden} × {experts}) = {}",
                2.0 * matrices,
                cost.total_work()
            ),
            format!(
                "weights = ({distinct}{shared}) × {matrices}·{hidden}·{width} × {} B",
                units::number(self.weights.bytes())
            ),
            format!("traffic in all = {}", cost.traffic_at(Level::Dram)),
        ];
        if self.tile_m.is_some() {
            let all = cost.total_work() + cost.total_padding();
            let share = units::percent(cost.total_work().get() / all.get());
            lines.push(format!("work with padding = {all}, {share} of it useful"));
        }
        lines
    }

    fn leaves_out(&self) -> Vec<Cow<'static, str>> {
        vec![
            "tokens pick experts independently of each other".into(),
            "no arithmetic of the activation, no softmax of the router".into(),
            "no traffic between ranks".into(),
        ]
    }

    fn items(&self) -> Items {
        Items {
            name: "token",
            per_execution: self.tokens.get(),
            users: 1.0,
        }
    }

    fn drag_parameter(&self) -> Option<&str> {
        Some("tokens")
    }

    fn alternatives(&self) -> Vec<Alternative> {
        let mut alternatives = Vec::new();
        let mut offer = |name: String, row, changed: Self| {
            alternatives.push((name, row, Kind::Moe(changed)));
        };
        if self.weights.bits() > 8 {
            let weights = NumberFormat::FP8;
            offer(
                "Experts in FP8".to_owned(),
                Regime::MemoryBound,
                Self {
                    weights,
                    ..self.clone()
                },
            );
        }
        if let Ok(tokens) = Count::try_from(self.tokens.get() * 4.0) {
            let name = format!("Four times the tokens: {tokens}");
            offer(
                name,
                Regime::MemoryBound,
                Self {
                    tokens,
                    ..self.clone()
                },
            );
        }
        if self.permutation == Permutation::Separate {
            let permutation = Permutation::Fused;
            let name = "Sort tokens within the products".to_owned();
            offer(
                name,
                Regime::MemoryBound,
                Self {
                    permutation,
                    ..self.clone()
                },
            );
        }
        if let Ok(top_k) = Count::try_from(self.top_k.get() / 2.0) {
            let name = format!("{top_k} experts per token");
            offer(
                name,
                Regime::ComputeBound,
                Self {
                    top_k,
                    ..self.clone()
                },
            );
        }
        alternatives
    }

    fn default_sweep(&self) -> (&str, Vec<f64>) {
        ("tokens", [1.0, 4.0, 16.0, 64.0, 256.0, 1024.0].to_vec())
    }
}
