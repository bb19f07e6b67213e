//! The cells of a heat map as shapes: colours, hatching, and lines where something changes from cell to cell.
use super::axes::Axes;
use crate::chart::scale;
use crate::chart::style::{self, Style};
use crate::model::placement::Regime;
use crate::model::sweep::grid::{Cell, GridResult, Shown};
use crate::model::units::{self, Unit};
use egui::{Align2, Color32, Mesh, Painter, Pos2, Rect, Shape, Stroke, pos2};

/// The largest and the smallest number, and whether steps between them are factors.
#[derive(Clone, Copy)]
pub(super) struct Range {
    pub low: f64,
    pub high: f64,
}

impl Range {
    /// Of all cells; `None` where nothing shown is a positive number.
    pub fn of(result: &GridResult, shown: Shown) -> Option<Self> {
        let cells = result.cells.iter().filter_map(|cell| cell.as_ref().ok());
        let numbers = cells.filter_map(|cell| cell.number(shown));
        let numbers = numbers.filter(|number| number.is_finite() && *number > 0.0);
        numbers.fold(None, |range: Option<Self>, number| {
            let (low, high) = range.map_or((number, number), |range| (range.low, range.high));
            Some(Self {
                low: low.min(number),
                high: high.max(number),
            })
        })
    }

    /// Where a number lies, 0–1, by its logarithm.
    pub fn part(self, number: f64) -> f64 {
        match self.high > self.low * (1.0 + 1e-9) {
            true => (number / self.low).ln() / (self.high / self.low).ln(),
            false => 0.5,
        }
    }

    /// The number that lies there.
    pub fn at(self, part: f64) -> f64 {
        self.low * (self.high / self.low).powf(part)
    }
}

/// The letter that stands for a regime where colour alone would have to.
pub(super) fn letter(regime: Regime) -> &'static str {
    match regime {
        Regime::MemoryBound => "M",
        Regime::ComputeBound => "C",
        Regime::LatencyBound => "L",
        Regime::CommunicationBound => "N",
    }
}

/// What is shown, as it is written in a cell and beside the legend.
pub(super) fn written(number: f64, shown: Shown) -> String {
    match shown {
        Shown::Time => units::short(number, Unit::Second),
        Shown::Ratio => units::factor(number),
        _ => units::count(units_rounded(number)),
    }
}

/// Throughputs in cells need no decimals.
fn units_rounded(number: f64) -> f64 {
    if number >= 100.0 {
        number.round()
    } else {
        number
    }
}

/// Everything a map is painted of that only changes with the result, the place or the theme.
pub(super) fn shapes(
    painter: &Painter,
    result: &GridResult,
    shown: Shown,
    axes: &Axes,
    style: &Style,
) -> Vec<Shape> {
    let range = Range::of(result, shown);
    let colours = Colours {
        shown,
        range,
        style,
    };
    let mut shapes = vec![fills(result, axes, &colours)];
    hatching(result, axes, &mut shapes);
    let regime = |cell: &Cell| cell.regime as u8;
    borders(result, axes, &regime, false, &mut shapes);
    if shown == Shown::Ratio {
        let faster = |cell: &Cell| u8::from(cell.ratio.is_some_and(|ratio| ratio >= 1.0));
        borders(result, axes, &faster, true, &mut shapes);
    }
    texts(painter, result, axes, &colours, &mut shapes);
    shapes
}

struct Colours<'a> {
    shown: Shown,
    range: Option<Range>,
    style: &'a Style,
}

impl Colours<'_> {
    fn of(&self, cell: Option<&Cell>) -> Color32 {
        let Some(cell) = cell else {
            return self.style.panel;
        };
        if self.shown == Shown::Regime {
            return self.style.regime(cell.regime);
        }
        let number = cell
            .number(self.shown)
            .filter(|n| n.is_finite() && *n > 0.0);
        match (number, self.range) {
            (Some(number), Some(range)) => scale::colour(scale::shade(range.part(number))),
            _ => self.style.panel,
        }
    }
}

fn cell(result: &GridResult, first: usize, second: usize) -> Option<&Cell> {
    result.cell(first, second)?.as_ref().ok()
}

/// Neighbours of one colour become one rectangle.
fn fills(result: &GridResult, axes: &Axes, colours: &Colours<'_>) -> Shape {
    let mut mesh = Mesh::default();
    for row in axes.y.bands() {
        let mut run: Option<(f32, f32, Color32)> = None;
        for column in axes.x.bands() {
            let colour = colours.of(cell(result, column.index, row.index));
            run = match run {
                Some((from, _, last)) if last == colour => Some((from, column.to, last)),
                _ => {
                    flush(&mut mesh, run, row.from, row.to);
                    Some((column.from, column.to, colour))
                }
            };
        }
        flush(&mut mesh, run, row.from, row.to);
    }
    Shape::mesh(mesh)
}

fn flush(mesh: &mut Mesh, run: Option<(f32, f32, Color32)>, from: f32, to: f32) {
    if let Some((left, right, colour)) = run {
        let area = Rect::from_two_pos(pos2(left, from), pos2(right, to));
        mesh.add_colored_rect(area, colour);
    }
}

/// Diagonals over what does not fit, in light and dark so that they show on every colour.
fn hatching(result: &GridResult, axes: &Axes, shapes: &mut Vec<Shape>) {
    const GAP: f32 = 7.0;
    let area = axes.area();
    let too_large = |at: Pos2| {
        let at = axes.cell_at(at);
        let cell = at.and_then(|[first, second]| cell(result, first, second));
        cell.is_some_and(|cell| cell.fits == Some(false))
    };
    let mut sum = area.left() + area.top();
    while sum < area.right() + area.bottom() {
        let from = (sum - area.bottom()).max(area.left());
        let to = (sum - area.top()).min(area.right());
        let mut begun: Option<f32> = None;
        let mut x = from;
        while x <= to + 1.0 {
            let inside = x <= to && too_large(pos2(x, sum - x));
            match (begun, inside) {
                (None, true) => begun = Some(x),
                (Some(start), false) => {
                    stroke_hatch(start, x - 0.5, sum, shapes);
                    begun = None;
                }
                _ => {}
            }
            x += 1.0;
        }
        sum += GAP;
    }
}

fn stroke_hatch(from: f32, to: f32, sum: f32, shapes: &mut Vec<Shape>) {
    for (shift, colour) in [
        (0.0, Color32::from_white_alpha(110)),
        (1.2, Color32::from_black_alpha(130)),
    ] {
        let ends = [pos2(from, sum - from + shift), pos2(to, sum - to + shift)];
        shapes.push(Shape::line_segment(ends, Stroke::new(1.0, colour)));
    }
}

/// Lines along the edges between cells of which `of` says different things.
fn borders(
    result: &GridResult,
    axes: &Axes,
    of: &dyn Fn(&Cell) -> u8,
    dashed: bool,
    shapes: &mut Vec<Shape>,
) {
    let at = |column: usize, row: usize| cell(result, column, row).map(of);
    let differ = |a: Option<u8>, b: Option<u8>| a.is_some() && b.is_some() && a != b;
    let (columns, rows) = (axes.x.bands(), axes.y.bands());
    let mut lines: Vec<[Pos2; 2]> = Vec::new();
    let mut add = |line: [Pos2; 2]| match lines.last_mut() {
        // Edges in a row are one line, so that it has no joints.
        Some(last) if last[1] == line[0] => last[1] = line[1],
        _ => lines.push(line),
    };
    for pair in rows.windows(2) {
        for column in &columns {
            if differ(
                at(column.index, pair[0].index),
                at(column.index, pair[1].index),
            ) {
                let y = pair[0].to;
                add([pos2(column.from, y), pos2(column.to, y)]);
            }
        }
    }
    for pair in columns.windows(2) {
        for row in &rows {
            if differ(at(pair[0].index, row.index), at(pair[1].index, row.index)) {
                let x = pair[0].to;
                add([pos2(x, row.from), pos2(x, row.to)]);
            }
        }
    }
    let (dark, light) = (Color32::from_gray(16), Color32::from_gray(250));
    for line in &lines {
        shapes.push(Shape::line_segment(*line, Stroke::new(4.0, dark)));
    }
    for line in lines {
        let stroke = Stroke::new(2.0, light);
        match dashed {
            true => shapes.extend(Shape::dashed_line(&line, stroke, 5.0, 4.0)),
            false => shapes.push(Shape::line_segment(line, stroke)),
        }
    }
}

/// Numbers where there is room for them; of regimes a letter every so often.
fn texts(
    painter: &Painter,
    result: &GridResult,
    axes: &Axes,
    colours: &Colours<'_>,
    shapes: &mut Vec<Shape>,
) {
    const ROOM: [f32; 2] = [28.0, 16.0];
    let regimes = colours.shown == Shown::Regime;
    let every = |size: f32, room: f32| match regimes {
        true => (room / size).ceil().max(1.0) as usize,
        false => 1,
    };
    let (columns, rows) = (axes.x.bands(), axes.y.bands());
    let roomy = axes.x.step() >= 58.0 && axes.y.step() >= 15.0;
    if !regimes && !roomy {
        return;
    }
    let (across, down) = (every(axes.x.step(), ROOM[0]), every(axes.y.step(), ROOM[1]));
    for row in rows.iter().filter(|row| row.index % down == down / 2) {
        for column in columns.iter().filter(|c| c.index % across == across / 2) {
            let cell = cell(result, column.index, row.index);
            let text = match cell {
                Some(cell) if regimes => letter(cell.regime).to_owned(),
                Some(cell) => match cell.number(colours.shown) {
                    Some(number) => written(number, colours.shown),
                    None => "–".to_owned(),
                },
                None => "–".to_owned(),
            };
            let ground = colours.of(cell);
            let ink = scale::ink_on(ground);
            let at = pos2((column.from + column.to) / 2.0, (row.from + row.to) / 2.0);
            let galley = painter.layout_no_wrap(text, style::small(), ink);
            let place = Align2::CENTER_CENTER.anchor_size(at, galley.size());
            if cell.is_some_and(|cell| cell.fits == Some(false)) {
                // Hatching would run through the digits.
                shapes.push(Shape::rect_filled(
                    place.expand2(egui::vec2(3.0, -1.0)),
                    2.0,
                    ground,
                ));
            }
            shapes.push(Shape::galley(place.min, galley, ink));
        }
    }
}
