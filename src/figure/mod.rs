//! Figures without a screen: a pass of egui in no window, its shapes as SVG, the SVG as PNG.

pub mod chart;
pub mod offscreen;
pub mod png;
pub mod svg;

/// Why a figure could not be made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The text is not an SVG that can be drawn.
    #[error(
        "the figure is not a drawable SVG ({0}): export it again, or undo the edit made to the file"
    )]
    Svg(#[from] resvg::usvg::Error),

    /// The picture would be empty, or larger than memory should be spent on.
    #[error(
        "a picture of {width} × {height} pixels cannot be made: choose a size and scale that give 1 to {} pixels a side and at most {} million in all",
        png::MAX_SIDE,
        png::MAX_PIXELS / 1_000_000
    )]
    Size { width: f64, height: f64 },

    /// The pixels are there but could not be packed.
    #[error(
        "the picture could not be packed as PNG ({0}): try a smaller scale, or export SVG instead"
    )]
    Pack(String),
}
