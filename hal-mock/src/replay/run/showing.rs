//! When a text stood on the LCD, frame by frame, because a line to come asks how long it did.
//!
//! A [`Showing`] is told of every frame; it knows neither the frame's pixels nor its text. It
//! keeps the last few times at which the text came or went: lines ask about the last of them.

use std::collections::VecDeque;

use trace::{Action, RegionText, Trace};
use virtual_time::{Instant, Nanos};

/// The last changes that are kept. A line asks about a moment that is at most a step of the firmware ago;
/// in a step a text comes or goes once.
const CHANGES_KEPT: usize = 16;

/// A frame that brought a text, or took it away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    /// When its first pixel was drawn.
    pub(super) begun: Instant,
    /// When it was complete.
    pub(super) complete: Instant,
}

/// A text came with one frame, and went with another, if it has gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) from: Edge,
    pub(super) until: Option<Edge>,
}

impl Span {
    /// How long it lasted as of `at`: between the complete frames, and between their first pixels.
    pub(super) fn lengths(&self, at: Instant) -> [Nanos; 2] {
        let until = self.until.unwrap_or(Edge { begun: at, complete: at });
        [
            until.complete.saturating_since(self.from.complete),
            until.begun.saturating_since(self.from.begun),
        ]
    }
}

/// The times at which a text came and went.
#[derive(Clone)]
pub(super) struct Showing {
    pub(super) wanted: RegionText,
    /// The lines to come that ask for it.
    lines: usize,
    /// When it came (`true`) and went, in turns, oldest first.
    changes: VecDeque<(Edge, bool)>,
}

impl Showing {
    /// One for each text that lines of `trace` ask for.
    pub(super) fn of(trace: &Trace) -> Vec<Self> {
        let mut showings: Vec<Self> = Vec::new();
        for line in &trace.lines {
            let Action::ExpectText(check) = &line.action else { continue };
            if check.shown_for.is_none() {
                continue;
            }
            match showings.iter_mut().find(|showing| showing.wanted == check.wanted) {
                Some(showing) => showing.lines += 1,
                None => {
                    let wanted = check.wanted.clone();
                    showings.push(Self { wanted, lines: 1, changes: VecDeque::new() });
                }
            }
        }
        showings
    }

    /// A frame shows the text, or does not.
    pub(super) fn note(&mut self, frame: Edge, shown: bool) {
        if self.changes.back().is_some_and(|(_, before)| *before) != shown {
            self.changes.push_back((frame, shown));
            if self.changes.len() > CHANGES_KEPT {
                self.changes.pop_front();
            }
        }
    }

    /// When the text was shown last, as one knows at `at`.
    pub(super) fn last_as_of(&self, at: Instant) -> Option<Span> {
        let by_then = self.changes.iter().filter(|(frame, _)| frame.complete <= at);
        let mut latest_first = by_then.rev();
        match *latest_first.next()? {
            (from, true) => Some(Span { from, until: None }),
            (until, false) => {
                latest_first.next().map(|(from, _)| Span { from: *from, until: Some(until) })
            }
        }
    }

    /// A line that asked for it is over; whether another one is to come.
    pub(super) fn is_asked_for_again(&mut self) -> bool {
        self.lines = self.lines.saturating_sub(1);
        self.lines > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_asked_for_until_its_last_line_is_over() {
        let wanted = RegionText::from("READY");
        let mut showing = Showing { wanted, lines: 3, changes: VecDeque::new() };
        let again: Vec<bool> = (0..4).map(|_| showing.is_asked_for_again()).collect();
        assert_eq!(again, [true, true, false, false]);
    }

    #[test]
    fn the_last_changes_are_kept() {
        let edge = |nth: u64| Edge {
            begun: Instant::from_millis(10 * nth),
            complete: Instant::from_millis(10 * nth + 5),
        };
        let mut showing =
            Showing { wanted: RegionText::from("READY"), lines: 1, changes: VecDeque::new() };
        for nth in 0..40 {
            showing.note(edge(nth), nth % 2 == 0);
            showing.note(edge(nth), nth % 2 == 0);
        }
        let last = |millis| showing.last_as_of(Instant::from_millis(millis));
        let span =
            |from, until: Option<u64>| Some(Span { from: edge(from), until: until.map(edge) });
        assert_eq!(last(1_000), span(38, Some(39)));
        assert_eq!(last(395), span(38, Some(39)));
        assert_eq!(last(394), span(38, None));
        assert_eq!(showing.changes.len(), CHANGES_KEPT);
    }
}
