//! The window as a test uses it: real events in, accessible names and painted text out.
mod eyes;
mod hands;

use eframe::egui::{self, Event, Key, Modifiers, Pos2, ViewportCommand, ViewportId, pos2};
use egui::accesskit::Role;
use egui_kittest::Harness;
use ridgepoint::app::{App, Dialogs, Jobs};
use ridgepoint::document::Document;
use ridgepoint::files::presets;
use ridgepoint::files::settings::{Settings, Theme};
use ridgepoint::model::session::{Session, Workload};
use ridgepoint::model::view::{Limits, View};
use std::path::PathBuf;
use std::time::{Duration, Instant};

pub const NONE: Modifiers = Modifiers::NONE;
pub const SHIFT: Modifiers = Modifiers::SHIFT;
pub const ALT: Modifiers = Modifiers::ALT;
/// As a keyboard outside macOS reports it.
pub const CTRL: Modifiers = Modifiers::CTRL.plus(Modifiers::COMMAND);
pub const CTRL_SHIFT: Modifiers = CTRL.plus(Modifiers::SHIFT);

/// The workload and the GPU of the built-in session.
pub const DECODE: &str = "8B decode step";
pub const H100: &str = "H100 (rounded)";

/// The most frames a change may take to come to rest.
const MOST_FRAMES: usize = 40;

/// A window without a screen.
pub struct World {
    harness: Harness<'static, App>,
    /// What was put on the clipboard.
    pub copied: Vec<String>,
    /// Whether the window has closed.
    pub closed: bool,
    /// Whether the window was asked to close in the next frame.
    closing: bool,
    held: Modifiers,
    /// The window's size, in pixels.
    size: egui::Vec2,
}

/// What a world begins with.
pub struct Start {
    pub document: Document,
    pub dialogs: Dialogs,
    pub settings: Settings,
    pub size: [f32; 2],
}

impl Start {
    pub fn world(self) -> World {
        let Self {
            document,
            dialogs,
            settings,
            size,
        } = self;
        let harness = Harness::builder()
            .with_size(size)
            .with_step_dt(1.0 / 60.0)
            .with_max_steps(MOST_FRAMES as u64)
            .with_context_setup(App::prepare)
            .build_eframe(move |_| App::new(document, settings, None, Jobs::new(dialogs)));
        let mut world = World {
            harness,
            copied: Vec::new(),
            closed: false,
            closing: false,
            held: NONE,
            size: size.into(),
        };
        world.run();
        world
    }
}

/// The built-in session, nothing to pick, no notice of a theme of the system.
pub fn built_in() -> Start {
    let (_, loaded) = presets::find_session("@8b-decode-on-h100").unwrap();
    start_with(loaded.session, loaded.view)
}

pub fn start_with(session: Session, view: View) -> Start {
    Start {
        document: Document::new(session, view, None),
        dialogs: Dialogs::Scripted(Vec::new()),
        settings: Settings {
            theme: Theme::Dark,
            ..Settings::default()
        },
        size: [1440.0, 900.0],
    }
}

/// The window on the built-in session.
pub fn world() -> World {
    built_in().world()
}

/// The same, with files that the file dialog will answer with, the first first.
pub fn world_picking(mut paths: Vec<PathBuf>) -> World {
    paths.reverse();
    Start {
        dialogs: Dialogs::Scripted(paths),
        ..built_in()
    }
    .world()
}

/// The session with nothing in it.
pub fn empty() -> Start {
    let session = Session::empty("Untitled");
    let view = View::of(&session);
    start_with(session, view)
}

impl World {
    // ---- the program

    pub fn app(&self) -> &App {
        self.harness.state()
    }

    pub fn app_mut(&mut self) -> &mut App {
        self.harness.state_mut()
    }

    pub fn document(&self) -> &Document {
        &self.app().document
    }

    pub fn session(&self) -> &Session {
        &self.document().session
    }

    /// The selected workload.
    pub fn workload(&self) -> &Workload {
        let selected = self.document().view.selected.unwrap();
        self.session().workload(selected).unwrap()
    }

    pub fn batch(&self) -> f64 {
        self.workload().kind.number("batch").unwrap()
    }

    /// Peak and bandwidth of the first GPU.
    pub fn roofs(&self) -> [f64; 2] {
        let gpu = &self.session().gpus[0];
        [
            gpu.compute[0].peak.value.get(),
            gpu.memory[0].bandwidth.value.get(),
        ]
    }

    /// What the axes show.
    pub fn limits(&self) -> Limits {
        self.app().state.chart.shown.unwrap()
    }

    pub fn undo_name(&self) -> String {
        self.document().undo_name().unwrap_or_default()
    }

    /// How many steps undo could take back; leaves the session as it was.
    pub fn steps(&mut self) -> usize {
        let mut steps = 0;
        while self.document().undo_name().is_some() && steps < 50 {
            self.press(CTRL, Key::Z);
            steps += 1;
        }
        for _ in 0..steps {
            self.press(CTRL_SHIFT, Key::Z);
        }
        steps
    }

    // ---- time

    /// One frame with these events.
    pub fn frame(&mut self, events: Vec<Event>) {
        let input = self.harness.input_mut();
        input.events.extend(events);
        let close = std::mem::take(&mut self.closing);
        if close {
            let root = input.viewports.entry(ViewportId::ROOT).or_default();
            root.events.push(egui::ViewportEvent::Close);
        }
        self.harness.step();
        self.obey_zoom();
        let output = self.harness.output();
        for command in &output.platform_output.commands {
            if let egui::OutputCommand::CopyText(text) = command {
                self.copied.push(text.clone());
            }
        }
        let commands = output.viewport_output[&ViewportId::ROOT].commands.clone();
        self.obey(close, &commands);
    }

    /// Larger points make fewer of them fit the same window.
    fn obey_zoom(&mut self) {
        let zoom = self.zoom();
        let points = self.size / zoom;
        let rect = egui::Rect::from_min_size(Pos2::ZERO, points);
        self.harness.input_mut().screen_rect = Some(rect);
    }

    /// As the window system does what a frame asked of it.
    fn obey(&mut self, asked_to_close: bool, commands: &[ViewportCommand]) {
        self.closed |= asked_to_close && !commands.contains(&ViewportCommand::CancelClose);
        self.closing |= commands.contains(&ViewportCommand::Close);
    }

    /// Frames until none is asked for at once; every input must have a name by then.
    pub fn run(&mut self) {
        for _ in 0..MOST_FRAMES {
            self.frame(Vec::new());
            if !self.delay().is_zero() && !self.closing {
                self.harness.check_accessibility();
                return;
            }
        }
        panic!("no rest: {:#?}", self.harness.ctx.repaint_causes());
    }

    /// How long until the next frame is asked for.
    pub fn delay(&self) -> Duration {
        self.harness.output().viewport_output[&ViewportId::ROOT].repaint_delay
    }

    /// Frames until `what` holds, for what other threads do; gives up after some seconds.
    #[track_caller]
    pub fn wait(&mut self, what: impl Fn(&Self) -> bool) {
        let given_up = Instant::now() + Duration::from_secs(20);
        while !what(self) {
            assert!(Instant::now() < given_up, "waited in vain");
            std::thread::sleep(Duration::from_millis(3));
            self.frame(Vec::new());
        }
        self.run();
    }

    /// Moves things as a window does; tests have them jump.
    pub fn animate(&mut self) {
        let ctx = &self.harness.ctx;
        ctx.all_styles_mut(|style| style.animation_time = 0.12);
    }

    /// Frames until every notice that goes by itself has gone.
    pub fn without_toasts(&mut self) {
        for _ in 0..1000 {
            if self.app().state.toasts.is_empty() {
                break;
            }
            self.frame(Vec::new());
        }
        self.run();
    }

    /// As the window system asks the window to close.
    pub fn close(&mut self) {
        self.closing = true;
        self.frame(Vec::new());
        self.run();
    }

    /// A minimised window is asked to close: only its logic runs, `times` times.
    pub fn close_minimised(&mut self, times: usize) {
        assert!(!self.closed);
        let mut input = self.harness.input().clone();
        let root = input.viewports.entry(ViewportId::ROOT).or_default();
        root.minimized = Some(true);
        // No frame takes it, so it is asked again each time, and in the next frame too.
        root.events.push(egui::ViewportEvent::Close);
        let ctx = self.harness.ctx.clone();
        let mut frame = eframe::Frame::_new_kittest();
        for _ in 0..times {
            let output = ctx.run_logic(&input, |ctx| {
                eframe::App::logic(self.harness.state_mut(), ctx, &mut frame);
            });
            let commands = output.viewport_commands.get(&ViewportId::ROOT);
            self.obey(true, commands.map_or(&[], |commands| commands));
        }
        self.closing = true;
    }
}
