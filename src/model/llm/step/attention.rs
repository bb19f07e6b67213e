//! The operators of attention: projections, rotary position with the append to the cache, and the attention itself.
use super::{Queries, Step, kernel};
use crate::model::cost::{Cost, Path};
use crate::model::llm::architecture::{Attention, Indexer, Latent};
use crate::model::quantity::{Count, Flops, OutOfRange};

type Named = Vec<(String, Cost)>;

impl Step<'_> {
    /// MHA, GQA and MQA. Per GPU, query heads are divided; KV heads too as far as there are any, then repeated.
    pub(super) fn attention(&self, attention: &Attention) -> Result<Named, OutOfRange> {
        let dim = attention.head_dim.get();
        let heads = attention.heads.get() / self.gpus;
        let kv_heads = (attention.kv_heads.get() / self.gpus).max(1.0);
        let gate = if attention.output_gate {
            heads * dim
        } else {
            0.0
        };
        let projected = (heads + 2.0 * kv_heads) * dim;
        let mut costs = vec![(
            "qkv".to_owned(),
            self.projection(self.tokens, self.hidden, projected + gate)?,
        )];
        costs.push((
            "rope + KV append".to_owned(),
            self.append(heads, kv_heads, dim, attention.qk_norm)?,
        ));
        let window = attention.window.map(Count::get);
        for queries in &self.queries {
            // Sequences as short as the window feel nothing of it.
            let narrow = window.filter(|window| *window < queries.context);
            let name = self.name_of("attention", queries, narrow);
            let pairs = queries.sequences * queries.pairs(window);
            let keys = queries.sequences * queries.keys(window);
            let rows = queries.sequences * queries.new;
            let traffic =
                2.0 * self.cached * kv_heads * dim * keys + 2.0 * self.output * rows * heads * dim;
            let cost = self.core(4.0 * heads * dim * pairs, heads * pairs, traffic)?;
            costs.push((name, cost));
        }
        costs.push((
            "o_proj".to_owned(),
            self.projection(self.tokens, heads * dim, self.hidden)?,
        ));
        Ok(costs)
    }

    /// Rotary position of queries and keys (their norms too), and the new keys and values into the cache.
    fn append(&self, heads: f64, kv_heads: f64, dim: f64, norm: bool) -> Result<Cost, OutOfRange> {
        let rotated = self.tokens * (heads + kv_heads) * dim;
        let flop = if norm { 10.0 } else { 6.0 } * rotated;
        let moved = 2.0 * self.output * self.tokens * (heads + 2.0 * kv_heads) * dim;
        let appended = self.cached * self.tokens * 2.0 * kv_heads * dim;
        let vector = Path::vector(crate::model::format::NumberFormat::FP32);
        kernel(vector, flop, moved + appended)
    }

    /// Latent attention: absorbed for decode, where all heads share the cached latent; expanded for prefill.
    pub(super) fn latent(&self, latent: &Latent) -> Result<Named, OutOfRange> {
        let heads = latent.heads.get() / self.gpus;
        let (rank, rope) = (latent.kv_rank.get(), latent.rope_dim.get());
        let (nope, value) = (latent.nope_dim.get(), latent.value_dim.get());
        let mut costs = Vec::new();
        let mut push = |name: &str, cost: Cost| costs.push((name.to_owned(), cost));
        let query = heads * (nope + rope);
        match latent.q_rank {
            Some(q_rank) => {
                let down = q_rank.get() + rank + rope;
                push(
                    "q_a + kv_a",
                    self.projection(self.tokens, self.hidden, down)?,
                );
                push("q_b", self.projection(self.tokens, q_rank.get(), query)?);
            }
            None => {
                let both = query + rank + rope;
                push("q + kv_a", self.projection(self.tokens, self.hidden, both)?);
            }
        }
        // Absorbed or expanded, the same products: q·W_UK and o·W_UV, or the latents to keys and values.
        push(
            "kv_b",
            self.projection(self.expanded(), rank, heads * (nope + value))?,
        );
        let moved = 2.0 * self.output * self.tokens * (query + rank + rope);
        let appended = self.cached * self.tokens * (rank + rope);
        let vector = Path::vector(crate::model::format::NumberFormat::FP32);
        let rotated = self.tokens * (heads + 1.0) * rope;
        push(
            "rope + KV append",
            kernel(vector, 6.0 * rotated, moved + appended)?,
        );
        for queries in &self.queries {
            costs.extend(self.latent_core(latent, heads, queries)?);
        }
        costs.push((
            "o_proj".to_owned(),
            self.projection(self.tokens, heads * value, self.hidden)?,
        ));
        Ok(costs)
    }

    /// Tokens whose latents pass W_UK and W_UV: the new ones of decode, all of a prefill's context.
    fn expanded(&self) -> f64 {
        let of = |q: &Queries| q.sequences * if q.decode { q.new } else { q.context };
        self.queries.iter().map(of).sum()
    }

    fn latent_core(
        &self,
        latent: &Latent,
        heads: f64,
        queries: &Queries,
    ) -> Result<Named, OutOfRange> {
        let (rank, rope) = (latent.kv_rank.get(), latent.rope_dim.get());
        let (nope, value) = (latent.nope_dim.get(), latent.value_dim.get());
        let mut costs = Vec::new();
        let top = latent.indexer.as_ref().map(|indexer| indexer.top_k.get());
        if let Some(indexer) = &latent.indexer {
            costs.push((
                self.name_of("indexer", queries, None),
                self.indexer(indexer, queries)?,
            ));
        }
        let rows = queries.sequences * queries.new;
        // Each query attends to the best tokens, wherever they are: as many pairs as a window of that size has.
        let pairs = queries.sequences * queries.pairs(top);
        let (work, traffic) = if queries.decode {
            let keys = queries.sequences * queries.keys(top);
            let work = 2.0 * heads * pairs * (2.0 * rank + rope);
            let traffic = self.cached * keys * (rank + rope)
                + self.output * rows * heads * (2.0 * rank + rope);
            (work, traffic)
        } else {
            let keys = queries.sequences * queries.context;
            let per_head = nope + rope + value;
            (
                2.0 * heads * pairs * per_head,
                self.output * heads * per_head * (keys + rows),
            )
        };
        let name = self.name_of("attention", queries, None);
        costs.push((name, self.core(work, heads * pairs, traffic)?));
        Ok(costs)
    }

    /// Scores of every token for every query: a small MQA whose keys take a byte each.
    fn indexer(&self, indexer: &Indexer, queries: &Queries) -> Result<Cost, OutOfRange> {
        let (heads, dim) = (indexer.heads.get(), indexer.head_dim.get());
        let pairs = queries.sequences * queries.pairs(None);
        let keys = queries.sequences * queries.context;
        let path = Path::matrix(crate::model::format::NumberFormat::FP8);
        kernel(path, 2.0 * heads * dim * pairs, dim * keys)
    }

    /// The attention itself: matrix work, and an exponential per pair and head on the special-function path.
    fn core(&self, work: f64, exponentials: f64, traffic: f64) -> Result<Cost, OutOfRange> {
        let cost = kernel(Path::matrix(self.stream), work, traffic)?;
        Ok(cost.with_work(Path::SPECIAL, Flops::try_from(exponentials)?))
    }

    /// `attention`, or with what tells it from others of the step.
    fn name_of(&self, what: &str, queries: &Queries, window: Option<f64>) -> String {
        let mut name = what.to_owned();
        if self
            .queries
            .iter()
            .any(|other| other.decode != queries.decode)
        {
            name += if queries.decode {
                ", decode"
            } else {
                ", prefill"
            };
        }
        let contexts = self
            .queries
            .iter()
            .filter(|other| other.decode == queries.decode);
        if contexts.count() > 1 {
            name += &format!(", {} tokens", queries.context);
        }
        if let Some(window) = window {
            name += &format!(", window {window}");
        }
        name
    }
}
