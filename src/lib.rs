//! Ridgepoint: the roofline model of GPUs as a desktop application.
//!
//! The house has floors; imports point down only, and siblings on a floor do not know each other:
//!
//! 1. [`model`] is the roofline itself: quantities, GPUs, workloads, placements, the session.
//! 2. [`chart`] is what is drawn: axes, the scene, labels, and the one function that paints them.
//! 3. [`document`] is one open session and its undo; [`files`] turns bytes into sessions and back;
//!    [`figure`] draws the chart without a screen; [`report`] turns placements and sweeps into tables.
//! 4. [`ui`] is the interface: it edits what it is lent and asks for the rest.
//! 5. [`app`] owns everything and runs what was asked for.
//! 6. [`cli`] is the command line, from which everything starts.
pub mod app;
pub mod chart;
pub mod cli;
pub mod document;
pub mod figure;
pub mod files;
pub mod model;
pub mod report;
pub mod ui;
