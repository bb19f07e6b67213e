//! `ridgepoint screenshot`: the whole window as a picture, without a display.
use super::Failure;
use super::picture::Target;
use super::source::{self, Shown, Source};
use crate::app::{App, Dialogs, Jobs};
use crate::document::Document;
use crate::figure::{offscreen, svg};
use crate::files::settings::{Settings, Theme};
use crate::ui::presentation;
use std::ffi::OsString;
use std::process::ExitCode;

/// Draw the whole window as a picture, without a display
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The session: a file, or @NAME; or a profiler's file
    session: OsString,
    /// A saved view, by its title
    #[arg(long, value_name = "NAME")]
    view: Option<String>,
    /// Show it as a presentation does, without panels
    #[arg(long)]
    present: bool,
    #[command(flatten)]
    target: Target,
}

/// Passes until panels and tables have found their sizes.
const PASSES: usize = 5;
/// Between two looks at whether everything is computed.
const WAIT: std::time::Duration = std::time::Duration::from_millis(20);

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let target = &arguments.target;
    target.check()?;
    let mut lesson = None;
    let mut saved = None;
    let (document, file) = match source::shown(&arguments.session)? {
        Shown::Session(_) => {
            let mut source = Source::open(&arguments.session)?;
            saved = source.show(arguments.view.as_deref())?;
            lesson = source.label.strip_prefix('@').map(str::to_owned);
            let path = lesson.is_none().then(|| arguments.session.clone().into());
            (Document::new(source.session, source.view, path), None)
        }
        Shown::File(path) => (Document::untitled(), Some(path)),
    };
    let settings = Settings {
        theme: match target.theme {
            egui::Theme::Light => Theme::Light,
            egui::Theme::Dark => Theme::Dark,
        },
        // A picture is of the session, not of how to use the window.
        hints: false,
        ..Settings::default()
    };
    let mut app = App::new(document, settings, None, Jobs::new(Dialogs::BuiltIn));
    if let Some(id) = lesson {
        app.begin_lesson(&id);
    }
    if let Some(file) = file {
        app.ask_to_open(file);
    }
    let room = target.size;
    let zoom = match arguments.present {
        true => presentation::zoom(room, 1.0),
        false => 1.0,
    };
    let mut draw = |passes| {
        let show = |ui: &mut egui::Ui| {
            app.take_finished(ui.ctx());
            if arguments.present {
                app.present(ui.ctx(), saved.as_ref().map(|saved| saved.id));
            }
            app.show(ui);
        };
        // The zoom is the picture's: the context itself has points of one pixel.
        let shapes = offscreen::shapes(room / zoom, target.theme, passes, App::prepare, show);
        (shapes, app.computes())
    };
    while draw(1).1 {
        std::thread::sleep(WAIT);
    }
    // Also what came with the last of them is shown at rest.
    let shapes = draw(PASSES).0;
    let picture = svg::from_shapes(&shapes, room / zoom, App::ground(target.theme));
    target.write_magnified(&picture, zoom)
}
