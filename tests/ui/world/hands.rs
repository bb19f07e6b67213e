//! What a user does: keys, pointer, wheel, and things clicked and filled in by their names.
use super::*;

impl World {
    /// Drops files on the window.
    pub fn drop_files(&mut self, paths: &[&std::path::Path]) {
        for path in paths {
            let file = std::sync::Arc::new(Dropped(path.to_path_buf()));
            self.harness.input_mut().dropped_files.push(file);
        }
        self.frame(Vec::new());
    }

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
            // A long list of rows scrolls in itself, at the top of its panel.
            let (sight, hand) = match role {
                Role::ListItem => (75.0..=340.0, 200.0),
                _ => (window.top()..=window.bottom() - 40.0, window.center().y),
            };
            let lines = match at.y {
                y if y > *sight.end() => -3.0,
                y if y < *sight.start() => 3.0,
                _ => return at,
            };
            self.wheel(pos2(at.x, hand), lines);
        }
        panic!("{role:?} {name:?} does not scroll into sight");
    }

    #[track_caller]
    pub fn click_button(&mut self, name: &str) {
        self.click(Role::Button, name);
    }

    /// Focuses a handle as assistive technology does.
    pub fn focus_handle(&mut self, start: &str) {
        let name = self.name_of(Role::Slider, start);
        self.focus(Role::Slider, &name);
    }

    /// Focuses a thing as assistive technology does.
    pub fn focus(&mut self, role: Role, name: &str) {
        self.all(role, name)[0].focus();
        self.harness.step();
        self.run();
    }

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
        let mut names = self.names(Role::Button);
        names.retain(|name| name.starts_with(start));
        self.press(NONE, Key::Escape);
        names
    }
}

/// A file over the window.
#[derive(Debug)]
struct Dropped(std::path::PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &std::path::Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
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
