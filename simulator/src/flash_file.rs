//! The file of a board's flash: its 256 KiB as they are, read with an eye on what is none,
//! and replaced whole. What is in a flash is not known here.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use hal_mock::flash::FLASH_SIZE;

use crate::setup::SetupError;

/// The flash in the file at `path`; `None` if there is no file.
///
/// # Errors
/// If the file cannot be read, or has another size than a flash.
pub fn read(path: &Path) -> Result<Option<Vec<u8>>, SetupError> {
    let unreadable = |error| SetupError::new(format!("{}: {error}", path.display()));
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    };
    let mut image = Vec::new();
    // One byte more than there may be tells a file that is too large, even an endless one.
    file.take(FLASH_SIZE as u64 + 1).read_to_end(&mut image).map_err(unreadable)?;
    if image.len() != FLASH_SIZE {
        return Err(SetupError::new(format!(
            "{}: is no flash of this board, which has {FLASH_SIZE} bytes",
            path.display()
        )));
    }
    Ok(Some(image))
}

/// Replaces `path` by `image` in one go: a crash leaves the old flash or the new one.
///
/// # Errors
/// If it cannot be written.
pub fn keep(path: &Path, image: &[u8]) -> io::Result<()> {
    if fs::read(path).is_ok_and(|kept| kept == image) {
        return Ok(());
    }
    let beside = beside(path);
    let written = File::create(&beside).and_then(|mut file| {
        file.write_all(image)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&beside, path)).inspect_err(|_| {
        let _ = fs::remove_file(&beside);
    })
}

/// A name in the same folder, so that renaming needs no copying.
fn beside(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".new");
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flash_is_replaced_whole_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("flash.bin");
        assert_eq!(read(&path).unwrap(), None);
        for byte in [1, 2] {
            let image = vec![byte; FLASH_SIZE];
            keep(&path, &image).unwrap();
            assert_eq!(read(&path).unwrap(), Some(image));
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(keep(folder.path(), &[1]).is_err(), "a folder");
    }
}
