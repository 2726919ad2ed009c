//! The results of earlier replays: a trace that has passed passes again as long as nothing that its
//! replay depends on has changed, because replays are deterministic.
//!
//! What a replay depends on is its key (`key`): the engine (the program that replays, the board, the
//! program on it), the trace with all files that its replay reads, and the options that judge it. Only a
//! result without anything to say is kept: passed, no notice. [`Results::look_up`] finds it, and picks
//! some hits at random to be replayed all the same; if such a replay does not end as its entry says,
//! the trace fails ([`Entry::parting`]).
//!
//! An entry is a small text file of its own (`entry`), written whole or not at all, so runs side by side do
//! not disturb each other. What is cut off, damaged or of another version is no result.
//! [`Results::prune`] bounds their number. It knows no board and no report.

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

/// Of so many hits one is replayed all the same.
const CHECKED_ONE_IN: u64 = 32;

/// The most entries that remain when a run has ended.
const ENTRIES_MAX: usize = 20_000;

/// How the names of entries end.
const EXTENSION: &str = "result";

/// What is known of a trace.
pub(crate) enum Known {
    /// It has passed.
    Passed(Entry),
    /// It has passed, and is replayed to check that it does so again.
    Check(Entry),
    /// Nothing.
    Nothing,
    /// There is an entry that cannot be used: why.
    Unusable(String),
}

/// The results that a run may use; `None` of them where the run writes what only a replay yields.
#[derive(Clone, Copy)]
pub(crate) struct Results<'a>(&'a ResultCache);

impl<'a> Results<'a> {
    /// Those of `options`.
    pub fn of(options: &'a ReplayOptions) -> Option<Self> {
        options.results.as_ref().filter(|_| !options.needs_replays()).map(Self)
    }

    /// The key of the trace in the file at `path`; `None` if it cannot be read whole.
    pub fn key(self, path: &Path, options: &ReplayOptions) -> Option<Key> {
        Key::of(&self.0.engine, path, options)
    }

    pub fn look_up(self, key: &Key) -> Known {
        match Entry::read(&self.path(key), key) {
            Ok(Some(entry)) if key.draw(self.0.seed).is_multiple_of(CHECKED_ONE_IN) => {
                Known::Check(entry)
            }
            Ok(Some(entry)) => Known::Passed(entry),
            Ok(None) => Known::Nothing,
            Err(error) => Known::Unusable(self.explain(key, &error)),
        }
    }

    /// Keeps what a replay that has passed came to.
    ///
    /// # Errors
    /// If the entry cannot be written.
    pub fn keep(self, key: &Key, entry: &Entry) -> Result<(), OutputError> {
        Output::new(self.path(key)).replace(true).write(entry.text(key).as_bytes())
    }

    /// Removes the oldest entries, if there are more than are kept. What cannot be removed or looked at
    /// remains: another run may be at it.
    pub fn prune(self) {
        self.prune_to(ENTRIES_MAX);
    }

    fn prune_to(self, most: usize) {
        let entries = fs::read_dir(&self.0.folder).into_iter().flatten().flatten();
        let is_entry = |path: &PathBuf| {
            let key = path.file_stem().and_then(OsStr::to_str).is_some_and(Key::is_named_by);
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
    /// Why a replay that came to `now` contradicts this entry; `None` if it does not.
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

    /// Of a replay that has passed on `board`.
    pub fn of(board: &VirtualBoard, ended_at: virtual_time::Instant) -> Self {
        Self { ended_at, record: key::record(board, ended_at) }
    }
}

#[cfg(test)]
mod tests;
