//! Writing a file so that it is either the old one or the new one, never a half.
use std::fs::{self, File, Permissions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Why a file could not be written; the old one, if there was one, is untouched.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    #[error("{} cannot be written: it is a folder; name a file in it", path.display())]
    Folder { path: PathBuf },
    #[error("{} cannot be written: it is read-only; save under another name", path.display())]
    ReadOnly { path: PathBuf },
    #[error("{} cannot be written: {reason}; save in another folder", path.display())]
    Io { path: PathBuf, reason: io::Error },
}

/// Replaces the contents of a file, or creates it: by a new file in the same folder that takes its place.
///
/// A symbolic link stays, and what it points to is replaced; permissions stay as well.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let failed = |reason| WriteError::Io {
        path: path.to_owned(),
        reason,
    };
    let target = target(path).map_err(failed)?;
    let old = fs::metadata(&target).ok();
    if old.as_ref().is_some_and(fs::Metadata::is_dir) {
        return Err(WriteError::Folder {
            path: path.to_owned(),
        });
    }
    let permissions = old.map(|old| old.permissions());
    if permissions.as_ref().is_some_and(Permissions::readonly) {
        return Err(WriteError::ReadOnly {
            path: path.to_owned(),
        });
    }
    replace(&target, bytes, permissions).map_err(failed)
}

fn replace(target: &Path, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    // Removes itself if anything below fails.
    let mut new = new_file().tempfile_in(folder)?;
    new.write_all(bytes)?;
    if let Some(permissions) = permissions {
        new.as_file().set_permissions(permissions)?;
    }
    new.as_file().sync_all()?;
    new.persist(target).map_err(|error| error.error)?;
    if let Err(error) = sync_folder(folder) {
        // The file is in place; only a power cut within seconds could still undo it.
        log::warn!("{} could not be synced: {error}", folder.display());
    }
    Ok(())
}

#[cfg(unix)]
fn new_file() -> tempfile::Builder<'static, 'static> {
    use std::os::unix::fs::PermissionsExt as _;
    let mut builder = tempfile::Builder::new();
    // As for any new file, the system takes away what the umask forbids.
    builder
        .prefix(".ridgepoint-")
        .permissions(Permissions::from_mode(0o666));
    builder
}

#[cfg(not(unix))]
fn new_file() -> tempfile::Builder<'static, 'static> {
    tempfile::Builder::new()
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// What is behind symbolic links, even if it does not exist yet.
fn target(path: &Path) -> io::Result<PathBuf> {
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(next) => path = path.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("its symbolic links go in a circle"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn creates_and_replaces() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ron");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(names(folder.path()), ["a.ron"]);
    }

    #[test]
    fn failures_leave_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).unwrap();
        let error = write(&inner, b"x").unwrap_err();
        assert!(matches!(error, WriteError::Folder { .. }), "{error}");
        let error = write(&folder.path().join("missing/a.ron"), b"x").unwrap_err();
        assert!(error.to_string().contains("missing/a.ron"), "{error}");
        assert_eq!(names(folder.path()), ["inner"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        symlink("real", &link).unwrap();
        write(&link, b"one").unwrap();
        fs::set_permissions(&real, Permissions::from_mode(0o640)).unwrap();
        write(&link, b"two").unwrap();
        assert_eq!(fs::read(&real).unwrap(), b"two");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let mode = fs::metadata(&real).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);

        fs::set_permissions(&real, Permissions::from_mode(0o440)).unwrap();
        assert!(matches!(
            write(&link, b"x"),
            Err(WriteError::ReadOnly { .. })
        ));
        symlink("circle", folder.path().join("circle")).unwrap();
        assert!(write(&folder.path().join("circle"), b"x").is_err());
        assert_eq!(names(folder.path()), ["circle", "link", "real"]);
    }
}
