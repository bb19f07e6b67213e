//! Ridgepoint: the roofline model of GPUs as a desktop application.
//!
//! The house has floors; imports point down only, and siblings on a floor do not know each other:
//!
//! 1. [`model`] is the roofline itself: quantities, GPUs, workloads, placements, the session.
//! 3. [`files`] turns bytes into sessions and back; [`report`] turns placements and sweeps into tables.
//! 6. [`cli`] is the command line, from which everything starts.
pub mod cli;
pub mod files;
pub mod model;
pub mod report;
