//! Ridgepoint: the roofline model of GPUs as a desktop application.
pub mod chart;
pub mod figure;
pub mod files;
pub mod model;
