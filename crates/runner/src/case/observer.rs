//! Records what happens in a replay of the machine and of the trace.
//!
//! [`FrameLog`] records when a machine's frames were complete and, for comparing runs, their
//! hashes. [`Observer`] passes the replay's calls on to the [`Gallery`] and records presses, power
//! and what the LCD showed when a line failed. Neither changes the replay.

use std::collections::BTreeMap;
use std::path::PathBuf;

use hal_mock::golden::{self, GoldenError, chain::FrameHash};
use hal_mock::replay::{Event, Failure, FailureId, Goldens, Seen};
use hal_mock::trace::FrameCheck;
use hal_mock::{Frame, Instant, VirtualBoard};

use super::gallery::Gallery;
use crate::frames::{FrameObserver, FrameWatch};
use crate::observe::Observers;
use crate::report::history::FrameSeen;
use crate::report::{FailureScreen, GoldenComparison};

/// Frames whose times are recorded: an hour of 290 a second. Later ones are not on the timeline.
const FRAMES_MAX: usize = 1 << 20;

/// A machine whose frames are recorded.
pub(crate) type ObservedMachine<'a> = FrameWatch<FrameLog<'a>>;

/// The frames that were complete.
#[derive(Default)]
pub(crate) struct FrameLog<'a> {
    /// Whether every frame is hashed, which takes a fraction of a millisecond each.
    pub looks: bool,
    pub frames: Vec<FrameSeen>,
    /// Those that see every frame as well.
    pub observers: Observers<'a>,
}

impl FrameObserver for FrameLog<'_> {
    fn frame_complete(&mut self, at: Instant, board: &VirtualBoard) {
        if self.frames.len() < FRAMES_MAX {
            let look = if self.looks { FrameHash::of(&board.frame()).0 } else { 0 };
            self.frames.push(FrameSeen { at, look });
        }
        self.observers.frame_complete(at, board);
    }
}

/// Stands between the replay and the gallery, and records what passes.
pub(crate) struct Observer<'a, 'b> {
    pub gallery: &'a mut Gallery<'b>,
    /// Where the goldens are.
    pub folder: PathBuf,
    /// Whether a report shows what the LCD showed at a failure.
    pub wants_screens: bool,
    /// What the trace did, not yet in order of time.
    pub events: Vec<(Instant, Event)>,
    /// One for each recorded failure of a line.
    pub screens: BTreeMap<FailureId, FailureScreen>,
    /// What the LCD showed of the part that was compared, and with what.
    compared: Option<(Vec<u8>, GoldenComparison)>,
}

impl<'a, 'b> Observer<'a, 'b> {
    pub fn new(gallery: &'a mut Gallery<'b>, folder: PathBuf, wants_screens: bool) -> Self {
        let (events, screens) = (Vec::new(), BTreeMap::new());
        Self { gallery, folder, wants_screens, events, screens, compared: None }
    }
}

impl Goldens for Observer<'_, '_> {
    fn check(&mut self, expected: &FrameCheck, actual: &Frame) -> Result<(), GoldenError> {
        let result = self.gallery.check(expected, actual);
        if result.is_err() && self.wants_screens {
            let golden = golden::read_png(self.folder.join(format!("{}.png", expected.name)));
            self.compared = golden.ok().map(|golden| {
                let (region, rules) = (expected.shown(), &expected.rules);
                let difference = golden::difference_part(actual, &golden, region, rules);
                let screen = golden::encode_png(&actual.part(region));
                let expected = golden::encode_png(&golden);
                (screen, GoldenComparison { expected, difference: golden::encode_png(&difference) })
            });
        }
        result
    }

    fn watch(&mut self, name: &str, seen: &Seen<'_>) {
        self.gallery.watch(name, seen);
    }

    fn chain(&mut self, name: &str) -> Result<(), GoldenError> {
        self.gallery.chain(name)
    }

    fn screenshot(&mut self, name: &str, frame: &Frame) -> Result<(), GoldenError> {
        self.gallery.screenshot(name, frame)
    }

    fn happened(&mut self, at: Instant, event: Event) {
        self.events.push((at, event));
    }

    fn failed(&mut self, failure: &Failure, frame: &Frame) {
        let screen = match self.compared.take() {
            Some((actual, compared)) => FailureScreen { actual, compared: Some(compared) },
            None if self.wants_screens && !frame.pixels().is_empty() => {
                FailureScreen { actual: golden::encode_png(frame), compared: None }
            }
            None => FailureScreen::default(),
        };
        self.screens.insert(failure.id, screen);
    }
}
