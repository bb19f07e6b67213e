//! Saved views, annotations and the presentation: what their commands do.
use super::App;
use super::panels::Edge;
use crate::model::annotation::{Anchor, Annotation, Reference, Shape};
use crate::model::ids::ViewId;
use crate::model::saved_view::{Argument, SavedView};
use crate::ui::command::Command;
use crate::ui::lesson::Turn;
use crate::ui::player::Playing;
use crate::ui::presentation::{self, Presentation};
use crate::ui::state::{Tab, Transition};
use egui::{Context, ViewportCommand};

impl App {
    /// Commands of the Present menu.
    pub(super) fn present_command(&mut self, ctx: &Context, command: Command) {
        match command {
            Command::Present => self.toggle_presentation(ctx),
            Command::Overview => self.overview(ctx),
            Command::BlackScreen => match &mut self.state.presentation {
                Some(presentation) => presentation.black = !presentation.black,
                None => self.state.tell("Nothing is being presented: F5 begins."),
            },
            Command::NextScreen => self.next_screen(ctx),
            Command::SaveView => self.save_view(),
            Command::UpdateView => self.update_view(),
            Command::PreviousView => self.step_view(-1),
            Command::NextView => self.step_view(1),
            Command::ToggleViews => {
                let shown =
                    self.shown_panels[Edge::Bottom as usize] && self.state.tab == Tab::Views;
                self.open_panel(Edge::Bottom);
                self.state.tab = if shown { Tab::default() } else { Tab::Views };
            }
            Command::PlaySweep => match &mut self.state.playing {
                Some(playing) => playing.toggle(),
                None => self.state.playing = Playing::start(&self.document),
            },
            Command::AddNote | Command::AddArrow | Command::AddRegion | Command::AddLine => {
                self.add_annotation(command);
            }
            _ => {}
        }
    }

    /// Keeps what is shown now below the view shown last, and opens it in the panel.
    fn save_view(&mut self) {
        let document = &mut self.document;
        let workload = document
            .view
            .selected
            .and_then(|id| document.session.workload(id));
        let title = workload
            .map_or("View", |workload| &workload.name)
            .to_owned();
        let saved = SavedView {
            id: ViewId(0),
            title,
            caption: String::new(),
            argument: Argument::default(),
            view: document.view.clone(),
        };
        let id = document.session.add_view(saved, self.state.shown_view);
        let title = document
            .session
            .saved_view(id)
            .map_or("", |view| &view.title);
        let told = format!("Saved as the view “{title}”: F7 gives it a title and a caption");
        self.state.tell(told);
        self.state.shown_view = Some(id);
    }

    fn update_view(&mut self) {
        let view = self.document.view.clone();
        let shown = self.state.shown_view;
        match shown.and_then(|id| self.document.session.saved_view_mut(id)) {
            Some(saved) => saved.view = view,
            None => self.state.tell("No view was shown yet: V saves this one."),
        }
    }

    fn step_view(&mut self, by: isize) {
        match self.document.session.view_beside(self.state.shown_view, by) {
            Some(id) => self.show_view(id),
            None => self
                .state
                .tell("There is no view yet: V saves what is shown as one."),
        }
    }

    /// Frames the chart as a saved view does, with a short transition.
    pub(super) fn show_view(&mut self, id: ViewId) {
        let document = &mut self.document;
        let Some(saved) = document.session.saved_view(id) else {
            return;
        };
        document.view = saved.view.clone();
        document.view.repair(&document.session);
        self.state.shown_view = Some(id);
        self.state.playing = None;
        self.ease();
    }

    /// From what the axes show now to what they are going to show.
    fn ease(&mut self) {
        let chart = &mut self.state.chart;
        chart.fitted = None;
        chart.ghost = None;
        let from = chart.shown.take();
        chart.transition = from.map(|from| Transition { from, since: None });
    }

    fn overview(&mut self, ctx: &Context) {
        let views = &self.document.session.views;
        if views.is_empty() {
            return self
                .state
                .tell("There is no view yet: V saves what is shown as one.");
        }
        let shown = self.state.shown_view;
        let at = views.iter().position(|view| Some(view.id) == shown);
        if self.state.presentation.is_none() {
            self.toggle_presentation(ctx);
        }
        if let Some(presentation) = &mut self.state.presentation {
            presentation.overview = Some(at.unwrap_or(0));
        }
    }

    /// Goes from the screen that the window is on to the first, the second, and round.
    fn next_screen(&mut self, ctx: &Context) {
        const SCREENS: u8 = 4;
        let next = match self.settings.screen {
            None => Some(1),
            Some(screen) => (screen < SCREENS).then_some(screen + 1),
        };
        self.settings.screen = next;
        self.keep_settings();
        if self.state.presentation.is_some() {
            self.to_screen(ctx);
        }
        self.state.tell(match next {
            Some(screen) => format!("A presentation fills screen {screen}, where there is one."),
            None => "A presentation fills the screen its window is on.".to_owned(),
        });
    }

    fn to_screen(&self, ctx: &Context) {
        if let Some(screen) = self.settings.screen {
            ctx.send_viewport_cmd(ViewportCommand::SetMonitor(usize::from(screen) - 1));
        }
    }

    fn toggle_presentation(&mut self, ctx: &Context) {
        self.state.playing = None;
        if let Some(presentation) = self.state.presentation.take() {
            self.document.view = presentation.before;
            self.document.view.repair(&self.document.session);
            self.state.chart.shown = None;
            self.state.chart.fitted = None;
            // Before the next frame: panels that were laid out in so little room would stay narrow.
            ctx.set_zoom_factor(self.settings.zoom);
            self.forget_sizes = true;
            ctx.send_viewport_cmd(ViewportCommand::Fullscreen(false));
            return;
        }
        // What was said to who prepares the talk is nothing for its audience.
        self.state.toasts.clear();
        // What had the keyboard is gone, or would take the arrows that step.
        ctx.memory_mut(|memory| {
            if let Some(id) = memory.focused() {
                memory.surrender_focus(id);
            }
        });
        self.state.presentation = Some(Presentation {
            overview: None,
            black: false,
            before: self.document.view.clone(),
            seeks_screen: self.settings.screen.is_some(),
        });
        self.state.chart.shown = None;
        self.state.chart.fitted = None;
        ctx.send_viewport_cmd(ViewportCommand::Fullscreen(true));
        let exists = |id: &ViewId| self.document.session.saved_view(*id).is_some();
        let shown = self.state.shown_view.filter(exists);
        let first = self.document.session.views.first().map(|view| view.id);
        if let Some(id) = shown.or(first) {
            self.show_view(id);
            self.state.chart.transition = None;
        }
    }

    /// Presents a view at once, as pictures do; without one the first, or what is shown where none is saved.
    pub fn present(&mut self, ctx: &Context, view: Option<ViewId>) {
        if self.state.presentation.is_none() {
            self.state.shown_view = view;
            self.toggle_presentation(ctx);
        }
    }

    /// Goes to the screen chosen as soon as the window fills one: asked for both at once, window managers keep the first.
    fn seek_screen(&mut self, ctx: &Context) {
        let fills = ctx.input(|input| input.viewport().fullscreen == Some(true));
        let presentation = self.state.presentation.as_mut();
        if let Some(presentation) = presentation.filter(|p| fills && p.seeks_screen) {
            presentation.seeks_screen = false;
            self.to_screen(ctx);
        }
    }

    /// Magnifies a presentation to the screen it is on.
    pub(super) fn fill_the_screen(&mut self, ctx: &Context) {
        if self.state.presentation.is_none() {
            return;
        }
        self.seek_screen(ctx);
        let (size, now) = (ctx.content_rect().size(), ctx.zoom_factor());
        let zoom = presentation::zoom(size, now);
        // A pixel's rounding is no reason to lay all out again.
        if (zoom / now - 1.0).abs() > 0.02 {
            ctx.set_zoom_factor(zoom);
        }
    }

    /// Goes to another place of the lesson under way, begins it again, or leaves it.
    pub(super) fn turn_lesson(&mut self, turn: Turn) {
        let Some(course) = &mut self.state.course else {
            return;
        };
        match turn {
            Turn::To(place) => course.go(place),
            Turn::Answer(choice) => course.answer(choice),
            Turn::Leave => self.state.course = None,
            Turn::PutBack(id) => {
                let session = &mut self.document.session;
                let active = self.document.view.active;
                if let Some((workload, gpu)) = session.workload_mut(id).zip(active) {
                    workload.set_efficiency(gpu, 1.0);
                }
            }
            Turn::Restart => {
                // The session too: what was done to it would be there before it is asked for.
                let start = course.start();
                self.document.session = start.session;
                self.document.view = start.view;
                self.state.chart.shown = None;
                self.state.chart.fitted = None;
                if let Some(course) = &mut self.state.course {
                    course.restart();
                }
            }
        }
    }

    /// Adds an annotation at the selected mark, or in the middle of what the axes show.
    fn add_annotation(&mut self, command: Command) {
        let Some(limits) = self.state.chart.shown else {
            return;
        };
        let part = |[low, high]: [f64; 2], part: f64| low + (high - low) * part;
        let at = |x: f64, y: f64| [part(limits.x, x), part(limits.y, y)];
        let document = &mut self.document;
        let gpu = document.view.active.and_then(|id| document.session.gpu(id));
        let selected = document.view.selected.filter(|id| {
            let workload = document.session.workload(*id);
            let placed = workload
                .zip(gpu)
                .map(|(w, gpu)| w.place_on(gpu, document.session.assumptions));
            let intensity = placed.and_then(Result::ok).and_then(|p| p.intensity());
            intensity.is_some_and(|intensity| intensity.get() > 0.0)
        });
        // Each new one a step below the one before, so that none is written over another.
        let down = (document.session.annotations.len() % 6) as f64 * 0.08;
        let away = [
            (limits.x[1] - limits.x[0]) * 0.06,
            -(limits.y[1] - limits.y[0]) * (0.14 + down),
        ];
        let free = Anchor::At(at(0.4, 0.45 - down));
        let beside = selected.map_or(free, |id| Anchor::Mark(id, away));
        let target = selected.map_or(Anchor::At(at(0.6, 0.6)), |id| Anchor::Mark(id, [0.0, 0.0]));
        let (text, shape) = match command {
            Command::AddArrow => (
                "Look here",
                Shape::Arrow {
                    from: beside,
                    to: target,
                },
            ),
            Command::AddRegion => (
                "Region",
                Shape::Region {
                    from: at(0.35 + down / 2.0, 0.35 - down / 2.0),
                    to: at(0.65 + down / 2.0, 0.6 - down / 2.0),
                },
            ),
            Command::AddLine => {
                let rate = 10f64.powf(part(limits.y, 0.6 - down));
                let rate = format!("{rate:.1e}").parse().unwrap_or(rate);
                let Ok(rate) = rate.try_into() else { return };
                ("Target", Shape::Line(Reference::Rate(rate)))
            }
            _ => ("Note", Shape::Note(beside)),
        };
        let id = document
            .session
            .add_annotation(Annotation::new(text, shape));
        self.state.annotation = Some(id);
        if self.state.presentation.is_none() {
            self.open_panel(Edge::Bottom);
            self.state.tab = Tab::Views;
        }
    }
}
