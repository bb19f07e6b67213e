//! What attention over many queries costs: pairs, the fused kernel both ways, and three kernels.
use super::{AttentionPrefill, Mask};
use crate::model::cost::{Cost, Level, Operator, Path};
use crate::model::quantity::Count;
use crate::model::workload::CostError;
use crate::model::workload::common::{bytes, ensure, flops, vector_of, wider};

impl AttentionPrefill {
    pub(super) fn value_dim(&self) -> Count {
        self.value_dim.unwrap_or(self.head_dim)
    }

    pub(super) fn keys(&self) -> Count {
        self.keys.unwrap_or(self.queries)
    }

    /// Pairs of query and key one head needs.
    pub(super) fn pairs(&self) -> Result<f64, CostError> {
        let (sq, sk) = (self.queries.get(), self.keys().get());
        if matches!(self.mask, Mask::Causal | Mask::Window) {
            ensure(sq <= sk, || {
                let (queries, keys) = (self.queries, self.keys());
                format!(
                    "{keys} keys for {queries} queries: under a causal mask there are no fewer keys than queries"
                )
            })?;
        }
        let before = sk - sq;
        let causal = |queries: f64| queries * before + queries * (queries + 1.0) / 2.0;
        Ok(match self.mask {
            Mask::Full => sq * sk,
            Mask::Causal => causal(sq),
            Mask::CausalHalved => sq * sk / 2.0,
            Mask::Window => {
                let window = self.window.get();
                // So many queries see all that is before them; the others see a whole window.
                let short = (window - before).clamp(0.0, sq);
                causal(short) + (sq - short) * window
            }
        })
    }

    pub(super) fn path(&self) -> Path {
        Path::matrix(wider(self.activations, self.kv))
    }

    /// Bytes of Q and the result, and of K and V.
    pub(super) fn moved(&self) -> (f64, f64) {
        let dims = self.head_dim.get() + self.value_dim().get();
        let batch = self.batch.get();
        let q = batch * self.heads.get() * self.queries.get() * dims * self.activations.bytes();
        let kv = batch * self.kv_heads.get() * self.keys().get() * dims * self.kv.bytes();
        (q, kv)
    }

    pub(super) fn forward(&self) -> Result<Cost, CostError> {
        let (q, kv) = self.moved();
        let pairs = self.pairs()?;
        let all = self.batch.get() * self.heads.get() * pairs;
        let dims = self.head_dim.get() + self.value_dim().get();
        let cost = Cost::kernel(self.path(), flops(2.0 * all * dims)?, bytes(q + kv)?)
            .with_work(Path::SPECIAL, flops(all)?);
        let Some(block) = self.block_queries else {
            return Ok(cost);
        };
        // Each block of queries of each head goes over the keys and values that it needs.
        let seen = pairs / (self.queries.get() * self.keys().get());
        let blocks = (self.queries.get() / block.get()).ceil();
        let group = self.heads.get() / self.kv_heads.get();
        Ok(cost.with_traffic(Level::L2, bytes(q + kv * group * blocks * seen)?))
    }

    /// Reads Q, K, V, the result and its gradient, writes three gradients: twice the bytes of the way forward.
    pub(super) fn backward(&self) -> Result<Cost, CostError> {
        let (q, kv) = self.moved();
        let all = self.batch.get() * self.heads.get() * self.pairs()?;
        let dims = self.head_dim.get() + self.value_dim().get();
        let work = flops(2.5 * 2.0 * all * dims)?;
        let cost = Cost::kernel(self.path(), work, bytes(2.0 * (q + kv))?);
        Ok(cost.with_work(Path::SPECIAL, flops(all)?))
    }

    pub(super) fn naive(&self) -> Result<Vec<Operator>, CostError> {
        // Masked pairs are computed too, but a mask that makes no sense is refused all the same.
        self.pairs()?;
        let [batch, heads, sq, sk] =
            [self.batch, self.heads, self.queries, self.keys()].map(Count::get);
        let scores = batch * heads * sq * sk;
        let (a, v) = (self.activations.bytes(), self.kv.bytes());
        let product = |dim: Count| -> Result<Cost, CostError> {
            let q = a * batch * heads * sq * dim.get();
            let kv = v * batch * self.kv_heads.get() * sk * dim.get();
            let work = flops(2.0 * scores * dim.get())?;
            Ok(Cost::kernel(self.path(), work, bytes(q + kv + a * scores)?))
        };
        let softmax = Cost::kernel(
            vector_of(self.activations),
            flops(4.0 * scores)?,
            bytes(2.0 * a * scores)?,
        );
        Ok(vec![
            Operator::once("scores", product(self.head_dim)?),
            Operator::once("softmax", softmax.with_work(Path::SPECIAL, flops(scores)?)),
            Operator::once("values", product(self.value_dim())?),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::super::Attending;
    use super::*;
    use crate::model::workload::Family as _;

    fn pairs(queries: f64, keys: f64, mask: Mask, window: f64) -> f64 {
        let attention = AttentionPrefill {
            queries: Count::try_from(queries).unwrap(),
            keys: Some(Count::try_from(keys).unwrap()),
            window: Count::try_from(window).unwrap(),
            mask,
            ..AttentionPrefill::default()
        };
        attention.pairs().unwrap()
    }

    #[test]
    fn pairs_are_those_a_loop_would_count() {
        for (sq, sk, window) in [(1, 1, 1), (5, 5, 3), (5, 9, 3), (4, 9, 7), (7, 8, 100)] {
            let seen = |i: i32| sk - sq + i;
            let causal: i32 = (1..=sq).map(seen).sum();
            let windowed: i32 = (1..=sq).map(|i| seen(i).min(window)).sum();
            let [sq, sk, window] = [sq, sk, window].map(f64::from);
            assert_eq!(pairs(sq, sk, Mask::Causal, window), f64::from(causal));
            assert_eq!(pairs(sq, sk, Mask::Window, window), f64::from(windowed));
        }
    }

    #[test]
    fn full_attention_of_many_heads_does_half_a_sequence_per_byte() {
        let attention = AttentionPrefill {
            kv_heads: Count::constant(32.0),
            mask: Mask::Full,
            ..AttentionPrefill::default()
        };
        let intensity = attention.cost().unwrap().intensity_at(Level::Dram).unwrap();
        assert_eq!(intensity.get(), 2048.0);
    }

    #[test]
    fn scores_in_memory_dominate_three_kernels() {
        let naive = AttentionPrefill {
            heads: Count::ONE,
            kv_heads: Count::ONE,
            algorithm: Attending::Naive,
            ..AttentionPrefill::default()
        };
        // 8·N² + 8·N·d bytes, 4·N²·d work and the softmax (Baseten's guide counts 3 of its 4 + 1).
        let (n, d) = (4096.0, 128.0);
        let cost = naive.cost().unwrap();
        assert_eq!(
            cost.traffic_at(Level::Dram).get(),
            8.0 * n * n + 8.0 * n * d
        );
        assert_eq!(cost.total_work().get(), 4.0 * n * n * d + 4.0 * n * n);
    }
}
