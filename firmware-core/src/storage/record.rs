//! How the bytes of a record are read: a version, then fields, little-endian.
//!
//! A later format only adds fields at the end: a record that ends early leaves the missing
//! ones as they are, and what follows the fields known here is not looked at. Only a change
//! of meaning of what is there already makes a new version.

use super::error::StorageError;

/// What of a record has not been read yet.
pub(super) struct Fields<'r>(&'r [u8]);

impl<'r> Fields<'r> {
    /// The fields behind the version, which has to be `version`.
    pub(super) fn of(record: &'r [u8], version: u8) -> Result<Self, StorageError> {
        match record.split_first() {
            Some((found, fields)) if *found == version => Ok(Self(fields)),
            Some((found, _)) => Err(StorageError::UnknownVersion(*found)),
            None => Err(StorageError::CutShort),
        }
    }

    /// The next `N` bytes; `None` at the end of the record.
    pub(super) fn next<const N: usize>(&mut self) -> Result<Option<[u8; N]>, StorageError> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let (field, rest) = self.0.split_first_chunk().ok_or(StorageError::CutShort)?;
        self.0 = rest;
        Ok(Some(*field))
    }

    /// Sets `field` to what the next byte means; leaves it at the end of the record.
    pub(super) fn take<T>(
        &mut self,
        setting: &'static str,
        field: &mut T,
        meaning: impl Fn(u8) -> Option<T>,
    ) -> Result<(), StorageError> {
        if let Some([value]) = self.next()? {
            *field = meaning(value).ok_or(StorageError::UnknownValue { setting, value })?;
        }
        Ok(())
    }
}
