//! What can be run: each kind says how its cost follows from its parameters. One file a kind, one line in the list below.
mod attention_decode;
mod attention_heads;
mod attention_prefill;
mod collective;
mod common;
mod convolution;
mod decode;
mod elementwise;
mod fft;
mod formula;
mod gemm;
mod gemv;
mod intensity;
mod language_model;
mod mlp;
mod moe;
mod n_body;
mod norm;
mod raw;
mod reduction;
mod softmax;
mod spmv;
mod stencil;
mod transpose;
mod vector;

pub use super::cost::CostError;
pub(in crate::model) use super::parameter::choices;
pub use super::parameter::{ChoiceSlot, NumberSlot, Parameter, Slot, TextError, TextSlot, Weights};
pub use attention_decode::{Append, AttentionDecode, Cache};
pub use attention_prefill::{Attending, AttentionPrefill, Mask, Pass};
pub use collective::{Collecting, Collective, Latency, Link};
pub use common::Writes;
pub use convolution::{Algorithm, Convolution};
pub use decode::Decode;
pub use elementwise::Elementwise;
pub use fft::{Fft, Values};
pub use formula::{Formula, FormulaError, OwnError, OwnParameter, Part};
pub use gemm::{Accumulator, Gemm, Output, Sharing};
pub use gemv::Gemv;
pub use intensity::FixedIntensity;
pub use mlp::{Activation, Gating, Mlp};
pub use moe::{Moe, Permutation};
pub use n_body::{NBody, Roots};
pub use norm::{Norm, NormKind, Residual};
pub use raw::Raw;
pub use reduction::{Kernels, Reduction};
pub use softmax::{Exponentials, Passes, Softmax};
pub use spmv::{IndexSize, Spmv};
pub use stencil::{Coefficients, Points, Reuse, Stencil};
pub use transpose::{Tiling, Transpose};
pub use vector::{Operation, Vector};

use super::cost::{Cost, Operator};
use super::gpu::Gpu;
use super::llm::{self, Serving};
use super::placement::Regime;
use super::quantity::OutOfRange;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What an execution produces, for throughput.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Items {
    /// `execution`, `token`.
    pub name: &'static str,
    /// How many one execution produces.
    pub per_execution: f64,
    /// Among how many users they are shared; each sees its part of the throughput.
    pub users: f64,
}

/// Another way to run a workload: its name, the regime in which it is said to help, and the kind.
pub type Alternative = (String, Regime, Kind);

/// A kind of workload: parameters in, cost out.
pub trait Family {
    /// The parameters in the order they are shown; names are those of the session file.
    fn parameters(&mut self) -> Vec<Parameter<'_>>;

    /// What one execution asks in all; an error where parameters contradict each other or their product is beyond any quantity.
    fn cost(&self) -> Result<Cost, CostError>;

    /// The kernels one execution runs, one after the other: a single one unless the kind says otherwise.
    fn operators(&self) -> Result<Vec<Operator>, CostError> {
        Ok(vec![Operator::once("", self.cost()?)])
    }

    /// How work and traffic follow from the parameters, with the numbers put in.
    fn formula(&self) -> Vec<String>;

    /// What the prediction does not count.
    fn leaves_out(&self) -> Vec<Cow<'static, str>>;

    /// What one execution produces.
    fn items(&self) -> Items {
        Items {
            name: "execution",
            per_execution: 1.0,
            users: 1.0,
        }
    }

    /// What is doubtful of its parameters, a sentence each; it is computed all the same.
    fn doubts(&self) -> Vec<Cow<'static, str>> {
        vec![]
    }

    /// The parameter that dragging along the intensity axis solves for.
    fn drag_parameter(&self) -> Option<&str> {
        None
    }

    /// Other ways to run it, each with its name and the regime in which it is said to help.
    fn alternatives(&self) -> Vec<Alternative> {
        vec![]
    }

    /// The parameter and values a sweep starts with.
    fn default_sweep(&self) -> (&str, Vec<f64>);
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident($type:ty) $title:literal in $category:literal),+ $(,)?) => {
        /// Any kind of workload.
        #[expect(clippy::large_enum_variant, reason = "a session has few; a box would only add a hop")]
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        pub enum Kind {
            $($(#[$doc])* $variant($type)),+
        }

        impl Kind {
            /// Every kind with example parameters, as the "Add" menu offers them.
            pub fn examples() -> Vec<Self> {
                vec![$(Self::$variant(<$type>::default())),+]
            }

            /// The name in menus and headings.
            pub fn title(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => $title),+
                }
            }

            /// The submenu it stands in.
            pub fn category(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => $category),+
                }
            }

            /// What this kind can do.
            pub fn family(&self) -> &dyn Family {
                match self {
                    $(Self::$variant(kind) => kind),+
                }
            }

            /// The same, to change parameters.
            pub fn family_mut(&mut self) -> &mut dyn Family {
                match self {
                    $(Self::$variant(kind) => kind),+
                }
            }
        }
    };
}

kinds! {
    /// A decode step of a language model, by parameter count.
    Decode(Decode) "Decode step, simple" in "Basic",
    /// A step of a language model by its architecture.
    LanguageModel(Serving) "Language model" in "Basic",
    /// A matrix product.
    Gemm(Gemm) "GEMM" in "Dense linear algebra",
    /// A matrix times a vector.
    Gemv(Gemv) "GEMV" in "Dense linear algebra",
    /// Images by filters.
    Convolution(Convolution) "Convolution 2-D" in "Dense linear algebra",
    /// An operation on every element of vectors.
    Vector(Vector) "Vector operation" in "Memory and vector",
    /// The same arithmetic on every element of several arrays.
    Elementwise(Elementwise) "Elementwise" in "Memory and vector",
    /// Many elements to few.
    Reduction(Reduction) "Reduction" in "Memory and vector",
    /// Rows that add up to one.
    Softmax(Softmax) "Softmax" in "Memory and vector",
    /// LayerNorm or RMSNorm.
    Norm(Norm) "Normalisation" in "Memory and vector",
    /// A matrix with rows and columns exchanged.
    Transpose(Transpose) "Transpose" in "Memory and vector",
    /// A point of a grid from its neighbours.
    Stencil(Stencil) "Stencil" in "Sparse and grid",
    /// A sparse matrix times a vector.
    Spmv(Spmv) "SpMV, CSR" in "Sparse and grid",
    /// A Fourier transform.
    Fft(Fft) "FFT" in "Sparse and grid",
    /// Forces between all pairs of bodies.
    NBody(NBody) "N-body" in "Sparse and grid",
    /// Attention of many queries at once.
    AttentionPrefill(AttentionPrefill) "Attention, prefill" in "Attention and MLP",
    /// Attention of one new token over a cache.
    AttentionDecode(AttentionDecode) "Attention, decode" in "Attention and MLP",
    /// Two or three matrices with an activation between them.
    Mlp(Mlp) "MLP" in "Attention and MLP",
    /// A layer of experts.
    Moe(Moe) "Mixture of experts" in "Attention and MLP",
    /// What ranks send each other.
    Collective(Collective) "Collective" in "Communication",
    /// Work and traffic as they are.
    Raw(Raw) "Raw work and traffic" in "Basic",
    /// Work at an arithmetic intensity.
    Intensity(FixedIntensity) "Intensity and work" in "Basic",
    /// Work and traffic by the user's own expressions.
    Formula(Formula) "Formula of your own" in "Basic",
}

impl Kind {
    /// The examples by the submenu they stand in, both in the order of the list.
    pub fn by_category() -> Vec<(&'static str, Vec<Self>)> {
        let mut categories: Vec<(&'static str, Vec<Self>)> = Vec::new();
        for kind in Self::examples() {
            let category = kind.category();
            match categories.iter_mut().find(|(name, _)| *name == category) {
                Some((_, kinds)) => kinds.push(kind),
                None => categories.push((category, vec![kind])),
            }
        }
        categories
    }

    /// The value of a numeric parameter; `None` if there is no such parameter or it is not given.
    pub fn number(&self, name: &str) -> Option<f64> {
        let mut copy = self.clone();
        let parameters = copy.family_mut().parameters();
        let parameter = parameters.into_iter().find(|p| p.name == name)?;
        match parameter.slot {
            Slot::Number(slot) => slot.value(),
            _ => None,
        }
    }

    /// A parameter that is text; `None` if there is no such parameter.
    pub fn text(&self, name: &str) -> Option<String> {
        let mut copy = self.clone();
        let parameters = copy.family_mut().parameters();
        let parameter = parameters.into_iter().find(|p| p.name == name)?;
        match parameter.slot {
            Slot::Text(slot) => Some(slot.text()),
            _ => None,
        }
    }

    /// The names of the numeric parameters.
    pub fn numeric_parameters(&self) -> Vec<String> {
        let mut copy = self.clone();
        let parameters = copy.family_mut().parameters();
        let numeric = parameters
            .into_iter()
            .filter(|p| matches!(p.slot, Slot::Number(_)));
        numeric.map(|p| p.name.to_owned()).collect()
    }

    /// A copy with one text parameter changed; refused where the cost would not be a quantity.
    pub fn with_text(&self, name: &str, text: &str) -> Result<Self, TextError> {
        let refused = |message| TextError {
            message,
            place: None,
        };
        let mut copy = self.clone();
        let mut parameters = copy.family_mut().parameters().into_iter();
        match parameters.find(|p| p.name == name).map(|p| p.slot) {
            Some(Slot::Text(mut slot)) => slot.set_text(text)?,
            _ => return Err(refused(format!("{} has no text {name:?}", self.title()))),
        }
        drop(parameters);
        match copy.family().cost() {
            Ok(_) => Ok(copy),
            Err(error) => Err(refused(error.to_string())),
        }
    }

    /// A copy with one numeric parameter changed; refused where the cost would not be a quantity.
    pub fn with(&self, name: &str, value: f64) -> Result<Self, ParameterError> {
        self.changed(name, |slot| slot.set(Some(value)))
    }

    /// A copy with several numeric parameters changed at once, for what each alone would contradict.
    pub fn with_each(&self, values: &[(&str, f64)]) -> Result<Self, ParameterError> {
        let mut copy = self.clone();
        let refused = |name: &str, reason| ParameterError::Refused {
            name: name.to_owned(),
            reason,
        };
        let mut unset: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
        for parameter in copy.family_mut().parameters() {
            let wanted = values.iter().find(|(name, _)| *name == parameter.name);
            if let (Some((name, value)), Slot::Number(slot)) = (wanted, parameter.slot) {
                let taken = slot.set(Some(*value));
                taken.map_err(|error| refused(name, error.into()))?;
                unset.retain(|unset| unset != name);
            }
        }
        if let Some(name) = unset.first() {
            return Err(self.unknown(name));
        }
        let cost = copy.family().cost().map(|_| ());
        let name = values.first().map_or("", |(name, _)| name);
        cost.map_err(|reason| refused(name, reason))?;
        Ok(copy)
    }

    /// Why it does not fit the memory of a GPU; `None` where it does, or where that is not known.
    pub fn does_not_fit(&self, gpu: &Gpu) -> Option<String> {
        match self {
            Self::LanguageModel(serving) => llm::shortfall(serving, gpu.capacity?),
            _ => None,
        }
    }

    fn unknown(&self, name: &str) -> ParameterError {
        ParameterError::Unknown {
            name: name.to_owned(),
            kind: self.title(),
            known: self.known_parameters(),
        }
    }

    /// As [`Kind::with`], but counts need not be whole: for solving where something flips.
    pub(super) fn with_unrounded(&self, name: &str, value: f64) -> Result<Self, ParameterError> {
        self.changed(name, |slot| slot.set_unrounded(value))
    }

    fn changed(
        &self,
        name: &str,
        change: impl FnOnce(&mut dyn NumberSlot) -> Result<(), OutOfRange>,
    ) -> Result<Self, ParameterError> {
        let mut copy = self.clone();
        let refused = |reason| ParameterError::Refused {
            name: name.to_owned(),
            reason,
        };
        let mut parameters = copy.family_mut().parameters().into_iter();
        match parameters.find(|p| p.name == name).map(|p| p.slot) {
            Some(Slot::Number(slot)) => change(slot).map_err(|error| refused(error.into()))?,
            _ => return Err(self.unknown(name)),
        }
        drop(parameters);
        copy.family().cost().map_err(refused)?;
        Ok(copy)
    }

    /// The names of the numeric parameters in a sentence.
    pub(super) fn known_parameters(&self) -> String {
        match self.numeric_parameters() {
            none if none.is_empty() => "none".to_owned(),
            names => names.join(", "),
        }
    }
}

/// Why a parameter cannot be set.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ParameterError {
    #[error("{kind} has no numeric parameter {name:?}: it has {known}")]
    Unknown {
        name: String,
        kind: &'static str,
        known: String,
    },
    #[error("{name}: {reason}")]
    Refused { name: String, reason: CostError },
}
