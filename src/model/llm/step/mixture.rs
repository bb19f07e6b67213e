//! The operators of a mixture of experts.
use super::{Step, kernel, wider};
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
        let formats = &self.serving.formats;
        let (experts, top_k) = (mixture.experts.get(), mixture.top_k.get());
        let skew = self.serving.expert_skew.map_or(0.0, Ratio::get);
        let reached = expected_distinct(mixture.experts, mixture.top_k, self.tokens, skew);
        let width = mixture.width.get() / self.gpus;
        let wide = if mixture.gated { 2.0 * width } else { width };
        let rows = self.tokens * top_k;
        let path = Path::matrix(wider(formats.weights, formats.activations));
        let product = |from: f64, to: f64| {
            let weights = reached * formats.weight_bytes() * from * to;
            let traffic = weights + rows * (self.input * from + self.output * to);
            kernel(path, 2.0 * rows * from * to, traffic)
        };
        let head = formats.head.bytes();
        let router = kernel(
            Path::matrix(wider(formats.head, self.stream)),
            2.0 * self.tokens * self.hidden * experts,
            head * self.hidden * experts + self.output * self.tokens * (self.hidden + experts),
        )?;
        let (flop, arrays) = if mixture.gated {
            (5.0, 3.0)
        } else {
            (4.0, 2.0)
        };
        // Tokens are copied to the rows of their experts and summed back.
        let moved = 2.0 * self.output * (self.tokens + rows) * self.hidden;
        let dispatch = kernel(
            Path::vector(NumberFormat::FP32),
            2.0 * rows * self.hidden,
            moved,
        )?;
        let name = if mixture.gated {
            "experts gate_up"
        } else {
            "experts up"
        };
        let mut costs = vec![
            ("router".to_owned(), router),
            ("dispatch + combine".to_owned(), dispatch),
            (name.to_owned(), product(self.hidden, wide)?),
            (
                "experts activation".to_owned(),
                self.elementwise(flop * rows * width, arrays * rows * width)?,
            ),
            ("experts down".to_owned(), product(width, self.hidden)?),
        ];
        if let Some(shared) = mixture.shared_width.map(Count::get) {
            costs.extend(self.mlp("shared ", shared, mixture.gated)?);
        }
        Ok(costs)
    }
}
