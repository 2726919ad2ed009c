//! What happened in a replay: who watches the machine, who watches the trace, and the last
//! things before a moment.
//!
//! [`Notes`] says when a machine's frames were complete, and what they look like if asked to. [`Onlooker`] stands before the [`Gallery`] and notes presses, power and what
//! the LCD showed when a line failed. Neither changes what they watch.

use std::path::PathBuf;

use hal_mock::golden::{self, chain::FrameHash};
use hal_mock::replay::{Event, Failure, Goldens, Seen};
use hal_mock::trace::FrameCheck;
use hal_mock::{Frame, Nanos, VirtualBoard};

use super::gallery::Gallery;
use crate::frames::{EachFrame, SeesFrames};
use crate::report::history::FrameSeen;
use crate::report::{Compared, Shot};

/// Frames whose times are kept: an hour of 290 a second. Later ones are not on the timeline.
const FRAMES_KEPT: usize = 1 << 20;

/// A machine whose frames are noted.
pub(crate) type Watched = EachFrame<Notes>;

/// The frames that were complete.
#[derive(Default)]
pub(crate) struct Notes {
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

/// The gallery, and whoever looks over its shoulder.
pub(crate) struct Onlooker<'a, 'b> {
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
