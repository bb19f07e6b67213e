//! Floor 3, numbers to read or to process: placements, sweeps and measured kernels as text, Markdown, CSV and JSON.
pub mod describe;
pub mod format;
pub mod grid;
pub mod imported;
pub mod joined;
pub mod kernels;
pub mod operators;
pub mod pairs;
mod row;
pub mod sweep;
pub mod sweep_grid;
pub mod table;

pub use format::Format;
pub use grid::count_value;
