//! An entry of the cache as text: the result of a replay that has passed, with a checksum over it
//! and its key. This module does not know the cache's folder.
//!
//! ```text
//! nudge result 1
//! ended 97213000000
//! record 5f0c1b8e…
//! sum 90d1f6f2…
//! ```

use std::io::{self, ErrorKind};
use std::path::Path;

use thiserror::Error;
use virtual_time::Instant;

use super::key::{Key, hash};

/// First line of an entry of this version.
const FIRST: &str = "nudge result 1";
/// Beginning of the first line in every version.
const ANY_FIRST: &str = "nudge result ";

/// Maximum length of an entry, in bytes.
const BYTES_MAX: usize = 1 << 10;

/// Result of a replay that has passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Virtual time at which the replay ended.
    pub ended_at: Instant,
    /// Hash of everything that the board showed, sent and sounded.
    pub record: String,
}

/// Reason why an entry cannot be used.
#[derive(Debug, Error)]
pub(crate) enum EntryError {
    #[error("this entry of the result cache cannot be read ({0})")]
    Read(#[from] io::Error),
    #[error("this entry of the result cache is of another version of nudge")]
    Version,
    #[error("this entry of the result cache is cut off or damaged")]
    Damaged,
}

impl Entry {
    /// Reads the entry of `key` from the file at `path`; `None` if there is no file.
    pub fn read(path: &Path, key: &Key) -> Result<Option<Self>, EntryError> {
        let bytes = match host::input_files::read(path, BYTES_MAX) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let text = std::str::from_utf8(&bytes).map_err(|_| EntryError::Damaged)?;
        let entry = Self::parse(text).filter(|entry| entry.text(key) == text);
        match entry {
            Some(entry) => Ok(Some(entry)),
            None if is_of_another_version(text) => Err(EntryError::Version),
            None => Err(EntryError::Damaged),
        }
    }

    /// Returns the text of the entry's file.
    pub fn text(&self, key: &Key) -> String {
        let body = format!("{FIRST}\nended {}\nrecord {}\n", self.ended_at.0, self.record);
        let sum = hash([key.to_string().as_bytes(), body.as_bytes()]);
        format!("{body}sum {sum}\n")
    }

    /// Parses a text that may be damaged. The caller compares it with [`text`](Self::text).
    fn parse(text: &str) -> Option<Self> {
        let mut values = text.lines().skip(1).map(|line| line.split_once(' ').map(|(_, it)| it));
        let ended_at = Instant(values.next()??.parse().ok()?);
        Some(Self { ended_at, record: values.next()??.to_owned() })
    }
}

/// Returns whether the text has a complete first line that names another version.
fn is_of_another_version(text: &str) -> bool {
    text.split_once('\n').is_some_and(|(first, _)| first.starts_with(ANY_FIRST) && first != FIRST)
}
