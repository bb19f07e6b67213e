//! `ridgepoint [SESSION]`: the window.
use super::Failure;
use super::source::{self, Shown};
use crate::app::window;
use crate::document::Document;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// The session shown when none is named.
const FIRST: &str = "@8b-decode-on-h100";

/// Opens the window on a session, or on the built-in one.
pub(super) fn run(session: Option<OsString>) -> Result<ExitCode, Failure> {
    let argument = session.unwrap_or_else(|| FIRST.into());
    let source = match source::shown(&argument)? {
        Shown::Session(source) => *source,
        Shown::File(path) => {
            window::run(Document::untitled(), None, Vec::new(), Some(path))?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    let path = (!source.label.starts_with('@')).then(|| PathBuf::from(&argument));
    let mut document = Document::new(source.session, source.view, path);
    document.comments_will_be_lost = source.has_comments;
    let lesson = source.label.strip_prefix('@').map(str::to_owned);
    window::run(document, lesson, source.warnings, None)?;
    Ok(ExitCode::SUCCESS)
}
