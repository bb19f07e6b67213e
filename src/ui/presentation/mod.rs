//! The presentation: the chart alone with a title and a caption, large enough for a room.
mod crosshair;
mod keys;
mod overview;

pub use keys::keys;
pub use overview::Thumbnails;

use super::chart_view::{self, Look};
use super::derived::Derived;
use super::player;
use super::request::Requests;
use super::state::UiState;
use crate::chart::scene::{self, Scene};
use crate::chart::style::{self, Style};
use crate::document::Document;
use crate::model::saved_view::{Argument, SavedView};
use crate::model::view::View;
use egui::{Align2, Color32, Frame, Label, Margin, Rect, RichText, Ui, UiBuilder, pos2, vec2};

/// A presentation under way.
#[derive(Debug, Clone, PartialEq)]
pub struct Presentation {
    /// The place in the overview of all views, where that is open.
    pub overview: Option<usize>,
    /// Whether the screen is black, so that people look at who speaks.
    pub black: bool,
    /// What was shown before, and how large.
    pub before: View,
    /// Whether the screen chosen is still to be gone to.
    pub seeks_screen: bool,
}

/// The room a presentation is laid out for, in points; whatever the screen, it is magnified to fill it.
///
/// At 1280×720 a point is 2.46 pixels: the title has 44, the caption 31, the smallest label of the cast 28.
pub const ROOM: [f32; 2] = [520.0, 292.5];

/// Sizes of title and caption, in points of that room.
const TITLE: f32 = 18.0;
const CAPTION: f32 = 12.5;
/// Height of the title's line, and of the foot without a caption.
const HEAD: f32 = 32.0;
const FOOT: f32 = 10.0;
/// The most lines of a caption.
const LINES: usize = 3;
/// The most views that are told by dots.
const MOST_DOTS: usize = 12;

/// How much larger everything is drawn on a screen of this size, given in points at the zoom in use.
pub fn zoom(size: egui::Vec2, zoom_now: f32) -> f32 {
    let screen = size * zoom_now;
    let zoom = (screen.x / ROOM[0]).min(screen.y / ROOM[1]);
    (zoom.clamp(1.0, 8.0) * 100.0).round() / 100.0
}

/// Shows the presentation in all of the window.
pub fn presentation(
    ui: &mut Ui,
    document: &mut Document,
    derived: &Derived,
    state: &mut UiState,
    requests: &mut Requests,
) {
    let Some(now) = state.presentation.clone() else {
        return;
    };
    let style = Style::with(ui.theme(), true);
    let ground = if now.black {
        Color32::BLACK
    } else {
        style.ground
    };
    egui::CentralPanel::default()
        .frame(Frame::new().fill(ground))
        .show(ui, |ui| {
            if now.black {
                let area = ui.available_rect_before_wrap();
                let response = ui.allocate_rect(area, egui::Sense::click());
                let name = "Black screen: B or a click shows the view again";
                response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name));
                if response.clicked() {
                    let presentation = state.presentation.as_mut();
                    presentation.into_iter().for_each(|p| p.black = false);
                }
            } else if let Some(at) = now.overview {
                overview::overview(ui, &document.session, style, at, state, requests);
            } else {
                slide(ui, document, derived, state, requests, style);
            }
        });
}

/// One view: title, chart, caption, and which of how many it is.
fn slide(
    ui: &mut Ui,
    document: &mut Document,
    derived: &Derived,
    state: &mut UiState,
    requests: &mut Requests,
    style: &'static Style,
) {
    let area = ui.available_rect_before_wrap().shrink2(vec2(16.0, 8.0));
    let saved = state
        .shown_view
        .and_then(|id| document.session.saved_view(id))
        .cloned();
    let title = saved
        .as_ref()
        .map_or(&document.session.title, |saved| &saved.title);
    let head = Rect::from_min_size(area.min, vec2(area.width(), HEAD));
    let text = RichText::new(title)
        .font(style::strong(TITLE))
        .color(style.ink);
    ui.put_left(head, Label::new(text).truncate());
    let playing = if state.playing.is_some() { 26.0 } else { 0.0 };
    let caption = saved
        .as_ref()
        .map_or(&document.session.notes, |saved| &saved.caption);
    // Room for the dots at its right.
    let caption = caption_of(ui, caption, area.width() - 80.0, style);
    let foot = match caption.is_empty() {
        true => FOOT,
        false => caption.size().y + 4.0,
    };
    let foot_top = area.bottom() - foot;
    let chart = Rect::from_min_max(
        pos2(area.left() - 8.0, head.bottom()),
        pos2(area.right() + 8.0, foot_top - playing),
    );
    let scene = presented(document, derived, saved.as_ref());
    let look = Look {
        style,
        scene: &scene,
        hints: false,
    };
    let mut within = ui.new_child(UiBuilder::new().max_rect(chart));
    let painted = chart_view::chart(&mut within, document, derived, state, requests, look);
    crosshair::crosshair(&within, document, &scene, &painted, state, style);
    if playing > 0.0 {
        let strip = Rect::from_min_max(
            pos2(area.left(), foot_top - playing),
            pos2(area.right(), foot_top),
        );
        let mut strip = ui.new_child(UiBuilder::new().max_rect(strip));
        player::player(&mut strip, document, state);
    }
    let foot = Rect::from_min_max(pos2(area.left(), foot_top), area.max);
    dots(ui, document, state, style, foot);
    ui.put_left(foot, Label::new(caption));
}

/// The caption in as many lines as it needs, cut after the third.
fn caption_of(ui: &Ui, text: &str, width: f32, style: &Style) -> std::sync::Arc<egui::Galley> {
    let font = egui::FontId::proportional(CAPTION);
    let mut job = egui::text::LayoutJob::simple(text.to_owned(), font, style.ink, width);
    job.wrap.max_rows = LINES;
    ui.painter().layout_job(job)
}

/// What the room sees: the argument drawn, the cast in front, nothing in small print.
fn presented(document: &Document, derived: &Derived, saved: Option<&SavedView>) -> Scene {
    let argument = saved.map_or_else(Argument::default, |saved| saved.argument.clone());
    Scene {
        presenting: true,
        assumptions: String::new(),
        arrow: scene::argument(&document.session, &document.view, &argument),
        ..derived.scene.clone()
    }
}

/// Paints which view this is at the right of the foot.
fn dots(ui: &Ui, document: &Document, state: &UiState, style: &Style, foot: Rect) {
    let views = &document.session.views;
    let at = views
        .iter()
        .position(|view| Some(view.id) == state.shown_view);
    let Some(at) = at.filter(|_| views.len() > 1) else {
        return;
    };
    let y = foot.bottom() - 7.0;
    if views.len() > MOST_DOTS {
        let text = format!("{} / {}", at + 1, views.len());
        let font = egui::FontId::proportional(CAPTION);
        let place = pos2(foot.right(), y);
        ui.painter()
            .text(place, Align2::RIGHT_CENTER, text, font, style.muted);
        return;
    }
    let left = foot.right() - 11.0 * views.len() as f32;
    for index in 0..views.len() {
        let center = pos2(left + 11.0 * index as f32 + 6.0, y);
        match index == at {
            true => ui.painter().circle_filled(center, 3.8, style.ink),
            false => ui
                .painter()
                .circle_stroke(center, 3.4, egui::Stroke::new(1.0, style.muted)),
        };
    }
}

trait PutLeft {
    /// Puts a label at the left top of an area.
    fn put_left(&mut self, area: Rect, label: Label);
}

impl PutLeft for Ui {
    fn put_left(&mut self, area: Rect, label: Label) {
        let layout = egui::Layout::top_down(egui::Align::LEFT);
        let mut child = self.new_child(UiBuilder::new().max_rect(area).layout(layout));
        child.add(label);
    }
}

/// The frame of a card in the overview.
fn card(style: &Style, chosen: bool) -> Frame {
    let width = if chosen { 2.0 } else { 1.0 };
    let colour = if chosen { style.accent } else { style.line };
    Frame::new()
        .fill(style.panel)
        .stroke(egui::Stroke::new(width, colour))
        .corner_radius(5)
        .inner_margin(Margin::same(6))
}
