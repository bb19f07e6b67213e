//! The panels round the chart: which are open, how large, and what is in them.
use super::App;
use crate::chart::style::{self, Style};
use crate::files::settings::Panels;
use crate::ui::state::Tab;
use crate::ui::{gpu_panel, inspector, lesson, menu, tables, workload_panel};
use egui::{Frame, IdSalt, Margin, Panel, ScrollArea, Ui, Vec2};

/// The room that is kept for the chart, its bar and its axes where panels open by themselves, in points.
const CHART: Vec2 = Vec2::new(380.0, 330.0);

/// What the menus and the status line take of the height.
const BARS: f32 = 64.0;

/// A panel round the chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    Left,
    Right,
    Bottom,
}

/// What each panel is called, and what egui keeps its size by.
const LEFT: &str = "gpus";
const RIGHT: &str = "workloads";
const BOTTOM: &str = "tables";
/// The tables while they list kernels, which need more room than a few rows of numbers.
const KERNELS: &str = "kernels";
const LESSON: &str = "lesson";
const BELOW_LESSON: &str = "tables of a lesson";

impl App {
    pub(super) fn panels(&mut self, ui: &mut Ui) {
        let roles = style::current(ui.ctx());
        let size = ui.available_size();
        let bar = Frame::new().fill(roles.panel);
        Panel::top("menu")
            .frame(bar.inner_margin(Margin::symmetric(12, 4)))
            .show(ui, |ui| {
                let selected = self.document.view.selected;
                let refused = selected.is_some_and(|id| self.derived.is_stale(id));
                let (document, settings) = (&self.document, &self.settings);
                menu::menu_bar(ui, document, settings, refused, &mut self.requests);
            });
        let wanted = self.wanted_panels();
        let room = fitting(wanted, size, self.asked_panel);
        self.shown_panels = room;
        let hint = match room == open(wanted) {
            true => {
                "Drag a mark: intensity and efficiency · Shift locks an axis · Ctrl+K finds commands · F1 keys"
            }
            false => {
                "F2, F3 and F4 show the panels there is no room for beside the chart; Ctrl+− makes room"
            }
        };
        Panel::bottom("status")
            .frame(bar.inner_margin(Margin::symmetric(12, 3)))
            .show(ui, |ui| {
                let working = menu::Working {
                    on: self.jobs.working_on(),
                    part: self.jobs.progress(),
                };
                menu::status_line(ui, &self.document, hint, working, &mut self.requests);
            });
        if let Some(course) = &mut self.state.course {
            course.look_ahead(&self.document.session, &self.document.view);
        }
        let mut now = room;
        self.left(ui, size, &mut now[0], roles);
        self.right(ui, size, &mut now[1], roles);
        self.bottom(ui, size, &mut now[2], roles);
        self.lesson(ui, roles);
        self.remember_panels(ui, room, now);
    }

    /// Which panels are to be open, room or not.
    fn wanted_panels(&self) -> Panels {
        let kept = self.settings.panels;
        match &self.state.course {
            // A lesson begins without tables, so that the chart has its room.
            Some(course) => Panels {
                bottom: course.shows_tables,
                ..kept
            },
            None => kept,
        }
    }

    /// Opens a panel, before all others where there is not room for each.
    pub(super) fn open_panel(&mut self, edge: Edge) {
        self.asked_panel = Some(edge);
        *self.wants(edge) = true;
        self.keep_settings();
    }

    /// Whether a panel is to be open, room or not; the tables below a lesson apart from others.
    fn wants(&mut self, edge: Edge) -> &mut bool {
        let panels = &mut self.settings.panels;
        match (edge, &mut self.state.course) {
            (Edge::Left, _) => &mut panels.left,
            (Edge::Right, _) => &mut panels.right,
            (Edge::Bottom, None) => &mut panels.bottom,
            (Edge::Bottom, Some(course)) => &mut course.shows_tables,
        }
    }

    /// Closes a panel that is shown, and opens one that is not.
    pub(super) fn toggle_panel(&mut self, edge: Edge) {
        if !self.shown_panels[edge as usize] {
            return self.open_panel(edge);
        }
        *self.wants(edge) = false;
        self.keep_settings();
    }

    fn left(&mut self, ui: &mut Ui, size: Vec2, open: &mut bool, roles: &Style) {
        let kept = self.settings.panels.left_width;
        Panel::left(LEFT)
            .frame(side(roles))
            .default_size(kept.unwrap_or(left_width(size)))
            .size_range(200.0..=(size.x * 0.33).max(201.0))
            .show_collapsible(ui, open, |ui| {
                scrolled(ui, self.state.document, |ui| {
                    let (session, view) = (&mut self.document.session, &self.document.view);
                    let (state, requests) = (&mut self.state, &mut self.requests);
                    gpu_panel::gpu_panel(ui, session, view, &self.derived, state, requests);
                });
            });
    }

    fn right(&mut self, ui: &mut Ui, size: Vec2, open: &mut bool, roles: &Style) {
        if !*open {
            self.state.shown_fix = None;
        }
        let kept = self.settings.panels.right_width;
        Panel::right(RIGHT)
            .frame(side(roles))
            .default_size(kept.unwrap_or(right_width(size)))
            .size_range(240.0..=(size.x * 0.4).max(241.0))
            .show_collapsible(ui, open, |ui| {
                scrolled(ui, self.state.document, |ui| {
                    let (session, view) = (&mut self.document.session, &self.document.view);
                    let (state, requests) = (&mut self.state, &mut self.requests);
                    if let Some(kernel) = view.kernel {
                        let of = &self.derived;
                        inspector::kernel::kernel(ui, session, kernel, of, state, requests);
                        return;
                    }
                    workload_panel::workload_panel(
                        ui,
                        session,
                        view,
                        &self.derived,
                        state,
                        requests,
                    );
                    inspector::inspector(ui, &self.derived, state, requests);
                });
            });
    }

    fn bottom(&mut self, ui: &mut Ui, size: Vec2, open: &mut bool, roles: &Style) {
        let kept = self.settings.panels.bottom_height;
        let ground = Frame::new()
            .fill(roles.ground)
            .inner_margin(Margin::symmetric(14, 6));
        // Below a lesson there is less room; what the hand made of it there is not kept.
        let (name, usual) = match (&self.state.course, self.state.tab) {
            (Some(_), _) => (BELOW_LESSON, (size.y * 0.2).clamp(110.0, 262.0)),
            (None, Tab::Kernels) => (KERNELS, (size.y * 0.38).clamp(110.0, 400.0)),
            (None, _) => (BOTTOM, bottom_height(size)),
        };
        let kept = kept.filter(|_| name != BELOW_LESSON);
        Panel::bottom(name)
            .resizable(true)
            .frame(ground)
            .default_size(kept.unwrap_or(usual))
            .size_range(60.0..=(size.y * 0.6).max(61.0))
            .show_collapsible(ui, open, |ui| {
                let (session, view) = (&mut self.document.session, &mut self.document.view);
                let (state, requests) = (&mut self.state, &mut self.requests);
                tables::tables(ui, session, view, &self.derived, state, requests);
                ui.take_available_space();
            });
    }

    /// The lesson under way, below the chart; notices what was done.
    fn lesson(&mut self, ui: &mut Ui, roles: &Style) {
        let fix = self.state.shown_fix.and_then(|index| {
            let fixes = &self.derived.selected.as_ref()?.fixes;
            Some(fixes.get(index)?.name.clone())
        });
        let document = &self.document;
        let Some(course) = &mut self.state.course else {
            return;
        };
        course.check(&document.session, &document.view, fix.as_deref());
        let frame = Frame::new()
            .fill(roles.panel)
            .inner_margin(Margin::symmetric(14, 8));
        // As high as its longest step needs: a chart that grows and shrinks from step to step cannot be compared.
        let room = ui.available_size() - egui::vec2(28.0, 0.0);
        let height = lesson::height(ui, document, course, room.x) + 18.0;
        // Tables beside it leave less for both: what does not fit is scrolled to.
        let share = if self.shown_panels[Edge::Bottom as usize] {
            0.34
        } else {
            0.46
        };
        let most = (room.y * share).max(120.0);
        Panel::bottom(LESSON)
            .frame(frame)
            .resizable(false)
            .exact_size(height.min(most))
            .show(ui, |ui| {
                lesson::lesson(ui, document, course, &mut self.requests);
                ui.take_available_space();
            });
    }

    /// Keeps what the hand made of the panels: closed or opened at an edge, made wider or lower.
    fn remember_panels(&mut self, ui: &Ui, before: [bool; 3], now: [bool; 3]) {
        let kept = self.settings.panels;
        for edge in [Edge::Left, Edge::Right, Edge::Bottom] {
            let at = edge as usize;
            if before[at] != now[at] {
                *self.wants(edge) = now[at];
                self.asked_panel = now[at].then_some(edge).or(self.asked_panel);
            }
        }
        let panels = &mut self.settings.panels;
        let sizes = [
            (LEFT, 0, &mut panels.left_width),
            (RIGHT, 0, &mut panels.right_width),
            (
                match self.state.tab {
                    Tab::Kernels => KERNELS,
                    _ => BOTTOM,
                },
                1,
                &mut panels.bottom_height,
            ),
        ];
        for (name, axis, size) in sizes {
            let id = panel_id(ui, name);
            let edge = ui.ctx().read_response(id.with("__resize"));
            if let Some(edge) = edge.as_ref().filter(|edge| edge.has_focus()) {
                ring_at_edge(ui, edge);
            }
            if edge.is_some_and(|edge| edge.drag_stopped()) {
                let state = egui::containers::panel::PanelState::load(ui.ctx(), id);
                *size = state.map(|state| state.size()[axis]);
            }
        }
        if kept != self.settings.panels {
            self.keep_settings();
        }
    }

    /// Every panel open, and as large as at first.
    pub(super) fn reset_layout(&mut self) {
        self.settings.panels = Panels::default();
        self.forget_sizes = true;
        self.keep_settings();
    }

    /// Takes from egui what it keeps of the panels' sizes, so that the defaults are used again.
    pub(super) fn forget_sizes_once(&mut self, ui: &Ui) {
        if std::mem::take(&mut self.forget_sizes) {
            for name in [LEFT, RIGHT, BOTTOM, KERNELS, BELOW_LESSON, LESSON] {
                let id = panel_id(ui, name);
                ui.ctx().data_mut(|data| {
                    data.remove::<egui::containers::panel::PanelState>(id);
                });
            }
        }
    }
}

/// egui shows only under the pointer that an edge can be moved; arrow keys move it too.
fn ring_at_edge(ui: &Ui, edge: &egui::Response) {
    let layer = egui::LayerId::new(egui::Order::Middle, edge.id);
    let stroke = egui::Stroke::new(style::size::RING, style::current(ui.ctx()).accent);
    let painter = ui.ctx().layer_painter(layer);
    painter.rect_stroke(edge.rect, 2.0, stroke, egui::StrokeKind::Inside);
}

fn panel_id(ui: &Ui, name: &str) -> egui::Id {
    ui.scope_id().with_salt(IdSalt::new(name))
}

fn open(panels: Panels) -> [bool; 3] {
    [panels.left, panels.right, panels.bottom]
}

/// Which of the open panels a window of this size has room for: the one asked for last, then as many as leave the chart
/// its room.
fn fitting(panels: Panels, size: Vec2, asked: Option<Edge>) -> [bool; 3] {
    let wanted = open(panels);
    let mut room = size - egui::vec2(0.0, BARS);
    let mut fits = [false; 3];
    let rest = [Edge::Right, Edge::Left, Edge::Bottom];
    for edge in asked.into_iter().chain(rest) {
        let at = edge as usize;
        if fits[at] || !wanted[at] {
            continue;
        }
        let left = room
            - match edge {
                Edge::Left => egui::vec2(left_width(size), 0.0),
                Edge::Right => egui::vec2(right_width(size), 0.0),
                Edge::Bottom => egui::vec2(0.0, bottom_height(size)),
            };
        // Height is no concern of a side, nor width of the tables.
        let enough = match edge {
            Edge::Bottom => left.y >= CHART.y,
            _ => left.x >= CHART.x,
        };
        if enough || asked == Some(edge) {
            (fits[at], room) = (true, left);
        }
    }
    fits
}

/// Sizes of panels that nobody has moved, in points.
fn left_width(size: Vec2) -> f32 {
    (size.x * 0.21).clamp(264.0, 300.0)
}

fn right_width(size: Vec2) -> f32 {
    (size.x * 0.26).clamp(250.0, 350.0)
}

fn bottom_height(size: Vec2) -> f32 {
    (size.y * 0.29).clamp(110.0, 262.0)
}

fn side(roles: &Style) -> Frame {
    Frame::new().fill(roles.panel).inner_margin(Margin {
        left: 12,
        right: 4,
        top: 4,
        bottom: 4,
    })
}

fn scrolled(ui: &mut Ui, document: u64, contents: impl FnOnce(&mut Ui)) {
    let panel = ui.max_rect();
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        // Room for the scroll bar, so that nothing lies under it.
        let width = ui.available_width() - 10.0;
        ui.set_max_width(width);
        ui.push_id(document, contents);
        ui.add_space(12.0);
        show_focused(ui, panel);
    });
}

/// Scrolls what has just got the keyboard into sight, if it is in this panel.
fn show_focused(ui: &Ui, panel: egui::Rect) {
    let focused = ui.memory(|memory| memory.focused());
    let seen = egui::Id::unique("focus that was scrolled to");
    let before: Option<egui::Id> = ui.data(|data| data.get_temp(seen));
    let Some(id) = focused.filter(|id| Some(*id) != before) else {
        return;
    };
    let response = ui.ctx().read_response(id);
    let here = |response: &egui::Response| {
        response.layer_id == ui.layer_id() && panel.x_range().contains(response.rect.center().x)
    };
    if let Some(response) = response.filter(here) {
        ui.data_mut(|data| data.insert_temp(seen, id));
        ui.scroll_to_rect(response.rect.expand(8.0), None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_too_small_for_every_panel_keeps_the_chart() {
        let all = Panels::default();
        let fits = |width: f32, height: f32| fitting(all, Vec2::new(width, height), None);
        // 1280 × 800 at 100, 125, 150, 200 and 300 %: half of the window is the chart's from 150 % on.
        assert_eq!(fits(1280.0, 800.0), [true, true, true]);
        assert_eq!(fits(1024.0, 640.0), [true, true, true]);
        assert_eq!(fits(853.0, 533.0), [false, true, false]);
        assert_eq!(fits(640.0, 400.0), [false, true, false]);
        assert_eq!(fits(427.0, 267.0), [false, false, false]);
        // Who asks for a panel gets it, and others make room.
        let asked = |edge| fitting(all, Vec2::new(640.0, 400.0), Some(edge));
        assert_eq!(asked(Edge::Left), [true, false, false]);
        assert_eq!(asked(Edge::Bottom), [false, true, true]);
        let closed = Panels {
            right: false,
            ..all
        };
        let size = Vec2::new(853.0, 533.0);
        assert_eq!(
            fitting(closed, size, Some(Edge::Right)),
            [true, false, false]
        );
    }
}
