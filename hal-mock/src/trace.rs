//! The trace: a text file that says what is done to the board and what must be seen.
//!
//! [`parse`], [`parse_bytes`] and [`load`] read one, `Display` of [`Trace`] writes one,
//! [`Recorder`] appends one event by event while a session runs. The reference for
//! people is `docs/trace-format.md`; its examples are parsed by this room's tests.
//!
//! ```
//! let text = "trace 1\nseed 7\n\n0ms power on\n250ms tap B3\n+1s expect text \"FREE TURN\"\n";
//! let trace = hal_mock::trace::parse("win.trace", text).unwrap();
//! assert_eq!(trace.get("seed").unwrap().value, "7");
//! assert_eq!(trace.lines.len(), 3);
//! ```
//!
//! The rooms inside: `token` cuts a line, `number` reads times and frequencies,
//! `parse` reads verbs, `frame_check` and `budget` are what some `expect` lines hold, `fault` what a
//! `fault` line does, `sequence` knows which line may follow which, `nearest` finds the word that was
//! meant, `write` and `record` go the other way, `tidy` makes a recording worth keeping.
//!
//! It does not know what a header key means (they are key–value pairs), what a game is,
//! or how a trace is carried out: that is [`crate::replay`].

mod budget;
mod fault;
mod frame_check;
mod nearest;
mod number;
mod parse;
mod record;
mod sequence;
pub mod tidy;
mod token;
mod write;

#[cfg(test)]
mod doc_tests;
#[cfg(test)]
mod error_tests;
#[cfg(test)]
mod expect_tests;
#[cfg(test)]
mod fault_tests;
#[cfg(test)]
mod property_tests;

use core::fmt;
use std::path::PathBuf;

use crate::{Button, Nanos};

pub use budget::{Comparison, bytes_spoken};
pub use fault::{BoardFault, LONGEST_BOUNCE, RAREST_FLIP};
pub use frame_check::FrameCheck;
pub use nearest::{did_you_mean, nearest};
pub use parse::{LoadError, ParseError, load, parse, parse_bytes};
pub use record::Recorder;

/// The version of the format that this build reads and writes.
pub const VERSION: u32 = 1;
/// How long a `tap` without `for` holds its button.
pub const TAP_HOLD: Nanos = Nanos::from_millis(80);
/// The last moment a trace can name: 2⁶³ − 1 ns, about 292 years.
pub const LATEST: Nanos = Nanos((1 << 63) - 1);
/// The longest line, in bytes without its line end.
pub const LINE_BYTES_MAX: usize = 4_096;
/// The most lines in a file.
pub const LINES_MAX: u32 = 1_000_000;
/// The largest file, in bytes.
pub const FILE_BYTES_MAX: usize = 64 << 20;
/// The longest name of a golden frame or a screenshot, in characters.
pub const NAME_CHARS_MAX: usize = 64;

/// Where something stands in a file. Both count from 1; 0 means "not from a file".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column, in characters (a tab is one).
    pub column: u32,
}

/// `41:9`.
impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.line, self.column)
    }
}

/// A whole trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The format's version; [`VERSION`].
    pub version: u32,
    /// The full-line comments above `trace 1`, without their `#`.
    pub above: Vec<String>,
    /// The comment behind `trace 1`.
    pub comment: Option<String>,
    /// The settings at power-on, in the order of the file; no key stands twice.
    pub header: Vec<HeaderEntry>,
    /// The timed lines; the first is `power on`.
    pub lines: Vec<Line>,
    /// The full-line comments below the last line.
    pub closing: Vec<String>,
    /// The folder of the file that it was read from: files that its header names lie there.
    pub folder: Option<PathBuf>,
}

impl Trace {
    /// The header entry of that key.
    pub fn get(&self, key: &str) -> Option<&HeaderEntry> {
        self.header.iter().find(|entry| entry.key == key)
    }
}

/// A trace of the present version with nothing in it.
impl Default for Trace {
    fn default() -> Self {
        Self {
            version: VERSION,
            above: Vec::new(),
            comment: None,
            header: Vec::new(),
            lines: Vec::new(),
            closing: Vec::new(),
            folder: None,
        }
    }
}

/// A `key value` line above the first timed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderEntry {
    /// A lower-case letter, then lower-case letters, digits and `-`; never a verb.
    pub key: String,
    /// The rest of the line up to a comment, without the blanks around it; never empty.
    pub value: String,
    /// Where the key stands.
    pub key_place: Place,
    /// Where the value begins.
    pub value_place: Place,
    /// The full-line comments above it.
    pub above: Vec<String>,
    /// The comment behind it.
    pub comment: Option<String>,
}

impl HeaderEntry {
    /// An entry that does not come from a file.
    pub fn new(key: impl Into<String>, value: impl Into<String>) -> Self {
        Self {
            key: key.into(),
            value: value.into(),
            key_place: Place::default(),
            value_place: Place::default(),
            above: Vec::new(),
            comment: None,
        }
    }
}

/// A timed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its time.
    pub when: When,
    /// What happens then.
    pub action: Action,
    /// Where its verb stands.
    pub place: Place,
    /// The full-line comments above it.
    pub above: Vec<String>,
    /// The comment behind it.
    pub comment: Option<String>,
}

impl Line {
    /// A line that does not come from a file.
    pub fn new(when: When, action: Action) -> Self {
        Self { when, action, place: Place::default(), above: Vec::new(), comment: None }
    }
}

/// The time of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Since the first power-on.
    At(Nanos),
    /// Since the line above: after a `tap` since its press, after a `wait` or `settle`
    /// since the moment it was met.
    After(Nanos),
}

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
        /// How long it is held, more than zero; `None` = [`TAP_HOLD`].
        hold: Option<Nanos>,
    },
    /// `press T1`
    Press(Button),
    /// `release T1`
    Release(Button),
    /// `expect text "…"`; never blank
    ExpectText(String),
    /// `expect no text "…"`; never blank
    ExpectNoText(String),
    /// `expect frame NAME`, with what is compared of it
    ExpectFrame(FrameCheck),
    /// `expect frames NAME`, `expect settled frames NAME`
    ExpectFrames {
        /// Of the file that holds them; see [`is_name`].
        name: String,
        /// Only those that stood for [`SETTLED_AFTER`](crate::board::SETTLED_AFTER).
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
    /// `expect tone 880Hz`; in hertz, at least 1
    ExpectTone(u32),
    /// `expect console "…"`; never blank
    ExpectConsole(String),
    /// `wait text "…" within 60s`
    WaitText {
        /// What is to appear on the LCD; never blank.
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
    /// `screenshot NAME`; see [`is_name`]
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
            Self::ExpectText(_) => "expect text".into(),
            Self::ExpectNoText(_) => "expect no text".into(),
            Self::ExpectFrame(_) => "expect frame".into(),
            Self::ExpectFrames { settled: false, .. } => "expect frames".into(),
            Self::ExpectFrames { settled: true, .. } => "expect settled frames".into(),
            Self::ExpectBus { .. } => "expect bus".into(),
            Self::ExpectFrameTime { .. } => "expect frame-time".into(),
            Self::ExpectNoViolations => "expect violations".into(),
            Self::ExpectNoHeap => "expect heap".into(),
            Self::ExpectTone(_) => "expect tone".into(),
            Self::ExpectConsole(_) => "expect console".into(),
            Self::WaitText { .. } => "wait".into(),
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
        self.noun().starts_with("expect ")
    }
}

/// Whether `name` may name a golden frame or a screenshot. Names become file names, so:
/// ASCII letters, digits, `-` and `_`, one to [`NAME_CHARS_MAX`] of them.
pub fn is_name(name: &str) -> bool {
    (1..=NAME_CHARS_MAX).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

/// Reads a time as traces write it: `250ms`, `1.5s`, `2min`.
///
/// # Errors
/// What is wrong with `text`, as a sentence without a full stop.
pub fn parse_time(text: &str) -> Result<Nanos, String> {
    number::time_at(text, 1).map_err(|fault| fault.message)
}

/// A time as sentences have it: `12.3 s`, `250 ms`, `1.180301824 s`; exact, in the
/// largest unit that it fills.
pub fn spoken(time: Nanos) -> String {
    const UNITS: [(u64, usize, &str); 4] =
        [(1_000_000_000, 9, "s"), (1_000_000, 6, "ms"), (1_000, 3, "us"), (1, 0, "ns")];
    let filled = |(scale, _, _): &&(u64, usize, &str)| time.0 >= *scale;
    let Some((scale, places, unit)) = UNITS.iter().find(filled) else {
        return "0 ms".into();
    };
    let (whole, rest) = (time.0 / scale, time.0 % scale);
    if rest == 0 {
        return format!("{whole} {unit}");
    }
    let decimals = format!("{rest:0places$}");
    format!("{whole}.{} {unit}", decimals.trim_end_matches('0'))
}
