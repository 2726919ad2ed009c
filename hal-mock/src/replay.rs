//! Carries a trace out on a machine, and says what was not as it should be.
//!
//! [`replay`] takes a parsed [`Trace`], any [`Machine`] (fresh: its clock at 0, its power
//! off), the [`Reader`] for the text on its LCD and the [`Goldens`] for its frames. Two
//! replays of one trace are equal to the last nanosecond: it knows no wall clock, no
//! file, no thread.
//!
//! What a line sees, and when:
//!
//! - A button's edge is handed to the board before the firmware runs up to it, so it comes
//!   at its very nanosecond even if a step overshoots. Power comes and goes between two
//!   steps, that is up to one overshoot (4 ms) late.
//! - `expect text`, `expect frame` and `screenshot` see the last complete frame as of the
//!   line's time: what a step draws behind it is not in it.
//! - `expect text … for` takes the time from the first complete frame with the text to the first one
//!   without it, or to the line's time if there is none; of several showings the last. It takes it
//!   once more between the first pixels of these frames, and fails if the line's span is shorter or
//!   longer than both by more than [`SHOWN_TOLERANCE`](trace::SHOWN_TOLERANCE): a board
//!   may need long to draw the one frame and not the other.
//! - `wait text` looks at the line's time and then at every frame in the moment in which it
//!   is complete; that moment is when it is met.
//! - `settle` is met once nothing visible has changed, no button has moved and no power has
//!   come or gone for [`SETTLED_AFTER`](crate::board::SETTLED_AFTER). The firmware debounces: right behind a press
//!   the screen still stands, but only because the press has not arrived.
//! - Expectations of the console and of tones look from the last input on, or from what the last
//!   expectation of their kind has met. Inputs are the lines of
//!   [`Action::is_input`](trace::Action::is_input). Power lines begin when the power comes or
//!   goes.
//! - `expect tone` holds if that tone began since and sounds then or did within [`TONE_HEARD_FOR`]
//!   before (notes are short), to half a percent (a PWM divider does not meet every pitch). With
//!   `for` the last one that began since is over and lasted so long, to [`tone_tolerance`]. `expect
//!   no tone` looks at the moment, or at the span before it, whatever the inputs were.
//! - `expect console` holds if a line that has left the wire since and by then contains the text.
//!   `wait console` is met at once by such a line, or in the moment in which it has left the wire.
//! - `expect flash` reads the flash as the firmware's last step has left it, with power or without,
//!   in the words of the board's [`FlashReader`](crate::flash::FlashReader).
//! - `expect frames` sees every frame since the first power-on, or since the line before of its
//!   kind, that was complete by then and shows something else than the one before;
//!   `expect settled frames` those that stood for [`SETTLED_AFTER`](crate::board::SETTLED_AFTER). Frames that come and go
//!   while the firmware blocks (the LCD's initialisation, a flash erase) are not seen.
//! - `expect bus` counts the bytes of the steps that ended in the span before the line; `expect
//!   frame-time` takes the longest frame since the first power-on, or since the line before of
//!   its kind, from its first visible change to its last.
//! - `expect violations none` and `expect heap none` look back to the first power-on.
//!
//! - A `fault` of a contact comes at its very nanosecond, one of the wire between two steps. A
//!   power cut comes at its very nanosecond too, unless the step before went past it: behind a
//!   line that waits, or of a chip that is busy with its flash. What is broken on the LCD's wire
//!   is not held against the firmware: from the first flipped bit to the next power-on no rule
//!   of the LCD's datasheet is looked at.
//!
//! What stops a trace: a `wait` or `settle` that is not met within its time, an absolute
//! time that a `wait` has passed, a press of a button that a `tap` still holds. What lies
//! behind such a line has lost its meaning. A failed `expect` does not stop it; the first
//! [`FAILURES_KEPT`] failures are kept.
//!
//! A trace always has an end of its own: every wait carries its `within`, and without `end`
//! it ends at its last line or release. So [`ReplaySettings::limit`] bounds only firmware that
//! keeps the clock for itself; see [`Verdict::LimitReached`].

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
pub use goldens::{Event, Goldens, Seen, Unjudged};
pub use limits::{
    CONSOLE_LINES_COMPARED, CONSOLE_LINES_TOLD, FAILURES_KEPT, LIMIT, STEPS_WITHOUT_TIME,
    TONE_HEARD_FOR, tone_tolerance,
};
pub use nearest::{Near, TextDifference};
pub use outcome::{ReplayOutcome, ReplaySettings, Verdict};
pub use run::{Carried, Ongoing, Stopped};
pub use since::Since;

use crate::Machine;
use crate::board::VirtualBoard;
use reading::text::Reader;
use trace::{Line, Trace};
use virtual_time::Instant;

/// Carries `trace` out on `machine`.
pub fn replay(
    trace: &Trace,
    machine: &mut dyn Machine,
    text: &Reader,
    goldens: &mut dyn Goldens,
    options: &ReplaySettings,
) -> ReplayOutcome {
    replay_watched(trace, machine, text, goldens, options, &mut |_, _, _| {})
}

/// The same, and tells `over` of each line that was carried out and did not stop the trace: with the
/// virtual time at which it was over, which is behind its own only if it waited, and the board.
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
