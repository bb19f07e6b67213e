//! Floor 1, the roofline itself: quantities, GPUs, workloads, placements. No interface, no files, no clock.
pub mod change;
pub mod compare;
pub mod cost;
pub mod format;
pub mod gpu;
pub mod ids;
pub mod llm;
pub mod measurement;
mod out_of_range;
pub mod placement;
mod plausibility;
pub mod quantity;
pub mod session;
pub mod sweep;
pub mod units;
pub mod view;
pub mod what_if;
pub mod workload;
