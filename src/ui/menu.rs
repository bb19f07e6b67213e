//! The menu bar, made from the list of commands, and the status line.
use super::command::{COMMANDS, Command, Menu, is_on, name_now, unavailable};
use super::request::{Request, Requests};
use super::widgets::roles;
use crate::chart::fonts;
use crate::chart::style::size;
use crate::document::Document;
use crate::files::presets;
use crate::files::settings::Settings;
use egui::{Align, Button, Layout, RichText, Ui};

/// Shows the menu bar.
///
/// `refused`: whether what is typed for the selected workload is, so that undo takes that back.
pub fn menu_bar(
    ui: &mut Ui,
    document: &Document,
    settings: &Settings,
    refused: bool,
    requests: &mut Requests,
) {
    let roles = roles(ui);
    egui::MenuBar::new().ui(ui, |ui| {
        ui.label(RichText::new("Ridgepoint").family(fonts::bold()));
        for menu in Menu::ALL {
            ui.menu_button(menu.name(), |ui| {
                ui.set_width(250.0);
                // A low window, or a large scale, has no room for all of a menu.
                let most = (ui.ctx().content_rect().height() - 60.0).max(80.0);
                egui::ScrollArea::vertical()
                    .max_height(most)
                    .min_scrolled_height(most)
                    .show(ui, |ui| {
                        for entry in COMMANDS.iter().filter(|entry| entry.menu == menu) {
                            if entry.starts_group {
                                ui.separator();
                            }
                            command_button(
                                ui,
                                entry.command,
                                document,
                                settings,
                                refused,
                                requests,
                            );
                            if entry.command == Command::Words {
                                lesson_menu(ui, requests);
                            }
                            if entry.command == Command::OpenPath {
                                recent_menu(ui, settings, requests);
                                example_menu(ui, requests);
                            }
                        }
                    });
            });
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let dark = ui.visuals().dark_mode;
            let name = if dark {
                "Switch to light"
            } else {
                "Switch to dark"
            };
            let theme = Command::ToggleTheme.entry();
            let text = RichText::new(name).color(roles.muted);
            // In a narrow window the View menu has it.
            if ui.available_width() < 120.0 {
                return;
            }
            let button = ui
                .add(Button::new(text).frame(false))
                .on_hover_text(theme.tooltip);
            if button.clicked() {
                requests.command(Command::ToggleTheme);
            }
        });
    });
}

fn command_button(
    ui: &mut Ui,
    command: Command,
    document: &Document,
    settings: &Settings,
    refused: bool,
    requests: &mut Requests,
) {
    let entry = command.entry();
    let (name, why_not) = match command {
        Command::Undo if refused => (format!("{}: typing", entry.name), None),
        _ => (name_now(command, document), unavailable(command, document)),
    };
    let name = if is_on(command, document, settings, ui.visuals().dark_mode) {
        format!("{name} ●")
    } else {
        name
    };
    let mut button = Button::new(name);
    if let Some(shortcut) = &entry.shortcut {
        button = button.shortcut_text(ui.ctx().format_shortcut(shortcut));
    }
    let button = button
        .frame_when_inactive(false)
        .min_size(egui::vec2(ui.available_width(), 0.0));
    let button = ui
        .add_enabled(why_not.is_none(), button)
        .on_hover_text(entry.tooltip)
        .on_disabled_hover_text(why_not.unwrap_or_default());
    if button.clicked() {
        // Pasting needs the clipboard, which only the window system can read.
        if command == Command::Paste {
            ui.ctx()
                .send_viewport_cmd(egui::ViewportCommand::RequestPaste);
        } else {
            requests.command(command);
        }
        ui.close();
    }
}

fn recent_menu(ui: &mut Ui, settings: &Settings, requests: &mut Requests) {
    ui.add_enabled_ui(!settings.recent.is_empty(), |ui| {
        ui.menu_button("Open recent", |ui| {
            for path in &settings.recent {
                let name = path
                    .file_name()
                    .unwrap_or(path.as_os_str())
                    .to_string_lossy();
                let hover = path.display().to_string();
                if ui.button(name).on_hover_text(hover).clicked() {
                    requests.push(Request::Open(path.clone()));
                    ui.close();
                }
            }
        });
    });
}

fn example_menu(ui: &mut Ui, requests: &mut Requests) {
    ui.menu_button("Open example", |ui| {
        // Lessons have a menu of their own.
        let is_lesson = |id| presets::lessons().iter().any(|lesson| lesson.id == id);
        for preset in presets::sessions().iter().filter(|p| !is_lesson(p.id)) {
            if ui.button(format!("@{}", preset.id)).clicked() {
                requests.push(Request::OpenExample(preset.id.to_owned()));
                ui.close();
            }
        }
    });
}

fn lesson_menu(ui: &mut Ui, requests: &mut Requests) {
    ui.menu_button("Lessons", |ui| {
        ui.set_width(280.0);
        let lessons = presets::lessons().iter();
        for preset in lessons.filter_map(|p| presets::lesson(p.id)?.ok()) {
            let name = format!("{} ({} min)", preset.lesson.title, preset.lesson.minutes);
            if ui.button(name).on_hover_text(preset.lesson.about).clicked() {
                requests.push(Request::OpenExample(preset.id.to_owned()));
                ui.close();
            }
        }
    });
}

/// What is waited for.
pub struct Working<'a> {
    pub on: Option<&'a str>,
    /// How much of a file is read, 0–1, where that is being done and can be cancelled.
    pub part: Option<f32>,
}

/// Shows the status line: the file, whether it is saved, and what the hand can do.
pub fn status_line(
    ui: &mut Ui,
    document: &Document,
    hint: &str,
    working: Working<'_>,
    requests: &mut Requests,
) {
    let roles = roles(ui);
    ui.horizontal(|ui| {
        let (mark, state) = match (document.is_dirty(), &document.path) {
            (true, _) => ("●", "unsaved changes"),
            (false, Some(_)) => ("○", "saved"),
            (false, None) => ("○", "no changes"),
        };
        let colour = if document.is_dirty() {
            roles.accent
        } else {
            roles.faint
        };
        ui.label(RichText::new(mark).size(size::TINY).color(colour));
        let file = format!("{} · {state}", document.file_name());
        let path = document
            .path
            .as_ref()
            .map(|path| path.display().to_string());
        let label = ui.label(RichText::new(file).small().color(roles.muted));
        if let Some(path) = path {
            label.on_hover_text(path);
        }
        ui.add_space(12.0);
        if let Some(on) = working.on {
            let on = RichText::new(on).small().color(roles.accent);
            ui.scope(|ui| {
                ui.set_max_width(size::STATUS_WORDS);
                ui.add(egui::Label::new(on).truncate());
            });
        }
        if let Some(part) = working.part {
            let bar = egui::ProgressBar::new(part)
                .desired_width(120.0)
                .desired_height(8.0)
                .fill(roles.accent);
            ui.add(bar);
            let text = format!("{:.0} %", part * 100.0);
            // Of one width, so that the button behind it stays under the pointer.
            ui.scope(|ui| {
                ui.set_min_width(size::PERCENT);
                ui.label(RichText::new(text).small().color(roles.muted));
            });
            let cancel = ui
                .small_button("Cancel")
                .on_hover_text("Stop reading; nothing is added");
            if cancel.clicked() {
                requests.push(Request::CancelReading);
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let hint = RichText::new(hint).small().color(roles.muted);
            ui.add(egui::Label::new(hint).truncate());
        });
    });
}
