//! The operators of a recurrent layer: its projections, and the recurrence on a state of fixed size.
use super::{Step, kernel};
use crate::model::cost::{Cost, Path};
use crate::model::format::NumberFormat;
use crate::model::llm::architecture::Recurrent;
use crate::model::quantity::OutOfRange;

impl Step<'_> {
    /// Projections as one product, and the state read and written once per sequence.
    pub(super) fn recurrent(
        &self,
        recurrent: &Recurrent,
    ) -> Result<Vec<(String, Cost)>, OutOfRange> {
        let parameters = recurrent.parameters.get() / self.gpus;
        let outside = [self.hidden, self.hidden];
        let projections = self.mixing().fused(self.tokens, parameters, outside)?;
        let sequences: f64 = self.queries.iter().map(|q| q.sequences).sum();
        let state =
            2.0 * recurrent.state_format.bytes() * sequences * recurrent.state.get() / self.gpus;
        let recurrence = kernel(
            Path::vector(NumberFormat::FP32),
            self.tokens * recurrent.flop_per_token.get() / self.gpus,
            state,
        )?;
        Ok(vec![
            ("recurrent projections".to_owned(), projections),
            ("recurrence".to_owned(), recurrence),
        ])
    }
}
