//! The errors of storage.

use core::fmt;

use embedded_storage::nor_flash::{NorFlashError, NorFlashErrorKind};

use super::layout::FLASH_BYTES;

/// Reason why storage cannot read or save something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorageError {
    /// The flash itself failed, or the power was cut.
    Flash(NorFlashErrorKind),
    /// The flash has fewer than [`FLASH_BYTES`] bytes.
    TooSmall,
    /// Saved data is no longer as it was saved. [`format()`](crate::storage::format) resets
    /// settings and scores; a damaged file can be removed.
    Damaged,
    /// No room for another file.
    Full,
    /// Firmware with a later format version (this number) wrote the record.
    UnknownVersion(u8),
    /// A record ends in the middle of a field.
    CutShort,
    /// A setting has a value that this firmware does not know.
    UnknownValue {
        /// Name of the setting, as in a trace's header if it is allowed there.
        setting: &'static str,
        /// Value in flash.
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

/// Converts an error of the flash into one of storage.
pub(super) fn flash_error<E: NorFlashError>(error: E) -> StorageError {
    StorageError::Flash(error.kind())
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::string::ToString as _;

    use super::*;

    #[test]
    fn each_error_names_its_cause() {
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
