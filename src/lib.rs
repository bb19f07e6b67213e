//! Ridgepoint: the roofline model of GPUs as a desktop application.
pub mod files;
pub mod model;
