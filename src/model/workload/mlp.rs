//! MLP of a transformer layer: two or three matrices, the activation between them.
use super::common::{fp16, is_default, wider};
use super::{Alternative, CostError, Family, Items, Kind, Parameter, choices};
use crate::model::cost::{Cost, Level, Operator, Path};
use crate::model::format::NumberFormat;
use crate::model::llm::{ACTIVATION_FLOP, Matrices};
use crate::model::placement::Regime;
use crate::model::quantity::Count;
use crate::model::units;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Up (and gate), activation, down.
///
/// Work 6·T·h·f gated, 4·T·h·f plain; weights 3·h·f or 2·h·f (as torch's FlopCounter and aiconfigurator count).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mlp {
    pub tokens: Count,
    pub hidden: Count,
    pub width: Count,
    #[serde(default, skip_serializing_if = "is_default")]
    pub gating: Gating,
    #[serde(default, skip_serializing_if = "is_default")]
    pub activation: Activation,
    #[serde(default = "fp16")]
    pub activations: NumberFormat,
    #[serde(default = "fp16")]
    pub weights: NumberFormat,
}

/// Whether a third matrix gates the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Gating {
    /// SwiGLU, GeGLU: gate, up and down.
    #[default]
    Gated,
    /// Up and down.
    Plain,
}

choices! { Gating { Gated => "gated: three matrices", Plain => "plain: two matrices" } }

impl Gating {
    /// Matrices before the activation.
    pub fn inputs(self) -> f64 {
        match self {
            Self::Gated => 2.0,
            Self::Plain => 1.0,
        }
    }
}

/// Where the activation is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Activation {
    /// At the end of the first product.
    #[default]
    Fused,
    /// In a kernel of its own.
    Separate,
    /// One kernel does it all, what is between stays on chip.
    OneKernel,
}

choices! {
    Activation {
        Fused => "fused into the first product",
        Separate => "a kernel of its own",
        OneKernel => "all in one kernel",
    }
}

impl Default for Mlp {
    fn default() -> Self {
        Self {
            tokens: Count::constant(64.0),
            hidden: Count::constant(4096.0),
            width: Count::constant(14336.0),
            gating: Gating::Gated,
            activation: Activation::Fused,
            activations: fp16(),
            weights: fp16(),
        }
    }
}

impl Mlp {
    fn matrices(&self) -> Matrices {
        let activations = self.activations.bytes();
        Matrices {
            path: Path::matrix(wider(self.activations, self.weights)),
            weight: self.weights.bytes(),
            input: activations,
            output: activations,
            sets: 1.0,
        }
    }
}

impl Family for Mlp {
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            Parameter::number(
                "tokens",
                "Tokens",
                "Of the step: the batch in decode, batch × prompt in prefill",
                &mut self.tokens,
            ),
            Parameter::number(
                "hidden",
                "Hidden size",
                "Width of the layer's input and output",
                &mut self.hidden,
            ),
            Parameter::number(
                "width",
                "MLP width",
                "Width between the matrices",
                &mut self.width,
            ),
            Parameter::choice(
                "gating",
                "Gating",
                "SwiGLU and GeGLU have a third matrix",
                &mut self.gating,
            ),
            Parameter::choice(
                "activation",
                "Activation",
                "A kernel of its own reads and writes what is between the matrices",
                &mut self.activation,
            ),
            Parameter::format(
                "activations",
                "Activations",
                "Format of what goes in, between and out; the wider of both picks the path",
                &mut self.activations,
            ),
            Parameter::format(
                "weights",
                "Weights",
                "Format of the matrices",
                &mut self.weights,
            ),
        ]
    }

    fn cost(&self) -> Result<Cost, CostError> {
        Ok(Cost::sum(&self.operators()?)?)
    }

    fn operators(&self) -> Result<Vec<Operator>, CostError> {
        let [tokens, hidden, width] = [self.tokens, self.hidden, self.width].map(Count::get);
        let (matrices, inputs) = (self.matrices(), self.gating.inputs());
        let name = match self.gating {
            Gating::Gated => "gate and up",
            Gating::Plain => "up",
        };
        let fused = |inputs: f64, outside| matrices.fused(tokens, inputs * hidden * width, outside);
        Ok(match self.activation {
            Activation::OneKernel => {
                vec![Operator::once("", fused(inputs + 1.0, [hidden, hidden])?)]
            }
            Activation::Fused => vec![
                Operator::once(name, fused(inputs, [hidden, width])?),
                Operator::once("down", matrices.product(tokens, width, hidden)?),
            ],
            Activation::Separate => {
                let gated = self.gating == Gating::Gated;
                let [into, between, out] = matrices.mlp(tokens, hidden, width, gated)?;
                vec![
                    Operator::once(name, into),
                    Operator::once("activation", between),
                    Operator::once("down", out),
                ]
            }
        })
    }

    fn formula(&self) -> Vec<String> {
        let Ok(cost) = self.cost() else {
            return vec![];
        };
        let Self {
            tokens,
            hidden,
            width,
            ..
        } = self;
        let matrices = self.gating.inputs() + 1.0;
        let [a, w] = [self.activations, self.weights].map(|format| units::number(format.bytes()));
        let (between, activation) = match self.activation {
            Activation::OneKernel => (0.0, String::new()),
            Activation::Fused => (2.0, String::new()),
            // Written by the first, read and written by the activation, read by the last.
            Activation::Separate => (
                2.0 * self.gating.inputs() + 2.0,
                format!(
                    " + {} × {tokens} × {width}",
                    ACTIVATION_FLOP + self.gating.inputs() - 1.0
                ),
            ),
        };
        let mut lines = vec![
            format!(
                "work = {} × {tokens} × {hidden} × {width}{activation} = {}",
                2.0 * matrices,
                cost.total_work()
            ),
            format!(
                "traffic = ({matrices}·{hidden}·{width}·{w} + {tokens}·(2·{hidden} + {between}·{width})·{a}) B = {}",
                cost.traffic_at(Level::Dram)
            ),
        ];
        if self.activation == Activation::Separate {
            let all = units::count(cost.special_work().get());
            lines.push(format!("exponentials = {tokens} × {width} = {all}"));
        }
        lines
    }

    fn leaves_out(&self) -> Vec<Cow<'static, str>> {
        let mut left_out: Vec<Cow<'static, str>> = vec!["no scales of quantised weights".into()];
        if self.activation != Activation::Separate {
            left_out.push("no arithmetic of the activation".into());
        }
        left_out
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
            alternatives.push((name, row, Kind::Mlp(changed)));
        };
        if self.activation == Activation::Separate {
            let activation = Activation::Fused;
            let name = "Fuse the activation into the first product".to_owned();
            offer(
                name,
                Regime::MemoryBound,
                Self {
                    activation,
                    ..self.clone()
                },
            );
        }
        if self.weights.bits() > 8 {
            let weights = NumberFormat::FP8;
            offer(
                "Weights in FP8".to_owned(),
                Regime::MemoryBound,
                Self {
                    weights,
                    ..self.clone()
                },
            );
            let activations = NumberFormat::FP8;
            let both = Self {
                weights,
                activations,
                ..self.clone()
            };
            offer(
                "Weights and activations in FP8".to_owned(),
                Regime::ComputeBound,
                both,
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
        alternatives
    }

    fn default_sweep(&self) -> (&str, Vec<f64>) {
        ("tokens", [1.0, 4.0, 16.0, 64.0, 256.0, 1024.0].to_vec())
    }
}
