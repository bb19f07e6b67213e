//! Collectives: what ranks send each other, by the α-β model.
use super::common::{bytes, is_default};
use super::{Alternative, CostError, Family, Kind, Parameter, choices};
use crate::model::cost::{Cost, Level};
use crate::model::placement::Regime;
use crate::model::quantity::{Bytes, Count, Seconds};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// One collective over a tensor: latency steps·α, then the bytes each rank sends ÷ the bandwidth of its link.
///
/// Ring: 2·(n−1)/n·S of an all-reduce, (n−1)/n·S of all-gather, reduce-scatter and all-to-all; tree: 2·S in
/// 2·⌈log₂ n⌉ steps; in the network (NVLS): (n+1)/n·S in one (nccl-tests' bus factors). S is the whole tensor, of an
/// all-gather the gathered one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Collective {
    pub operation: Collecting,
    pub ranks: Count,
    pub size: Bytes,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha: Option<Seconds>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub latency: Latency,
    #[serde(default, skip_serializing_if = "is_default")]
    pub link: Link,
}

/// What the ranks do, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Collecting {
    AllReduceRing,
    AllReduceTree,
    /// The switch adds up (NVLS, SHARP).
    AllReduceInNetwork,
    AllGather,
    ReduceScatter,
    AllToAll,
    Broadcast,
    PointToPoint,
}

choices! {
    Collecting {
        AllReduceRing => "all-reduce, ring",
        AllReduceTree => "all-reduce, tree",
        AllReduceInNetwork => "all-reduce, in network",
        AllGather => "all-gather",
        ReduceScatter => "reduce-scatter",
        AllToAll => "all-to-all",
        Broadcast => "broadcast",
        PointToPoint => "point to point",
    }
}

/// How often α passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Latency {
    /// In every step of the algorithm.
    #[default]
    PerStep,
    /// Once: α was measured of the whole collective.
    Once,
}

choices! { Latency { PerStep => "every step", Once => "the collective" } }

/// Which link the ranks talk over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Link {
    #[default]
    ScaleUp,
    Network,
}

choices! { Link { ScaleUp => "scale-up link", Network => "network" } }

impl Link {
    fn level(self) -> Level {
        match self {
            Self::ScaleUp => Level::ScaleUpLink,
            Self::Network => Level::Network,
        }
    }
}

impl Default for Collective {
    fn default() -> Self {
        Self {
            operation: Collecting::AllReduceRing,
            ranks: Count::constant(8.0),
            size: Bytes::constant(33_554_432.0),
            alpha: None,
            latency: Latency::PerStep,
            link: Link::ScaleUp,
        }
    }
}

impl Collecting {
    /// What each of `n` ranks sends, as a part of the whole tensor.
    fn share(self, n: f64) -> f64 {
        match self {
            // A point to point transfer has two ends whatever the group.
            Self::PointToPoint => 1.0,
            _ if n <= 1.0 => 0.0,
            Self::AllReduceRing => 2.0 * (n - 1.0) / n,
            Self::AllReduceTree => 2.0,
            Self::AllReduceInNetwork => (n + 1.0) / n,
            Self::AllGather | Self::ReduceScatter | Self::AllToAll => (n - 1.0) / n,
            Self::Broadcast => 1.0,
        }
    }

    /// The part as a formula.
    fn share_text(self, n: Count) -> String {
        match self {
            Self::AllReduceRing => format!("2·({n} − 1) ÷ {n}"),
            Self::AllReduceTree => "2".to_owned(),
            Self::AllReduceInNetwork => format!("({n} + 1) ÷ {n}"),
            Self::AllGather | Self::ReduceScatter | Self::AllToAll => format!("({n} − 1) ÷ {n}"),
            Self::Broadcast | Self::PointToPoint => "1".to_owned(),
        }
    }

    /// Steps one after the other.
    fn steps(self, n: f64) -> f64 {
        match self {
            Self::PointToPoint => 1.0,
            _ if n <= 1.0 => 0.0,
            Self::AllReduceRing => 2.0 * (n - 1.0),
            Self::AllReduceTree => 2.0 * n.log2().ceil(),
            Self::AllReduceInNetwork => 1.0,
            Self::AllGather | Self::ReduceScatter | Self::AllToAll => n - 1.0,
            Self::Broadcast => n.log2().ceil(),
        }
    }
}

impl Collective {
    fn steps(&self) -> f64 {
        let steps = self.operation.steps(self.ranks.get());
        match self.latency {
            Latency::PerStep => steps,
            Latency::Once => steps.min(1.0),
        }
    }

    /// Whether there is nobody to talk to.
    fn is_alone(&self) -> bool {
        self.ranks == Count::ONE && self.operation != Collecting::PointToPoint
    }
}

impl Family for Collective {
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let alpha = "Before the first byte; of a whole NCCL collective over NVLink 8 to 10 µs, of own kernels 3 to 5 µs";
        let of = "Every step of the algorithm, or the collective as measured";
        let size = "The whole tensor; of an all-gather the gathered one";
        let group = self.operation != Collecting::PointToPoint;
        let mut parameters = vec![Parameter::choice(
            "operation",
            "Operation",
            "What the ranks do, and by which algorithm",
            &mut self.operation,
        )];
        if group {
            let hint = "GPUs of the group; one alone sends nothing";
            parameters
                .push(Parameter::number("ranks", "Ranks", hint, &mut self.ranks).within(1.0, 64.0));
        }
        parameters.extend([
            Parameter::number("size", "Size", size, &mut self.size),
            Parameter::number("alpha", "Latency (α)", alpha, &mut self.alpha),
            Parameter::choice("latency", "α is of", of, &mut self.latency),
            Parameter::choice(
                "link",
                "Link",
                "Bandwidth is that of one direction",
                &mut self.link,
            ),
        ]);
        parameters
    }

    fn cost(&self) -> Result<Cost, CostError> {
        let sent = bytes(self.size.get() * self.operation.share(self.ranks.get()))?;
        let alpha = self.alpha.map_or(0.0, Seconds::get);
        let latency = Seconds::try_from(alpha * self.steps())?;
        let level = self.link.level();
        Ok(Cost {
            traffic: vec![(level, sent)],
            latency: vec![(level, latency)],
            launches: if self.is_alone() { 0.0 } else { 1.0 },
            to_one_peer: self.operation == Collecting::PointToPoint,
            ..Cost::default()
        })
    }

    fn formula(&self) -> Vec<String> {
        let Ok(cost) = self.cost() else {
            return vec![];
        };
        if self.is_alone() {
            return vec!["traffic = 0: one rank alone sends nothing".to_owned()];
        }
        let sent = cost.traffic_at(self.link.level());
        let share = self.operation.share_text(self.ranks);
        let mut lines = vec![format!(
            "traffic of a rank = {share} × {} = {sent}",
            self.size
        )];
        if let (Some(alpha), [(_, latency)]) = (self.alpha, &cost.latency[..]) {
            lines.push(format!("latency = {} × {alpha} = {latency}", self.steps()));
        }
        lines
    }

    fn leaves_out(&self) -> Vec<Cow<'static, str>> {
        let link = match self.operation {
            Collecting::PointToPoint => "nothing else uses the link",
            _ => "nothing else uses the link, and all of it leads to every peer",
        };
        let mut left_out: Vec<Cow<'static, str>> = vec![
            "no traffic in the memories at either end, no additions".into(),
            link.into(),
        ];
        if self.alpha.is_none() {
            left_out.push("no latency: it decides small messages".into());
        }
        left_out
    }

    fn alternatives(&self) -> Vec<Alternative> {
        let mut alternatives = Vec::new();
        let mut offer = |name: &str, changed: Self| {
            alternatives.push((
                name.to_owned(),
                Regime::CommunicationBound,
                Kind::Collective(changed),
            ));
        };
        let others = [
            ("By a tree", Collecting::AllReduceTree),
            ("By a ring", Collecting::AllReduceRing),
            ("Added up in the network", Collecting::AllReduceInNetwork),
        ];
        if others
            .iter()
            .any(|(_, operation)| *operation == self.operation)
        {
            for (name, operation) in others {
                if operation != self.operation {
                    offer(
                        name,
                        Self {
                            operation,
                            ..self.clone()
                        },
                    );
                }
            }
        }
        if let Ok(size) = Bytes::try_from(self.size.get() / 2.0) {
            offer(
                "Send half the bits",
                Self {
                    size,
                    ..self.clone()
                },
            );
        }
        alternatives
    }

    fn default_sweep(&self) -> (&str, Vec<f64>) {
        let sizes = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
        ("size", sizes.to_vec())
    }
}
