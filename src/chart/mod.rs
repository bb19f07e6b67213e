//! Floor 2, what is drawn: axes, framing, the scene, labels, style, and the one function that paints them.
pub mod axis;
pub mod density;
pub mod fonts;
pub mod framing;
pub mod labels;
pub mod paint;
pub mod scale;
pub mod scene;
pub mod style;
