//! What is particular to our JUnit files: how one is known, and its properties.

/// The property that says of which part a suite reports.
pub(super) const SHARD: &str = "shard";
/// The property with the board's own time.
pub(super) const BOARD_SECONDS: &str = "board-seconds";

/// Whether a file with these first bytes is one of an earlier run.
pub(super) fn is_junit(head: &[u8]) -> bool {
    String::from_utf8_lossy(head).contains("<testsuites name=\"nudge ")
}
