//! Reads the file of a board's flash, a raw image of 256 KiB. This module does not know its
//! content.

use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use hal_mock::flash::FLASH_SIZE;
use trace::lfs::{IS_A_POINTER, is_pointer};

/// Why a file is not the flash of a board. `Display` gives one sentence that names the file.
#[derive(Debug, thiserror::Error)]
pub enum FlashFileError {
    /// The file cannot be opened or read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// File name as it was given.
        path: PathBuf,
        /// Error of the file system.
        source: io::Error,
    },
    /// The file is a Git LFS pointer.
    #[error("{}: {IS_A_POINTER}", .0.display())]
    LfsPointer(PathBuf),
    /// The file's size differs from that of a flash.
    #[error("{}: is no flash of this board, which has {FLASH_SIZE} bytes", .0.display())]
    WrongSize(PathBuf),
}

/// Returns the 262,144 bytes in the file at `path`; `None` if there is no file.
///
/// # Errors
/// If the file cannot be read, or has another size than a flash.
pub fn read(path: &Path) -> Result<Option<Vec<u8>>, FlashFileError> {
    let unreadable = |source| FlashFileError::Unreadable { path: path.to_owned(), source };
    let file = match host::input_files::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    };
    let mut image = Vec::new();
    // Reading one byte more than the limit reveals a file that is too large, even one without an
    // end.
    file.take(FLASH_SIZE as u64 + 1).read_to_end(&mut image).map_err(unreadable)?;
    if is_pointer(&image) {
        return Err(FlashFileError::LfsPointer(path.to_owned()));
    }
    if image.len() != FLASH_SIZE {
        return Err(FlashFileError::WrongSize(path.to_owned()));
    }
    Ok(Some(image))
}
