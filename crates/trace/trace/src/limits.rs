//! The bounds of the format, and of what runs a trace or makes one.

use virtual_time::{Instant, Nanos};

/// The version of the format that this build reads and writes.
pub const VERSION: u32 = 1;
/// How long a `tap` without `for` holds its button.
pub const TAP_HOLD: Nanos = Nanos::from_millis(80);
/// Shortest time between two movements of one button, and between two movements of a chord. The firmware's debouncing
/// needs a level for 5 ms, and bounce may take up to 2 ms of that.
pub const MIN_HOLD: Nanos = Nanos::from_millis(30);
/// Longest virtual time of a session.
pub const SESSION_MAX: Instant = Instant::from_secs(100 * 3_600);
/// Longest virtual time of a replay, and of one request to a session, unless the caller names another.
pub const RUN_MAX: Nanos = Nanos::from_secs(600);
/// By how much the time for which a text was shown may differ from `expect text … for`, beside the
/// time that it takes to draw: a step of the slowest board takes 6 ms.
pub const SHOWN_TOLERANCE: Nanos = Nanos::from_millis(20);
/// The last moment a trace can name: 2⁶³ − 1 ns, about 292 years.
pub const LATEST: Instant = Instant((1 << 63) - 1);
/// The longest line, in bytes without its line end.
pub const LINE_BYTES_MAX: usize = 4_096;
/// The most lines in a trace, those of the files that it includes among them.
pub const LINES_MAX: u32 = 1_000_000;
/// The largest trace in bytes, together with the files that it includes.
pub const FILE_BYTES_MAX: usize = 64 << 20;
/// How deep included files include others.
pub const INCLUDE_DEPTH_MAX: usize = 8;
/// How many errors of a trace are kept; the others are counted.
pub const ERRORS_KEPT: usize = 20;
/// The most regions that one line ignores.
pub(super) const IGNORED_MAX: usize = 32;
/// The largest tolerance, in steps of RGB565: half of what red and blue have.
pub(super) const TOLERANCE_MAX: u8 = 16;
