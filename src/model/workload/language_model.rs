//! Language model: one step of a model by its architecture, as the sum of its operators.
use super::{CostError, Family, Items, Parameter};
use crate::model::cost::{Cost, Operator};
use crate::model::llm::{self, Phase, Serving};
use crate::model::quantity::Bytes;
use crate::model::units;
use std::borrow::Cow;

const FORMATS: &str = "Formats";
const PARALLEL: &str = "Several GPUs";
const SPECULATION: &str = "Speculative decoding";
const MEMORY: &str = "Memory";
const PRICE: &str = "Price and power";

impl Family for Serving {
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let phase = self.phase;
        let has_experts = self.has_experts();
        let mut list = vec![Parameter::choice(
            "phase",
            "Phase",
            "What the model does in one execution",
            &mut self.phase,
        )];
        list.push(Parameter::number(
            "batch",
            "Batch",
            "Sequences in the step",
            &mut self.batch,
        ));
        list.push(Parameter::number(
            "context",
            if phase == Phase::Prefill {
                "Prompt"
            } else {
                "Context"
            },
            "Tokens each sequence attends to; of a prefill the whole prompt",
            &mut self.context,
        ));
        list.push(Parameter::text(
            "distribution",
            "Contexts",
            "Where sequences differ: shares and contexts such as 50 % 1k, 50 % 8k; replaces the one above",
            &mut self.distribution,
        ));
        if matches!(phase, Phase::Prefill | Phase::Mixed) {
            list.push(Parameter::number(
                "cached",
                "Cached",
                "Tokens of the prompt whose keys and values are there already",
                &mut self.cached,
            ));
        }
        if phase == Phase::Mixed {
            let hint = "Tokens of another prompt that are read in this step";
            list.push(Parameter::number("chunk", "Chunk", hint, &mut self.chunk));
        }
        if phase != Phase::Decode {
            let hint = "How many (query, key) pairs are counted as work";
            list.push(Parameter::choice(
                "mask",
                "Attention counted",
                hint,
                &mut self.mask,
            ));
        }
        if phase == Phase::Prefill {
            let hint =
                "Generating needs those of the last token; a plain forward pass computes all";
            list.push(Parameter::choice(
                "logits",
                "Logits of",
                hint,
                &mut self.logits,
            ));
        }
        list.push(
            Parameter::format(
                "weights",
                "Weights",
                "Of the linear layers; a narrow format with wide activations is widened before the product",
                &mut self.formats.weights,
            )
            .under(FORMATS),
        );
        list.push(
            Parameter::number(
                "group",
                "Weights per scale",
                "128 for AWQ and GPTQ, 32 for MXFP4, 16 for NVFP4; left out where scales do not count",
                &mut self.formats.group,
            )
            .under(FORMATS),
        );
        list.push(
            Parameter::number(
                "scale_bits",
                "Bits per scale",
                "Of the scale and the zero point of a group",
                &mut self.formats.scale_bits,
            )
            .under(FORMATS),
        );
        list.push(
            Parameter::format(
                "activations",
                "Activations",
                "What goes into products beside the weights; the wider of the two picks the roof",
                &mut self.formats.activations,
            )
            .under(FORMATS),
        );
        list.push(
            Parameter::format(
                "kv",
                "KV cache",
                "Of cached keys and values",
                &mut self.formats.kv,
            )
            .under(FORMATS),
        );
        list.push(
            Parameter::format(
                "head",
                "Embedding, head",
                "Input embedding, output head, norms and routers usually stay at 16 bits",
                &mut self.formats.head,
            )
            .under(FORMATS),
        );
        list.push(
            Parameter::number(
                "tensor_parallel",
                "Tensor parallel",
                "GPUs each layer is divided over; KV heads are repeated beyond their number",
                &mut self.tensor_parallel,
            )
            .under(PARALLEL),
        );
        list.push(
            Parameter::number(
                "collective_latency",
                "Latency of a collective",
                "What an all-reduce takes however little it sends: 8 to 10 µs with NCCL over NVLink",
                &mut self.collective_latency,
            )
            .under(PARALLEL),
        );
        if phase == Phase::Training {
            let hint = "Replicas whose gradients are summed";
            list.push(
                Parameter::number(
                    "data_parallel",
                    "Data parallel",
                    hint,
                    &mut self.data_parallel,
                )
                .under(PARALLEL),
            );
            let hint = "Whether activations are kept for the backward pass";
            list.push(Parameter::choice(
                "recompute",
                "Activations",
                hint,
                &mut self.recompute,
            ));
        }
        if phase == Phase::Decode {
            list.push(
                Parameter::number(
                    "draft_tokens",
                    "Drafted tokens",
                    "Tokens a draft proposes per step, checked by one step of the model",
                    &mut self.draft_tokens,
                )
                .under(SPECULATION),
            );
            list.push(
                Parameter::number(
                    "acceptance",
                    "Acceptance",
                    "Probability that a proposed token is accepted; 70 % if left out",
                    &mut self.acceptance,
                )
                .within(0.0, 1.0)
                .under(SPECULATION),
            );
            list.push(
                Parameter::number(
                    "draft_parameters",
                    "Draft's parameters",
                    "Read once per drafted token; left out where proposals cost nothing",
                    &mut self.draft_parameters,
                )
                .under(SPECULATION),
            );
        }
        if has_experts {
            let hint = "0 where tokens choose experts evenly, 1 where popularity falls like 1/rank";
            list.push(
                Parameter::number(
                    "expert_skew",
                    "Skew of experts",
                    hint,
                    &mut self.expert_skew,
                )
                .within(0.0, 2.0),
            );
        }
        list.push(
            Parameter::number(
                "memory_share",
                "Share to use",
                "Part of the GPU's memory that may be used; 90 % if left out",
                &mut self.memory_share,
            )
            .within(0.5, 1.0)
            .under(MEMORY),
        );
        list.push(
            Parameter::number(
                "reserve",
                "Reserve",
                "Memory the runtime keeps on each GPU",
                &mut self.reserve,
            )
            .under(MEMORY),
        );
        list.push(
            Parameter::number(
                "page",
                "KV page",
                "Tokens a page of the cache holds; contexts are rounded up to it",
                &mut self.page,
            )
            .under(MEMORY),
        );
        list.push(
            Parameter::number(
                "price",
                "$ per GPU hour",
                "For the cost of a million tokens",
                &mut self.price,
            )
            .under(PRICE),
        );
        list.push(
            Parameter::number(
                "power",
                "Measured watts",
                "Power of one GPU as measured while this runs: a TDP would only bound it",
                &mut self.power,
            )
            .under(PRICE),
        );
        list
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
            "weights read = {} at {} B = {}",
            if self.has_experts() {
                "dense parts and the experts reached"
            } else {
                "all but the input embedding"
            },
            units::number(self.formats.weight_bytes()),
            bytes(self.weights_read())
        ));
        let per_token = self.model.kv_bytes_per_token(&self.formats);
        lines.push(format!(
            "KV cache read = {} × {} × {} = {}",
            self.batch,
            count(self.mean_context()),
            bytes(per_token),
            bytes(self.kv_read())
        ));
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
        if self.tensor_parallel.get() > 1.0 && self.collective_latency.is_none() {
            out.push("collectives without latency: give one, at small batches it decides".into());
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
            Phase::Decode | Phase::Mixed => Some("batch"),
        }
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
