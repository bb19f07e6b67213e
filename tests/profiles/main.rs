//! Measured kernels: judged, filled, filtered, saved, printed, paired and joined.
mod analysis;
mod world;
