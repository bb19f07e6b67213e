//! The chart as a figure: the function that paints the window's chart, run without a window.
use super::{offscreen, svg};
use crate::chart::density::Grids;
use crate::chart::framing;
use crate::chart::paint::{self, Interaction};
use crate::chart::scene::{self, Scene};
use crate::chart::style::size;
use crate::chart::style::{self, Style};
use crate::model::saved_view::SavedView;
use crate::model::session::Session;
use crate::model::view::View;
use egui::{Align2, Theme, Ui, Vec2};

/// Height of the title above the chart.
const TITLE: f32 = 34.0;

/// The chart of a view as SVG text, `size` in points; of a saved view with its title and the arrow of its argument.
pub fn svg(
    session: &Session,
    view: &View,
    saved: Option<&SavedView>,
    size: Vec2,
    theme: Theme,
) -> String {
    let style = Style::of(theme);
    let mut scene = scene::build(session, view);
    scene.arrow = saved.and_then(|saved| scene::argument(session, view, &saved.argument));
    let title = saved.map_or(&session.title, |saved| &saved.title);
    // Known only after a pass: how high and wide the frame is once the axes have their room.
    let mut aspect = 0.6;
    let shapes = offscreen::shapes(size, theme, 3, style::install, |ui| {
        aspect = page(ui, title, view, &scene, style, aspect);
    });
    svg::from_shapes(&shapes, size, style.ground)
}

fn page(ui: &mut Ui, heading: &str, view: &View, scene: &Scene, style: &Style, aspect: f64) -> f64 {
    let area = ui.max_rect();
    ui.painter().rect_filled(area, 0.0, style.ground);
    let title = area.left_top() + egui::vec2(16.0, TITLE / 2.0 + 2.0);
    ui.painter().text(
        title,
        Align2::LEFT_CENTER,
        heading,
        style::strong(size::HEADING),
        style.ink,
    );
    let below = area
        .with_min_y(area.top() + TITLE)
        .shrink2(egui::vec2(10.0, 4.0));
    let mut chart = ui.new_child(egui::UiBuilder::new().max_rect(below));
    let limits = view
        .limits
        .unwrap_or_else(|| framing::fit(scene.extent(), aspect));
    let painted = paint::paint(
        &mut chart,
        scene,
        style,
        limits,
        Interaction::None,
        egui::Vec2::ZERO,
        &mut Grids::default(),
    );
    let frame = painted.projection.frame;
    f64::from(frame.height() / frame.width())
}
