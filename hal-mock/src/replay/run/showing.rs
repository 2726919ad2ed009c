//! Times at which a text was on the LCD, frame by frame, for a later line that checks how long it
//! was.
//!
//! A [`TextHistory`] is notified of every frame; it knows neither the frame's pixels nor its text.
//! It stores the last few times at which the text appeared or disappeared: lines check the last of
//! them.

use std::collections::VecDeque;

use trace::{Action, Display, RegionText, Trace};
use virtual_time::{Instant, Nanos};

/// Number of changes that are stored. A line checks a time that is at most a step of the firmware
/// ago; in a step a text appears or disappears once.
const CHANGES_KEPT: usize = 16;

/// A frame in which a text appeared or disappeared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    /// Time at which the frame's first pixel was drawn.
    pub(super) begun: Instant,
    /// Time at which the frame was complete.
    pub(super) complete: Instant,
}

/// A period in which a text was shown: the frame in which it appeared, and the one in which it
/// disappeared, if it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) from: Edge,
    pub(super) until: Option<Edge>,
}

impl Span {
    /// Returns the length of the period as of `at`: between the complete frames, and between their
    /// first pixels.
    pub(super) fn lengths(&self, at: Instant) -> [Nanos; 2] {
        let until = self.until.unwrap_or(Edge { begun: at, complete: at });
        [
            until.complete.saturating_since(self.from.complete),
            until.begun.saturating_since(self.from.begun),
        ]
    }
}

/// Times at which a text appeared and disappeared.
#[derive(Clone)]
pub(super) struct TextHistory {
    pub(super) wanted: RegionText,
    /// Number of upcoming lines that check the text.
    lines: usize,
    /// Frames in which it appeared (`true`) and disappeared, alternating, oldest first.
    changes: VecDeque<(Edge, bool)>,
}

impl TextHistory {
    /// Creates one for each text that lines of `trace` check.
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

    /// Returns the number of the display that the text is on.
    pub(super) fn display(&self) -> usize {
        self.wanted.display.map_or(0, Display::index)
    }

    /// Records whether a frame shows the text.
    pub(super) fn note(&mut self, frame: Edge, shown: bool) {
        if self.changes.back().is_some_and(|(_, before)| *before) != shown {
            self.changes.push_back((frame, shown));
            if self.changes.len() > CHANGES_KEPT {
                self.changes.pop_front();
            }
        }
    }

    /// Returns the last period in which the text was shown, as known at `at`.
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

    /// Removes one line that checks the text, and returns whether further ones follow.
    pub(super) fn has_further_lines(&mut self) -> bool {
        self.lines = self.lines.saturating_sub(1);
        self.lines > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_observed_until_its_last_line_is_over() {
        let wanted = RegionText::from("READY");
        let mut showing = TextHistory { wanted, lines: 3, changes: VecDeque::new() };
        let again: Vec<bool> = (0..4).map(|_| showing.has_further_lines()).collect();
        assert_eq!(again, [true, true, false, false]);
    }

    #[test]
    fn the_last_changes_are_kept() {
        let edge = |nth: u64| Edge {
            begun: Instant::from_millis(10 * nth),
            complete: Instant::from_millis(10 * nth + 5),
        };
        let mut showing =
            TextHistory { wanted: RegionText::from("READY"), lines: 1, changes: VecDeque::new() };
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
