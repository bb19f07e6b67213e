//! What a user of the window can rely on, driven by accessible names and real events, without a screen.
mod axes;
mod closing;
mod comparing;
mod deriving;
mod dragging;
mod everything;
mod files;
mod formulas;
mod help;
mod lists;
mod measured;
mod models;
mod path_dialog;
mod roofs;
mod sweeping;
mod typing;
mod world;
