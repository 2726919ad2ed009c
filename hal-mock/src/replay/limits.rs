//! Limits of a replay.

use virtual_time::Nanos;

/// Time after the end of a tone in which `expect tone` still accepts it.
pub const TONE_GRACE: Nanos = Nanos::from_millis(100);
/// Returns the tolerance for a tone of length `lasted`: 5 %, but at least 0.5 ms and at most 5 ms.
/// A note that is 10 % or 10 ms too long is detected.
pub fn tone_tolerance(lasted: Nanos) -> Nanos {
    const AT_LEAST: u64 = 500_000;
    const AT_MOST: u64 = 5_000_000;
    Nanos((lasted.0 / 20).clamp(AT_LEAST, AT_MOST))
}

/// Maximum number of recent console lines in the failure of `expect console`.
pub const CONSOLE_LINES_REPORTED: usize = 5;
/// Number of recent console lines that are searched for the nearest one.
pub const CONSOLE_LINES_COMPARED: usize = 200;
/// Number of failures that a replay stores; later ones are only counted.
pub const FAILURES_MAX: usize = 20;
/// Number of consecutive steps without progress of time after which the firmware counts as never
/// sleeping.
pub const STEPS_WITHOUT_TIME: u32 = 100_000;
/// [`ReplaySettings::limit`](super::ReplaySettings::limit) by default: 10 minutes of virtual time.
pub const LIMIT: Nanos = trace::RUN_MAX;
