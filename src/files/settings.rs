//! What the machine remembers: theme, zoom, recent files, open panels. Nothing here is part of a session.
use super::atomic;
use super::import::profile::mapping::{Mapping, Remembered, key};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// The most recent files that are remembered.
pub const MOST_RECENT: usize = 10;

/// The most tables whose columns are remembered.
const MOST_MAPPINGS: usize = 50;

const FILE: &str = "settings.ron";

/// Light, dark, or as the system is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    Light,
    Dark,
    #[default]
    System,
}

/// Which panels around the chart are open.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Panels {
    pub left: bool,
    pub right: bool,
    pub bottom: bool,
    /// Sizes in points where they were changed by hand.
    pub left_width: Option<f32>,
    pub right_width: Option<f32>,
    pub bottom_height: Option<f32>,
}

impl Default for Panels {
    fn default() -> Self {
        Self {
            left: true,
            right: true,
            bottom: true,
            left_width: None,
            right_width: None,
            bottom_height: None,
        }
    }
}

/// The settings of this machine's user.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    pub theme: Theme,
    pub contrast: bool,
    /// Whether the three lines of hints lie over the chart.
    pub hints: bool,
    /// The factor everything is drawn larger by, 0.5–4.
    pub zoom: f32,
    /// Whether the system's file dialogs are used where there are any.
    pub native_dialogs: bool,
    pub panels: Panels,
    /// The screen that a presentation fills, from 1; none is the one its window is on.
    pub screen: Option<u8>,
    /// Files opened or saved, the last one first.
    pub recent: Vec<PathBuf>,
    /// What was chosen in the palette, the last one first.
    pub used: Vec<String>,
    /// What the columns of tables are, the table read last first.
    pub mappings: Vec<Remembered>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: Theme::default(),
            contrast: false,
            hints: true,
            zoom: 1.0,
            native_dialogs: true,
            panels: Panels::default(),
            screen: None,
            recent: Vec::new(),
            used: Vec::new(),
            mappings: Vec::new(),
        }
    }
}

/// The folder of the user's settings; `None` where the system names no home.
pub fn folder() -> Option<PathBuf> {
    let folders = directories::ProjectDirs::from("", "", "ridgepoint")?;
    Some(folders.config_dir().to_owned())
}

/// The steps of the size of everything.
pub const ZOOMS: [f32; 10] = [0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0];

impl Settings {
    /// Draws everything a step larger (1) or smaller (−1).
    pub fn zoom_by(&mut self, direction: i8) {
        let next = match direction {
            1.. => ZOOMS.into_iter().find(|zoom| *zoom > self.zoom + 1e-3),
            _ => ZOOMS.into_iter().rfind(|zoom| *zoom < self.zoom - 1e-3),
        };
        self.zoom = next.unwrap_or(self.zoom);
    }

    /// The settings in a folder; defaults where there are none, or none that can be read (those are kept as `.bak`).
    pub fn load_from(folder: &Path) -> Self {
        let path = folder.join(FILE);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Self::default(),
            Err(error) => return keep_broken(&path, &error),
        };
        match ron::from_str::<Self>(&text) {
            Ok(settings) => settings.in_range(),
            Err(error) => keep_broken(&path, &error),
        }
    }

    /// Writes the settings into a folder, which is created if it is missing.
    pub fn save_to(&self, folder: &Path) -> Result<(), atomic::WriteError> {
        let mut settings = self.clone();
        // RON is text, so a path that is none cannot be remembered.
        settings.recent.retain(|path| path.to_str().is_some());
        let path = folder.join(FILE);
        let io = |reason| atomic::WriteError::Io {
            path: path.clone(),
            reason,
        };
        let text =
            ron::ser::to_string_pretty(&settings, ron::ser::PrettyConfig::new().new_line("\n"))
                .map_err(|error| io(std::io::Error::other(error)))?;
        fs::create_dir_all(folder).map_err(io)?;
        atomic::write(&path, (text + "\n").as_bytes())
    }

    /// Puts a file first among the recent ones; a relative path is remembered as an absolute one.
    pub fn remember(&mut self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        self.recent.retain(|other| *other != path);
        self.recent.insert(0, path);
        self.recent.truncate(MOST_RECENT);
    }

    /// Takes a file from the recent ones, as one that is gone.
    pub fn forget(&mut self, path: &Path) {
        self.recent.retain(|other| other != path);
    }

    /// Puts what was chosen in the palette first.
    pub fn use_again(&mut self, key: String) {
        self.used.retain(|other| *other != key);
        self.used.insert(0, key);
        self.used.truncate(MOST_RECENT);
    }

    /// Remembers what the columns of a table are, by its headers.
    pub fn remember_mapping(&mut self, columns: &[String], mapping: Mapping) {
        let key = key(columns);
        self.mappings.retain(|other| other.key != key);
        self.mappings.insert(0, Remembered { key, mapping });
        self.mappings.truncate(MOST_MAPPINGS);
    }

    fn in_range(mut self) -> Self {
        self.zoom = if self.zoom.is_finite() {
            self.zoom.clamp(0.5, 4.0)
        } else {
            1.0
        };
        let sizes = [
            &mut self.panels.left_width,
            &mut self.panels.right_width,
            &mut self.panels.bottom_height,
        ];
        for size in sizes {
            *size = size.filter(|size| size.is_finite() && (1.0..1e4).contains(size));
        }
        self.recent.truncate(MOST_RECENT);
        self.used.truncate(MOST_RECENT);
        self
    }
}

fn keep_broken(path: &Path, error: &dyn std::error::Error) -> Settings {
    let kept = path.with_extension("ron.bak");
    log::warn!(
        "{} cannot be read ({error}): it is kept as {}, and the defaults are used",
        path.display(),
        kept.display()
    );
    if let Err(error) = fs::rename(path, &kept) {
        log::warn!("{} cannot be renamed: {error}", path.display());
    }
    Settings::default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_saved_is_loaded() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("not/yet/there");
        assert_eq!(Settings::load_from(&folder), Settings::default());
        let mut settings = Settings {
            theme: Theme::Dark,
            zoom: 1.25,
            ..Settings::default()
        };
        settings.panels.bottom = false;
        settings.remember(Path::new("/a/ü \"1\".ron"));
        let columns = ["kernel".to_owned(), "ms".to_owned()];
        let mapping = crate::files::import::profile::mapping::guess(&columns).unwrap();
        settings.remember_mapping(&columns, mapping);
        settings.save_to(&folder).unwrap();
        assert_eq!(Settings::load_from(&folder), settings);
    }

    #[test]
    fn broken_settings_are_kept_aside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        for broken in [&b"(theme: "[..], b"\xff\xfe", b"(theme: pink)"] {
            fs::write(&path, broken).unwrap();
            assert_eq!(Settings::load_from(folder.path()), Settings::default());
            assert!(!path.exists());
            assert_eq!(
                fs::read(folder.path().join("settings.ron.bak")).unwrap(),
                broken
            );
        }
        fs::write(&path, "(zoom: NaN, later: 1)").unwrap();
        assert_eq!(Settings::load_from(folder.path()), Settings::default());
        fs::write(&path, "(zoom: 100.0)").unwrap();
        assert_eq!(Settings::load_from(folder.path()).zoom, 4.0);
    }

    #[test]
    fn the_last_file_comes_first() {
        let mut settings = Settings::default();
        for name in 0..12 {
            settings.remember(Path::new(&format!("/{name}")));
        }
        settings.remember(Path::new("/5"));
        assert_eq!(settings.recent.len(), MOST_RECENT);
        assert_eq!(
            settings.recent[..2],
            [PathBuf::from("/5"), PathBuf::from("/11")]
        );
        settings.forget(Path::new("/5"));
        assert_eq!(settings.recent.len(), MOST_RECENT - 1);
    }
}
