//! The trace that a series of presses forms. The same lines are used piece by piece
//! to explore the board and as a whole to write the trace. This module does not know screens.

use insight::Step;
use trace::{Action, Button, HeaderEntry, Line, Movement, Trace, When};
use virtual_time::{Instant, Nanos};

/// Time from one press to the next. It is long enough for every animation and every
/// temporary message to end, and for the computer to answer.
pub const STEP: Nanos = Nanos::from_secs(4);
/// Time for which a held RESET is down; at 1 s the menu opens (docs/playing.md, RESET).
const HOLD_RESET: Nanos = Nanos::from_millis(1_200);
/// Time for which a held NUDGE is down; half a second leaves the demo (docs/playing.md, The demo).
const HOLD_NUDGE: Nanos = Nanos::from_millis(700);
/// Time for which RESET is down before and after the other button of a chord.
const CHORD: Nanos = Nanos::from_millis(200);
/// Time without a press after which the hint appears: a minute (docs/playing.md, RESET).
const MINUTE: Nanos = Nanos::from_secs(61);
/// Time for which the power is off.
const OFF: Nanos = Nanos::from_millis(500);

/// A trace under construction, with the start of each step.
struct Writer {
    lines: Vec<Line>,
    /// Time of each line.
    at: Vec<Instant>,
    begins: Vec<Instant>,
    /// Number of lines before each step.
    before: Vec<usize>,
    now: Instant,
    /// Time since the last line.
    owed: Nanos,
    /// Time from one press to the next.
    pace: Nanos,
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
        self.pass(self.pace);
        self.begins.push(self.now);
        self.before.push(self.lines.len());
        let tap = |button, hold| Action::Tap { button, hold };
        match step {
            Step::Tap(button) => self.push(Nanos::ZERO, tap(button, None)),
            Step::Hold(button) => {
                let hold = if button == Button::Reset { HOLD_RESET } else { HOLD_NUDGE };
                // The button is up before the next step.
                let hold = hold.min(Nanos(self.pace.0 / 4 * 3));
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
            Step::Turn(control, by) => {
                let movement = Movement::Turn { by, over: None };
                self.push(Nanos::ZERO, Action::Move { control, movement });
            }
            Step::Switch(control, is_on) => {
                let movement = Movement::Switch(is_on);
                self.push(Nanos::ZERO, Action::Move { control, movement });
            }
            Step::Set(control, x) => {
                let movement = Movement::Set { x, y: None };
                self.push(Nanos::ZERO, Action::Move { control, movement });
            }
        }
    }
}

/// Writes a power-on and then the steps of `path`, with the time `pace` before each.
fn walked(path: &[Step], pace: Nanos) -> Writer {
    let on = Line::new(When::At(Instant::START), Action::PowerOn);
    let mut writer = Writer {
        lines: vec![on],
        at: vec![Instant::START],
        begins: Vec::new(),
        before: Vec::new(),
        now: Instant::START,
        owed: Nanos::ZERO,
        pace,
    };
    path.iter().for_each(|step| writer.step(*step));
    writer
}

/// A path split into pieces that can be executed one by one: the power-on, then each step. The
/// lines of a piece have their times from power-on, so a piece can be executed without the others.
pub(super) struct Way {
    pieces: Vec<Trace>,
    begins: Vec<Instant>,
    end: Instant,
}

impl Way {
    /// Returns the pieces of `path`.
    pub(super) fn of(path: &[Step]) -> Self {
        Self::paced(path, STEP)
    }

    /// Returns the pieces of `path`, with the time `pace` before each step and after the last one.
    pub(super) fn paced(path: &[Step], pace: Nanos) -> Self {
        let Writer { lines, at, mut begins, mut before, now, .. } = walked(path, pace);
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
        Self { pieces, begins, end: now.saturating_add(pace) }
    }

    /// Returns the piece of step `nth`, from 1; 0 is power-on.
    pub(super) fn piece(&self, nth: usize) -> &Trace {
        &self.pieces[nth]
    }

    /// Returns the time at which step `nth` begins.
    pub(super) fn begin(&self, nth: usize) -> Instant {
        self.begins[nth]
    }

    /// Returns the number of the step at time `at`; 0 before the first step.
    pub(super) fn step_at(&self, at: Instant) -> usize {
        self.begins.partition_point(|begin| *begin <= at).saturating_sub(1)
    }

    /// Returns the end of the last step.
    pub(super) fn end(&self) -> Instant {
        self.end
    }
}

/// Returns the trace that presses `path` on a board with that `header` and waits for `expected`,
/// with `comments` above that line.
pub fn trace_to(
    header: &[HeaderEntry],
    path: &[Step],
    expected: Action,
    comments: Vec<String>,
) -> Trace {
    let mut writer = walked(path, STEP);
    // A wait passes the time by itself; an expectation is checked at the end of the last step.
    if !matches!(expected, Action::WaitText { .. }) {
        writer.pass(STEP);
    }
    writer.push(Nanos::ZERO, expected);
    finished(writer, header, comments)
}

/// Returns the trace that presses `path` with the time `pace` before each step, and checks `expected`
/// at the end of the last step.
pub(super) fn trace_that_expects(
    header: &[HeaderEntry],
    path: &[Step],
    pace: Nanos,
    expected: Vec<Action>,
    comments: Vec<String>,
) -> Trace {
    let mut writer = walked(path, pace);
    writer.pass(pace);
    expected.into_iter().for_each(|action| writer.push(Nanos::ZERO, action));
    finished(writer, header, comments)
}

fn finished(mut writer: Writer, header: &[HeaderEntry], comments: Vec<String>) -> Trace {
    writer.push(Nanos::from_secs(1), Action::End);
    let (header, lines) = (header.to_vec(), writer.lines);
    Trace { above: comments, header, lines, ..Trace::default() }
}
