//! What happened in a replay: who watches the machine, who watches the trace, and the last
//! things before a moment.
//!
//! [`Notes`] says when a machine's frames were complete, and what they look like if asked to. [`Onlooker`] stands before the [`Gallery`] and notes presses, power and what
//! the LCD showed when a line failed. Neither changes what they watch.

use std::path::PathBuf;

use hal_mock::board::ConsoleLine;
use hal_mock::golden::{self, chain::FrameHash};
use hal_mock::replay::{Event, Failure, Goldens, Seen};
use hal_mock::trace::FrameCheck;
use hal_mock::{Frame, Nanos, VirtualBoard};

use super::gallery::Gallery;
use crate::frames::{EachFrame, SeesFrames};

/// Frames whose times are kept: an hour of 290 a second. Later ones are not on the timeline.
const FRAMES_KEPT: usize = 1 << 20;
/// How many events are told of before a failure.
const EVENTS_TOLD: usize = 5;

/// A complete frame: when its last pixel changed, and what it looked like, as a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrameSeen {
    pub at: Nanos,
    /// 0 unless the frames are looked at.
    pub look: u64,
}

/// A machine whose frames are noted.
pub(super) type Watched = EachFrame<Notes>;

/// The frames that were complete.
#[derive(Default)]
pub(super) struct Notes {
    /// Whether every frame is looked at; that takes a fraction of a millisecond each.
    pub looks: bool,
    pub frames: Vec<FrameSeen>,
}

impl SeesFrames for Notes {
    fn see(&mut self, at: Nanos, board: &VirtualBoard) {
        if self.frames.len() < FRAMES_KEPT {
            let look = if self.looks { FrameHash::of(&board.frame()).0 } else { 0 };
            self.frames.push(FrameSeen { at, look });
        }
    }
}

/// What the LCD showed when a line failed, as PNG files.
#[derive(Clone, Debug, Default)]
pub(super) struct Shot {
    pub actual: Vec<u8>,
    /// The golden and what differs from it, if the line compared with one that is there.
    pub compared: Option<Compared>,
}

#[derive(Clone, Debug)]
pub(super) struct Compared {
    pub expected: Vec<u8>,
    pub difference: Vec<u8>,
}

/// The gallery, and whoever looks over its shoulder.
pub(super) struct Onlooker<'a, 'b> {
    pub gallery: &'a mut Gallery<'b>,
    /// Where the goldens are.
    pub folder: PathBuf,
    /// Whether anybody wants to see what failed.
    pub wants_shots: bool,
    /// What the trace did, not yet in order of time.
    pub events: Vec<(Nanos, Event)>,
    /// One for each failure of a line, in their order.
    pub shots: Vec<Shot>,
    /// What the LCD showed of the part that was compared, and with what.
    compared: Option<(Vec<u8>, Compared)>,
}

impl<'a, 'b> Onlooker<'a, 'b> {
    pub fn new(gallery: &'a mut Gallery<'b>, folder: PathBuf, wants_shots: bool) -> Self {
        let (events, shots) = (Vec::new(), Vec::new());
        Self { gallery, folder, wants_shots, events, shots, compared: None }
    }
}

impl Goldens for Onlooker<'_, '_> {
    fn check(&mut self, expected: &FrameCheck, actual: &Frame) -> Result<(), String> {
        let result = self.gallery.check(expected, actual);
        if result.is_err() && self.wants_shots {
            let golden = golden::read_png(self.folder.join(format!("{}.png", expected.name)));
            self.compared = golden.ok().map(|golden| {
                let (region, rules) = (expected.shown(), &expected.rules);
                let difference = golden::difference_part(actual, &golden, region, rules);
                let shot = golden::encode_png(&actual.part(region));
                let expected = golden::encode_png(&golden);
                (shot, Compared { expected, difference: golden::encode_png(&difference) })
            });
        }
        result
    }

    fn watch(&mut self, name: &str, seen: &Seen<'_>) {
        self.gallery.watch(name, seen);
    }

    fn chain(&mut self, name: &str) -> Result<(), String> {
        self.gallery.chain(name)
    }

    fn screenshot(&mut self, name: &str, frame: &Frame) -> Result<(), String> {
        self.gallery.screenshot(name, frame)
    }

    fn happened(&mut self, at: Nanos, event: Event) {
        self.events.push((at, event));
    }

    fn failed(&mut self, _failure: &Failure, frame: &Frame) {
        self.shots.push(match self.compared.take() {
            Some((actual, compared)) => Shot { actual, compared: Some(compared) },
            None if self.wants_shots && !frame.pixels().is_empty() => {
                Shot { actual: golden::encode_png(frame), compared: None }
            }
            None => Shot::default(),
        });
    }
}

/// All that happened in a replay, in order of time.
#[derive(Clone, Debug, Default)]
pub(super) struct Story {
    pub events: Vec<(Nanos, Event)>,
    pub frames: Vec<FrameSeen>,
}

impl Story {
    pub fn new(mut events: Vec<(Nanos, Event)>, frames: Vec<FrameSeen>) -> Self {
        events.sort_by_key(|(at, _)| *at);
        Self { events, frames }
    }

    /// The last few things up to `at`, the latest last. Frames with nothing between them
    /// count as one.
    pub fn before(&self, at: Nanos, console: &[ConsoleLine]) -> Vec<(Nanos, String)> {
        let events = &self.events[..self.events.partition_point(|(then, _)| *then <= at)];
        let events = events.iter().rev().take(EVENTS_TOLD);
        let mut told: Vec<(Nanos, String)> =
            events.rev().map(|(then, event)| (*then, event.to_string())).collect();
        let lines = &console[..console.partition_point(|line| line.at <= at)];
        let lines = lines.iter().rev().take(EVENTS_TOLD).rev();
        told.extend(lines.map(|line| (line.at, format!("console {:?}", line.text))));
        told.sort_by_key(|(then, _)| *then);

        let mut last = Vec::new();
        let mut until = at;
        while last.len() < EVENTS_TOLD {
            let next = told.pop();
            let from = next.as_ref().map_or(Nanos::ZERO, |(then, _)| *then);
            last.extend(self.frames_between(from, until));
            match next {
                Some(event) => last.push(event),
                None => break,
            }
            until = from;
        }
        last.truncate(EVENTS_TOLD);
        last.reverse();
        last
    }

    /// The frames in (`from`, `to`], said as one event.
    fn frames_between(&self, from: Nanos, to: Nanos) -> Option<(Nanos, String)> {
        let end = self.frames.partition_point(|frame| frame.at <= to);
        let count = end - self.frames.partition_point(|frame| frame.at <= from).min(end);
        let last = self.frames[..end].last()?;
        match count {
            0 => None,
            1 => Some((last.at, "a frame".to_owned())),
            _ => Some((last.at, format!("the last of {count} frames"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use hal_mock::Button;

    use super::*;

    fn ms(millis: u64) -> Nanos {
        Nanos::from_millis(millis)
    }

    fn frame(millis: u64) -> FrameSeen {
        FrameSeen { at: ms(millis), look: 0 }
    }

    #[test]
    fn the_last_five_events_are_in_order_and_frames_in_a_row_are_one() {
        let events = vec![
            (ms(0), Event::PowerOn),
            (ms(10), Event::Settled),
            (ms(20), Event::Press(Button::B3)),
            (ms(900), Event::PowerOff),
            (ms(100), Event::Release(Button::B3)),
        ];
        let frames = vec![frame(5), frame(30), frame(40), frame(50), frame(120)];
        let console = [ConsoleLine { at: ms(60), text: "move".into() }];
        let told = Story::new(events, frames).before(ms(200), &console);
        let told: Vec<String> = told.iter().map(|(at, what)| format!("{at} {what}")).collect();
        assert_eq!(
            told,
            [
                "20ms press B3",
                "50ms the last of 3 frames",
                "60ms console \"move\"",
                "100ms release B3",
                "120ms a frame",
            ]
        );
    }

    #[test]
    fn before_anything_happened_nothing_is_told() {
        assert_eq!(Story::default().before(ms(1), &[]), []);
    }
}
