//! Floor 3, numbers to read or to process: placements and sweeps as text, Markdown, CSV and JSON.
pub mod describe;
pub mod format;
pub mod grid;
pub mod operators;
mod row;
pub mod sweep;
pub mod sweep_grid;
pub mod table;

pub use format::Format;
pub use grid::count_value;
