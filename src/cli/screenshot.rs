//! `ridgepoint screenshot`: the whole window as a picture, without a display.
use super::Failure;
use super::picture::Target;
use super::source::Source;
use crate::app::{App, Dialogs, Jobs};
use crate::document::Document;
use crate::figure::{offscreen, svg};
use crate::files::settings::{Settings, Theme};
use std::ffi::OsString;
use std::process::ExitCode;

/// Draw the whole window as a picture, without a display
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The session: a file, or @NAME
    session: OsString,
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
    let source = Source::open(&arguments.session)?;
    let settings = Settings {
        theme: match target.theme {
            egui::Theme::Light => Theme::Light,
            egui::Theme::Dark => Theme::Dark,
        },
        // A picture is of the session, not of how to use the window.
        hints: false,
        ..Settings::default()
    };
    let path = (!source.label.starts_with('@')).then(|| arguments.session.clone().into());
    let document = Document::new(source.session, source.view, path);
    let mut app = App::new(document, settings, None, Jobs::new(Dialogs::BuiltIn));
    let mut draw = |passes| {
        let show = |ui: &mut egui::Ui| app.show(ui);
        let shapes = offscreen::shapes(target.size, target.theme, passes, App::prepare, show);
        (shapes, app.computes())
    };
    let mut drawn = draw(PASSES);
    while drawn.1 {
        std::thread::sleep(WAIT);
        drawn = draw(1);
        if !drawn.1 {
            drawn = draw(PASSES);
        }
    }
    let shapes = drawn.0;
    target.write(&svg::from_shapes(
        &shapes,
        target.size,
        App::ground(target.theme),
    ))
}
