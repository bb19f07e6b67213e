//! Floor 5, the application: owns everything, runs what was asked for.
mod closing;
mod commands;
mod devices;
mod dialogs;
mod done;
mod files;
mod frame;
mod grids;
mod jobs;
mod kernels;
mod models;
mod panels;
mod run;
mod views;
pub mod window;

pub use dialogs::Dialogs;
pub use jobs::Jobs;

use crate::document::Document;
use crate::files::presets;
use crate::files::settings::Settings;
use crate::ui::derived::Derived;
use crate::ui::request::Requests;
use crate::ui::state::{Tab, Then, UiState};
use std::collections::VecDeque;
use std::path::PathBuf;

/// The application.
pub struct App {
    pub document: Document,
    pub state: UiState,
    pub settings: Settings,
    /// Where settings are kept; `None` keeps none, as in tests and figures.
    settings_folder: Option<PathBuf>,
    derived: Derived,
    requests: Requests,
    /// Commands pressed while typing, until the field has taken what was typed with them.
    held: Vec<crate::ui::command::Command>,
    jobs: Jobs,
    /// Files that are opened once those before them are dealt with.
    waiting: VecDeque<PathBuf>,
    grids: grids::Grids,
    /// What goes on once a save that was asked for on the way has succeeded.
    after_save: Option<Then>,
    closing: Closing,
    /// The next frame begins with panels of the sizes they have at first.
    forget_sizes: bool,
    /// The panel asked for last, and which are shown: there may not be room for every open one.
    asked_panel: Option<panels::Edge>,
    shown_panels: [bool; 3],
    /// The title last given to the window.
    window_title: String,
}

/// What happens when the window is asked to close.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Closing {
    /// It asks about unsaved changes.
    Asks,
    /// It was asked while a field was being typed in: the next frame commits that, then it asks.
    AfterCommit,
    /// It closes: what was unsaved is dealt with.
    Closes,
}

impl App {
    /// An application with one open document.
    pub fn new(
        document: Document,
        settings: Settings,
        settings_folder: Option<PathBuf>,
        jobs: Jobs,
    ) -> Self {
        Self {
            derived: Derived::of(
                &document.session,
                &document.view,
                Vec::new(),
                presets::published().into(),
            ),
            state: UiState {
                tab: first_tab(&document),
                chart: crate::ui::state::ChartState {
                    aspect: 0.6,
                    ..Default::default()
                },
                ..UiState::default()
            },
            document,
            settings,
            settings_folder,
            requests: Requests::default(),
            held: Vec::new(),
            jobs,
            waiting: VecDeque::new(),
            grids: grids::Grids::default(),
            after_save: None,
            closing: Closing::Asks,
            forget_sizes: false,
            asked_panel: None,
            shown_panels: [true; 3],
            window_title: String::new(),
        }
    }
}

/// The table shown at first: a session of nothing but measured kernels begins with those.
fn first_tab(document: &Document) -> Tab {
    let session = &document.session;
    match session.workloads.is_empty() && !session.profiles.is_empty() {
        true => Tab::Kernels,
        false => Tab::default(),
    }
}

impl eframe::App for App {
    fn logic(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        self.before_frame(ctx);
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.show(ui);
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        visuals.panel_fill.to_normalized_gamma_f32()
    }
}
