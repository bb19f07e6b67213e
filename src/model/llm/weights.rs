//! Bytes the weights of a language model take in its formats: stored, and read by a step.
use super::architecture::{Architecture, Layers, Mlp};
use super::experts::expected_distinct;
use super::formats::Formats;

impl Architecture {
    /// Bytes all weights take, with their scales; every expert and the input embedding among them.
    pub fn weight_bytes(&self, formats: &Formats) -> f64 {
        let parameters = self.parameters();
        let looked_up = parameters.positions
            + match self.tied {
                true => 0.0,
                false => parameters.input_embedding,
            };
        let all = |layers: &Layers| self.layer_parameters(layers).experts;
        looked_up * formats.head.bytes() + self.read_bytes(formats, all)
    }

    /// Bytes of weights a step over `tokens` tokens reads: those of [`Self::read_per_step`].
    pub fn weight_read_bytes(&self, tokens: f64, skew: f64, formats: &Formats) -> f64 {
        self.read_bytes(formats, |layers| match &layers.mlp {
            Mlp::Mixture(m) => expected_distinct(m.experts, m.top_k, tokens, skew),
            _ => 0.0,
        })
    }

    /// Bytes of the head and of the layers, with so many of the routed experts of each.
    fn read_bytes(&self, formats: &Formats, experts: impl Fn(&Layers) -> f64) -> f64 {
        let head = self.vocab.get() * self.hidden.get() + self.norm();
        let layers = self.layers.iter().map(|layers| {
            let layer = self.layer_parameters(layers);
            let linear = layer.mlp + experts(layers) * layer.expert;
            let plain = layer.norms + layer.biases + layer.router;
            layers.count.get()
                * (linear * formats.weight_bytes()
                    + layer.mixer * formats.mixer_weight_bytes()
                    + plain * formats.head.bytes())
        });
        head * formats.head.bytes() + layers.sum::<f64>()
    }
}
