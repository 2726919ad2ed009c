//! Inputs of a session, and what happens to its recording when another future begins. It knows no
//! file.

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::PathBuf;
use std::rc::Rc;

use timeline::{Fingers, finger_of, may_be_starting};
use trace::{Action, BoardParts, Button, HeaderEntry, NoIncludes, Recorder, When, parse_on};
use virtual_time::Instant;

/// Most inputs that a session can go back through: a day of ten presses a second.
pub const INPUT_LOG_MAX: usize = 1 << 20;

/// The output of a recording; it is written and flushed line by line.
pub type Sink = Box<dyn Write + Send>;

/// Inputs of a session with absolute times: presses, releases, typed lines, the power. The first
/// is the first power-on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputLog {
    /// Inputs with their times.
    pub events: Vec<(Instant, Action)>,
    /// Present time.
    pub end: Instant,
}

impl InputLog {
    /// Parses the trace `text` of the LCD board like [`parse_on`](Self::parse_on).
    pub fn parse(text: &str, end: Instant) -> Option<Self> {
        Self::parse_on(&BoardParts::lcd_board(), text, end)
    }

    /// Parses the trace `text` of a board with these parts, up to `end`; `None` if it is no trace,
    /// or has lines that a session cannot have.
    pub fn parse_on(parts: &BoardParts, text: &str, end: Instant) -> Option<Self> {
        let bytes = text.as_bytes();
        let trace = parse_on("session.trace", bytes, &mut NoIncludes, Some(parts)).ok()?;
        let mut events: Vec<(Instant, Action)> = Vec::new();
        for line in &trace.lines {
            let When::At(at) = line.when else { return None };
            match &line.action {
                Action::End => {}
                action @ (Action::PowerOn
                | Action::PowerOff
                | Action::Press(_)
                | Action::Release(_)
                | Action::Move { .. }
                | Action::Type(_)) => events.push((at, action.clone())),
                _ => return None,
            }
        }
        let last = events.last().map_or(end, |(at, _)| *at);
        Some(Self { events, end: end.max(last) })
    }

    /// Returns the log as a trace with `header`.
    ///
    /// # Errors
    /// If no trace can hold it.
    pub fn text(&self, header: &[HeaderEntry]) -> io::Result<Vec<u8>> {
        let mut recorder = Recorder::start(Vec::new(), header)?;
        for (at, action) in &self.events {
            recorder.record(*at, action.clone())?;
        }
        recorder.finish(self.end)
    }

    /// Returns the log up to `at`.
    pub fn until(&self, at: Instant) -> Self {
        let events = self.events.iter().filter(|(when, _)| *when <= at).cloned().collect();
        Self { events, end: at }
    }

    /// Returns the log up to the last power-on if it ends within the start of the firmware, whose
    /// board had the movements within it before the power; otherwise all of it.
    pub(crate) fn before_start(&self) -> Self {
        let power_on = |(_, action): &(Instant, Action)| *action == Action::PowerOn;
        let begun = self.events.iter().rposition(power_on);
        let begun = begun.map(|begun| (begun, self.events[begun].0));
        match begun.filter(|(_, at)| may_be_starting(*at, self.end)) {
            Some((begun, at)) => Self { events: self.events[..begun].to_vec(), end: at },
            None => self.clone(),
        }
    }

    /// Returns when the power was switched off, if it is off at the end.
    pub(crate) fn off_since(&self) -> Option<Instant> {
        let power = |action: &Action| matches!(action, Action::PowerOn | Action::PowerOff);
        let last = self.events.iter().rev().find(|(_, action)| power(action));
        last.filter(|(_, action)| *action == Action::PowerOff).map(|(at, _)| *at)
    }

    /// Returns the buttons that are down at the end.
    pub fn down(&self) -> impl Iterator<Item = Button> {
        Fingers::after(self.events.iter().filter_map(|(_, action)| finger_of(action))).down()
    }
}

/// Store of a session's recording and of its abandoned futures.
pub trait RecordingStore: Send {
    /// Adds `input_log`, which the session leaves, to the file of its branches. The first `same`
    /// inputs are also those of the course that the session continues in. Returns the file's path.
    ///
    /// # Errors
    /// If it cannot be written; the session then stays in it.
    fn keep(&mut self, input_log: &InputLog, same: usize) -> io::Result<PathBuf>;

    /// Replaces the recording by `input_log`. Returns the output that appends to it; `None` if
    /// nothing is recorded.
    ///
    /// # Errors
    /// If it cannot be written; the recording then is as it was.
    fn rewind(&mut self, input_log: &InputLog) -> io::Result<Option<Sink>>;

    /// Returns the output that appends to the recording of another session, and its header;
    /// `None` if nothing is recorded.
    ///
    /// # Errors
    /// If it cannot be opened.
    fn go_on(&mut self) -> io::Result<Option<(Sink, Vec<HeaderEntry>)>>;
}

/// A recording that can continue after the existing content of its file.
pub(super) struct Recording {
    recorder: Recorder<DeferredSink>,
    header: Vec<HeaderEntry>,
}

/// Forwards what is written, once there is a file.
struct DeferredSink(Rc<RefCell<Option<Sink>>>);

impl Write for DeferredSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.borrow_mut().as_mut() {
            Some(sink) => sink.write(bytes),
            None => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Recording {
    /// Begins a recording with its header.
    pub(super) fn start(sink: Sink, header: Vec<HeaderEntry>) -> io::Result<Self> {
        let deferred = DeferredSink(Rc::new(RefCell::new(Some(sink))));
        Ok(Self { recorder: Recorder::start(deferred, &header)?, header })
    }

    /// Continues after `input_log`, which `sink` has already.
    pub(super) fn go_on(
        sink: Sink,
        header: Vec<HeaderEntry>,
        input_log: &InputLog,
    ) -> io::Result<Self> {
        let place = Rc::new(RefCell::new(None));
        let mut recorder = Recorder::start(DeferredSink(Rc::clone(&place)), &header)?;
        for (at, action) in &input_log.events {
            recorder.record(*at, action.clone())?;
        }
        *place.borrow_mut() = Some(sink);
        Ok(Self { recorder, header })
    }

    pub(super) fn record(&mut self, at: Instant, action: Action) -> io::Result<()> {
        self.recorder.record(at, action)
    }

    pub(super) fn finish(self, at: Instant) -> io::Result<()> {
        self.recorder.finish(at).map(drop)
    }

    pub(super) fn into_header(self) -> Vec<HeaderEntry> {
        self.header
    }
}

/// Returns the trace up to its last event, without `end`.
///
/// # Errors
/// If no trace can hold it.
pub fn unended(input_log: &InputLog, header: &[HeaderEntry]) -> io::Result<Vec<u8>> {
    let text = input_log.text(header)?;
    let last = text[..text.len().saturating_sub(1)].iter().rposition(|byte| *byte == b'\n');
    Ok(text[..last.map_or(0, |at| at + 1)].to_vec())
}

#[cfg(test)]
mod tests {
    use trace::Buttons;

    use super::*;

    #[test]
    fn the_recording_of_another_board_has_its_buttons() {
        let buttons = Buttons::new(["A", "UP"]).unwrap();
        let text = "trace 1\nboard pad.board.toml\n\n0ms power on\n1s press UP\n1.1s press A\n\
                    1.2s release A\n";
        let parts = BoardParts { buttons, ..BoardParts::lcd_board() };
        let log = InputLog::parse_on(&parts, text, Instant::START).unwrap();
        let up = log.down().next().unwrap();
        assert_eq!((log.events.len(), up.index(), up.name()), (4, 1, "UP"));
        assert_eq!(InputLog::parse(text, Instant::START), None, "the LCD board has no UP");
    }
}
