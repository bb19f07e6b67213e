//! The operators of a training step: forward, backward, the optimiser, and the sum of gradients over replicas.
use super::{Step, kernel};
use crate::model::cost::CostError;
use crate::model::cost::{Cost, Operator, Path};
use crate::model::format::NumberFormat;
use crate::model::llm::serving::{Recompute, Serving};
use crate::model::quantity::{Bytes, Flops, OutOfRange};

/// Bytes the optimiser moves per parameter: reads of weight, gradient, two moments and master copy, writes of all but
/// the gradient; Adam with 16-bit weights and 32-bit states.
const OPTIMISER_BYTES: f64 = 28.0;
/// Operations of Adam per parameter.
const OPTIMISER_FLOP: f64 = 12.0;

/// Backward costs twice the forward pass, attention 2.5 times, since flash attention computes its scores again (Dao 2022).
pub(super) fn operators(serving: &Serving) -> Result<Vec<Operator>, CostError> {
    let step = Step::new(serving);
    let forward = step.forward()?;
    let mut list = forward.clone();
    if serving.recompute == Recompute::Full {
        for operator in &mut list {
            operator.count *= 2.0;
        }
    }
    for operator in &forward {
        let times = if operator.name.starts_with("attention") {
            2.5
        } else {
            2.0
        };
        list.push(Operator {
            name: format!("{}, backward", operator.name).into(),
            count: operator.count,
            cost: scaled(&operator.cost, times)?,
        });
    }
    let parameters = serving.model.parameters().total / step.gpus;
    let optimiser = kernel(
        Path::vector(NumberFormat::FP32),
        OPTIMISER_FLOP * parameters,
        OPTIMISER_BYTES * parameters,
    )?;
    list.push(Operator::once("optimiser", optimiser));
    let replicas = serving.data_parallel.get();
    if replicas > 1.0 {
        let sent = 2.0 * (replicas - 1.0) / replicas * parameters * step.output;
        list.push(Operator::once(
            "all-reduce, gradients",
            step.collective(sent)?,
        ));
    }
    Ok(list)
}

fn scaled(cost: &Cost, times: f64) -> Result<Cost, OutOfRange> {
    let mut cost = cost.clone();
    for (_, work) in &mut cost.work {
        *work = Flops::try_from(work.get() * times)?;
    }
    for (_, traffic) in &mut cost.traffic {
        *traffic = Bytes::try_from(traffic.get() * times)?;
    }
    Ok(cost)
}
