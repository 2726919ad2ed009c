//! Converts the edges on the buttons' pins to a trace.
//!
//! Every edge becomes a press or a release at the same nanosecond, so the waveform of a trace
//! converts back to the same presses. [`Debouncer`] removes the bounce of contacts.

use std::collections::BTreeMap;

use trace::{
    Action, Button, ButtonSet, HeaderEntry, LINES_MAX, Line, TAP_HOLD, Trace, When, counted,
    parse_time,
};
use virtual_time::{Instant, Nanos, spoken};

use crate::capture::Capture;
use crate::debounce::Debouncer;
use crate::edge::Edge;
use crate::error::{ConversionError, FormatError};
use crate::signal::Signal;

/// Edges of one contact within this time look like bounce: a finger is slower.
pub const LOOKS_LIKE_BOUNCE: Nanos = Nanos::from_millis(5);

#[derive(Clone, Debug)]
pub struct ConvertedTrace {
    pub trace: Trace,
    /// Notes for the user, as sentences without a full stop.
    pub notes: Vec<String>,
}

/// Returns the trace of the buttons in `capture`. If `debounce` is `None`, the period is the
/// `bounce` of the waveform's own header, or zero.
///
/// # Errors
/// If the capture cannot be read, or its edges do not make a valid trace.
pub fn trace_of(
    capture: &mut Capture,
    debounce: Option<Nanos>,
) -> Result<ConvertedTrace, FormatError> {
    let header: Vec<HeaderEntry> = capture
        .header()
        .iter()
        .map(|(key, value)| HeaderEntry::new(key.as_str(), value.as_str()))
        .collect();
    let asked = || header.iter().find(|entry| entry.key == "bounce");
    let debounce = debounce.or_else(|| parse_time(&asked()?.value).ok()).unwrap_or(Nanos::ZERO);
    let signals = capture.signals().to_vec();
    if !signals.iter().any(|signal| matches!(signal, Signal::Button(_))) {
        return Err(FormatError::of(capture.name(), ConversionError::NoButton));
    }
    let mut moves = Movements::default();
    if !signals.contains(&Signal::Power) {
        moves.list.push((Instant::START, Movement::Power(true)));
        moves.powered = true;
    }
    let mut debouncer = Debouncer::new(debounce);
    while let Some(edge) = capture.next() {
        for edge in debouncer.take(edge?) {
            moves.take(capture.name(), edge)?;
        }
    }
    for edge in debouncer.rest() {
        moves.take(capture.name(), edge)?;
    }
    if !moves.powered && moves.list.is_empty() {
        return Err(FormatError::of(capture.name(), ConversionError::NeverPowered));
    }
    let (first, last) = capture.span().unwrap_or_default();
    let mut notes = capture.notes();
    if !signals.contains(&Signal::Power) && first > Instant::START {
        notes.push(format!(
            "the capture begins at {}; the trace switches the board on at 0 ms",
            spoken(first.since_start())
        ));
    }
    let held = moves.held_from(first);
    if !held.is_empty() {
        notes.push(format!(
            "low from the first sample to the last, which is a button held all the time: {}; are \
             their channels connected?",
            held.join(", ")
        ));
    }
    let others: Vec<&str> = signals
        .iter()
        .filter(|signal| !matches!(signal, Signal::Button(_) | Signal::Power))
        .map(|signal| signal.name())
        .collect();
    if !others.is_empty() {
        notes.push(format!(
            "not in the trace, because firmware makes them anew: {}",
            others.join(", ")
        ));
    }
    for (button, left_out) in debouncer.left_out() {
        let bounces = counted(left_out, "bounce");
        notes.push(format!(
            "{bounces} of {button} within {} of a movement left out",
            spoken(debounce)
        ));
    }
    for (button, (count, line)) in &moves.quick {
        notes.push(format!(
            "{button} moves {count} times within {} of its last movement, first at {}: contacts \
             that bounce? `--debounce 5ms` leaves that out",
            spoken(LOOKS_LIKE_BOUNCE),
            spoken(line.since_start())
        ));
    }
    if header.iter().any(|entry| entry.key == "flash") {
        notes.push("the file that `flash` names belongs beside the new trace".to_owned());
    }
    let trace = Trace { header, lines: moves.lines(last), ..Trace::default() };
    Ok(ConvertedTrace { trace, notes })
}

/// A movement that becomes a line of the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Movement {
    Power(bool),
    Button(Button, bool),
}

#[derive(Default)]
struct Movements {
    list: Vec<(Instant, Movement)>,
    powered: bool,
    down: ButtonSet,
    last: BTreeMap<Button, Instant>,
    /// Number of edges within [`LOOKS_LIKE_BOUNCE`] for each button that has some, and the time of
    /// the first one.
    quick: BTreeMap<Button, (u64, Instant)>,
}

impl Movements {
    fn take(&mut self, file: &str, Edge { at, signal, high }: Edge) -> Result<(), FormatError> {
        let what = match signal {
            Signal::Power if high == self.powered => return Ok(()),
            Signal::Power => {
                self.powered = high;
                Movement::Power(high)
            }
            Signal::Button(button) => {
                if !self.down.set(button, !high) {
                    return Ok(());
                }
                if self.list.is_empty() {
                    return Err(FormatError::of(file, ConversionError::BeforePower { button, at }));
                }
                let last = self.last.insert(button, at);
                if last.is_some_and(|last| at.saturating_since(last) < LOOKS_LIKE_BOUNCE) {
                    self.quick.entry(button).or_insert((0, at)).0 += 1;
                }
                Movement::Button(button, !high)
            }
            _ => return Ok(()),
        };
        // Leaves room for `trace 1`, the header and `end`; each movement is one line.
        if self.list.len() >= LINES_MAX as usize - 100 {
            let kind = ConversionError::TooManyEdges { max: LINES_MAX, at };
            return Err(FormatError::of(file, kind));
        }
        self.list.push((at, what));
        Ok(())
    }

    /// Returns the buttons that were pressed at `first` and have not moved since.
    fn held_from(&self, first: Instant) -> Vec<&'static str> {
        let held =
            |(button, last): &(&Button, &Instant)| self.down.contains(**button) && **last == first;
        self.last.iter().filter(held).map(|(button, _)| button.name()).collect()
    }

    /// Returns the timed lines: a press and its release become one tap at the time of the press.
    fn lines(mut self, end: Instant) -> Vec<Line> {
        // The debouncer returns some edges late, so they are sorted by time.
        self.list.sort_by_key(|(at, _)| *at);
        let mut lines: Vec<Line> = Vec::new();
        let mut pressed: BTreeMap<Button, usize> = BTreeMap::new();
        let mut last = Instant::START;
        for (at, what) in self.list {
            last = at;
            let action = match what {
                Movement::Power(true) => Action::PowerOn,
                Movement::Power(false) => Action::PowerOff,
                Movement::Button(button, true) => {
                    pressed.insert(button, lines.len());
                    Action::Press(button)
                }
                Movement::Button(button, false) => {
                    let press = pressed.remove(&button);
                    let line = press.and_then(|place| lines.get_mut(place));
                    if let Some(line) = line
                        && let When::At(pressed_at) = line.when
                        && at > pressed_at
                    {
                        let hold =
                            Some(at.saturating_since(pressed_at)).filter(|hold| *hold != TAP_HOLD);
                        line.action = Action::Tap { button, hold };
                        continue;
                    }
                    Action::Release(button)
                }
            };
            lines.push(Line::new(When::At(at), action));
        }
        lines.push(Line::new(When::At(end.max(last)), Action::End));
        lines
    }
}
