//! The bounds of the format, and of what runs a trace or makes one.

use virtual_time::{Instant, Nanos};

/// Version of the format that this build reads and writes.
pub const VERSION: u32 = 1;
/// Time for which a `tap` without `for` holds its button.
pub const TAP_HOLD: Nanos = Nanos::from_millis(80);
/// Time of a `turn` without `over` for each detent: about two turns a second of an encoder with 20
/// detents.
pub const TURN_DETENT: Nanos = Nanos::from_millis(25);
/// Maximum number of detents of a `turn`.
pub const TURN_MAX: i16 = 1_000;
/// Shortest duration of a `turn` for each detent.
pub const TURN_DETENT_MIN: Nanos = Nanos::from_millis(1);
/// Longest duration of a `turn`.
pub const TURN_LONGEST: Nanos = Nanos::from_secs(60);
/// Time between two positions of a finger that is dragged: a touch panel is read about 100 times a
/// second.
pub const DRAG_STEP: Nanos = Nanos::from_millis(10);
/// Longest duration of a `drag`.
pub const DRAG_LONGEST: Nanos = Nanos::from_secs(60);
/// Shortest time between two movements of one button, and between two movements of a chord. The
/// firmware's debouncing needs a level for 5 ms, and bounce may take up to 2 ms of that.
pub const MIN_HOLD: Nanos = Nanos::from_millis(30);
/// Longest virtual time of a session.
pub const SESSION_MAX: Instant = Instant::from_secs(100 * 3_600);
/// Longest virtual time of a replay, and of one request to a session, unless the caller names
/// another.
pub const RUN_MAX: Nanos = Nanos::from_secs(600);
/// Accepted difference between the time for which a text was shown and that of `expect text … for`,
/// in addition to the time that drawing takes: a step of the slowest board takes 6 ms.
pub const SHOWN_TOLERANCE: Nanos = Nanos::from_millis(20);
/// Largest time in a trace: 2⁶³ − 1 ns, about 292 years.
pub const LATEST: Instant = Instant((1 << 63) - 1);
/// Maximum length of a line, in bytes without its line end.
pub const LINE_BYTES_MAX: usize = 4_096;
/// Maximum number of lines in a trace, including the files that it includes.
pub const LINES_MAX: u32 = 1_000_000;
/// Maximum size of a trace in bytes, including the files that it includes.
pub const FILE_BYTES_MAX: usize = 64 << 20;
/// Maximum depth of nested `include`s.
pub const INCLUDE_DEPTH_MAX: usize = 8;
/// Number of errors of a trace that are stored; further ones are only counted.
pub const ERRORS_MAX: usize = 20;
/// Maximum number of regions that one line ignores.
pub(super) const IGNORED_MAX: usize = 32;
/// Largest tolerance, in steps of RGB565: half the range of red and blue.
pub(super) const TOLERANCE_MAX: u8 = 16;
