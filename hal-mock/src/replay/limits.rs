//! The bounds of a replay.

use virtual_time::Nanos;

/// How long a tone is still heard by `expect tone` once it is over.
pub const TONE_HEARD_FOR: Nanos = Nanos::from_millis(100);
/// How far the length of a tone may be off `lasted`: 5 %, but at least 0.5 ms and at most 5 ms. A
/// note that is 10 % or 10 ms too long is seen.
pub fn tone_tolerance(lasted: Nanos) -> Nanos {
    const AT_LEAST: u64 = 500_000;
    const AT_MOST: u64 = 5_000_000;
    Nanos((lasted.0 / 20).clamp(AT_LEAST, AT_MOST))
}

/// The last console lines that the failure of `expect console` tells.
pub const CONSOLE_LINES_TOLD: usize = 5;
/// The last console lines among which the nearest one is looked for.
pub const CONSOLE_LINES_COMPARED: usize = 200;
/// The failures that a replay keeps; later ones are only counted.
pub const FAILURES_KEPT: usize = 20;
/// So many steps in a row without time passing are firmware that never sleeps again.
pub const STEPS_WITHOUT_TIME: u32 = 100_000;
/// [`ReplaySettings::limit`](super::ReplaySettings::limit) unless told otherwise: 10 minutes of virtual time.
pub const LIMIT: Nanos = trace::RUN_MAX;
