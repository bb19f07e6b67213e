//! The window as a test uses it: real events in, accessible names and painted text out.
use eframe::egui::{self, Event, Key, Modifiers, Pos2, ViewportCommand, ViewportId, pos2};
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use egui_kittest::{Harness, Node};
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
pub const DECODE: &str = "Decode step, batch 1";
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
        let output = self.harness.output();
        for command in &output.platform_output.commands {
            if let egui::OutputCommand::CopyText(text) = command {
                self.copied.push(text.clone());
            }
        }
        let commands = output.viewport_output[&ViewportId::ROOT].commands.clone();
        self.obey(close, &commands);
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

    // ---- hands

    /// Presses and releases a key.
    pub fn press(&mut self, modifiers: Modifiers, key: Key) {
        self.key_down(modifiers, key);
        self.key_up(modifiers, key);
        self.run();
    }

    pub fn key_down(&mut self, modifiers: Modifiers, key: Key) {
        self.hold(modifiers);
        self.frame(vec![key_event(key, true, modifiers)]);
    }

    pub fn key_up(&mut self, modifiers: Modifiers, key: Key) {
        self.frame(vec![key_event(key, false, modifiers)]);
        self.hold(NONE);
    }

    pub fn hold(&mut self, modifiers: Modifiers) {
        if self.held != modifiers {
            self.held = modifiers;
            self.frame(vec![Event::ModifiersChanged(modifiers)]);
        }
    }

    pub fn text(&mut self, text: &str) {
        self.frame(vec![Event::Text(text.to_owned())]);
    }

    pub fn point(&mut self, at: Pos2) {
        self.frame(vec![Event::PointerMoved(at)]);
    }

    pub fn button(&mut self, at: Pos2, button: egui::PointerButton, pressed: bool) {
        self.frame(vec![Event::PointerButton {
            pos: at,
            button,
            pressed,
            modifiers: self.held,
        }]);
    }

    pub fn click_at(&mut self, at: Pos2) {
        self.grab(at);
        self.drop_at(at);
    }

    pub fn right_click_at(&mut self, at: Pos2) {
        self.point(at);
        self.button(at, egui::PointerButton::Secondary, true);
        self.button(at, egui::PointerButton::Secondary, false);
        self.run();
    }

    /// Presses the button; a hand points first.
    pub fn grab(&mut self, at: Pos2) {
        self.point(at);
        self.button(at, egui::PointerButton::Primary, true);
    }

    /// Moves with the button down, in steps.
    pub fn pull(&mut self, from: Pos2, to: Pos2) {
        for step in 1..=6 {
            self.point(from.lerp(to, step as f32 / 6.0));
        }
        self.frame(Vec::new());
    }

    pub fn drop_at(&mut self, at: Pos2) {
        self.button(at, egui::PointerButton::Primary, false);
        self.run();
    }

    pub fn drag(&mut self, from: Pos2, to: Pos2, modifiers: Modifiers) {
        self.point(from);
        self.hold(modifiers);
        self.grab(from);
        self.pull(from, to);
        self.drop_at(to);
        self.hold(NONE);
        self.frame(vec![Event::PointerGone]);
        self.run();
    }

    /// Turns the wheel by lines; up is away from the hand.
    pub fn wheel(&mut self, at: Pos2, lines: f32) {
        self.turn(at, lines);
        self.run();
    }

    /// The same, without waiting for its end.
    pub fn turn(&mut self, at: Pos2, lines: f32) {
        self.point(at);
        self.frame(vec![Event::MouseWheel {
            unit: egui::MouseWheelUnit::Line,
            delta: egui::vec2(0.0, lines),
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Wheel,
            modifiers: NONE,
        }]);
    }

    // ---- names

    /// The things of a role under a name, from left to right.
    pub fn all(&self, role: Role, name: &str) -> Vec<Node<'_>> {
        let found = self.harness.query_all_by_role(role);
        let named = |node: &Node<'_>| node.accesskit_node().label().as_deref() == Some(name);
        let mut found: Vec<_> = found.filter(named).collect();
        found.sort_by(|a, b| a.rect().left().total_cmp(&b.rect().left()));
        found
    }

    #[track_caller]
    pub fn place(&self, role: Role, name: &str) -> Pos2 {
        let all = self.all(role, name);
        let Some(node) = all.first() else {
            let names: Vec<_> = self
                .harness
                .query_all_by_role(role)
                .filter_map(|node| node.accesskit_node().label())
                .collect();
            panic!("no {role:?} {name:?} among {names:?}");
        };
        node.rect().center()
    }

    #[track_caller]
    pub fn click(&mut self, role: Role, name: &str) {
        let at = self.reach(role, name);
        self.click_at(at);
    }

    /// Scrolls until a thing is in sight.
    #[track_caller]
    pub fn reach(&mut self, role: Role, name: &str) -> Pos2 {
        for _ in 0..60 {
            let at = self.place(role, name);
            let window = self.harness.ctx.content_rect();
            let lines = match at.y {
                y if y > window.bottom() - 40.0 => -3.0,
                y if y < window.top() => 3.0,
                _ => return at,
            };
            self.wheel(pos2(at.x, window.center().y), lines);
        }
        panic!("{role:?} {name:?} does not scroll into sight");
    }

    #[track_caller]
    pub fn click_button(&mut self, name: &str) {
        self.click(Role::Button, name);
    }

    /// Whether there is a thing of this role and name.
    pub fn has(&self, role: Role, name: &str) -> bool {
        !self.all(role, name).is_empty()
    }

    /// The full name of the thing of a role whose name begins so.
    #[track_caller]
    pub fn name_of(&self, role: Role, start: &str) -> String {
        let things = self.harness.query_all_by_role(role);
        let names = things.filter_map(|node| node.accesskit_node().label());
        let name = { names }.find(|name| name.starts_with(start));
        name.unwrap_or_else(|| panic!("no {role:?} begins with {start:?}"))
    }

    /// The handle whose name begins so.
    #[track_caller]
    pub fn handle(&self, start: &str) -> Pos2 {
        let name = self.name_of(Role::Slider, start);
        self.place(Role::Slider, &name)
    }

    /// The predicted mark of the built-in workload.
    #[track_caller]
    pub fn mark(&self) -> Pos2 {
        self.place(Role::Slider, DECODE)
    }

    /// Focuses a handle as assistive technology does.
    pub fn focus_handle(&mut self, start: &str) {
        let name = self.name_of(Role::Slider, start);
        self.all(Role::Slider, &name)[0].focus();
        self.harness.step();
        self.run();
    }

    /// The name of what has the keyboard.
    pub fn focused(&self) -> Option<String> {
        let focused = self.harness.query_by(|node| node.is_focused())?;
        focused.accesskit_node().label()
    }

    /// A place in the chart with nothing under it.
    pub fn ground(&self) -> Pos2 {
        let frame = self.chart();
        pos2(
            frame.left() + frame.width() * 0.8,
            frame.top() + frame.height() * 0.8,
        )
    }

    pub fn chart(&self) -> egui::Rect {
        let chart = self.all(Role::GraphicsDocument, "Roofline chart");
        chart.first().expect("there is no chart").rect()
    }

    // ---- fields

    /// Clicks into a field, which selects what is in it, and types over it.
    #[track_caller]
    pub fn type_into(&mut self, field: &str, text: &str) {
        self.click(Role::TextInput, field);
        assert!(self.harness.ctx.text_edit_focused(), "{field} has no focus");
        self.press(CTRL, Key::A);
        if text.is_empty() {
            self.press(NONE, Key::Backspace);
        } else {
            self.text(text);
        }
    }

    /// Types and commits.
    #[track_caller]
    pub fn enter(&mut self, field: &str, text: &str) {
        self.type_into(field, text);
        self.press(NONE, Key::Enter);
    }

    /// What a field shows.
    #[track_caller]
    pub fn field(&self, field: &str) -> String {
        let all = self.all(Role::TextInput, field);
        let node = all.first().unwrap_or_else(|| panic!("no field {field:?}"));
        node.value().unwrap_or_default()
    }

    /// Chooses a command from a menu.
    #[track_caller]
    pub fn menu(&mut self, menu: &str, command: &str) {
        self.click_button(menu);
        // The shortcut is part of the name.
        let name = self.name_of(Role::Button, command);
        self.click_button(&name);
    }

    /// The names in a menu that begin so, each with its shortcut; the menu is closed again.
    pub fn menu_names(&mut self, menu: &str, start: &str) -> Vec<String> {
        self.click_button(menu);
        let buttons = self.harness.query_all_by_role(Role::Button);
        let names = buttons.filter_map(|node| node.accesskit_node().label());
        let names = names.filter(|name| name.starts_with(start)).collect();
        self.press(NONE, Key::Escape);
        names
    }

    // ---- eyes

    /// Every text painted in the last frame.
    pub fn painted(&self) -> Vec<String> {
        fn collect(shape: &egui::Shape, texts: &mut Vec<String>) {
            match shape {
                egui::Shape::Text(text) => texts.push(text.galley.job.text.clone()),
                egui::Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, texts)),
                _ => {}
            }
        }
        let mut texts = Vec::new();
        for clipped in &self.harness.output().shapes {
            collect(&clipped.shape, &mut texts);
        }
        texts
    }

    pub fn sees(&self, text: &str) -> bool {
        self.painted().iter().any(|painted| painted.contains(text))
    }

    #[track_caller]
    pub fn expect(&self, text: &str) {
        assert!(self.sees(text), "{text:?} is not in {:#?}", self.painted());
    }
}

fn key_event(key: Key, pressed: bool, modifiers: Modifiers) -> Event {
    Event::Key {
        key,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers,
    }
}
