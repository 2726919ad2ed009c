//! Reads the file of a board's flash, its 256 KiB as they are. It does not know what is in them.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use hal_mock::flash::FLASH_SIZE;

use hal_mock::setup::SetupError;

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
