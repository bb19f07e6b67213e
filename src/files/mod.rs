//! Floor 3, bytes in and bytes out: session files, presets, settings, safe writing. Knows the model, nothing above it.
pub mod atomic;
pub mod import;
pub mod library;
pub mod names;
pub mod presets;
pub mod session_file;
pub mod settings;
