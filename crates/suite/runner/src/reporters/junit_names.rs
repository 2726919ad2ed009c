//! Names in nudge's JUnit files: the mark by which an earlier report is recognised, and the
//! properties.

/// Property that names the part of the suite that a report covers.
pub(super) const SHARD: &str = "shard";
/// Property with the board's own time.
pub(super) const BOARD_SECONDS: &str = "board-seconds";

/// Property with a hash of the files and options that a trace's verdict depends on.
pub(super) const INPUTS: &str = "inputs";
/// Type of a skipped case whose trace failed as its header expects.
pub(super) const EXPECTED_FAILURE: &str = "expected-failure";

/// Returns whether a file with these first bytes is a report of an earlier run.
pub(super) fn is_junit(head: &[u8]) -> bool {
    String::from_utf8_lossy(head).contains("<testsuites name=\"nudge ")
}
