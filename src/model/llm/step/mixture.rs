//! The operators of a mixture of experts.
use super::{Step, kernel, named};
use crate::model::cost::{Cost, Path};
use crate::model::format::NumberFormat;
use crate::model::llm::architecture::Mixture;
use crate::model::llm::experts::expected_distinct;
use crate::model::quantity::{Count, OutOfRange, Ratio};

impl Step<'_> {
    /// Router, the experts' two products with the activation between, and what every token passes.
    ///
    /// Weights of E·(1 − (1 − k/E)^T) experts are read: those that T tokens are expected to reach.
    pub(super) fn mixture(&self, mixture: &Mixture) -> Result<Vec<(String, Cost)>, OutOfRange> {
        let (experts, top_k) = (mixture.experts.get(), mixture.top_k.get());
        let skew = self.serving.expert_skew.map_or(0.0, Ratio::get);
        let reached = expected_distinct(mixture.experts, mixture.top_k, self.tokens, skew);
        let rows = self.tokens * top_k;
        let router = self.heading().product(self.tokens, self.hidden, experts)?;
        // Tokens are copied to the rows of their experts and summed back.
        let moved = 2.0 * self.output * (self.tokens + rows) * self.hidden;
        let dispatch = kernel(
            Path::vector(NumberFormat::FP32),
            2.0 * rows * self.hidden,
            moved,
        )?;
        let width = mixture.width.get() / self.gpus;
        let each = self
            .feeding(reached)
            .mlp(rows, self.hidden, width, mixture.gated)?;
        let mut costs = vec![
            ("router".to_owned(), router),
            ("dispatch + combine".to_owned(), dispatch),
        ];
        costs.extend(named("experts ", mixture.gated, each));
        if let Some(shared) = mixture.shared_width.map(Count::get) {
            costs.extend(self.mlp("shared ", shared, mixture.gated)?);
        }
        Ok(costs)
    }
}
