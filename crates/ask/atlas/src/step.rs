//! One press, and the trace that presses are: the same lines explore the board, piece by piece, and are written
//! out.
//! It knows no screen.

use core::fmt;

use trace::{Action, Button, HeaderEntry, Line, Trace, When};
use virtual_time::{Instant, Nanos};

/// From one press to the next. Every movement of stones and every passing message is over by then, and
/// the computer has answered.
pub const STEP: Nanos = Nanos::from_secs(4);
/// How long a held RESET is down; at 1 s the menu opens (docs/playing.md, RESET).
const HOLD_RESET: Nanos = Nanos::from_millis(1_200);
/// How long a held NUDGE is down; half a second leaves the demo (docs/playing.md, The demo).
const HOLD_NUDGE: Nanos = Nanos::from_millis(700);
/// How long RESET is down before and after the other button of a chord.
const CHORD: Nanos = Nanos::from_millis(200);
/// What brings the hint: a minute in which no button is pressed (docs/playing.md, RESET).
const MINUTE: Nanos = Nanos::from_secs(61);
/// How long the power is off.
const OFF: Nanos = Nanos::from_millis(500);

/// What a person does at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// Presses a button shortly.
    Tap(Button),
    /// Holds a button down.
    Hold(Button),
    /// Holds RESET down and presses this button.
    WithReset(Button),
    /// Waits for a minute.
    Wait,
    /// Switches the power off and on.
    OffAndOn,
}

impl fmt::Display for Step {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tap(button) => write!(out, "{button}"),
            Self::Hold(button) => write!(out, "hold {button}"),
            Self::WithReset(button) => write!(out, "RESET+{button}"),
            Self::Wait => out.write_str("wait a minute"),
            Self::OffAndOn => out.write_str("power off and on"),
        }
    }
}

/// A trace under construction, and when each step began.
struct Writer {
    lines: Vec<Line>,
    /// The moment of each line.
    at: Vec<Instant>,
    begins: Vec<Instant>,
    /// How many lines there were when each step began.
    before: Vec<usize>,
    now: Instant,
    /// Time since the last line.
    owed: Nanos,
}

impl Writer {
    fn push(&mut self, after: Nanos, action: Action) {
        self.now = self.now.saturating_add(after);
        let when = When::After(after.saturating_add(std::mem::take(&mut self.owed)));
        self.lines.push(Line::new(when, action));
        self.at.push(self.now);
    }

    fn pass(&mut self, time: Nanos) {
        self.now = self.now.saturating_add(time);
        self.owed = self.owed.saturating_add(time);
    }

    fn step(&mut self, step: Step) {
        self.pass(STEP);
        self.begins.push(self.now);
        self.before.push(self.lines.len());
        let tap = |button, hold| Action::Tap { button, hold };
        match step {
            Step::Tap(button) => self.push(Nanos::ZERO, tap(button, None)),
            Step::Hold(button) => {
                let hold = if button == Button::Reset { HOLD_RESET } else { HOLD_NUDGE };
                self.push(Nanos::ZERO, tap(button, Some(hold)));
            }
            Step::WithReset(button) => {
                self.push(Nanos::ZERO, Action::Press(Button::Reset));
                self.push(CHORD, tap(button, None));
                self.push(CHORD, Action::Release(Button::Reset));
            }
            Step::Wait => self.pass(MINUTE),
            Step::OffAndOn => {
                self.push(Nanos::ZERO, Action::PowerOff);
                self.push(OFF, Action::PowerOn);
            }
        }
    }
}

/// Power on, and the steps of `path` behind it.
fn walked(path: &[Step]) -> Writer {
    let on = Line::new(When::At(Instant::START), Action::PowerOn);
    let mut writer = Writer {
        lines: vec![on],
        at: vec![Instant::START],
        begins: Vec::new(),
        before: Vec::new(),
        now: Instant::START,
        owed: Nanos::ZERO,
    };
    path.iter().for_each(|step| writer.step(*step));
    writer
}

/// A way in pieces that can be carried out one by one: the power comes, and each step. The lines of a piece
/// have their times from power-on, so a piece needs no other to be carried out.
pub(super) struct Way {
    pieces: Vec<Trace>,
    begins: Vec<Instant>,
    end: Instant,
}

impl Way {
    /// The way along `path`.
    pub(super) fn of(path: &[Step]) -> Self {
        let Writer { lines, at, mut begins, mut before, now, .. } = walked(path);
        before.push(lines.len());
        let mut lines = lines.into_iter().zip(at);
        let mut taken = 0;
        let pieces = before.into_iter().map(|until| {
            let count = until - std::mem::replace(&mut taken, until);
            let lines = lines.by_ref().take(count);
            let lines = lines.map(|(line, at)| Line { when: When::At(at), ..line }).collect();
            Trace { lines, ..Trace::default() }
        });
        let pieces = pieces.collect();
        begins.insert(0, Instant::START);
        Self { pieces, begins, end: now.saturating_add(STEP) }
    }

    /// The piece of the step number `nth`, from 1 on; 0 is power-on.
    pub(super) fn piece(&self, nth: usize) -> &Trace {
        &self.pieces[nth]
    }

    /// When that step begins.
    pub(super) fn begin(&self, nth: usize) -> Instant {
        self.begins[nth]
    }

    /// The step during which `at` is; 0 before the first.
    pub(super) fn step_at(&self, at: Instant) -> usize {
        self.begins.partition_point(|begin| *begin <= at).saturating_sub(1)
    }

    /// When the last step is over.
    pub(super) fn end(&self) -> Instant {
        self.end
    }
}

/// The trace that presses `path` on a board with that `header` and waits for `expected`, above it
/// `comments`.
pub fn trace_to(
    header: &[HeaderEntry],
    path: &[Step],
    expected: Action,
    comments: Vec<String>,
) -> Trace {
    let mut writer = walked(path);
    // What waits does so itself; what looks, looks at the end of the last step.
    if !matches!(expected, Action::WaitText { .. }) {
        writer.pass(STEP);
    }
    writer.push(Nanos::ZERO, expected);
    writer.push(Nanos::from_secs(1), Action::End);
    let (header, lines) = (header.to_vec(), writer.lines);
    Trace { above: comments, header, lines, ..Trace::default() }
}
