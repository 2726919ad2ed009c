//! Waiting for the wall clock, where there is nothing else to wait on.

use std::time::Duration;

/// Waits for `span`.
#[expect(clippy::disallowed_methods, reason = "the one place that waits for the wall clock alone")]
pub fn wait(span: Duration) {
    std::thread::sleep(span);
}
