//! Paints a scene, on screen and in figures alike, and says where each mark landed. Only this folder names `egui_plot`.
mod annotations;
mod arrow;
mod bands;
mod halo;
mod kernel_gutter;
mod kernels;
mod lines;
mod marks;
mod operators;
mod projection;
mod roof_labels;

pub use annotations::LandedNote;
pub use bands::LandedTurn;
pub use kernel_gutter::LandedGutter;
pub use kernels::{Hit, hit};
pub use marks::marker;
pub use operators::LandedOperator;
pub use projection::Projection;
pub use roof_labels::LandedLabel;

use super::axis::{self, Words};
use super::density::Grids;
use super::labels::Placer;
use super::scene::{MarkKind, Scene};
use super::style::{self, Style};
use crate::chart::style::size;
use crate::model::ids::WorkloadId;
use crate::model::view::Limits;
use egui::{Pos2, Rangef, Rect, Response, Sense, Ui, vec2};
use egui_plot::{AxisHints, GridInput, GridMark, Plot};

/// Where a mark was drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Landed {
    pub workload: WorkloadId,
    pub kind: MarkKind,
    pub name: String,
    pub hover: String,
    pub center: Pos2,
    /// Whether its name stands beside it.
    pub labelled: bool,
    /// Whether it lies in the gutter, where it has no intensity.
    pub in_gutter: bool,
    /// Whether it is of another GPU than the active one.
    pub on_other: bool,
}

/// Where a text was drawn that a term may be in.
#[derive(Debug, Clone, PartialEq)]
pub struct LandedWord {
    pub area: Rect,
    pub text: String,
}

/// What came of painting.
pub struct Painted {
    pub projection: Projection,
    /// The plane itself: hovered, dragged, double-clicked.
    pub response: Response,
    pub marks: Vec<Landed>,
    /// The operators of the selected workload.
    pub operators: Vec<LandedOperator>,
    /// Where operators turn along the trail.
    pub turns: Vec<LandedTurn>,
    /// Regimes and assumptions, which are painted and yet to be explained.
    pub words: Vec<LandedWord>,
    /// The labels of roofs.
    pub labels: Vec<LandedLabel>,
    /// What is written and drawn over it.
    pub notes: Vec<LandedNote>,
    /// Kernels without work.
    pub kernel_gutter: Vec<LandedGutter>,
}

/// Whether the chart answers to the pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interaction {
    /// A figure.
    None,
    /// Hover and handles, but the axes stay.
    Locked,
    /// Panning and zooming too.
    Free,
}

/// Height of the second axis above the chart.
const TRAIL_AXIS: f32 = 34.0;
/// Room above the chart without it.
const TOP: f32 = 8.0;
/// Height of the line of assumptions below the chart.
const FOOT: f32 = 20.0;
/// The same where no assumptions are written.
const BARE_FOOT: f32 = 2.0;
/// The most other GPUs that get a strip.
const MOST_STRIPS: usize = 4;
/// Width of the gutter for workloads without work.
const GUTTER: f32 = 108.0;

/// Paints `scene` into all the room `ui` has. The axes show `limits`; what panning made of them is in the projection.
/// Labels leave the upper left `corner` free.
pub fn paint(
    ui: &mut Ui,
    scene: &Scene,
    style: &Style,
    limits: Limits,
    how: Interaction,
    corner: egui::Vec2,
    grids: &mut Grids,
) -> Painted {
    let area = ui.available_rect_before_wrap();
    ui.painter().rect_filled(area, 0.0, style.ground);
    let top = if scene.trail.is_some() {
        TRAIL_AXIS
    } else {
        TOP
    };
    let gutter = if scene.gutter.is_empty() && scene.kernels.gutter.is_empty() {
        14.0
    } else {
        GUTTER
    };
    let foot = match scene.assumptions.is_empty() {
        true => BARE_FOOT,
        false => FOOT,
    };
    let more = scene.strips.len().saturating_sub(MOST_STRIPS);
    let rows = scene.strips.len().min(MOST_STRIPS) + usize::from(more > 0);
    let strips = rows as f32 * bands::STRIP;
    let plot_area = Rect::from_min_max(
        area.min + vec2(4.0, top),
        area.max - vec2(gutter, foot + strips),
    );
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(plot_area));
    let (response, projection) = plot(&mut child, style, limits, how, scene.normalised);
    ui.advance_cursor_after_rect(area);

    let frame = projection.frame;
    let painter = ui.painter_at(frame.expand(1.0));
    let mut placer = Placer::new(frame.shrink(2.0));
    placer.block(Rect::from_min_size(frame.min, corner));
    lines::grid(&painter, style, &projection);
    lines::regimes(&painter, style, &projection, scene, &mut placer);
    annotations::regions(&painter, style, &projection, scene);
    lines::roofs(&painter, style, &projection, scene, &mut placer);
    bands::trail(&painter, style, &projection, scene);
    let layer = &scene.kernels;
    let dense = kernels::discs(&painter, style, &projection, scene, grids, &mut placer);
    let operators = operators::discs(&painter, style, &projection, scene);
    // What somebody wrote there goes before what is written by itself.
    let notes = annotations::notes(&painter, style, &projection, scene, &mut placer);
    marks::keep_clear(&projection, scene, &mut placer);
    marks::arrow(&painter, style, &projection, scene, &mut placer);
    let mut words = lines::regime_names(&painter, style, &projection, scene, &mut placer);
    let landed = marks::marks(&painter, style, &projection, scene, &mut placer);
    operators::names(&painter, style, &projection, scene, &mut placer);
    let labels = roof_labels::labels(&painter, style, &projection, scene, &mut placer);
    kernels::moves(&painter, style, &projection, layer, &mut placer);
    if dense.is_none() {
        kernels::names(&painter, style, &projection, scene, &mut placer);
    }
    if let Some(count) = dense {
        kernels::dense_note(&painter, style, &projection, count);
    }
    painter.rect_stroke(
        frame,
        0.0,
        egui::Stroke::new(1.0, style.line),
        egui::StrokeKind::Inside,
    );

    let over = ui.painter_at(area);
    let trail = scene.trail.as_ref();
    let turns = trail.map(|trail| bands::trail_axis(&over, style, &projection, trail));
    let first = area.bottom() - foot - strips;
    for (row, strip) in scene.strips.iter().take(MOST_STRIPS).enumerate() {
        bands::strip(
            &over,
            style,
            &projection,
            strip,
            first + row as f32 * bands::STRIP,
        );
    }
    if more > 0 {
        let top = first + MOST_STRIPS as f32 * bands::STRIP;
        bands::more_strips(&over, style, &projection, more, top);
    }
    let mut job = egui::text::LayoutJob::simple_singleline(
        scene.assumptions.clone(),
        style::small(),
        style.muted,
    );
    job.wrap = egui::text::TextWrapping::truncate_at_width(area.right() - frame.left() - 6.0);
    let assumptions = over.layout_job(job);
    let foot = egui::pos2(frame.left(), area.bottom() - 4.0 - assumptions.size().y);
    words.extend(parts(&scene.assumptions, &assumptions, foot));
    over.galley(foot, assumptions, style.muted);
    let mut marks = landed;
    let gutter = marks::gutter(&over, style, &projection, scene, area);
    marks.extend(gutter.0);
    Painted {
        projection,
        response,
        marks,
        operators,
        turns: turns.unwrap_or_default(),
        words,
        labels,
        notes,
        kernel_gutter: gutter.1,
    }
}

/// Where each of the assumptions in a line stands that was laid out to begin at `corner`.
fn parts(line: &str, galley: &egui::Galley, corner: Pos2) -> Vec<LandedWord> {
    let mut begun = 0;
    let x = |at: usize| {
        let cursor = egui::text::CCursor::new(at);
        corner.x + galley.pos_from_cursor(cursor).left()
    };
    let parts = line.split(" · ").map(|part| {
        let from = begun;
        let to = from + part.chars().count();
        begun = to + 3;
        LandedWord {
            area: Rect::from_x_y_ranges(x(from)..=x(to), corner.y..=corner.y + galley.size().y),
            text: part.to_owned(),
        }
    });
    parts.filter(|part| part.area.width() > 1.0).collect()
}

/// The axes and the interaction, by egui_plot; everything else is painted over it.
fn plot(
    ui: &mut Ui,
    style: &Style,
    limits: Limits,
    how: Interaction,
    normalised: bool,
) -> (Response, Projection) {
    let free = how == Interaction::Free;
    let axis = |hints: AxisHints<'static>, label: &str, words| {
        hints
            .label(
                egui::RichText::new(label)
                    .size(size::CONTROL)
                    .color(style.ink),
            )
            .formatter(move |mark, range| tick_name(mark, range, words))
            .tick_label_color(style.muted)
            .tick_label_font(style::small())
    };
    let (across, up, words) = match normalised {
        true => (
            "Intensity ÷ ridge",
            "Share of the compute roof",
            Words::Plain,
        ),
        false => (
            "Arithmetic intensity (FLOP/B)",
            "Performance (FLOP/s)",
            Words::Engineering,
        ),
    };
    let x = axis(AxisHints::new_x(), across, Words::Plain).label_spacing(Rangef::new(28.0, 40.0));
    let y = axis(AxisHints::new_y(), up, words)
        .min_thickness(46.0)
        .label_spacing(Rangef::new(14.0, 20.0));
    let size = ui.available_size();
    // Where decades are narrower than their names, only some are named.
    let decade = f64::from(size.x - Y_AXIS) / (limits.x[1] - limits.x[0]);
    let named = [1, 2, 3, 5]
        .into_iter()
        .find(|n| decade * f64::from(*n) >= NAME);
    let named = named.unwrap_or(10);
    let plot = Plot::new("roofline")
        .width(size.x)
        .height(size.y)
        .show_background(false)
        .show_crosshair(false)
        .show_grid(false)
        .allow_scroll(false)
        .allow_zoom(free)
        .allow_drag(free)
        .allow_boxed_zoom(free)
        .allow_axis_zoom_drag(free)
        .allow_double_click_reset(false)
        .auto_bounds(false)
        .sense(if how == Interaction::None {
            Sense::hover()
        } else {
            Sense::click_and_drag()
        })
        .custom_x_axes(vec![x])
        .custom_y_axes(vec![y])
        .x_grid_spacer(move |input| grid_marks(input, named))
        .y_grid_spacer(|input| grid_marks(input, 1))
        .show(ui, |plot| {
            plot.set_plot_bounds_x(limits.x[0]..=limits.x[1]);
            plot.set_plot_bounds_y(limits.y[0]..=limits.y[1]);
        });
    let bounds = plot.transform.bounds();
    let projection = Projection {
        frame: *plot.transform.frame(),
        limits: Limits {
            x: [bounds.min()[0], bounds.max()[0]],
            y: [bounds.min()[1], bounds.max()[1]],
        },
    };
    plot.response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::GraphicsDocument, true, "Roofline chart")
    });
    (plot.response, projection)
}

/// About how much of the width the y axis takes, and the name of a decade on the x axis.
const Y_AXIS: f32 = 66.0;
const NAME: f64 = 46.0;

/// The ticks of an axis; egui_plot names a tick by the room its step has, so of decades only every n-th is named.
fn grid_marks(input: GridInput, named: i32) -> Vec<GridMark> {
    let ticks = axis::ticks(input.bounds.0, input.bounds.1);
    let marks = ticks.into_iter().map(|tick| GridMark {
        value: tick.at,
        step_size: match tick.at.rem_euclid(f64::from(named)) == 0.0 {
            true => tick.step.max(f64::from(named)),
            false => tick.step,
        },
    });
    marks.collect()
}

/// A tick's name; none within a little of the ends, where it would be cut off.
fn tick_name(mark: GridMark, range: &std::ops::RangeInclusive<f64>, words: Words) -> String {
    let (low, high) = (*range.start(), *range.end());
    let edge = (high - low) * 0.012;
    if mark.value < low + edge || mark.value > high - edge {
        return String::new();
    }
    axis::name(mark.value, high - low, words)
}
