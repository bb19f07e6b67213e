//! What a sequence keeps in memory: keys and values that grow with the context, and states that do not.
use super::architecture::{Architecture, Attention, Latent, Layers, Mixer};
use super::formats::Formats;
use crate::model::quantity::Count;

/// What one layer keeps of each token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TokenCache {
    /// Elements of keys and values; of latent attention the latent and the rotary part, once, not twice.
    pub elements: f64,
    /// Elements of the keys a sparse indexer scores; 0 without one.
    pub index_elements: f64,
    /// Only the last so many tokens are kept.
    pub window: Option<Count>,
    /// Only so many of the tokens kept are read by attention, chosen by the indexer, which reads its own keys of all.
    pub most_read: Option<Count>,
}

impl TokenCache {
    /// Tokens kept at a context of so many.
    pub fn kept(&self, context: f64) -> f64 {
        self.window
            .map_or(context, |window| context.min(window.get()))
    }

    /// Tokens attention reads at a context of so many.
    pub fn read(&self, context: f64) -> f64 {
        let kept = self.kept(context);
        self.most_read.map_or(kept, |most| kept.min(most.get()))
    }
}

impl Mixer {
    /// What a layer keeps of each token; `None` where nothing grows with the context.
    pub fn cache(&self) -> Option<TokenCache> {
        match self {
            Self::Attention(attention) => Some(attention.cache()),
            Self::Latent(latent) => Some(latent.cache()),
            Self::Recurrent(_) | Self::None => None,
        }
    }
}

impl Attention {
    fn cache(&self) -> TokenCache {
        TokenCache {
            elements: 2.0 * self.kv_heads.get() * self.head_dim.get(),
            index_elements: 0.0,
            window: self.window,
            most_read: None,
        }
    }
}

impl Latent {
    fn cache(&self) -> TokenCache {
        let indexer = self.indexer.as_ref();
        TokenCache {
            elements: self.kv_rank.get() + self.rope_dim.get(),
            index_elements: indexer.map_or(0.0, |indexer| indexer.head_dim.get()),
            window: None,
            most_read: indexer.map(|indexer| indexer.top_k),
        }
    }
}

impl Architecture {
    /// Elements of keys and values a token adds over all layers while the context is within every window.
    ///
    /// Keys of an indexer are apart, see [`Self::index_elements_per_token`].
    pub fn kv_elements_per_token(&self) -> f64 {
        self.over_caches(|cache| cache.elements)
    }

    /// Elements a token still adds when the context is beyond every window: those of layers without one.
    pub fn kv_elements_per_token_beyond_windows(&self) -> f64 {
        self.over_caches(|cache| match cache.window {
            Some(_) => 0.0,
            None => cache.elements,
        })
    }

    /// Whether any layer keeps only the last tokens.
    pub fn has_windows(&self) -> bool {
        let mut caches = self.layers.iter().filter_map(|layers| layers.mixer.cache());
        caches.any(|cache| cache.window.is_some())
    }

    /// Elements of the keys of sparse indexers a token adds over all layers.
    pub fn index_elements_per_token(&self) -> f64 {
        self.over_caches(|cache| cache.index_elements)
    }

    /// Bytes of keys and values a token adds over all layers, within every window.
    ///
    /// Keys of an indexer are apart, as publishers count them: with [`Self::index_bytes_per_token`] it is what is allocated.
    pub fn kv_bytes_per_token(&self, formats: &Formats) -> f64 {
        self.kv_elements_per_token() * formats.kv.bytes()
    }

    /// Bytes of the keys of sparse indexers a token adds over all layers, taken to be in the format of the cache; 0
    /// without an indexer.
    pub fn index_bytes_per_token(&self, formats: &Formats) -> f64 {
        self.index_elements_per_token() * formats.kv.bytes()
    }

    /// Bytes of cache one new token reads at a context of `context` tokens, itself among them.
    ///
    /// A window bounds what is read of its layers, an indexer what attention reads; the indexer's own keys are all
    /// read, and taken to be in the format of the cache. States are apart, see [`Self::state_bytes`].
    pub fn kv_read_bytes(&self, context: f64, formats: &Formats) -> f64 {
        let elements = self.over_caches(|cache| {
            cache.read(context) * cache.elements + cache.kept(context) * cache.index_elements
        });
        elements * formats.kv.bytes()
    }

    /// Bytes of cache a sequence of `context` tokens occupies in pages of `page` tokens (1: to the token).
    ///
    /// An indexer keeps all tokens, though attention reads few; a layer with a window keeps no more than that, in
    /// whole pages. States are apart, see [`Self::state_bytes`].
    pub fn kv_allocated_bytes(&self, context: f64, page: Count, formats: &Formats) -> f64 {
        let elements = self.over_caches(|cache| {
            let pages = (cache.kept(context) / page.get()).ceil();
            pages * page.get() * (cache.elements + cache.index_elements)
        });
        elements * formats.kv.bytes()
    }

    /// Bytes of state a sequence has in all recurrent layers, whatever its context.
    ///
    /// A step reads and writes all of it. The convolution's past is counted in the state's format, though it may be
    /// kept in a narrower one.
    pub fn state_bytes(&self) -> f64 {
        let state = |layers: &Layers| match &layers.mixer {
            Mixer::Recurrent(r) => layers.count.get() * r.state.get() * r.state_format.bytes(),
            _ => 0.0,
        };
        self.layers.iter().map(state).sum()
    }

    /// The sum over all layers that keep something of each token.
    fn over_caches(&self, of_layer: impl Fn(&TokenCache) -> f64) -> f64 {
        let of_layers = |layers: &Layers| match layers.mixer.cache() {
            Some(cache) => layers.count.get() * of_layer(&cache),
            None => 0.0,
        };
        self.layers.iter().map(of_layers).sum()
    }
}
