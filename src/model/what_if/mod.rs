//! What would happen if: fixes with their effect, and dragging.
mod drag;
mod fixes;

pub use drag::{Dragged, Hold, Target, drag, step, variant};
pub use fixes::{Fix, fixes};
