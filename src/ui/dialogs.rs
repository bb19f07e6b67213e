//! Dialogs over the window, and the notices at its foot.
use super::chart_view;
use super::command::{COMMANDS, Menu};
use super::picker;
use super::request::{Answer, Request, Requests};
use super::state::{Dialog, PathDialog, Purpose, UiState};
use super::widgets::{Field, roles, value_field};
use crate::chart::{fonts, framing, style};
use crate::document::Document;
use crate::model::quantity::{FlopRate, Intensity, Quantity};
use egui::{Align, Button, Frame, Id, Key, Layout, Modal, RichText, Ui};
use std::path::{Path, PathBuf};

/// Shows the open dialog, if there is one.
pub fn dialogs(
    ui: &mut Ui,
    document: &mut Document,
    recent: &[PathBuf],
    state: &mut UiState,
    requests: &mut Requests,
) {
    let Some(dialog) = state.dialog.clone() else {
        return;
    };
    match dialog {
        Dialog::Unsaved { .. } => unsaved(ui, document, requests),
        Dialog::Path(dialog) => path_dialog(ui, dialog, recent, state, requests),
        Dialog::PickGpu(open) => picker::picker(ui, open, state, requests),
        Dialog::AxisLimits => axis_limits(ui, document, state),
        Dialog::Keys => keys(ui, state),
        Dialog::About => about(ui, state),
    }
}

/// The frame of a dialog.
pub(super) fn modal(ui: &Ui, name: &str) -> Modal {
    let frame = Frame::popup(ui.style()).inner_margin(18.0);
    Modal::new(Id::unique(name)).frame(frame)
}

/// A dialog's heading.
pub(super) fn title(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).font(style::strong(15.0)));
    ui.add_space(6.0);
}

fn unsaved(ui: &mut Ui, document: &Document, requests: &mut Requests) {
    let modal = modal(ui, "unsaved").show(ui.ctx(), |ui| {
        ui.set_width(400.0);
        title(ui, "Save your changes first?");
        let name = match &document.path {
            Some(_) => document.file_name(),
            None => format!("“{}”", document.session.title),
        };
        ui.label(format!(
            "{name} has changes that are not saved. Without saving they are lost."
        ));
        ui.add_space(12.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let accent = roles(ui).selection;
            if ui.add(Button::new("Save").fill(accent)).clicked() {
                requests.push(Request::Answer(Answer::Save));
            }
            if ui.button("Cancel").clicked() {
                requests.push(Request::Answer(Answer::Cancel));
            }
            if ui.button("Discard changes").clicked() {
                requests.push(Request::Answer(Answer::Discard));
            }
        });
    });
    if modal.should_close() {
        requests.push(Request::Answer(Answer::Cancel));
    } else if modal
        .response
        .ctx
        .input(|input| input.key_pressed(Key::Enter))
        && requests.is_empty()
    {
        requests.push(Request::Answer(Answer::Save));
    }
}

fn path_dialog(
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
            Purpose::Open => ("Open a session", "Open"),
            Purpose::Save => ("Save the session", "Save"),
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
fn accept(dialog: &mut PathDialog, requests: &mut Requests) -> bool {
    let text = dialog.text.trim();
    if text.is_empty() {
        dialog.error = Some("Type a path first.".to_owned());
        return false;
    }
    let mut path = expand(text);
    match dialog.purpose {
        Purpose::Open => {
            if !path.is_file() {
                dialog.error = Some(format!("There is no file at {}.", path.display()));
                return false;
            }
            requests.push(Request::OpenInstead(path));
            return true;
        }
        Purpose::Save if path.extension().is_none() => {
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
fn expand(text: &str) -> PathBuf {
    let home = || directories::BaseDirs::new().map(|dirs| dirs.home_dir().to_owned());
    match text.strip_prefix("~/").zip(home()) {
        Some((rest, home)) => home.join(rest),
        None => PathBuf::from(text),
    }
}

/// Names in the folder that begin as the text does, at most a few.
fn completions(ui: &mut Ui, dialog: &mut PathDialog) {
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
        (fits && (is_folder || name.ends_with(".ron")))
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

fn recent_list(ui: &mut Ui, recent: &[PathBuf], dialog: &mut PathDialog) {
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

fn axis_limits(ui: &mut Ui, document: &mut Document, state: &mut UiState) {
    let limits = chart_view::shown_limits(state);
    let mut wanted = limits;
    let modal = modal(ui, "axis limits").show(ui.ctx(), |ui| {
        ui.set_width(300.0);
        title(ui, "Axis limits");
        limit::<Intensity>(ui, "Intensity from", &mut wanted.x, 0);
        limit::<Intensity>(ui, "Intensity to", &mut wanted.x, 1);
        limit::<FlopRate>(ui, "Performance from", &mut wanted.y, 0);
        limit::<FlopRate>(ui, "Performance to", &mut wanted.y, 1);
        ui.add_space(6.0);
        ui.checkbox(&mut document.view.locked, "Lock the axes as they are");
        ui.add_space(10.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let close = ui.button("Close").clicked();
            if ui.button("Fit").clicked() {
                document.view.limits = None;
                return true;
            }
            close
        })
        .inner
    });
    if wanted != limits {
        let clamped = framing::clamp(wanted);
        document.view.limits = Some(clamped);
        state.chart.shown = Some(clamped);
    } else if document.view.locked && document.view.limits.is_none() {
        document.view.limits = Some(limits);
    }
    if modal.inner || modal.should_close() {
        state.dialog = None;
    }
}

fn limit<Q: Quantity + std::fmt::Display>(
    ui: &mut Ui,
    label: &str,
    range: &mut [f64; 2],
    end: usize,
) {
    let shown = Q::try_from(10f64.powf(range[end]));
    let field = Field {
        label,
        hint: "",
        shown: shown.as_ref().map(ToString::to_string).unwrap_or_default(),
        exact: shown.map(Quantity::exact).unwrap_or_default(),
        placeholder: "",
    };
    value_field(
        ui,
        &field,
        |_| {},
        |text| {
            let value = Q::parse(text).map_err(|error| error.to_string())?;
            if value.get() <= 0.0 {
                return Err("a log axis has no zero: write a positive number".to_owned());
            }
            let mut new = *range;
            new[end] = value.get().log10();
            if new[0] >= new[1] {
                return Err("the lower end must be below the upper one".to_owned());
            }
            *range = new;
            Ok(())
        },
    );
}

const GESTURES: [(&str, &str); 10] = [
    (
        "Drag a predicted mark",
        "intensity along x, assumed efficiency downwards",
    ),
    (
        "Alt + drag",
        "work at constant traffic, instead of traffic at constant work",
    ),
    ("Shift + drag", "only along the axis moved more"),
    ("Ctrl + drag", "to round values"),
    ("Esc while dragging", "takes the drag back"),
    (
        "Drag a measured mark",
        "shows what such a point would need; Enter keeps it",
    ),
    ("Drag a slope, a flat, a ridge", "bandwidth, peak, both"),
    (
        "Tab, then arrow keys",
        "moves any of them by 0.01 decade (Shift 0.001, Ctrl 0.1)",
    ),
    (
        "Wheel · drag · right drag",
        "zooms about the pointer · pans · zooms to a box",
    ),
    ("Double click on the chart", "fits it"),
];

fn keys(ui: &mut Ui, state: &mut UiState) {
    let modal = modal(ui, "keys").show(ui.ctx(), |ui| {
        ui.set_width(680.0);
        title(ui, "Keys and gestures");
        egui::ScrollArea::vertical()
            .max_height(460.0)
            .show(ui, |ui| {
                let muted = roles(ui).muted;
                egui::Grid::new("gestures")
                    .num_columns(2)
                    .spacing(egui::vec2(24.0, 4.0))
                    .show(ui, |ui| {
                        for (gesture, meaning) in GESTURES {
                            ui.label(gesture);
                            ui.label(RichText::new(meaning).color(muted));
                            ui.end_row();
                        }
                    });
                for menu in Menu::ALL {
                    ui.add_space(8.0);
                    ui.label(
                        RichText::new(menu.name())
                            .family(fonts::bold())
                            .color(muted),
                    );
                    egui::Grid::new(menu.name())
                        .num_columns(3)
                        .spacing(egui::vec2(24.0, 3.0))
                        .show(ui, |ui| {
                            for entry in COMMANDS.iter().filter(|entry| entry.menu == menu) {
                                ui.label(entry.name);
                                let keys = entry.shortcut.map(|s| ui.ctx().format_shortcut(&s));
                                ui.label(RichText::new(keys.unwrap_or_default()).monospace());
                                ui.label(RichText::new(entry.tooltip).color(muted));
                                ui.end_row();
                            }
                        });
                }
            });
        ui.add_space(8.0);
        ui.button("Close").clicked()
    });
    if modal.inner || modal.should_close() {
        state.dialog = None;
    }
}

fn about(ui: &mut Ui, state: &mut UiState) {
    let modal = modal(ui, "about").show(ui.ctx(), |ui| {
        ui.set_width(460.0);
        title(ui, "Ridgepoint");
        ui.label(format!(
            "Version {}. MIT or Apache-2.0.",
            env!("CARGO_PKG_VERSION")
        ));
        ui.add_space(6.0);
        ui.label(
            "The roofline model: S. Williams, A. Waterman, D. Patterson, “Roofline: an insightful \
             visual performance model for multicore architectures”, CACM 52(4), 2009.",
        );
        ui.label("attainable = min(P, W × intensity);  ridge = P ÷ W");
        ui.add_space(6.0);
        ui.label(
            "Fonts: Noto Sans (SIL Open Font License 1.1), Hack (MIT and Bitstream Vera licence).",
        );
        ui.add_space(10.0);
        ui.button("Close").clicked()
    });
    if modal.inner || modal.should_close() {
        state.dialog = None;
    }
}

/// Seconds a notice that is no error stays.
const STAYS: f64 = 5.0;

/// Shows the notices, the newest lowest.
pub fn toasts(ui: &Ui, state: &mut UiState, requests: &mut Requests) {
    if state.toasts.is_empty() {
        return;
    }
    let now = ui.input(|input| input.time);
    for toast in &mut state.toasts {
        toast.since.get_or_insert(now);
    }
    state
        .toasts
        .retain(|toast| toast.is_error || toast.since.is_none_or(|since| now - since < STAYS));
    let soon = state
        .toasts
        .iter()
        .filter(|toast| !toast.is_error)
        .filter_map(|toast| toast.since);
    if let Some(first) = soon.fold(None, |least: Option<f64>, since| {
        Some(least.map_or(since, |l| l.min(since)))
    }) {
        let left = (first + STAYS - now).max(0.05);
        ui.ctx()
            .request_repaint_after(std::time::Duration::from_secs_f64(left));
    }
    let roles = roles(ui);
    egui::Area::new(Id::unique("toasts"))
        .anchor(egui::Align2::CENTER_BOTTOM, egui::vec2(0.0, -40.0))
        .order(egui::Order::Foreground)
        .show(ui.ctx(), |ui| {
            for (i, toast) in state.toasts.iter().enumerate() {
                Frame::popup(ui.style()).show(ui, |ui| {
                    ui.set_max_width(560.0);
                    ui.horizontal(|ui| {
                        let colour = if toast.is_error {
                            roles.warning
                        } else {
                            roles.ink
                        };
                        let text = RichText::new(&toast.text).color(colour);
                        let response = ui.add(egui::Label::new(text).wrap());
                        response.widget_info(|| {
                            egui::WidgetInfo::labeled(egui::Role::Status, true, &toast.text)
                        });
                        let close = ui.add(Button::new("×").frame(false));
                        close.widget_info(|| {
                            egui::WidgetInfo::labeled(egui::Role::Button, true, "Close notice")
                        });
                        if close.clicked() {
                            requests.push(Request::DismissToast(i));
                        }
                    });
                });
            }
        });
}
