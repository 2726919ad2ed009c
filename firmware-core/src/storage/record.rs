//! Reads the bytes of a record: a version, then fields, little-endian.
//!
//! A later format only adds fields at the end: if a record ends early, the missing fields keep
//! their defaults, and bytes after the known fields are ignored. Only a change in the meaning of
//! existing fields makes a new version.

use super::error::StorageError;

/// Unread rest of a record.
pub(super) struct Fields<'r>(&'r [u8]);

impl<'r> Fields<'r> {
    /// Returns the fields after the version, which must be `version`.
    pub(super) fn of(record: &'r [u8], version: u8) -> Result<Self, StorageError> {
        match record.split_first() {
            Some((found, fields)) if *found == version => Ok(Self(fields)),
            Some((found, _)) => Err(StorageError::UnknownVersion(*found)),
            None => Err(StorageError::CutShort),
        }
    }

    /// Returns the next `N` bytes; `None` at the end of the record.
    pub(super) fn next<const N: usize>(&mut self) -> Result<Option<[u8; N]>, StorageError> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let (field, rest) = self.0.split_first_chunk().ok_or(StorageError::CutShort)?;
        self.0 = rest;
        Ok(Some(*field))
    }

    /// Sets `field` to the meaning of the next byte; leaves it unchanged at the end of the record.
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
