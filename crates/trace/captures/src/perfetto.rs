//! The timeline of a replay for Perfetto's viewer (ui.perfetto.dev, also chrome://tracing), as
//! Chrome's trace events in JSON: tracks for the lines of a trace by their kind, for frames, tones,
//! console lines, power and buttons, and a counter of the bytes on the LCD's bus in each
//! millisecond.
//!
//! A [`TimelineRecorder`] is attached to a board as a probe in addition to others; its owner
//! supplies the frames and the lines. Times in the file are microseconds of virtual time, with
//! three decimals. At most [`EVENTS_MAX`] events are stored, the others only counted. The module
//! knows no game and judges nothing.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::rc::Rc;

use hal_mock::{
    VirtualBoard,
    board::{ConsoleLine, Tone, WireListener},
};
use serde_json::{Map, Value, json};
use trace::{Button, ButtonMap, Buttons};
use virtual_time::{Instant, Nanos};

/// Maximum number of stored events; a game of an hour has about 300,000.
pub const EVENTS_MAX: usize = 2 << 20;
/// Span over which bytes are summed.
const BUCKET: Nanos = Nanos::from_millis(1);
/// Process number of the board, the only process in the file.
const BOARD: u32 = 1;

/// A row of the viewer; the order of the variants is that of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Track {
    Inputs,
    Waits,
    Expectations,
    OtherLines,
    Frames,
    Tones,
    Console,
    Violations,
    Power,
    Contact(Button),
}

impl Track {
    /// Returns the rows of a board with these buttons.
    fn all(buttons: &Buttons) -> impl Iterator<Item = Self> {
        use Track::{
            Console, Expectations, Frames, Inputs, OtherLines, Power, Tones, Violations, Waits,
        };
        let first =
            [Inputs, Waits, Expectations, OtherLines, Frames, Tones, Console, Violations, Power];
        first.into_iter().chain(buttons.all().iter().copied().map(Self::Contact))
    }

    fn number(self) -> usize {
        // Numbers start at 1: the viewer treats 0 as "no thread".
        // Buttons are equal if they are at the same place, whatever their names.
        1 + Self::all(&Buttons::lcd_board()).position(|track| track == self).unwrap_or_default()
    }

    fn name(self) -> String {
        match self {
            Self::Inputs => "inputs".into(),
            Self::Waits => "waits".into(),
            Self::Expectations => "expectations".into(),
            Self::OtherLines => "other lines".into(),
            Self::Frames => "frames".into(),
            Self::Tones => "tones".into(),
            Self::Console => "console".into(),
            Self::Violations => "broken rules of the LCD".into(),
            Self::Power => "power".into(),
            Self::Contact(button) => format!("{button} (contact)"),
        }
    }
}

/// Kind of a line of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// Acts on the board.
    Input,
    /// Waits.
    Wait,
    /// Checks an expectation.
    Expectation,
    /// Any other line.
    Other,
}

/// An executed line of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelineLine {
    /// Line number in the file, from 1; 0 if the line is not from a file.
    pub number: u32,
    /// Text of the line, as in the trace.
    pub text: String,
    pub kind: LineKind,
    /// Time of the line.
    pub at: Instant,
    /// Time at which the line ended: later than `at` if it waited.
    pub over: Instant,
    /// Failure message, if the line failed.
    pub failure: Option<String>,
}

/// A complete frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimelineFrame {
    /// Number of the frame, from 1.
    pub number: u64,
    /// Time at which the first pixel was written.
    pub first: Instant,
    /// Time at which the last pixel was written.
    pub last: Instant,
    /// Number of bytes on the bus since the previous frame.
    pub bytes: u64,
}

/// Numbers of written items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimelineCounts {
    /// Number of lines of the trace.
    pub lines: usize,
    /// Number of frames.
    pub frames: usize,
    /// Number of events left out, because there were more than [`EVENTS_MAX`].
    pub left_out: usize,
}

/// An event: a span, or a point in time.
struct Event {
    at: Instant,
    /// End of the span; `None` for a point in time.
    until: Option<Instant>,
    track: Track,
    name: String,
    args: Map<String, Value>,
}

pub struct TimelineRecorder(Rc<RefCell<Recorder>>);

#[derive(Default)]
struct Recorder {
    events: Vec<Event>,
    left_out: usize,
    /// Number of bytes by the index of their millisecond.
    bytes: BTreeMap<u64, u64>,
    powered_since: Option<Instant>,
    closed_since: ButtonMap<Option<Instant>>,
    /// The buttons of the board.
    buttons: Buttons,
}

impl TimelineRecorder {
    /// Records `board`, whose power must be off and whose clock must be at 0, from now on.
    pub fn attach(board: &VirtualBoard) -> Self {
        let recorder = Recorder { buttons: board.buttons(), ..Recorder::default() };
        let recorder = Rc::new(RefCell::new(recorder));
        board.add_listener(recorder.clone());
        Self(recorder)
    }

    /// Adds the timeline of a replay that ended at `end` to the recorded events, and writes all of
    /// it. Events after `end` are left out. `name` is shown as the name of the process.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn finish(
        self,
        board: &VirtualBoard,
        end: Instant,
        name: &str,
        lines: &[TimelineLine],
        frames: &[TimelineFrame],
        out: &mut dyn Write,
    ) -> io::Result<TimelineCounts> {
        board.notify_listeners();
        let mut recorder = self.0.take();
        recorder.end_spans(end);
        lines.iter().for_each(|line| recorder.line(line));
        frames.iter().for_each(|frame| recorder.frame(frame));
        recorder.tones(&board.tones(), end);
        board.console_lines().iter().for_each(|line| recorder.console_line(line));
        for violation in board.violations() {
            let name = violation.to_string();
            recorder.add(violation.at, None, Track::Violations, name, Map::new());
        }
        recorder.write(name, end, out)
    }
}

impl Recorder {
    fn add(
        &mut self,
        at: Instant,
        until: Option<Instant>,
        track: Track,
        name: String,
        args: Map<String, Value>,
    ) {
        if self.events.len() < EVENTS_MAX {
            self.events.push(Event { at, until, track, name, args });
        } else {
            self.left_out += 1;
        }
    }

    fn span(&mut self, at: Instant, until: Instant, track: Track, name: String) {
        self.add(at, Some(until.max(at)), track, name, Map::new());
    }

    fn end_spans(&mut self, end: Instant) {
        if let Some(since) = self.powered_since.take() {
            self.span(since, end, Track::Power, "on".into());
        }
        for button in self.buttons.clone().all().iter().copied() {
            if let Some(since) = self.closed_since.at(button).take() {
                self.span(since, end, Track::Contact(button), button.to_string());
            }
        }
    }

    fn line(&mut self, line: &TimelineLine) {
        let TimelineLine { number, text, kind, at, over, failure } = line;
        let (track, verdict) = match kind {
            LineKind::Input => (Track::Inputs, "done"),
            LineKind::Wait => (Track::Waits, "met"),
            LineKind::Expectation => (Track::Expectations, "passed"),
            LineKind::Other => (Track::OtherLines, "done"),
        };
        let verdict = if failure.is_some() { "failed" } else { verdict };
        let mut args = Map::new();
        if *number > 0 {
            args.insert("line".into(), json!(number));
        }
        args.insert("verdict".into(), json!(verdict));
        args.extend(failure.iter().map(|message| ("message".to_owned(), json!(message))));
        let failed = if failure.is_some() { "FAILED: " } else { "" };
        let until = (*kind == LineKind::Wait).then_some(*over.max(at));
        self.add(*at, until, track, format!("{failed}{text}"), args);
    }

    fn frame(&mut self, frame: &TimelineFrame) {
        let TimelineFrame { number, first, last, bytes } = *frame;
        let args = Map::from_iter([("bytes".into(), json!(bytes))]);
        self.add(first, Some(last.max(first)), Track::Frames, format!("frame {number}"), args);
    }

    fn tones(&mut self, tones: &[Tone], end: Instant) {
        for (nth, tone) in tones.iter().enumerate() {
            if let Some(hz) = tone.hz {
                let until = tones.get(nth + 1).map_or(end, |next| next.at);
                self.span(tone.at, until, Track::Tones, format!("{hz} Hz"));
            }
        }
    }

    fn console_line(&mut self, line: &ConsoleLine) {
        self.add(line.at, None, Track::Console, line.text.clone(), Map::new());
    }

    /// Distributes bytes evenly over the milliseconds from `start` to `end`.
    fn count_bytes(&mut self, start: Instant, end: Instant, bytes: u64) {
        let span = u128::from(end.saturating_since(start).0).max(1);
        // Number of bytes that are completely sent at this time.
        let over = |at: u64| (u128::from(bytes) * u128::from(at - start.0).min(span) / span) as u64;
        let (first, last) = (start.0 / BUCKET.0, end.0.saturating_sub(1).max(start.0) / BUCKET.0);
        for bucket in first..=last {
            let begin = (bucket * BUCKET.0).max(start.0);
            let part = match bucket == last {
                true => bytes - over(begin),
                false => over((bucket + 1) * BUCKET.0) - over(begin),
            };
            if self.bytes.len() < EVENTS_MAX || self.bytes.contains_key(&bucket) {
                *self.bytes.entry(bucket).or_default() += part;
            } else {
                self.left_out += 1;
            }
        }
    }

    fn write(
        mut self,
        name: &str,
        end: Instant,
        out: &mut dyn Write,
    ) -> io::Result<TimelineCounts> {
        self.events.retain(|event| event.at <= end);
        // A span is sorted before the events in it.
        self.events.sort_by_key(|event| {
            let length = event.until.map_or(0, |until| until.saturating_since(event.at).0);
            (event.at, event.track, std::cmp::Reverse(length))
        });
        let count = |tracks: &[Track]| {
            self.events.iter().filter(|event| tracks.contains(&event.track)).count()
        };
        let counts = TimelineCounts {
            lines: count(&[Track::Inputs, Track::Waits, Track::Expectations, Track::OtherLines]),
            frames: count(&[Track::Frames]),
            left_out: self.left_out,
        };
        out.write_all(b"{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n")?;
        serde_json::to_writer(&mut *out, &metadata("process_name", 0, json!({ "name": name })))?;
        for track in Track::all(&self.buttons) {
            let thread = track.number();
            for (kind, args) in [
                ("thread_name", json!({ "name": track.name() })),
                ("thread_sort_index", json!({ "sort_index": thread })),
            ] {
                out.write_all(b",\n")?;
                serde_json::to_writer(&mut *out, &metadata(kind, thread, args))?;
            }
        }
        for event in &self.events {
            out.write_all(b",\n")?;
            serde_json::to_writer(&mut *out, &event.json(end))?;
        }
        let mut before = None;
        for (bucket, bytes) in &self.bytes {
            // A millisecond without bytes has the value 0; otherwise the counter would keep its
            // value until the next one.
            if let Some(quiet) = before.filter(|before| before + 1 < *bucket) {
                counter(quiet + 1, 0, end, out)?;
            }
            counter(*bucket, *bytes, end, out)?;
            before = Some(*bucket);
        }
        if let Some(last) = before {
            counter(last + 1, 0, end, out)?;
        }
        out.write_all(b"\n]}\n")?;
        Ok(counts)
    }
}

impl Event {
    fn json(&self, end: Instant) -> Value {
        let Self { at, until, track, name, args } = self;
        let mut event = json!({
            "name": name, "cat": "nudge", "ts": micros(*at), "pid": BOARD, "tid": track.number(),
        });
        let more = match until {
            Some(until) => {
                let length = until.min(&end).saturating_since(*at);
                json!({ "ph": "X", "dur": micros(Instant(length.0)) })
            }
            None => json!({ "ph": "i", "s": "t" }),
        };
        if let (Value::Object(event), Value::Object(more)) = (&mut event, more) {
            event.extend(more);
            if !args.is_empty() {
                event.insert("args".into(), Value::Object(args.clone()));
            }
        }
        event
    }
}

fn metadata(kind: &str, thread: usize, args: Value) -> Value {
    json!({ "name": kind, "ph": "M", "pid": BOARD, "tid": thread, "args": args })
}

fn counter(bucket: u64, bytes: u64, end: Instant, out: &mut dyn Write) -> io::Result<()> {
    let at = Instant(bucket * BUCKET.0);
    if at > end {
        return Ok(());
    }
    out.write_all(b",\n")?;
    let event = json!({
        "name": "LCD bus, bytes in 1 ms", "cat": "nudge", "ph": "C", "ts": micros(at), "pid": BOARD,
        "args": { "bytes": bytes },
    });
    Ok(serde_json::to_writer(&mut *out, &event)?)
}

/// Converts nanoseconds to the format's microseconds: exact up to 104 days.
fn micros(at: Instant) -> f64 {
    at.0 as f64 / 1_000.0
}

impl WireListener for Recorder {
    fn power(&mut self, at: Instant, on: bool) {
        if on {
            self.powered_since = Some(at);
        } else if let Some(since) = self.powered_since.take() {
            self.span(since, at, Track::Power, "on".into());
        }
    }

    fn contact(&mut self, at: Instant, button: Button, closed: bool) {
        let Some(&button) = self.buttons.all().get(button.index()) else { return };
        let since = self.closed_since.at(button);
        if closed {
            *since = Some(at);
        } else if let Some(since) = since.take() {
            self.span(since, at, Track::Contact(button), button.to_string());
        }
    }

    fn lcd_bytes(&mut self, start: Instant, end: Instant, sent: &[u8], _: &[u8]) {
        if !sent.is_empty() {
            self.count_bytes(start, end, sent.len() as u64);
        }
    }
}

#[cfg(test)]
mod tests;
