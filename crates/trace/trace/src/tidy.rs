//! A recording rewritten as a person would write it: taps instead of presses and releases, times
//! relative to settled screens, and round times.
//!
//! A recording is a list of [`Movement`]s in absolute time. [`recorded_lines`] pairs them into lines.
//! The caller, which has replayed the recording, adds to each [`RecordedLine`] the [`NewScreen`]s at which
//! the screen had settled before the next line, and [`write()`] makes a trace of them. Each stretch
//! has the unit that its times are rounded to ([`UNITS`]). The finest unit changes no time, so a
//! trace that is rounded too much can always be corrected. Rounding never changes the order of a
//! button's presses and releases.
//!
//! The module knows no board and no screen: names, texts and comments are arguments.

use super::{Action, FrameCheck, HeaderEntry, Line, TAP_HOLD, Trace, When};
use crate::{Button, ButtonMap};
use virtual_time::{Instant, Nanos};

/// Units to which times are rounded, from coarse to exact.
pub const UNITS: [Nanos; 5] = [
    Nanos::from_millis(100),
    Nanos::from_millis(10),
    Nanos::from_millis(1),
    Nanos::from_micros(1),
    Nanos(1),
];

/// Longest hold that becomes a tap without `for`, if times are rounded to one of the two coarsest
/// units.
const SHORT: Nanos = Nanos::from_millis(300);
/// Step and minimum of the `within` of a `settle`.
const WITHIN: Nanos = Nanos::from_secs(5);

/// A recorded change of a button or of the power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movement {
    /// The power was turned on.
    PowerOn,
    /// The power was turned off.
    PowerOff,
    /// The button was pressed.
    Press(Button),
    /// The button was released.
    Release(Button),
}

/// A line with an input, and the settled screens before the next line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedLine {
    /// Recorded time of the line.
    pub at: Instant,
    pub action: Action,
    /// Full-line comments above the line.
    pub above: Vec<String>,
    /// Comment at the end of the line.
    pub comment: Option<String>,
    /// Settled screens after the line that showed something new.
    pub screens: Vec<NewScreen>,
    /// Index in [`UNITS`] of the unit to which the line's times are rounded.
    pub unit: usize,
}

/// A settled screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewScreen {
    /// Time in the recording at which the screen had settled.
    pub at: Instant,
    /// Full-line comments above the line.
    pub above: Vec<String>,
    /// Comment at the end of the line.
    pub comment: Option<String>,
    /// Text that the trace expects on the screen.
    pub text: Option<String>,
    /// Expectations in addition to text and frame.
    pub also: Vec<Action>,
    /// Name of the golden frame.
    pub frame: Option<String>,
}

/// Pairs the recorded movements, in order of time: a press and its release become a tap.
pub fn recorded_lines(movements: &[(Instant, Movement)]) -> Vec<RecordedLine> {
    let mut tapped = vec![false; movements.len()];
    let mut stretches = Vec::new();
    for (nth, (at, movement)) in movements.iter().enumerate() {
        let action = match *movement {
            Movement::PowerOn => Action::PowerOn,
            Movement::PowerOff => Action::PowerOff,
            Movement::Release(_) if tapped[nth] => continue,
            Movement::Release(button) => Action::Release(button),
            Movement::Press(button) => {
                let later = movements.iter().enumerate().skip(nth + 1);
                let moves = |movement: &Movement| {
                    matches!(movement, Movement::Press(other) | Movement::Release(other)
                        if *other == button)
                };
                match later.clone().find(|(_, (_, movement))| moves(movement)) {
                    Some((place, (released, Movement::Release(_)))) if released > at => {
                        tapped[place] = true;
                        Action::Tap { button, hold: Some(released.saturating_since(*at)) }
                    }
                    _ => Action::Press(button),
                }
            }
        };
        let (above, screens) = (Vec::new(), Vec::new());
        stretches.push(RecordedLine { at: *at, action, above, comment: None, screens, unit: 0 });
    }
    stretches
}

/// Returns the trace of `recorded_lines` up to `end`, and for each of its lines the index of its
/// stretch. If `expect` is false, the trace waits for settled screens and has no expectations.
pub fn write(
    header: &[HeaderEntry],
    stretches: &[RecordedLine],
    end: Instant,
    expect: bool,
) -> (Trace, Vec<usize>) {
    let mut writer = LineWriter::default();
    for (owner, stretch) in stretches.iter().enumerate() {
        writer.owner = owner;
        writer.unit = UNITS[stretch.unit.min(UNITS.len() - 1)];
        writer.stretch(stretch, expect);
    }
    writer.line(end, Action::End, Comments::default());
    let trace = Trace { header: header.to_vec(), lines: writer.lines, ..Trace::default() };
    (trace, writer.owners)
}

/// Comments of a line: full-line comments above it, and the comment at its end.
#[derive(Clone, Copy, Default)]
struct Comments<'a> {
    above: &'a [String],
    behind: Option<&'a String>,
}

/// Trace lines written until now.
#[derive(Default)]
struct LineWriter {
    lines: Vec<Line>,
    owners: Vec<usize>,
    owner: usize,
    unit: Nanos,
    /// Recorded time from which the next relative time counts.
    from: Option<Instant>,
    /// Time of the last line as written. Comparable only between two `settle`s.
    now: Instant,
    /// Number of `settle`s written.
    settles: usize,
    /// Last edge of each button.
    edges: ButtonMap<Option<Edge>>,
}

/// A press or a release that has been written.
#[derive(Clone, Copy)]
struct Edge {
    recorded: Instant,
    written: Instant,
    /// Number of `settle`s above the edge.
    settles: usize,
}

impl LineWriter {
    fn stretch(&mut self, stretch: &RecordedLine, expect: bool) {
        let action = match stretch.action {
            Action::Tap { button, hold } => Action::Tap { button, hold: self.hold(hold) },
            ref action => action.clone(),
        };
        let hold = match action {
            Action::Tap { hold, .. } => hold.unwrap_or(TAP_HOLD),
            _ => Nanos::ZERO,
        };
        let comments = Comments { above: &stretch.above, behind: stretch.comment.as_ref() };
        self.line(stretch.at, action, comments);
        if let Some(button) = moved_button(&stretch.action) {
            let released = match stretch.action {
                Action::Tap { hold, .. } => stretch.at.saturating_add(hold.unwrap_or(TAP_HOLD)),
                _ => stretch.at,
            };
            let (written, settles) = (self.now.saturating_add(hold), self.settles);
            *self.edges.at(button) = Some(Edge { recorded: released, written, settles });
        }
        for (nth, moment) in stretch.screens.iter().enumerate() {
            let within = within(moment.at.saturating_since(self.from.unwrap_or_default()));
            // A second settle waits until the first one is over.
            let due = if nth == 0 { self.from.unwrap_or_default() } else { moment.at };
            let comments = Comments { above: &moment.above, behind: moment.comment.as_ref() };
            self.line(due, Action::Settle { display: None, within }, comments);
            self.from = Some(moment.at);
            self.settles += 1;
            if !expect {
                continue;
            }
            if let Some(text) = &moment.text {
                self.line(moment.at, Action::ExpectText(text.clone().into()), Comments::default());
            }
            for action in &moment.also {
                self.line(moment.at, action.clone(), Comments::default());
            }
            if let Some(frame) = &moment.frame {
                let check = FrameCheck::from(frame.as_str());
                self.line(moment.at, Action::ExpectFrame(check), Comments::default());
            }
        }
    }

    /// Writes a line whose time in the recording is `at`.
    fn line(&mut self, at: Instant, action: Action, comments: Comments<'_>) {
        let when = match self.from {
            None => {
                self.now = at;
                When::At(at)
            }
            Some(from) => {
                let span = self.after_last_edge(
                    rounded(at.saturating_since(from), self.unit),
                    at,
                    &action,
                );
                self.now = self.now.saturating_add(span);
                When::After(span)
            }
        };
        self.from = Some(at);
        let (above, comment) = (comments.above.to_vec(), comments.behind.cloned());
        self.lines.push(Line { above, comment, ..Line::new(when, action) });
        self.owners.push(self.owner);
    }

    /// Returns `span` from the line above to this one, whose time in the recording is `at`; longer
    /// if the button that `action` moves would otherwise move before its last edge, or together
    /// with it. Rounded holds and rounded spans add up differently, but the edges of one button
    /// must keep their order. Across a `settle` the order depends on the board; the replay checks
    /// it.
    fn after_last_edge(&self, span: Nanos, at: Instant, action: &Action) -> Nanos {
        let edge = moved_button(action)
            .and_then(|button| self.edges.of(button))
            .filter(|edge| edge.settles == self.settles);
        let Some(edge) = edge else { return span };
        let gap = at.saturating_since(edge.recorded);
        let earliest = edge.written.saturating_add(gap.min(Nanos(1)));
        if self.now.saturating_add(span) >= earliest {
            return span;
        }
        edge.written.saturating_add(rounded(gap, self.unit)).saturating_since(self.now)
    }

    fn hold(&self, hold: Option<Nanos>) -> Option<Nanos> {
        let hold = hold.unwrap_or(TAP_HOLD);
        let short = self.unit >= UNITS[1] && hold <= SHORT;
        let hold = if short { TAP_HOLD } else { rounded(hold, self.unit) };
        (hold != TAP_HOLD).then_some(hold)
    }
}

/// Returns the button that a line moves.
fn moved_button(action: &Action) -> Option<Button> {
    match *action {
        Action::Press(button) | Action::Release(button) | Action::Tap { button, .. } => {
            Some(button)
        }
        _ => None,
    }
}

/// Rounds to the nearest `unit`, but never down to zero.
fn rounded(span: Nanos, unit: Nanos) -> Nanos {
    if span == Nanos::ZERO {
        return span;
    }
    let units = span.0 / unit.0 + u64::from(span.0 % unit.0 * 2 >= unit.0);
    Nanos(units.max(1) * unit.0)
}

/// Returns twice the time that it took, rounded up to a multiple of five seconds.
fn within(took: Nanos) -> Nanos {
    Nanos((took.0 * 2).div_ceil(WITHIN.0).max(1) * WITHIN.0)
}

#[cfg(test)]
mod tests;
