//! Files that are written in place, where none exists yet: a program that is copied with its
//! permissions, and output to a device that processes each block as it arrives.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use crate::output_files::OutputError;

/// Copies the file at `from` to `to`, where no file may exist. Permissions to execute are retained.
///
/// # Errors
/// [`OutputError::Exists`], or if one cannot be read or the other not be written.
pub fn copy_new(from: &Path, to: &Path) -> Result<(), OutputError> {
    let at = |path: &Path| {
        let path = path.to_owned();
        move |source: io::Error| match source.kind() {
            io::ErrorKind::AlreadyExists => OutputError::Exists { path },
            _ => OutputError::Io { path, source },
        }
    };
    let mut source = fs::File::open(from).map_err(at(from))?;
    let permissions = source.metadata().map_err(at(from))?.permissions();
    let mut copied = OpenOptions::new().write(true).create_new(true).open(to).map_err(at(to))?;
    io::copy(&mut source, &mut copied).map_err(at(to))?;
    copied.set_permissions(permissions).map_err(at(to))
}

/// Writes `bytes` to `path`, where no file may exist, and flushes them to the device. For a drive
/// that is actually a device and processes blocks as they arrive, so there is neither a temporary
/// file nor a rename.
///
/// # Errors
/// [`OutputError::Exists`], or if the file cannot be written; then a part of it may exist.
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let error = |source: io::Error| match source.kind() {
        io::ErrorKind::AlreadyExists => OutputError::Exists { path: path.to_owned() },
        _ => OutputError::Io { path: path.to_owned(), source },
    };
    let mut file = OpenOptions::new().write(true).create_new(true).open(path).map_err(error)?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(error)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_program_stays_executable_and_no_file_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let [from, to] = ["a", "b"].map(|name| folder.path().join(name));
        fs::write(&from, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&from, fs::Permissions::from_mode(0o755)).unwrap();
        copy_new(&from, &to).unwrap();
        assert_eq!(fs::read(&to).unwrap(), b"#!/bin/sh\n");
        assert_eq!(fs::metadata(&to).unwrap().permissions().mode() & 0o777, 0o755);
        fs::write(&to, "mine").unwrap();
        assert!(matches!(copy_new(&from, &to), Err(OutputError::Exists { .. })));
        assert_eq!(fs::read(&to).unwrap(), b"mine");
        assert!(copy_new(&folder.path().join("none"), &folder.path().join("c")).is_err());
    }

    #[test]
    fn bytes_are_written_only_to_a_new_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.uf2");
        write_new(&path, b"one").unwrap();
        assert!(matches!(write_new(&path, b"two"), Err(OutputError::Exists { .. })));
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert!(write_new(&folder.path().join("none/b.uf2"), b"one").is_err());
    }
}
