//! Selects traces by the tags in their headers, and those that failed last time.

use std::collections::BTreeSet;

use trace::{TAGS_KEY, counted, did_you_mean};

use crate::header::header_entry_of;
use crate::memory::{Memory, MemoryError};
use crate::options::ReplayOptions;
use crate::suite::find::FoundTrace;

/// Reason why no trace is selected.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ChoiceError {
    /// No trace has a tag that was requested.
    #[error("of {}, none has the tag `{tag}`; {}", counted(*count, "trace"), known_tags(tag, known))]
    NoSuchTag {
        tag: String,
        /// Number of traces.
        count: usize,
        /// All tags of the traces.
        known: BTreeSet<String>,
    },
    /// `--exclude` leaves no trace.
    #[error("--exclude leaves none of {}; name fewer tags", counted(*count, "trace"))]
    AllExcluded {
        /// Number of traces before it.
        count: usize,
    },
    /// Nothing can be remembered.
    #[error(
        "--last-failed: no folder remembers which traces failed; name one with `--cache DIR`, in \
         each run"
    )]
    NoMemory,
    /// No trace of the paths failed in the run before.
    #[error(
        "--last-failed: no failed trace of these paths is remembered; run once without the option, \
         and in the same folder"
    )]
    NoneFailed,
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

fn known_tags(tag: &str, known: &BTreeSet<String>) -> String {
    let names: Vec<&str> = known.iter().map(String::as_str).collect();
    match names.as_slice() {
        [] => "no header has a line `tags`".to_owned(),
        names => format!("their tags are {}{}", names.join(", "), did_you_mean(tag, names)),
    }
}

/// Retains the traces that `options` select by tags, and by the failures of the last run.
///
/// # Errors
/// If no trace is left.
pub(crate) fn choose(
    traces: &mut Vec<FoundTrace>,
    options: &ReplayOptions,
) -> Result<(), ChoiceError> {
    if options.last_failed {
        let file = options.memory.as_deref().ok_or(ChoiceError::NoMemory)?;
        let failed = Memory::read(file)?;
        traces.retain(|trace| failed.has(&trace.path));
        if traces.is_empty() {
            return Err(ChoiceError::NoneFailed);
        }
    }
    if options.tags.is_empty() && options.excluded_tags.is_empty() {
        return Ok(());
    }
    let count = traces.len();
    let tags: Vec<Vec<String>> = traces.iter().map(|trace| tags_of(trace, options)).collect();
    let known: BTreeSet<String> = tags.iter().flatten().cloned().collect();
    if let Some(tag) = options.tags.iter().find(|tag| !known.contains(*tag)) {
        return Err(ChoiceError::NoSuchTag { tag: tag.clone(), count, known });
    }
    let mut tags = tags.iter();
    traces.retain(|_| {
        let has = |wanted: &[String], own: &[String]| wanted.iter().any(|tag| own.contains(tag));
        tags.next().is_some_and(|own| {
            (options.tags.is_empty() || has(&options.tags, own))
                && !has(&options.excluded_tags, own)
        })
    });
    if traces.is_empty() { Err(ChoiceError::AllExcluded { count }) } else { Ok(()) }
}

fn tags_of(found: &FoundTrace, options: &ReplayOptions) -> Vec<String> {
    let entry = header_entry_of(&found.path, &options.converted, TAGS_KEY);
    entry.iter().flat_map(|entry| entry.value.split_whitespace()).map(str::to_owned).collect()
}
