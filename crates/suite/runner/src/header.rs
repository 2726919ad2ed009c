//! Reads single entries of the headers of traces, although other lines may be wrong.

use std::path::Path;

use trace::{FILE_BYTES_MAX, HeaderEntry, header_entry};

use crate::options::converted::ConvertedTraces;

/// Returns the entry with `key` in the header of the trace at `path`, or of the one that was made of
/// that file; `None` if there is none, or if the file cannot be read.
pub(crate) fn header_entry_of(
    path: &Path,
    converted: &ConvertedTraces,
    key: &str,
) -> Option<HeaderEntry> {
    if let Some(converted) = converted.get(path) {
        return converted.trace.get(key).cloned();
    }
    let bytes = host::input_files::read(path, FILE_BYTES_MAX).ok()?;
    header_entry(&String::from_utf8_lossy(&bytes), key)
}
