//! Language model: one step of a model by its architecture, as the sum of its operators.
mod alternatives;
mod parameters;

use super::{Alternative, CostError, Family, Items, Parameter};
use crate::model::cost::{Cost, Operator};
use crate::model::llm::{self, Phase, Serving};
use crate::model::quantity::{Bytes, Count};
use crate::model::units;
use std::borrow::Cow;

/// GPUs that one scale-up link connects in most servers.
const USUAL_NODE: f64 = 8.0;

impl Serving {
    /// What a token adds to the cache, and what a step reads of it.
    fn cache_formula(&self) -> Vec<String> {
        let bytes =
            |value: f64| Bytes::try_from(value).map_or_else(|e| e.to_string(), |b| b.to_string());
        let per_token = bytes(self.model.kv_bytes_per_token(&self.formats));
        let index = self.model.index_bytes_per_token(&self.formats);
        let read = bytes(self.kv_read());
        let gpus = self.tensor_parallel.get();
        let batch = self.batch;
        if index == 0.0 && gpus == 1.0 && !self.model.has_windows() {
            let context = units::count(self.mean_context());
            return vec![format!(
                "KV cache read = {batch} × {context} × {per_token} = {read}"
            )];
        }
        let mut lines = vec![format!("KV cache of a token = {per_token}")];
        if index > 0.0 {
            lines[0] += &format!(" + {} of the indexer's keys", bytes(index));
        }
        let each = bytes(self.kv_read() / batch.get());
        let bounded = match (index > 0.0, self.model.has_windows()) {
            (true, _) => ", bounded by the indexer",
            (false, true) => ", bounded by windows",
            (false, false) => "",
        };
        let on_each = if gpus > 1.0 { " on each GPU" } else { "" };
        lines.push(format!(
            "KV cache read{on_each} = {batch} × {each} of a sequence{bounded} = {read}"
        ));
        lines
    }
}

impl Family for Serving {
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        parameters::parameters(self)
    }

    fn cost(&self) -> Result<Cost, CostError> {
        Ok(Cost::sum(&self.operators()?)?)
    }

    fn operators(&self) -> Result<Vec<Operator>, CostError> {
        llm::operators(self)
    }

    fn formula(&self) -> Vec<String> {
        let all = self.model.parameters();
        let count = units::count;
        let bytes =
            |value: f64| Bytes::try_from(value).map_or_else(|e| e.to_string(), |b| b.to_string());
        let mut lines = vec![format!(
            "{}: {} parameters, {} of them active, in {} layers",
            self.model.name,
            count(all.total),
            count(all.active),
            count(self.model.layer_count())
        )];
        lines.push(format!(
            "weights read = {} at {} B{} = {}",
            if self.has_experts() {
                "dense parts and the experts reached"
            } else {
                "all but the input embedding"
            },
            units::number(self.formats.weight_bytes()),
            match self.tensor_parallel {
                Count::ONE => String::new(),
                gpus => format!(", divided over {gpus} GPUs"),
            },
            bytes(self.weights_read())
        ));
        lines.extend(self.cache_formula());
        if self.drafted() > 0.0 {
            lines.push(format!(
                "tokens per step and sequence = {}",
                units::number(self.tokens_per_step())
            ));
        }
        lines
    }

    fn leaves_out(&self) -> Vec<Cow<'static, str>> {
        let mut out = vec!["biases, scales of norms and sampling not counted".into()];
        if self.drafted() > 0.0 && self.draft_parameters.is_none() {
            out.push("the draft costs nothing: give its parameters".into());
        }
        if self.tensor_parallel.get() > 1.0 && self.collective_latency.is_none() {
            out.push("collectives without latency: give one, at small batches it decides".into());
        }
        if self.tensor_parallel.get() > USUAL_NODE {
            let text = format!(
                "all {} GPUs are taken to share one scale-up link: where a node has fewer, what crosses the network is slower",
                self.tensor_parallel
            );
            out.push(text.into());
        }
        if self.has_experts() {
            let text = match self.expert_skew.filter(|skew| skew.get() > 0.0) {
                Some(_) => "experts chosen by a power law",
                None => "experts chosen evenly and independently",
            };
            out.push(text.into());
        }
        out
    }

    fn doubts(&self) -> Vec<Cow<'static, str>> {
        self.beyond_limit().map(Cow::from).into_iter().collect()
    }

    fn items(&self) -> Items {
        Items {
            name: "token",
            per_execution: self.tokens(),
            users: self.batch.get(),
        }
    }

    fn drag_parameter(&self) -> Option<&str> {
        match self.phase {
            Phase::Prefill | Phase::Training => Some("context"),
            Phase::Decode => Some("batch"),
            Phase::Mixed => Some("chunk"),
        }
    }

    fn alternatives(&self) -> Vec<Alternative> {
        alternatives::alternatives(self)
    }

    fn default_sweep(&self) -> (&str, Vec<f64>) {
        match self.phase {
            Phase::Prefill | Phase::Training => (
                "context",
                [256.0, 1024.0, 4096.0, 16_384.0, 65_536.0].to_vec(),
            ),
            Phase::Decode | Phase::Mixed => {
                ("batch", [1.0, 4.0, 16.0, 64.0, 256.0, 1024.0].to_vec())
            }
        }
    }
}
