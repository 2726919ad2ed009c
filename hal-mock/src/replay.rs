//! Executes a trace on a machine and reports every failed expectation.
//!
//! [`replay`] takes a parsed [`Trace`], any [`Machine`] (fresh: its clock at 0, its power off), the
//! [`Reader`] for the text on its LCD and the [`Goldens`] for its frames. Two replays of one trace
//! are identical to the nanosecond: the module knows no wall clock, no file and no thread.
//!
//! What each line observes, and when:
//!
//! - The board gets a button's edge before the firmware runs up to it, so the edge comes at its
//!   exact nanosecond even if a step overshoots. Power is switched between two steps, that is up to
//!   one overshoot (4 ms) late.
//! - `expect text`, `expect frame` and `screenshot` use the last complete frame as of the line's
//!   time, without what a step draws after that time.
//! - `expect text … for` measures from the first complete frame with the text to the first one
//!   without it, or to the line's time if there is none; if the text was shown several times, the
//!   last time counts. It also measures between the first pixels of these frames, and fails if the
//!   line's span is shorter or longer than both measurements by more than
//!   [`SHOWN_TOLERANCE`](trace::SHOWN_TOLERANCE): a board may take long to draw one of the
//!   two frames and not the other.
//! - `wait text` checks at the line's time, and then every frame at the time at which it is
//!   complete; that time is when the wait is satisfied.
//! - `settle` is satisfied when nothing visible has changed, no button has moved and the power has
//!   not been switched for [`SETTLED_AFTER`](crate::board::SETTLED_AFTER). The firmware debounces:
//!   right after a press the screen is unchanged only because the firmware has not accepted the
//!   press yet.
//! - Expectations of the console and of tones observe the time since the last input, or since the
//!   line or tone that satisfied the last expectation of their kind. Inputs are the lines of
//!   [`Action::is_input`](trace::Action::is_input). Power lines begin when the power is
//!   switched.
//! - `expect tone` holds if the tone began in that time and sounds at the line's time or did within
//!   [`TONE_GRACE`] before (notes are short). The tolerance is half a percent (a PWM divider
//!   cannot produce every pitch). With `for`, the last such tone must be over and must have lasted
//!   the given time, to [`tone_tolerance`]. `expect no tone` observes the line's time, or the span
//!   before it, regardless of inputs.
//! - `expect console` holds if a line that has left the wire in that time contains the text. `wait
//!   console` is satisfied at once by such a line, or at the time at which one has left the wire.
//! - `expect flash` reads the flash as the firmware's last step left it, with or without power, in
//!   the words of the board's [`FlashReader`](crate::flash::FlashReader).
//! - `expect frames` covers every frame since the first power-on, or since the previous line of its
//!   kind, that was complete by the line's time and differs from the one before; `expect settled
//!   frames` covers those shown for [`SETTLED_AFTER`](crate::board::SETTLED_AFTER). Frames that
//!   come and go while the firmware blocks (the LCD's initialisation, a flash erase) are not
//!   observed.
//! - `expect bus` counts the bytes of the steps that ended in the span before the line; `expect
//!   frame-time` takes the longest frame since the first power-on, or since the previous line of
//!   its kind, from its first visible change to its last.
//! - `expect violations none` and `expect heap none` cover everything since the first power-on.
//!
//! - A `fault` of a contact comes at its exact nanosecond, a `fault` of the wire between two steps.
//!   A power cut comes at its exact nanosecond too, unless the step before it went past it: after a
//!   line that waits, or if a chip is busy with its flash. Violations caused by a broken LCD wire
//!   do not count against the firmware: from the first flipped bit to the next power-on the rules
//!   of the LCD's datasheet are not checked.
//!
//! A trace stops at: a `wait` or `settle` that is not satisfied within its time, an absolute time
//! that a `wait` has passed, a press of a button that a `tap` still holds. The lines after such a
//! line are meaningless. A failed `expect` does not stop the trace; the first [`FAILURES_MAX`]
//! failures are stored.
//!
//! Every trace ends: every wait has its `within`, and without `end` the trace ends at its last line
//! or release. Therefore [`ReplaySettings::limit`] bounds only firmware that never returns control;
//! see [`Verdict::LimitReached`].

mod failure;
#[cfg(test)]
mod fake;
mod goldens;
mod limits;
mod nearest;
mod outcome;
mod run;
mod since;
#[cfg(test)]
mod tests;

pub use failure::{Failure, FailureCause, FailureId, NearText, ToneFound};
pub use goldens::{ChainFrame, Event, Goldens, Unjudged};
pub use limits::{
    CONSOLE_LINES_COMPARED, CONSOLE_LINES_REPORTED, FAILURES_MAX, LIMIT, STEPS_WITHOUT_TIME,
    TONE_GRACE, tone_tolerance,
};
pub use nearest::{NearestText, TextDifference};
pub use outcome::{ReplayOutcome, ReplaySettings, Verdict};
pub use run::{LineResult, Ongoing, ResumePoint, STARTS_WITHIN, Stopped, can_run_unplanned};
pub use since::Since;

use crate::Machine;
use crate::board::VirtualBoard;
use reading::text::Reader;
use trace::{Line, Trace};
use virtual_time::Instant;

/// Executes `trace` on `machine`.
pub fn replay(
    trace: &Trace,
    machine: &mut dyn Machine,
    text: &Reader,
    goldens: &mut dyn Goldens,
    options: &ReplaySettings,
) -> ReplayOutcome {
    replay_watched(trace, machine, text, goldens, options, &mut |_, _, _| {})
}

/// Executes `trace` on `machine`, and calls `over` after each line that did not stop the trace:
/// with the virtual time at which the line was over, which is later than the line's own time only
/// if the line waited, and the board.
pub fn replay_watched(
    trace: &Trace,
    machine: &mut dyn Machine,
    text: &Reader,
    goldens: &mut dyn Goldens,
    options: &ReplaySettings,
    over: &mut dyn FnMut(&Line, Instant, &VirtualBoard),
) -> ReplayOutcome {
    run::Run::new(machine, text, goldens, *options, trace).carry_out(trace, over)
}
