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
//! - `wait text` looks at the line's time and then at every frame in the moment in which it
//!   is complete; that moment is when it is met.
//! - `settle` is met once nothing visible has changed, no button has moved and no power has
//!   come or gone for [`SETTLED_AFTER`]. The firmware debounces: right behind a press
//!   the screen still stands, but only because the press has not arrived.
//! - `expect tone` holds if that tone sounds then or did within [`TONE_HEARD_FOR`] before
//!   (notes are short), to half a percent (a PWM divider does not meet every pitch).
//! - `expect console` holds if a line that had left the wire by then, since the first
//!   power-on, contains the text.
//! - `expect frames` sees every frame since the first power-on, or since the line before of its
//!   kind, that was complete by then and shows something else than the one before;
//!   `expect settled frames` those that stood for [`SETTLED_AFTER`]. Frames that come and go
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
//! it ends at its last line or release. So [`Options::limit`] bounds only firmware that
//! keeps the clock for itself; see [`Verdict::LimitReached`].

#[cfg(test)]
mod fake;
mod run;
#[cfg(test)]
mod tests;

use core::fmt;

use crate::board::{SETTLED_AFTER, VirtualBoard};
use crate::golden::chain::Link;
use crate::text::Reader;
use crate::trace::{BoardFault, FrameCheck, Line, Place, Trace, spoken};
use crate::{Button, Frame, Machine, MachineError, Nanos};

/// How long a tone is still heard by `expect tone` once it is over.
pub const TONE_HEARD_FOR: Nanos = Nanos::from_millis(100);
/// The failures that a replay keeps; later ones are only counted.
pub const FAILURES_KEPT: usize = 20;
/// So many steps in a row without time passing are firmware that never sleeps again.
pub const STEPS_WITHOUT_TIME: u32 = 100_000;
/// [`Options::limit`] unless told otherwise: 10 minutes of virtual time.
pub const LIMIT: Nanos = Nanos::from_secs(600);

/// The golden frames and screenshots of one trace.
pub trait Goldens {
    /// Compares the part of the panel `actual` that is `expected` with its golden frame (or
    /// blesses it).
    ///
    /// # Errors
    /// The sentence for the report: missing, of another size, where it differs first.
    fn check(&mut self, expected: &FrameCheck, actual: &Frame) -> Result<(), String>;

    /// The next frame of the chain `name`, long before [`Goldens::chain`] asks for the result.
    fn watch(&mut self, name: &str, seen: &Seen<'_>) {
        let _ = (name, seen);
    }

    /// Compares the frames of the chain `name`, which is over, with those that are kept (or
    /// blesses them).
    ///
    /// # Errors
    /// The sentence for the report: missing, or the first frame that is another.
    fn chain(&mut self, name: &str) -> Result<(), String> {
        Err(format!("frames {name} are expected, but nothing here compares chains of frames"))
    }

    /// Takes the screenshot `name`.
    ///
    /// # Errors
    /// The sentence for the report.
    fn screenshot(&mut self, name: &str, frame: &Frame) -> Result<(), String>;

    /// Is told what the trace did to the board, or saw it do. Not always in order of time: a
    /// `tap` may end before the line behind it and is told of with that line.
    fn happened(&mut self, _at: Nanos, _event: Event) {}

    /// Is told of each failure of a line that is kept, with what the LCD showed then.
    fn failed(&mut self, _failure: &Failure, _frame: &Frame) {}
}

/// Something that a trace did to the board, or waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// Power came.
    PowerOn,
    /// Power went.
    PowerOff,
    /// A finger went down.
    Press(Button),
    /// A finger went up.
    Release(Button),
    /// A `wait` found its text.
    Found,
    /// A `settle` was met.
    Settled,
    /// Something on the board broke, or is well again.
    Fault(BoardFault),
}

/// `press B3`, `the screen settled`.
impl fmt::Display for Event {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PowerOn => out.write_str("power on"),
            Self::PowerOff => out.write_str("power off"),
            Self::Press(button) => write!(out, "press {button}"),
            Self::Release(button) => write!(out, "release {button}"),
            Self::Found => out.write_str("the text that was waited for appeared"),
            Self::Settled => out.write_str("the screen settled"),
            Self::Fault(fault) => write!(out, "fault {fault}"),
        }
    }
}

/// A frame of a chain.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// Its hash, when it was complete (or settled), what it changes.
    pub link: Link,
    /// What the LCD shows.
    pub frame: &'a Frame,
    /// What it showed before.
    pub before: &'a Frame,
    /// The last thing that was done to the board before it: `tap of B3 in line 9`.
    pub after: &'a str,
}

/// Goldens that look at nothing: for whoever wants what a trace leads to, not whether it is right.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unjudged;

impl Goldens for Unjudged {
    fn check(&mut self, _expected: &FrameCheck, _actual: &Frame) -> Result<(), String> {
        Ok(())
    }

    fn chain(&mut self, _name: &str) -> Result<(), String> {
        Ok(())
    }

    fn screenshot(&mut self, _name: &str, _frame: &Frame) -> Result<(), String> {
        Ok(())
    }
}

/// How to replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether what breaks a rule of the LCD's datasheet may pass.
    pub allow_violations: bool,
    /// Virtual time that firmware may keep for itself; [`LIMIT`].
    pub limit: Nanos,
    /// Stop at this moment, if the trace lasts longer; what follows is not judged.
    pub until: Option<Nanos>,
}

impl Default for Options {
    fn default() -> Self {
        Self { allow_violations: false, limit: LIMIT, until: None }
    }
}

/// How a replay went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The result.
    pub verdict: Verdict,
    /// The virtual time of its end: of `end`, of the last line or release, of
    /// [`Options::until`], or of what stopped it. The LCD as of then is
    /// `board.frame_at(ended_at)`.
    pub ended_at: Nanos,
    /// Complete frames up to then.
    pub frames: u64,
    /// Timed lines that were carried out, the one that stopped it included.
    pub lines: usize,
    /// The line that it stopped in; `None` if all that was to be done was done.
    pub stopped_in: Option<Place>,
    /// Failures beyond [`FAILURES_KEPT`].
    pub failures_left_out: u64,
    /// What had failed before the machine broke; empty under any other verdict.
    pub failed_before: Vec<Failure>,
}

/// The result of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything was as expected.
    Passed,
    /// Something was not: at least one failure, in order of time; broken rules of the LCD's datasheet last.
    Failed(Vec<Failure>),
    /// The firmware keeps the clock for itself: it has run [`STEPS_WITHOUT_TIME`] times in a
    /// row without letting time pass, or one step of it went past its limit by more than
    /// [`Options::limit`]. Failures before that come first: then it is [`Verdict::Failed`].
    LimitReached {
        /// When.
        at: Nanos,
    },
    /// The machine could not go on.
    Broken(MachineError),
}

/// One thing that was not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The line of the trace; `None` for a broken rule of the LCD's datasheet.
    pub place: Option<Place>,
    /// When.
    pub at: Nanos,
    /// What was expected and what there was, as a sentence without a full stop.
    pub message: String,
    /// The text on the LCD then, line by line; `None` where it does not matter.
    pub shown: Option<Vec<String>>,
}

/// `41:9: at 12.3 s: expected …`, and below it what the LCD showed.
impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = self.place {
            write!(out, "{place}: ")?;
        }
        write!(out, "at {}: {}", spoken(self.at), self.message)?;
        match self.shown.as_deref() {
            None => Ok(()),
            Some([]) => out.write_str("\n    the LCD showed no text"),
            Some(lines) => {
                out.write_str("\n    the LCD showed:")?;
                lines.iter().try_for_each(|line| write!(out, "\n      | {line}"))
            }
        }
    }
}

/// Carries `trace` out on `machine`.
pub fn replay(
    trace: &Trace,
    machine: &mut dyn Machine,
    text: &Reader,
    goldens: &mut dyn Goldens,
    options: &Options,
) -> Outcome {
    replay_watched(trace, machine, text, goldens, options, &mut |_, _, _| {})
}

/// The same, and tells `over` of each line that was carried out and did not stop the trace: with the
/// virtual time at which it was over, which is behind its own only if it waited, and the board.
pub fn replay_watched(
    trace: &Trace,
    machine: &mut dyn Machine,
    text: &Reader,
    goldens: &mut dyn Goldens,
    options: &Options,
    over: &mut dyn FnMut(&Line, Nanos, &VirtualBoard),
) -> Outcome {
    run::Run::new(machine, text, goldens, *options, trace).carry_out(trace, over)
}
