//! The MLPs of a config: dense, and mixtures of experts.
use super::family::Family;
use super::fields::Fields;
use super::plan::{Layer, MlpKind};
use super::sparse::EXPERTS;
use crate::model::llm::{Mixture, Mlp};
use crate::model::quantity::Count;

const WIDTH: [&str; 5] = [
    "intermediate_size",
    "n_inner",
    "ffn_dim",
    "ffn_hidden_size",
    "inner_dim",
];
const MOST_WIDTH: f64 = 1e7;

/// The MLPs that layers of the plan have; `None` where a field is missing or wrong, or no layer has it.
pub(super) struct Mlps {
    pub dense: Option<Mlp>,
    pub mixture: Option<Mlp>,
}

impl Mlps {
    pub fn read(
        fields: &mut Fields<'_>,
        family: &Family,
        hidden: Option<Count>,
        plan: &[Layer],
    ) -> Self {
        let has = |kind| plan.iter().any(|layer| layer.mlp == kind);
        let mixed = has(MlpKind::Mixture);
        if fields.flag(&["mlp_bias"]) == Some(true) && family.gated {
            fields.ignore("mlp_bias: biases of gated MLPs are not counted".to_owned());
        }
        let mixture = mixed.then(|| mixture(fields, family)).flatten();
        let dense = has(MlpKind::Dense)
            .then(|| dense(fields, family, hidden, mixed))
            .flatten();
        if !has(MlpKind::Dense) {
            tell_unused_widths(fields, &mixture);
        }
        Self {
            dense: dense.map(|width| match (family.gated, family.mlp_bias) {
                (true, _) => Mlp::Gated(width),
                (false, false) => Mlp::Plain(width),
                (false, true) => Mlp::PlainBiased(width),
            }),
            mixture,
        }
    }
}

/// Tells widths of dense MLPs, which no layer has.
fn tell_unused_widths(fields: &mut Fields<'_>, mixture: &Option<Mlp>) {
    let used = match mixture {
        Some(Mlp::Mixture(mixture)) => Some(mixture.width),
        _ => None,
    };
    for name in ["intermediate_size", "intermediate_size_mlp"] {
        let width = fields.count_or_none(&[name], MOST_WIDTH);
        if let Some(width) = width.filter(|width| used.is_some_and(|used| used != *width)) {
            fields.ignore(format!("{name} {}: no layer has a dense MLP", width.get()));
        }
    }
}

/// How wide the MLP of layers without experts is.
fn dense(
    fields: &mut Fields<'_>,
    family: &Family,
    hidden: Option<Count>,
    mixed: bool,
) -> Option<Count> {
    if mixed && family.shared_implicit {
        // Their `intermediate_size` is the experts'.
        return fields.needed(&["intermediate_size_mlp"], MOST_WIDTH);
    }
    if family.positions.is_some() && !WIDTH.iter().any(|name| fields.has(name)) {
        let width = Count::try_from(4.0 * hidden?.get()).ok()?;
        let models = family.plural();
        fields.assume(format!(
            "n_inner is missing: the MLP is {} wide, 4 × the hidden size, as of {models}",
            width.get()
        ));
        return Some(width);
    }
    fields.needed(&WIDTH, MOST_WIDTH)
}

fn mixture(fields: &mut Fields<'_>, family: &Family) -> Option<Mlp> {
    let experts = fields.needed(&EXPERTS, 1e5);
    let top_k = [
        "num_experts_per_tok",
        "experts_per_token",
        "moe_topk",
        "moe_k",
    ];
    let top_k = fields.needed(&top_k, 1e5);
    if let (Some(experts), Some(top_k)) = (experts, top_k)
        && top_k > experts
    {
        fields.wrong(format!(
            "num_experts_per_tok {} is more than the {} experts",
            top_k.get(),
            experts.get()
        ));
    }
    let width = expert_width(fields, family);
    let shared_width = shared_width(fields, family, width);
    Some(Mlp::Mixture(Mixture {
        experts: experts?,
        top_k: top_k?,
        width: width?,
        shared_width,
        shared_gate: family.shared_gate && shared_width.is_some(),
        gated: family.gated,
        biased: family.expert_bias,
    }))
}

/// How wide an expert is: where `moe_intermediate_size` is there, `intermediate_size` is another thing.
fn expert_width(fields: &mut Fields<'_>, family: &Family) -> Option<Count> {
    let own = ["moe_intermediate_size", "expert_intermediate_size"];
    if own.iter().any(|name| fields.has(name)) {
        return fields.count(&own, MOST_WIDTH);
    }
    if !WIDTH.iter().any(|name| fields.has(name)) {
        fields.miss(own[0]);
        return None;
    }
    let width = fields.count(&WIDTH, MOST_WIDTH)?;
    if !family.experts_intermediate {
        fields.assume(format!(
            "moe_intermediate_size is missing: experts are intermediate_size {} wide",
            width.get()
        ));
    }
    Some(width)
}

/// How wide all shared experts together are.
fn shared_width(fields: &mut Fields<'_>, family: &Family, width: Option<Count>) -> Option<Count> {
    let number = fields.count_or_none(&["n_shared_experts", "num_shared_experts"], 1e4);
    let own = [
        "shared_expert_intermediate_size",
        "moe_shared_expert_intermediate_size",
        "shared_intermediate_size",
    ];
    if let Some(own) = fields.count_or_none(&own, MOST_WIDTH) {
        return Some(own);
    }
    if family.shared_implicit {
        let width = width?;
        fields.assume(format!(
            "every token passes a shared expert as well, {} wide, which no field says: {} have one",
            width.get(),
            family.plural()
        ));
        return Some(width);
    }
    Count::try_from(number?.get() * width?.get()).ok()
}
