//! A recording written anew as a person would write it: taps instead of presses and releases,
//! times relative to what was seen, and round.
//!
//! A recording is a list of [`Movement`]s in absolute time. [`stretches`] pairs them into lines;
//! whoever has watched the board puts into each [`Stretch`] the [`Moment`]s at which the screen
//! had settled before the next line, and [`write()`] makes a trace of it. How roughly times are
//! rounded is said for each stretch ([`UNITS`]); the finest unit changes no time at all, so a
//! trace that is rounded too much can always be mended.
//!
//! It knows no board and no screen: names, texts and comments are given to it.

use super::{Action, FrameCheck, HeaderEntry, Line, TAP_HOLD, Trace, When};
use crate::{Button, Nanos};

/// What times are rounded to, from rough to exact.
pub const UNITS: [Nanos; 5] = [
    Nanos::from_millis(100),
    Nanos::from_millis(10),
    Nanos::from_millis(1),
    Nanos::from_micros(1),
    Nanos(1),
];

/// Rounded to the two roughest units, a tap that is held for no longer than this is one
/// without `for`.
const SHORT: Nanos = Nanos::from_millis(300);
/// The shortest that a `settle` waits at most.
const WITHIN: Nanos = Nanos::from_secs(5);

/// What a finger did, or the power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movement {
    /// The power came.
    PowerOn,
    /// The power went.
    PowerOff,
    /// A finger went down.
    Press(Button),
    /// A finger went up.
    Release(Button),
}

/// A line that does something, and what was seen before the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// When, as it was recorded.
    pub at: Nanos,
    /// What.
    pub action: Action,
    /// The comments above it.
    pub above: Vec<String>,
    /// When the screen had settled and showed something new.
    pub moments: Vec<Moment>,
    /// Its times are rounded to this one of [`UNITS`].
    pub unit: usize,
}

/// A settled screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// When it had settled in the recording.
    pub at: Nanos,
    /// The comments above its line.
    pub above: Vec<String>,
    /// What is to be read on it.
    pub text: Option<String>,
    /// The name of its frame.
    pub frame: Option<String>,
}

/// Pairs what was recorded, in order of time: a press and its release become a tap.
pub fn stretches(movements: &[(Nanos, Movement)]) -> Vec<Stretch> {
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
                        Action::Tap { button, hold: Some(*released - *at) }
                    }
                    _ => Action::Press(button),
                }
            }
        };
        let (above, moments) = (Vec::new(), Vec::new());
        stretches.push(Stretch { at: *at, action, above, moments, unit: 0 });
    }
    stretches
}

/// The trace of `stretches`, which goes on until `end`; and for each of its lines the index of
/// the stretch that it belongs to. Without `expect` it waits for settled screens and does not
/// look at them.
pub fn write(
    header: &[HeaderEntry],
    stretches: &[Stretch],
    end: Nanos,
    expect: bool,
) -> (Trace, Vec<usize>) {
    let mut pen = Pen::default();
    for (owner, stretch) in stretches.iter().enumerate() {
        pen.owner = owner;
        pen.unit = UNITS[stretch.unit.min(UNITS.len() - 1)];
        pen.stretch(stretch, expect);
    }
    pen.line(end, Action::End, &[]);
    let trace = Trace { header: header.to_vec(), lines: pen.lines, ..Trace::default() };
    (trace, pen.owners)
}

/// What has been written so far.
#[derive(Default)]
struct Pen {
    lines: Vec<Line>,
    owners: Vec<usize>,
    owner: usize,
    unit: Nanos,
    /// What the next time counts from, as it was recorded.
    from: Option<Nanos>,
}

impl Pen {
    fn stretch(&mut self, stretch: &Stretch, expect: bool) {
        let action = match stretch.action {
            Action::Tap { button, hold } => Action::Tap { button, hold: self.hold(hold) },
            ref action => action.clone(),
        };
        self.line(stretch.at, action, &stretch.above);
        for (nth, moment) in stretch.moments.iter().enumerate() {
            let within = within(moment.at - self.from.unwrap_or_default());
            // A second one has to wait until the first is over.
            let due = if nth == 0 { self.from.unwrap_or_default() } else { moment.at };
            self.line(due, Action::Settle { within }, &moment.above);
            self.from = Some(moment.at);
            if !expect {
                continue;
            }
            if let Some(text) = &moment.text {
                self.line(moment.at, Action::ExpectText(text.clone()), &[]);
            }
            if let Some(frame) = &moment.frame {
                let check = FrameCheck::from(frame.as_str());
                self.line(moment.at, Action::ExpectFrame(check), &[]);
            }
        }
    }

    /// A line whose time in the recording is `at`.
    fn line(&mut self, at: Nanos, action: Action, above: &[String]) {
        let when = match self.from {
            None => When::At(at),
            Some(from) => When::After(rounded(at - from, self.unit)),
        };
        self.from = Some(at);
        self.lines.push(Line { above: above.to_vec(), ..Line::new(when, action) });
        self.owners.push(self.owner);
    }

    fn hold(&self, hold: Option<Nanos>) -> Option<Nanos> {
        let hold = hold.unwrap_or(TAP_HOLD);
        let short = self.unit >= UNITS[1] && hold <= SHORT;
        let hold = if short { TAP_HOLD } else { rounded(hold, self.unit) };
        (hold != TAP_HOLD).then_some(hold)
    }
}

/// To the nearest `unit`, but never down to nothing.
fn rounded(span: Nanos, unit: Nanos) -> Nanos {
    if span == Nanos::ZERO {
        return span;
    }
    let units = span.0 / unit.0 + u64::from(span.0 % unit.0 * 2 >= unit.0);
    Nanos(units.max(1) * unit.0)
}

/// Twice what it took, rounded up to five seconds.
fn within(took: Nanos) -> Nanos {
    Nanos((took.0 * 2).div_ceil(WITHIN.0).max(1) * WITHIN.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Movement::{PowerOn, Press, Release};

    const B3: Button = Button::ALL[2];
    const T1: Button = Button::ALL[6];

    #[track_caller]
    fn check(movements: &[(u64, Movement)], moments: &[(usize, u64)], unit: usize, lines: &[&str]) {
        let movements: Vec<_> = movements.iter().map(|(at, what)| (Nanos(*at), *what)).collect();
        let mut stretches = stretches(&movements);
        for stretch in &mut stretches {
            stretch.unit = unit;
        }
        for (stretch, at) in moments {
            let (text, frame) = (Some("PLAYER 1".into()), Some("one".into()));
            let moment = Moment { at: Nanos(*at), above: Vec::new(), text, frame };
            stretches[*stretch].moments.push(moment);
        }
        let end = Nanos(movements.last().map_or(0, |(at, _)| at.0) + 1_000_000_007);
        let (trace, owners) = write(&[], &stretches, end, true);
        assert_eq!(owners.len(), trace.lines.len());
        let text: Vec<String> = trace.lines.iter().map(ToString::to_string).collect();
        assert_eq!(text, lines);
    }

    #[test]
    fn presses_and_releases_become_taps_at_round_times() {
        let movements = [
            (0, PowerOn),
            (1_234_567_891, Press(B3)),
            (1_350_000_000, Release(B3)),
            (2_999_999_999, Press(T1)),
            (4_211_111_111, Release(T1)),
        ];
        let lines =
            ["0ms     power on", "+1.2s   tap B3", "+1.8s   tap T1 for 1.2s", "+2.2s   end"];
        check(&movements, &[], 0, &lines);
    }

    #[test]
    fn the_finest_unit_changes_no_time() {
        let movements = [(0, PowerOn), (1_234_567_891, Press(B3)), (1_350_000_000, Release(B3))];
        let lines =
            ["0ms     power on", "+1234567.891us tap B3 for 115432.109us", "+1115432.116us end"];
        check(&movements, &[], 4, &lines);
    }

    #[test]
    fn what_overlaps_stays_overlapping_and_what_is_never_let_go_stays_pressed() {
        let movements = [
            (0, PowerOn),
            (500_000_000, Press(B3)),
            (510_000_000, Press(T1)),
            (900_000_000, Release(B3)),
        ];
        let lines =
            ["0ms     power on", "+500ms  tap B3 for 400ms", "+100ms  press T1", "+1.4s   end"];
        check(&movements, &[], 0, &lines);
    }

    #[test]
    fn a_settled_screen_is_waited_for_and_what_follows_counts_from_it() {
        let movements = [(0, PowerOn), (3_000_000_000, Press(B3)), (3_080_000_000, Release(B3))];
        let lines = [
            "0ms     power on",
            "+0ms    settle within 5s",
            "+0ms    expect text \"PLAYER 1\"",
            "+0ms    expect frame one",
            "+700ms  settle within 5s",
            "+0ms    expect text \"PLAYER 1\"",
            "+0ms    expect frame one",
            "+1.3s   tap B3",
            "+1.1s   end",
        ];
        check(&movements, &[(0, 1_000_000_000), (0, 1_700_000_000)], 0, &lines);
    }
}
