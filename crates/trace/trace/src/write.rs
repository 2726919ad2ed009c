//! Writes a trace so that [`parse`](super::parse()) reads the same trace again: comments and order
//! are retained, times have their shortest exact form, columns are aligned.
//!
//! The writer does not check: a [`Trace`] that no parser would return (a text with a control
//! character, a name with a space) becomes text that does not parse.

use core::fmt::{self, Write as _};

use super::budget::Bytes;
use super::control::Movement;
use super::quoted::{Quoted, QuotedBytes};
use super::screenshot::on;
use super::{Action, HeaderEntry, Line, Trace, When};

/// Width of the time, and of everything before a comment, in characters.
const TIME_WIDTH: usize = 7;
const TEXT_WIDTH: usize = 29;

impl fmt::Display for Trace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        comments(out, &self.above)?;
        let first = format!("trace {}", self.version);
        writeln!(out, "{}", commented(&first, self.comment.as_deref()))?;
        for entry in &self.header {
            comments(out, &entry.above)?;
            writeln!(out, "{entry}")?;
        }
        out.write_char('\n')?;
        for line in &self.lines {
            comments(out, &line.above)?;
            writeln!(out, "{line}")?;
        }
        comments(out, &self.closing)
    }
}

/// Writes `seed 7`, with its comment, without the comments above it.
impl fmt::Display for HeaderEntry {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{} {}", self.key, self.value);
        out.write_str(&commented(&text, self.comment.as_deref()))
    }
}

/// Writes `250ms   tap B3`, with its comment, without the comments above it.
impl fmt::Display for Line {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = self.when.to_string();
        let text = format!("{time:<TIME_WIDTH$} {}", self.action);
        out.write_str(&commented(&text, self.comment.as_deref()))
    }
}

/// Writes `250ms` or `+2s`.
impl fmt::Display for When {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::At(at) => write!(out, "{at}"),
            Self::After(span) => write!(out, "+{span}"),
        }
    }
}

/// Writes the verb and its arguments, in the trace format.
impl fmt::Display for Action {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PowerOn => out.write_str("power on"),
            Self::PowerOff => out.write_str("power off"),
            Self::Tap { button, hold: None } => write!(out, "tap {button}"),
            Self::Tap { button, hold: Some(hold) } => write!(out, "tap {button} for {hold}"),
            Self::Press(button) => write!(out, "press {button}"),
            Self::Release(button) => write!(out, "release {button}"),
            Self::Move { control, movement } => moved(out, control.name(), *movement),
            Self::Type(text) => write!(out, "type {}", Quoted(text)),
            Self::TypeBytes(bytes) => write!(out, "type bytes {}", QuotedBytes(bytes)),
            Self::ExpectText(check) => write!(out, "expect text {check}"),
            Self::ExpectNoText(wanted) => write!(out, "expect no text {wanted}"),
            Self::ExpectFrame(check) => write!(out, "expect frame {check}"),
            Self::ExpectFrames { name, settled, display } => {
                let kind = if *settled { "settled frames" } else { "frames" };
                write!(out, "expect {kind} {name}")?;
                on(out, *display)
            }
            Self::ExpectBus { comparison, bytes, within } => {
                write!(out, "expect bus {comparison} {} within {within}", Bytes(*bytes))
            }
            Self::ExpectFrameTime { comparison, limit, display } => {
                write!(out, "expect frame-time {comparison} {limit}")?;
                on(out, *display)
            }
            Self::ExpectNoViolations => out.write_str("expect violations none"),
            Self::ExpectNoHeap => out.write_str("expect heap none"),
            Self::ExpectTone { hertz, lasted: None } => write!(out, "expect tone {hertz}Hz"),
            Self::ExpectTone { hertz, lasted: Some(span) } => {
                write!(out, "expect tone {hertz}Hz for {span}")
            }
            Self::ExpectNoTone { silent_for: None } => out.write_str("expect no tone"),
            Self::ExpectNoTone { silent_for: Some(span) } => {
                write!(out, "expect no tone for {span}")
            }
            Self::ExpectConsole(text) => write!(out, "expect console {}", Quoted(text)),
            Self::ExpectNoConsole(text) => write!(out, "expect no console {}", Quoted(text)),
            Self::ExpectFlash(text) => write!(out, "expect flash {}", Quoted(text)),
            Self::ExpectNoFlash(text) => write!(out, "expect no flash {}", Quoted(text)),
            Self::ExpectBacklight { on: is_on, display } => {
                write!(out, "expect backlight {}", if *is_on { "on" } else { "off" })?;
                on(out, *display)
            }
            Self::ExpectLed(check) => write!(out, "expect led {check}"),
            Self::WaitText { text, display, within } => {
                write!(out, "wait text {}", Quoted(text))?;
                on(out, *display)?;
                write!(out, " within {within}")
            }
            Self::WaitConsole { text, within } => {
                write!(out, "wait console {} within {within}", Quoted(text))
            }
            Self::Settle { display, within } => {
                out.write_str("settle")?;
                on(out, *display)?;
                write!(out, " within {within}")
            }
            Self::Fault(fault) => write!(out, "fault {fault}"),
            Self::Screenshot(screenshot) => write!(out, "screenshot {screenshot}"),
            Self::End => out.write_str("end"),
        }
    }
}

/// Writes the movement of the control of this name.
fn moved(out: &mut fmt::Formatter<'_>, name: &str, movement: Movement) -> fmt::Result {
    match movement {
        Movement::Turn { by, over: None } => write!(out, "turn {name} by {by}"),
        Movement::Turn { by, over: Some(over) } => write!(out, "turn {name} by {by} over {over}"),
        Movement::Switch(true) => write!(out, "switch {name} on"),
        Movement::Switch(false) => write!(out, "switch {name} off"),
        Movement::Set { x, y: None } => write!(out, "set {name} {x}"),
        Movement::Set { x, y: Some(y) } => write!(out, "set {name} {x},{y}"),
        Movement::Touch { at, hold: None } => write!(out, "touch {name} at {at}"),
        Movement::Touch { at, hold: Some(hold) } => write!(out, "touch {name} at {at} for {hold}"),
        Movement::Drag { to, over } => write!(out, "drag {name} to {to} over {over}"),
        Movement::Lift => write!(out, "lift {name}"),
    }
}

fn comments(out: &mut fmt::Formatter<'_>, comments: &[String]) -> fmt::Result {
    comments.iter().try_for_each(|comment| writeln!(out, "{}", commented("", Some(comment))))
}

/// Returns `text` and, in its column or after a space, `comment`.
fn commented(text: &str, comment: Option<&str>) -> String {
    let Some(comment) = comment else {
        return text.to_owned();
    };
    let mark = if comment.is_empty() { "#" } else { "# " };
    if text.is_empty() {
        return format!("{mark}{comment}");
    }
    format!("{text:<TEXT_WIDTH$} {mark}{comment}")
}
