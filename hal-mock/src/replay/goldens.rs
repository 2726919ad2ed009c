//! What a replay shows to whoever judges frames, and tells of what it did.

use core::fmt;

use super::outcome::Failure;
use crate::golden::chain::Link;
use crate::trace::{BoardFault, FrameCheck};
use crate::{Button, Frame, Nanos};

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
