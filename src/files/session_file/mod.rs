//! Session files: RON text to a session and back, with the place of whatever is wrong.
mod annotations;
mod from_model;
mod gpu_to_model;
mod locate;
mod problem;
mod profile_from_model;
mod profile_to_model;
mod to_model;
mod v1;
mod v1_gpu;
mod v1_profile;
mod v1_shown;
mod walk;

use crate::model::gpu::Gpu;
use crate::model::session::{Session, Workload};
use crate::model::view::View;
use problem::Problem;
use ron::extensions::Extensions;
use serde::{Serialize, de::DeserializeOwned};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

pub use profile_from_model::{MOST_KERNELS, left_out};

pub(super) use gpu_to_model::gpu as gpu_of_file;
pub(super) use v1_gpu::GpuFile;

/// The most bytes a session file can have: room for a few profiles of 100,000 kernels with long names.
pub const MOST_BYTES: usize = 256 << 20;

/// The most unknown fields that are named one by one.
const MOST_WARNINGS: usize = 20;

/// What a session file holds, and what will be lost of it when it is saved.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    pub session: Session,
    pub view: View,
    /// Fields this program does not know, a sentence each.
    pub warnings: Vec<String>,
    /// Whether the text holds comments, which a save does not keep.
    pub has_comments: bool,
}

/// What is wrong with a file, and where; lines and columns count from one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct FileError {
    pub line: usize,
    pub column: usize,
    pub message: String,
}

/// Why a session file cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("{}: it cannot be read: {reason}", path.display())]
    Io { path: PathBuf, reason: io::Error },
    #[error("{}:{error}", path.display())]
    File { path: PathBuf, error: FileError },
}

/// The session in a file.
pub fn open(path: &Path) -> Result<Loaded, OpenError> {
    let io = |reason| OpenError::Io {
        path: path.to_owned(),
        reason,
    };
    let file = |error| OpenError::File {
        path: path.to_owned(),
        error,
    };
    let mut bytes = Vec::new();
    // One byte more than allowed, to tell that there are more.
    let mut limited = File::open(path).map_err(io)?.take(MOST_BYTES as u64 + 1);
    limited.read_to_end(&mut bytes).map_err(io)?;
    let text = str::from_utf8(&bytes).map_err(|error| {
        // What comes before is text.
        let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        let message = "this is not UTF-8 text: save it as UTF-8".to_owned();
        file(error_at(&before, before.len(), message))
    })?;
    read(text).map_err(file)
}

/// The session in RON text of any version this program knows.
pub fn read(text: &str) -> Result<Loaded, FileError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.len() > MOST_BYTES {
        let megabytes = MOST_BYTES >> 20;
        let message = format!("the file has more than {megabytes} MiB: no session is that large");
        return Err(error_at(text, 0, message));
    }
    check_version(text)?;
    let (file, warnings) = parse::<v1::SessionFile>(text)?;
    let (session, view) = to_model::session(file).map_err(|problem| locate(text, problem))?;
    Ok(Loaded {
        session,
        view,
        warnings,
        has_comments: locate::has_comments(text),
    })
}

/// The session as RON text; the same session always gives the same bytes.
pub fn write(session: &Session, view: &View) -> String {
    to_ron(&v1::SessionFile::of(session, view), 4)
}

/// A GPU as RON text, to copy.
pub fn gpu_text(gpu: &Gpu) -> String {
    without_header(&to_ron(&GpuFile::of(gpu), 2))
}

/// The GPU in copied text.
pub fn gpu_from_text(text: &str) -> Result<Gpu, FileError> {
    let (file, _) = parse::<GpuFile>(text)?;
    gpu_of_file(file, "").map_err(|problem| locate(text, problem))
}

/// A workload's name and kind as RON text, to copy; what belongs to GPUs stays behind.
pub fn workload_text(workload: &Workload) -> String {
    without_header(&to_ron(&v1::WorkloadFile::alone(workload), 2))
}

/// The workload in copied text, without anything that names a GPU.
pub fn workload_from_text(text: &str) -> Result<Workload, FileError> {
    let (file, _) = parse::<v1::WorkloadFile>(text)?;
    to_model::workload_alone(file).map_err(|problem| locate(text, problem))
}

/// Refuses versions this program does not know, before anything else of the file is read.
fn check_version(text: &str) -> Result<(), FileError> {
    let known = v1::VERSION;
    let Some(extent) = locate::find(text, "version") else {
        // Broken text is for the RON reader to explain.
        let Some(extent) = locate::find_root(text) else {
            return Ok(());
        };
        let message = "this is not a Ridgepoint session: it has no version; a session begins with `version: 1`";
        return Err(error_at(text, extent.start, message.to_owned()));
    };
    let start = extent.start;
    let message = match text[extent].parse::<u32>() {
        Ok(version) if (1..=known).contains(&version) => return Ok(()),
        Ok(0) | Err(_) => {
            format!("a version is a whole number from 1 to {known}: write `version: 1`")
        }
        Ok(version) => format!(
            "the file was made by a newer Ridgepoint (version {version}); this one reads up to {known}: update it to open the file"
        ),
    };
    Err(error_at(text, start, message))
}

/// Reads RON text; also returns a sentence for every field that is not known.
///
/// The extensions that our own files enable need not be named in a file, and a kind may be written both ways:
/// `Decode(batch: 1)` and, as RON without extensions has it, `Decode((batch: 1))`.
pub(super) fn parse<T: DeserializeOwned>(text: &str) -> Result<(T, Vec<String>), FileError> {
    let plain = Extensions::IMPLICIT_SOME;
    parse_with(text, plain | Extensions::UNWRAP_VARIANT_NEWTYPES)
        .or_else(|error| parse_with(text, plain).map_err(|_| error))
}

fn parse_with<T: DeserializeOwned>(
    text: &str,
    extensions: Extensions,
) -> Result<(T, Vec<String>), FileError> {
    let options = ron::Options::default().with_default_extension(extensions);
    let mut unknown = Vec::new();
    let mut deserializer = ron::Deserializer::from_str_with_options(text, &options)
        .map_err(|error| ron_error(text, error))?;
    let value = serde_ignored::deserialize(&mut deserializer, |path| {
        unknown.push(path.to_string());
    });
    let value = value.map_err(|code| ron_error(text, deserializer.span_error(code)))?;
    deserializer
        .end()
        .map_err(|code| ron_error(text, deserializer.span_error(code)))?;
    Ok((value, unknown_fields(text, unknown)))
}

/// The reader's error, at the beginning of the value it is about.
fn ron_error(text: &str, error: ron::error::SpannedError) -> FileError {
    use ron::Error;
    let [start, end] = [error.span.start, error.span.end]
        .map(|position| locate::offset(text, position.line, position.col));
    let value_at = |offset| locate::innermost(text, offset).map(|extent| extent.start);
    let offset = match error.code {
        Error::Eof => end,
        // The reader stands at the bracket that closes the struct.
        Error::MissingStructField { .. } => value_at(start + 1).unwrap_or(start),
        // The reader stands behind the opening quote of a text it could not use.
        Error::Message(_) => value_at(start).unwrap_or(start),
        // The reader may stand before the space in front of the value.
        _ => start + text[start..].len() - text[start..].trim_start().len(),
    };
    let message = match &error.code {
        Error::ExpectedIdentifier => "a name without quotes is expected here".to_owned(),
        code => code.to_string(),
    };
    let field = match error.code {
        Error::Eof | Error::MissingStructField { .. } => None,
        _ => locate::field_at(text, offset),
    };
    let message = match field {
        Some(field) => format!("{field}: {message}"),
        None => message,
    };
    error_at(text, offset, message)
}

fn unknown_fields(text: &str, paths: Vec<String>) -> Vec<String> {
    let more = paths.len().saturating_sub(MOST_WARNINGS);
    let mut warnings: Vec<_> = paths
        .into_iter()
        .take(MOST_WARNINGS)
        .map(|path| {
            let path = path.replace(".?", "");
            let place = locate::find(text, &path)
                .map(|extent| format!(" (line {})", locate::line_column(text, extent.start).0))
                .unwrap_or_default();
            format!("{path} is unknown and will be lost on save{place}")
        })
        .collect();
    if more > 0 {
        warnings.push(format!(
            "{more} more fields are unknown and will be lost on save"
        ));
    }
    warnings
}

fn error_at(text: &str, offset: usize, message: String) -> FileError {
    let (line, column) = locate::line_column(text, offset);
    FileError {
        line,
        column,
        message,
    }
}

/// Puts a problem where its value stands.
pub(super) fn locate(text: &str, problem: Problem) -> FileError {
    let extent = locate::find_nearest(text, &problem.path);
    error_at(
        text,
        extent.map_or(0, |extent| extent.start),
        problem.message,
    )
}

/// RON text in the one layout files have: beyond `depth` levels a struct is one line.
pub(super) fn to_ron(value: &impl Serialize, depth: usize) -> String {
    let layout = ron::ser::PrettyConfig::new()
        .new_line("\n")
        .depth_limit(depth)
        .struct_names(true)
        .escape_strings(false)
        .extensions(Extensions::IMPLICIT_SOME | Extensions::UNWRAP_VARIANT_NEWTYPES);
    let text = ron::Options::default().to_string_pretty(value, layout);
    // An empty text in its place could overwrite someone's file.
    text.expect("only failing writers and odd map keys fail, and there are neither") + "\n"
}

fn without_header(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("#!["));
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minimal_file_is_enough() {
        let text = r#"(version: 1, gpus: [(name: "a", capacity: Some("3 GB"), compute: [(path: "FP16", peak: 1e15)])],
            workloads: [(name: "w", kind: Decode((parameters: "8 G", bytes_per_parameter: 2, batch: 4)))])"#;
        let loaded = read(text).unwrap();
        assert_eq!(loaded.session.gpus[0].capacity.unwrap().get(), 3e9);
        assert_eq!(loaded.session.workloads[0].kind.number("batch"), Some(4.0));
        assert_eq!(loaded.view, View::of(&loaded.session));
        let written = write(&loaded.session, &loaded.view);
        assert_eq!(read(&written).unwrap().session, loaded.session);
    }

    #[test]
    fn a_choice_that_is_none_names_its_field() {
        for (written, expected) in [
            ("Sometimes", "latency: Unexpected variant named `Sometimes`"),
            (
                "\"3 µs\"",
                "latency: a name without quotes is expected here",
            ),
        ] {
            let text = format!(
                "(version: 1, workloads: [(name: \"w\", kind: Collective(operation: AllGather, ranks: 8, \
                 size: \"1 GB\", latency: {written}))])"
            );
            let error = read(&text).unwrap_err();
            assert!(error.message.starts_with(expected), "{error}");
            let at = text[..text.find(written).unwrap()].chars().count() + 1;
            assert_eq!((error.line, error.column), (1, at));
        }
    }

    #[test]
    fn copied_text_comes_back() {
        let mut gpu = Gpu::empty("a \"b\"");
        gpu.notes = "one\ntwo".to_owned();
        assert_eq!(gpu_from_text(&gpu_text(&gpu)), Ok(gpu));
        for kind in crate::model::workload::Kind::examples() {
            let workload = Workload::new(kind.title(), kind);
            assert_eq!(workload_from_text(&workload_text(&workload)), Ok(workload));
        }
        assert_eq!(gpu_from_text("Gpu(name: \" \")").unwrap_err().column, 11);
    }
}
