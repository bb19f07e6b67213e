//! Language models: the architecture, what it weighs, what its cache takes, and what a step of it asks.
mod architecture;
mod cache;
mod capacity;
mod distribution;
mod experts;
mod formats;
mod matrices;
mod parameters;
mod recurrent;
mod results;
mod serving;
mod step;
mod weights;

pub use architecture::{
    Architecture, Attention, Indexer, Latent, Layers, Mixer, Mixture, Mlp, Recurrent,
};
pub use cache::TokenCache;
pub use capacity::{
    Capacity, USUAL_MEMORY_SHARE, allocated, capacity, fits, shortfall, stored_weights,
};
pub use distribution::Distribution;
pub use experts::expected_distinct;
pub use formats::Formats;
pub use matrices::{ACTIVATION_FLOP, Matrices};
pub use parameters::{LayerParameters, Parameters};
pub use recurrent::{DeltaNet, Mamba};
pub use results::{Results, results};
pub use serving::{Logits, Mask, Phase, Recompute, Serving};
pub use step::operators;
