//! Ridgepoint: the roofline model of GPUs as a desktop application.
pub mod app;
pub mod chart;
pub mod document;
pub mod figure;
pub mod files;
pub mod model;
pub mod ui;
