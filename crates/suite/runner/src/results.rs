//! Results of earlier replays. Replays are deterministic, so a trace that has passed passes again
//! as long as nothing that its replay depends on has changed.
//!
//! A key (`key`) identifies everything that a replay depends on: the engine (the replaying program,
//! the board and the program on it), the trace with all files that its replay reads, and the
//! options that judge it. Only a result without remarks is stored: passed, no notice.
//! [`Results::look_up`] finds it, and selects some hits at random that are replayed nevertheless.
//! If such a replay differs from its entry, the trace fails ([`Entry::contradiction`]).
//!
//! An entry is a small text file (`entry`), written whole or not at all, so simultaneous runs do
//! not disturb each other. A truncated or damaged entry, or one of another version, is not used.
//! [`Results::prune`] bounds the number of entries. This module does not know boards or reports.

mod entry;
mod key;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use hal_mock::VirtualBoard;
use host::output_files::{Output, OutputError};

use crate::options::ReplayOptions;
use crate::options::result_cache::ResultCache;
pub(crate) use entry::Entry;
use entry::EntryError;
pub(crate) use key::Key;

/// One of this many hits is replayed nevertheless.
const CHECKED_ONE_IN: u64 = 32;

/// Maximum number of entries that remain after a run.
const ENTRIES_MAX: usize = 20_000;

/// Extension of an entry's file name.
const EXTENSION: &str = "result";

/// Result of looking up a trace in the cache.
pub(crate) enum CacheLookup {
    /// The trace has passed.
    Passed(Entry),
    /// The trace has passed, and is replayed to check that it passes again.
    Check(Entry),
    /// There is no entry.
    Nothing,
    /// There is an entry that cannot be used, for this reason.
    Unusable(String),
}

/// The cached results that a run may use.
#[derive(Clone, Copy)]
pub(crate) struct Results<'a>(&'a ResultCache);

impl<'a> Results<'a> {
    /// Returns the cache in `options`; `None` if the run writes something that only a replay
    /// yields.
    pub fn of(options: &'a ReplayOptions) -> Option<Self> {
        options.results.as_ref().filter(|_| !options.needs_replays()).map(Self)
    }

    /// Returns the key of the trace in the file at `path`; `None` if a file that its replay reads
    /// cannot be read completely.
    pub fn key(self, path: &Path, options: &ReplayOptions) -> Option<Key> {
        Key::of(&self.0.engine, path, options)
    }

    pub fn look_up(self, key: &Key) -> CacheLookup {
        match Entry::read(&self.path(key), key) {
            Ok(Some(entry)) if key.draw(self.0.seed).is_multiple_of(CHECKED_ONE_IN) => {
                CacheLookup::Check(entry)
            }
            Ok(Some(entry)) => CacheLookup::Passed(entry),
            Ok(None) => CacheLookup::Nothing,
            Err(error) => CacheLookup::Unusable(self.explain(key, &error)),
        }
    }

    /// Stores the result of a replay that has passed.
    ///
    /// # Errors
    /// If the entry cannot be written.
    pub fn keep(self, key: &Key, entry: &Entry) -> Result<(), OutputError> {
        Output::new(self.path(key)).replace(true).write(entry.text(key).as_bytes())
    }

    /// Removes the oldest entries if there are more than [`ENTRIES_MAX`]. An entry that cannot be
    /// inspected or removed remains: another run may be using it.
    pub fn prune(self) {
        self.prune_to(ENTRIES_MAX);
    }

    fn prune_to(self, most: usize) {
        let entries = fs::read_dir(&self.0.folder).into_iter().flatten().flatten();
        let is_entry = |path: &PathBuf| {
            let key = path.file_stem().and_then(OsStr::to_str).is_some_and(Key::is_key_name);
            key && path.extension() == Some(OsStr::new(EXTENSION))
        };
        let paths: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_entry).collect();
        let Some(excess) = paths.len().checked_sub(most).filter(|excess| *excess > 0) else {
            return;
        };
        let written = |path: &PathBuf| fs::metadata(path).and_then(|found| found.modified()).ok();
        let mut by_age: Vec<(Option<SystemTime>, PathBuf)> =
            paths.into_iter().map(|path| (written(&path), path)).collect();
        by_age.sort();
        for (_, path) in by_age.into_iter().take(excess) {
            let _ = fs::remove_file(path);
        }
    }

    fn path(self, key: &Key) -> PathBuf {
        self.0.folder.join(key.to_string()).with_extension(EXTENSION)
    }

    fn explain(self, key: &Key, error: &EntryError) -> String {
        format!("{}: {error}; the trace was replayed", self.path(key).display())
    }
}

impl Entry {
    /// Returns how a replay with the result `now` contradicts this entry; `None` if it does not.
    pub fn contradiction(&self, now: &Self, passed: bool) -> Option<String> {
        let what = match passed {
            false => "passed".to_owned(),
            true if self == now => return None,
            true => format!(
                "ended at {} with record {:.16}, and this one at {} with {:.16}",
                self.ended_at, self.record, now.ended_at, now.record
            ),
        };
        Some(format!(
            "an earlier replay of the same files by the same nudge {what}, says the result cache: the \
             replay is not deterministic, or nudge did not write that entry; please report it. \
             `--no-cache` leaves the cache out"
        ))
    }

    /// Creates the entry of a replay that has passed on `board`.
    pub fn of(board: &VirtualBoard, ended_at: virtual_time::Instant) -> Self {
        Self { ended_at, record: key::record(board, ended_at) }
    }
}

#[cfg(test)]
mod tests;
