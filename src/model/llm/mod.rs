//! Language models: the architecture, what it weighs, and what its cache takes.
mod architecture;
mod experts;
mod formats;

pub use architecture::{
    Architecture, Attention, Indexer, Latent, Layers, Mixer, Mixture, Mlp, Parameters, Recurrent,
};
pub use experts::expected_distinct;
pub use formats::Formats;
