//! The operators of one step of a language model, per GPU: what each asks, and how often it runs.
//!
//! Formulas: compulsory traffic of every operand once, 2 FLOP per multiply-add. With 16-bit formats each row equals the
//! speed-of-light figures of aiconfigurator 0.12.0 to six digits and the matrix work of Hugging Face models counted by
//! torch exactly. Biases and the scales of normalisations are left out, as they are there.
mod attention;
mod mixture;
mod queries;
mod recurrent;
mod training;

pub(super) use queries::Queries;

use super::architecture::{Layers, Mixer, Mlp};
use super::matrices::{Matrices, kernel};
use super::serving::{Phase, Serving};
use crate::model::cost::CostError;
use crate::model::cost::{Cost, Level, Operator, Path};
use crate::model::format::NumberFormat;
use crate::model::quantity::{Bytes, Count, OutOfRange, Seconds};

/// The operators of one execution on one GPU of the group, in the order they run.
pub fn operators(serving: &Serving) -> Result<Vec<Operator>, CostError> {
    check(serving)?;
    match serving.phase {
        Phase::Training => training::operators(serving),
        _ => Step::new(serving).forward(),
    }
}

/// Refuses what no group of GPUs can run.
fn check(serving: &Serving) -> Result<(), CostError> {
    let gpus = serving.tensor_parallel.get();
    for layers in &serving.model.layers {
        let (heads, kv_heads) = match &layers.mixer {
            Mixer::Attention(attention) => (attention.heads.get(), attention.kv_heads.get()),
            Mixer::Latent(latent) => (latent.heads.get(), 1.0),
            Mixer::Recurrent(_) | Mixer::None => continue,
        };
        if heads % gpus != 0.0 {
            let text = format!(
                "{heads} query heads cannot be divided over {gpus} GPUs: choose a divisor of {heads}"
            );
            return Err(CostError::Contradiction(text));
        }
        if kv_heads % gpus != 0.0 && gpus % kv_heads != 0.0 {
            let text = format!(
                "{kv_heads} KV heads can be neither divided over {gpus} GPUs nor repeated on them evenly"
            );
            return Err(CostError::Contradiction(text));
        }
    }
    let cached = serving.cached.map_or(0.0, Count::get);
    let shortest = serving.contexts().into_iter().map(|(_, tokens)| tokens);
    if serving.phase == Phase::Prefill && cached >= shortest.fold(f64::INFINITY, f64::min) {
        let text =
            format!("{cached} tokens are cached already: nothing of the prompt is left to read");
        return Err(CostError::Contradiction(text));
    }
    Ok(())
}

/// What every operator of a step needs to know.
struct Step<'a> {
    serving: &'a Serving,
    hidden: f64,
    /// GPUs a layer is divided over.
    gpus: f64,
    /// Tokens that pass the layers in this step.
    tokens: f64,
    /// Tokens whose logits are computed.
    logits: f64,
    queries: Vec<Queries>,
    /// Bytes of an element that goes into a matrix product, of one that comes out, of a cached one.
    input: f64,
    output: f64,
    cached: f64,
    /// The format of what comes out, in which attention computes.
    stream: NumberFormat,
}

impl<'a> Step<'a> {
    fn new(serving: &'a Serving) -> Self {
        let formats = &serving.formats;
        // Narrow activations are quantised before each product; what comes out of it is at least 16 bits.
        let stream = if formats.activations.bits() >= 16 {
            formats.activations
        } else {
            NumberFormat::BF16
        };
        let queries = Queries::of(serving);
        Self {
            hidden: serving.model.hidden.get(),
            gpus: serving.tensor_parallel.get(),
            tokens: queries.iter().map(|q| q.sequences * q.new).sum(),
            logits: queries.iter().map(Queries::logits).sum(),
            queries,
            input: formats.activations.bytes(),
            output: stream.bytes(),
            cached: formats.kv.bytes(),
            stream,
            serving,
        }
    }

    fn forward(&self) -> Result<Vec<Operator>, CostError> {
        let mut list = self.drafts()?;
        list.push(self.embedding()?);
        for layers in &self.serving.model.layers {
            let count = layers.count.get();
            for (name, cost) in self.layer(layers)? {
                add(&mut list, Operator::repeated(name, count, cost));
            }
        }
        list.push(Operator::once("final norm", self.norm()?));
        list.push(Operator::once("lm_head", self.output_head()?));
        if self.gpus > 1.0 {
            let vocab = self.serving.model.vocab.get();
            let sent = (self.gpus - 1.0) / self.gpus * self.logits * vocab * self.output;
            list.push(Operator::once("all-gather, logits", self.collective(sent)?));
        }
        Ok(list)
    }

    /// What one layer runs, in order.
    fn layer(&self, layers: &Layers) -> Result<Vec<(String, Cost)>, OutOfRange> {
        let mut costs = Vec::new();
        let given = self.serving.model.norms_per_layer.map(Count::get);
        for _ in 0..given.unwrap_or(2.0).min(8.0) as usize {
            costs.push(("add + norm".to_owned(), self.norm()?));
        }
        match &layers.mixer {
            Mixer::Attention(attention) => costs.extend(self.attention(attention)?),
            Mixer::Latent(latent) => costs.extend(self.latent(latent)?),
            Mixer::Recurrent(recurrent) => costs.extend(self.recurrent(recurrent)?),
            Mixer::None => {}
        }
        let mixes = !matches!(layers.mixer, Mixer::None);
        let feeds = !matches!(layers.mlp, Mlp::None);
        match &layers.mlp {
            Mlp::Gated(width) => costs.extend(self.mlp("", width.get(), true)?),
            Mlp::Plain(width) | Mlp::PlainBiased(width) => {
                costs.extend(self.mlp("", width.get(), false)?);
            }
            Mlp::Mixture(mixture) => costs.extend(self.mixture(mixture)?),
            Mlp::None => {}
        }
        if self.gpus > 1.0 {
            let sent =
                2.0 * (self.gpus - 1.0) / self.gpus * self.tokens * self.hidden * self.output;
            for _ in 0..usize::from(mixes) + usize::from(feeds) {
                costs.push(("all-reduce".to_owned(), self.collective(sent)?));
            }
        }
        Ok(costs)
    }

    /// An MLP of `width` for every token; `prefix` tells it from others of the layer.
    fn mlp(
        &self,
        prefix: &str,
        width: f64,
        gated: bool,
    ) -> Result<Vec<(String, Cost)>, OutOfRange> {
        let costs = self
            .feeding(1.0)
            .mlp(self.tokens, self.hidden, width / self.gpus, gated)?;
        Ok(named(prefix, gated, costs))
    }

    /// The matrices of MLPs; of experts so many `sets`.
    fn feeding(&self, sets: f64) -> Matrices {
        let formats = &self.serving.formats;
        Matrices {
            path: Path::matrix(wider(formats.weights, formats.activations)),
            weight: formats.weight_bytes(),
            input: self.input,
            output: self.output,
            sets,
        }
    }

    /// Those of attention and recurrences, whose weights may be in another format.
    fn mixing(&self) -> Matrices {
        let formats = &self.serving.formats;
        let activations = formats.mixer_activations();
        Matrices {
            path: Path::matrix(wider(formats.mixer.unwrap_or(formats.weights), activations)),
            weight: formats.mixer_weight_bytes(),
            input: activations.bytes(),
            output: self.output,
            sets: 1.0,
        }
    }

    /// Those of the output head and of routers.
    fn heading(&self) -> Matrices {
        let head = self.serving.formats.head;
        Matrices {
            path: Path::matrix(wider(head, self.stream)),
            weight: head.bytes(),
            input: self.output,
            output: self.output,
            sets: 1.0,
        }
    }

    /// `rows` tokens times a weight matrix of attention.
    fn projection(&self, rows: f64, from: f64, to: f64) -> Result<Cost, OutOfRange> {
        self.mixing().product(rows, from, to)
    }

    /// Work of the vector unit on each of `elements` arrays' elements, read or written once.
    fn elementwise(&self, flop: f64, elements: f64) -> Result<Cost, OutOfRange> {
        kernel(
            Path::vector(NumberFormat::FP32),
            flop,
            elements * self.output,
        )
    }

    /// A residual addition and a normalisation: two arrays in, two out.
    fn norm(&self) -> Result<Cost, OutOfRange> {
        let elements = self.tokens * self.hidden;
        self.elementwise(4.0 * elements, 4.0 * elements)
    }

    fn embedding(&self) -> Result<Operator, OutOfRange> {
        let row = self.hidden * (self.serving.formats.head.bytes() + self.output);
        let cost = kernel(Path::vector(NumberFormat::FP32), 0.0, self.tokens * row)?;
        Ok(Operator::once("embedding", cost))
    }

    fn output_head(&self) -> Result<Cost, OutOfRange> {
        let vocab = self.serving.model.vocab.get() / self.gpus;
        self.heading().product(self.logits, self.hidden, vocab)
    }

    /// `sent` bytes from each GPU to the others of its group.
    fn collective(&self, sent: f64) -> Result<Cost, OutOfRange> {
        let latency = self.serving.collective_latency.unwrap_or(Seconds::ZERO);
        Ok(Cost {
            traffic: vec![(Level::ScaleUpLink, Bytes::try_from(sent)?)],
            launches: 1.0,
            latency: vec![(Level::ScaleUpLink, latency)],
            ..Cost::default()
        })
    }

    /// The steps of the draft that proposes tokens: all its weights once, for each token.
    fn drafts(&self) -> Result<Vec<Operator>, OutOfRange> {
        let drafted = self.serving.drafted();
        let Some(parameters) = self.serving.draft_parameters.filter(|_| drafted > 0.0) else {
            return Ok(Vec::new());
        };
        let parameters = parameters.get() / self.gpus;
        let formats = &self.serving.formats;
        let path = Path::matrix(wider(formats.weights, formats.activations));
        let work = 2.0 * parameters * self.serving.batch.get();
        let cost = kernel(path, work, parameters * formats.weight_bytes())?;
        Ok(vec![Operator::repeated("draft", drafted, cost)])
    }
}

/// Adds an operator to those of the same name and cost, or to the end.
fn add(list: &mut Vec<Operator>, operator: Operator) {
    let same = list
        .iter_mut()
        .find(|known| known.name == operator.name && known.cost == operator.cost);
    match same {
        Some(known) => known.count += operator.count,
        None => list.push(operator),
    }
}

/// The kernels of an MLP under the names they have in a step.
fn named(prefix: &str, gated: bool, [into, between, out]: [Cost; 3]) -> Vec<(String, Cost)> {
    let name = if gated { "gate_up" } else { "up" };
    vec![
        (format!("{prefix}{name}"), into),
        (format!("{prefix}activation"), between),
        (format!("{prefix}down"), out),
    ]
}

/// The wider operand picks the path.
fn wider(a: NumberFormat, b: NumberFormat) -> NumberFormat {
    if a.bits() > b.bits() { a } else { b }
}
