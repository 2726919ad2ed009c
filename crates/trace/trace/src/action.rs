//! The action of a timed line.

use super::budget::Comparison;
use super::display::Display;
use super::fault::BoardFault;
use super::frame_check::FrameCheck;
use super::screenshot::Screenshot;
use super::text_check::{RegionText, TextCheck};
use crate::Button;
use crate::control::{Control, Movement};
use crate::led::{Led, LedCheck};
use virtual_time::Nanos;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// `power on`
    PowerOn,
    /// `power off`
    PowerOff,
    /// `tap B3`, `tap B3 for 1200ms`
    Tap {
        button: Button,
        /// Time for which the button is held, more than zero; `None` =
        /// [`TAP_HOLD`](super::TAP_HOLD).
        hold: Option<Nanos>,
    },
    /// `press T1`
    Press(Button),
    /// `release T1`
    Release(Button),
    /// `turn ENC by 3`, `switch S on`, `set JOY 0.5,0.1`, `touch PAD at 120,40`
    Move { control: Control, movement: Movement },
    /// `type "set sound off"`: a line, typed on the console; it may be blank
    Type(String),
    /// `type bytes "\x15help\n"`: bytes, typed on the console without a line end; never empty
    TypeBytes(Vec<u8>),
    /// `expect text "…"`, with its region and the time for which it was shown
    ExpectText(TextCheck),
    /// `expect no text "…"`, with its region
    ExpectNoText(RegionText),
    /// `expect frame NAME`, with its options
    ExpectFrame(FrameCheck),
    /// `expect frames NAME`, `expect settled frames NAME`, `expect frames NAME on TOP`
    ExpectFrames {
        /// Name of the file with the frames; see [`is_name`](super::is_name).
        name: String,
        /// Whether only frames shown for `SETTLED_AFTER` count.
        settled: bool,
        /// The display; `None` = the first one.
        display: Option<Display>,
    },
    /// `expect bus < 40kB within 1s`
    ExpectBus {
        /// Comparison of the number of bytes with `bytes`.
        comparison: Comparison,
        /// Upper bound in bytes.
        bytes: u64,
        /// Span before the line in which bytes are counted; more than zero.
        within: Nanos,
    },
    /// `expect frame-time < 45ms`, `expect frame-time < 45ms on TOP`
    ExpectFrameTime {
        /// Comparison of the longest frame's time with `limit`.
        comparison: Comparison,
        /// Upper bound.
        limit: Nanos,
        /// The display; `None` = the first one.
        display: Option<Display>,
    },
    /// `expect violations none`
    ExpectNoViolations,
    /// `expect heap none`
    ExpectNoHeap,
    /// `expect tone 880Hz`, `expect tone 880Hz for 60ms`
    ExpectTone {
        /// Frequency in hertz, at least 1.
        hertz: u32,
        /// Time for which the tone sounded, more than zero; `None` = any time.
        lasted: Option<Nanos>,
    },
    /// `expect no tone`, `expect no tone for 500ms`
    ExpectNoTone {
        /// Silent span before the line, more than zero; `None` = silent at the line's time.
        silent_for: Option<Nanos>,
    },
    /// `expect console "…"`; the text is never blank
    ExpectConsole(String),
    /// `expect no console "…"`; the text is never blank
    ExpectNoConsole(String),
    /// `expect flash "…"`; the text is never blank
    ExpectFlash(String),
    /// `expect no flash "…"`; the text is never blank
    ExpectNoFlash(String),
    /// `expect backlight on`, `expect backlight off on TOP`
    ExpectBacklight {
        on: bool,
        /// The display; `None` = the first one.
        display: Option<Display>,
    },
    /// `expect led STATUS on`, `expect led STRIP 3 #ff0000`
    ExpectLed(LedCheck),
    /// `wait text "…" within 60s`, `wait text "…" on TOP within 60s`
    WaitText {
        /// Text that must appear on the LCD; never blank.
        text: String,
        /// The display; `None` = the first one.
        display: Option<Display>,
        /// Longest wait.
        within: Nanos,
    },
    /// `wait console "…" within 5s`
    WaitConsole {
        /// Text that must appear in a line of the console; never blank.
        text: String,
        /// Longest wait.
        within: Nanos,
    },
    /// `settle within 5s`, `settle on TOP within 5s`
    Settle {
        /// The display; `None` = all displays.
        display: Option<Display>,
        /// Longest wait.
        within: Nanos,
    },
    /// `fault stuck B3`, `fault power cut`…
    Fault(BoardFault),
    /// `screenshot NAME`, `screenshot NAME on TOP`
    Screenshot(Screenshot),
    /// `end`
    End,
}

impl Action {
    /// Returns the action's name in errors: `release of B3`, `power on`, `expect frame`.
    pub fn noun(&self) -> String {
        match self {
            Self::PowerOn => "power on".into(),
            Self::PowerOff => "power off".into(),
            Self::Tap { button, .. } => format!("tap of {button}"),
            Self::Press(button) => format!("press of {button}"),
            Self::Release(button) => format!("release of {button}"),
            Self::Move { control, movement } => {
                let name = control.name();
                match movement {
                    Movement::Turn { .. } => format!("turn of {name}"),
                    Movement::Switch(_) => format!("switch of {name}"),
                    Movement::Set { .. } => format!("set of {name}"),
                    Movement::Touch { .. } => format!("touch of {name}"),
                    Movement::Drag { .. } => format!("drag of {name}"),
                    Movement::Lift => format!("lift of {name}"),
                }
            }
            Self::Type(_) => "type".into(),
            Self::TypeBytes(_) => "type bytes".into(),
            Self::ExpectText(_) => "expect text".into(),
            Self::ExpectNoText(_) => "expect no text".into(),
            Self::ExpectFrame(_) => "expect frame".into(),
            Self::ExpectFrames { settled: false, .. } => "expect frames".into(),
            Self::ExpectFrames { settled: true, .. } => "expect settled frames".into(),
            Self::ExpectBus { .. } => "expect bus".into(),
            Self::ExpectFrameTime { .. } => "expect frame-time".into(),
            Self::ExpectNoViolations => "expect violations".into(),
            Self::ExpectNoHeap => "expect heap".into(),
            Self::ExpectTone { .. } => "expect tone".into(),
            Self::ExpectNoTone { .. } => "expect no tone".into(),
            Self::ExpectConsole(_) => "expect console".into(),
            Self::ExpectNoConsole(_) => "expect no console".into(),
            Self::ExpectFlash(_) => "expect flash".into(),
            Self::ExpectNoFlash(_) => "expect no flash".into(),
            Self::ExpectBacklight { .. } => "expect backlight".into(),
            Self::ExpectLed(_) => "expect led".into(),
            Self::WaitText { .. } => "wait".into(),
            Self::WaitConsole { .. } => "wait console".into(),
            Self::Settle { .. } => "settle".into(),
            Self::Fault(fault) => fault.noun(),
            Self::Screenshot(_) => "screenshot".into(),
            Self::End => "end".into(),
        }
    }
}

impl Action {
    /// Returns whether the action is an `expect` of any kind, which only observes.
    pub fn is_expectation(&self) -> bool {
        match self {
            Self::ExpectText(_)
            | Self::ExpectNoText(_)
            | Self::ExpectFrame(_)
            | Self::ExpectFrames { .. }
            | Self::ExpectBus { .. }
            | Self::ExpectFrameTime { .. }
            | Self::ExpectNoViolations
            | Self::ExpectNoHeap
            | Self::ExpectTone { .. }
            | Self::ExpectNoTone { .. }
            | Self::ExpectConsole(_)
            | Self::ExpectNoConsole(_)
            | Self::ExpectFlash(_)
            | Self::ExpectNoFlash(_)
            | Self::ExpectBacklight { .. }
            | Self::ExpectLed(_) => true,
            Self::PowerOn
            | Self::PowerOff
            | Self::Tap { .. }
            | Self::Press(_)
            | Self::Release(_)
            | Self::Move { .. }
            | Self::Type(_)
            | Self::TypeBytes(_)
            | Self::WaitText { .. }
            | Self::WaitConsole { .. }
            | Self::Settle { .. }
            | Self::Fault(_)
            | Self::Screenshot(_)
            | Self::End => false,
        }
    }

    /// Returns the button that the action is about.
    pub fn button(&self) -> Option<Button> {
        match self {
            Self::Tap { button, .. } | Self::Press(button) | Self::Release(button) => Some(*button),
            Self::Fault(fault) => fault.button(),
            _ => None,
        }
    }

    /// Returns the control that the action moves.
    pub fn control(&self) -> Option<Control> {
        match self {
            Self::Move { control, .. } => Some(*control),
            _ => None,
        }
    }

    /// Returns the LED that the action is about.
    pub fn led(&self) -> Option<Led> {
        match self {
            Self::ExpectLed(check) => Some(check.led),
            _ => None,
        }
    }

    /// Returns the display that the action names.
    pub fn display(&self) -> Option<Display> {
        match self {
            Self::ExpectText(check) => check.wanted.display,
            Self::ExpectNoText(wanted) => wanted.display,
            Self::ExpectFrame(check) => check.display,
            Self::WaitText { display, .. }
            | Self::ExpectFrames { display, .. }
            | Self::ExpectFrameTime { display, .. }
            | Self::ExpectBacklight { display, .. }
            | Self::Settle { display, .. } => *display,
            Self::Fault(fault) => fault.display(),
            Self::Screenshot(screenshot) => screenshot.display,
            _ => None,
        }
    }

    /// Returns the longest wait, if the action waits for a condition.
    pub fn longest_wait(&self) -> Option<Nanos> {
        match self {
            Self::WaitText { within, .. }
            | Self::WaitConsole { within, .. }
            | Self::Settle { within, .. } => Some(*within),
            _ => None,
        }
    }

    /// Returns whether the action starts a response of the firmware: expectations of console lines
    /// and tones cover the time since the last such line. The release of a button is not an input,
    /// because the response to a long press begins with the press.
    pub fn is_input(&self) -> bool {
        matches!(
            self,
            Self::PowerOn
                | Self::PowerOff
                | Self::Tap { .. }
                | Self::Press(_)
                | Self::Move { .. }
                | Self::Type(_)
                | Self::TypeBytes(_)
                | Self::Fault(_)
        )
    }
}
