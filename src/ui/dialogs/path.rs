//! The built-in path dialog, for where the system has none.
use super::{modal, title};
use crate::ui::request::{Answer, Request, Requests};
use crate::ui::state::{Dialog, PathDialog, Purpose, UiState};
use crate::ui::widgets::roles;
use egui::{Align, Button, Id, Key, Layout, RichText, Ui};
use std::path::{Path, PathBuf};

pub(super) fn path_dialog(
    ui: &mut Ui,
    mut dialog: PathDialog,
    recent: &[PathBuf],
    state: &mut UiState,
    requests: &mut Requests,
) {
    let mut done = false;
    let modal = modal(ui, "path").show(ui.ctx(), |ui| {
        ui.set_width(520.0);
        let (heading, verb) = match dialog.purpose {
            Purpose::Open => (
                "Open a session, a profile, a config.json or devices",
                "Open",
            ),
            Purpose::Import => ("Import measured kernels", "Import"),
            Purpose::ImportFolder => ("Import a workload folder of rocprofiler-compute", "Import"),
            Purpose::Save => ("Save the session", "Save"),
            Purpose::ExportGpu => ("Export the active GPU", "Export"),
            Purpose::Achievable => ("Achievable figures from a device's file", "Add"),
            Purpose::Export => ("Export the chart as .svg or .png", "Export"),
        };
        title(ui, heading);
        if let Some(reason) = &dialog.reason {
            let muted = roles(ui).muted;
            ui.label(RichText::new(reason).small().color(muted));
            ui.add_space(4.0);
        }
        let label = ui.label("Path");
        let edit = egui::TextEdit::singleline(&mut dialog.text)
            .id(Id::unique("path text"))
            .desired_width(f32::INFINITY)
            .hint_text("~/sessions/decode.ron");
        let response = ui.add(edit).labelled_by(label.id);
        if response.changed() {
            (dialog.error, dialog.replaces) = (None, None);
        }
        let nothing_focused = ui.memory(|memory| memory.focused().is_none());
        if nothing_focused && !response.lost_focus() {
            response.request_focus();
        }
        completions(ui, &mut dialog);
        if dialog.purpose == Purpose::Open {
            recent_list(ui, recent, &mut dialog);
        }
        if let Some(error) = &dialog.error {
            let colour = roles(ui).warning;
            ui.label(RichText::new(error).small().color(colour));
        }
        ui.add_space(10.0);
        let entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let accent = roles(ui).selection;
            let verb = if dialog.replaces.is_some() {
                "Replace it"
            } else {
                verb
            };
            if ui.add(Button::new(verb).fill(accent)).clicked() || entered {
                done = accept(&mut dialog, requests);
            }
            if ui.button("Cancel").clicked() {
                done = true;
                requests.push(Request::Answer(Answer::Cancel));
            }
        });
    });
    if modal.should_close() {
        done = true;
        requests.push(Request::Answer(Answer::Cancel));
    }
    state.dialog = if done {
        None
    } else {
        Some(Dialog::Path(dialog))
    };
}

/// Checks the path and asks for what the dialog is for; stays open with an error otherwise.
pub(super) fn accept(dialog: &mut PathDialog, requests: &mut Requests) -> bool {
    let text = dialog.text.trim();
    if text.is_empty() {
        dialog.error = Some("Type a path first.".to_owned());
        return false;
    }
    let mut path = expand(text);
    match dialog.purpose {
        Purpose::ImportFolder if !path.is_dir() => {
            dialog.error = Some(format!("There is no folder {}.", path.display()));
            return false;
        }
        Purpose::Import | Purpose::ImportFolder if path.exists() => {
            requests.push(Request::Import(path));
            return true;
        }
        Purpose::Open | Purpose::Achievable | Purpose::Import | Purpose::ImportFolder => {
            if !path.is_file() {
                dialog.error = Some(format!("There is no file at {}.", path.display()));
                return false;
            }
            requests.push(match dialog.purpose {
                Purpose::Achievable => Request::TakeAchievable(path),
                _ => Request::Open(path),
            });
            return true;
        }
        Purpose::Save | Purpose::ExportGpu if path.extension().is_none() => {
            path.set_extension("ron");
        }
        Purpose::Export if !is_figure(&path) => {
            dialog.error = Some("End the name in .svg or .png.".to_owned());
            return false;
        }
        _ => {}
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        dialog.error = Some(format!("There is no folder {}.", folder.display()));
        return false;
    }
    if path.exists() && dialog.replaces.as_ref() != Some(&path) {
        dialog.error = Some("This file exists. Press again to replace it.".to_owned());
        dialog.replaces = Some(path);
        return false;
    }
    requests.push(match dialog.purpose {
        Purpose::Export => Request::ExportTo(path),
        Purpose::ExportGpu => Request::ExportGpuTo(path),
        _ => Request::SaveTo(path),
    });
    true
}

/// Whether a path ends as figures do.
pub fn is_figure(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str());
    extension.is_some_and(|e| e.eq_ignore_ascii_case("svg") || e.eq_ignore_ascii_case("png"))
}

/// `~` is the home folder.
pub(super) fn expand(text: &str) -> PathBuf {
    let home = || directories::BaseDirs::new().map(|dirs| dirs.home_dir().to_owned());
    match text.strip_prefix("~/").zip(home()) {
        Some((rest, home)) => home.join(rest),
        None => PathBuf::from(text),
    }
}

/// Names in the folder that begin as the text does, at most a few.
pub(super) fn completions(ui: &mut Ui, dialog: &mut PathDialog) {
    const MOST: usize = 6;
    let path = expand(&dialog.text);
    let (folder, start) = if dialog.text.ends_with('/') {
        (path.clone(), String::new())
    } else {
        let start = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        (
            path.parent().map(Path::to_owned).unwrap_or_default(),
            start.unwrap_or_default(),
        )
    };
    let folder = if folder.as_os_str().is_empty() {
        PathBuf::from(".")
    } else {
        folder
    };
    let Ok(entries) = std::fs::read_dir(&folder) else {
        return;
    };
    // A folder of many thousands must not stall the frame.
    let names = entries.take(2000).flatten().filter_map(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        let fits = name.starts_with(&start) && name != start && !name.starts_with('.');
        let is_folder = entry.path().is_dir();
        (fits
            && (is_folder
                || [".ron", ".json", ".csv", ".tsv", ".txt", ".gz"]
                    .iter()
                    .any(|end| name.ends_with(end))))
        .then(|| if is_folder { name + "/" } else { name })
    });
    let mut names: Vec<_> = names.collect();
    names.sort();
    let text_folder = dialog.text.len() - start.len();
    ui.horizontal_wrapped(|ui| {
        for name in names.into_iter().take(MOST) {
            if ui.small_button(&name).clicked() {
                dialog.text.truncate(text_folder);
                dialog.text.push_str(&name);
                (dialog.error, dialog.replaces) = (None, None);
            }
        }
    });
}

pub(super) fn recent_list(ui: &mut Ui, recent: &[PathBuf], dialog: &mut PathDialog) {
    if recent.is_empty() {
        return;
    }
    let muted = roles(ui).muted;
    ui.label(RichText::new("Recent").small().color(muted));
    for path in recent.iter().take(5) {
        let text = path.display().to_string();
        let button = Button::new(&text).frame_when_inactive(false).truncate();
        if ui.add(button).clicked() {
            dialog.text = text;
        }
    }
}
