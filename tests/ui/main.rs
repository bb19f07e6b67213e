//! What a user of the window can rely on, driven by accessible names and real events, without a screen.
mod dragging;
mod lists;
mod roofs;
mod typing;
mod world;
