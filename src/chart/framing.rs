//! Which part of the plane is shown: fit with equal decades, clamping, zooming about a place.
use crate::model::view::Limits;

/// What should be in the picture, in powers of ten.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    pub x: [f64; 2],
    pub y: [f64; 2],
}

impl Extent {
    /// The extent of nothing; anything added replaces it.
    pub const NOTHING: Self = Self {
        x: [f64::INFINITY, f64::NEG_INFINITY],
        y: [f64::INFINITY, f64::NEG_INFINITY],
    };

    /// Takes a point in.
    pub fn include(&mut self, [x, y]: [f64; 2]) {
        self.x = [self.x[0].min(x), self.x[1].max(x)];
        self.y = [self.y[0].min(y), self.y[1].max(y)];
    }

    /// Takes a height in, unless it is so far away that all else would become small.
    pub fn include_level(&mut self, y: f64) {
        const FAR: f64 = 2.5;
        if y > self.y[0] - FAR && y < self.y[1] + FAR {
            self.y = [self.y[0].min(y), self.y[1].max(y)];
        }
    }

    fn is_empty(&self) -> bool {
        self.x[0] > self.x[1] || self.y[0] > self.y[1]
    }
}

/// What an empty chart shows: the range of today's devices.
const EMPTY: Extent = Extent {
    x: [-1.0, 3.0],
    y: [11.0, 15.0],
};

/// Room around what is shown, in decades: left, right, below, above.
const MARGIN: [f64; 4] = [0.6, 1.1, 0.8, 0.6];

/// Widest and narrowest span of an axis, in decades.
const SPANS: [f64; 2] = [0.05, 60.0];

/// How far from 1 an axis can go, in decades.
const FARTHEST: f64 = 60.0;

/// Limits that hold the extent in a frame of this aspect (height ÷ width), a decade as long on both axes.
pub fn fit(extent: Extent, aspect: f64) -> Limits {
    let extent = if extent.is_empty() { EMPTY } else { extent };
    let mut x = [extent.x[0] - MARGIN[0], extent.x[1] + MARGIN[1]];
    let mut y = [extent.y[0] - MARGIN[2], extent.y[1] + MARGIN[3]];
    // A single point still gets a picture around it.
    widen(&mut x, 4.0, 0.5);
    widen(&mut y, 2.5, 0.8);
    let aspect = if aspect.is_finite() && aspect > 0.0 {
        aspect
    } else {
        0.6
    };
    let (across, up) = (x[1] - x[0], y[1] - y[0]);
    if up > across * aspect {
        widen(&mut x, up / aspect, 0.5);
    } else {
        // The room that is left goes below: the roofs stay near the top.
        widen(&mut y, across * aspect, 0.85);
    }
    clamp(Limits { x, y })
}

/// Limits that fill the frame with the extent, each axis for itself: for a room, where size is worth more than slopes of 45°.
pub fn fill(extent: Extent) -> Limits {
    let extent = if extent.is_empty() { EMPTY } else { extent };
    // At the left and below, the selected mark has its name.
    let mut x = [extent.x[0] - 1.2, extent.x[1] + MARGIN[1]];
    let mut y = [extent.y[0] - 1.2, extent.y[1] + 0.8];
    widen(&mut x, 4.0, 0.5);
    widen(&mut y, 2.5, 0.8);
    clamp(Limits { x, y })
}

/// Whether limits fitted earlier still do for an extent: they show all of it with a little room at each side, and
/// are not much wider than a new fit would be.
pub fn still_fits(limits: Limits, extent: Extent, aspect: f64) -> bool {
    const ROOM: f64 = 0.15;
    const MUCH: f64 = 1.5;
    let within =
        |[low, high]: [f64; 2], [from, to]: [f64; 2]| from >= low + ROOM && to <= high - ROOM;
    let span = |limits: Limits| limits.x[1] - limits.x[0];
    let holds = extent.is_empty() || (within(limits.x, extent.x) && within(limits.y, extent.y));
    holds && span(limits) < MUCH * span(fit(extent, aspect))
}

/// Makes a range at least `span` long; `below` is the part of the growth that goes to its low end.
fn widen(range: &mut [f64; 2], span: f64, below: f64) {
    let missing = span - (range[1] - range[0]);
    if missing > 0.0 {
        range[0] -= missing * below;
        range[1] += missing * (1.0 - below);
    }
}

/// Finite limits in order, neither too narrow nor too wide nor too far away.
pub fn clamp(limits: Limits) -> Limits {
    Limits {
        x: clamp_range(limits.x, EMPTY.x),
        y: clamp_range(limits.y, EMPTY.y),
    }
}

fn clamp_range([low, high]: [f64; 2], otherwise: [f64; 2]) -> [f64; 2] {
    if !(low.is_finite() && high.is_finite() && low < high) {
        return otherwise;
    }
    let span = (high - low).clamp(SPANS[0], SPANS[1]);
    let middle = ((low + high) / 2.0).clamp(-FARTHEST + span / 2.0, FARTHEST - span / 2.0);
    // A ten-thousandth of a decade is less than a pixel, and reads better in a session file.
    [middle - span / 2.0, middle + span / 2.0].map(|at| (at * 1e4).round() / 1e4)
}

/// Limits scaled by `factor` (below 1 zooms in) about a place that stays where it is.
pub fn zoom(limits: Limits, about: [f64; 2], factor: [f64; 2]) -> Limits {
    let scale = |[low, high]: [f64; 2], at: f64, factor: f64| {
        let span = (high - low) * factor;
        if (SPANS[0]..=SPANS[1]).contains(&span) {
            [at + (low - at) * factor, at + (high - at) * factor]
        } else {
            [low, high]
        }
    };
    clamp(Limits {
        x: scale(limits.x, about[0], factor[0]),
        y: scale(limits.y, about[1], factor[1]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decade_is_as_long_on_both_axes() {
        let extent = Extent {
            x: [0.0, 2.47],
            y: [12.5, 15.0],
        };
        for aspect in [0.4, 0.7, 1.5] {
            let limits = fit(extent, aspect);
            let ratio = (limits.y[1] - limits.y[0]) / (limits.x[1] - limits.x[0]);
            assert!((ratio - aspect).abs() < 1e-3, "{aspect}: {ratio}");
            assert!(limits.x[0] < 0.0 && limits.x[1] > 2.47);
            assert!(limits.y[0] < 12.5 && limits.y[1] > 15.0);
        }
    }

    #[test]
    fn zooming_keeps_the_place_under_the_pointer() {
        let limits = fit(Extent::NOTHING, 0.6);
        let zoomed = zoom(limits, [1.0, 13.0], [0.5, 0.5]);
        let place = |[low, high]: [f64; 2], at: f64| (at - low) / (high - low);
        assert!((place(limits.x, 1.0) - place(zoomed.x, 1.0)).abs() < 1e-3);
        let bad = Limits {
            x: [f64::NAN, 1.0],
            y: [5.0, 5.0],
        };
        assert!(clamp(bad).x[0].is_finite());
    }
}
