//! Counters of AMD's GPUs, as rocprofiler-compute and rocprofv3 write them, and how work and traffic follow from them.
mod agent;
mod architecture;
pub(super) mod collection;
mod counters;
pub(super) mod workload;

use super::rows::{Row, Rows};
use architecture::Architecture;
