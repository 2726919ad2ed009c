//! The size of a flash as an argument: `2M`, `512K` or a number of bytes.

use rp2040_emulator::cpu::memory::MAX_FLASH_SIZE;
use thiserror::Error;

/// Size of a flash sector in bytes. A flash has a whole number of sectors.
const SECTOR: usize = 4096;

/// The error for a text that is not a flash size.
#[derive(Debug, Error)]
#[error("`{0}` is no size of a flash; give 4K to 16M, in whole sectors of 4K, like 2M")]
pub struct NotFlashSize(String);

/// Parses a size in bytes.
///
/// # Errors
/// [`NotFlashSize`].
pub fn parse_flash_size(text: &str) -> Result<usize, NotFlashSize> {
    let (number, unit) = match text.strip_suffix(['M', 'm']) {
        Some(number) => (number, 1 << 20),
        None => match text.strip_suffix(['K', 'k']) {
            Some(number) => (number, 1 << 10),
            None => (text, 1),
        },
    };
    let bytes = number.parse().ok().and_then(|number: usize| number.checked_mul(unit));
    bytes
        .filter(|bytes| (SECTOR..=MAX_FLASH_SIZE).contains(bytes) && bytes.is_multiple_of(SECTOR))
        .ok_or_else(|| NotFlashSize(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_whole_sectors_up_to_16_mib() {
        for (text, size) in [
            ("2M", Some(2 << 20)),
            ("512k", Some(512 << 10)),
            ("8192", Some(8192)),
            ("16M", Some(16 << 20)),
            ("17M", None),
            ("0", None),
            ("5000", None),
            ("99999999999999999999M", None),
            ("M", None),
            ("-2M", None),
        ] {
            assert_eq!(parse_flash_size(text).ok(), size, "{text}");
        }
    }
}
