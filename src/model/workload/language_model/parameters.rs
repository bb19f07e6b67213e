//! The parameters of a language model's step, those of a theme under a heading of its own.
use crate::model::llm::{Phase, Serving};
use crate::model::workload::Parameter;

const FORMATS: &str = "Formats";
const PARALLEL: &str = "Several GPUs";
const SPECULATION: &str = "Speculative decoding";
const MEMORY: &str = "Memory";
const PRICE: &str = "Price and power";

/// In the order they are shown; what a phase does not use is left out.
pub(super) fn parameters(serving: &mut Serving) -> Vec<Parameter<'_>> {
    let phase = serving.phase;
    let has_experts = serving.has_experts();
    let beyond = serving.beyond_limit();
    let mut list = vec![Parameter::choice(
        "phase",
        "Phase",
        "What the model does in one execution",
        &mut serving.phase,
    )];
    list.push(Parameter::number(
        "batch",
        "Batch",
        "Sequences in the step",
        &mut serving.batch,
    ));
    let context = Parameter::number(
        "context",
        if phase == Phase::Prefill {
            "Prompt"
        } else {
            "Context"
        },
        "Tokens each sequence attends to; of a prefill the whole prompt",
        &mut serving.context,
    );
    let replaced = serving.distribution.is_some();
    let doubt = |in_force: bool| beyond.clone().filter(|_| in_force);
    list.push(context.doubted(doubt(!replaced)));
    let distribution = Parameter::text(
        "distribution",
        "Contexts",
        "Where sequences differ: shares and contexts such as 50 % 1k, 50 % 8k; replaces the one above",
        &mut serving.distribution,
    );
    list.push(distribution.doubted(doubt(replaced)));
    if matches!(phase, Phase::Prefill | Phase::Mixed) {
        list.push(Parameter::number(
            "cached",
            "Cached",
            "Tokens of the prompt whose keys and values are there already",
            &mut serving.cached,
        ));
    }
    if phase == Phase::Mixed {
        let hint = "Tokens of another prompt that are read in this step";
        list.push(Parameter::number(
            "chunk",
            "Chunk",
            hint,
            &mut serving.chunk,
        ));
    }
    if phase != Phase::Decode {
        let hint = "How many (query, key) pairs are counted as work";
        list.push(Parameter::choice(
            "mask",
            "Attention counted",
            hint,
            &mut serving.mask,
        ));
    }
    if phase == Phase::Prefill {
        let hint = "Generating needs those of the last token; a plain forward pass computes all";
        list.push(Parameter::choice(
            "logits",
            "Logits of",
            hint,
            &mut serving.logits,
        ));
    }
    list.push(
        Parameter::format(
            "weights",
            "Weights",
            "Of the linear layers; a narrow format with wide activations is widened before the product",
            &mut serving.formats.weights,
        )
        .under(FORMATS),
    );
    list.push(
        Parameter::number(
            "group",
            "Weights per scale",
            "128 for AWQ and GPTQ, 32 for MXFP4, 16 for NVFP4; left out where scales do not count",
            &mut serving.formats.group,
        )
        .under(FORMATS),
    );
    list.push(
        Parameter::number(
            "scale_bits",
            "Bits per scale",
            "Of the scale and the zero point of a group",
            &mut serving.formats.scale_bits,
        )
        .under(FORMATS),
    );
    list.push(
        Parameter::format(
            "activations",
            "Activations",
            "What goes into products beside the weights; the wider of the two picks the roof",
            &mut serving.formats.activations,
        )
        .under(FORMATS),
    );
    list.push(
        Parameter::format(
            "kv",
            "KV cache",
            "Of cached keys and values",
            &mut serving.formats.kv,
        )
        .under(FORMATS),
    );
    list.push(
        Parameter::format(
            "head",
            "Embedding, head",
            "Input embedding, output head, norms and routers usually stay at 16 bits",
            &mut serving.formats.head,
        )
        .under(FORMATS),
    );
    list.push(Parameter::number(
        "tensor_parallel",
        "Tensor parallel",
        "GPUs each layer is divided over; KV heads are repeated beyond their number",
        &mut serving.tensor_parallel,
    ));
    list.push(
        Parameter::number(
            "collective_latency",
            "Latency of a collective",
            "What an all-reduce takes however little it sends: 8 to 10 µs with NCCL over NVLink",
            &mut serving.collective_latency,
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
                &mut serving.data_parallel,
            )
            .under(PARALLEL),
        );
        let hint = "Whether activations are kept for the backward pass";
        list.push(Parameter::choice(
            "recompute",
            "Activations",
            hint,
            &mut serving.recompute,
        ));
    }
    if phase == Phase::Decode {
        list.push(
            Parameter::number(
                "draft_tokens",
                "Drafted tokens",
                "Tokens a draft proposes per step, checked by one step of the model",
                &mut serving.draft_tokens,
            )
            .under(SPECULATION),
        );
        list.push(
            Parameter::number(
                "acceptance",
                "Acceptance",
                "Probability that a proposed token is accepted; 70 % if left out",
                &mut serving.acceptance,
            )
            .within(0.0, 1.0)
            .under(SPECULATION),
        );
        list.push(
            Parameter::number(
                "draft_parameters",
                "Draft's parameters",
                "Read once per drafted token; left out where proposals cost nothing",
                &mut serving.draft_parameters,
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
                &mut serving.expert_skew,
            )
            .within(0.0, 2.0),
        );
    }
    list.push(
        Parameter::number(
            "memory_share",
            "Share to use",
            "Part of the GPU's memory that may be used; 90 % if left out",
            &mut serving.memory_share,
        )
        .within(0.5, 1.0)
        .under(MEMORY),
    );
    list.push(
        Parameter::number(
            "reserve",
            "Reserve",
            "Memory the runtime keeps on each GPU",
            &mut serving.reserve,
        )
        .under(MEMORY),
    );
    list.push(
        Parameter::number(
            "page",
            "KV page",
            "Tokens a page of the cache holds; contexts are rounded up to it",
            &mut serving.page,
        )
        .under(MEMORY),
    );
    list.push(
        Parameter::number(
            "price",
            "$ per GPU hour",
            "For the cost of a million tokens",
            &mut serving.price,
        )
        .under(PRICE),
    );
    list.push(
        Parameter::number(
            "power",
            "Measured watts",
            "Power of one GPU as measured while this runs: a TDP would only bound it",
            &mut serving.power,
        )
        .under(PRICE),
    );
    list.push(
        Parameter::number(
            "board_power",
            "Board power (TDP), W",
            "The power one GPU is allowed: it only bounds the joules per token",
            &mut serving.board_power,
        )
        .under(PRICE),
    );
    list
}
