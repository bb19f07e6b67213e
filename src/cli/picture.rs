//! What `figure` and `screenshot` share: where the picture goes, how large it is, in which theme.
use super::{Failure, output};
use crate::figure;
use crate::files::atomic;
use egui::{Theme, Vec2, vec2};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Where and how a picture is written.
#[derive(clap::Args)]
pub(super) struct Target {
    /// The file to write; its ending decides the kind
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Width and height in pixels
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "1600x1000", value_parser = size)]
    pub size: Vec2,
    /// The colours
    #[arg(long, default_value = "light", value_parser = theme)]
    pub theme: Theme,
}

/// The kinds of picture there are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    Svg,
    Png,
}

impl Target {
    /// Writes a picture given as SVG text.
    pub(super) fn write(&self, svg: &str) -> Result<ExitCode, Failure> {
        self.write_magnified(svg, 1.0)
    }

    /// The same, with so many pixels to a point.
    pub(super) fn write_magnified(&self, svg: &str, zoom: f32) -> Result<ExitCode, Failure> {
        let bytes = match ending(&self.output)? {
            Ending::Svg => svg.as_bytes().to_vec(),
            Ending::Png => figure::png::from_svg(svg, zoom)?,
        };
        atomic::write(&self.output, &bytes)?;
        Ok(ExitCode::SUCCESS)
    }

    /// Checks the file's ending before anything is drawn.
    pub(super) fn check(&self) -> Result<(), Failure> {
        ending(&self.output).map(|_| ())
    }

    /// Tells on the standard error what the picture could not show.
    pub(super) fn complain(&self, missing: &[String]) {
        for sentence in missing {
            output::complain(sentence);
        }
    }
}

fn ending(path: &Path) -> Result<Ending, Failure> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    match extension.map(str::to_ascii_lowercase).as_deref() {
        Some("svg") => Ok(Ending::Svg),
        Some("png") => Ok(Ending::Png),
        _ => Err(Failure::Usage(format!(
            "{}: end the name in .svg or .png",
            path.display()
        ))),
    }
}

fn size(text: &str) -> Result<Vec2, String> {
    const LEAST: f32 = 200.0;
    const MOST: f32 = 10_000.0;
    let wrong =
        || format!("{text:?} is not a size: write for example 1600x1000, each {LEAST} to {MOST}");
    let (width, height) = text.split_once(['x', 'X', '×']).ok_or_else(wrong)?;
    let side = |text: &str| {
        text.trim()
            .parse::<u16>()
            .map(f32::from)
            .map_err(|_| wrong())
    };
    let (width, height) = (side(width)?, side(height)?);
    let fits = |side: f32| (LEAST..=MOST).contains(&side);
    if fits(width) && fits(height) {
        Ok(vec2(width, height))
    } else {
        Err(wrong())
    }
}

fn theme(text: &str) -> Result<Theme, String> {
    match text {
        "light" => Ok(Theme::Light),
        "dark" => Ok(Theme::Dark),
        _ => Err(format!("{text:?} is not a theme: write light or dark")),
    }
}
