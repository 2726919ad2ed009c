//! Callbacks of a replay: [`Goldens`] compares frames and observes the replay.

use core::fmt;

use super::failure::Failure;
use ili9341_model::Frame;
use reading::golden::{GoldenError, chain::Link};
use trace::{BoardFault, Button, FrameCheck};
use virtual_time::Instant;

/// The golden frames and screenshots of one trace.
pub trait Goldens {
    /// Compares the region of the panel `actual` that `expected` names with its golden frame (or
    /// blesses it).
    ///
    /// # Errors
    /// The difference, or the reason why the golden cannot be used.
    fn check(&mut self, expected: &FrameCheck, actual: &Frame) -> Result<(), GoldenError>;

    /// Receives the next frame of the chain `name`, long before [`Goldens::chain`] requests the
    /// result.
    fn watch(&mut self, _name: &str, _seen: &ChainFrame<'_>) {}

    /// Compares the frames of the chain `name`, which is complete, with the stored ones (or blesses
    /// them).
    ///
    /// # Errors
    /// The difference, or the reason why the file cannot be used.
    fn chain(&mut self, name: &str) -> Result<(), GoldenError> {
        Err(GoldenError::ChainsNotCompared { name: name.to_owned() })
    }

    /// Takes the screenshot `name`.
    ///
    /// # Errors
    /// The reason why the file cannot be written.
    fn screenshot(&mut self, name: &str, frame: &Frame) -> Result<(), GoldenError>;

    /// Called for each action of the trace on the board and for each satisfied wait. Not always in
    /// order of time: a `tap` may end before the next line, and its release is reported with that
    /// line.
    fn happened(&mut self, _at: Instant, _event: Event) {}

    /// Called for each recorded failure of a line, with the LCD's frame at that time.
    fn failed(&mut self, _failure: &Failure, _frame: &Frame) {}
}

/// An action of a trace on the board, or a satisfied wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// Power was turned on.
    PowerOn,
    /// Power was turned off.
    PowerOff,
    /// A button was pressed.
    Press(Button),
    /// A button was released.
    Release(Button),
    /// A `wait` found its text.
    Found,
    /// A `settle` was satisfied.
    Settled,
    /// A fault of the board began or ended.
    Fault(BoardFault),
}

/// Writes `press B3`, `the screen settled`.
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
pub struct ChainFrame<'a> {
    /// Hash of the frame, time at which it was complete (or settled), and its changes.
    pub link: Link,
    /// The frame on the LCD.
    pub frame: &'a Frame,
    /// The previous frame.
    pub before: &'a Frame,
    /// The last action on the board before the frame: `tap of B3 in line 9`.
    pub after: &'a str,
}

/// Goldens that accept every frame: for replays whose frames are not judged.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unjudged;

impl Goldens for Unjudged {
    fn check(&mut self, _expected: &FrameCheck, _actual: &Frame) -> Result<(), GoldenError> {
        Ok(())
    }

    fn chain(&mut self, _name: &str) -> Result<(), GoldenError> {
        Ok(())
    }

    fn screenshot(&mut self, _name: &str, _frame: &Frame) -> Result<(), GoldenError> {
        Ok(())
    }
}
