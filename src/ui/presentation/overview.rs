//! All views at once, to jump from one to another.
use super::card;
use crate::chart::framing;
use crate::chart::paint::Projection;
use crate::chart::scene::{self, Scene};
use crate::chart::style::size;
use crate::chart::style::{self, Style};
use crate::model::saved_view::SavedView;
use crate::model::session::Session;
use crate::model::view::View;
use crate::ui::request::{Request, Requests};
use crate::ui::state::UiState;
use egui::{Rect, RichText, ScrollArea, Sense, Stroke, Ui, vec2};

/// Cards beside each other.
pub(super) const COLUMNS: usize = 3;
/// Height of the little chart of a card.
const CHART: f32 = 58.0;
/// Height of the two lines a title may take.
const TITLE: f32 = 40.0;

/// What little charts show; derived again only when the session or a view changes, since kernels may be very many.
#[derive(Default)]
pub struct Thumbnails {
    session: Option<Session>,
    scenes: Vec<(View, Scene)>,
}

impl Thumbnails {
    fn scene(&mut self, session: &Session, view: &View) -> &Scene {
        if self.session.as_ref() != Some(session) {
            self.scenes.clear();
            self.session = Some(session.clone());
        }
        let known = self.scenes.iter().position(|(known, _)| known == view);
        let at = known.unwrap_or_else(|| {
            // Views that were changed since are not kept for ever.
            if self.scenes.len() > 2 * session.views.len() {
                self.scenes.clear();
            }
            self.scenes
                .push((view.clone(), scene::build(session, view)));
            self.scenes.len() - 1
        });
        &self.scenes[at].1
    }
}

/// Shows a card for every view; the `at`-th is the one that Enter takes.
pub(super) fn overview(
    ui: &mut Ui,
    session: &Session,
    style: &Style,
    at: usize,
    state: &mut UiState,
    requests: &mut Requests,
) {
    let width = (ui.available_width() - 32.0) / COLUMNS as f32 - 10.0;
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.add_space(12.0);
        for (row, views) in session.views.chunks(COLUMNS).enumerate() {
            ui.horizontal(|ui| {
                ui.add_space(14.0);
                for (column, view) in views.iter().enumerate() {
                    let index = row * COLUMNS + column;
                    let scene = state.thumbnails.scene(session, &view.view);
                    if one(ui, scene, view, index, index == at, style, width) {
                        requests.push(Request::ShowView(view.id));
                        if let Some(presentation) = &mut state.presentation {
                            presentation.overview = None;
                        }
                    }
                }
            });
            ui.add_space(8.0);
        }
    });
}

fn one(
    ui: &mut Ui,
    scene: &Scene,
    view: &SavedView,
    index: usize,
    chosen: bool,
    style: &Style,
    width: f32,
) -> bool {
    let name = format!("{}. {}", index + 1, view.title);
    let shown = card(style, chosen).show(ui, |ui| {
        ui.set_width(width - 14.0);
        ui.vertical(|ui| {
            thumbnail(ui, scene, view, style);
            let text = RichText::new(&name)
                .font(style::strong(size::CONTROL))
                .color(style.ink);
            ui.set_min_height(TITLE);
            ui.add(egui::Label::new(text).wrap());
        });
    });
    let response = shown.response.interact(Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, chosen, &name));
    if chosen {
        response.scroll_to_me(None);
    }
    response.clicked()
}

/// The roofs and marks of a view, without words.
fn thumbnail(ui: &mut Ui, scene: &Scene, view: &SavedView, style: &Style) {
    let (frame, _) = ui.allocate_exact_size(vec2(ui.available_width(), CHART), Sense::hover());
    let aspect = f64::from(frame.height() / frame.width());
    let fitted = || framing::fit(scene.extent(), aspect);
    let limits = view.view.limits.unwrap_or_else(fitted);
    let p = Projection { frame, limits };
    let painter = ui.painter_at(frame);
    painter.rect_filled(frame, 2.0, style.ground);
    for roof in &scene.roofs {
        let [x0, x1] = limits.x;
        let corners = [x0, roof.ridge().clamp(x0, x1), x1];
        let line = corners.map(|x| p.to_screen([x, roof.height(x)])).to_vec();
        let width = if roof.active { 1.6 } else { 0.8 };
        painter.line(line, Stroke::new(width, style.gpu(roof.index)));
    }
    for mark in scene.marks.iter().filter(|mark| mark.on_other.is_none()) {
        let colour = if mark.selected {
            style.accent
        } else {
            style.ink
        };
        let dot = Rect::from_center_size(p.to_screen(mark.at), vec2(4.0, 4.0));
        painter.rect_filled(dot, 2.0, colour);
    }
}
