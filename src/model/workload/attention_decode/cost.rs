//! What attention over a cache costs: the kernel itself, adding up split contexts, and the projections of MLA.
use super::{Append, AttentionDecode, Cache};
use crate::model::cost::{Cost, Path};
use crate::model::quantity::Count;
use crate::model::workload::CostError;
use crate::model::workload::common::{bytes, flops, vector_of, wider};

impl AttentionDecode {
    pub(super) fn value_dim(&self) -> Count {
        self.value_dim.unwrap_or(self.head_dim)
    }

    pub(super) fn path(&self) -> Path {
        Path::matrix(wider(self.activations, self.kv))
    }

    /// Elements: of a query, of a result of a head, and of one token in the cache.
    pub(super) fn sizes(&self) -> (f64, f64, f64) {
        let [d, dv, r, dr] =
            [self.head_dim, self.value_dim(), self.latent, self.rope_dim].map(Count::get);
        match self.cache {
            Cache::Heads => (d, dv, self.kv_heads.get() * (d + dv)),
            Cache::Latent => (r + dr, r, r + dr),
        }
    }

    /// Partial results between thread blocks that share a context: values, a maximum and a sum in FP32.
    pub(super) fn partials(&self) -> f64 {
        let (_, result, _) = self.sizes();
        let splits = self.splits.map_or(0.0, Count::get);
        splits * self.batch.get() * self.heads.get() * (result + 2.0) * 4.0
    }

    pub(super) fn core(&self) -> Result<Cost, CostError> {
        let (query, result, cached) = self.sizes();
        let [batch, heads, context] = [self.batch, self.heads, self.context].map(Count::get);
        let pairs = batch * heads * context;
        let appended = match self.append {
            Append::Here => 1.0,
            Append::Elsewhere => 0.0,
        };
        let kv = self.kv.bytes() * batch * cached * (context + appended);
        let written = match self.splits {
            None => self.activations.bytes() * batch * heads * result,
            Some(_) => self.partials(),
        };
        let queries = self.activations.bytes() * batch * heads * query;
        let work = flops(2.0 * pairs * (query + result))?;
        let cost = Cost::kernel(self.path(), work, bytes(kv + queries + written)?);
        Ok(cost.with_work(Path::SPECIAL, flops(pairs)?))
    }

    /// Adds up what thread blocks found that share a context.
    pub(super) fn combine(&self) -> Result<Cost, CostError> {
        let (_, result, _) = self.sizes();
        let results = self.batch.get() * self.heads.get() * result;
        let splits = self.splits.map_or(0.0, Count::get);
        let traffic = bytes(self.partials() + self.activations.bytes() * results)?;
        let path = vector_of(self.activations);
        Ok(Cost::kernel(path, flops(2.0 * splits * results)?, traffic))
    }

    /// A product of every head with its part of a projection: of queries into the latent, or of results out of it.
    pub(super) fn projection(&self, dim: Count) -> Result<Cost, CostError> {
        let (batch, heads) = (self.batch.get(), self.heads.get());
        let weights = heads * self.latent.get() * dim.get();
        let moved = weights + batch * heads * (self.latent.get() + dim.get());
        let traffic = bytes(self.activations.bytes() * moved)?;
        let path = Path::matrix(self.activations);
        Ok(Cost::kernel(path, flops(2.0 * batch * weights)?, traffic))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::cost::Level;
    use crate::model::format::NumberFormat;

    fn intensity(attention: &AttentionDecode) -> f64 {
        let core = attention.core().unwrap();
        core.intensity_at(Level::Dram).unwrap().get()
    }

    #[test]
    fn intensity_nears_the_group_with_16_bits_and_twice_that_with_8() {
        let mut attention = AttentionDecode {
            context: Count::constant(1e6),
            ..AttentionDecode::default()
        };
        assert!((intensity(&attention) - 4.0).abs() < 1e-3);
        attention.kv = NumberFormat::FP8;
        assert!((intensity(&attention) - 8.0).abs() < 1e-3);
    }

    #[test]
    fn a_latent_of_deepseek_v3_does_242_operations_per_byte() {
        let attention = AttentionDecode {
            cache: Cache::Latent,
            heads: Count::constant(128.0),
            context: Count::constant(1e7),
            ..AttentionDecode::default()
        };
        assert!((intensity(&attention) - 241.8).abs() < 0.1);
        let per_layer = attention.sizes().2 * attention.kv.bytes();
        assert_eq!(per_layer * 61.0, 70_272.0);
    }
}
