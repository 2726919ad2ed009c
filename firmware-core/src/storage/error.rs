//! Why storage fails.

use core::fmt;

use embedded_storage::nor_flash::{NorFlashError, NorFlashErrorKind};

use super::layout::FLASH_BYTES;

/// Why storage cannot give or keep something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorageError {
    /// The flash itself failed (or power did).
    Flash(NorFlashErrorKind),
    /// The flash has fewer than [`FLASH_BYTES`] bytes.
    TooSmall,
    /// Something was kept and is not there as it was. [`format()`](crate::storage::format) starts settings and scores
    /// over; a damaged file can be removed.
    Damaged,
    /// No room for another.
    Full,
    /// A record was written by firmware of a later format (this number).
    UnknownVersion(u8),
    /// A record ends in the middle of a field.
    CutShort,
    /// A setting has a value that this firmware does not know.
    UnknownValue {
        /// The setting's name, as a trace's header spells it if it may stand there.
        setting: &'static str,
        /// Its value in flash.
        value: u8,
    },
}

impl fmt::Display for StorageError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flash(kind) => write!(out, "flash failed: {kind}"),
            Self::TooSmall => write!(out, "flash has less than {FLASH_BYTES} bytes"),
            Self::Damaged => out.write_str("flash is damaged"),
            Self::Full => out.write_str("flash is full"),
            Self::UnknownVersion(version) => {
                write!(out, "a record is of a later version ({version})")
            }
            Self::CutShort => out.write_str("a record is cut short"),
            Self::UnknownValue { setting, value } => {
                write!(out, "setting {setting} has the unknown value {value}")
            }
        }
    }
}

impl core::error::Error for StorageError {}

/// The error of the flash as one of storage.
pub(super) fn flash_error<E: NorFlashError>(error: E) -> StorageError {
    StorageError::Flash(error.kind())
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::string::ToString as _;

    use super::*;

    #[test]
    fn each_error_says_what_is_wrong() {
        let unknown = StorageError::UnknownValue { setting: "sound", value: 7 };
        for (error, words) in [
            (StorageError::TooSmall, "flash has less than 262144 bytes"),
            (StorageError::Full, "flash is full"),
            (StorageError::UnknownVersion(3), "a record is of a later version (3)"),
            (unknown, "setting sound has the unknown value 7"),
        ] {
            assert_eq!(error.to_string(), words);
        }
    }
}
