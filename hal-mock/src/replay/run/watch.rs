//! Recording between the lines, for later lines that need it: every frame, the texts on it, the
//! bytes on the bus.
//!
//! A [`Watch`] records only what lines of the trace need. It observes the board after each step,
//! and keeps steps short enough that no frame comes and goes between two observations.

use std::collections::{BTreeSet, VecDeque};

use super::film::FrameQueue;
use super::showing::TextHistory;
use crate::board::{SETTLED_AFTER, VirtualBoard};
use trace::{Action, Display, RegionText, Trace};
use virtual_time::{Instant, Nanos};

/// Number of recent events that are stored: more than occur within a frame.
const EVENTS_KEPT: usize = 32;

/// Count of bytes on the bus, continued through power cuts.
#[derive(Clone)]
pub(super) struct Traffic {
    /// Longest span that a line checks.
    longest: Nanos,
    /// The board's count at the last observation.
    counted: u64,
    total: u64,
    /// Total after each step in which it grew, oldest first; the first entry is older than any
    /// span.
    grown: VecDeque<(Instant, u64)>,
}

impl Traffic {
    fn of(trace: &Trace) -> Option<Self> {
        let spans = trace.lines.iter().filter_map(|line| match line.action {
            Action::ExpectBus { within, .. } => Some(within),
            _ => None,
        });
        spans.max().map(|longest| Self { longest, counted: 0, total: 0, grown: VecDeque::new() })
    }

    /// Counts the bytes of the last step. `clock` is the time of the current line, from which all
    /// spans count back.
    pub(super) fn count(&mut self, board: &VirtualBoard, clock: Instant) {
        let bytes = board.bytes_of_all();
        if bytes == self.counted {
            return;
        }
        // The board counts from zero again at each power-on.
        self.total += bytes.checked_sub(self.counted).unwrap_or(bytes);
        self.counted = bytes;
        self.grown.push_back((board.now(), self.total));
        let oldest = clock.saturating_sub(self.longest);
        while self.grown.get(1).is_some_and(|(at, _)| *at <= oldest) {
            self.grown.pop_front();
        }
    }

    /// Returns the number of bytes sent by steps that ended in (`from`, `to`].
    pub(super) fn between(&self, from: Instant, to: Instant) -> u64 {
        let by = |moment: Instant| {
            let later = self.grown.partition_point(|(at, _)| *at <= moment);
            later.checked_sub(1).map_or(0, |index| self.grown[index].1)
        };
        by(to) - by(from)
    }
}

/// Recording of what upcoming lines check on one display.
#[derive(Clone)]
pub(super) struct DisplayWatch {
    /// Number of the display.
    pub(super) display: usize,
    pub(super) frame_queues: [Option<FrameQueue>; 2],
    pub(super) times_frames: bool,
    /// Texts that upcoming lines check.
    pub(super) showings: Vec<TextHistory>,
    /// The longest frame since the last line that checked it, and the time at which it was
    /// complete.
    pub(super) longest: Option<(Nanos, Instant)>,
    /// Number of frames that have been observed, as of `observed_until`.
    pub(super) frames: u64,
    pub(super) observed_until: Instant,
    /// The last change after which the display was observed to be settled.
    pub(super) settled_since: Option<Instant>,
}

impl DisplayWatch {
    /// Returns the recording for a display; `None` if no line needs one.
    fn of(trace: &Trace, display: usize) -> Option<Self> {
        let times = |action: &Action| matches!(action, Action::ExpectFrameTime { display: on, .. } if number(*on) == display);
        let mut showings = TextHistory::of(trace);
        showings.retain(|history| history.display() == display);
        let watch = Self {
            display,
            frame_queues: [false, true].map(|settled| FrameQueue::of(trace, display, settled)),
            times_frames: trace.lines.iter().any(|line| times(&line.action)),
            showings,
            longest: None,
            frames: 0,
            observed_until: Instant::START,
            settled_since: None,
        };
        (watch.needs_frames() || watch.frame_queues[1].is_some()).then_some(watch)
    }

    pub(super) fn needs_frames(&self) -> bool {
        self.frame_queues[0].is_some() || self.times_frames || !self.showings.is_empty()
    }

    /// Returns the times after `now` at which a step must end.
    fn limits(&self, board: &VirtualBoard) -> impl Iterator<Item = Instant> {
        let board = board.at_display(self.display);
        let due = board.frame_due().filter(|_| self.needs_frames());
        // The firmware may draw in the exact nanosecond in which the screen is settled.
        let settled = board.last_change().saturating_add(SETTLED_AFTER).saturating_sub(Nanos(1));
        let settled = Some(settled).filter(|_| self.frame_queues[1].is_some());
        let now = board.now();
        [due, settled].into_iter().flatten().filter(move |moment| *moment > now)
    }
}

/// Returns the number of the display that a line names, or that of the first one.
fn number(display: Option<Display>) -> usize {
    display.map_or(0, Display::index)
}

/// Recording of what upcoming lines check.
#[derive(Clone)]
pub(super) struct Watch {
    pub(super) traffic: Option<Traffic>,
    /// The displays with such lines, in the order of their numbers.
    pub(super) displays: Vec<DisplayWatch>,
    events: VecDeque<(Instant, String)>,
}

impl Watch {
    pub(super) fn for_lines_of(trace: &Trace) -> Self {
        let named = trace.lines.iter().filter_map(|line| line.action.display());
        let numbers: BTreeSet<usize> = named.map(Display::index).chain([0]).collect();
        Self {
            traffic: Traffic::of(trace),
            displays: numbers.into_iter().filter_map(|n| DisplayWatch::of(trace, n)).collect(),
            events: VecDeque::new(),
        }
    }

    /// Returns the queues of all displays.
    pub(super) fn frame_queues(&mut self) -> impl Iterator<Item = &mut FrameQueue> {
        self.displays.iter_mut().flat_map(|watch| &mut watch.frame_queues).flatten()
    }

    /// Returns the recording of a display, if there is one.
    pub(super) fn of_display(&mut self, display: usize) -> Option<&mut DisplayWatch> {
        self.displays.iter_mut().find(|watch| watch.display == display)
    }

    pub(super) fn showing(&self, wanted: &RegionText) -> Option<&TextHistory> {
        let mut showings = self.displays.iter().flat_map(|watch| &watch.showings);
        showings.find(|showing| showing.wanted == *wanted)
    }

    /// Ends a line that checks `wanted`.
    pub(super) fn finish_text_check(&mut self, wanted: &RegionText) {
        for watch in &mut self.displays {
            watch
                .showings
                .retain_mut(|showing| showing.wanted != *wanted || showing.has_further_lines());
        }
    }

    /// Records an action on the board at `at`, which may be in the future.
    pub(super) fn note(&mut self, at: Instant, event: impl FnOnce() -> String) {
        if self.frame_queues().next().is_none() {
            return;
        }
        let place = self.events.partition_point(|(earlier, _)| *earlier <= at);
        self.events.insert(place, (at, event()));
        if self.events.len() > EVENTS_KEPT {
            self.events.pop_front();
        }
    }

    /// Returns the last event up to `at`.
    pub(super) fn event(&self, at: Instant) -> String {
        let by_then = self.events.partition_point(|(event, _)| *event <= at);
        let last = by_then.checked_sub(1).and_then(|index| self.events.get(index));
        last.map_or_else(|| "power on".to_owned(), |(_, event)| event.clone())
    }

    /// Returns the limit of a step such that no frame is missed.
    pub(super) fn limit(&self, board: &VirtualBoard, limit: Instant) -> Instant {
        self.displays.iter().flat_map(|watch| watch.limits(board)).fold(limit, Instant::min)
    }

    /// Prepares for a power-on, at which the board's byte count restarts at zero.
    pub(super) fn power_comes(&mut self) {
        if let Some(traffic) = &mut self.traffic {
            traffic.counted = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trace::parse;

    fn needs_frames(watch: &Watch) -> bool {
        watch.displays.iter().any(DisplayWatch::needs_frames)
    }

    #[test]
    fn frames_are_observed_while_a_line_needs_them() {
        let watching = |lines: &str| {
            let text = format!("trace 1\n0ms power on\n1s expect {lines}\n");
            Watch::for_lines_of(&parse("a.trace", &text).unwrap())
        };
        for (line, looks) in [
            ("text \"x\"", false),
            ("settled frames all", false),
            ("bus < 1kB within 1s", false),
            ("frames all", true),
            ("frame-time < 1s", true),
        ] {
            assert_eq!(needs_frames(&watching(line)), looks, "{line}");
        }
        let mut watch = watching("text \"x\" for 1s\n+1s expect text \"x\" for 1s");
        for left in [true, true, false] {
            assert_eq!(needs_frames(&watch), left);
            watch.finish_text_check(&RegionText::from("x"));
        }
    }

    #[test]
    fn the_last_events_are_stored_if_a_chain_needs_them() {
        let watching = |lines: &str| {
            let trace = parse("a.trace", &format!("trace 1\n0ms power on\n1s {lines}\n")).unwrap();
            let mut watch = Watch::for_lines_of(&trace);
            for nth in 1..=40 {
                watch.note(Instant(nth), || format!("event {nth}"));
            }
            watch
        };
        let watch = watching("expect frames all");
        assert_eq!(watch.events.len(), EVENTS_KEPT);
        let names = [8, 9, 40, 99].map(|at| watch.event(Instant(at)));
        assert_eq!(names, ["power on", "event 9", "event 40", "event 40"]);
        assert!(watching("expect text \"x\"").events.is_empty());
    }
}
