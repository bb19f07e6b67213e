//! Keys to commands.
use super::{COMMANDS, Command};
use egui::{Key, KeyboardShortcut, Modifiers};

/// Second chords, for those who are used to them.
pub const ALSO: [(Command, KeyboardShortcut); 2] = [
    (
        Command::Redo,
        KeyboardShortcut::new(Modifiers::COMMAND, Key::Y),
    ),
    // The key that Plus is on, without Shift.
    (
        Command::ZoomIn,
        KeyboardShortcut::new(Modifiers::COMMAND, Key::Equals),
    ),
];

impl Command {
    /// Whether a focused text field has its own meaning for these keys.
    fn is_for_text(self) -> bool {
        let shortcut = self.entry().shortcut;
        let plain = shortcut.is_some_and(|s| !s.modifiers.command && !is_function(s.logical_key));
        plain
            || matches!(
                self,
                Self::Undo | Self::Redo | Self::Copy | Self::CopyGpu | Self::Paste
            )
    }
}

/// Whether a key is one of F1, F2 and so on, which no text field has a use for.
fn is_function(key: Key) -> bool {
    let number = key.name().strip_prefix('F');
    number.is_some_and(|number| number.parse::<u8>().is_ok())
}

fn is_letter(key: Key) -> bool {
    let name = key.name();
    name.len() == 1 && name.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// The commands whose keys were pressed in this frame. `typing` leaves a text field's keys to it.
pub fn pressed(ctx: &egui::Context, typing: bool) -> Vec<Command> {
    // Ctrl+Shift+S also matches Ctrl+S in egui, and Alt+Shift+Up Alt+Up: chords with more modifiers are tried first.
    let first = COMMANDS
        .iter()
        .filter_map(|entry| Some((entry.shortcut?, entry.command)));
    let also = ALSO.iter().map(|(command, chord)| (*chord, *command));
    let mut chords: Vec<_> = first.chain(also).collect();
    chords.sort_by_key(|(chord, _)| {
        let Modifiers { shift, alt, .. } = chord.modifiers;
        std::cmp::Reverse(u8::from(shift) + u8::from(alt))
    });
    let mut commands = Vec::new();
    ctx.input_mut(|input| {
        for (chord, command) in chords {
            // Copy and paste arrive as events of their own.
            let by_event = matches!(command, Command::Copy | Command::Paste);
            let left_to_text = typing && command.is_for_text();
            // egui takes a letter with Shift for one without: Ctrl+Shift+Q must not quit.
            let other =
                input.modifiers.shift && !chord.modifiers.shift && is_letter(chord.logical_key);
            if !by_event && !left_to_text && !other && input.consume_shortcut(&chord) {
                commands.push(command);
            }
        }
        if !typing && input.events.iter().any(|e| matches!(e, egui::Event::Copy)) {
            commands.push(Command::Copy);
        }
    });
    commands
}
