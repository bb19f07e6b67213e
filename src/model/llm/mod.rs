//! Language models: the architecture, what it weighs, and what its cache takes.
mod architecture;
mod cache;
mod experts;
mod formats;
mod parameters;
mod recurrent;
mod weights;

pub use architecture::{
    Architecture, Attention, Indexer, Latent, Layers, Mixer, Mixture, Mlp, Recurrent,
};
pub use cache::TokenCache;
pub use experts::expected_distinct;
pub use formats::Formats;
pub use parameters::{LayerParameters, Parameters};
pub use recurrent::{DeltaNet, Mamba};
