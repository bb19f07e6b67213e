//! What a user of the window can rely on, driven by accessible names and real events, without a screen.
mod typing;
mod world;
