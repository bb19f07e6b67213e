//! Measured kernels: judged, filled, filtered, saved, printed, paired and joined.
mod analysis;
mod choices;
mod command_line;
mod join;
mod many;
mod odd;
mod pairing;
mod published;
mod sessions;
mod world;
