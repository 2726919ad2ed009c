//! What a timed line does.

use super::budget::Comparison;
use super::fault::BoardFault;
use super::frame_check::FrameCheck;
use super::text_check::{RegionText, TextCheck};
use crate::Button;
use virtual_time::Nanos;

/// What a timed line does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// `power on`
    PowerOn,
    /// `power off`
    PowerOff,
    /// `tap B3`, `tap B3 for 1200ms`
    Tap {
        /// Which.
        button: Button,
        /// How long it is held, more than zero; `None` = [`TAP_HOLD`](super::TAP_HOLD).
        hold: Option<Nanos>,
    },
    /// `press T1`
    Press(Button),
    /// `release T1`
    Release(Button),
    /// `type "set game wari"`; never blank
    Type(String),
    /// `expect text "…"`, with the part of the panel and how long it stood there
    ExpectText(TextCheck),
    /// `expect no text "…"`, with the part of the panel
    ExpectNoText(RegionText),
    /// `expect frame NAME`, with what is compared of it
    ExpectFrame(FrameCheck),
    /// `expect frames NAME`, `expect settled frames NAME`
    ExpectFrames {
        /// Of the file that holds them; see [`is_name`](super::is_name).
        name: String,
        /// Only those that stood for `hal_mock::board::SETTLED_AFTER`.
        settled: bool,
    },
    /// `expect bus < 40kB within 1s`
    ExpectBus {
        /// How the bytes compare with `bytes`.
        comparison: Comparison,
        /// The bound.
        bytes: u64,
        /// The span before the line in which they are counted; more than zero.
        within: Nanos,
    },
    /// `expect frame-time < 45ms`
    ExpectFrameTime {
        /// How the longest frame compares with `limit`.
        comparison: Comparison,
        /// The bound.
        limit: Nanos,
    },
    /// `expect violations none`
    ExpectNoViolations,
    /// `expect heap none`
    ExpectNoHeap,
    /// `expect tone 880Hz`, `expect tone 880Hz for 60ms`
    ExpectTone {
        /// In hertz, at least 1.
        hertz: u32,
        /// How long it sounded, more than zero; `None` = any length.
        lasted: Option<Nanos>,
    },
    /// `expect no tone`, `expect no tone for 500ms`
    ExpectNoTone {
        /// The span before the line, more than zero; `None` = now.
        silent_for: Option<Nanos>,
    },
    /// `expect console "…"`; never blank
    ExpectConsole(String),
    /// `expect no console "…"`; never blank
    ExpectNoConsole(String),
    /// `expect flash "…"`; never blank
    ExpectFlash(String),
    /// `expect no flash "…"`; never blank
    ExpectNoFlash(String),
    /// `expect backlight on` (true), `expect backlight off`
    ExpectBacklight(bool),
    /// `wait text "…" within 60s`
    WaitText {
        /// What is to appear on the LCD; never blank.
        text: String,
        /// The longest wait.
        within: Nanos,
    },
    /// `wait console "…" within 5s`
    WaitConsole {
        /// What is to appear in a line of the console; never blank.
        text: String,
        /// The longest wait.
        within: Nanos,
    },
    /// `settle within 5s`
    Settle {
        /// The longest wait.
        within: Nanos,
    },
    /// `fault stuck B3`, `fault power cut`…
    Fault(BoardFault),
    /// `screenshot NAME`; see [`is_name`](super::is_name)
    Screenshot(String),
    /// `end`
    End,
}

impl Action {
    /// What it is called in an error: `release of B3`, `power on`, `expect frame`.
    pub fn noun(&self) -> String {
        match self {
            Self::PowerOn => "power on".into(),
            Self::PowerOff => "power off".into(),
            Self::Tap { button, .. } => format!("tap of {button}"),
            Self::Press(button) => format!("press of {button}"),
            Self::Release(button) => format!("release of {button}"),
            Self::Type(_) => "type".into(),
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
            Self::ExpectBacklight(_) => "expect backlight".into(),
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
    /// Whether it only looks: an `expect` of any kind.
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
            | Self::ExpectBacklight(_) => true,
            Self::PowerOn
            | Self::PowerOff
            | Self::Tap { .. }
            | Self::Press(_)
            | Self::Release(_)
            | Self::Type(_)
            | Self::WaitText { .. }
            | Self::WaitConsole { .. }
            | Self::Settle { .. }
            | Self::Fault(_)
            | Self::Screenshot(_)
            | Self::End => false,
        }
    }

    /// The longest that it waits, if it goes on only once something is met.
    pub fn longest_wait(&self) -> Option<Nanos> {
        match self {
            Self::WaitText { within, .. }
            | Self::WaitConsole { within, .. }
            | Self::Settle { within } => Some(*within),
            _ => None,
        }
    }

    /// Whether it begins something that the firmware answers: console lines and tones are expected
    /// since the last such line. The release of a button is none, because what follows a long
    /// press begins with the press.
    pub fn is_input(&self) -> bool {
        matches!(
            self,
            Self::PowerOn
                | Self::PowerOff
                | Self::Tap { .. }
                | Self::Press(_)
                | Self::Type(_)
                | Self::Fault(_)
        )
    }
}
