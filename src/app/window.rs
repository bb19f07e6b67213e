//! Opens the window.
use super::{App, Dialogs, Jobs};
use crate::document::Document;
use crate::files::settings::{self, Settings};
use std::path::PathBuf;

/// The window's size at first, in points.
const SIZE: [f32; 2] = [1440.0, 900.0];

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
#[error(
    "no window can be opened here ({reason}): run it where a display is reachable, or draw the chart without one by `ridgepoint figure SESSION -o chart.svg`"
)]
pub struct NoWindow {
    reason: String,
}

/// Shows the document in a window until it is closed, with the lesson of this id if there is one; `notices` are told
/// at first, and `file` is added to it.
pub fn run(
    document: Document,
    lesson: Option<String>,
    notices: Vec<String>,
    file: Option<PathBuf>,
) -> Result<(), NoWindow> {
    if !display_is_named() {
        return Err(NoWindow {
            reason: "neither DISPLAY nor WAYLAND_DISPLAY is set".to_owned(),
        });
    }
    let folder = settings::folder();
    let kept = folder
        .as_deref()
        .map(Settings::load_from)
        .unwrap_or_default();
    let dialogs = if kept.native_dialogs {
        Dialogs::Native
    } else {
        Dialogs::BuiltIn
    };
    let viewport = egui::ViewportBuilder::default()
        .with_app_id("ridgepoint")
        .with_title("Ridgepoint")
        .with_inner_size(SIZE)
        .with_min_inner_size([900.0, 560.0])
        .with_icon(icon());
    let options = eframe::NativeOptions {
        viewport,
        ..Default::default()
    };
    let start = move |creation: &eframe::CreationContext<'_>| {
        App::prepare(&creation.egui_ctx);
        let mut app = App::new(document, kept, folder, Jobs::new(dialogs));
        if let Some(id) = lesson {
            app.begin_lesson(&id);
        }
        for notice in notices {
            app.state.tell(notice);
        }
        if let Some(file) = file {
            app.ask_to_open(file);
        }
        Ok(Box::new(app) as Box<dyn eframe::App>)
    };
    eframe::run_native("ridgepoint", options, Box::new(start)).map_err(|error| NoWindow {
        // The window system's own words come last, after where in its sources they were said.
        reason: error
            .to_string()
            .rsplit(": ")
            .next()
            .unwrap_or_default()
            .to_owned(),
    })
}

/// On X11 and Wayland a display has a name; elsewhere there always is one.
fn display_is_named() -> bool {
    let named = |variable| std::env::var_os(variable).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux")
        || named("DISPLAY")
        || named("WAYLAND_DISPLAY")
        || named("WAYLAND_SOCKET")
}

fn icon() -> egui::IconData {
    let bytes = include_bytes!("../../assets/icon.png");
    eframe::icon_data::from_png_bytes(bytes).unwrap_or_default()
}
