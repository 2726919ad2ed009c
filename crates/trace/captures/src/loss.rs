//! Steps of a Wokwi scenario that a trace cannot express.

use core::fmt;

use trace::Button;

/// A step, or a part of one, that is left out of the trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// Name of the scenario, as the caller gave it.
    pub file: String,
    /// Line, from 1.
    pub line: u64,
    pub reason: LossReason,
}

/// Writes `win.yaml:41: …`.
impl fmt::Display for Loss {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.file, self.line, self.reason)
    }
}

/// The reason why a step is left out. Texts from the file have no control characters and at most
/// 200 characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LossReason {
    /// A trace has no expectation of a pin.
    #[error("expect-pin: a trace judges no pins but those that drive an LED of the diagram")]
    ExpectPin,
    /// The LCD has no touch sensor; the step.
    #[error("{0}: the board's LCD feels no touch")]
    Touch(String),
    /// The board has no such part; the step.
    #[error("{0}: the board has no such part")]
    NoSuchPart(String),
    /// The part is not a button of the board.
    #[error("set-control: `{0}` is no button of the board; `--map B1={0}` makes it one")]
    NotAButton(String),
    /// The part is not in the diagram, not carried over to the board, or cannot be moved.
    #[error("set-control: the board has no part `{0}` that can be moved")]
    NoControls(String),
    /// A control that the board's part does not have; `kind` is the kind of the part.
    #[error("set-control: a trace does not move `{control}` of the {kind} {part}")]
    NoSuchControl { part: String, kind: &'static str, control: String },
    /// A control of a button other than `pressed`.
    #[error("set-control: {button} has only `pressed`, not `{control}`")]
    OnlyPressed { button: Button, control: String },
    /// A text that a console line cannot contain.
    #[error("wait-serial: a `wait console` has a text that can be printed")]
    UnprintableSerial,
    /// A key of `take-screenshot` that is not documented.
    #[error("take-screenshot: `{0}` is unknown")]
    UnknownScreenshotKey(String),
}
